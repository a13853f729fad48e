"""Positions that evaluate by learned weights.

An evaluation is a few look-ups: the patterns are gathered into groups (two rows, two
columns), and the value of all patterns of a group is remembered by the group's content.
The contents of all groups are the words of one large number, so that a move adds one number
to it.  Where the game's keys allow it (Layout.follows) make and undo keep it up to date, by
differences that are found once for each kind of move; else `board()` is read.  Features
change all over with every move: theirs are looked up one by one.
"""
from __future__ import annotations

from copy import copy
from operator import add, getitem, mul, sub
from struct import Struct

from games import data
from games.base import overrides
from games.data import DamagedError
from games.learned.patterns import FEATURES, Groups, Layout
from games.learned.weights import PARTS, Weights, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from games.base import Game, Position
    from games.types import Options

    Contents = TypeVar("Contents")

# What is remembered is forgotten when it is more than that.
_MOST_CONTENTS = 200_000
_MOST_CHANGES = 200_000
_MOST_VALUES = 100_000
_WORD = 64      # bits of a content in the large number
_SHIFT = PARTS.bit_length() - 1


def install(game: Game, path: str, content: bytes) -> None:
    """Have all positions of the game evaluate by the weights in a file's bytes.

    A file that is damaged, or that another game has learned, is reported once, and the
    game is played without it.
    """
    start, parse = game.start, game.parse
    found: list[Evaluation | None] = []

    def evaluated(position: Position) -> Position:
        if position.learned:        # start() may be made of parse()
            return position
        if not found:
            try:
                found.append(evaluation_of(game, content, position))
            except DamagedError as error:
                found.append(None)
                data.report(f"{path} is of no use ({error}): {game.name} is played without it")
        if found[0] is not None:
            found[0].attach(position)
        return position

    def start_evaluated(options: Options) -> Position:
        return evaluated(start(options))

    def parse_evaluated(text: str, options: Options) -> Position:
        return evaluated(parse(text, options))

    # Of this one object: its class stays as it is.  So do those of the positions below.
    game.start, game.parse = start_evaluated, parse_evaluated   # type: ignore[method-assign]


def unlearned(game: Game) -> Game:
    """The game as it is without weights; the same one where it has none."""
    if "start" not in vars(game):
        return game
    bare = copy(game)
    del bare.start, bare.parse
    return bare


def evaluation_of(game: Game, content: bytes, position: Position) -> Evaluation:
    """The Evaluation of a file's bytes; DamagedError, in words, where it is of no use here.

    position: any one of the game.
    """
    weights = read(content)
    misfit = weights.layout.misfit(position)
    if weights.game != game.name:
        misfit = f"they are of {weights.game}"
    if misfit is not None:
        raise DamagedError(f"does not fit {game.name}: {misfit}")
    return Evaluation(weights)


