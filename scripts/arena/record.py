"""The record of a tournament: JSON lines, first its terms, then one for each finished game.

A line is on the disk before the next game is counted.  One process at a time writes the
record (scripts/jobs/files.py).  Besides games there are lines about the sequential test:
{"sprt": its bounds}, and {"verdict": its decision, and when it was made}; and about the other
files of the tournament: {"file": name, "left": [size, time], "games": how many it holds}.
"""

from __future__ import annotations

import array
import itertools
import json
import math
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protocol.records.record import RESULTS
from scripts.command_line import reason
from scripts.jobs.files import (
    FileError,
    GrowingFile,
    PathLike,
    Stamp,
    json_line,
    parse_json_line,
    stamp_of,
)
from scripts.jobs.worker import ResultData

_ID = re.compile(r"\d{1,9}/[^/]+-[^/]+/[12]")
_MATE = re.compile(r"-?M\d{1,6}")
_NONE = type(None)
# The fields that hold a value for each move after the opening, and their types.
_OF_MOVES: dict[str, set[type]] = {
    "seconds": {int, float, _NONE},
    "scores": {int, str, _NONE},
    "depths": {int, _NONE},
    "nodes": {int, _NONE},
}
_TEXTS = ("game", "date", "termination", "reason")
_LARGEST = 1e15  # larger than the Euclidean norm of the numbers of any real game


class Results(Sequence[ResultData]):
    """The results of a record, read from the file on demand."""

    def __init__(self, file: GrowingFile) -> None:
        self._file = file
        self._places = array.array("Q")

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        """Return a result."""
        return json.loads(self._file.line_at(self._places[index]))

    def add(self, place: int) -> None:
        """Note the next result's place in the file."""
        self._places.append(place)


class TournamentRecord:
    """The record at `path` of a tournament with these `terms` (plain data), created if missing.

    results: those of the games so far, complete after read().
    sprt: the bounds of the sequential test, or None.  verdict: its decision, or None.
    force: replace a file that is not a record, or that belongs to another tournament.
    Raise FileError if the file belongs to another tournament or another process writes it.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        self._file = GrowingFile(path, begins=b'{"tournament":', force=force)
        self.path = self._file.path
        self._terms = json.loads(json.dumps(terms))
        self._forget()
        try:
            self._claim(force)
        except BaseException:
            self.close()
            raise

    def _forget(self) -> None:
        self.results = Results(self._file)
        # names of other files -> (stamps at which they were left, games in the last one)
        self._left: dict[str, list[Any]] = {}
        self.played: set[str] = set()  # ids
        self.sprt: dict[str, Any] | None = None
        self.verdict: dict[str, Any] | None = None

    def _claim(self, force: bool) -> None:
        """Check the terms in the file."""
        first = next(iter(self._file.lines()), None)
        if first is None:
            return
        try:
            _compare(self.path, parse_json_line(self.path, 1, first), self._terms)
        except FileError as error:
            if not force and not self._is_unused():
                raise FileError(
                    f"{error}; name another file by --record, or replace it with --force"
                ) from None
            self.restart()

    def _is_unused(self) -> bool:
        """Is it a record without any game?  Then it belongs to no other tournament."""
        lines = list(itertools.islice(self._file.lines(), 2))
        return len(lines) == 1 and "tournament" in parse_json_line(self.path, 1, lines[0])

    def restart(self) -> None:
        """Forget the file's content; the first line that is written replaces it."""
        self._forget()
        self._file.restart()

    def read(self) -> Iterator[ResultData]:
        """Yield the results in the file once.

        Raise FileError if there is anything else in it.
        """
        if not self._file.holds_blocks:
            return
        reading = Reading(self._file.lines(), self.path)
        self.played = reading.ids
        for result in reading:
            self.results.add(reading.place)
            yield result
        self.sprt, self.verdict, self._left = reading.sprt, reading.verdict, reading.left

    def begin(self) -> None:
        """Write the terms if the file is empty."""
        if not self._file.holds_blocks:
            self._file.add(json_line({"tournament": self._terms}))

    def begin_test(self, bounds: dict[str, Any]) -> None:
        """TournamentRecord the sequential test; raise FileError if the record has another one."""
        if self.sprt is None:
            self.begin()
            self.sprt = bounds
            self._file.add(json_line({"sprt": bounds}))
        elif self.sprt != bounds:
            raise FileError(
                f"{self.path} holds another test: --sprt {self.sprt['elo0']:g} "
                f"{self.sprt['elo1']:g} --alpha {self.sprt['alpha']:g} --beta "
                f"{self.sprt['beta']:g} --sprt-model {self.sprt['model']}; give "
                "the same options, or name another record"
            )

    def add(self, *lines: ResultData) -> None:
        """Append new results and lines about the test; all are on the disk on return.

        Raise WriteError if they can't be written; then the file holds none of them.
        """
        self.begin()
        texts = [json_line(line).encode() for line in lines]
        place = self._file.add(b"".join(texts))
        for line, text in zip(lines, texts):
            if "verdict" in line:
                self.verdict = line["verdict"]
            else:
                self.played.add(line["id"])
                self.results.add(place)
            place += len(text)

    # ---- the tournament's other files ------------------------------------------------

    def has_left(self, path: pathlib.Path) -> bool:
        """Is this file as the tournament left it?"""
        stamp = stamp_of(path)
        return any(stamp == left for left, _ in self._left.get(path.name, ()))

    def games_left(self, path: pathlib.Path) -> int:
        """Return the number of games in this file, 0 if the tournament has not left it so."""
        stamp = stamp_of(path)
        return next((n for left, n in self._left.get(path.name, ()) if left == stamp), 0)

    def leaving(self, path: pathlib.Path, games: int) -> Callable[[Stamp], None]:
        """Return a function that records the stamp of a file that is about to take its place."""

        def note(stamp: Stamp) -> None:
            self.begin()
            line = {"file": path.name, "left": stamp, "games": games}
            self._file.add(json_line(line))
            _remember(self._left, line)

        return note

    def close(self) -> None:
        """Close the file, which ends its lock."""
        self._file.close()


