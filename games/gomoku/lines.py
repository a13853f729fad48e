"""The lines of a square board, and the stones on one line as an int.

A line of at least five cells, in one of the four directions, has a code of two bits for
each cell: bit 2i is set if its cell i has a stone of player 0, bit 2i + 1 if it has one
of player 1.  Cells are numbered row by row from rank 1: cell = row * size + column.
"""

from __future__ import annotations

from random import Random

from games.data import Lazy
from games.gomoku.rules import FIVE
from games.grid import lines_along

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Key, Square

    Codes = list[int]  # the codes of all lines of a board

LANE = 4  # bits for each cell of the board in a map (maps.py)
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))  # steps in columns and rows


class BoardLines:
    """The lines of a board of `size` rows, made once for each size: see LINES_OF.

    cells[line]: its cells in order.
    through[cell]: the lines through a cell, up to four, as (line, index of the cell in it).
    near[cell]: for each of these lines, (line, index, the cells of the line at most four away, as
        lanes).
    order: all cells, those in the middle first.
    keys[player][cell]: Zobrist keys.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        lines = (line for step in _DIRECTIONS for line in lines_along(size, size, *step))
        self.cells = [line for line in lines if len(line) >= FIVE]
        self.through: list[list[tuple[int, int]]] = [[] for _ in range(size * size)]
        for line, cells in enumerate(self.cells):
            for index, cell in enumerate(cells):
                self.through[cell].append((line, index))
        self.near = [
            [(line, index, self._near(line, index)) for line, index in pairs]
            for pairs in self.through
        ]
        self.order: list[Square] = sorted(range(size * size), key=self._distance)
        generator = Random(20 * size + 1)
        self.keys: tuple[list[Key], list[Key]] = (
            [generator.getrandbits(61) for _ in range(size * size)],
            [generator.getrandbits(61) for _ in range(size * size)],
        )

    def is_empty(self, codes: Codes, cell: Square) -> bool:
        """Is `cell` empty on the board with these codes?"""
        line, index = self.through[cell][0]
        return not codes[line] >> 2 * index & 3

    def _near(self, line: int, index: int) -> int:
        first = max(index - FIVE + 1, 0)
        return sum(1 << LANE * cell for cell in self.cells[line][first : index + FIVE])

    def _distance(self, cell: Square) -> tuple[int, int]:
        """Return a key by which to sort cells by their distance from the middle.

        The distances in columns and in rows are doubled, to be whole numbers; the key is (the
        larger one, their sum).
        """
        row, column = divmod(cell, self.size)
        across, along = abs(2 * column - self.size + 1), abs(2 * row - self.size + 1)
        return max(across, along), across + along


LINES_OF = Lazy(BoardLines)  # {size of the board: its BoardLines}
