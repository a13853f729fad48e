"""Sets of cells of the Connect Four board as ints, a bit a cell.

The layout of John Tromp and Pascal Pons: a column takes seven bits, the lowest cell first, and the seventh stays
empty, so that no line runs from the top of a column into the foot of the next one:

     6 13 20 27 34 41 48      (always empty)
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

Neighbours differ by 1 (up), 7 (right), 8 (up right) and 6 (down right).  With `mask` the set of all stones,
`mask + BOTTOM_ROW` has the one bit above each column's stones, and `stones + mask` of either player tells the
whole position.
"""
from __future__ import annotations

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1

BOTTOM_ROW = sum(1 << HEIGHT * column for column in range(COLUMNS))
BOARD = BOTTOM_ROW * ((1 << ROWS) - 1)
COLUMN_MASKS = tuple(((1 << ROWS) - 1) << HEIGHT * column for column in range(COLUMNS))
COLUMN_BOTTOMS = tuple(1 << HEIGHT * column for column in range(COLUMNS))

# The rows 1, 3, 5 and the rows 2, 4, 6 as they are counted by people.
ODD_ROWS = BOTTOM_ROW * 0b010101
EVEN_ROWS = BOTTOM_ROW * 0b101010

# The centre takes part in the most lines.
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)

if hasattr(int, "bit_count"):
    count_bits = int.bit_count
else:
    def count_bits(cells):
        """The number of cells in a set."""
        return bin(cells).count("1")


def landing_cell(mask, column):
    """The cell where a stone in `column` lands; 0 where it is full."""
    return mask + COLUMN_BOTTOMS[column] & COLUMN_MASKS[column]


def play(mine, mask, column):
    """(mine, mask) for the other side after a stone in `column`."""
    return mine ^ mask, mask | landing_cell(mask, column)


def has_four(stones):
    """Is there a line of four (or more) among `stones`?"""
    for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def lines_of_three(stones, cell=0, _known=0):
    """The cells that complete a line of four of `stones` and a stone on `cell`, taken cells among them.

    Sets are shifted down, and up again only after the lines' ends have dropped out: every value stays below
    2**62, a machine word for PyPy.  (A long that slips into its search makes that four times slower.)
    """
    stones |= cell
    found = (stones & stones >> 1 & stones >> 2) << 3
    pairs = stones & stones >> 7
    triples = pairs & pairs >> 7
    found |= triples << 21 | triples >> 7 | (pairs & stones >> 21) << 14 | (stones & pairs >> 14) << 7
    pairs = stones & stones >> 6
    triples = pairs & pairs >> 6
    found |= triples << 18 | triples >> 6 | (pairs & stones >> 18) << 12 | (stones & pairs >> 12) << 6
    pairs = stones & stones >> 8
    triples = pairs & pairs >> 8
    found |= triples << 24 | triples >> 8 | (pairs & stones >> 24) << 16 | (stones & pairs >> 16) << 8
    return found & BOARD


def winning_cells(stones, mask):
    """The empty cells where one more stone would complete a line of four of `stones`, reachable now or not."""
    return lines_of_three(stones) & ~mask


def mirrored(cells):
    """The set with left and right exchanged; also of a sum of two sets whose columns stay below 128."""
    return ((cells & 127) << 42 | (cells >> 7 & 127) << 35 | (cells >> 14 & 127) << 28 | (cells >> 21 & 127) << 21
            | (cells >> 28 & 127) << 14 | (cells >> 35 & 127) << 7 | cells >> 42)
