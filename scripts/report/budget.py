"""The time budget of one game's analysis.

The budget is the time per position, times the number of positions.  The first searches of all
positions use a share of it (FIRST); the rest is divided among the jumps: the moves at which the
score jumped.
"""

from __future__ import annotations

from search.limits import Limits

# Factors on the time or nodes of the first search, for the first and second repetition around a
# jump.
LONGER = (3, 9)
DEEPER = (2, 3)  # the same for a search to a fixed depth: additional plies

FIRST = 1 / 3  # share of the budget for the first searches of all positions
SEARCHES = 3  # searches around a jump: the position before, the one after, the other moves
LEAST_GAIN = 1.5  # smallest factor on the former time that makes a repetition worthwhile


class Budget:
    """The Limits of a game's searches, and the seconds left for them.

    limits: for one position; there is a budget only if it has a movetime.  positions: their
    number.
    """

    def __init__(self, limits: Limits, positions: int) -> None:
        self._limits = limits
        seconds = limits.movetime
        self._first = None if seconds is None else seconds * FIRST
        self.left = None if seconds is None else seconds * positions
        self._longest = float("inf")

    def spend(self, seconds: float) -> None:
        """Deduct the time of a search."""
        if self.left is not None:
            self.left = max(self.left - seconds, 0.0)

    def share_among(self, jumps: int) -> None:
        """Limit the next searches to an equal share of the time left.  jumps: number of shares."""
        if self.left is not None:
            self._longest = self.left / (max(jumps, 1) * SEARCHES)

    def glance(self, share: float) -> Limits:
        """Return the Limits of a quick search, for a share of a position's time."""
        return Limits(movetime=(self._limits.movetime or 0.0) * share)

    def first(self) -> Limits:
        """Return the Limits of the first search of a position."""
        return self._bounds(self._first, 1, 0)

    def longer(self, step: int) -> Limits | None:
        """Return the Limits of a longer search, or None if too little time is left.

        step: index into LONGER and DEEPER.
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
