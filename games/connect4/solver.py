"""The exact solver: what a position of Connect Four is worth with perfect play.

The method is Pascal Pons' (blog.gamesolver.org): alpha-beta with null windows over moves that don't lose at once,
ordered by the threats that they make, with a table of bounds; on top of it both bounds are kept in one entry, and
a position is refuted from the table before its replies are searched (null_window.py).  Scores are those of scores.py.
"""
from __future__ import annotations

from contextlib import contextmanager

from games.base import GiveUp
from games.connect4.bits import (BOARD, BOTTOM_ROW, CENTRE_FIRST, count_bits, landing_cell, mirrored, play,
                                 winning_cells)
from games.connect4.null_window import build
from games.connect4.scores import FAR_FROM, MIRROR_FROM, NEAR_MEGABYTES
from games.connect4.threats import fastest
from games.entry import KEY_SHIFT, PACKED_BIAS as BIAS, PACKED_SHIFT as SCORE_BITS

UNLIMITED = 1 << 60


class OutOfNodes(GiveUp):
    """A question has used the nodes that it was given."""


class Solver:
    """A solver with tables of its own, which may serve many positions one after the other.

    table: hands them out, as a Context's `table` does.  share: of the megabytes there.
    threats: a way to find them (threats.py), by default the fastest one here.
    number: of the helper that it belongs to (games/ordering.py), 0 for none.
    """

    def __init__(self, table, share=1.0, threats=fastest, number=0):
        far = table("connect4 far", share, packed=True)
        near = table("connect4 near", 0.0, packed=True, extra=NEAR_MEGABYTES)
        self._far, self._near = far, near
        self._search, self._restart, self.nodes = build(far, near, self._check, threats(), number)
        self._budget, self._ends = None, UNLIMITED

    def begin(self, budget=None):
        """Count nodes from 0 and ask `budget` from now on.

        It is a function from the nodes so far to the node count of its next call, and ends a search by raising.
        """
        self._budget = budget
        self._restart(0)

    @contextmanager
    def within(self, nodes):
        """In a `with`: OutOfNodes once so many more nodes have been searched there, UNLIMITED for never."""
        self._ends = self.nodes() + nodes
        self._restart(self.nodes())         # the end may come before the next look at the budget
        try:
            yield
        finally:
            self._ends = UNLIMITED

    def _check(self, nodes):
        following = self._budget(nodes) if self._budget else UNLIMITED
        if nodes >= self._ends:
            raise OutOfNodes
        return min(following, self._ends)

    def bound(self, mine, mask, alpha):
        """A bound of the score of any position that is not over: above alpha a lower one, else an upper one."""
        left = count_bits(BOARD ^ mask)
        my_wins = winning_cells(mine, mask)
        if my_wins & mask + BOTTOM_ROW:
            return left + 1 >> 1
        if not left:
            return 0
        return self._search(mine, mask, my_wins, winning_cells(mine ^ mask, mask), alpha, left)

    def forget(self):
        """Empty the tables, so that what follows doesn't depend on earlier searches."""
        for table in (self._far, self._near):
            table.clear()

    def remember(self, mine, mask, low, high):
        """Put known bounds of a position into the table; a search may overwrite them."""
        left = count_bits(BOARD ^ mask)
        if left >= FAR_FROM:
            key = mine + mask
            if left >= MIRROR_FROM:
                key = min(key, mirrored(key))
            self._far.data[key % self._far.slots] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS

    def score(self, mine, mask, low=None, high=None):
        """The exact score of a position that is not over; low and high bound it where that is known."""
        left = count_bits(BOARD ^ mask)
        low = -(left >> 1) if low is None else low
        high = left + 1 >> 1 if high is None else high
        while low < high:
            alpha = next_window(low, high)
            bound = self.bound(mine, mask, alpha)
            if bound > alpha:
                low = bound
            else:
                high = bound
        return low

    def best_move(self, mine, mask, score):
        """A column whose move keeps the exact score of the position."""
        for column in ordered_columns(mine, mask):
            if self.move_bound(mine, mask, column, score - 1) >= score:
                return column
        raise ValueError(f"no move of {mine} {mask} reaches {score}")

    def move_bound(self, mine, mask, column, alpha):
        """bound() for the move in a column: above alpha a lower bound of its score, else an upper one."""
        if winning_cells(mine, mask) & landing_cell(mask, column):
            return count_bits(BOARD ^ mask) + 1 >> 1
        return -self.bound(*play(mine, mask, column), ~alpha)


def next_window(low, high):
    """The alpha of the next null window for a score within low..high: the middle, drawn away from 0.

    Windows far from 0 are cheap, since few stones are left in which a win there could be found or excluded, and
    they find the quick wins.
    """
    middle = (low + high) // 2
    if middle <= 0:
        return min(middle, -(-2 * low // 3))
    return max(middle, 2 * high // 3)


def ordered_columns(mine, mask):
    """The columns that are not full, likely good ones first."""
    ranked = []
    for place, column in enumerate(CENTRE_FIRST):
        cell = landing_cell(mask, column)
        if cell:
            ranked.append((-count_bits(winning_cells(mine | cell, mask | cell)), place, column))
    return [column for _, _, column in sorted(ranked)]
