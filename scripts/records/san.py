"""Standard algebraic notation of chess moves, both ways (PGN standard, section 8.2.3)."""
from __future__ import annotations

import re

from games.base import MoveError
from games.grid import read_square

_SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?\(?([QRBNqrbn])\)?)?(?:e\.?p\.?)?")
_CASTLING = {"O-O": True, "0-0": True, "O-O-O": False, "0-0-0": False}


class _Squares:
    """A move by its squares: (column, row) of start and target, the mover's letter, what a pawn becomes."""

    def __init__(self, rows, text):
        self.start, self.target = read_square(text[:2], 8, 8), read_square(text[2:4], 8, 8)
        self.piece = rows[self.start[1]][self.start[0]].upper()
        self.captured = rows[self.target[1]][self.target[0]]
        self.promotion = text[4:].upper()
        own = self.captured != "." and self.captured.isupper() == rows[self.start[1]][self.start[0]].isupper()
        self.castles = self.piece == "K" and (own or abs(self.start[0] - self.target[0]) == 2)
        self.takes = not self.castles and (self.captured != "." or
                                           self.piece == "P" and self.start[0] != self.target[0])


def squares(position, move):
    """((column, row) where a move starts, (column, row) where it ends)."""
    found = _Squares(position.board(), position.move_text(move))
    return found.start, found.target


def write_san(position, move):
    """The text of a legal move; `position` is left as it was."""
    rows = position.board()
    mine, text = _Squares(rows, position.move_text(move)), position.move_text(move)
    if mine.castles:
        words = "O-O" if mine.target[0] > mine.start[0] else "O-O-O"
    else:
        words = "" if mine.piece == "P" else mine.piece + _difference(position, rows, move, mine)
        if mine.takes:
            words += (text[0] if mine.piece == "P" else "") + "x"
        words += text[2:4] + (f"={mine.promotion}" if mine.promotion else "")
    position.make(move)
    if position.in_check():
        words += "+" if position.unchecked_legal_moves() else "#"
    position.undo()
    return words


def _difference(position, rows, move, mine):
    """File, rank or both, where another piece of the kind can go to the same square."""
    others = []
    for other in position.playable_moves():
        text = position.move_text(other)
        if other != move and text[2:4] == position.move_text(move)[2:4]:
            found = _Squares(rows, text)
            if found.piece == mine.piece and not found.castles:
                others.append(found.start)
    if not others:
        return ""
    name = position.move_text(move)[:2]
    if all(column != mine.start[0] for column, _ in others):
        return name[0]
    return name[1] if all(row != mine.start[1] for _, row in others) else name


def read_san(position, text):
    """The legal move of a text in standard or long algebraic notation; MoveError where it is none or ambiguous."""
    word = text.strip().rstrip("+#!?")
    castling = _CASTLING.get(word.upper().replace("o", "O"))
    pattern = _SAN.fullmatch(word)
    if castling is None and (pattern is None or not pattern.group(1) and pattern.group(2) and pattern.group(3)):
        return position.parse_move(text)        # squares alone: e2e4, e7-e8=Q
    rows, found = position.board(), []
    for move in position.playable_moves():
        squares_of = _Squares(rows, position.move_text(move))
        if castling is not None:
            if squares_of.castles and (squares_of.target[0] > squares_of.start[0]) == castling:
                return move
        elif _fits(squares_of, pattern):
            found.append(move)
    if len(found) == 1:
        return found[0]
    raise MoveError(text, "fits more than one move" if found else "is not a legal move here")


def _fits(move, pattern):
    piece, column, row, target, promotion = pattern.groups()
    return (not move.castles and read_square(target, 8, 8) == move.target
            and (piece or "P") == move.piece
            and (column is None or "abcdefgh".index(column) == move.start[0])
            and (row is None or int(row) - 1 == move.start[1])
            and (promotion or "").upper() == move.promotion)
