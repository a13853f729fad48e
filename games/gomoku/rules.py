"""The rules: which rows win, and which points Renju forbids to Black.

A line of at least five cells, in one of the four directions, has a code of two bits for each
cell: bit 2i is set if its cell i has a stone of player 0, bit 2i + 1 if it has one of player 1.
Cells are numbered row by row from rank 1: cell = row * size + column.

Overline, double-four and double-three are forbidden, as the Renju International Federation
defines them.  A four is four stones to which one more makes exactly five.  A straight four is
four in a row to which a stone at either end makes exactly five.  A three is three stones to
which one more makes a straight four, if Black may play that point: it must not make five, and
must not be forbidden by the same rules.  Five overrides all prohibitions: a move that makes
exactly five is allowed and wins.
"""

from __future__ import annotations

import re
from random import Random

from games.data import Lazy
from games.grid import lines_along

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Key, Score, Square

    # The codes of all lines of a board.
    Codes = list[int]
    # What a stone makes in a line: (a five?, an overline?, number of fours, points where another
    # stone makes a straight four).
    Shape = tuple[bool, bool, int, list[int]]

PASS = 400  # Renju's pass; the cells of every board have lower numbers

FIVE = 5

# The score of a game that the search considers decided although it has not seen the end.  It is
# beyond every evaluation.  It is reduced by 1 for each ply to the decision, at most by MAX_PLIES.
NEARLY_DECIDED: Score = 10_000
MAX_PLIES = 400

# The bits of each cell in a map of the board (maps.py).
LANE = 4
# The steps along the lines, as (columns, rows), all to cells with higher numbers.
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))

# The bits of player 0 in the code of the longest line; those of player 1 are one place higher.
FIRST = sum(1 << 2 * i for i in range(20))


# ---- lines ---------------------------------------------------------------------------


