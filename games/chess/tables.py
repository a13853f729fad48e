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

from games.geometry import DIAGONAL, ORTHOGONAL, Geometry, bitboard, leaps, slider
from games.keys import random_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.geometry import Leaps, Slider, Squares

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, COMMONER = range(1, 8)
# A black piece is its kind plus BLACK.
BLACK = 8
# The letter of each piece.
LETTERS = ".PNBRQKK.pnbrqkk"
# The value of each kind of piece, in centipawns.
PIECE_VALUES = 0, 100, 320, 330, 500, 950, 0, 300
NOWHERE = 64

PROMOTION_SHIFT = 12
EN_PASSANT = 1 << 15
CASTLING = 1 << 16
# In variants, a move with the bits CASTLING and EN_PASSANT drops a piece from the hand.
DROP = CASTLING | EN_PASSANT
# Variants set this bit in a move to make it special (games/chess/moves.py).
PLANNED = EN_PASSANT

_KNIGHT_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

# FROM_TO[move]: (from, to).  PLAIN_MOVE[from][to]: the move.  On CPython a look-up in these tables
# is faster than a computation.
FROM_TO = [(start, to) for to in range(64) for start in range(64)] * (2 * CASTLING >> 12)
PLAIN_MOVE = [list(range(start, 64 << 6, 1 << 6)) for start in range(64)]
BITS = [1 << square for square in range(64)]
SQUARE_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]

# KNIGHT_LEAPS[square], KING_LEAPS[square]: the squares that the piece reaches from there.
KNIGHT_LEAPS, KING_LEAPS = leaps(8, _KNIGHT_JUMPS), leaps(8, ORTHOGONAL + DIAGONAL)
# PAWN_ATTACKS[side][square]: the squares that a pawn of `side` on `square` attacks.
PAWN_ATTACKS = leaps(8, ((-1, 1), (1, 1))), leaps(8, ((-1, -1), (1, -1)))
# The ranks, from 0, from which White's pawns, and Black's, can advance two squares.
DOUBLE_STEPS = (1,), (6,)
_SLIDES = {BISHOP: DIAGONAL, ROOK: ORTHOGONAL, QUEEN: ORTHOGONAL + DIAGONAL}


class ChessGeometry(Geometry):
    """The tables of chess's board.

    leaper_attacks[piece][square]: a bitboard of the targets that captures() examines: the attacks
        of a king, commoner, knight or pawn; all squares for a pawn about to be promoted, since
        captures() also generates promotions by a push.  Empty for sliders.
    pushes[side][square]: the squares to which a pawn can step without a promotion, nearest first.
    quiet_targets[piece][square]: a bitboard of the targets of quiet moves and underpromotions on an
        empty board.
    check_squares[king][piece]: a bitboard of the squares from which the piece would check a king on
        square `king` on an empty board; for a pawn its promotion squares, too; 0 for kings.
    """

    def __init__(self, changed: Mapping[int, Leaps], double_steps: Sequence[Sequence[int]]) -> None:
        """Build the tables.

        changed: {KNIGHT or KING: its leaps}, if they differ from chess.  double_steps: in the form
        of DOUBLE_STEPS.
        """
        kinds = {KNIGHT: KNIGHT_LEAPS, KING: KING_LEAPS, COMMONER: KING_LEAPS, **changed}
        leaps = {PAWN: PAWN_ATTACKS[0], PAWN + BLACK: PAWN_ATTACKS[1]}
        leaps.update({kind + own: kinds[kind] for kind in kinds for own in (0, BLACK)})
        slides = {kind + own: steps for kind, steps in _SLIDES.items() for own in (0, BLACK)}
        super().__init__(8, 16, leaps, slides)
        self.leaper_attacks = [
            row if piece in leaps else [] for piece, row in enumerate(self.targets)
        ]
        self.quiet_targets = list(self.targets)
        checking = [row if piece & 7 < KING else [0] * 65 for piece, row in enumerate(self.targets)]
        self.pushes = _pushes(8, double_steps[0]), _pushes(-8, double_steps[1])
        for side, first, ahead, last in ((0, 48, 8, 0xFF << 56), (1, 8, -8, 0xFF)):
            pawn = PAWN + BLACK * side
            self.leaper_attacks[pawn] = self.targets[pawn][:]
            self.quiet_targets[pawn] = list(map(bitboard, self.pushes[side]))
            for square in range(first, first + 8):  # about to be promoted
                self.leaper_attacks[pawn][square] = (1 << 64) - 1
                self.quiet_targets[pawn][square] = self.targets[pawn][square] | BITS[square + ahead]
            checking[pawn] = [attacks | last for attacks in self.targets[pawn ^ BLACK]]
        self.check_squares = [[row[king] for row in checking] for king in range(64)]
        self.check_squares.append([0] * 16)  # without a king, nothing checks


def _pushes(ahead: int, double_steps: Sequence[int]) -> list[Squares]:
    """Return pushes[side].  ahead: offset of a step.  double_steps: ranks that allow two steps."""
    out = []
    for square in range(64):
        steps = (1, 2) if square >> 3 in double_steps else (1,)
        out.append(tuple([to for step in steps if 8 <= (to := square + ahead * step) < 56]))
    return out


CHESS = ChessGeometry({}, DOUBLE_STEPS)
PSEUDO_ATTACKS, RAY_THROUGH = CHESS.attacks, CHESS.through

# SLIDER_ATTACKS[piece][square]: the Sliders of a piece (see games/geometry.py), two for a queen;
# none for pieces that don't slide.
BISHOP_ATTACKS = list(map(slider, CHESS.rays[BISHOP]))
ROOK_ATTACKS = list(map(slider, CHESS.rays[ROOK]))
SLIDER_ATTACKS: list[list[tuple[Slider, ...]]] = [[] for _ in range(16)]
for _colour in (0, BLACK):
    SLIDER_ATTACKS[BISHOP + _colour] = [(bishop,) for bishop in BISHOP_ATTACKS]
    SLIDER_ATTACKS[ROOK + _colour] = [(rook,) for rook in ROOK_ATTACKS]
    SLIDER_ATTACKS[QUEEN + _colour] = list(zip(ROOK_ATTACKS, BISHOP_ATTACKS))


def is_castling(move: int) -> bool:
    """Is a move castling?  (A drop has both bits, CASTLING and EN_PASSANT.)"""
    return move & DROP == CASTLING


def castling_targets(king: int, rook: int) -> tuple[int, int]:
    """Return the squares of king and rook after castling: on the files g and f, or c and d."""
    rank = king & 56
    return (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)


def colours_of(pieces: Mapping[int, int], kind: int) -> set[int]:
    """Return the colours of the squares on which pieces of a kind stand: 0 dark, 1 light."""
    return {(square ^ square >> 3) & 1 for square, piece in pieces.items() if piece & 7 == kind}


# ---- Zobrist keys --------------------------------------------------------------------

# A position's key is the exclusive or of the keys of its features: each piece on its square, the
# castling rights, the en passant square (or -1), and Black to move.
_stream = random_numbers(20)
PIECE_KEYS = [[next(_stream) for _ in range(64)] for _ in range(16)]
PIECE_KEYS[0] = [0] * 64  # of empty squares
CASTLING_KEYS = [0]
for _key in [next(_stream) for _ in range(4)]:
    CASTLING_KEYS += [_key ^ known for known in CASTLING_KEYS]
_file_keys = [next(_stream) for _ in range(8)]
# The key of each en passant square; the last one, 0, is for no square (-1).
EN_PASSANT_KEYS = [*(_file_keys * 8), 0]
# The key of Black to move.
SIDE_KEY = next(_stream)
