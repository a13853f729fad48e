"""What a learned evaluation looks at: cells, patterns of cells, symmetries, phases.

A position is read as a row of small numbers, its *codes*: one for each cell of `board()`,
a1 first (0 is an empty cell), or the game's own `features()`.  A pattern is a tuple of
cells; what stands on them, read as the digits of one number, is its *content*, and each
content has a weight.  The evaluation is the sum of the weights of all patterns (an n-tuple
network: Lucas 2008, "Learning to Play Othello with N-tuple Systems").

It is seen from the side to move, which has weights of its own unless the players can change
sides: then a position of the second player is looked at as one of the first.  Positions
that symmetry maps to each other share their weights.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from games.base import Position

    # (where each cell goes, do the players change sides?)
    Symmetry = tuple[tuple[int, ...], bool]

BOARD, FEATURES = "board", "features"
EMPTY = "."
# Features count at most so far; what is more counts as that.
MOST = 63
# The content of a group is a number below that.
_LARGEST = 1 << 62


class Layout:
    """What is looked at, as plain data: it fits into the header of a weights file.

    kind: BOARD or FEATURES.  columns, rows: of the board; features are one row. symbols:
    what stands on cells, the empty cell first; of features the numbers from 0, as texts.
    patterns: tuples of cells.  symmetries: pairs (where each cell goes, do the players
    change sides?), all but the identity; with any two of them the one after the other is
    among them. borders: from so many occupied cells on it is the next phase. follows: does
    a key's change tell with the move which cells change?  Then make and undo keep the
    contents up to date.
    """

    def __init__(self, kind: str, columns: int, rows: int, symbols: Sequence[str],
                 patterns: Iterable[Sequence[int]], symmetries: Iterable[Any] = (),
                 borders: Sequence[int] = (), follows: bool = False) -> None:
        self.kind, self.columns, self.rows, self.symbols = kind, columns, rows, list(symbols)
        self.patterns = [tuple(pattern) for pattern in patterns]
        self.symmetries: list[Symmetry] = [
            (tuple(cells), bool(swap)) for cells, swap in symmetries]
        self.borders, self.follows = list(borders), follows
        self._codes = {symbol: code for code, symbol in enumerate(self.symbols)}

    def data(self) -> dict[str, Any]:
        """It as JSON would have it; Layout(**data) is the same again."""
        return {"kind": self.kind, "columns": self.columns, "rows": self.rows,
                "symbols": self.symbols, "patterns": self.patterns,
                "symmetries": self.symmetries, "borders": self.borders, "follows": self.follows}

    @property
    def base(self) -> int:
        """How many codes there are."""
        return len(self.symbols)

    @property
    def cells(self) -> int:
        """How many cells or features there are."""
        return self.columns * self.rows

    @property
    def phases(self) -> int:
        """How many phases there are."""
        return len(self.borders) + 1

    def misfit(self, position: Position) -> str | None:
        """Why it can't read the position, in words; None where it can."""
        if self.kind == FEATURES:
            found = len(position.features())
            if found == self.cells:
                return None
            return f"they are of {self.cells} features, the game has {found}"
        board = position.board()
        size = f"{len(board[0])}x{len(board)}" if board else "none"
        if size == f"{self.columns}x{self.rows}":
            return None
        return f"its board is {self.columns}x{self.rows}, the game's {size}"

    def reader(self) -> Callable[[Position], Sequence[int]]:
        """codes(position): the codes of its cells.

        What was never seen while the weights were learned counts as an empty cell.
        """
        if self.kind == FEATURES:
            most = self.base - 1
            return lambda position: [code if code < most else most for code in position.features()]
        codes = self._codes
        single = {symbol for symbol in self.symbols if len(symbol) == 1 and symbol.isascii()}
        table = bytes(codes[chr(code)] if chr(code) in single else 0 for code in range(256))
        characters = len(single) == len(codes)

        def read(position: Position) -> Sequence[int]:
            rows = position.board() or ()
            if characters and isinstance(rows[0], str):
                # The same at once, where each cell is a character.
                return "".join(map(str, rows)).encode("ascii", "replace").translate(table)
            return [codes.get(cell, 0) for row in rows for cell in row]

        return read

    def phase_table(self) -> list[int]:
        """The phase by the number of occupied cells."""
        return [sum(count >= border for border in self.borders) for count in range(self.cells + 1)]

    def twins(self) -> list[int]:
        """The code of what stands there once the players have changed sides."""
        if self.kind == FEATURES:
            return list(range(self.base))
        return [self._codes.get(swapped(symbol), code) for code, symbol in enumerate(self.symbols)]

    def square(self, cell: int) -> str:
        """What a cell is called."""
        if self.kind == FEATURES:
            return str(cell + 1)
        from games.grid import square_name

        row, column = divmod(cell, self.columns)
        return square_name(column, row)

    def tables(self) -> tuple[list[list[list[int]]], int]:
        """(the number of the weight by side, pattern and content; how many weights a phase has).

        Contents that symmetry maps to each other have the same weight.
        """
        group: list[Symmetry] = [(tuple(range(self.cells)), False), *self.symmetries]
        places: dict[tuple[int, tuple[int, ...]], int] = {}
        size, sides = 0, []
        for side in (0, 1):
            numbers = []
            for pattern in self.patterns:
                images = [((side ^ swap, tuple(sorted(cells[cell] for cell in pattern))),
                           cells, swap) for cells, swap in group]
                place = min(image[0] for image in images)
                if place not in places:
                    places[place] = size
                    size += self.base ** len(pattern)
                alike = {tuple(self._moved(pattern, place[1], cells, swap))
                         for image, cells, swap in images if image == place}
                first = places[place]
                numbers.append([first + min(same) for same in zip(*alike)])
            sides.append(numbers)
        return sides, size

    def _moved(self, pattern: Sequence[int], place: Sequence[int], cells: Sequence[int],
               swap: bool) -> list[int]:
        """For each content of a pattern that of `place`, where a symmetry carries it."""
        twins = self.twins() if swap else list(range(self.base))
        contents = [0]
        for cell in pattern:
            place_value = self.base ** (len(place) - 1 - place.index(cells[cell]))
            parts = [code * place_value for code in twins]
            contents = [content + part for content in contents for part in parts]
        return contents


