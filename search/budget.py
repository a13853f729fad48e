"""The share of a search that a solver may take before the main search gets the rest."""
from __future__ import annotations

from time import perf_counter

from games.base import GiveUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from search.context import Context


class Budget:
    """A share of the time and of the nodes that this phase of a search has left.

    A solver hands its `check` to its core in place of the context's: that raises
    `GiveUp` once the share is spent.
    nodes: what the solver has counted so far.
    bounded: is the time or the number of nodes limited?  A search to a fixed depth
    limits neither.
    """

    def __init__(self, context: Context, share: float, nodes: int = 0) -> None:
        self._context, self._begun = context, perf_counter()
        self._seconds = context.seconds_left()
        self._nodes = nodes
        self.bounded = self._seconds is not None or context.limits.nodes is not None
        self.allow(share)

    def allow(self, share: float) -> None:
        """From now on this share (0 to 1) of the same whole may be spent."""
        self._allowed = None if self._seconds is None else self._seconds * share
        left = self._context.node_limit - self._nodes
        self._most_nodes = self._nodes + int(left * share)

    def elapsed(self) -> float:
        """Seconds since this was made."""
        return perf_counter() - self._begun

    def spent(self, nodes: int) -> bool:
        """Has a solver that has visited so many nodes used up its share?"""
        return (nodes >= self._most_nodes
                or self._allowed is not None and self.elapsed() > self._allowed)

    def check(self, nodes: int) -> int:
        """context.check(), but GiveUp comes first.

        So a solver that was given everything can still report what it knows.
        """
        if self.spent(nodes):
            raise GiveUp
        return min(self._context.check(nodes), self._most_nodes)