def _remember(left: dict[str, list[Any]], line: dict[str, Any]) -> None:
    """Note the line of a file; the one before it counts, too, since a kill may come in between."""
    left[line["file"]] = [*left.get(line["file"], ())[-1:], (line["left"], line["games"])]


class Reading:
    """A record opened for reading; iterating over it yields its results, each game once.

    name: its name in error messages.
    ids: those of the results so far.  place: offset of the latest one in the file.
    sprt, verdict: as in a TournamentRecord.  left: the lines of files, as in a TournamentRecord.
    players: names in the order of the terms; [] if the terms don't have them.
    Raise FileError if it is not a record.
    """

    def __init__(self, lines: Iterable[bytes], name: PathLike) -> None:
        self._lines, self._name = lines, name
        self.ids: set[str] = set()
        self.place = 0
        self.players: list[str] = []
        self.sprt: dict[str, Any] | None = None
        self.verdict: dict[str, Any] | None = None
        self.left: dict[str, list[Any]] = {}

    def __iter__(self) -> Iterator[ResultData]:
        number = here = 0
        for number, line in enumerate(self._lines, 1):
            self.place, here = here, here + len(line) + 1
            value = parse_json_line(self._name, number, line)
            if number == 1:
                if "tournament" not in value:
                    number = 0
                    break
                self.players = _names(value["tournament"])
            elif not self._note(number, value):
                wrong = wrong_part(value)
                if wrong is not None:
                    raise FileError(
                        f"{self._name}, line {number}: not a tournament game (invalid {wrong})"
                    )
                if value["id"] not in self.ids:
                    self.ids.add(value["id"])
                    yield value
        if not number:
            raise FileError(f"{self._name} is not the record of a tournament")

    def _note(self, number: int, value: dict[str, Any]) -> bool:
        """Take a line that is no result; return whether it is one."""
        for name, parts in _OTHER_LINES.items():
            if name not in value:
                continue
            found = value if name == "file" else value[name]
            if not isinstance(found, dict) or any(
                type(found.get(part)) not in kinds for part, kinds in parts.items()
            ):
                raise FileError(f"{self._name}, line {number}: its {name} is malformed")
            if name == "file":
                _remember(self.left, value)
            else:
                setattr(self, name, found)
            return True
        return False


def _names(terms: Any) -> list[str]:
    """Return the players in a tournament's terms."""
    players = terms.get("players") if isinstance(terms, dict) else None
    listed = players if isinstance(players, list) else []
    names = [each.get("name") for each in listed if isinstance(each, dict)]
    return [name for name in names if isinstance(name, str)]


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
    """Return the name of a missing or invalid part of a result (job.py), or None."""
    for name, fits in _FIELDS.items():
        if not fits(value.get(name, _MISSING)):
            return name
    count = len(value["moves"]) - value["opening"]
    for name, kinds in _OF_MOVES.items():
        found = value.get(name)
        if type(found) is not list or len(found) != count or not _fit(found, kinds):
            return name if count >= 0 else "opening"
    return None


def _are_texts(value: Any) -> bool:
    if type(value) is not list:
        return False
    try:
        "".join(value)  # the fastest way
    except TypeError:
        return False
    return True


_MISSING = object()
# The fields of a result other than the values of its moves, and whether a value fits.
_FIELDS: dict[str, Callable[[Any], Any]] = {
    "id": lambda value: isinstance(value, str) and _ID.fullmatch(value),
    **dict.fromkeys(_TEXTS, lambda value: type(value) is str),
    "players": lambda value: _are_texts(value) and len(value) == 2 and value[0] != value[1],
    "result": lambda value: value in RESULTS[:3],
    "fault": lambda value: value is None or type(value) is int and value in (0, 1),
    "start": lambda value: value is None or isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "moves": _are_texts,
    "opening": lambda value: type(value) is int and value >= 0,
}


def _fit(values: list[Any], kinds: set[type]) -> bool:
    """Do the values have these types, as finite numbers of moderate size or mates?"""
    found = set(map(type, values))
    if not found <= kinds:
        return False
    if str in found:
        if not all(_MATE.fullmatch(value) for value in values if type(value) is str):
            return False
        values = [value for value in values if type(value) is not str]
    if _NONE in found:
        values = list(filter(None, values))
    try:
        return math.hypot(*values) < _LARGEST
    except OverflowError:  # an integer beyond all floats
        return False


_TEST: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("elo0", "elo1"), (int, float)),
    **dict.fromkeys(("alpha", "beta"), (float,)),
    "model": (str,),
}
# Lines that are no games, and the types of their parts.
_OTHER_LINES: dict[str, dict[str, tuple[type, ...]]] = {
    "sprt": _TEST,
    "verdict": {"accepted": (str,), "pairs": (int,), "ratio": (int, float)},
    "file": {"file": (str,), "left": (list,), "games": (int,)},
}


def _compare(path: pathlib.Path, first: dict[str, Any], terms: dict[str, Any]) -> None:
    known = first.get("tournament")
    if not isinstance(known, dict):
        raise FileError(f"{path} is not the record of a tournament")
    different = sorted(
        name for name in set(known) | set(terms) if known.get(name) != terms.get(name)
    )
    if different:
        raise FileError(
            f"{path} is the record of another tournament (different: {', '.join(different)})"
        )
