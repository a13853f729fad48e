"""The static evaluation: a small network whose hidden layer lies side by side in one int.

Each of the 12 kinds of men on each of the 64 squares adds its numbers to `hidden` units, once as White sees
the board and once as Black sees it (upside down, colours exchanged).  Negative units count as zero, and the
score for White is the signed sum of White's units less that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero and so carries plain material and piece-square values.

All units are lanes of LANE bits in one int, the accumulator, with half of a lane's range added so that its top
bit says "not negative".  Lanes that count positive and negative alternate; as 2**LANE is -1 modulo
2**LANE + 1, one remainder gives the whole signed sum.  A move changes the accumulator by adding and
subtracting the ints of its men.  Above the lanes is the material: 4 bits for each of the kinds PNBRQ of
White, then of Black.
"""
from __future__ import annotations

from games.chess.tables import BLACK, KING

LANE = 20
UNIT = 8                        # steps of a lane in a centipawn
_SIGN = LANE - 1
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4
SIDE_BITS = 5 * MATERIAL_BITS


class Network:
    """The tables of one set of weights.

    table[piece][square]: what a man adds to an accumulator.  base: the accumulator of the empty board.
    ones: a 1 in each lane.  top: where the material begins.  tempo: centipawns for the right to move.
    """

    def __init__(self, signs, biases, weights, tempo):
        """signs, biases: of each unit.  weights: (piece, square) -> numbers of the units, as White sees it."""
        lanes = 2 * len(signs)
        self.top = lanes * LANE
        self.ones = sum(1 << lane * LANE for lane in range(lanes))
        self.tempo = tempo
        self.base = self._pack(signs, biases, biases) + (self.ones << _SIGN)
        self.table = [None] * 16
        for kind in range(1, KING + 1):
            for colour in (0, BLACK):
                material = 0 if kind == KING else 1 << self.top + MATERIAL_BITS * (kind - 1) \
                    + (SIDE_BITS if colour else 0)
                self.table[kind + colour] = [
                    self._pack(signs, weights(kind + colour, square), weights(kind + BLACK - colour, square ^ 56))
                    + material for square in range(64)]

    @staticmethod
    def _pack(signs, white, black):
        packed = 0
        for unit, sign in enumerate(signs):
            first, second = (white, black) if sign > 0 else (black, white)
            packed += (first[unit] << 2 * unit * LANE) + (second[unit] << (2 * unit + 1) * LANE)
        return packed

    def accumulate(self, board):
        """The accumulator of a board."""
        return self.base + sum(self.table[piece][square] for square, piece in enumerate(board) if piece)

    def score(self, accumulator, side):
        """Centipawns for `side`, who is to move."""
        alive = accumulator >> _SIGN & self.ones
        value = (accumulator & (alive << _SIGN) - alive) % MODULUS
        if value > HALF:
            value -= MODULUS
        return (-value if side else value) // UNIT + self.tempo


_WORTH = (0, 100, 320, 330, 500, 950, 0)
_CENTRE = (0, 3, 8, 4, 1, 2, 0)
_ADVANCE = 6
_loaded = []


def network():
    """The network in use, read when first asked for."""
    if not _loaded:
        _loaded.append(_plain())
    return _loaded[0]


def _plain():
    """Material and centralisation alone."""
    def weights(piece, square):
        kind, side = piece & 7, piece >> 3
        rank, file = (7 - (square >> 3) if side else square >> 3), square & 7
        centre = min(file, 7 - file) + min(rank, 7 - rank)
        value = _WORTH[kind] + _CENTRE[kind] * centre + (_ADVANCE * rank if kind == 1 else 0)
        return [0 if side else value * UNIT]

    return Network([1], [1 << _SIGN - 2], weights, 10)


def evaluate(position):
    """The static evaluation of a position for the side to move."""
    net = network()
    return net.score(net.accumulate(position.board_squares), position.side)
