"""The board as lanes: every line of the board, in both directions, side by side in one int a side.

A lane holds one row, column or diagonal (of length 3 or more), and an empty guard bit above its last cell.
Each line has two lanes, one read forwards and one backwards, so that each of the eight directions is "one
bit up" in some lane.  A cell has a bit in each lane through it.  A row with the discs of one side on b, c
and e is, from its lowest bit,

    a b c d e f g h guard             and in its mirror lane    h g f e d c b a guard
    0 1 1 0 1 0 0 0 0                                           0 0 0 1 0 1 1 0 0

One addition then carries through all runs of discs at once.  With `own` and `opp` the lanes of the two sides:

    moves:  (opp + (own << 1 & opp)) & empty    a run of `opp` with a disc of `own` below it carries to its end
    flips:  (opp + step[s]) & own               the runs that start beside s and end at a disc of `own`: a key
                                                to flips[s], which names the discs to turn

An int of 564 bits costs CPython hardly more an operation than one of 64.
"""
from __future__ import annotations

MIN_LINE = 3      # shorter diagonals can't hold a run between two discs


def board_lines():
    """The 38 lines of the board, each a list of squares: rows, columns, diagonals, antidiagonals."""
    rows = [[8 * y + x for x in range(8)] for y in range(8)]
    columns = [[8 * y + x for y in range(8)] for x in range(8)]
    diagonals = [[8 * y + y + d for y in range(8) if 0 <= y + d < 8] for d in range(-7, 8)]
    antidiagonals = [[8 * y + d - y for y in range(8) if 0 <= d - y < 8] for d in range(15)]
    return [line for line in rows + columns + diagonals + antidiagonals if len(line) >= MIN_LINE]


class Flips(dict):
    """{key: (discs turned, the same with the new disc, swing)} for a move on one square.

    The swing is by how much the mover's lead in discs grows: twice the discs turned, and one.

    The key is `(opp + step[square]) & own`: one bit a lane, where a run ends at a disc of the mover.  Filled
    as keys are met; (0, 0, 0) where nothing is turned, that is where the move is not legal.
    """

    def __init__(self, lanes, square):
        super().__init__()
        self._lanes, self._square = lanes, square
        self[0] = (0, 0, 0)

    def __missing__(self, key):
        turned = set()
        for cells, offset in self._lanes.beams[self._square]:
            for distance, _ in enumerate(cells, 1):
                if key >> (offset + distance) & 1:
                    turned.update(cells[:distance - 1])
        masks = self._lanes.masks
        flipped = 0
        for square in sorted(turned):
            flipped |= masks[square]
        entry = (flipped, flipped | masks[self._square], 2 * len(turned) + 1) if turned else (0, 0, 0)
        self[key] = entry
        return entry


class Lanes:
    """One layout of the lanes: what each square means in it.

    strides: bits that each forward lane, then each mirror lane, takes; at least its cells and a guard bit.
    masks[s]: the bits of square s.  step[s]: the bits above them.  flips[s]: see Flips.
    beams[s]: [(squares seen from s in one direction, bit of s in that lane)].
    full: all cells.  bits: width of the whole.
    """

    def __init__(self, forward_stride=None, mirror_stride=None):
        lines = board_lines()
        lanes = [(line, forward_stride) for line in lines] + [(line[::-1], mirror_stride) for line in lines]
        self.masks = [0] * 64
        self.beams = [[] for _ in range(64)]
        offset = 0
        for line, stride in lanes:
            for index, square in enumerate(line):
                self.masks[square] |= 1 << (offset + index)
                if index < len(line) - 1:
                    self.beams[square].append((line[index + 1:], offset + index))
            offset += stride or len(line) + 1
        self.bits = offset
        self.step = [mask << 1 for mask in self.masks]
        self.full = sum(self.masks)
        self.flips = [Flips(self, square) for square in range(64)]

    def spread(self, squares):
        """The lanes of a collection of squares."""
        masks = self.masks
        total = 0
        for square in squares:
            total |= masks[square]
        return total

    def squares(self, lanes):
        """The squares whose bits are set in `lanes`, in rising order."""
        return [square for square, mask in enumerate(self.masks) if lanes & mask]


# The layout of the rules and of the endgame solver: as narrow as it can be.
NARROW = Lanes()
# In it the rows come first, nine bits each: bits 0 to 71 tell the whole position.
ROWS = (1 << 72) - 1
