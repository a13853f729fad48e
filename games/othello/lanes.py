"""The board as lanes: every line of the board, in both directions, side by side in one int a side.

A lane holds one row, column or diagonal (of length 3 or more), and an empty guard bit above its last cell.
Each line has two lanes, one read forwards and one backwards, so that each of the eight directions is "one
bit up" in some lane.  A cell has a bit in each lane through it.  A row with the discs of one side on b, c
and e is, from its lowest bit,

    a b c d e f g h guard             and in its mirror lane    h g f e d c b a guard
    0 1 1 0 1 0 0 0 0                                           0 0 0 1 0 1 1 0 0

One addition then carries through all runs of discs at once.  With `own` and `opp` the lanes of the two sides:

    moves:  (opp + (own << 1 & opp)) & empty    a run of `opp` with a disc of `own` below it carries to its end
    flips:  (opp + (opp & step[s])) & own       the runs that start beside s and end at a disc of `own`: zero
                                                where the move is not legal, else a key to flips[s], which
                                                names the discs to turn

Above these 76 lanes lie 50 more, which only the evaluation reads, laid out for that: see STRIDE.  An int of 1370
bits costs CPython not quite twice an operation on one of 64.  Where nothing is evaluated the upper lanes are cut off:
"bare" lanes are own & MOVING, and bare_flips[s] knows no others.
"""
from __future__ import annotations

from games.othello.squares import PASS, SQUARE_ORDER

MIN_LINE = 3      # shorter diagonals can't hold a run between two discs

# Bits from one pattern lane to the next: eight for the discs of one side, and eight free ones into which the
# evaluation shifts those of the other side.
STRIDE = 16
# Pattern lanes: the 38 lines and the 12 corner blocks.
PATTERNS = 50
# The rows come first, nine bits each: these bits tell the whole position.
ROW = 9
ROWS = (1 << 8 * ROW) - 1


def board_lines():
    """The 38 lines of the board, each a list of squares: rows, columns, diagonals, antidiagonals."""
    rows = [[8 * y + x for x in range(8)] for y in range(8)]
    columns = [[8 * y + x for y in range(8)] for x in range(8)]
    diagonals = [[8 * y + y + d for y in range(8) if 0 <= y + d < 8] for d in range(-7, 8)]
    antidiagonals = [[8 * y + d - y for y in range(8) if 0 <= d - y < 8] for d in range(15)]
    return [line for line in rows + columns + diagonals + antidiagonals if len(line) >= MIN_LINE]


# The lowest bit of the pattern lanes.
PATTERN_BASE = 2 * sum(len(line) + 1 for line in board_lines())
MOVING = (1 << PATTERN_BASE) - 1

SYMMETRIES = 8

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

    The key is `(opp + (opp & step[square])) & own`: one bit a lane, where a run ends at a disc of the mover.
    Filled as keys are met.
    """

    def __init__(self, disc):
        """disc: the lanes of the square."""
        super().__init__()
        self._disc, self._beams = disc, []

    def add_beam(self, offset, cells):
        """In the lane where the square is bit `offset`, these cells (as lanes) lie above it."""
        runs = [0]
        for cell in cells:
            runs.append(runs[-1] | cell)
        self._beams.append((offset + 1, (2 << len(cells)) - 1, runs))

    def __missing__(self, key):
        flipped = swing = 0
        for offset, mask, runs in self._beams:
            end = key >> offset & mask
            if end:
                length = end.bit_length() - 1
                flipped |= runs[length]
                swing += 2 * length
        self[key] = flipped, flipped | self._disc, swing + 1
        return self[key]


class Lanes:
    """What each square means in the lanes.

    masks[s]: the bits of square s.  moving[s]: those in the lanes that moves go by.  step[s]: the bits above
    these.  flips[s]: see Flips.  bare_flips[s]: likewise, without the pattern lanes.
    full: all cells of the lanes that moves go by.
    """

    def __init__(self):
        lines = board_lines()
        mirrored = lines + [line[::-1] for line in lines]
        self.moving, beams, offset = [0] * 64, [], 0
        for line in mirrored:
            for index, square in enumerate(line):
                self.moving[square] |= 1 << offset + index
                beams.append((square, offset + index, line[index + 1:]))
            offset += len(line) + 1
        self.masks = self.moving[:]
        for number, pattern in enumerate(lines + corner_blocks()):
            for index, square in enumerate(pattern):
                self.masks[square] |= 1 << (PATTERN_BASE + number * STRIDE + index)
        self.step = [mask << 1 for mask in self.moving]
        self.full = sum(self.moving)
        self.flips = [Flips(mask) for mask in self.masks]
        self.bare_flips = [Flips(mask) for mask in self.moving]
        for square, offset, cells in beams:
            self.flips[square].add_beam(offset, [self.masks[cell] for cell in cells])
            self.bare_flips[square].add_beam(offset, [self.moving[cell] for cell in cells])

    def spread(self, squares):
        """The lanes of a collection of squares."""
        masks = self.masks
        total = 0
        for square in squares:
            total |= masks[square]
        return total

    def trim(self):
        """Forget the flips met so far where they have become many; for the time between two searches."""
        for family in (self.flips, self.bare_flips):
            if sum(map(len, family)) > MOST_FLIPS:
                for flips in family:
                    flips.clear()

    def moves(self, own, opp):
        """The squares where the side with `own` turns discs, likely good ones first."""
        ends = (opp + ((own << 1) & opp)) & self.full & ~(own | opp)
        return [square for square in SQUARE_ORDER if ends & self.moving[square]] if ends else []

    def after(self, own, opp, move):
        """(own, opp) of the reply to a legal move, which may be PASS."""
        if move == PASS:
            return opp, own
        turned, gained, _ = self.flips[move][(opp + (opp & self.step[move])) & own]
        return opp ^ turned, own | gained

    def squares(self, lanes):
        """The squares whose bits are set in `lanes`, in rising order."""
        return [square for square, mask in enumerate(self.moving) if lanes & mask]


LANES = Lanes()

# What tells positions apart in the tables of the searches.
OWN_FACTOR, OPP_FACTOR = 0x1B9096A0E7D80069, 0x1C963CFEAFAE5A3B
# No Mersenne prime: modulo one of those, bits that lie 61 apart count the same.
PRIME = (1 << 61) - 31


def key_of(own, opp):
    """A number below 2**61 that tells the discs of the side to move and of the other side.

    An unused slot of a table passes for the position with the key 0: the one that might have it is not worth a test.
    """
    return ((own & ROWS) * OWN_FACTOR + (opp & ROWS) * OPP_FACTOR) % PRIME


# Counting bits where ints have no bit_count (before CPython 3.10, and PyPy).
_BITS = (LANES.full.bit_length() + 7) // 8 * 8


def _repeat(pattern, width):
    return sum(pattern << shift for shift in range(0, _BITS, width))


_PAIRS, _NIBBLES, _BYTES = _repeat(0x5, 4), _repeat(0x3, 4), _repeat(0x0F, 8)


def _fold(lanes):
    """The number of bits set, below 255: sums of two, four, eight bits side by side, then all by casting out 255."""
    lanes -= (lanes >> 1) & _PAIRS
    lanes = (lanes & _NIBBLES) + ((lanes >> 2) & _NIBBLES)
    return ((lanes + (lanes >> 4)) & _BYTES) % 255


bit_count = getattr(int, "bit_count", _fold)