def swapped(symbol: str) -> str:
    """What a cell shows once the players have changed sides: O for X, a small letter for a big."""
    return {"X": "O", "O": "X"}.get(symbol, symbol.swapcase())


class Groups:
    """The patterns gathered into groups of cells, so that few numbers tell all their contents.

    cells: of each group, most significant digit first.  members: the numbers of its
    patterns. single: each pattern is a group of its own.
    """

    def __init__(self, layout: Layout, single: bool = False) -> None:
        self._layout = layout
        if single:
            self.cells = list(layout.patterns)
            self.members = [[number] for number in range(len(self.cells))]
            return
        bands = [band for band in _bands(layout) if layout.base ** len(band) < _LARGEST]
        found: dict[tuple[int, ...], list[int]] = {}
        for number, pattern in enumerate(layout.patterns):
            home = next((band for band in bands if band.issuperset(pattern)), frozenset(pattern))
            found.setdefault(tuple(sorted(home)), []).append(number)
        self.cells, self.members = _merged(found, _digits(layout))

    def places(self) -> list[list[tuple[int, int]]]:
        """By cell: [(group, what a code of 1 adds to its content)]."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(self._layout.cells)]
        for group, cells in enumerate(self.cells):
            for place, cell in enumerate(reversed(cells)):
                found[cell].append((group, self._layout.base ** place))
        return found

    def counter(self) -> Callable[[Position], tuple[int, ...]]:
        """numbers(position): the contents of the groups, and last how many cells are occupied.

        Only what differs from the position of the call before is counted.
        """
        read, size, places = self._layout.reader(), len(self.cells), self.places()
        empty: Sequence[int] = [0] * self._layout.cells
        # What was seen last, in one piece: threads may share it.
        last = [(empty, (0,) * (size + 1))]

        def numbers(position: Position) -> tuple[int, ...]:
            codes, (before, known) = read(position), last[0]
            found = list(known)
            for cell, code in enumerate(codes):
                old = before[cell]
                if code != old:
                    found[size] += (code > 0) - (old > 0)
                    for group, place_value in places[cell]:
                        found[group] += (code - old) * place_value
            result = tuple(found)
            last[0] = codes, result
            return result

        return numbers


def _digits(layout: Layout) -> int:
    """How many cells small groups may have together: as many as two rows or columns."""
    most = 2 * max(layout.columns, layout.rows)
    while layout.base ** most >= _LARGEST:
        most -= 1
    return most


def _merged(groups: dict[tuple[int, ...], list[int]],
            most: int) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """(cells, members) of the groups, neighbours put together while they have few cells."""
    cells: list[tuple[int, ...]] = []
    members: list[list[int]] = []
    for key, numbers in groups.items():
        if cells and len(cells[-1]) < most and len({*cells[-1], *key}) <= most:
            cells[-1] = tuple(sorted({*cells[-1], *key}))
            members[-1] += numbers
        else:
            cells.append(key)
            members.append(list(numbers))
    return cells, members


def _bands(layout: Layout) -> list[frozenset[int]]:
    """Two rows, and two columns, that lie side by side."""
    columns, rows = layout.columns, layout.rows
    return [frozenset(range(row * columns, (row + 2) * columns)) for row in range(rows - 1)] + [
        frozenset(row * columns + column + aside for row in range(rows) for aside in (0, 1))
        for column in range(columns - 1)]