class Evaluation:
    """The evaluation of a game's positions by its Weights; one serves all of them.

    DamagedError where the weights are too few or too many for their Layout.
    """

    def __init__(self, weights: Weights) -> None:
        layout = self._layout = weights.layout
        self._tables, size = layout.tables()
        if any(len(phase) != size for phase in weights.phases):
            raise DamagedError(f"{len(weights.phases[0])} weights a phase instead of {size}")
        self._phases, self._phase_of = weights.phases, layout.phase_table()
        if layout.kind == FEATURES:
            self._features = [[_Features(layout, table, phase) for phase in weights.phases]
                              for table in self._tables]
            return
        self._groups = Groups(layout)
        self._count = packed(layout, self._groups)
        self._unpack = Struct(f"<{len(self._groups.cells) + 1}Q").unpack
        self._changes: dict[tuple[int, int], int] = {}
        self._values: tuple[dict[int, int], dict[int, int]] = {}, {}
        shares = [self._shares(cells, members)
                  for cells, members in zip(self._groups.cells, self._groups.members)]
        self._group_values = [
            [[_Contents(*halves, [self._tables[side][number] for number in members], phase)
              for halves, members in zip(shares, self._groups.members)]
             for phase in weights.phases] for side in (0, 1)]

    def attach(self, position: Position) -> None:
        """Have a position evaluate by the weights, from here on."""
        of_kind = self._by_features if self._layout.kind == FEATURES else self._by_patterns
        position.evaluate = of_kind(position)       # type: ignore[method-assign]
        position.evaluation_terms = lambda: self._terms(position)   # type: ignore[method-assign]
        position.learned = True

    def _by_features(self, position: Position) -> Callable[[], int]:
        """evaluate() of a position whose features are looked at."""
        read_codes = self._layout.reader()
        features, phase_of, size = self._features, self._phase_of, self._layout.cells

        def evaluate() -> int:
            codes = read_codes(position)
            return features[position.side][phase_of[size - codes.count(0)]].value(codes)

        return evaluate

    def _by_patterns(self, position: Position) -> Callable[[], int]:
        """evaluate() of a position whose board is looked at."""
        contents = contents_of(position, self._layout, self._count, self._changes, add, sub)
        group_values, phase_of, values = self._group_values, self._phase_of, self._values
        unpack, size = self._unpack, 8 * (len(self._groups.cells) + 1)

        def evaluate() -> int:
            found, side = contents(), position.side
            value = values[side].get(found)
            if value is None:
                words = unpack(found.to_bytes(size, "little"))
                value = sum(map(getitem, group_values[side][phase_of[words[-1]]], words)) >> _SHIFT
                if len(values[side]) >= _MOST_VALUES:
                    values[side].clear()
                values[side][found] = value
            return value

        return evaluate

    def _shares(self, cells: Sequence[int],
                members: Sequence[int]) -> tuple[int, _Shares, _Shares]:
        """(how many contents the lower half of a group has, the upper half's and its _Shares)."""
        base, half = self._layout.base, len(cells) // 2
        place_values = []
        for cell in cells:
            patterns = [self._layout.patterns[number] for number in members]
            place_values.append([base ** (len(pattern) - 1 - pattern.index(cell)) if cell in pattern
                           else 0 for pattern in patterns])
        upper = len(cells) - half
        none = [[0] * len(members)]         # a group of one cell has no lower half
        return (base ** half, _Shares(base, place_values[:upper]),
                _Shares(base, place_values[upper:] or none))

    def _terms(self, position: Position) -> list[tuple[str, int]]:
        """(what a pattern shows, its value) where that is not 0; all add up to the evaluation."""
        layout = self._layout
        codes = layout.reader()(position)
        weights = self._phases[self._phase_of[len(codes) - codes.count(0)]]
        terms, total = [], 0
        for pattern, numbers in zip(layout.patterns, self._tables[position.side]):
            content = 0
            for cell in pattern:
                content = content * layout.base + codes[cell]
            before, total = total, total + weights[numbers[content]]
            score = (total >> _SHIFT) - (before >> _SHIFT)
            if score:
                shown = [f"{layout.square(cell)}={layout.symbols[codes[cell]]}" for cell in pattern]
                terms.append((" ".join(shown), score))
        return terms


class _Features:
    """What single features and pairs of them are worth in a phase, for a side to move.

    numbers: of the weights, by pattern and content.  DamagedError where a pattern is of more
    than two features.
    """

    def __init__(self, layout: Layout, numbers: list[list[int]], weights: list[int]) -> None:
        base, size = layout.base, layout.cells
        none = [0] * base
        self._singles = [none] * size
        # By the lower feature of a pair, its code, and how far the higher one lies behind it.
        self._pairs = [[[none] * (size - low - 1) for _ in range(base)] for low in range(size)]
        for pattern, table in zip(layout.patterns, numbers):
            worth = [weights[number] for number in table]
            if len(pattern) == 1:
                self._singles[pattern[0]] = worth
                continue
            if len(pattern) != 2 or pattern[0] >= pattern[1]:
                raise DamagedError(f"{pattern} is no pair of features")
            low, high = pattern
            for code in range(base):
                row = worth[code * base:(code + 1) * base]
                self._pairs[low][code][high - low - 1] = row

    def value(self, codes: Sequence[int]) -> int:
        """The score for the side to move."""
        total = sum(map(getitem, self._singles, codes))
        for number, (rows, code) in enumerate(zip(self._pairs, codes), 1):
            total += sum(map(getitem, rows[code], codes[number:]))
        return total >> _SHIFT


