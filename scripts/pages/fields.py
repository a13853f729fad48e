"""Checked fields of a command's JSON, which may contain anything."""

from __future__ import annotations

from typing import Any

from games.looks import HOLE
from protocol.records.json_lines import from_plain
from protocol.records.record import Record

# The JSON object of a command.
Body = dict[str, Any]
# Maximum number of characters of a position's text.
LONGEST_TEXT = 20_000
# The fields that describe a game, as in protocol/records/json_lines.py.
_PARTS = "game options start moves line players result tags comment said".split()


class Wrong(Exception):
    """Raised if a command is invalid; the message is for the user of the page."""


def text(body: Body, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
    """Return a string field; raise Wrong if it isn't a string, or is longer than `longest`."""
    value = body.get(name, default)
    if not isinstance(value, str) or len(value) > longest:
        raise Wrong(f"{name} must be a string of at most {longest} characters")
    return value


def number(body: Body, name: str, low: float, high: float) -> float | None:
    """Return a finite number from low to high, or None if it is absent."""
    value: float | None = body.get(name)
    # NaN isn't in any range
    if value is not None and not (type(value) in (int, float) and low <= value <= high):
        raise Wrong(f"{name} must be a number from {low} to {high}")
    return value


def count(body: Body, name: str, low: int, high: int) -> int | None:
    """Return a whole number from low to high, or None if it is absent."""
    value = number(body, name, low, high)
    if value is not None and value != int(value):
        raise Wrong(f"{name} must be a whole number")
    return None if value is None else int(value)


def record(body: Body) -> Record:
    """Return the Record of a command's game.

    Raise RecordError if any part of it is invalid, Wrong if the game lacks an option that is set.
    """
    given = from_plain({name: body.get(name) for name in _PARTS}).complete()
    known = {option.name.lower() for option in given.start.game.options}
    for name in body.get("options") or {}:
        if name.lower() not in known:
            raise Wrong(f'{given.start.game.name} has no option "{name}"')
    return given


def rows(body: Body) -> list[Any]:
    """Return the rows of an edited board: lists of texts; strings if each text is one character."""
    given = body.get("rows")
    if (
        not isinstance(given, list)
        or not 0 < len(given) <= 26
        or not all(isinstance(row, (str, list)) and 0 < len(row) <= 26 for row in given)
        or len(set(map(len, given))) > 1
        or not all(cell is None or isinstance(cell, str) for row in given for cell in row)
    ):
        raise Wrong("rows must be 1 to 26 lists of the same length, of 1 to 26 strings or nulls")
    texts = [[HOLE if cell is None else cell or "." for cell in row] for row in given]
    wide = any(len(cell) > 1 for row in texts for cell in row)
    return [row if wide else "".join(row) for row in texts]
