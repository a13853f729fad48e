"""The position text: rows from the top, `/` between them, `x`, `o` and decimal runs of empty cells, then the side."""
from __future__ import annotations

from games.base import PositionError
from games.gomoku.position import Position
from games.grid import read_rows, split_text
from games.options import BOARD_SIZE

_CELLS = {"x": 0, "X": 0, "o": 1, "O": 1, ".": None, "-": None}
_MEANT = {char: "." if player is None else "XO"[player] for char, player in _CELLS.items()}
_SIDES = {"x": 0, "o": 1}


def read_position(game, text):
    """The position of a text; PositionError where it is malformed or could not have come about by turns."""
    rows, rest = split_text(text)
    size = len(rows)
    if not BOARD_SIZE.low <= size <= BOARD_SIZE.high:
        raise PositionError(text, f"a board must have {BOARD_SIZE.low} to {BOARD_SIZE.high} rows, not {size}")
    lines = read_rows(rows, size, _MEANT, text)
    side = _read_side(rest, text)
    stones = [_cells_with(lines[::-1], mark) for mark in "XO"]
    _check_counts(len(stones[0]), len(stones[1]), side, text)
    position = Position(game, size)
    position.set_up(stones, side)
    if position.won_by(0) and position.won_by(1):
        raise PositionError(text, "both players have five in a row")
    return position


def _read_side(words, text):
    if not words or words[0].lower() not in _SIDES:
        raise PositionError(text, "the side to move, x or o, is missing")
    if len(words) > 1:
        raise PositionError(" ".join(words[1:]), "is more than a position has")
    return _SIDES[words[0].lower()]


def _cells_with(lines, mark):
    """The cells (rank 1 first) that hold `mark`."""
    return [cell for cell, char in enumerate("".join(lines)) if char == mark]


def _check_counts(first, second, side, text):
    if first - second != side:
        wanted = "as many stones as o" if side == 0 else "one stone more than o"
        raise PositionError(text, f"with {'xo'[side]} to move x must have {wanted}, not {first} against {second}")
