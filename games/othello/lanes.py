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

An int of 1082 bits costs CPython hardly more an operation than one of 64.  That leaves room to lay the lanes out
so that the evaluation can read them as they are: see STRIDE.
"""
from __future__ import annotations

from games.othello.order import SQUARE_ORDER

MIN_LINE = 3      # shorter diagonals can't hold a run between two discs

# Bits from one forward lane to the next: eight for the discs of one side, and eight free ones into which the
# evaluation shifts those of the other side.
STRIDE = 16
# Forward lanes: the 38 lines and the 12 corner blocks.  The mirror lanes lie above them.
PATTERNS = 50
WIDTH = PATTERNS * STRIDE
# The rows come first: these bits tell the whole position.
ROWS = (1 << 8 * STRIDE) - 1


def board_lines():
    """The 38 lines of the board, each a list of squares: rows, columns, diagonals, antidiagonals."""
    rows = [[8 * y + x for x in range(8)] for y in range(8)]
    columns = [[8 * y + x for y in range(8)] for x in range(8)]
    diagonals = [[8 * y + y + d for y in range(8) if 0 <= y + d < 8] for d in range(-7, 8)]
    antidiagonals = [[8 * y + d - y for y in range(8) if 0 <= d - y < 8] for d in range(15)]
    return [line for line in rows + columns + diagonals + antidiagonals if len(line) >= MIN_LINE]


SYMMETRIES = 8

NO_FLIPS = (0, 0, 0)
# Entries of all squares together, about 650 bytes each.
MOST_FLIPS = 100_000


def turned(square, symmetry):
    """The square on which `square` comes to lie under one of the eight symmetries of the board."""
    y, x = square >> 3, square & 7
    if symmetry & 1:
        x = 7 - x
    if symmetry & 2:
        y = 7 - y
    return 8 * x + y if symmetry & 4 else 8 * y + x


def corner_blocks():
    """The 12 blocks of eight squares at the corners, which only the evaluation reads.

    Eight of two rows by four columns, one for each symmetry of the board, and four of three by three without
    the square farthest from the corner.
    """
    long = (0, 1, 2, 3, 8, 9, 10, 11)
    square = (0, 1, 2, 8, 9, 10, 16, 17)
    return ([[turned(s, symmetry) for s in long] for symmetry in range(SYMMETRIES)]
            + [[turned(s, symmetry) for s in square] for symmetry in range(4)])


class Flips(dict):
    """{key: (discs turned, the same with the new disc, swing)} for a move on one square.

    The swing is by how much the mover's lead in discs grows: twice the discs turned, and one.

    The key is `(opp + step[square]) & own`: one bit a lane, where a run ends at a disc of the mover.  Filled
    as keys are met; (0, 0, 0) where nothing is turned, that is where the move is not legal.
    """

    def __init__(self, lanes, square):
        super().__init__()
        self._lanes, self._square = lanes, square
        self[0] = NO_FLIPS

    def __missing__(self, key):
        gained = set()
        for cells, offset in self._lanes.beams[self._square]:
            for distance, _ in enumerate(cells, 1):
                if key >> (offset + distance) & 1:
                    gained.update(cells[:distance - 1])
        masks = self._lanes.masks
        flipped = 0
        for square in sorted(gained):
            flipped |= masks[square]
        entry = (flipped, flipped | masks[self._square], 2 * len(gained) + 1) if gained else NO_FLIPS
        self[key] = entry
        return entry


class Lanes:
    """What each square means in the lanes.

    masks[s]: the bits of square s.  moving[s]: those in the lanes that moves go by.  step[s]: the bits above
    these.  flips[s]: see Flips.  beams[s]: [(squares seen from s in one direction, bit of s in that lane)].
    full: all cells of the lanes that moves go by.
    """

    def __init__(self):
        self.masks = [0] * 64
        self.moving = [0] * 64
        self.beams = [[] for _ in range(64)]
        lines = board_lines()
        for number, line in enumerate(lines):
            self._add_line(line, number * STRIDE)
        for number, block in enumerate(corner_blocks(), len(lines)):
            for index, square in enumerate(block):
                self.masks[square] |= 1 << (number * STRIDE + index)
        offset = WIDTH
        for line in lines:
            self._add_line(line[::-1], offset)
            offset += len(line) + 1
        self.step = [mask << 1 for mask in self.moving]
        self.full = sum(self.moving)
        self.flips = [Flips(self, square) for square in range(64)]

    def _add_line(self, line, offset):
        for index, square in enumerate(line):
            self.masks[square] |= 1 << (offset + index)
            self.moving[square] |= 1 << (offset + index)
            if index < len(line) - 1:
                self.beams[square].append((line[index + 1:], offset + index))

    def spread(self, squares):
        """The lanes of a collection of squares."""
        masks = self.masks
        total = 0
        for square in squares:
            total |= masks[square]
        return total

    def trim(self):
        """Forget the flips met so far where they have become many; for the time between two searches."""
        if sum(map(len, self.flips)) > MOST_FLIPS:
            for flips in self.flips:
                flips.clear()
                flips[0] = NO_FLIPS

    def moves(self, own, opp):
        """The squares where the side with `own` turns discs, likely good ones first."""
        ends = (opp + ((own << 1) & opp)) & self.full & ~(own | opp)
        return [square for square in SQUARE_ORDER if ends & self.moving[square]] if ends else []

    def squares(self, lanes):
        """The squares whose bits are set in `lanes`, in rising order."""
        return [square for square, mask in enumerate(self.moving) if lanes & mask]


LANES = Lanes()
