"""The dark squares of a board as bits of one int, and their names.

Two rows take columns + 1 bits, with a gap of one bit after them.  A diagonal step is then the same
shift everywhere, and a step over the edge ends in a gap or outside.  On 8x8 squares,
the shifts are 4 and 5, and White sees these bits:

       0   1   2   3          row 8: squares 1 to 4, b8 to h8
     4   5   6   7            row 7: squares 5 to 8, a7 to g7
       9  10  11  12          bit 8 is a gap
    13  14  15  16

The 50 squares of 10x10 take 54 bits, with shifts of 5 and 6.  They fit into two digits of CPython's
ints, which have 30 bits each.
"""

from __future__ import annotations

from functools import cache

from games.geometry import bitboard
from games.grid import square_name
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Cell, Square

    Bits = int  # a set of squares

# Directions as (columns, ranks): four diagonal steps, then four orthogonal ones, which lead to the
# next dark square.
DIAGONALS = (-1, 1), (1, 1), (-1, -1), (1, -1)
ORTHOGONALS = (0, 2), (0, -2), (-2, 0), (2, 0)


class DraughtsBoard:
    """The squares of a board.  A Square is the index of its bit.

    all: the squares in the order of their numbers.  full: all of them as bits.
    cell[square]: (column, rank) from 0.  at[cell]: the square.
    diagonal: the bits of the long diagonal.  left, right: the shifts of the two steps down.
    letters: are squares named by letter and number, as in chess?  Otherwise they have numbers.
    name[square]: its name.  named[name]: the square with this name, in either form.
    counted: the squares in the order of their names: a1, c1, ... or 1, 2, ...
    """

    def __init__(self, columns: int, letters: bool = False) -> None:
        half = self.left = columns // 2
        self.right, self.columns = half + 1, columns
        self.cell: dict[Square, Cell] = {}
        for row in range(columns):
            for place in range(half):
                square = row // 2 * (columns + 1) + row % 2 * half + place
                self.cell[square] = 2 * place + 1 - row % 2, columns - 1 - row
        self.all = list(self.cell)
        self.at = {cell: square for square, cell in self.cell.items()}
        self.full = bitboard(self.all)
        self.diagonal = bitboard([self.at[place, place] for place in range(columns)])
        numbers = {square: str(number) for number, square in enumerate(self.all, 1)}
        in_letters = {square: square_name(*cell) for square, cell in self.cell.items()}
        self.name = in_letters if letters else numbers
        self.named = {name: square for square, name in [*numbers.items(), *in_letters.items()]}
        by_rank = sorted(self.all, key=lambda square: self.cell[square][::-1])
        self.counted = by_rank if letters else self.all

    def counted_from(self, origin: str) -> list[Square]:
        """Return the squares as Hub counts them: row by row from "top", or by names from "a1"."""
        return self.all if origin == "top" else self.counted

    def ray(self, square: Square, step: Cell) -> list[Square]:
        """Return the squares in one direction, the nearest first."""
        (column, rank), ray = self.cell[square], []
        while (cell := (column + step[0], rank + step[1])) in self.at:
            ray.append(self.at[cell])
            column, rank = cell
        return ray


board_of = cache(DraughtsBoard)  # board_of(columns, letters): the DraughtsBoard, made once


def squares_of(bits: Bits) -> list[Square]:
    """Return the squares of a set in the order of their numbers."""
    return [square for square in range(bits.bit_length()) if bits >> square & 1]


class Numbers(Squares):
    """The numbers of the dark squares, row by row from the top left."""

    column_labels = row_labels = ()
    numbered = True

    def name(self, cell: Cell) -> str:
        """Return the number of a dark square, "" for a light one."""
        board = board_of(self.columns)
        return board.name[board.at[cell]] if cell in board.at else ""
