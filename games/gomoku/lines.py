"""The lines of a square board, and the stones on one line as an int.

A line of at least five cells, in one of the four directions, has a code of two bits a cell: bit 2i is set where
its cell i has a stone of player 0, bit 2i + 1 where it has one of player 1.  Cells are numbered row by row from
rank 1: cell = row * size + column.
"""
from __future__ import annotations

from random import Random

FIVE = 5
# The bits of player 0 on the longest line; those of player 1 lie one higher.
FIRST = sum(1 << 2 * i for i in range(20))
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))     # steps in columns and rows

_boards = {}


class Lines:
    """The lines of a board of `size` rows; made once a size, see `lines_of`.

    lines: the cells of each line.  through: for each cell the pairs (line, index of the cell in it), up to four.
    rays: for each cell the tuples (line, index, cells) of its lines; `cells` has the bits of those cells of the
    line that may share a row of five with it, its own included.
    order: all cells, those in the middle first.  keys: Zobrist keys, two lists of one int a cell.
    """

    def __init__(self, size):
        self.size = size
        self.lines = [line for step in _DIRECTIONS for line in _lines_along(size, *step)]
        self.through = [[] for _ in range(size * size)]
        for number, line in enumerate(self.lines):
            for index, cell in enumerate(line):
                self.through[cell].append((number, index))
        self.rays = [[(line, index, self._near(line, index)) for line, index in pairs] for pairs in self.through]
        self.order = sorted(range(size * size), key=self._distance)
        generator = Random(20 * size + 1)
        self.keys = tuple([generator.getrandbits(61) for _ in range(size * size)] for _ in range(2))

    def _near(self, line, index):
        """The bits of the cells of a line that are at most four from the cell `index`."""
        return sum(1 << cell for cell in self.lines[line][max(index - FIVE + 1, 0):index + FIVE])

    def _distance(self, cell):
        """Twice the distance from the middle, the larger of the two directions first."""
        row, column = divmod(cell, self.size)
        across, along = abs(2 * column - self.size + 1), abs(2 * row - self.size + 1)
        return max(across, along), across + along


def _lines_along(size, columns, rows):
    """All lines of one direction that five stones fit on."""
    found = []
    for start in range(size * size):
        row, column = divmod(start, size)
        if 0 <= row - rows < size and 0 <= column - columns < size:
            continue                                # not the first cell of its line
        line = []
        while 0 <= row < size and 0 <= column < size:
            line.append(row * size + column)
            row, column = row + rows, column + columns
        if len(line) >= FIVE:
            found.append(tuple(line))
    return found


def lines_of(size):
    """The Lines of a board of `size` rows."""
    if size not in _boards:
        _boards[size] = Lines(size)
    return _boards[size]


def has_exact_five(stones):
    """Do the stones of one player (bits 0, 2, 4 …) have a row of exactly five?"""
    rows = stones & stones >> 2
    rows &= rows >> 4
    rows &= stones >> 8
    return rows & ~(stones << 2) & ~(stones >> 10)


def has_five_or_more(stones):
    """Do the stones of one player (bits 0, 2, 4 …) have a row of five or more?"""
    rows = stones & stones >> 2
    rows &= rows >> 4
    return rows & stones >> 8


def has_overline(stones):
    """Do the stones of one player (bits 0, 2, 4 …) have a row of six or more?"""
    rows = stones & stones >> 2
    rows &= rows >> 4
    return rows & stones >> 8 & stones >> 10
