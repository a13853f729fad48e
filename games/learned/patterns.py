"""Layouts of learned evaluations: cells, patterns of cells, symmetries, phases.

A position is read as a row of small numbers, its *codes*: one for each cell of
`board()`, a1 first (0 is an empty cell), or the game's own `features()`.  A pattern is a
tuple of cells; the codes on them, read as the digits of one number, are its *content*,
and each content has a weight.  The evaluation is the sum of the weights of all patterns
(an n-tuple network: Lucas 2008, "Learning to Play Othello with N-tuple Systems").

The evaluation is for the side to move.  Each player has weights of its own, unless the players can
change sides.  If they can, a position with the second player to move is read with the players
exchanged.  Positions that a symmetry maps to each other share their weights.
"""

from __future__ import annotations

from functools import cached_property

from games.data import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from games.base import Position
    from games.texts import Squares

    Cells = tuple[int, ...]
    # (the new index of each cell, whether the players change sides)
    Symmetry = tuple[Cells, bool]

BOARD, FEATURES = "board", "features"
EMPTY = "."
# The greatest number that features() may contain.
MAX_FEATURE = 63
# Maximum number of contents of a group of patterns, unless one of its patterns has more.
_MAX_TOGETHER = 7_000


class Layout(Fields):
    """A layout as plain data, which fits into the header of a weights file.

    kind: BOARD or FEATURES.  columns, rows: size of the board; features are one row.
    symbols: the texts that a cell may contain, the empty cell first; for features, the numbers
    from 0 as texts.
    patterns: tuples of cells.
    symmetries: pairs (the new index of each cell, do the players change sides?), all but the
    identity, closed under composition.
    borders: counts of occupied cells at which the next phase begins.
    follows: True if a move, together with the change that it makes to the key, determines which
    cells change; make() and undo() then update the contents of the patterns.
    base: number of codes.  cells: number of cells or features.  phases: number of phases.
    """

    kind: str
    columns: int
    rows: int
    symbols: Sequence[str]
    patterns: Sequence[Cells]
    symmetries: Sequence[Symmetry] = ()
    borders: Sequence[int] = ()
    follows: bool = False

    def __post_init__(self) -> None:
        self.patterns = [tuple(pattern) for pattern in self.patterns]
        self.symmetries = [(tuple(cells), bool(swap)) for cells, swap in self.symmetries]
        self.base, self.cells = len(self.symbols), self.columns * self.rows
        self.phases = len(self.borders) + 1
        self._codes = {symbol: code for code, symbol in enumerate(self.symbols)}

    @cached_property
    def phase_of(self) -> list[int]:
        """Return a list: number of occupied cells -> phase."""
        return [sum(count >= border for border in self.borders) for count in range(self.cells + 1)]

    def data(self) -> dict[str, Any]:
        """Return the layout as JSON data; Layout(**data) is equal to it."""
        return {name: getattr(self, name) for name in Layout.__annotations__}

    def reader(self) -> Callable[[Position], Sequence[int]]:
        """Return a function that returns the codes of a position.

        A symbol that was not seen in learning counts as an empty cell; a feature larger than any
        that was seen counts as the largest that was seen.
        """
        if self.kind == FEATURES:
            lowered = bytes(min(value, self.base - 1) for value in range(256))
            return lambda position: bytes(position.features()).translate(lowered)
        codes = self._codes
        characters = all(len(symbol) == 1 and symbol.isascii() for symbol in codes)
        table = bytes(codes.get(chr(code), 0) for code in range(256)) if characters else b""

        def read(position: Position) -> Sequence[int]:
            rows = position.board() or ()
            # If each cell is a character, one translate() does the same faster.
            if characters and isinstance(rows[0], str):
                text = "".join(rows)  # type: ignore[arg-type]  # each row is a str
                return text.encode("ascii", "replace").translate(table)
            return [codes.get(cell, 0) for row in rows for cell in row]

        return read

    def content(self, cell: int, code: int, squares: Squares) -> str:
        """Return a text such as `a1=X`: a cell's name and symbol, or a feature's, as `1=0`."""
        row, column = divmod(cell, self.columns)
        name = str(cell + 1) if self.kind == FEATURES else squares.name((column, row))
        return f"{name}={self.symbols[code]}"

    def tables(self) -> tuple[list[list[list[int]]], int]:
        """Return (tables, number of weights per phase).

        tables[side][pattern][content]: index of the weight.  Contents that a symmetry maps to each
        other have the same index.
        """
        group: list[Symmetry] = [(tuple(range(self.cells)), False), *self.symmetries]
        # twins[code]: the code of its symbol with the players exchanged.
        twins = [self._codes.get(swapped(symbol), code) for code, symbol in enumerate(self.symbols)]
        codes = range(self.base), twins
        places: dict[tuple[int, tuple[int, ...]], int] = {}
        size, sides = 0, []
        for side in (0, 1):
            numbers = []
            for pattern in self.patterns:
                images = [
                    ((side ^ swap, tuple(sorted(cells[cell] for cell in pattern))), cells, swap)
                    for cells, swap in group
                ]
                place = min(image[0] for image in images)
                if place not in places:
                    places[place] = size
                    size += self.base ** len(pattern)
                alike = {
                    contents_table(self, [cells[cell] for cell in pattern], place[1], codes[swap])
                    for image, cells, swap in images
                    if image == place
                }
                shared = map(min, *alike) if len(alike) > 1 else min(alike)
                numbers.append([places[place] + content for content in shared])
            sides.append(numbers)
        return sides, size


def size_of(position: Position, kind: str) -> tuple[int, int]:
    """Return (columns, rows) of a position's cells.  Features, if a game has any, form a row."""
    if kind == FEATURES:
        return len(position.features()), 1
    rows = position.board() or [""]
    return len(rows[0]), len(rows)


def swapped(symbol: str) -> str:
    """Return the symbol of a cell after the players have changed sides.

    X and O are exchanged, upper and lower case too; a feature's number stays the same.
    """
    return {"X": "O", "O": "X"}.get(symbol, symbol.swapcase())


def grouped(layout: Layout) -> list[tuple[Cells, list[int]]]:
    """Return groups of patterns to look up together: [(all their cells, indices of the patterns)].

    The patterns of a group share most of their cells.  A pattern whose cells all belong to another
    pattern adds no contents to the group.
    """
    patterns, base = layout.patterns, layout.base
    remaining = sorted(range(len(patterns)), key=lambda index: -len(patterns[index]))
    groups = []
    while remaining:
        members = [remaining.pop(0)]
        cells = set(patterns[members[0]])
        most = max(_MAX_TOGETHER, base ** len(cells))
        while True:
            near = [each for each in remaining if base ** len(cells.union(patterns[each])) <= most]
            if not near:
                break
            members.append(max(near, key=lambda index: len(cells.intersection(patterns[index]))))
            remaining.remove(members[-1])
            cells.update(patterns[members[-1]])
        groups.append((tuple(sorted(cells)), members))
    return groups


def contents_table(
    layout: Layout, cells: Sequence[int], pattern: Sequence[int], codes: Sequence[int]
) -> tuple[int, ...]:
    """Return a table from each content of `cells` to the content of `pattern`, a subset of `cells`.

    codes[code]: the code to use in the pattern for a code in `cells`.
    """
    numbers = [0]
    for cell in cells:
        place_value = 0
        if cell in pattern:
            place_value = layout.base ** (len(pattern) - 1 - pattern.index(cell))
        parts = [code * place_value for code in codes]
        numbers = [number + part for number in numbers for part in parts]
    return tuple(numbers)
