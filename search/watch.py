"""The watch over a search: limits, clock and stop requests; and a solver's share of them."""

from __future__ import annotations

from time import perf_counter

from games.base import BudgetSpent
from search import interpreter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from search.clock import Clock
    from search.context import Helpers
    from search.limits import Limits

# Seconds between two checks of the clock and the stop flag.
CHECK_INTERVAL = 0.002
# Checks come more often when fewer than this many intervals remain before the deadline.
_CLOSE = 2
_FIRST_CHECK = 16
FAR = 1 << 60  # more nodes, and more depth, than any search reaches


class Stopped(Exception):
    """Raised when the search has to end."""


class Watch:
    """The check of clock, node limit and stop flag that a search calls as it counts nodes.

    limits: the Limits of the search.  clock: its Clock.  helpers: its Helpers.
    stop_requested: was the search asked to end?
    nodes: count at the last check, in this phase of the search.  earlier_nodes: count of
        the earlier phases.  node_limit: of this phase.
    longest_gap: the most seconds between two checks.
    on_tick(nodes): called about once a second.
    """

    def __init__(self, limits: Limits, clock: Clock, helpers: Helpers) -> None:
        self.limits, self.clock, self._helpers = limits, clock, helpers
        self.stop_requested = False
        self.nodes = self.earlier_nodes = 0
        self.node_limit = limits.nodes or FAR
        self.longest_gap = 0.0
        self.on_tick: Callable[[int], None] | None = None
        self._interval = _FIRST_CHECK
        self._hurries = False  # is the deadline close?
        self._last = perf_counter()
        self._next_tick = self._last + 1.0

    def postpone(self, seconds: float) -> None:
        """Start the time this much later, since another search had to finish first."""
        self.clock.begin(self.clock.started + seconds)
        self._last += seconds
        self._next_tick += seconds

    def check(self, nodes: int) -> int:
        """Return the node count of the next check; raise Stopped if the search has to end.

        The distance to the next check follows the measured speed, so that checks come
        about every CHECK_INTERVAL seconds whatever a node costs.  It has no influence
        on what a search finds.
        """
        now = perf_counter()
        passed = now - self._last
        self._last = now
        if passed > self.longest_gap and self.nodes:  # the first loads code
            self.longest_gap = passed
        if (
            self.stop_requested
            or nodes + self._helpers.nodes() >= self.node_limit
            or now >= self.clock.hard_deadline
            or self._helpers.end_search(self.earlier_nodes + nodes)
        ):
            self.nodes = max(nodes, self.nodes)
            raise Stopped
        done, self.nodes = nodes - self.nodes, nodes
        if passed < CHECK_INTERVAL / 2 and done >= self._interval:
            self._interval = min(self._interval * 2, 1 << 16)
        elif passed > CHECK_INTERVAL * 2:
            self._interval = max(self._interval // 2, 1)
        if now >= self._next_tick:
            self._next_tick = now + 1.0
            if self.on_tick is not None:
                self.on_tick(nodes)
        return self._next_look(nodes, now, done / max(passed, 1e-9))

    def _next_look(self, nodes: int, now: float, speed: float) -> int:
        """Return the node count of the next check, sooner if the deadline is close."""
        following = nodes + self._interval
        left = self.clock.hard_deadline - now
        if not self._hurries and interpreter.is_close(left, left + now - self.clock.started):
            self._hurries = True
            interpreter.avoid_pauses()
        if left < CHECK_INTERVAL * _CLOSE:
            following = min(following, nodes + max(int(speed * left / 2), 1))
        return min(following, self.node_limit)

    def next_phase(self) -> None:
        """Begin a phase that counts nodes from 0 (the main search after the solver)."""
        self.earlier_nodes += self.nodes
        self.node_limit -= self.nodes
        self.nodes, self._interval = 0, _FIRST_CHECK

    def ponderhit(self) -> None:
        """Start the clock: the expected move was played."""
        self.clock.ponderhit()
        self._helpers.ponderhit(self.clock.seconds_left())


class Budget:
    """A share of the time and of the nodes that this phase of a search has left.

    A solver's core calls this `check` in place of the context's; it raises `BudgetSpent` once
    the share is spent.
    nodes: the solver's count so far.

    A pondering search has no time limit to share until the expected move is played.
    """

    def __init__(self, watch: Watch, share: float, nodes: int = 0) -> None:
        self._watch, self._nodes = watch, nodes
        self._begun = self._since = perf_counter()
        self._seconds = watch.clock.seconds_left()
        self.allow(share)

    def allow(self, share: float) -> None:
        """Change the share (0 to 1) of the same total that may be spent."""
        self._share = share
        left = self._watch.node_limit - self._nodes
        self._most_nodes = self._nodes + int(left * share)

    @property
    def bounded(self) -> bool:
        """Is the time or the number of nodes limited?  A search to a fixed depth limits neither."""
        return self._whole() is not None or self._watch.limits.nodes is not None

    def _whole(self) -> float | None:
        """Return the seconds of which a share may be spent; None until the clock starts."""
        if self._seconds is None:
            self._seconds, self._since = self._watch.clock.seconds_left(), perf_counter()
        return self._seconds

    def elapsed(self) -> float:
        """Return the seconds since this budget was made."""
        return perf_counter() - self._begun

    def spent(self, nodes: int) -> bool:
        """Has a solver that has visited this many nodes used up its share?"""
        if nodes >= self._most_nodes:
            return True
        seconds = self._whole()
        return seconds is not None and perf_counter() - self._since > seconds * self._share

    def check(self, nodes: int) -> int:
        """Call Watch.check(), but raise BudgetSpent first if the share is spent.

        So a solver with all of the budget can still report what it knows.
        """
        if self.spent(nodes):
            raise BudgetSpent
        return min(self._watch.check(nodes), self._most_nodes)
