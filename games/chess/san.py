"""Standard algebraic notation (SAN: PGN standard, section 8.2.3) and its common variants.

The reader also accepts long algebraic notation, figurines, dots before a move (left over from its
number), `Pe4`, `a8(Q)`, `e.p.`, and dashes of any kind.  It rejects ambiguous moves.
"""

from __future__ import annotations

import re

from games.base import MoveError
from games.chess.tables import (
    DROP,
    FROM_TO,
    LETTERS,
    PAWN,
    PROMOTION_SHIFT,
    SQUARE_NAMES,
    castling_targets,
    is_castling,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

_SAN = re.compile(
    r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h])([1-8])"
    r"(?:[=/]?\(?([QRBNKqrbnk])\)?)?(?:e\.?p\.?)?[+#!?\u2020\u2021]*"
)
_CASTLING = re.compile(r"[O0o](-?)[O0o](\1[O0o])?[+#!?\u2020\u2021]*")
_FIGURINES = {
    **dict(enumerate(2 * ["K", "Q", "R", "B", "N", ""], 0x2654)),
    **dict.fromkeys((0xFE0E, 0xFE0F), ""),
    **dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-"),
    0xD7: "x",
}
_MAX_LENGTH = 20  # characters of a move


def read(position: ChessPosition, text: str) -> int:
    """Return the legal move that a text in SAN or long algebraic notation means.

    Raises MoveError if no legal move fits, or more than one.
    """
    word = text.strip()
    if "@" in word:
        return position.parse_move(word if word[0] != "@" else "P" + word)
    match = _SAN.fullmatch(word)
    if match is None:
        word = word[: _MAX_LENGTH + 1].translate(_FIGURINES).lstrip(".\u2026").removeprefix("P")
        castling = _CASTLING.fullmatch(word)
        if castling is not None:
            return position.parse_move("O-O" if castling[2] is None else "O-O-O")
        match = _SAN.fullmatch(word)
    if match is None:
        raise MoveError(text, "is not a move")
    if not match[1] and match[2] and match[3]:  # only squares, such as e2e4
        return position.parse_move(word.rstrip("+#!?"))
    piece, column, row, to_column, to_row, promotion = match.groups()
    to = SQUARE_NAMES.index(to_column + to_row)
    column = column or ("" if piece else to_column)  # a pawn that captures names its file
    moves = [
        move
        for move in position.moves_to(to, piece or "P")
        if SQUARE_NAMES[move & 63][0] in (column or "abcdefgh")
        and SQUARE_NAMES[move & 63][1] in (row or "12345678")
        and LETTERS[move >> PROMOTION_SHIFT & 7] == (promotion or ".").upper()
    ]
    if not moves and piece == "K":  # castling, written as the move of the king
        castling_moves = filter(is_castling, position.playable_moves())
        moves = [move for move in castling_moves if castling_targets(*FROM_TO[move])[0] == to]
    if len(moves) == 1:
        return moves[0]
    raise MoveError(text, "fits more than one move" if moves else "is not a legal move here")


def write(position: ChessPosition, move: int) -> str:
    """Return the SAN of a legal move; leave `position` unchanged."""
    start, to = move & 63, move >> 6 & 63
    board, promotion = position.squares, move >> PROMOTION_SHIFT & 7
    if not move:
        return position.move_text(move)
    if move & DROP == DROP:
        words = position.move_text(move).lstrip("P")
    elif is_castling(move):
        words = "O-O" if to > start else "O-O-O"
    elif board[start] & 7 == PAWN:
        takes = SQUARE_NAMES[start][0] + "x" if (start ^ to) & 7 else ""
        words = takes + SQUARE_NAMES[to] + ("=" + LETTERS[promotion] if promotion else "")
    else:
        takes = "x" if board[to] else ""
        words = LETTERS[board[start] & 7] + _difference(position, move) + takes + SQUARE_NAMES[to]
    position.make(move)
    if position.decided():
        words += "#"
    elif position.in_check():
        words += "+"
    position.undo()
    return words


def _difference(position: ChessPosition, move: int) -> str:
    """Return the file, rank or square that distinguishes the moving piece in SAN.

    "" if no other piece of its kind can move to the same square.
    """
    start, to = move & 63, move >> 6 & 63
    piece = position.squares[start]
    if list(position.pieces[position.side].values()).count(piece) == 1:
        return ""
    same = position.moves_to(to, LETTERS[piece & 7])
    others = [other & 63 for other in same if other != move]
    if not others:
        return ""
    name = SQUARE_NAMES[start]
    if all((other ^ start) & 7 for other in others):
        return name[0]
    return name[1] if all((other ^ start) >> 3 for other in others) else name
