"""Positions that evaluate by learned weights.

Patterns that lie together in a window of the board are a group, whose value is found
once for each content.  The contents of all groups are the words of one large number, so
that a move adds one number to it.  Where the game's keys allow it (Layout.follows) make
and undo keep it up to date, by differences that are found once for each kind of move;
else `board()` is read.  An evaluation takes the number apart and adds up what its words
are worth; it is remembered by the number.  Features have an evaluation of their own, in
features.py.
"""
from __future__ import annotations

from array import array
from copy import copy
from operator import add, getitem, sub
from struct import Struct

from games import data
from games.base import overrides
from games.data import DamagedError
from games.learned.features import by_side, reader_of
from games.learned.patterns import FEATURES, Layout, gathered, place_values
from games.learned.weights import PARTS, Weights, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar, Union

    from games.base import Game, Position
    from games.learned.patterns import Cells
    from games.types import Options

    Contents = TypeVar("Contents")
    # What the contents of a group are worth, in parts of a score.
    _Worth = Union[list[int], dict[int, int]]

# What is remembered is forgotten when it is more than that.
_MOST_CHANGES = 50_000
_MOST_VALUES = 50_000
_MOST_CONTENTS = 400_000        # of all groups together
# Bits of a content in the large number, and what struct calls such words.
_WORDS = (16, "H"), (32, "I"), (64, "Q")
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
    """The Evaluation of a file's bytes.

    position: any one of the game.  DamagedError, in words, where they are of no use here.
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
        self._phase_of = layout.phase_table()
        if layout.kind == FEATURES:
            self._factors = by_side(layout, weights.factors)
            return
        self._tables, size = layout.tables()
        if any(len(phase) != size for phase in weights.phases):
            raise DamagedError(f"{len(weights.phases[0])} weights a phase instead of {size}")
        self._phases = weights.phases
        # By side and phase: what the contents of each group are worth, found when first
        # asked for.
        phases = range(len(weights.phases))
        self._worth: list[list[list[_Worth]]] = [[[] for _ in phases] for _ in (0, 1)]
        self._groups = gathered(layout)
        cells = [group for group, _ in self._groups]
        most = max(layout.cells + 1, *(layout.base ** len(group) for group in cells))
        bits, code = next(word for word in _WORDS if most <= 1 << word[0])
        words = Struct(f"<{len(cells) + 1}{code}")
        self._unpack, self._bytes = words.unpack, words.size
        self._count = packed(layout, cells, bits)
        self._parts = _parts(layout, self._groups)
        self._changes: dict[tuple[int, int], int] = {}
        self._values: tuple[dict[int, int], dict[int, int]] = {}, {}

    def attach(self, position: Position) -> None:
        """Have a position evaluate by the weights, from here on."""
        if self._layout.kind == FEATURES:
            evaluate, terms = reader_of(position, self._layout, self._factors)
        else:
            evaluate, terms = self._by_patterns(position), lambda: self._terms(position)
        position.evaluate = evaluate                # type: ignore[method-assign]
        position.evaluation_terms = terms           # type: ignore[method-assign]
        position.learned = True

    def _by_patterns(self, position: Position) -> Callable[[], int]:
        """evaluate() of a position whose board is looked at."""
        contents = contents_of(position, self._layout, self._count, self._changes, add, sub)
        worth, phase_of, values = self._worth, self._phase_of, self._values
        unpack, size = self._unpack, self._bytes

        def evaluate() -> int:
            found, side = contents(), position.side
            value = values[side].get(found)
            if value is None:
                words = unpack(found.to_bytes(size, "little"))
                phase = phase_of[words[-1]]
                tables = worth[side][phase] or self._fill(side, phase)
                value = sum(map(getitem, tables, words)) >> _SHIFT
                if len(values[side]) >= _MOST_VALUES:
                    values[side].clear()
                values[side][found] = value
            return value

        return evaluate

    def _fill(self, side: int, phase: int) -> list[_Worth]:
        """What the contents of each group are worth, put into self._worth."""
        tables, weights = self._tables[side], self._phases[phase]
        most = _MOST_CONTENTS // (2 * len(self._phases) * len(self._groups))
        worth: list[_Worth] = []
        for (_, members), places in zip(self._groups, self._parts):
            if len(members) == 1:
                worth.append([weights[number] for number in tables[members[0]]])
            else:
                numbers = [tables[member] for member in members]
                worth.append(_Contents(list(zip(places, numbers)), weights, most))
        self._worth[side][phase] = worth
        return worth

    def _terms(self, position: Position) -> list[tuple[str, int]]:
        """(what a pattern shows, its value) where that is not 0; together the evaluation."""
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
                shown = " ".join(f"{layout.square(cell)}={layout.symbols[codes[cell]]}"
                                 for cell in pattern)
                terms.append((shown, score))
        return terms


class _Contents(dict[int, int]):
    """What the patterns of a group are worth, by its content; found when asked for.

    parts: of each pattern its contents by those of the group, and the numbers of its
    weights.  most: so many are remembered.
    """

    def __init__(self, parts: list[tuple[Sequence[int], list[int]]], weights: list[int],
                 most: int) -> None:
        super().__init__()
        self._parts, self._weights, self._most = parts, weights, most

    def __missing__(self, content: int) -> int:
        weights = self._weights
        value = sum([weights[numbers[places[content]]]
                     for places, numbers in self._parts])
        if len(self) >= self._most:
            self.clear()
        self[content] = value
        return value


def _parts(layout: Layout,
           groups: list[tuple[Cells, list[int]]]) -> list[list[array[int]]]:
    """By group and pattern: the pattern's content by that of the group.

    Patterns that lie alike in their groups share them.
    """
    known: dict[Cells, array[int]] = {}
    found = []
    for cells, members in groups:
        patterns = [layout.patterns[number] for number in members]
        shapes = [tuple(layout.base ** (len(pattern) - 1 - pattern.index(cell))
                        if cell in pattern else 0 for cell in cells)
                  for pattern in patterns]
        for shape in shapes if len(members) > 1 else ():
            if shape not in known:
                contents = [0]
                for place_value in shape:
                    contents = [content + code * place_value
                                for content in contents for code in range(layout.base)]
                known[shape] = array("H", contents)
        found.append([known[shape] for shape in shapes if shape in known])
    return found


def packed(layout: Layout, groups: Sequence[Cells],
           bits: int) -> Callable[[Position], int]:
    """contents(position): those of groups of cells, and how many cells are occupied.

    They are the words of one number, of so many bits each, lowest first.
    """
    read, occupied = layout.reader(), 1 << bits * len(groups)
    parts = []
    for places in place_values(layout, groups):
        part = sum(place_value << bits * number for number, place_value in places)
        parts.append([0, *(code * part + occupied for code in range(1, layout.base))])
    return lambda position: sum(map(getitem, parts, read(position)))


def contents_of(position: Position, layout: Layout, count: Callable[[Position], Contents],
                changes: dict[tuple[int, int], Contents],
                plus: Callable[[Contents, Contents], Contents],
                minus: Callable[[Contents, Contents], Contents]) -> Callable[[], Contents]:
    """contents(): what `count` finds in the position as it stands.

    count: a `counter` of patterns.py, or `packed`.

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
