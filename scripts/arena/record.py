"""The record of a tournament: JSON lines, the first one its terms, then one a finished game.

A line is on the disk before the next game is counted.  One process at a time writes
the record (scripts/jobs/files.py).
"""
from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from typing import Any

from protocol.records.formats import SUFFIXES
from protocol.records.lines import are_texts
from protocol.records.record import RESULTS
from scripts.command_line import reason
from scripts.jobs.files import FileError, GrowingFile, PathLike, free_name
from scripts.jobs.progress import read_json_lines
from scripts.jobs.run import Result

_ID = re.compile(r"\d{1,9}/[^/]+-[^/]+/[12]")
_MATE = re.compile(r"-?M\d{1,6}")
# What is recorded of each move after the opening, and what it may be besides None.
_OF_MOVES = {"seconds": (int, float), "scores": (int, str), "depths": (int,), "nodes": (int,)}


class Record:
    """The record at `path` of a tournament with these `terms` (plain data); made where there is
    none.

    results: those of the games played so far.
    force: replace a file that is no record, or that of another tournament.
    FileError if the file belongs to another tournament, or another process writes it.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        self.results: list[Result] = []
        self._file = GrowingFile(path, begins=b'{"tournament":', force=force)
        self.path = self._file.path
        self._terms = json.loads(json.dumps(terms))
        try:
            self._claim(self._terms, force)
        except BaseException:
            self.close()
            raise

    def _claim(self, terms: dict[str, Any], force: bool) -> None:
        try:
            self._open(terms)
        except FileError as error:
            if not force:
                raise FileError(f"{error}; name another file, such as --record "
                                f"{free_name(self.path, *SUFFIXES.values())}, "
                                "or replace it with --force") from None
            self.results.clear()
            self._file.restart()

    def _open(self, terms: dict[str, Any]) -> None:
        lines = list(read_json_lines(self.path, self._file.lines()))
        if len(lines) == 1 and "tournament" in lines[0]:
            lines = []          # no game of it was ever played: it is no other tournament's record
            self._file.restart()
        elif lines:
            _compare(self.path, lines[0], terms)
            self.results = _games(self.path, lines)

    def begin(self) -> None:
        """Write the terms if nothing is in the file yet."""
        if not self._file.holds_blocks:
            self._append({"tournament": self._terms})

    def add(self, result: Result) -> bool:
        """Append a result; it is on the disk when this returns.

        False where that game is in the record already.

        WriteError where it can't be written: then nothing of it is in the file.
        """
        if any(known["id"] == result["id"] for known in self.results):
            return False
        self.begin()
        self._append(result)
        self.results.append(result)
        return True

    def _append(self, value: dict[str, Any]) -> None:
        self._file.add(json.dumps(value, separators=(",", ":")) + "\n")

    def close(self) -> None:
        """Close the file, and let others have it."""
        self._file.close()


def read_results(path: PathLike) -> list[Result]:
    """The results in a record; FileError where it is none."""
    path = pathlib.Path(path)
    if not path.exists():
        raise FileError(f"{path}: there is no such file")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(f"can't read {reason(error)}") from None
    return _results(path, list(read_json_lines(path, data.split(b"\n")[:-1])))


def parse_results(text: str, name: str = "the record") -> list[Result]:
    """The results in the text of a record; FileError where it is none.

    name: what it is called in errors.
    """
    return _results(name, list(read_json_lines(name, text.encode().split(b"\n"))))


def _results(path: PathLike, lines: list[dict[str, Any]]) -> list[Result]:
    if not lines or "tournament" not in lines[0]:
        raise FileError(f"{path} is no record of a tournament")
    return _games(path, lines)


def _games(path: PathLike, values: list[dict[str, Any]]) -> list[Result]:
    """The results among the values of a record's lines, each game once."""
    seen, games = set(), []
    for number, value in enumerate(values[1:], 2):
        wrong = next((name for name, fits in _FITS.items() if name not in value
                      or not fits(value[name], value)), None)
        if wrong is not None:
            raise FileError(f"{path}, line {number}: is no game of a tournament (its {wrong})")
        if value["id"] not in seen:
            seen.add(value["id"])
            games.append(value)
    return games


def _is_text(value: object, result: Result) -> bool:
    return isinstance(value, str)


def _of_each_move(name: str) -> Callable[[Any, Result], bool]:
    """Does a list hold what was recorded of each move after the opening?"""
    def fits(value: Any, result: Result) -> bool:
        return (isinstance(value, list) and len(value) == len(result["moves"]) - result["opening"]
                and all(each is None or type(each) in _OF_MOVES[name] and _is_sound(each)
                        for each in value))
    return fits


def _is_sound(value: int | float | str) -> bool:
    """Is it a number that can be reckoned with (not NaN, as Python's JSON may have it), or a
    mate?
    """
    return bool(_MATE.fullmatch(value)) if isinstance(value, str) else abs(value) < 1e15


# What each part of a result (job.py) has to be: name -> fits(the part, the result),
# whose parts above it fit.
_FITS = {
    "id": lambda value, result: isinstance(value, str) and _ID.fullmatch(value),
    "game": _is_text, "date": _is_text, "termination": _is_text, "reason": _is_text,
    "players": lambda value, result: are_texts(value) and len(value) == 2 and value[0] != value[1],
    "result": lambda value, result: value in RESULTS[:3],
    "fault": lambda value, result: value is None or type(value) is int and value in (0, 1),
    "start": lambda value, result: value is None or isinstance(value, str),
    "options": lambda value, result: isinstance(value, dict),
    "moves": lambda value, result: are_texts(value),
    "opening": lambda value, result: type(value) is int and 0 <= value <= len(result["moves"]),
    **{name: _of_each_move(name) for name in _OF_MOVES},
}


def _compare(path: pathlib.Path, first: dict[str, Any], terms: dict[str, Any]) -> None:
    known = first.get("tournament")
    if not isinstance(known, dict):
        raise FileError(f"{path} is no record of a tournament")
    different = sorted(name for name in set(known) | set(terms)
                       if known.get(name) != terms.get(name))
    if different:
        raise FileError(
            f"{path} is the record of another tournament (different: {', '.join(different)})")
