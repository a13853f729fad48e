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

    A search that ponders has no time to share out before the expected move was played.
    """

    def __init__(self, context: Context, share: float, nodes: int = 0) -> None:
        self._context, self._nodes = context, nodes
        self._begun = self._since = perf_counter()
        self._seconds = context.seconds_left()
        self.allow(share)

    def allow(self, share: float) -> None:
        """From now on this share (0 to 1) of the same whole may be spent."""
        self._share = share
        left = self._context.node_limit - self._nodes
        self._most_nodes = self._nodes + int(left * share)

    @property
    def bounded(self) -> bool:
        """Is the time or the number of nodes limited?  A search to a fixed depth limits neither."""
        return self._whole() is not None or self._context.limits.nodes is not None

    def _whole(self) -> float | None:
        """The seconds of which a share may be spent; None where no time runs (yet)."""
        if self._seconds is None:
            self._seconds, self._since = self._context.seconds_left(), perf_counter()
        return self._seconds

    def elapsed(self) -> float:
        """Seconds since this was made."""
        return perf_counter() - self._begun

    def spent(self, nodes: int) -> bool:
        """Has a solver that has visited so many nodes used up its share?"""
        if nodes >= self._most_nodes:
            return True
        seconds = self._whole()
        return seconds is not None and perf_counter() - self._since > seconds * self._share

    def check(self, nodes: int) -> int:
        """context.check(), but GiveUp comes first.

        So a solver that was given everything can still report what it knows.
        """
        if self.spent(nodes):
            raise GiveUp
        return min(self._context.check(nodes), self._most_nodes)
