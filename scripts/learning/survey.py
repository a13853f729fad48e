"""The features of a game, found by random play, and the symmetries that it declares."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from games.base import Game, Outcome, Position, overrides
from games.grid import lines_along
from games.learned.patterns import BOARD, EMPTY, FEATURES, MAX_FEATURE, Layout, size_of, swapped
from protocol.records.record import Start
from scripts.learning import rules

_GAMES, _POSITIONS = 200, 10_000
# A cache maps (move, change of the position's key) to the cells that the move changes.  It pays off
# if at most this share of the moves need a new entry.
_NEW = 0.7
# The maximum number of different contents is _MAX_CONTENTS for a pattern, _MAX_OF_WHOLE for a small
# board as one pattern, and _MAX_OF_PIECE for a section of a long line.
_MAX_CONTENTS = 7_000
_MAX_OF_WHOLE = 20_000
_MAX_OF_PIECE = 1_000
_SHORTEST_LINE = 3
# With at most this many features, any two features form a pattern; with more, only neighbours do.
_FEW_FEATURES = 20
# If a game fills or empties more than the share _FILLING of its board, it has _PHASES phases.  All
# other games, and those on boards of at most _SMALL cells, have one phase.
_FILLING = 0.35
_PHASES = 3
_SMALL = 24
KINDS = ("blocks", "rows", "columns", "diagonals", "cells", "whole")
USUAL = tuple(kind for kind in KINDS if kind != "cells")
# (kind of the lines in a direction, the step from cell to cell)
_DIRECTIONS = ("rows", 1, 0), ("columns", 0, 1), ("diagonals", 1, 1), ("diagonals", -1, 1)

Cells = tuple[int, ...]
Change = tuple[tuple[int, Any, Any], ...]  # (cell, old text, new text) of each changed cell.
_SWAP = "swap"  # The last word of a symmetry's name if the players change sides.


class SurveyError(Exception):
    """Raised if a game can't be learned; the message says why."""


class Survey:
    """What random games show about the features of a game.

    follows: see Layout.
    scale: the root mean square margin in points; None if the game has no margins.
    """

    def __init__(self, game: Game, seed: int = 1) -> None:
        self.game = game
        position = Start(game).position()
        self.kind = FEATURES if overrides(position, "features") else BOARD
        if self.kind == BOARD and not position.board():
            raise SurveyError(f"{game.name} has neither a board() with cells nor features()")
        self._columns, self._rows = size_of(position, self.kind)
        self._symbols: set[Any] = set()
        self._counts: list[tuple[int, int]] = []  # Occupied cells at the start and end of games.
        # For each move: (move, change of the key, changes of the cells)
        self._changes: list[tuple[int, int, Change]] = []
        dice, margins = random.Random(f"survey {seed}"), []
        while len(self._counts) < _GAMES and len(self._changes) <= _POSITIONS:
            outcome = self._play(dice)
            if outcome is not None and outcome.margin is not None:
                margins.append(outcome.margin)
        kinds, distinct = {change[:2] for change in self._changes}, set(self._changes)
        repeats = len(kinds) <= _NEW * len(self._changes)
        self.follows = self.kind == BOARD and len(distinct) == len(kinds) and repeats
        self.scale: float | None = None
        if margins:
            squares = sum(margin * margin for margin in margins)
            self.scale = math.sqrt(squares / len(margins)) or 1.0

    def _play(self, dice: random.Random) -> Outcome | None:
        """Play a random game, record what it shows, and return its outcome."""
        position = Start(self.game).position()
        first = after = self._cells(position)
        for _ in range(rules.LONGEST):
            moves = position.legal_moves()
            self._symbols.update(after)
            if not moves:
                break
            before, key = after, position.key
            move = dice.choice(moves)
            position.make(move)
            after = self._cells(position)
            cells = enumerate(zip(before, after))
            change = tuple((cell, old, new) for cell, (old, new) in cells if old != new)
            self._changes.append((move, key ^ position.key, change))
        self._counts.append((_occupied(first), _occupied(after)))
        return position.outcome()

    def _cells(self, position: Position) -> list[Any]:
        if self.kind == FEATURES:
            features = list(position.features())
            if not all(0 <= value <= MAX_FEATURE for value in features):
                raise SurveyError(
                    f"features() of {self.game.name} must be numbers from 0 to {MAX_FEATURE}, "
                    f"not {features}"
                )
            return features
        return [cell for row in position.board() or () for cell in row]

    # ---- layout ------------------------------------------------------------------

    def layout(self, kinds: Sequence[str] | None = None, phases: int | None = None) -> Layout:
        """Return the Layout for training.

        kinds: kinds of patterns.  phases: number of phases.  None stands for the default.
        """
        if self.kind == FEATURES:
            symbols = [str(value) for value in range(max(self._symbols) + 1)]
            patterns = _of_features(self._columns, len(symbols))
        else:
            both = self._symbols | {swapped(symbol) for symbol in self._symbols}
            symbols = [EMPTY, *sorted(both - {EMPTY})]
            patterns = _of_board(self._columns, self._rows, len(symbols), kinds or USUAL)
        size, borders = (self._columns, self._rows), self._borders(phases)
        return Layout(self.kind, *size, symbols, patterns, self.symmetries(), borders, self.follows)

    def _borders(self, phases: int | None) -> list[int]:
        """Return the counts of occupied cells that separate the phases."""
        initial, final = (sum(counts) / len(counts) for counts in zip(*self._counts))
        if phases is None:
            cells = self._columns * self._rows
            phases = _PHASES if cells > _SMALL and abs(final - initial) > _FILLING * cells else 1
        low, high = sorted((initial, final))
        return [round(low + (high - low) * part / phases) for part in range(1, phases)]

    # ---- symmetries -------------------------------------------------------------------------

    def symmetries(self) -> list[tuple[Cells, bool]]:
        """Return the symmetries that follow from those that the game declares.

        The identity is left out.  Raises SurveyError if a name is unknown.
        """
        columns, rows = self._columns, self._rows
        size = columns * rows
        images = _reflections(columns, rows) if self.kind == BOARD else _rotations(size)
        declared = []
        for text in self.game.symmetries:
            name = f" {text}".removesuffix(f" {_SWAP}").strip()
            if name not in images or not text:
                known = ", ".join(filter(None, images))
                raise SurveyError(
                    f'{self.game.name}: unknown symmetry "{text}" (expected one of {known}, '
                    f"optionally followed by {_SWAP}, or {_SWAP} alone)"
                )
            declared.append((images[name], name != text))
        return sorted(closed(declared, size), key=lambda each: each[::-1])


