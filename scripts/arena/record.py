"""The record of a tournament: JSON lines, the first one its terms, then one a finished game.

A line is on the disk before the next game is counted (flush and fsync).  A run that was killed while it wrote may
leave half a line: that one is cut off and its game is played again.
"""
from __future__ import annotations

import json
import os
import pathlib


class RecordError(Exception):
    """A record that can't be used, in words."""


class Record:
    """The record at `path` of a tournament with these `terms` (plain data); made where there is none.

    results: those of the games played so far.
    RecordError where the file belongs to another tournament.
    """

    def __init__(self, path, terms):
        self.path = pathlib.Path(path)
        self.results = []
        terms = json.loads(json.dumps(terms))
        try:
            lines, torn = _read(self.path)
            if len(lines) == 1 and "tournament" in lines[0]:
                lines, torn = [], 0         # no game of it was ever played: it is no other tournament's record
            elif lines:
                _compare(self.path, lines[0], terms)
                self.results = _games(lines[1:])
            self._file = open(self.path, "ab")
            if torn is not None:
                self._file.truncate(torn)
            if not lines:
                self._append({"tournament": terms})
        except OSError as error:
            raise RecordError(f"can't write {self.path}: {error.strerror}") from None

    def add(self, result):
        """Append a result; it is on the disk when this returns.  False where that game is in the record already."""
        if any(known["id"] == result["id"] for known in self.results):
            return False
        self._append(result)
        self.results.append(result)
        return True

    def _append(self, value):
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self):
        """Close the file."""
        self._file.close()


def read_results(path):
    """The results in a record; RecordError where it is none."""
    try:
        lines, _ = _read(pathlib.Path(path))
    except OSError as error:
        raise RecordError(f"can't read {path}: {error.strerror}") from None
    if not lines or "tournament" not in lines[0]:
        raise RecordError(f"{path} is no record of a tournament")
    return _games(lines[1:])


def _read(path):
    """(values of the whole lines, where a torn last line begins or None)."""
    if not path.exists():
        return [], None
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    values = []
    for number, line in enumerate(data[:whole].splitlines(), 1):
        try:
            values.append(json.loads(line))
        except ValueError:
            raise RecordError(f"{path}, line {number}: is no JSON") from None
        if not isinstance(values[-1], dict):
            raise RecordError(f"{path}, line {number}: is no game")
    return values, (whole if whole < len(data) else None)


def _games(values):
    seen, games = set(), []
    for value in values:
        if value.get("id") not in seen:
            seen.add(value.get("id"))
            games.append(value)
    return games


def _compare(path, first, terms):
    known = first.get("tournament")
    if not isinstance(known, dict):
        raise RecordError(f"{path} is no record of a tournament")
    different = sorted(name for name in set(known) | set(terms)
                       if known.get(name) != terms.get(name))
    if different:
        raise RecordError(f"{path} is the record of another tournament (different: {', '.join(different)}); "
                          "name another file with --record")
