"""The static evaluation: a small network, its hidden layer packed into one int (games/lanes.py).

The inputs are the pieces on the squares and the numbers of pieces in hand.  Each adds its weights
to UNITS hidden units, once as Black sees the board and once as White sees it (turned around, the
colours exchanged).  The last unit of each view never falls below zero; its weights depend on the
square of the view's own king, so it knows about king safety.  A view is mirrored if its king is on
the right half of the board.

    score = sum of sign[u] * (max(black[u], 0) - max(white[u], 0))

Black's units are in the low lanes, White's above them; above the lanes is the bitboard of all
pieces.  For each pair of kings' squares a table has what each piece on each square, and each number
of pieces in hand, adds to this int, the accumulator.
"""

from __future__ import annotations

from games.data import Lazy
from games.lanes import LANE, LINEAR_BIAS, SIGN, Lanes, packed
from games.shogi.tables import PIECES, WHITE
from games.shogi.weights import MAX_HAND, STEPS, UNITS, Weights, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.shogi import Shogi
    from games.shogi.movegen import Pieces

    # Table[piece][square], and Table[HAND + piece][count]: what they add to an accumulator;
    # Table[0][0]: the accumulator of an empty board.
    Table = list[list[int]]

TEMPO = 30  # value of the right to move, in centipawns
HAND = PIECES  # Table[HAND + piece] belongs to the piece in hand
MAX_TABLES = 128  # number of pairs of kings' squares at which all tables are dropped


class Evaluation:
    """The tables of a network.

    features[black king << 7 | white king]: the Table for kings on these squares, made when needed.
    lanes: those of an accumulator.  occupied_shift: the bit offset of the bitboard.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights, self._size = weights, weights.size
        self._cells = cells = weights.cells
        self._bits = (UNITS + 1) * LANE
        self.lanes = Lanes(2 * (UNITS + 1))
        self.occupied_shift = self.lanes.bits
        self.features: Lazy[int, Table] = Lazy(self._new_table, MAX_TABLES)
        self._views: Lazy[int, Table] = Lazy(self._new_view, 2 * cells)
        hidden = weights.hidden
        self._hidden = [
            packed(hidden[at : at + UNITS]) if hidden else 0
            for at in range(0, weights.inputs * UNITS, UNITS)
        ]
        own_bias = packed([*weights.biases, LINEAR_BIAS]) + sum(
            1 << unit * LANE + SIGN for unit in range(UNITS + 1)
        )
        self._empty = own_bias + (own_bias << self._bits)

    def _new_view(self, king: int) -> Table:
        """Return what each input adds to the lanes of a view, as its own side sees the board."""
        size, cells = self._size, self._cells
        king = king if king < cells else size // 2  # no king: as if it were on its first square
        column = king % size
        mirrored = 2 * column >= size
        linear = self._weights.linear(king + size - 1 - 2 * column if mirrored else king)
        places = [square + (size - 1 - 2 * (square % size)) * mirrored for square in range(cells)]
        top = UNITS * LANE
        rows = [
            [
                self._hidden[at] + (linear[at] << top)
                for at in (piece * cells + place for place in places)
            ]
            for piece in range(PIECES)
        ]
        hand = PIECES * cells
        rows += [
            [self._hidden[at] + (linear[at] << top) for at in range(first, first + MAX_HAND + 1)]
            for first in range(hand, hand + PIECES * (MAX_HAND + 1), MAX_HAND + 1)
        ]
        return rows

    def _new_table(self, kings: int) -> Table:
        black_king, white_king = kings >> 7, kings & 127
        cells, bits = self._cells, self._bits
        black = self._views[black_king]
        white = self._views[cells - 1 - white_king if white_king < cells else cells]
        table = []
        for piece in range(PIECES):
            theirs = white[piece ^ WHITE][::-1]
            shift = self.occupied_shift
            table.append(
                [
                    one + (two << bits) + (1 << shift + square)
                    for square, (one, two) in enumerate(zip(black[piece], theirs))
                ]
            )
        for piece in range(HAND, 2 * HAND):
            theirs = white[piece ^ WHITE]
            table.append([one + (two << bits) for one, two in zip(black[piece], theirs)])
        table[0][0] = self._empty
        return table

    def add_up(self, pieces: Pieces, kings: Sequence[int], hands: Sequence[int]) -> int:
        """Return the accumulator of a position."""
        table = self.features[kings[0] << 7 | kings[1]]
        black, white = pieces
        return (
            table[0][0]
            + sum([table[piece][at] for at, piece in black.items()])
            + sum([table[piece][at] for at, piece in white.items()])
            + sum([table[HAND + piece][count] for piece, count in enumerate(hands) if count])
        )

    def score(self, accumulator: int, side: int) -> int:
        """Return an accumulator's score in centipawns for `side`, the side to move."""
        total = self.lanes.output(accumulator)
        return (-total if side else total) // STEPS + TEMPO


def evaluation_of(game: Shogi) -> Evaluation:
    """Return the Evaluation of a game, whose weights are read on first use."""
    return _EVALUATIONS[game.network_file, game.size]


_EVALUATIONS: Lazy[tuple[str, int], Evaluation] = Lazy(lambda named: Evaluation(load(*named)))