def _occupied(cells: list[Any]) -> int:
    return sum(cell not in (EMPTY, 0) for cell in cells)


def closed(symmetries: list[tuple[Cells, bool]], size: int) -> list[tuple[Cells, bool]]:
    """Return the group that the symmetries generate, without the identity."""
    group = [(tuple(range(size)), False)]
    for cells, swap in group:
        for more, other in symmetries:
            both = tuple(more[cell] for cell in cells), swap != other
            if both not in group:
                group.append(both)
    return group[1:]


def _reflections(columns: int, rows: int) -> dict[str, Cells]:
    """Return {name of a symmetry: the image of each cell of a board}; "" is the identity."""
    grid: list[Sequence[int]] = [range(row * columns, (row + 1) * columns) for row in range(rows)]
    mirrored = [row[::-1] for row in grid]
    boards = {"": grid, "mirror": mirrored, "flip": grid[::-1], "turn": mirrored[::-1]}
    if columns == rows:
        boards["transpose"] = list(zip(*grid))
    return {name: tuple(cell for row in board for cell in row) for name, board in boards.items()}


def _rotations(size: int) -> dict[str, Cells]:
    """Return {name of a symmetry: order of the features}: rotated by half, or reversed."""
    cells = tuple(range(size))
    return {"": cells, "turn": cells[size // 2 :] + cells[: size // 2], "mirror": cells[::-1]}


# ---- patterns -------------------------------------------------------------------------------


def _of_features(size: int, base: int) -> list[Cells]:
    """Return the patterns: each feature, and each pair of features.

    Pairs are left out if they have too many contents.  With many features, only neighbours form
    pairs.
    """
    singles: list[Cells] = [(index,) for index in range(size)]
    if base**2 > _MAX_CONTENTS:
        return singles
    reach = size if size <= _FEW_FEATURES else 2
    pairs = itertools.combinations(range(size), 2)
    return singles + [(low, high) for low, high in pairs if high - low < reach]


def _of_board(columns: int, rows: int, base: int, kinds: Sequence[str]) -> list[Cells]:
    """Return the patterns of these kinds on a board, without duplicates."""
    longest, piece = _digits(_MAX_CONTENTS, base), _digits(_MAX_OF_PIECE, base)
    size = columns * rows
    patterns: list[Cells] = []
    if "whole" in kinds and size <= _digits(_MAX_OF_WHOLE, base):
        patterns.append(tuple(range(size)))
    if "blocks" in kinds:
        wide, high = next(
            shape for shape in ((3, 2), (2, 2), (2, 1), (1, 1)) if shape[0] * shape[1] <= longest
        )
        patterns += [*_blocks(columns, rows, wide, high), *_blocks(columns, rows, high, wide)]
    for kind, across, up in _DIRECTIONS:
        for line in lines_along(columns, rows, across, up) if kind in kinds else ():
            patterns += _runs(line, longest, piece)
    if "cells" in kinds or not patterns:
        patterns += [(cell,) for cell in range(size)]
    return list({tuple(sorted(pattern)): pattern for pattern in patterns}.values())


def _blocks(columns: int, rows: int, wide: int, high: int) -> Iterator[Cells]:
    for row in range(rows - high + 1):
        for column in range(columns - wide + 1):
            yield tuple(
                (row + up) * columns + column + aside for up in range(high) for aside in range(wide)
            )


def _digits(most: int, base: int) -> int:
    """Return the number of cells that a pattern may have: the largest n with base**n <= most.

    It is at least 1.
    """
    return max(int(math.log(most, base) + 1e-9), 1)


def _runs(line: list[int], longest: int, piece: int) -> Iterator[Cells]:
    """Yield the line or, if it is longer than `longest` cells, each run of `piece` cells in it.

    Lines of fewer than _SHORTEST_LINE cells are left out.
    """
    length = len(line) if len(line) <= longest else piece
    if length >= _SHORTEST_LINE:
        for first in range(len(line) - length + 1):
            yield tuple(line[first : first + length])
