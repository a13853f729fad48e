"""The evaluation of positions by learned weights.

The contents of all patterns are packed into the words of one int, which a move changes by a single
addition.  Patterns that share most of their cells share a word.  If the game's keys allow it
(Layout.follows), make() and undo() add a difference to this int; differences are cached by the move
and its change of the key.  Otherwise the int is computed from `board()`.  An evaluation splits the
int into words and adds up their values; the sum is cached by the int.
"""

from __future__ import annotations

from array import array
from copy import copy
from functools import partial
from itertools import repeat
from operator import add, getitem
from struct import Struct

from games import notices
from games.data import DamagedError, Fields, Lazy
from games.learned.patterns import Layout, contents_table, grouped, size_of
from games.learned.weights import PARTS, Weights, read
from games.texts import squares_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.base import Game, Position
    from games.learned.patterns import Cells
    from games.types import Judge, Key, Move, Side

    # (number, make, undo); number() returns a position's packed contents (Contents).
    Follower = tuple[Callable[[], int], Callable[[Move], None], Callable[[], None]]

# The number of entries at which a cache is cleared.
_MAX_CACHED = 50_000
# (bits of a word of the packed contents, type code of such a word in the module struct).
_WORDS = (16, "H"), (32, "I"), (64, "Q")
_SHIFT = PARTS.bit_length() - 1


class WeightsFile(Fields):
    """A file of weights beside a game: Game.learned.

    game: the game.  path: the file's path, for the report of damage.  content: the file's bytes,
    which the first call of judge() decodes.

    The bytes may be damaged or belong to another game.  This is reported once, when a position is
    first evaluated, and the game is then played without the file.
    """

    game: Game
    path: str
    content: bytes
    _evaluation: LearnedEvaluation | None = None

    def judge(self, position: Position) -> Judge:
        """Return the Judge of a position: these weights or, if damaged, the position itself."""
        if self._evaluation is None:
            try:
                self._evaluation = evaluation_of(self.game, self.content, position)
            except DamagedError as error:
                name = self.game.name
                notices.report(f"{self.path} can't be used ({error}): {name} is played without it")
                self.game.learned = position.game.learned = None
                return position
        return LearnedJudge(self._evaluation, position)


def unlearned(game: Game) -> Game:
    """Return the game without its weights, or the game itself if it has none."""
    if game.learned is None:
        return game
    bare = copy(game)
    bare.learned = None
    return bare


def evaluation_of(game: Game, content: bytes, position: Position) -> LearnedEvaluation:
    """Return the LearnedEvaluation in `content`, the bytes of a weights file.

    position: any position of the game.  Raises DamagedError if the bytes are malformed or don't
    fit the game.
    """
    weights = read(content)
    if weights.game != game.name:
        raise DamagedError(f"the weights are those of {weights.game}")
    size, layout = size_of(position, weights.layout.kind), weights.layout
    if size != (layout.columns, layout.rows):
        learned = f"the weights are for {layout.columns}x{layout.rows} cells"
        raise DamagedError(f"{learned}, the game has {size[0]}x{size[1]}")
    return LearnedEvaluation(weights)


