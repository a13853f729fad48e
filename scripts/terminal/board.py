"""The board in the terminal: coordinates, the last move marked, colour where there is any."""
from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, TextIO

from games.grid import LETTERS, cell_width, picture

if TYPE_CHECKING:
    from games.base import Position
    from games.types import Cell

_PLAYERS = ("\x1b[1;33m", "\x1b[1;36m")     # of the two players' pieces
_MARK = "\x1b[7m"                           # the last move
_FAINT = "\x1b[2m"                          # empty cells and coordinates
_RESET = "\x1b[0m"


def has_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Does the terminal show colours, and does nobody mind?  (https://no-color.org)"""
    return bool(stream.isatty() and not environment.get("NO_COLOR")
                and environment.get("TERM", "dumb") != "dumb")


def draw(position: Position, marked: Collection[Cell] = (), colour: bool = False,
         numbered: bool = False) -> list[str]:
    """The lines of the board; without one, of the game's own picture or the position's text.

    marked: cells that stand out, in brackets without colour.  numbered: columns are
    called 1, 2, ... and not a, b, ...
    """
    board = position.board()
    if not board or position.picture() is not None:
        return picture(position) + position.notes()
    paint, wide = _painted if colour else _plain, cell_width(board)
    names = [str(column + 1) if numbered else LETTERS[column] for column in range(len(board[0]))]
    width = len(str(len(board)))
    header = _shade(" " * (width + 1) + "".join(f" {name:>{wide}} " for name in names), colour)
    rows = []
    for row, line in enumerate(board):
        cells = "".join(paint(f"{cell:>{wide}}", (column, row) in marked)
                        for column, cell in enumerate(line))
        label = "" if numbered else str(row + 1)
        rows.append(_shade(f"{label:>{width}} ", colour) + cells)
    if position.game.rank_one_on_top:
        return [header] + rows + position.notes()
    return rows[::-1] + [header] + position.notes()


def _plain(cell: str, marked: bool) -> str:
    return f"[{cell}]" if marked else f" {cell} "


def _painted(cell: str, marked: bool) -> str:
    piece = cell.strip()
    if piece == ".":
        return f"{_MARK if marked else _FAINT} {cell} {_RESET}"
    second = piece == "O" or piece.islower()
    return f"{_PLAYERS[second]}{_MARK if marked else ''} {cell} {_RESET}"


def _shade(text: str, colour: bool) -> str:
    return f"{_FAINT}{text}{_RESET}" if colour else text


def by_columns(position: Position) -> bool:
    """Are moves here numbers of columns (Connect Four)?"""
    legal = position.legal_moves()
    return bool(legal) and bool(position.board()) and all(
        position.placement(move) is not None and position.move_text(move).isdigit()
        for move in legal)
