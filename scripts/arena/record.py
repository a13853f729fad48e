"""The record of a tournament: JSON lines, first its terms, then one for each finished game.

A line is on the disk before the next game is counted.  One process at a time writes the
record (scripts/jobs/files.py).  Some lines are not games:

    {"sprt": ...}       the sequential test: its hypotheses and error rates
    {"verdict": ...}    the test's decision, the number of pairs, and the likelihood ratio
    {"file": name, "left": [size, time], "games": number of games}      an exported file
"""

from __future__ import annotations

import collections
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from protocol.records.record import RESULTS
from scripts.arena.elo import Sprt
from scripts.arena.standings import Decision, Standings
from scripts.jobs import files
from scripts.jobs.worker import ResultData


class Reading:
    """The record at `path`; iterating over it reads the file and yields each game's result once.

    lines: the record's lines if the file is open already.
    Iterating raises FileError if the file is not a record, and fills these attributes:
    terms: the terms of the tournament.  ids: the ids of the results.
    standings: the standings of all players, with the sequential test.
    left: {(name of an exported file, text of its stamp): number of games in the file}.
    """

    def __init__(self, path: files.PathLike, lines: Iterable[bytes] | None = None) -> None:
        self._path, self._lines = path, lines
        self.terms: dict[str, Any] = {}
        self.ids: set[str] = set()
        self.standings = Standings()
        self.left: dict[tuple[str, str], int] = {}

    def __iter__(self) -> Iterator[ResultData]:
        for number, value in files.json_objects(self._path, self._lines):
            try:
                is_new = self._take(number, value)
            except (AttributeError, KeyError, TypeError, ValueError):
                wrong = "not a line of a tournament's record"
                raise files.FileError(f"{self._path}, line {number}: {wrong}") from None
            if is_new:
                yield value

    def _take(self, number: int, value: dict[str, Any]) -> bool:
        """Store the data of a line; return whether it is the result of a new game.

        number: the line's number, from 1.
        Raise AttributeError, KeyError, TypeError or ValueError if the line is malformed.
        """
        if number == 1:
            self.terms = value["tournament"]
            players = self.terms.get("players", [])
            self.standings = Standings(str(player["name"]) for player in players)
        elif "sprt" in value:
            self.standings.test = Sprt(**value["sprt"])
        elif "verdict" in value:
            self.standings.verdict = Decision(**value["verdict"])
        elif "file" in value:
            self.left[value["file"], str(value["left"])] = value["games"]
        elif not is_result(value):
            raise ValueError
        elif value["id"] not in self.ids:
            self.ids.add(value["id"])
            self.standings.add(value)
            return True
        return False


class TournamentRecord(files.ResultsFile):
    """The record at `path` of a tournament, created if missing.

    terms: the tournament's terms (plain data).  The argument `terms` is a dict that holds them
    under the key "tournament".
    ids: the ids of the games so far.  standings: the standings after these games.
    force: replace a file that is not a record, or that belongs to another tournament.
    Raise FileError if the file belongs to another tournament or another process writes it.
    """

    def _read(self) -> None:
        lines = self.lines() if self.size else [files.json_line(self._first).encode()]
        reading = Reading(self.path, lines)
        collections.deque(reading, maxlen=0)
        self.terms = self._first["tournament"]
        self._check(reading.terms, self.terms)
        self.ids, self.standings = reading.ids, reading.standings
        self._left = reading.left

    def results(self) -> Iterator[ResultData]:
        """Yield the results in the order of the file."""
        return iter(Reading(self.path, self.lines()))

    def begin_test(self, test: Sprt) -> None:
        """Begin or continue a sequential test; raise FileError if the record has another test."""
        known = self.standings.test
        if known is None:
            self.standings.test = test
            self._due.append({"sprt": test._asdict()})
            verdict = self.standings.decide()
            if verdict is not None:
                self.write({"verdict": verdict._asdict()})
        elif known != test:
            words = ", ".join(f"{name} {value}" for name, value in known._asdict().items())
            advice = "give the same options, or name another record"
            raise files.FileError(f"{self.path} holds another test ({words}); {advice}")

    def count(self, game: ResultData) -> None:
        """Append a result and, if it decides the test, the verdict; on return they are on the disk.

        Raise WriteError if they can't be written; then the file holds neither.
        """
        self.standings.add(game)
        verdict = self.standings.decide()
        self.write(game, *([] if verdict is None else [{"verdict": verdict._asdict()}]))
        self.ids.add(game["id"])

    # ---- the tournament's other files ------------------------------------------------

    def games_left(self, path: pathlib.Path) -> int | None:
        """Return the number of games in an earlier export; None if the file was changed."""
        return self._left.get((path.name, str(files.stamp_of(path))))

    def leave(self, path: pathlib.Path, stamp: files.Stamp) -> None:
        """Record that the file which is about to appear at `path` contains all games so far.

        stamp: the size and time of that file, as files.stamp_of() returns them.
        """
        self.write({"file": path.name, "left": stamp, "games": len(self.ids)})
        self._left[path.name, str(stamp)] = len(self.ids)


# The fields of a result (game.py), and the types of their values.
_FIELDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "game", "result", "termination", "reason", "date"), (str,)),
    **dict.fromkeys(("players", "moves", "seconds", "scores", "depths", "nodes"), (list,)),
    "fault": (int, type(None)),
    "start": (str, type(None)),
    "options": (dict,),
    "opening": (int,),
}
_SIMPLE = {int, float, str, type(None)}  # types of the values that belong to a move
_ID = re.compile(r"\d{1,9}/[^/]+-[^/]+/[12]")


def is_result(value: dict[str, Any]) -> bool:
    """Is `value` a result?  Its scores and times may be invalid: readers skip such values."""
    if not all(type(value.get(name, ...)) in types for name, types in _FIELDS.items()):
        return False
    texts = [*value["players"], *value["moves"]]
    count = len(value["moves"]) - value["opening"]
    lists = [value[name] for name in ("seconds", "scores", "depths", "nodes")]
    return (
        _ID.fullmatch(value["id"]) is not None
        and value["result"] in RESULTS[:3]
        and value["fault"] in (None, 0, 1)
        and set(map(type, texts)) == {str}
        and len(value["players"]) == len(set(value["players"])) == 2
        and value["opening"] >= 0
        and all(len(values) == count and _SIMPLE.issuperset(map(type, values)) for values in lists)
    )
