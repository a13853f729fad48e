"""The clock: a soft deadline, after which no new depth begins, and a hard deadline."""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import MovesLeft, Side
    from search.limits import Limits

NEVER = float("inf")

# If the game doesn't say how many moves are left, plan for this many, and keep the
# overhead of at most that many in reserve.
_HORIZON, _LONGEST = 28, 200
# The overhead is the worst case; a move usually loses this share of it.
_USUAL_LOSS = 0.25
# Keep this many overheads in reserve, or this share of the clock, so that an occasional
# late answer can't lose on time: more if the plan leaves nothing else at the end.
_BUFFER, _LAST_BUFFER, _BUFFER_SHARE = 3.0, 8.0, 0.5
# The hard deadline is at most this many times the planned time, and at most this share of
# the clock, or a larger share during the last moves that deserve time.
_STRETCH = 4.0
_SHARE, _LAST_SHARE, _LAST_MOVES = 0.35, 0.5, 1.5
# When the reserve is in use, this share of the remaining time is still for thinking.
_LAST_RESORT = 0.06
# A search always gets this much time, or it would answer before it finished any depth;
# less at the very end of the clock.
_LEAST, _LEAST_SHARE, _INSTANT = 0.003, 0.01, 0.0005
# An answer that can wait no longer comes after this share of the clock without the overhead.
_LATEST = 0.8
# At most this share of a fixed time per move is left unused because of pauses.
_PAUSE_SHARE = 0.1


# Decay of the remembered pause per search, and its floor: the answer has to be read.
_MEMORY_OF_PAUSES, _LEAST_PAUSE = 0.9, 0.001
# With a fixed time per move there is no slack, so the worst pause is remembered longer, with
# a safety factor.
_MEMORY_OF_THE_WORST, _WORSE = 0.98, 3.0
# The pause assumed at first: first searches compile, load and fill what later ones reuse.
_FIRST_PAUSE = 0.003


class Pauses:
    """The lateness of answers in seconds.

    usual: expected now and then.  worst: possible.
    """

    def __init__(self) -> None:
        self.usual, self.worst = _LEAST_PAUSE, _FIRST_PAUSE * _WORSE

    def add(self, seconds: float) -> None:
        """Record the lateness of the last search in seconds."""
        self.usual = max(seconds, self.usual * _MEMORY_OF_PAUSES, _LEAST_PAUSE)
        self.worst = max(seconds * _WORSE, self.worst * _MEMORY_OF_THE_WORST, _LEAST_PAUSE * _WORSE)


class Clock:
    """The deadlines of a search (perf_counter seconds), from its Limits.

    overhead: seconds lost between engine and clock each move, usual pauses included; not
        subtracted from a fixed time per move.
    start: when the time for this move began to run; now by default.
    pause: worst lateness in seconds of an answer at the deadline; subtracted from a fixed
        time per move.
    moves_left: Position.moves_left for the side to move; None if unknown.
    """

    def __init__(
        self,
        limits: Limits,
        side: Side,
        overhead: float = 0.03,
        start: float | None = None,
        pause: float = 0.0,
        moves_left: MovesLeft | None = None,
    ) -> None:
        self.soft_deadline = self.hard_deadline = NEVER
        self._elastic = False  # can time be saved for later moves?
        self._limits, self._side = limits, side
        self._overhead, self._pause = overhead, pause
        self._moves_left = moves_left
        self.pondering = limits.ponder
        self.begin(perf_counter() if start is None else start)

    def begin(self, start: float) -> None:
        """Start the time for this move at `start` (perf_counter seconds), and plan again."""
        self.started = self._turn = start
        if not self.pondering:
            self._plan()

    def ponderhit(self) -> None:
        """Start our clock: the opponent played the expected move.

        Time spent pondering counts: if it was as long as planned, the depth in progress is
        the last one.
        """
        self.pondering = False
        self._turn = perf_counter()
        self._plan()
        if self._turn - self.started >= self.soft_deadline - self._turn:
            self.hard_deadline = self.soft_deadline

    def _plan(self) -> None:
        limits, now = self._limits, self._turn
        if limits.infinite or not limits.timed(self._side):
            return
        soft = hard = NEVER
        left, least = limits.clock_of(self._side), _LEAST
        if left is not None:
            soft, hard = self._share_out(left, limits.increments[self._side] or 0.0)
            least = min(_LEAST, max(left * _LEAST_SHARE, _INSTANT))
        if limits.movetime is not None:
            fixed = limits.movetime - min(self._pause, limits.movetime * _PAUSE_SHARE)
            hard, least = min(hard, fixed), min(least, fixed)
            soft = min(soft, hard)
        hard = max(hard, least)
        self.soft_deadline = now + min(max(soft, least), hard)
        self.hard_deadline = now + hard
        self._elastic = soft < hard

    def _share_out(self, left: float, increment: float) -> tuple[float, float]:
        """Return (soft, hard) seconds for one move, with `left` seconds on the clock."""
        period = self._limits.moves_to_go
        worth, most = self._moves_left or (period or _HORIZON, _LONGEST)
        if period:
            worth, most = min(worth, period), min(most, period)
        loss = self._overhead * _USUAL_LOSS
        gain = max(increment - loss, 0.0)
        spare = max(left - self._overhead, 0.0)
        reserve = max(loss - increment, 0.0) * min(most, _LONGEST)
        buffer = self._overhead * (_LAST_BUFFER if self._moves_left and not period else _BUFFER)
        buffer = min(buffer, spare * _BUFFER_SHARE)
        usable = max(spare - reserve - buffer, spare * _LAST_RESORT)
        if period:
            target = usable / worth + gain * 0.9
            ceiling = usable * (0.95 if period == 1 else min(0.8, 2.5 / worth + 0.15))
        else:
            target = usable / worth + gain * 0.8
            ceiling = usable * max(_SHARE, min(_LAST_SHARE, _LAST_MOVES / worth)) + gain * 0.3
        ceiling = min(ceiling, usable * 0.9)
        return min(target, ceiling), min(target * _STRETCH, ceiling)

    def latest(self) -> float:
        """Return when to answer at the latest, searched or not, so as not to lose on time.

        It is later than the hard deadline if the clock leaves more; infinite without a limit.
        """
        left = self._limits.clock_of(self._side)
        if self.hard_deadline == NEVER or self._limits.movetime is not None or left is None:
            return self.hard_deadline
        return max(self.hard_deadline, self._turn + (left - self._overhead) * _LATEST)

    def seconds_left(self) -> float | None:
        """Return the seconds until the soft deadline, None if there is none."""
        return None if self.soft_deadline == NEVER else self.soft_deadline - perf_counter()

    def elapsed(self) -> float:
        """Return the seconds since the search began."""
        return perf_counter() - self.started

    def enough(self, stability: float = 1.0) -> bool:
        """Is it too late to begin another depth?

        stability: below 1 shortens the planned time, above 1 extends it.

        A fixed time per move can't be saved for later, so it is used up.
        """
        if self.soft_deadline == NEVER:
            return False
        deadline = self.hard_deadline
        if self._elastic:
            deadline = min(deadline, self.started + (self.soft_deadline - self._turn) * stability)
        return perf_counter() >= deadline
