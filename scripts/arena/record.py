"""The record of a tournament: JSON lines, first its terms, then one for each finished game.

A line is on the disk before the next game is counted.  One process at a time writes the
record (scripts/jobs/files.py).  Besides games there are lines about the sequential test:
{"sprt": its bounds}, and {"verdict": its decision, and when it was made}; and about the other
files of the tournament: {"file": name, "left": [size, time], "games": how many it holds}.
"""

from __future__ import annotations

import collections
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from protocol.records.record import RESULTS
from scripts.arena.elo import Sprt
from scripts.arena.standings import Standings
from scripts.command_line import reason
from scripts.jobs.files import FileError, PathLike, Stamp, parse_json_line, stamp_of
from scripts.jobs.results_file import ResultsFile
from scripts.jobs.worker import ResultData


class Reading:
    """A record opened for reading; iterating over it yields its results, each game once.

    name: its name in error messages.
    After the last result:
    terms: those of the tournament.
    ids: those of the results.  standings: of all players, with the sequential test.
    left: {(name of another file, text of its stamp): games in it when the tournament left it}.
    Raise FileError if it is not a record.
    """

    def __init__(self, lines: Iterable[bytes], name: PathLike) -> None:
        self._lines, self._name = lines, name
        self.terms: dict[str, Any] = {}
        self.ids: set[str] = set()
        self.standings = Standings([])
        self.left: dict[tuple[str, str], int] = {}

    def __iter__(self) -> Iterator[ResultData]:
        for number, line in enumerate(self._lines, 1):
            value = parse_json_line(self._name, number, line)
            if number == 1:
                self.begin(value.get("tournament"))
                continue
            wrong = wrong_part(value)
            if wrong is not None:
                raise FileError(f"{self._name}, line {number}: invalid or missing: {wrong}")
            if "file" in value:
                self.left[value["file"], str(value["left"])] = value["games"]
            elif "sprt" in value:
                self.standings.test = Sprt(**value["sprt"])
            elif "verdict" in value:
                self.standings.verdict = value["verdict"]
            elif value["id"] not in self.ids:
                self.ids.add(value["id"])
                self.standings.add(value)
                yield value

    def begin(self, terms: Any) -> None:
        """Take the terms of the tournament, with its players."""
        if not isinstance(terms, dict):
            raise FileError(f"{self._name} is not the record of a tournament")
        players = terms.get("players")
        listed = players if isinstance(players, list) else []
        names = [each.get("name") for each in listed if isinstance(each, dict)]
        self.standings.names = [name for name in names if isinstance(name, str)]
        self.terms = terms


class TournamentRecord(ResultsFile):
    """The record at `path` of a tournament with these `terms` (plain data), created if missing.

    ids: those of the games so far.  standings: of these games.
    force: replace a file that is not a record, or that belongs to another tournament.
    Raise FileError if the file belongs to another tournament or another process writes it.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        super().__init__(path, {"tournament": terms}, force)

    def _read(self) -> None:
        reading = Reading(self._file.lines(), self.path)
        collections.deque(reading, maxlen=0)
        wanted = self._first["tournament"]
        if not self._file.size:
            reading.begin(wanted)
        self._check(reading.terms, wanted)
        self.ids, self.standings, self._left = reading.ids, reading.standings, reading.left

    def results(self) -> Iterator[ResultData]:
        """Yield the results in the file, in its order."""
        return iter(Reading(self._file.lines(), self.path))

    def begin_test(self, test: Sprt) -> None:
        """Begin the sequential test, or continue it; raise FileError if the record has another."""
        known = self.standings.test
        if known is None:
            self.standings.test = test
            self._due.append({"sprt": test._asdict()})
            if self.standings.decide():
                self.write({"verdict": self.standings.verdict})
        elif known != test:
            words = ", ".join(f"{name} {value}" for name, value in known._asdict().items())
            raise FileError(
                f"{self.path} holds another test ({words}); "
                "give the same options, or name another record"
            )

    def count(self, game: ResultData) -> None:
        """Append a result, and the verdict of the test if it is reached; both are on the disk.

        Raise WriteError if they can't be written; then the file holds none of them.
        """
        lines: list[dict[str, Any]] = [game]
        if self.standings.add(game) and self.standings.decide():
            lines.append({"verdict": self.standings.verdict})
        self.write(*lines)
        self.ids.add(game["id"])

    # ---- the tournament's other files ------------------------------------------------

    def games_left(self, path: pathlib.Path) -> int | None:
        """Return the number of games in a file, None if changed since the tournament wrote it."""
        return self._left.get((path.name, str(stamp_of(path))))

    def leave(self, path: pathlib.Path, stamp: Stamp) -> None:
        """Note the stamp of a file with all games so far, before it replaces the one at `path`."""
        self.write({"file": path.name, "left": stamp, "games": len(self.ids)})
        self._left[path.name, str(stamp)] = len(self.ids)


def open_record(path: PathLike) -> Reading:
    """Open a file as a Reading; raise FileError if it doesn't exist."""
    path = pathlib.Path(path)
    if not path.exists():
        raise FileError(f"{path}: no such file")
    return Reading(_lines(path), path)


