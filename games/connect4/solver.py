"""The exact solver of Connect Four: the value of a position with perfect play.

The method is Pascal Pons' (blog.gamesolver.org): alpha-beta with null windows over
moves that don't lose at once, ordered by the threats that they make, with a table of
bounds.  In addition one entry holds both bounds, and a position is refuted from the table
before its replies are searched (null_window.py).

Scores are Pons', too: positive if the side to move wins, by the number of stones that the
winner has left when the line is complete, plus one (1: the last stone wins, 2: the one
before it); 0 for a draw.
"""

from __future__ import annotations

from games.base import WIN
from games.connect4.bits import (
    BOARD,
    BOTTOM_ROW,
    CENTRE_FIRST,
    fastest_threats,
    landing_cell,
    play,
    winning_cells,
)
from games.connect4.null_window import SMALL_MEGABYTES, build
from games.grid import count_bits
from games.solver import BudgetSpent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from games.connect4.bits import Cells, FindThreats
    from games.types import Check, Marks, Score, Table

    Answer = TypeVar("Answer")

UNLIMITED = 1 << 60


class OutOfNodes(BudgetSpent):
    """Raised by a search that has used up its nodes."""


class Connect4Solver:
    """A solver with tables of its own, which may serve many positions one after the other.

    table: makes tables, as a Context's `table` does.  share: of the megabytes there.
    threats: a FindThreats (bits.py), by default the fastest one on this interpreter.
    marks: shared by the processes that solve together; None if there is only one.
    large, small: its tables.
    """

    def __init__(
        self,
        table: Callable[..., Table],
        share: float = 1.0,
        threats: FindThreats | None = None,
        marks: Marks | None = None,
    ) -> None:
        self.large = table("connect4 large", share, packed=True)
        self.small = table("connect4 small", 0.0, packed=True, extra=SMALL_MEGABYTES)
        self._search, self._set_nodes, self._expect, self.nodes = build(
            self.large, self.small, self._check, threats or fastest_threats(), marks
        )
        self._budget: Check | None = None
        self._node_limit = UNLIMITED

    def begin(self, budget: Check | None = None) -> None:
        """Count nodes from 0 and ask `budget` from now on.

        budget(nodes so far) returns the node count at which to call it again, and raises to
        end a search.
        """
        self._budget = budget
        self._set_nodes(0)

    def within(self, nodes: int, ask: Callable[..., Answer], *arguments: Any) -> Answer:
        """Return ask(*arguments), which raises OutOfNodes after `nodes` more nodes.

        nodes: UNLIMITED for no limit.
        """
        self._node_limit = self.nodes() + nodes
        self._set_nodes(self.nodes())  # no later call of `budget` may come to update it
        try:
            return ask(*arguments)
        finally:
            self._node_limit = UNLIMITED

    def _check(self, nodes: int) -> int:
        following = self._budget(nodes) if self._budget else UNLIMITED
        if nodes >= self._node_limit:
            raise OutOfNodes
        return min(following, self._node_limit)

    def bound(self, own: Cells, mask: Cells, alpha: int) -> int:
        """Return a bound of the score of any position that is not over.

        A result above alpha is a lower bound, any other an upper bound.
        """
        empties = count_bits(BOARD ^ mask)
        own_wins = winning_cells(own, mask)
        if own_wins & mask + BOTTOM_ROW:
            return empties + 1 >> 1
        if not empties:
            return 0
        self._expect(alpha, empties)
        return self._search(own, mask, own_wins, winning_cells(own ^ mask, mask), alpha, empties)

    def score(self, own: Cells, mask: Cells) -> int:
        """Return the exact score of a position that is not over."""
        empties = count_bits(BOARD ^ mask)
        low, high = -(empties >> 1), empties + 1 >> 1
        while low < high:
            alpha = next_window(low, high)
            bound = self.bound(own, mask, alpha)
            if bound > alpha:
                low = bound
            else:
                high = bound
        return low

    def best_move(self, own: Cells, mask: Cells, score: int) -> int:
        """Return a column whose move keeps the exact score of the position."""
        for column in ordered_columns(own, mask):
            if self.move_bound(own, mask, column, score - 1) >= score:
                return column
        raise ValueError(f"no move of {own} {mask} reaches {score}")

    def move_bound(self, own: Cells, mask: Cells, column: int, alpha: int) -> int:
        """Return bound() of the score of the move in a column, for its mover."""
        if winning_cells(own, mask) & landing_cell(mask, column):
            return count_bits(BOARD ^ mask) + 1 >> 1
        return -self.bound(*play(own, mask, column), ~alpha)


def next_window(low: int, high: int) -> int:
    """Return alpha of the next null window for a score in low..high: the middle, away from 0.

    Windows far from 0 are cheap, since such a win must come within few stones, and they
    find the quick wins.
    """
    middle = (low + high) // 2
    if middle <= 0:
        return min(middle, -(-2 * low // 3))
    return max(middle, 2 * high // 3)


def ordered_columns(own: Cells, mask: Cells) -> list[int]:
    """Return the columns that are not full, likely good ones first."""
    ranked = []
    for place, column in enumerate(CENTRE_FIRST):
        cell = landing_cell(mask, column)
        if cell:
            ranked.append((-count_bits(winning_cells(own | cell, mask | cell)), place, column))
    return [column for _, _, column in sorted(ranked)]


# ---- scores -------------------------------------------------------------------------


def plies_to_end(score: int, empties: int) -> int:
    """Return the plies until a game of this score ends, with `empties` empty cells now."""
    if score > 0:
        return 2 * (empties + 1 >> 1) + 1 - 2 * score
    if score < 0:
        return 2 * (empties >> 1) + 2 + 2 * score
    return empties


def least_winning_within(plies: int, empties: int) -> int:
    """Return the least score of a win that is complete after at most `plies` plies."""
    return max(1, (empties + 1 >> 1) - (plies - 1 >> 1))


def to_engine(score: int, empties: int) -> Score:
    """Return the score in the unit of games/base.py."""
    if score == 0:
        return 0
    value = WIN - plies_to_end(score, empties)
    return value if score > 0 else -value