class _Shares(dict[int, "list[int]"]):
    """By the content of half a group: what it adds to the content of each of its patterns.

    place_values: of each cell, most significant digit first, what a code of 1 adds to each.
    """

    def __init__(self, base: int, place_values: list[list[int]]) -> None:
        super().__init__()
        self._base, self._place_values = base, place_values

    def __missing__(self, content: int) -> list[int]:
        codes, rest = [], content
        for _ in self._place_values:
            rest, code = divmod(rest, self._base)
            codes.append(code)
        shares = [sum(map(mul, codes, column)) for column in zip(*self._place_values[::-1])]
        if len(self) >= _MOST_CONTENTS:
            self.clear()
        self[content] = shares
        return shares


class _Contents(dict[int, int]):
    """The value of the patterns of a group, by the group's content; found when first asked for.

    split: how many contents the lower half has.  upper, lower: the halves' _Shares.
    tables: the numbers of the weights, by pattern and content.
    """

    def __init__(self, split: int, upper: _Shares, lower: _Shares, tables: list[list[int]],
                 weights: list[int]) -> None:
        super().__init__()
        self._split, self._upper, self._lower = split, upper, lower
        self._tables, self._weights = tables, weights

    def __missing__(self, content: int) -> int:
        high, low = divmod(content, self._split)
        weights, value = self._weights, 0
        for table, one, other in zip(self._tables, self._upper[high], self._lower[low]):
            value += weights[table[one + other]]
        if len(self) >= _MOST_CONTENTS:
            self.clear()
        self[content] = value
        return value


def packed(layout: Layout, groups: Groups) -> Callable[[Position], int]:
    """contents(position): those of the groups, and last how many cells are occupied.

    They are the words of one number, lowest first.
    """
    read, occupied = layout.reader(), 1 << _WORD * len(groups.cells)
    parts = []
    for places in groups.places():
        part = sum(place_value << _WORD * group for group, place_value in places)
        parts.append([0, *(code * part + occupied for code in range(1, layout.base))])
    return lambda position: sum(map(getitem, parts, read(position)))


def contents_of(position: Position, layout: Layout, count: Callable[[Position], Contents],
                changes: dict[tuple[int, int], Contents],
                plus: Callable[[Contents, Contents], Contents],
                minus: Callable[[Contents, Contents], Contents]) -> Callable[[], Contents]:
    """contents(): what `count` finds in the position as it stands.

    count: a Groups.counter, or `packed`.

    Where the game's keys allow it, its make and undo keep that up to date from here on.
    changes: how moves change it, by move and change of the key; what is found is added.
    plus, minus: of contents.
    """
    if not layout.follows or overrides(position, "make_null"):
        return lambda: count(position)
    make, undo = position.make, position.undo
    stack = [count(position)]

    def made(move: int) -> None:
        before = position.key
        make(move)
        kind = move, before ^ position.key
        change = changes.get(kind)
        if change is not None:
            stack.append(plus(stack[-1], change))
            return
        stack.append(count(position))
        if len(changes) >= _MOST_CHANGES:
            changes.clear()
        changes[kind] = minus(stack[-1], stack[-2])

    def undone() -> None:
        undo()
        stack.pop()
        if not stack:
            stack.append(count(position))

    position.make, position.undo = made, undone     # type: ignore[method-assign]
    return lambda: stack[-1]