class LearnedEvaluation:
    """The evaluation of a game's positions by its Weights; all positions share it.

    contents: its Contents.  values[side]: {packed contents of a position: its value}.
    Raises DamagedError if there are too few or too many weights for their Layout.
    """

    def __init__(self, weights: Weights) -> None:
        layout = self._layout = weights.layout
        self._tables, size = layout.tables()
        if any(len(phase) != size for phase in weights.phases):
            raise DamagedError(f"{len(weights.phases[0])} weights per phase instead of {size}")
        self._phases = weights.phases
        groups = grouped(layout)
        # By group, for each of its patterns: (the pattern's index, a table that converts the
        # group's content to the pattern's content).
        codes, patterns = range(layout.base), layout.patterns
        self._groups: list[list[tuple[int, array[int]]]] = [
            [
                (index, array("I", contents_table(layout, cells, patterns[index], codes)))
                for index in members
            ]
            for cells, members in groups
        ]
        # {(side, phase): for each group, the value of each content}.
        self._worth = Lazy(self._worth_of)
        self.contents = Contents(layout, [cells for cells, _ in groups])
        self.values = [Lazy(partial(self._value, side), _MAX_CACHED) for side in (0, 1)]

    def _value(self, side: Side, number: int) -> int:
        words = self.contents.words(number)
        worth = self._worth[side, self._layout.phase_of[words[-1]]]
        return sum(map(getitem, worth, words)) >> _SHIFT

    def _worth_of(self, key: tuple[Side, int]) -> list[array[int]]:
        """Return, for each group of patterns, the value of each content.  key: (side, phase)."""
        side, phase = key
        weights, tables = self._phases[phase], self._tables[side]
        worths = []
        for patterns in self._groups:
            worth: Iterable[int] = repeat(0)
            for index, contents in patterns:
                table = list(map(weights.__getitem__, tables[index]))
                worth = map(add, worth, map(table.__getitem__, contents))
            worths.append(array("q", worth))
        return worths

    def terms(self, position: Position) -> list[tuple[str, int]]:
        """Return [(content of a pattern, value)] without zeros; the values add up to evaluate()."""
        layout, squares = self._layout, squares_of(position)
        codes = layout.reader()(position)
        weights = self._phases[layout.phase_of[len(codes) - codes.count(0)]]
        terms, total = [], 0
        for pattern, numbers in zip(layout.patterns, self._tables[position.side]):
            content = 0
            for cell in pattern:
                content = content * layout.base + codes[cell]
            before, total = total, total + weights[numbers[content]]
            score = (total >> _SHIFT) - (before >> _SHIFT)
            if score:
                words = [layout.content(cell, codes[cell], squares) for cell in pattern]
                terms.append((" ".join(words), score))
        return terms


class LearnedJudge:
    """The evaluation of one position by a LearnedEvaluation, and of the positions after it.

    The judge's own make() and undo() must play the moves to those positions.
    """

    def __init__(self, evaluation: LearnedEvaluation, position: Position) -> None:
        contents, self.make, self.undo = evaluation.contents.follow(position)
        values = evaluation.values
        self.evaluate = lambda: values[position.side][contents()]
        self.evaluation_terms = lambda: evaluation.terms(position)


class Contents:
    """Packs the contents of patterns and the count of occupied cells into the words of one int."""

    def __init__(self, layout: Layout, patterns: Sequence[Cells]) -> None:
        most = max(layout.cells + 1, *(layout.base ** len(pattern) for pattern in patterns))
        bits, code = next(word for word in _WORDS if most <= 1 << word[0])
        struct = Struct(f"<{len(patterns) + 1}{code}")
        self._unpack, self._bytes = struct.unpack, struct.size
        self._follows, self._codes_of = layout.follows, layout.reader()
        # By cell: the sum of its place values in the patterns, each in the pattern's word.
        sums = [0] * layout.cells
        for index, pattern in enumerate(patterns):
            for place, cell in enumerate(reversed(pattern)):
                sums[cell] += layout.base**place << bits * index
        # _parts[cell][code]: what this code on this cell adds to the packed contents.
        occupied, codes = 1 << bits * len(patterns), range(1, layout.base)
        self._parts = [[0, *[code * part + occupied for code in codes]] for part in sums]
        # {(move, change of the key): change of the packed contents}.
        self._changes: dict[tuple[Move, Key], int] = {}

    def words(self, number: int) -> tuple[int, ...]:
        """Return the content of each of the patterns, then the number of occupied cells."""
        return self._unpack(number.to_bytes(self._bytes, "little"))

    def of(self, position: Position) -> int:
        """Return the packed contents of a position."""
        return sum(map(getitem, self._parts, self._codes_of(position)))

    def follow(self, position: Position) -> Follower:
        """Return a Follower of `position`: the functions (number, make, undo).

        make() plays a move, and undo() takes it back.  If the game's keys allow it, they also keep
        number() up to date; no other function may then change the position.
        """
        make = position.make
        undo = position.undo
        changes = self._changes
        if not self._follows:
            return partial(self.of, position), make, undo
        stack = [self.of(position)]

        def made(move: Move) -> None:
            before = position.key
            make(move)
            kind = move, before ^ position.key
            change = changes.get(kind)
            if change is None:
                if len(changes) >= _MAX_CACHED:
                    changes.clear()
                change = changes[kind] = self.of(position) - stack[-1]
            stack.append(stack[-1] + change)

        def undone() -> None:
            undo()
            stack.pop()

        return lambda: stack[-1], made, undone
