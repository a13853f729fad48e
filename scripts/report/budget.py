"""The time for the analysis of one game: all its searches share it.

A time of so much a position is the budget of the whole game.  Each position is first
searched for a part of it (FIRST); the rest is for the positions around moves after
which the score jumped, shared out among those jumps.
"""

from __future__ import annotations

from search.limits import Limits

# Positions around a jump are searched so many times as long as at first, and if that doesn't
# settle it, again.
LONGER = (3, 9)
DEEPER = (2, 3)  # plies, if the depth is what bounds a search

FIRST = 1 / 3  # the share of the time that the first searches of all positions have
SEARCHES = 3  # around a jump: the position before, the one after, the other moves
LEAST_GAIN = 1.5  # a search is repeated only if it gets so many times the time


class Budget:
    """The Limits of the searches of a game, and the seconds that are left for them.

    limits: of one position; only a movetime makes a budget.  positions: their number.
    """

    def __init__(self, limits: Limits, positions: int) -> None:
        self._limits = limits
        seconds = limits.movetime
        self._first = None if seconds is None else seconds * FIRST
        self.left = None if seconds is None else seconds * positions
        self._longest = float("inf")

    def spend(self, seconds: float) -> None:
        """Take the time of a search out of the budget."""
        if self.left is not None:
            self.left = max(self.left - seconds, 0.0)

    def share_among(self, jumps: int) -> None:
        """From here on a search has its part of what is left for one of so many jumps."""
        if self.left is not None:
            self._longest = self.left / (max(jumps, 1) * SEARCHES)

    def glance(self, share: float) -> Limits:
        """The Limits of a quick look, for a share of the time of a position."""
        return Limits(movetime=(self._limits.movetime or 0.0) * share)

    def first(self) -> Limits:
        """The Limits of the first search of a position."""
        return self._bounds(self._first, 1, 0)

    def longer(self, step: int) -> Limits | None:
        """The Limits of a longer search, None if there is too little time left.

        step: in LONGER.
        """
        if self._first is None or self.left is None:
            return self._bounds(None, LONGER[step], DEEPER[step])
        before = self._first * (LONGER[step - 1] if step else 1)
        seconds = min(self._first * LONGER[step], self._longest, self.left)
        return None if seconds < before * LEAST_GAIN else self._bounds(seconds, 1, 0)

    def _bounds(self, seconds: float | None, times: int, plies: int) -> Limits:
        return Limits(
            depth=self._limits.depth and self._limits.depth + plies,
            nodes=self._limits.nodes and self._limits.nodes * times,
            movetime=seconds,
        )
