"""The record of a tournament: JSON lines, the first one its terms, then one a finished game.

A line is on the disk before the next game is counted (flush and fsync).  A run that was killed while it wrote may
leave half a line: that one is cut off and its game is played again.  One runner at a time has the record (lock.py).
"""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re

from scripts.arena.lock import Lock, Taken
from scripts.command_line import reason

_ID = re.compile(r"\d{1,9}/[^/]+-[^/]+/[12]")
_MATE = re.compile(r"-?M\d{1,6}")
_RESULTS = ("1-0", "0-1", "1/2-1/2")
# What is told of each move after the opening, and what it may be besides None.
_OF_MOVES = {"seconds": (int, float), "scores": (int, str), "depths": (int,), "nodes": (int,)}


class RecordError(Exception):
    """A record that can't be used, in words."""


class WriteError(RecordError):
    """A record that can't be written any more; what was added before is in it."""


def write_whole(path, texts):
    """Write a file anew, as a whole or not at all; WriteError where it can't be."""
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():        # what takes its place would be a file
        raise WriteError(f"can't write {path}: it is no file")
    fresh = path.with_name(path.name + ".new")
    try:
        with open(fresh, "w", encoding="utf-8", errors="replace") as file:
            file.writelines(texts)
        os.replace(fresh, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise WriteError(f"can't write {path}: {error.strerror}") from None


class Record:
    """The record at `path` of a tournament with these `terms` (plain data); made where there is none.

    results: those of the games played so far.
    RecordError where the file belongs to another tournament, or another process writes it.
    """

    def __init__(self, path, terms):
        self.path = pathlib.Path(path)
        self.results = []
        self._file = None
        if self.path.exists() and not self.path.is_file():      # a device has no end to be read, a pipe no beginning
            raise RecordError(f"can't write {self.path}: it is no file")
        terms = json.loads(json.dumps(terms))
        try:
            self._lock = Lock(self.path)
        except Taken as error:
            raise RecordError(f"{self.path} is being written by {error}") from None
        except OSError as error:
            raise RecordError(f"can't write {self.path}: {error.strerror}") from None
        try:
            self._open(terms)
        except BaseException:
            self.close()
            raise

    def _open(self, terms):
        try:
            lines, torn = _read(self.path)
            if len(lines) == 1 and "tournament" in lines[0]:
                lines, torn = [], 0         # no game of it was ever played: it is no other tournament's record
            elif lines:
                _compare(self.path, lines[0], terms)
                self.results = _games(self.path, lines)
            self._file = open(self.path, "ab", buffering=0)
            if torn is not None:
                self._file.truncate(torn)
        except OSError as error:
            raise RecordError(f"can't write {self.path}: {error.strerror}") from None
        if not lines:
            self._append({"tournament": terms})

    def add(self, result):
        """Append a result; it is on the disk when this returns.  False where that game is in the record already.

        WriteError where it can't be written: then nothing of it is in the file.
        """
        if any(known["id"] == result["id"] for known in self.results):
            return False
        self._append(result)
        self.results.append(result)
        return True

    def _append(self, value):
        data = json.dumps(value, separators=(",", ":")).encode() + b"\n"
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:
                data = data[self._file.write(data):]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(end)        # a full disk may have taken half of it
            raise WriteError(f"can't write {self.path}: {error.strerror}") from None

    def close(self):
        """Close the file, and let others have it."""
        if self._file is not None:
            self._file.close()
        self._lock.release()


def read_results(path):
    """The results in a record; RecordError where it is none."""
    path = pathlib.Path(path)
    if not path.exists():
        raise RecordError(f"{path}: there is no such file")
    try:
        lines, _ = _read(path)
    except OSError as error:
        raise RecordError(f"can't read {reason(error)}") from None
    if not lines or "tournament" not in lines[0]:
        raise RecordError(f"{path} is no record of a tournament")
    return _games(path, lines)


def _read(path):
    """(values of the whole lines, where a torn last line begins or None)."""
    if not path.exists():
        return [], None
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    values = []
    for number, line in enumerate(data[:whole].split(b"\n")[:-1], 1):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):        # the latter where it is nested too deep
            raise RecordError(f"{path}, line {number}: is no JSON") from None
        if not isinstance(values[-1], dict):
            raise RecordError(f"{path}, line {number}: is no game")
    return values, (whole if whole < len(data) else None)


def _games(path, values):
    """The results among the values of a record's lines, each game once."""
    seen, games = set(), []
    for number, value in enumerate(values[1:], 2):
        wrong = next((name for name, fits in _FITS.items() if name not in value or not fits(value[name], value)), None)
        if wrong is not None:
            raise RecordError(f"{path}, line {number}: is no game of a tournament (its {wrong})")
        if value["id"] not in seen:
            seen.add(value["id"])
            games.append(value)
    return games


def _is_text(value, result):
    return isinstance(value, str)


def _are_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _told_of(name):
    """Does a list hold what was told of each move after the opening?"""
    def fits(value, result):
        return (isinstance(value, list) and len(value) == len(result["moves"]) - result["opening"]
                and all(each is None or type(each) in _OF_MOVES[name] and _is_sound(each) for each in value))
    return fits


def _is_sound(value):
    """Is it a number that can be reckoned with (not NaN, as Python's JSON may have it), or a mate?"""
    return bool(_MATE.fullmatch(value)) if isinstance(value, str) else abs(value) < 1e15


# What each part of a result (job.py) has to be: name -> fits(the part, the result), whose parts above it fit.
_FITS = {
    "id": lambda value, result: isinstance(value, str) and _ID.fullmatch(value),
    "game": _is_text, "date": _is_text, "termination": _is_text, "reason": _is_text,
    "players": lambda value, result: _are_texts(value) and len(value) == 2 and value[0] != value[1],
    "result": lambda value, result: value in _RESULTS,
    "fault": lambda value, result: value is None or type(value) is int and value in (0, 1),
    "start": lambda value, result: value is None or isinstance(value, str),
    "options": lambda value, result: isinstance(value, dict),
    "moves": lambda value, result: _are_texts(value),
    "opening": lambda value, result: type(value) is int and 0 <= value <= len(result["moves"]),
    **{name: _told_of(name) for name in _OF_MOVES},
}


def _compare(path, first, terms):
    known = first.get("tournament")
    if not isinstance(known, dict):
        raise RecordError(f"{path} is no record of a tournament")
    different = sorted(name for name in set(known) | set(terms)
                       if known.get(name) != terms.get(name))
    if different:
        raise RecordError(f"{path} is the record of another tournament (different: {', '.join(different)}); "
                          "name another file with --record")
