"""Moves as people write them.

In chess that is standard algebraic notation (SAN: PGN standard, section 8.2.3), read
and written; in other games the canonical text.
"""
from __future__ import annotations

import re

from games.base import MoveError
from games.grid import board_of, read_square
from protocol.moves import canonical, read, variation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.base import Position
    from games.types import Cell

_SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])"
                  r"(?:=?\(?([QRBNqrbn])\)?)?(?:e\.?p\.?)?")
_SMALL_PIECES = ("k", "q", "r", "b", "n")
_CASTLING = {"O-O": True, "0-0": True, "O-O-O": False, "0-0-0": False}


class _Squares:
    """A move by its squares.

    start, target: (column, row).  piece: the mover's letter.  promotion: what a pawn
    becomes.
    castles, takes: is it castling, a capture?
    """

    def __init__(self, rows: Sequence[Sequence[str]], text: str) -> None:
        self.start: Cell = read_square(text[:2], 8, 8)
        self.target: Cell = read_square(text[2:4], 8, 8)
        mover = rows[self.start[1]][self.start[0]]
        captured = rows[self.target[1]][self.target[0]]
        self.piece, self.promotion = mover.upper(), text[4:].upper()
        own = captured != "." and captured.isupper() == mover.isupper()
        files = abs(self.start[0] - self.target[0])
        self.castles = self.piece == "K" and (own or files == 2)
        en_passant = self.piece == "P" and files > 0
        self.takes = not self.castles and (captured != "." or en_passant)


def squares(position: Position, move: int) -> tuple[Cell, Cell]:
    """((column, row) where a move starts, (column, row) where it ends)."""
    found = _Squares(board_of(position), position.move_text(move))
    return found.start, found.target


def write_san(position: Position, move: int) -> str:
    """The text of a legal move; `position` is left as it was."""
    rows, text = board_of(position), position.move_text(move)
    mine = _Squares(rows, text)
    if mine.castles:
        words = "O-O" if mine.target[0] > mine.start[0] else "O-O-O"
    else:
        words = "" if mine.piece == "P" else mine.piece + _difference(position, rows, move, mine)
        if mine.takes:
            words += (text[0] if mine.piece == "P" else "") + "x"
        words += text[2:4] + (f"={mine.promotion}" if mine.promotion else "")
    position.make(move)
    if position.in_check():
        words += "+" if position.playable_moves() else "#"
    position.undo()
    return words


def _difference(position: Position, rows: Sequence[Sequence[str]], move: int,
                mine: _Squares) -> str:
    """File, rank or both, where another piece of the kind can go to the same square."""
    others, own = [], str(position.move_text(move))
    for other in position.playable_moves():
        text = position.move_text(other)
        if other != move and text[2:4] == own[2:4]:
            found = _Squares(rows, text)
            if found.piece == mine.piece and not found.castles:
                others.append(found.start)
    if not others:
        return ""
    name = own[:2]
    if all(column != mine.start[0] for column, _ in others):
        return name[0]
    return name[1] if all(row != mine.start[1] for _, row in others) else name


def read_san(position: Position, text: str) -> int:
    """The legal move of a text in standard or long algebraic notation.

    MoveError where it is none or ambiguous.
    """
    word = text.strip().rstrip("+#!?")
    castling = _CASTLING.get(word.upper())
    pattern = _SAN.fullmatch(word)
    if castling is None and (pattern is None or _is_long(pattern)):
        return position.parse_move(text)
    rows, found = board_of(position), []
    for move in position.playable_moves():
        candidate = _Squares(rows, position.move_text(move))
        if pattern is not None:
            if _fits(candidate, pattern):
                found.append(move)
        elif candidate.castles and (candidate.target[0] > candidate.start[0]) == castling:
            return move
    if len(found) == 1:
        return found[0]
    raise MoveError(text, "fits more than one move" if found else "is not a legal move here")


def _is_long(pattern: re.Match[str]) -> bool:
    """Is it squares alone: `e2e4`, `e7-e8=Q`?"""
    return not pattern.group(1) and bool(pattern.group(2) and pattern.group(3))


def _fits(move: _Squares, pattern: re.Match[str]) -> bool:
    piece, column, row, target, promotion = pattern.groups()
    return (not move.castles and read_square(target, 8, 8) == move.target
            and (piece or "P") == move.piece
            and (column is None or "abcdefgh".index(column) == move.start[0])
            and (row is None or int(row) - 1 == move.start[1])
            and (promotion or "").upper() == move.promotion)


# ---- in every game -------------------------------------------------------------------


def move_words(position: Position, move: int) -> str:
    """The move as the field writes it: SAN in chess, else the canonical text."""
    write = write_san if position.game.san else canonical
    return write(position, move)


def read_any_move(position: Position, text: str, typed: bool = False) -> int:
    """The legal move of a text in any protocol's notation, in chess in SAN too; MoveError.

    typed: a person wrote it, who may have written a piece small: `nf3`.
    """
    if not position.game.san:
        return read(position, text)
    try:
        return read_san(position, text)
    except MoveError:
        if not typed or text[:1] not in _SMALL_PIECES:
            raise
    # Only now: bc4 may have been a pawn's move.
    return read_san(position, text[0].upper() + text[1:])


def line_text(position: Position, line: Iterable[int]) -> str:
    """A line of moves from `position` on, which is left as it was."""
    if position.game.san:
        return " ".join(line_words(position, line))
    return " ".join(variation(position, line, canonical))


def line_words(position: Position, line: Iterable[int]) -> list[str]:
    """A line of chess moves in SAN with its numbers, from `position` on, left as it was."""
    words, played = [], 0
    for move in line:
        words += move_number(position, follows=played > 0) + [write_san(position, move)]
        position.make(move)
        played += 1
    for _ in range(played):
        position.undo()
    return words


def move_number(position: Position, follows: bool) -> list[str]:
    """[the number of the next chess move], [] where none is due; follows: White's move is shown."""
    number = position.text().split()[5]
    if position.side == 0:
        return [f"{number}."]
    return [] if follows else [f"{number}..."]
