"""The names of squares and the notations of moves: USI, Western, and that of Japanese records."""

from __future__ import annotations

from games.base import MoveError
from games.shogi.tables import (
    DROP,
    FROM_TO,
    FROM_TO_MASK,
    KING,
    LETTERS,
    PROMOTE,
    TO_SHIFT,
    letters_of,
)
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.shogi.position import ShogiPosition
    from games.types import Cell

_ROWS = "abcdefghi"
_FILES = "１２３４５６７８９"
_RANKS = "一二三四五六七八九"
# By piece of Black: its characters in records.
KANJI = (
    *("", "歩", "香", "桂", "銀", "角", "飛", "金", "玉"),
    *("と", "成香", "成桂", "成銀", "馬", "竜", ""),
)


class ShogiSquares(Squares):
    """Names such as 7f: the file from the right, then the row from the top."""

    @property
    def column_labels(self) -> Sequence[str]:
        return "987654321"[-self.columns :]

    @property
    def row_labels(self) -> Sequence[str]:
        return _ROWS[: self.rows][::-1]

    def name(self, cell: Cell) -> str:
        column, row = cell
        return self.column_labels[column] + self.row_labels[row]


def square_name(position: ShogiPosition, square: int) -> str:
    """Return the name of a square."""
    return position.squares_named.name(position.cell(square))


def usi(position: ShogiPosition, move: int) -> str:
    """Return a move in USI's notation: 7g7f, 8h2b+, P*5e."""
    start, to = FROM_TO[move & FROM_TO_MASK]
    if start >= DROP:
        return f"{LETTERS[start - DROP]}*{square_name(position, to)}"
    return square_name(position, start) + square_name(position, to) + "+" * (move >= PROMOTE)


def fairy(position: ShogiPosition, move: int) -> str:
    """Return a move in Fairy-Stockfish's notation, in which the lower left corner is a1: c3c4."""
    names = Squares(position.game.size, position.game.size)
    start, to = FROM_TO[move & FROM_TO_MASK]
    name = names.name(position.cell(to))
    if start >= DROP:
        return f"{LETTERS[start - DROP]}@{name}"
    return names.name(position.cell(start)) + name + "+" * (move >= PROMOTE)


def read(position: ShogiPosition, text: str) -> int:
    """Return the move of a text of usi() or fairy(), legal or not; -1 if it is neither.

    `=` after a move, as some write, means that the piece isn't promoted.
    """
    first, mark = text[:2], text[4:]
    if mark not in ("", "+", "="):
        return -1
    size = position.game.size
    for names in (position.squares_named, Squares(size, size)):
        try:
            to = position.square(names.read(text[2:4]))
            if first[1:] in ("*", "@"):
                kind = LETTERS.find(first[0].upper())
                return to << TO_SHIFT | DROP + kind if 0 < kind < KING and not mark else -1
            start = position.square(names.read(first))
        except MoveError:
            continue
        return start | to << TO_SHIFT | PROMOTE * (mark == "+")
    return -1


def western(position: ShogiPosition, move: int) -> str:
    """Return a legal move in Western notation: P-7f, Bx2b+, Sx7g=, N*4e, G6i-5h."""
    start, to = FROM_TO[move & FROM_TO_MASK]
    name = square_name(position, to)
    if start >= DROP:
        return f"{LETTERS[start - DROP]}*{name}"
    origin = square_name(position, start) if _ambiguous(position, move) else ""
    sign = "x" if position.squares[to] else "-"
    return f"{letters_of(position.squares[start] & 15)}{origin}{sign}{name}{_mark(position, move)}"


def _mark(position: ShogiPosition, move: int, yes: str = "+", no: str = "=") -> str:
    """Return the mark of a promotion, or of one that was possible."""
    if move & PROMOTE:
        return yes
    start, to = FROM_TO[move & FROM_TO_MASK]
    promoting = start < DROP and position.geometry.promotions[position.squares[start]][start]
    return no if promoting and promoting >> to & 1 else ""


def _ambiguous(position: ShogiPosition, move: int) -> bool:
    """Can another piece of the same kind go to the same square?"""
    start, to = FROM_TO[move & FROM_TO_MASK]
    piece = start - DROP if start >= DROP else position.squares[start] & 15
    return any(
        position.squares[other] & 15 == piece
        for other, target in (FROM_TO[other & FROM_TO_MASK] for other in position.playable_moves())
        if target == to and other != start and other < DROP
    )


def kif(position: ShogiPosition, move: int) -> str:
    """Return a legal move as Japanese records show it: ▲７六歩, △２二角成, ▲同銀, △５五歩打.

    If another piece of the kind can go to the same square, the origin follows: ▲５八金(69).
    """
    start, to = FROM_TO[move & FROM_TO_MASK]
    column, row = position.cell(to)
    size = position.game.size
    where = _FILES[size - 1 - column] + _RANKS[size - 1 - row]
    last = position.undo_stack[-1][0] if position.undo_stack else 0
    if last and last >> TO_SHIFT & 127 == to:
        where = "同"
    text = "▲△"[position.side] + where
    if start >= DROP:
        return text + KANJI[start - DROP] + "打" * _ambiguous(position, move)
    text += KANJI[position.squares[start] & 15] + _mark(position, move, "成", "不成")
    if _ambiguous(position, move):
        column, row = position.cell(start)
        text += f"({size - column}{size - row})"
    return text
