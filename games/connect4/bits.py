"""Sets of cells of the Connect Four board as ints, one bit for each cell.

The layout is that of John Tromp and Pascal Pons: a column takes seven bits, the lowest
cell first, and the seventh stays empty, so that no line can go on from the top of a column to the
bottom of the next column:

     6 13 20 27 34 41 48      (always empty)
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

Neighbours differ by 1 (up), 7 (right), 8 (up right) and 6 (down right).  If `mask` is the set of
all stones and `stones` the set of one player's, `mask + BOTTOM_ROW` has one bit above each column's
stones, and `stones + mask` identifies the whole position.

A threat is an empty cell where one more stone completes a line of four.
"""

from __future__ import annotations

import sys
from functools import cache, partial

from games.data import Lazy
from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import TypeAlias

    # A set of cells.
    Cells: TypeAlias = int
    # threats(own, cell, known): the cells where one more stone completes a line of four, after a
    # stone on `cell` has been added to `own`.  Some of these cells may be occupied.  known: the
    # cells that complete a line without the stone on `cell`.
    FindThreats: TypeAlias = Callable[[Cells, Cells, Cells], Cells]

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1

BOTTOM_ROW = sum(1 << HEIGHT * column for column in range(COLUMNS))
BOARD = BOTTOM_ROW * ((1 << ROWS) - 1)
COLUMN_MASKS = tuple(((1 << ROWS) - 1) << HEIGHT * column for column in range(COLUMNS))
COLUMN_BOTTOMS = tuple(1 << HEIGHT * column for column in range(COLUMNS))

# The rows 1, 3, 5 and the rows 2, 4, 6, counted from 1.
ODD_ROWS = BOTTOM_ROW * 0b010101
EVEN_ROWS = BOTTOM_ROW * 0b101010

# Columns from the centre to the edges, since most lines of four cross the centre.
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def landing_cell(mask: Cells, column: int) -> Cells:
    """Return the cell where a stone in `column` lands, 0 if the column is full."""
    return mask + COLUMN_BOTTOMS[column] & COLUMN_MASKS[column]


def score_range(empties: int) -> tuple[int, int]:
    """Return the (least, greatest) score (see solver.py) with this number of empty cells."""
    return -(empties >> 1), empties + 1 >> 1


def play(own: Cells, mask: Cells, column: int) -> tuple[Cells, Cells]:
    """Return (own, mask) for the other side after a stone in `column`."""
    return own ^ mask, mask | landing_cell(mask, column)


def has_four(stones: Cells) -> bool:
    """Is there a line of four (or more) among `stones`?"""
    for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def winning_cells(stones: Cells, mask: Cells) -> Cells:
    """Return the empty cells where one more stone would complete a line of four of `stones`.

    A stone may not be able to land there yet.
    """
    return threats_by_shifts(stones) & ~mask


def ordered_columns(own: Cells, mask: Cells) -> list[int]:
    """Return the columns that are not full, likely good ones first.

    First come those that stop a line of the opponent, even if another line can't be stopped.
    """
    lost = winning_cells(own ^ mask, mask)

    def rank(column: int) -> tuple[bool, int]:
        cell = landing_cell(mask, column)
        return not lost & cell, -count_bits(winning_cells(own | cell, mask | cell))

    return sorted([column for column in CENTRE_FIRST if landing_cell(mask, column)], key=rank)


def mirrored(cells: Cells) -> Cells:
    """Return the set with left and right exchanged; this also mirrors the sum of two sets."""
    edges = (cells & 127) << 42 | cells >> 42
    between = (cells >> 7 & 127) << 35 | (cells >> 35 & 127) << 7
    beside_centre = (cells >> 14 & 127) << 28 | (cells >> 28 & 127) << 14
    return edges | between | beside_centre | (cells & 127 << 21)


# ---- threats ------------------------------------------------------------------------


def threats_by_shifts(stones: Cells, cell: Cells = 0, known: Cells = 0) -> Cells:
    """Find threats from scratch; see FindThreats.  On PyPy this is faster than a look-up.

    Bitboards are shifted down first, and up again only when the ends of the lines have
    dropped out.  So every value stays below 2**62, which is a machine word on PyPy; a single larger
    int would make the search four times slower.
    """
    stones |= cell
    threats = (stones & stones >> 1 & stones >> 2) << 3
    pairs = stones & stones >> 7
    triples = pairs & pairs >> 7
    threats |= triples << 21 | triples >> 7
    threats |= (pairs & stones >> 21) << 14 | (stones & pairs >> 14) << 7
    pairs = stones & stones >> 6
    triples = pairs & pairs >> 6
    threats |= triples << 18 | triples >> 6
    threats |= (pairs & stones >> 18) << 12 | (stones & pairs >> 12) << 6
    pairs = stones & stones >> 8
    triples = pairs & pairs >> 8
    threats |= triples << 24 | triples >> 8
    threats |= (pairs & stones >> 24) << 16 | (stones & pairs >> 16) << 8
    return threats & BOARD


def threats_by_tables() -> FindThreats:
    """Return a FindThreats for CPython: two look-ups in tables that are filled on demand."""
    tables = {}
    for cell in [1 << bit for bit in range(HEIGHT * COLUMNS)]:
        # The Lazy tables call this for each new key.  A key is the player's stones near the cell.
        with_cell = partial(threats_by_shifts, cell)
        straight, diagonal = _near(cell, 1, HEIGHT), _near(cell, HEIGHT - 1, HEIGHT + 1)
        tables[cell] = straight, Lazy(with_cell), diagonal, Lazy(with_cell)

    def threats(own: Cells, cell: Cells, known: Cells) -> Cells:
        straight, by_straight, diagonal, by_diagonal = tables[cell]
        return known | by_straight[own & straight] | by_diagonal[own & diagonal]

    return threats


def _near(cell: Cells, *steps: int) -> Cells:
    """Return the cells that can share a line of four with `cell`, which is one of them.

    steps: differences between neighbours in the directions of the lines.
    """
    cells = 0
    for step in steps:
        line = cell
        for _ in range(3):
            line |= (line << step | line >> step) & BOARD
        cells |= line
    return cells


@cache
def fastest_threats() -> FindThreats:
    """Return the fastest FindThreats for this interpreter; all solvers share it."""
    return threats_by_shifts if sys.implementation.name == "pypy" else threats_by_tables()
