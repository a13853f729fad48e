"""Squares, pieces and moves as ints, and the lookup tables of the board's geometry.

Squares are 0..63: a1 = 0, b1 = 1, h8 = 63; 64 is the square of a king that is not on the board.
A piece is its kind (1..7), plus 8 for Black; 0 is an empty square.  A commoner, a piece of
variants, moves like a king but can't be checked.  Sides are 0 (White) and 1 (Black).  A bitboard
has the bit 1 << square set for each of its squares.

A move is an int:   bits 0-5   from
                    bits 6-11  to; castling goes from the king's to the rook's square
                    bits 12-14 the kind that a pawn is promoted to, else 0
                    bit  15    en passant
                    bit  16    castling

A move with any of the bits from 12 on is special: more than a piece that goes from square to
square.  Variants also set bit 15 in special moves of their own, and both bits 15 and 16 in drops.
"""

from __future__ import annotations

from games.keys import random_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    Row = TypeVar("Row")

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, COMMONER = range(1, 8)
BLACK = 8  # a black piece is its kind plus this
LETTERS = ".PNBRQKK.pnbrqkk"  # the letter of each piece
PIECE_VALUES = 0, 100, 320, 330, 500, 950, 0, 300  # centipawns of each kind
NOWHERE = 64

PROMOTION_SHIFT = 12
EN_PASSANT = 1 << 15
CASTLING = 1 << 16
DROP = CASTLING | EN_PASSANT  # both bits: the drop of a piece in hand, in variants
PLANNED = EN_PASSANT  # variants set this bit in a move to make it special
MOVE_MASK = (1 << 20) - 1  # the bits above may hold an ordering score

_ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_KNIGHT_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

# FROM_TO[move]: (from, to).  PLAIN_MOVE[from][to]: the move.  On CPython a look-up is
# faster than computing them.
FROM_TO = [(start, to) for to in range(64) for start in range(64)] * (2 * CASTLING >> 12)
PLAIN_MOVE = [list(range(start, 64 << 6, 1 << 6)) for start in range(64)]
BITS = [1 << square for square in range(64)]


def bitboard(squares: Iterable[int]) -> int:
    """Return the bitboard of `squares`, which must be distinct."""
    return sum([BITS[square] for square in squares])


# ---- attacks on the empty board ------------------------------------------------------


