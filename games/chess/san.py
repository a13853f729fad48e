"""Standard algebraic notation (SAN: PGN standard, section 8.2.3) and its common variants.

The reader also accepts long algebraic notation, figurines, dots before a move (left over from its
number), `Pe4`, `a8(Q)`, `e.p.`, and dashes of any kind.  It rejects ambiguous moves.
"""

from __future__ import annotations

import re

from games.base import MoveError
from games.chess.tables import (
    BLACK,
    COMMONER,
    DROP,
    EN_PASSANT,
    KING,
    LETTERS,
    NOWHERE,
    PAWN,
    PROMOTION_SHIFT,
    PSEUDO_ATTACKS,
    RAY_THROUGH,
    is_castling,
    square_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

_SAN = re.compile(
    r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h])([1-8])"
    r"(?:[=/]?\(?([QRBNKqrbnk])\)?)?(?:e\.?p\.?)?[+#!?\u2020\u2021]*"
)
_CASTLING = re.compile(r"[O0o](-?)[O0o](\1[O0o])?[+#!?\u2020\u2021]*")
_FIGURINES = str.maketrans(
    {
        **{
            0x2654 + index: letter for index, letter in enumerate(2 * ["K", "Q", "R", "B", "N", ""])
        },
        0xFE0E: "",
        0xFE0F: "",
        0xD7: "x",
        **dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-"),
    }
)
_MAX_LENGTH = 20  # characters of a move


def read(position: ChessPosition, text: str) -> int:
    """Return the legal move that a text in SAN or long algebraic notation means.

    Raises MoveError if no legal move fits, or more than one.
    """
    word = text.strip()
    if "@" in word:
        return position.parse_move(word if word[0] != "@" else "P" + word)
    found = _SAN.fullmatch(word)
    if found is None:
        word = word[: _MAX_LENGTH + 1].translate(_FIGURINES).lstrip(".\u2026")
        if word[:1] == "P":
            word = word[1:]
        castling = _CASTLING.fullmatch(word)
        if castling is not None:
            return position.parse_move("O-O" if castling[2] is None else "O-O-O")
        found = _SAN.fullmatch(word)
    if found is None:
        raise MoveError(text, "is not a move")
    if not found[1] and found[2] and found[3]:  # only squares, such as e2e4
        return position.parse_move(word.rstrip("+#!?"))
    piece, column, row, to_column, to_row, promotion = found.groups()
    to = "abcdefgh".index(to_column) + 8 * int(to_row) - 8
    kind = _kind_of(position, promotion.upper()) if promotion else 0
    moves = _moves_to(
        position,
        _kind_of(position, piece or "P"),
        to,
        kind,
        -1 if column is None else "abcdefgh".index(column),
        -1 if row is None else int(row) - 1,
    )
    moves = [move for move in moves if position.mover.is_legal(position.side, move)]
    if len(moves) == 1:
        return moves[0]
    raise MoveError(text, "fits more than one move" if moves else "is not a legal move here")


def _kind_of(position: ChessPosition, letter: str) -> int:
    """Return the kind of piece that a letter means; K is a commoner if the side has no king."""
    kind = LETTERS.index(letter)
    return COMMONER if kind == KING and position.kings[position.side] == NOWHERE else kind


def _moves_to(
    position: ChessPosition, kind: int, to: int, promotion: int = 0, column: int = -1, row: int = -1
) -> list[int]:
    """Return the pseudo-legal moves of the pieces of a kind to the square `to`.

    promotion: the kind promoted to, else 0.  column, row: of the start square; -1 for any.
    """
    board, side = position.squares, position.side
    taken = board[to]
    if taken and taken >> 3 == side or taken & 7 == KING:
        return []
    if kind == PAWN:
        return _pawn_moves_to(position, to, promotion, column, row)
    piece, found = kind + BLACK * side, []
    reach = position.tables.get("PSEUDO_ATTACKS", PSEUDO_ATTACKS)[piece]
    if promotion:
        return []
    for square, other in position.pieces[side].items():
        if (
            other == piece
            and reach[square][to]
            and column in (-1, square & 7)
            and row in (-1, square >> 3)
        ):
            for between in RAY_THROUGH[square][to] if kind not in (2, KING) else ():
                if between == to:
                    break
                if board[between]:
                    square = -1
                    break
            if square >= 0:
                found.append(position.full_move(to << 6 | square))
    return found


def _pawn_moves_to(
    position: ChessPosition, to: int, promotion: int, column: int, row: int
) -> list[int]:
    board, side = position.squares, position.side
    pawn, ahead = PAWN + BLACK * side, -8 if side else 8
    start = to - ahead
    extra = promotion << PROMOTION_SHIFT
    if (to >> 3 in (0, 7)) != bool(promotion) or not 0 <= start < 64:
        return []
    if column in (-1, to & 7):
        if board[to]:
            return []
        # A push by two squares, which in Horde may also start from the first rank.
        if not board[start] and to >> 3 in ((4, 5) if side else (2, 3)):
            start -= ahead
    else:
        start += column - (to & 7)
        if abs(column - (to & 7)) != 1 or not board[to] and to != position.ep:
            return []
        extra |= 0 if board[to] else EN_PASSANT
    if board[start] != pawn or row not in (-1, start >> 3):
        return []
    return [position.full_move(extra | to << 6 | start)]


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
        takes = square_name(start)[0] + "x" if (start ^ to) & 7 else ""
        words = takes + square_name(to) + ("=" + LETTERS[promotion] if promotion else "")
    else:
        takes = "x" if board[to] else ""
        words = LETTERS[board[start] & 7] + _difference(position, move) + takes + square_name(to)
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
    kind = position.squares[start] & 7
    others = [
        other & 63
        for other in _moves_to(position, kind, to)
        if other != move and position.mover.is_legal(position.side, other)
    ]
    if not others:
        return ""
    name = square_name(start)
    if all((other ^ start) & 7 for other in others):
        return name[0]
    return name[1] if all((other ^ start) >> 3 for other in others) else name