def _lines(path: pathlib.Path) -> Iterator[bytes]:
    """Yield the complete lines of a file; the last one may be only half written."""
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except OSError as error:
        raise FileError(f"can't read {reason(error)}") from None


def read_results(path: PathLike) -> list[ResultData]:
    """Return the results in a record; raise FileError if it is not one."""
    return list(open_record(path))


# ---- lines ---------------------------------------------------------------------------


def wrong_part(value: dict[str, Any]) -> str | None:
    """Return the name of a missing or invalid part of a line after the first, or None.

    It is a result (game.py), unless it is about the test or a file.
    """
    other = next((name for name in _OTHER_LINES if name in value), None)
    for name, fits in (_RESULT if other is None else _OTHER_LINES[other]).items():
        if name not in value or not fits(value[name]):
            return name
    if other is not None:
        return None
    count = len(value["moves"]) - value["opening"]
    for name in _OF_MOVES if count >= 0 else ("opening",):
        found = value.get(name)
        if (
            type(found) is not list
            or len(found) != count
            or not _SIMPLE.issuperset(map(type, found))
        ):
            return name
    return None


_Fits = Callable[[Any], Any]


def _is(*kinds: type) -> _Fits:
    return lambda value: type(value) in kinds


def _has(**fields: _Fits) -> _Fits:
    """Return a function that is true for a dict with these fields and no others."""
    return lambda value: (
        type(value) is dict
        and value.keys() == fields.keys()
        and all(fits(value[name]) for name, fits in fields.items())
    )


def _are_texts(value: Any) -> bool:
    return type(value) is list and set(map(type, value)) <= {str}


_ID = re.compile(r"\d{1,9}/[^/]+-[^/]+/[12]")
# The fields of a result other than the values of its moves, and whether a value fits.
_RESULT: dict[str, _Fits] = {
    "id": lambda value: isinstance(value, str) and _ID.fullmatch(value),
    **dict.fromkeys(("game", "date", "termination", "reason"), _is(str)),
    "players": lambda value: _are_texts(value) and len(value) == 2 and value[0] != value[1],
    "result": lambda value: value in RESULTS[:3],
    "fault": lambda value: value is None or type(value) is int and value in (0, 1),
    "start": _is(str, type(None)),
    "options": _is(dict),
    "moves": _are_texts,
    "opening": lambda value: type(value) is int and value >= 0,
}
# The fields that hold a value for each move after the opening; the readers of records skip
# those that aren't scores or times.
_OF_MOVES = ("seconds", "scores", "depths", "nodes")
_SIMPLE = {int, float, str, type(None)}
_number = _is(int, float)
# The fields of the other lines.
_OTHER_LINES: dict[str, dict[str, _Fits]] = {
    "sprt": {"sprt": _has(elo0=_number, elo1=_number, alpha=_number, beta=_number)},
    "verdict": {"verdict": _has(accepted=_is(str), pairs=_is(int), ratio=_number)},
    "file": {"file": _is(str), "left": _is(list), "games": _is(int)},
}
