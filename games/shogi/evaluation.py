"""The static evaluation: a small network, whose hidden layer is one int (games/lanes.py).

The inputs are the pieces on the squares and the numbers of pieces in hand.  They are seen in two
views: Black's, and White's with the board turned around and the colours exchanged.  A view has
UNITS hidden units, and a linear unit that never falls below zero.  The weights of the linear unit
depend on the square of the view's own king, so it knows about king safety.  A view is mirrored if
its own king is on the right half of the board.

    score = sum of sign[u] * (max(black[u], 0) - max(white[u], 0))

The accumulator is one int: Black's units are in the low lanes, White's above them, and the bitboard
of all pieces above the lanes.  Each pair of kings' squares has a Table of what a piece on a square,
or one more piece in hand, adds to the accumulator.

A file of weights is packed by zlib, and has little-endian 16-bit numbers.  First come UNITS weights
for each input, then the UNITS biases.  The rest are the weights of the linear unit: a weight for
each input, for each square of the view's own king on the left half of the board (row by row).  The
inputs are the pieces on the squares, then the numbers of pieces in hand (0 to MAX_HAND), both
ordered by piece as in games/shogi/tables.py; the view's own pieces have the numbers of Black's.
scripts/lab/shogi_weights.py makes the file.
"""

from __future__ import annotations

from functools import cache

from games import data
from games.data import Lazy
from games.lanes import HALF, LANE, LINEAR_BIAS, MODULUS, SIGN, STEPS, Lanes, packed, sign_bits
from games.shogi.tables import DROP, KING, PIECES, VALUE, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.shogi import Shogi
    from games.shogi.movegen import Change
    from games.shogi.position import ShogiPosition

    # Table[piece][square]: what a piece adds to an accumulator.  Table[HAND + piece][count]: what
    # it adds if it joins a hand with `count` such pieces.  Table[0][0]: the accumulator of an
    # empty board.
    Table = list[list[int]]

# The number of hidden units besides the linear one; it must be even.
UNITS = 16
# The bonus for the side to move, in centipawns.
TEMPO = 30
# Table[HAND + piece] belongs to the piece in hand.
HAND = PIECES
MAX_HAND = 18
_MAX_TABLES = 128  # all Tables are dropped when their number reaches this