# _STEPS[change][coordinate]: number of steps of size `change` to the edge of the board.
_STEPS = {
    change: [(7 - at if change > 0 else at) // abs(change) if change else 7 for at in range(8)]
    for change in (-2, -1, 0, 1, 2)
}


def _walk(square: int, step: tuple[int, int], limit: int = 7) -> tuple[int, ...]:
    """Return up to `limit` squares from `square` (excluded) in direction `step`, nearest first."""
    file, rank = step
    count = min(_STEPS[file][square & 7], _STEPS[rank][square >> 3], limit)
    offset = file + 8 * rank
    return tuple(range(square + offset, square + offset * (count + 1), offset))


def _rays(steps: Iterable[tuple[int, int]]) -> list[tuple[tuple[int, ...], ...]]:
    return [
        tuple(ray for ray in (_walk(square, step) for step in steps) if ray) for square in range(64)
    ]


def _leaps(steps: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    return [tuple(to for step in steps for to in _walk(square, step, 1)) for square in range(64)]


# ROOK_RAYS[square], BISHOP_RAYS[square]: the rays of a slider, nearest squares first.
# LEAPS[piece][square]: the target squares of a knight, king or commoner; empty for other pieces.
ROOK_RAYS, BISHOP_RAYS = _rays(_ORTHOGONAL), _rays(_DIAGONAL)
KNIGHT_LEAPS, KING_LEAPS = _leaps(_KNIGHT_JUMPS), _leaps(_ORTHOGONAL + _DIAGONAL)
LEAPS: list[list[tuple[int, ...]]] = [[], [], KNIGHT_LEAPS, [], [], [], KING_LEAPS, KING_LEAPS] * 2

# PAWN_ATTACKS[side][square]: the squares that a pawn of `side` on `square` attacks.
PAWN_ATTACKS = _leaps(((-1, 1), (1, 1))), _leaps(((-1, -1), (1, -1)))


# _KNIGHTS[square], _BISHOPS[square] and so on: a bitboard of the squares that a piece of this kind
# attacks on an empty board.
_KNIGHTS, _KINGS = [[bitboard(leaps) for leaps in table] for table in (KNIGHT_LEAPS, KING_LEAPS)]
_BISHOPS, _ROOKS = (
    [bitboard(to for ray in found for to in ray) for found in rays]
    for rays in (BISHOP_RAYS, ROOK_RAYS)
)
_QUEENS = [bishop | rook for bishop, rook in zip(_BISHOPS, _ROOKS)]


def _by_piece(pawns: Sequence[list[Row]], *others: list[Row]) -> list[list[Row]]:
    """Return a list of one table per piece.

    pawns: the tables of White's and Black's pawns.  others: the tables of N, B, R, Q, K.
    """
    return [table for pawn in pawns for table in ([], pawn, *others, others[-1])]


def _pawn_targets(side: int) -> list[int]:
    """Return, for each square, a bitboard of the targets that captures() examines for a pawn.

    They are the squares that the pawn attacks.  On the seventh rank they are all squares, since
    captures() also generates promotions by a push.
    """
    seventh = 1 if side else 6
    return [
        (1 << 64) - 1 if square >> 3 == seventh else bitboard(attacks)
        for square, attacks in enumerate(PAWN_ATTACKS[side])
    ]


# LEAPER_ATTACKS[piece][square]: a bitboard of the attacks of a king, commoner, knight or pawn; all
# squares for a pawn about to be promoted.  Empty for sliders.
LEAPER_ATTACKS: list[list[int]] = _by_piece(
    (_pawn_targets(0), _pawn_targets(1)), _KNIGHTS, [], [], [], _KINGS
)


def _flags(bitboards: list[int]) -> list[tuple[bool, ...]]:
    """Return, for each bitboard, a flag for each square: is it in the bitboard?"""
    return [tuple(map("1".__eq__, f"{bits:065b}"[::-1])) for bits in bitboards]


# PSEUDO_ATTACKS[piece][from][to]: would the piece attack `to` on an empty board?
PSEUDO_ATTACKS: list[list[tuple[bool, ...]]] = _by_piece(
    [_flags(list(map(bitboard, attacks))) for attacks in PAWN_ATTACKS],
    *map(_flags, (_KNIGHTS, _BISHOPS, _ROOKS, _QUEENS, _KINGS)),
)

# RAY_THROUGH[a][b]: the ray from a through b to the edge, nearest squares first; empty if a and
# b share no line.
RAY_THROUGH: list[list[tuple[int, ...]]] = [[()] * 64 for _ in range(64)]
# PINNERS[side][a][b][piece]: is the piece a slider, hostile to `side`, that moves along
# RAY_THROUGH[a][b]?
_nobody: tuple[bool, ...] = (False,) * 16
PINNERS = tuple([[_nobody] * 64 for _ in range(64)] for _ in range(2))


def _fill_lines() -> None:
    for rays, kind in ((ROOK_RAYS, ROOK), (BISHOP_RAYS, BISHOP)):
        masks: list[tuple[bool, ...]] = [
            tuple(piece in (kind + colour, QUEEN + colour) for piece in range(16))
            for colour in (BLACK, 0)
        ]
        for square in range(64):
            for ray in rays[square]:
                for to in ray:
                    RAY_THROUGH[square][to] = ray
                    PINNERS[0][square][to], PINNERS[1][square][to] = masks


_fill_lines()


# ---- target squares of quiet moves ---------------------------------------------------


def _pawn_pushes(side: int) -> list[int]:
    """Return, for each square, a bitboard of a pawn's pushes and promotions (also by capture)."""
    ahead, second, seventh = (-8, 6, 1) if side else (8, 1, 6)
    out = []
    for square in range(64):
        targets = [square + ahead] if 0 <= square + ahead < 64 else []
        if square >> 3 == second:
            targets.append(square + 2 * ahead)
        if square >> 3 == seventh:
            targets += PAWN_ATTACKS[side][square]
        out.append(bitboard(targets))
    return out


# QUIET_TARGETS[piece][square]: a bitboard of the targets of quiet moves and underpromotions on an
# empty board.
QUIET_TARGETS: list[list[int]] = _by_piece(
    (_pawn_pushes(0), _pawn_pushes(1)), _KNIGHTS, _BISHOPS, _ROOKS, _QUEENS, _KINGS
)


def check_squares(king: int, quiet_targets: list[list[int]]) -> list[int]:
    """Return CHECK_SQUARES[king] for pieces that move as QUIET_TARGETS or a variant of it says."""
    out = [
        targets[king] if targets and piece & 7 < KING else 0
        for piece, targets in enumerate(quiet_targets)
    ]
    out[PAWN] = bitboard(PAWN_ATTACKS[1][king]) | 0xFF << 56
    out[PAWN + BLACK] = bitboard(PAWN_ATTACKS[0][king]) | 0xFF
    return out


# CHECK_SQUARES[king][piece]: a bitboard of the squares from which the piece would check a king on
# square `king` on an empty board; for a pawn its promotion squares, too; 0 for kings.
CHECK_SQUARES = [check_squares(king, QUIET_TARGETS) for king in range(64)]

# A king that is not on the board (square 64) attacks nothing, and nothing attacks it.
for _rows in (ROOK_RAYS, BISHOP_RAYS, KNIGHT_LEAPS, KING_LEAPS, *PAWN_ATTACKS):
    _rows.append(())
RAY_THROUGH.append([()] * 64)
CHECK_SQUARES.append([0] * 16)
PSEUDO_ATTACKS[KING].append((False,) * 65)


class PieceTables:
    """How the pieces move: the tables above that differ if a knight or a king leaps differently.

    leaps, leaper_attacks, quiet_targets, pseudo_attacks, check_squares: LEAPS and so on.
    """

    __slots__ = ("leaps", "leaper_attacks", "quiet_targets", "pseudo_attacks", "check_squares")

    def __init__(self) -> None:
        self.leaps = LEAPS
        self.leaper_attacks = LEAPER_ATTACKS
        self.quiet_targets = QUIET_TARGETS
        self.pseudo_attacks = PSEUDO_ATTACKS
        self.check_squares = CHECK_SQUARES


CHESS_TABLES = PieceTables()


def is_castling(move: int) -> bool:
    """Is a move castling?  (A drop has the bit CASTLING, too, but EN_PASSANT as well.)"""
    return move & DROP == CASTLING


def castling_targets(king: int, rook: int) -> tuple[int, int]:
    """Return the squares of king and rook after castling: on the files g and f, or c and d."""
    rank = king & 56
    return (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)


def square_name(square: int) -> str:
    """Return the name of a square: 0 is a1."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def square_index(name: str) -> int:
    """Return the square with a name: a1 is 0."""
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


# ---- Zobrist keys --------------------------------------------------------------------

# A position's key is the exclusive or of the keys of its features: each piece on its square, the
# castling rights, the en passant square (or -1), and Black to move.
_stream = random_numbers(20)
PIECE_KEYS = [[next(_stream) for _ in range(64)] for _ in range(16)]
CASTLING_KEYS = [0]
for _key in [next(_stream) for _ in range(4)]:
    CASTLING_KEYS += [_key ^ known for known in CASTLING_KEYS]
_file_keys = [next(_stream) for _ in range(8)]
EN_PASSANT_KEYS = [_file_keys[square & 7] for square in range(64)] + [
    0
]  # 0 is the key if there is no en passant square (-1)
SIDE_KEY = next(_stream)  # Black to move
