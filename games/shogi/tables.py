"""Pieces and moves as ints, and the lookup tables of a board's geometry.

Squares count from the lower left corner as the first player (Black) sees the board: 9i is 0, 8i is
1, 9h is 9.  A piece is its kind (1..8), plus 8 if it is promoted, plus 16 for White; 0 is an empty
square.  `piece & 7` is the kind that a captured piece has in hand.  Sides are 0 (Black) and
1 (White).  A bitboard has the bit 1 << square set for each of its squares.  A missing king has
the square number `cells`.

A move is an int:   bits 0-6   from; DROP + kind if the piece comes from the hand
                    bits 7-13  to
                    bit  14    does the piece promote?
"""

from __future__ import annotations

from functools import cache

from games.geometry import DIAGONAL, ORTHOGONAL, Geometry, bitboard, leaps
from games.keys import random_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.geometry import Steps

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED = 8
WHITE = 16
PIECES = 32
HORSE, DRAGON = BISHOP + PROMOTED, ROOK + PROMOTED
KINDS = range(PAWN, KING)  # the kinds of pieces that may be in hand
LETTERS = ".PLNSBRGK"
# The value of each piece on the board, in centipawns.  A king is worth more than any exchange wins.
VALUE = 2 * (0, 90, 230, 260, 370, 570, 640, 440, 20000, 420, 430, 440, 450, 830, 950, 0)
# BETTER[piece]: does the piece lose nothing by promoting?  Such promotions come with the captures.
BETTER = [piece & 15 in (PAWN, BISHOP, ROOK) for piece in range(PIECES)]
DROP = 112  # a move whose bits 0-6 are at least this drops a piece
PROMOTE = 1 << 14
TO_SHIFT = 7

# FROM_TO[move & FROM_TO_MASK]: (from, to).
FROM_TO = [(start, to) for to in range(128) for start in range(128)]
FROM_TO_MASK = PROMOTE - 1

_AS_GOLD = (*ORTHOGONAL, (-1, 1), (1, 1))
# Steps of Black's pieces as (columns, rows), by kind.  _STEPS are made once, _SLIDES are repeated.
_STEPS: dict[int, Steps] = {
    PAWN: ((0, 1),),
    KNIGHT: ((-1, 2), (1, 2)),
    SILVER: (*DIAGONAL, (0, 1)),
    GOLD: _AS_GOLD,
    KING: ORTHOGONAL + DIAGONAL,
    **dict.fromkeys(range(PAWN + PROMOTED, SILVER + PROMOTED + 1), _AS_GOLD),
    HORSE: ORTHOGONAL,
    DRAGON: DIAGONAL,
}
_SLIDES: dict[int, Steps] = {
    LANCE: ((0, 1),),
    BISHOP: DIAGONAL,
    ROOK: ORTHOGONAL,
    HORSE: DIAGONAL,
    DRAGON: ORTHOGONAL,
}


def _of_both(steps: dict[int, Steps]) -> dict[int, Steps]:
    """Return the steps of both players' pieces, given those of Black's pieces."""
    turned = {
        kind + WHITE: tuple((-across, -up) for across, up in forward)
        for kind, forward in steps.items()
    }
    return {**steps, **turned}


def letters_of(piece: int) -> str:
    """Return the letters of a piece in SFEN: a letter in lower case for White, + if promoted."""
    letter = LETTERS[piece & 7 or piece & 8]
    return "+" * (piece & 15 > KING) + (letter.lower() if piece & WHITE else letter)


class ShogiGeometry(Geometry):
    """The tables of a board of shogi.

    camps[side]: the squares where the side's pieces promote.
    promotions[piece][square]: a bitboard of the target squares of promoting moves.
    places[piece]: a bitboard of the squares from which the piece has a move, so that it may be
        dropped there, or stay unpromoted.
    keys[piece][square]: Zobrist keys.
    hand_keys[piece][count]: the change of the key when a hand with `count` of these pieces gets one
        more.
    """

    def __init__(self, size: int) -> None:
        steps = {piece: leaps(size, moves) for piece, moves in _of_both(_STEPS).items()}
        super().__init__(size, PIECES, steps, _of_both(_SLIDES))
        zone = 3 * size if size == 9 else size
        cells = range(self.cells)
        self.camps = cells[-zone:], cells[:zone]
        self.promotions = []
        for piece, targets in enumerate(self.targets):
            camp = bitboard(self.camps[piece >> 4]) if PAWN <= piece & 15 < GOLD else 0
            self.promotions.append([targets[at] & (-1 if camp >> at & 1 else camp) for at in cells])
        self.places = [bitboard(at for at in cells if row[at]) for row in self.targets]
        stream = random_numbers(76 + size)
        self.keys = [[next(stream) for _ in cells] for _ in range(PIECES)]
        counted = [[0] + [next(stream) for _ in range(18)] for _ in range(PIECES)]
        self.hand_keys = [[one ^ two for one, two in zip(row, row[1:])] for row in counted]
        self.side_key = next(stream)


geometry = cache(ShogiGeometry)  # by size: 9 in shogi, 5 in minishogi
