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

# The rows that can win: Gomoku.wins has one of these values for each player.
EXACTLY_FIVE = "exactly five"
FIVE_OR_MORE = "five or more"
FIVE = 5

# The score of a game that the search considers decided although it has not seen the end.  It is
# beyond every evaluation.  It is reduced by 1 for each ply to the decision, at most by MAX_PLIES.
NEARLY_DECIDED: Score = 10_000
MAX_PLIES = 400

# The bits of each cell in a map of the board (maps.py).
LANE = 4
# The steps along the lines, as (columns, rows).
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

# The bits of player 0 in the code of the longest line; those of player 1 are one place higher.
FIRST = sum(1 << 2 * i for i in range(20))


# ---- lines ---------------------------------------------------------------------------


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


# ---- rows ----------------------------------------------------------------------------


def has_exact_five(stones: int) -> bool:
    """Is there a row of exactly five?  stones: of one player in a line, as bits 0, 2, 4 ..."""
    rows = stones & stones >> 2
    rows &= rows >> 4
    return bool(rows & stones >> 8 & ~(stones << 2) & ~(stones >> 10))


def has_five_or_more(stones: int) -> bool:
    """Is there a row of five or more?  stones: as in has_exact_five()."""
    rows = stones & stones >> 2
    rows &= rows >> 4
    return bool(rows & stones >> 8)


# ---- points that Renju forbids -------------------------------------------------------


def forbidden_points(lines: BoardLines, codes: Codes) -> list[Square]:
    """Return the empty cells that are forbidden to Black, whoever is to move."""
    return [
        cell
        for cell in lines.order
        if lines.is_empty(codes, cell) and is_forbidden(lines, codes, cell)
    ]


def is_forbidden(lines: BoardLines, codes: Codes, cell: Square) -> bool:
    """Is the empty `cell` forbidden to Black?  The call changes `codes` and restores them."""
    through = lines.through[cell]
    crossing = [(line, index) for line, index in through if _has_neighbours(codes[line], index)]
    if not crossing:
        return False
    for line, index in through:
        codes[line] += 1 << 2 * index
    answer = _breaks_rule(lines, codes, crossing)
    for line, index in through:
        codes[line] -= 1 << 2 * index
    return answer


def _has_neighbours(code: int, index: int) -> bool:
    """Are at least two black stones within four cells of cell `index`, enough for a three?"""
    near = (code & FIRST) << 10 >> 2 * index + 2 & 0x15555
    return bool(near & near - 1)


def _breaks_rule(lines: BoardLines, codes: Codes, crossing: list[tuple[int, int]]) -> bool:
    """Does a new black stone break a rule?  crossing: (line, index) of the lines to examine."""
    shapes = [_shapes[codes[line], len(lines.cells[line]), index] for line, index in crossing]
    if any(five for five, _, _, _ in shapes):
        return False
    if any(overline for _, overline, _, _ in shapes):
        return True
    if sum(fours for _, _, fours, _ in shapes) > 1:
        return True
    threes = [
        [lines.cells[line][point] for point in points]
        for (line, _), (_, _, _, points) in zip(crossing, shapes)
        if points
    ]
    if len(threes) < 2:
        return False
    return sum(any(_may_extend(lines, codes, cell) for cell in cells) for cells in threes) > 1


def _shape_of(stone: tuple[int, int, int]) -> Shape:
    """Return the Shape that a stone makes on a line.

    stone: (code of the line, length of the line, index of the stone in it).
    """
    stones = stone[0] & FIRST
    fours, points = _count_fours(*stone), _straight_four_points(*stone)
    overline = has_five_or_more(stones & stones >> 2)
    return has_exact_five(stones), overline, fours, points


_shapes = Lazy(_shape_of, most=1 << 15)


def _count_fours(code: int, length: int, index: int) -> int:
    """Return the number of fours in a line that include the stone at `index`."""
    fours = set()
    for start in range(max(index - FIVE + 1, 0), min(index, length - FIVE) + 1):
        window = range(start, start + FIVE)
        gap = _gap(code, window)
        if gap is not None and _is_apart(code, start, start + FIVE):
            fours.add(tuple(cell for cell in window if cell != gap))
    return len(fours)


def _straight_four_points(code: int, length: int, index: int) -> list[int]:
    """Return the cells of a line where a stone makes a straight four with the stone at `index`."""
    points = []
    # Look for six cells with no black stone next to them: the first and the last are empty, and the
    # four between have three black stones.
    for start in range(max(index - 4, 0), min(index, length - 5)):
        gap = _gap(code, range(start + 1, start + 5))
        ends_empty = not code >> 2 * start & 3 and not code >> 2 * start + 10 & 3
        if gap is not None and ends_empty and _is_apart(code, start, start + 6):
            points.append(gap)
    return points


def _gap(code: int, window: range) -> int | None:
    """Return the empty cell of a window whose other cells all have black stones.

    None if the window has no such cell.
    """
    gaps = [cell for cell in window if not code >> 2 * cell & 1]
    return gaps[0] if len(gaps) == 1 and not code >> 2 * gaps[0] & 2 else None


def _is_apart(code: int, start: int, end: int) -> bool:
    """Is no black stone adjacent to the cells from `start` up to, but not including, `end`?"""
    return not (code << 2 >> 2 * start & 1 or code >> 2 * end & 1)


def _may_extend(lines: BoardLines, codes: Codes, cell: Square) -> bool:
    """Would a black stone on `cell` be permitted and not make five?"""
    for line, index in lines.through[cell]:
        if has_exact_five(codes[line] & FIRST | 1 << 2 * index):
            return False
    return not is_forbidden(lines, codes, cell)