class ShogiNetwork(Lanes):
    """The tables of a network.

    features[black king << 7 | white king]: the Table for kings on these squares, made when needed.
    The bitboard begins at the bit `bits`.
    """

    def __init__(self, size: int, numbers: Sequence[int]) -> None:
        """Prepare the tables.  size: rows of the board.  numbers: content of a weights file."""
        super().__init__(2 * (UNITS + 1), TEMPO)
        self._size = size
        self._numbers = numbers
        self.features: Lazy[int, Table] = Lazy(self._new_table, _MAX_TABLES)
        self._views: Lazy[int, Table] = Lazy(self._new_view, 2 * size * size)
        rows = inputs_of(size) + 1
        self._hidden = [packed(numbers[at : at + UNITS]) for at in range(0, rows * UNITS, UNITS)]
        view = self._hidden.pop() + (LINEAR_BIAS << UNITS * LANE) + sign_bits(UNITS + 1)
        self._empty = view + (view << self.bits // 2)

    def _new_view(self, king: int) -> Table:
        """Return what each input adds to the lanes of a side's view.

        king: the square of this side's king.  Squares are as this side sees the board.
        """
        size, cells, inputs = self._size, self._size**2, len(self._hidden)
        # A side without a king counts as if the king were in the middle of its first row.
        row, column = divmod(king if king < cells else size // 2, size)
        mirrored = 2 * column >= size
        column = size - 1 - column if mirrored else column
        first = (inputs + 1) * UNITS + (row * ((size + 1) // 2) + column) * inputs
        linear = self._numbers[first : first + inputs]
        top = UNITS * LANE
        weights = [hidden + (weight << top) for hidden, weight in zip(self._hidden, linear)]
        places = [square + (size - 1 - 2 * (square % size)) * mirrored for square in range(cells)]
        board = [[weights[piece * cells + place] for place in places] for piece in range(PIECES)]
        for first in range(PIECES * cells, inputs, MAX_HAND + 1):
            held = weights[first : first + MAX_HAND + 1]
            board.append([more - fewer for fewer, more in zip(held, held[1:])])
        return board

    def _new_table(self, kings: int) -> Table:
        black_king, white_king = kings >> 7, kings & 127
        cells, bits = self._size**2, self.bits // 2
        white = self._views[cells - 1 - white_king if white_king < cells else cells]
        turned = [row[::-1] for row in white[:PIECES]] + white[PIECES:]
        squares = [1 << self.bits + square for square in range(cells)]
        occupied = [squares] * PIECES + [[0] * MAX_HAND] * PIECES
        table = [
            [one + (two << bits) + bit for one, two, bit in zip(row, turned[piece ^ WHITE], own)]
            for piece, (row, own) in enumerate(zip(self._views[black_king], occupied))
        ]
        table[0][0] = self._empty
        return table

    def add_up(self, position: ShogiPosition) -> int:
        """Return the accumulator of a position."""
        black_king, white_king = position.kings
        table = self.features[black_king << 7 | white_king]
        board = [table[piece][at] for own in position.pieces for at, piece in own.items()]
        hands = [sum(table[row][:held]) for row, held in enumerate(position.in_hand, HAND) if held]
        return table[0][0] + sum(board) + sum(hands)


def judge_of(position: ShogiPosition) -> Callable[[Table, int, int, Change], tuple[int, int]]:
    """Return judge(table, accumulator, side, change) for the board of a position.

    judge returns the accumulator and the opponent's evaluation after a change by `side`, without
    making the change (games/shogi/movegen.py).  table: the Table for the kings' squares before the
    change.
    """
    kings, hands, net = position.kings, position.in_hand, network_of(position.game)
    features, add_up, sign_bits = net.features, net.add_up, net.sign_bits
    (half, half_mask), (quarter, quarter_mask) = net.folds

    def judge(table: Table, acc: int, side: int, change: Change) -> tuple[int, int]:
        start, to, piece, placed, captured = change
        if piece & 15 == KING:  # the king's new square has another Table
            kings[side] = to
            acc, table = add_up(position), features[kings[0] << 7 | kings[1]]
            kings[side] = start
        acc += table[placed][to]
        if start >= DROP:
            acc -= table[HAND + piece][hands[piece] - 1]
        else:
            acc -= table[piece][start]
            if captured:
                hand = captured & 7 | WHITE * side
                acc += table[HAND + hand][hands[hand]] - table[captured][to]
        # Lanes.score(), written out here to save the time of a call.
        active = acc & sign_bits
        total = acc & active - (active >> SIGN)
        total = (total >> half) + (total & half_mask)
        total = ((total >> quarter) + (total & quarter_mask) + HALF) % MODULUS - HALF
        return acc, (total if side else -total) // STEPS + TEMPO

    return judge


def inputs_of(size: int) -> int:
    """Return the number of inputs of a board."""
    return PIECES * (size * size + MAX_HAND + 1)


@cache
def network_of(game: Shogi) -> ShogiNetwork:
    """Return the network of a game, whose weights are read on first use."""
    size = game.size
    kings = size * ((size + 1) // 2)  # squares of the left half, the middle file included
    count = inputs_of(size) * (UNITS + kings) + UNITS

    def unpack(content: bytes) -> Sequence[int]:
        return data.read_numbers("h", data.unpacked(content, 2 * count))

    numbers = data.load(f"shogi/{game.name}.bin", unpack, "positions are judged by material alone")
    return ShogiNetwork(size, numbers or _material(size, kings))


def _material(size: int, kings: int) -> list[int]:
    """Return the weights of a network that evaluates material alone.

    kings: the number of squares of the view's own king for which there are weights.
    """
    inputs: list[int] = []
    # A piece counts once on any square; pieces in hand count by their number.
    for counts in ([1] * size * size, range(MAX_HAND + 1)):
        for piece, value in enumerate(VALUE):
            steps = 0 if piece & 15 == KING else value * STEPS // 2
            inputs += [-steps * count if piece & WHITE else steps * count for count in counts]
    return [0] * (len(inputs) + 1) * UNITS + inputs * kings