class BoardLines:
    """The lines of a board of `size` rows, made once for each size: see LINES_OF.

    cells[line]: its cells in order.  The first lines are the rows of the board.
    through[cell]: the lines through a cell, up to four, as (line, index of the cell in it, the
        cells of the line at most four away as lanes).
    order: all cells, those in the middle first.
    keys[player][cell]: Zobrist keys.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        lines = (line for step in _DIRECTIONS for line in lines_along(size, size, *step))
        self.cells = [line for line in lines if len(line) >= FIVE]
        self.through: list[list[tuple[int, int, int]]] = [[] for _ in range(size * size)]
        for line, cells in enumerate(self.cells):
            for index, cell in enumerate(cells):
                around = cells[max(index - FIVE + 1, 0) : index + FIVE]
                lanes = sum(1 << LANE * other for other in around)
                self.through[cell].append((line, index, lanes))
        self.order: list[Square] = sorted(range(size * size), key=self._distance)
        generator = Random(20 * size + 1)
        self.keys: list[list[Key]] = [
            [generator.getrandbits(61) for _ in range(size * size)] for _ in "12"
        ]

    def is_empty(self, codes: Codes, cell: Square) -> bool:
        """Is `cell` empty on the board with these codes?"""
        row, column = divmod(cell, self.size)
        return not codes[row] >> 2 * column & 3

    def add(self, codes: Codes, cell: Square, stone: int) -> None:
        """Add `stone` (1 for player 0, 2 for player 1; negative to remove it) to the codes."""
        for line, index, _ in self.through[cell]:
            codes[line] += stone << 2 * index

    def _distance(self, cell: Square) -> tuple[int, int]:
        """Return a key by which to sort cells by their distance from the middle.

        The distances in columns and in rows are doubled, to be whole numbers; the key is (the
        larger one, their sum).
        """
        row, column = divmod(cell, self.size)
        across, along = abs(2 * column - self.size + 1), abs(2 * row - self.size + 1)
        return max(across, along), across + along


LINES_OF = Lazy(BoardLines)  # {size of the board: its BoardLines}


def _line_text(line: tuple[int, int]) -> str:
    """Return the cells of a line (code, length): x a stone of player 0, o of player 1, . empty."""
    code, length = line
    return "".join([".xo"[code >> 2 * cell & 3] for cell in range(length)])


# {(code of a line, its length): its cells as text}
LINE_TEXTS = Lazy(_line_text, most=1 << 13)


# ---- rows ----------------------------------------------------------------------------


def has_five(stones: int, exact: bool) -> bool:
    """Is there a row of five or, unless it must be `exact`, a longer one?

    stones: of one player in a line, as bits 0, 2, 4 ...
    """
    pairs = stones & stones >> 2
    fives = pairs & pairs >> 4 & stones >> 8
    if exact:
        fives &= ~(stones << 2 | stones >> 10)
    return bool(fives)


# ---- points that Renju forbids -------------------------------------------------------

# The effects that a black stone on an empty cell can have.
_WINNING, _PERMITTED, _FORBIDDEN = "winning", "permitted", "forbidden"


def is_forbidden(lines: BoardLines, codes: Codes, cell: Square) -> bool:
    """Is the empty `cell` forbidden to Black?"""
    return _effect(lines, codes, cell) == _FORBIDDEN


def _effect(lines: BoardLines, codes: Codes, cell: Square) -> str:
    """Return the effect of a black stone on the empty `cell`: winning, permitted or forbidden."""
    crossing = [
        (line, index)
        for line, index, _ in lines.through[cell]
        if _has_neighbours(codes[line], index)
    ]
    if not crossing:
        return _PERMITTED
    codes = codes[:]
    lines.add(codes, cell, 1)
    shapes = [_shapes[codes[line], len(lines.cells[line]), index] for line, index in crossing]
    fives, overlines, fours, extensions = zip(*shapes)
    if any(fives):
        return _WINNING
    if any(overlines) or sum(fours) > 1:
        return _FORBIDDEN
    if sum(map(bool, extensions)) < 2:
        return _PERMITTED
    threes = 0
    for (line, _), points in zip(crossing, extensions):
        cells = lines.cells[line]
        threes += any(_effect(lines, codes, cells[point]) == _PERMITTED for point in points)
    return _FORBIDDEN if threes > 1 else _PERMITTED


def _has_neighbours(code: int, index: int) -> bool:
    """Are at least two black stones within four cells of cell `index`, enough for a three?"""
    near = (code & FIRST) << 10 >> 2 * index + 2 & 0x15555
    return bool(near & near - 1)


# In a line as text, x is a black stone.  _FOUR: four stones and the cell where another makes five.
# _STRAIGHT_FOUR: three stones, the cell where another makes a straight four, and the empty cells at
# both ends.  In both patterns, no other black stone may be next to the matching cells.
_FOUR = re.compile(r"(?<!x)(?=(\.xxxx|x\.xxx|xx\.xx|xxx\.x|xxxx\.)(?!x))")
_STRAIGHT_FOUR = re.compile(r"(?<!x)(?=\.(\.xxx|x\.xx|xx\.x|xxx\.)\.(?!x))")


def _shape_of(stone: tuple[int, int, int]) -> Shape:
    """Return the Shape that a stone makes on a line.

    stone: (code of the line, length of the line, index of the stone in it).
    """
    code, length, index = stone
    text = LINE_TEXTS[code, length]
    # A straight four matches twice, once with the cell at each end.  It counts once, since fours
    # are told apart by their first stones.
    fours = {
        four.start() + (four[1][0] == ".")
        for four in _FOUR.finditer(text)
        if four.start() <= index < four.start() + FIVE
    }
    points = [
        four.start(1) + four[1].index(".")
        for four in _STRAIGHT_FOUR.finditer(text)
        if four.start(1) <= index < four.end(1)
    ]
    return has_five(code & FIRST, True), "xxxxxx" in text, len(fours), points


_shapes = Lazy(_shape_of, most=1 << 15)
