"""How long to think: a soft deadline after which no new depth is begun, a hard one that is never passed."""
from __future__ import annotations

from time import perf_counter

_NEVER = float("inf")

# Without a number of moves to go the clock is planned to last for this many more.
_HORIZON = 28
# What moves lose between engine and clock is kept in reserve for this many.
_LONGEST = 100
# The hard deadline: at most this many times the planned time, and at most this share of the clock.
_STRETCH = 4.0
_SHARE = 0.35
# The overhead is the worst case: what each of the moves to come usually loses is this share of it.
_USUAL_LOSS = 0.25
# Of what is left when the reserve has been touched, this share is still for thinking.
_SCRAPE = 0.06
# A search always gets this much, or it would answer with no depth finished.
_LEAST = 0.003


class Clock:
    """Turns Limits into deadlines (perf_counter seconds).

    overhead: seconds that pass between engine and clock for each move (`Move Overhead`).
    """

    def __init__(self, limits, side, overhead=0.03, start=None):
        self.started = perf_counter() if start is None else start
        self.soft_deadline = self.hard_deadline = _NEVER
        self._limits, self._side, self._overhead = limits, side, overhead
        self.pondering = limits.ponder
        if not limits.ponder:
            self._plan(self.started)

    def ponderhit(self):
        """The opponent played the expected move: from now on our clock runs."""
        self.pondering = False
        self._plan(perf_counter())

    def _plan(self, now):
        limits = self._limits
        if limits.infinite or not limits.timed(self._side):
            return
        soft = hard = _NEVER
        left = limits.clock_of(self._side)
        if left is not None:
            soft, hard = self._share_out(left, limits.increments[self._side] or 0.0)
        if limits.movetime is not None:
            hard = min(hard, limits.movetime - self._overhead)
            soft = min(soft, hard)
        hard = max(hard, _LEAST)
        self.soft_deadline = now + min(max(soft, _LEAST), hard)
        self.hard_deadline = now + hard

    def _share_out(self, left, increment):
        """(soft, hard) seconds for one move, out of `left` on the clock."""
        moves = self._limits.moves_to_go
        lost = max(self._overhead * _USUAL_LOSS - increment, 0.0) * min(moves or _LONGEST, _LONGEST)
        usable = max(left - self._overhead - lost, (left - self._overhead) * _SCRAPE, 0.0)
        if moves:
            target = usable / moves + increment * 0.9
            ceiling = usable * (0.95 if moves == 1 else min(0.8, 2.5 / moves + 0.15))
        else:
            target = usable / _HORIZON + increment * 0.8
            ceiling = usable * _SHARE + increment * 0.3
        ceiling = min(ceiling, usable * 0.9)
        return min(target, ceiling), min(target * _STRETCH, ceiling)

    def seconds_left(self):
        """Seconds until the soft deadline, None where there is none."""
        return None if self.soft_deadline == _NEVER else self.soft_deadline - perf_counter()

    def elapsed(self):
        """Seconds since the search began."""
        return perf_counter() - self.started

    def enough(self, stability=1.0):
        """Is it too late to begin another depth?  stability < 1 shortens, > 1 stretches the planned time."""
        if self.soft_deadline == _NEVER:
            return False
        now = perf_counter()
        planned = (self.soft_deadline - self.started) * stability
        return now >= min(self.started + planned, self.hard_deadline)
