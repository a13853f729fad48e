"""The end of a search: its limits, its deadlines, and the watch that checks them."""

from __future__ import annotations

from time import perf_counter

from games.data import Fields
from games.solver import BudgetSpent
from search import interpreter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.types import Move, MovesLeft, Side
    from search.context import Helpers


class Limits(Fields):
    """The limits of one search; None (or False) for no limit.

    depth: in plies.  nodes: a count.  mate: in the winner's moves.  movetime: in seconds.
    clocks: (seconds of player 0, of player 1).  increments: seconds per move, likewise.
    moves_to_go: moves until the next time control.
    overtime: seconds of overtime, which this move may use even if less is left on the clock.
    turn: maximum number of seconds for this move.  The front end measures `turn` and `overtime`
        by its own clock, so the time lost between engine and clock is subtracted from them.  It is
        not subtracted from `movetime`.
    moves: the root moves to consider, None for all.
    infinite: don't answer before stop().
    ponder: don't answer before stop() or ponderhit(), which starts the clock.
    """

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: float | None = None
    clocks: tuple[float | None, float | None] = (None, None)
    increments: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    overtime: float = 0.0
    turn: float | None = None
    moves: Sequence[Move] | None = None
    infinite: bool = False
    ponder: bool = False

    def set_time(self, other: Limits) -> None:
        """Take over the time limits of `other`."""
        for name in ("movetime", "clocks", "increments", "moves_to_go", "overtime", "turn"):
            setattr(self, name, getattr(other, name))

    def choice(self, legal: list[Move]) -> list[Move]:
        """Return the legal moves among `moves`; if none of them is legal, all legal moves."""
        return [move for move in legal if self.moves is None or move in self.moves] or legal

    def depth_to_report(self) -> int:
        """Return the least depth that a finished search must report; 0 if any depth will do."""
        if self.mate:
            return 0
        return self.depth or (FINAL_DEPTH if self.infinite else 0)

    def bounded(self) -> bool:
        """Is the depth, the number of nodes or the time limited?"""
        times = self.movetime, self.turn, *self.clocks
        counts = self.depth or self.nodes or self.mate
        return bool(counts) or any(seconds is not None for seconds in times)

    def clock_of(self, side: Side) -> float | None:
        """Return the seconds on the clock of `side`, or on the opponent's if only that is known."""
        own = self.clocks[side]
        return own if own is not None else self.clocks[1 - side]


# ---- the deadlines -------------------------------------------------------------------

NEVER = float("inf")

# The reserve: time that stays on the clock, since games may be long and answers late.
# ("Usable" is what remains after all reserves.)
# The reserve covers _RESERVED_MOVES moves: few games last longer.  It covers one more for each move
# played so far, since the longer a game has lasted, the more moves may follow.
_RESERVED_MOVES = 60
# The overhead is the worst case.  A move usually loses this share of it.
USUAL_OVERHEAD_SHARE = 0.25
# The buffer for late answers, in overheads.  It is _BUFFER_OVERHEADS if the clock will be refilled:
# by a time control, or by increments in a game of unknown length.  Otherwise it is
# _FINAL_BUFFER_OVERHEADS.  At most, it is the share _MAX_BUFFER_SHARE of the clock.
_BUFFER_OVERHEADS = 3.0
_FINAL_BUFFER_OVERHEADS = 8.0
_MAX_BUFFER_SHARE = 0.5
# The share of the clock that is usable however large the reserves are.
_MIN_USABLE_SHARE = 0.04
# The maximum reserve of a fixed time per move, as a share of that time.
_MAX_FIXED_SHARE = 0.1

# The plan: the time that a move should take (the soft deadline).
# _DEFAULT_MOVES_LEFT: number of moves to plan for if the game doesn't say how many are left.
# _INCREMENT_SHARE: share of the increment to spend; the rest makes up for moves that took too long.
# _INCREMENT_SHARE_IN_PERIOD: that share if a time control follows.
_DEFAULT_MOVES_LEFT = 28
_INCREMENT_SHARE = 0.8
_INCREMENT_SHARE_IN_PERIOD = 0.9
# A move gets at least _MIN_SECONDS, since no search finishes a depth in less.  When little time is
# left, this minimum is _MIN_SECONDS_SHARE of that time, but at least _MIN_FINAL_SECONDS.
_MIN_SECONDS = 0.003
_MIN_SECONDS_SHARE = 0.01
_MIN_FINAL_SECONDS = 0.0005

# The bounds: the time that a move may take at most (the hard deadline), the smallest of three.
# (1) _MAX_EXTENSION times the planned time.
# (2) A share of the usable clock: _FINAL_MOVES divided by the number of expected moves, at least
#     _MAX_CLOCK_SHARE and at most _MAX_FINAL_CLOCK_SHARE.  _MAX_INCREMENT_SHARE of the increment is
#     added.  In a period that another time control follows, the share of the clock is different:
#     _PERIOD_BASE_SHARE plus the share that is planned for _PERIOD_MOVES moves, at most
#     _MAX_PERIOD_SHARE (except for the period's last move).
# (3) _MAX_USABLE_SHARE of the usable clock.
_MAX_EXTENSION = 4.0
_MAX_CLOCK_SHARE = 0.35
_FINAL_MOVES = 1.5
_MAX_FINAL_CLOCK_SHARE = 0.5
_MAX_INCREMENT_SHARE = 0.3
_PERIOD_BASE_SHARE = 0.15
_PERIOD_MOVES = 2.5
_MAX_PERIOD_SHARE = 0.8
_MAX_USABLE_SHARE = 0.9


class Deadlines(Fields):
    """The deadlines of a search (perf_counter seconds), from its Limits.

    limits: the Limits.
    overhead: seconds lost between engine and clock each move, usual pauses included; not
        subtracted from a fixed time per move.
    start: when the time for this move began to run; now by default.
    pause: worst lateness in seconds of an answer at the deadline; subtracted even from a fixed
        time per move.
    moves_left: Position.moves_left for the side to move; None if unknown.
    played: moves that the side has made, if known.
    """

    limits: Limits
    side: Side
    overhead: float = 0.03
    start: float | None = None
    pause: float = 0.0
    moves_left: MovesLeft | None = None
    played: int = 0

    def __post_init__(self) -> None:
        self.soft_deadline = self.hard_deadline = NEVER
        # _elastic: can time be saved for later moves?
        # _floor: the time at which this move's overtime ends; unused overtime is lost.
        self._elastic = False
        self._floor = 0.0
        self.pondering = self.limits.ponder
        self.begin(perf_counter() if self.start is None else self.start)

    def begin(self, start: float) -> None:
        """Start the time for this move at `start` (perf_counter seconds), and plan again."""
        self.started = start
        self._turn_began = start  # after a ponderhit it is later than `started`
        if not self.pondering:
            self._plan()

    def ponderhit(self) -> None:
        """Start our clock: the opponent played the expected move.

        If pondering has already taken the planned time, the depth in progress is the last one.
        """
        self.pondering = False
        self._turn_began = perf_counter()
        self._plan()
        if self._turn_began - self.started >= self.soft_deadline - self._turn_began:
            self.hard_deadline = self.soft_deadline

    def _plan(self) -> None:
        limits, now = self.limits, self._turn_began
        if limits.infinite:
            return
        soft = hard = NEVER
        on_clock, minimum = limits.clock_of(self.side), _MIN_SECONDS
        lost, overtime = self.overhead + self.pause, 0.0
        if on_clock is not None:
            soft, hard = self._share_out(on_clock, limits.increments[self.side] or 0.0)
            overtime = _less(limits.overtime, lost)
            soft, hard = max(soft, overtime), max(hard, overtime)
            minimum = min(minimum, max(on_clock * _MIN_SECONDS_SHARE, _MIN_FINAL_SECONDS))
        for seconds, reserve in ((limits.movetime, self.pause), (limits.turn, lost)):
            if seconds is not None:
                fixed = _less(seconds, reserve)
                hard, minimum = min(hard, fixed), min(minimum, fixed)
                soft = min(soft, hard)
        hard = max(hard, minimum)
        self.soft_deadline = now + min(max(soft, minimum), hard)
        self.hard_deadline = now + hard
        self._elastic = soft < hard
        self._floor = now + overtime

    def _share_out(self, on_clock: float, increment: float) -> tuple[float, float]:
        """Return (soft, hard) seconds for one move, with `on_clock` seconds on the clock.

        An example: the first of 28 moves, 60 s on the clock, no increment, an overhead of 0.04 s.
        The reserve is for 60 moves, which lose 0.01 s each and take at least 0.003 s: 0.78 s.  The
        buffer is 8 overheads, 0.32 s.  Without these and the overhead of this move, 58.86 s are
        usable: 2.10 s per move (soft), and at most four times as much, 8.41 s (hard).
        """
        period = self.limits.moves_to_go
        reserved = _RESERVED_MOVES + self.played
        moves, max_moves = self.moves_left or (period or _DEFAULT_MOVES_LEFT, reserved)
        if period:
            moves, max_moves = min(moves, period), min(max_moves, period)
        loss = self.overhead * USUAL_OVERHEAD_SHARE
        gain = max(increment - loss, 0.0)
        spare = max(on_clock - self.overhead, 0.0)
        cost = loss - increment if increment else loss + _MIN_SECONDS
        reserve = max(cost, 0.0) * min(max_moves, reserved)
        refilled = period or (increment and not self.moves_left)
        buffer = self.overhead * (_BUFFER_OVERHEADS if refilled else _FINAL_BUFFER_OVERHEADS)
        buffer = min(buffer, spare * _MAX_BUFFER_SHARE)
        usable = max(spare - reserve - buffer, spare * _MIN_USABLE_SHARE)
        # (What else was tried is in docs/lab/chess.md, "The clock".)
        if period:
            target = usable / moves + gain * _INCREMENT_SHARE_IN_PERIOD
            share = min(_MAX_PERIOD_SHARE, _PERIOD_MOVES / moves + _PERIOD_BASE_SHARE)
            ceiling = usable * (_MAX_USABLE_SHARE if period == 1 else share)
        else:
            target = usable / moves + gain * _INCREMENT_SHARE
            share = max(_MAX_CLOCK_SHARE, min(_MAX_FINAL_CLOCK_SHARE, _FINAL_MOVES / moves))
            ceiling = usable * share + gain * _MAX_INCREMENT_SHARE
        ceiling = min(ceiling, usable * _MAX_USABLE_SHARE)
        return min(target, ceiling), min(target * _MAX_EXTENSION, ceiling)

    def seconds_left(self) -> float | None:
        """Return the seconds until the soft deadline, None if there is none."""
        return None if self.soft_deadline == NEVER else self.soft_deadline - perf_counter()

    def elapsed(self) -> float:
        """Return the seconds since the search began."""
        return perf_counter() - self.started

    def spent(self, factor: float = 1.0) -> bool:
        """Is the planned time spent, so that no further depth should begin?

        factor: below 1 shortens the planned time, above 1 extends it.  It has no effect on a fixed
            time per move, which is used up because it can't be saved for later moves.
        """
        if self.soft_deadline == NEVER:
            return False
        deadline = self.hard_deadline
        if self._elastic:
            planned = self.started + (self.soft_deadline - self._turn_began) * factor
            deadline = min(deadline, max(planned, self._floor))
        return perf_counter() >= deadline


def _less(seconds: float, reserve: float) -> float:
    """Return `seconds` minus `reserve`, but subtract at most the share _MAX_FIXED_SHARE."""
    return seconds - min(reserve, seconds * _MAX_FIXED_SHARE)


# ---- the watch -----------------------------------------------------------------------

# Seconds between two checks of the clock and the stop flag.
CHECK_INTERVAL = 0.002
# An infinite search reports its final lines once more, with this depth.
FINAL_DEPTH = 99
FAR = 1 << 60  # more nodes, and more depth, than any search reaches


class Stopped(Exception):
    """Raised when the search has to end."""


class Watch:
    """The check of clock, node limit and stop flag that a search calls as it counts nodes.

    deadlines: the search's Deadlines.  helpers: its Helpers.
    stop_requested: was the search asked to end?
    look(seconds): carries out the input lines that have arrived; waits up to `seconds` for the
        first (None: no limit).  `look` is None if a thread reads the input.
    nodes: count at the last check, in this phase of the search.  earlier_nodes: count of
        the earlier phases.  node_limit: limit for this phase.
    longest_gap: longest time between two checks, in seconds.
    on_tick(): called about once a second.
    """

    def __init__(self, deadlines: Deadlines, helpers: Helpers) -> None:
        self.deadlines = deadlines
        self._helpers = helpers
        self.stop_requested = False
        self.look: Callable[[float | None], object] | None = None
        self.nodes = self.earlier_nodes = 0
        self.node_limit = deadlines.limits.nodes or FAR
        self.longest_gap = 0.0
        self.on_tick: Callable[[], None] | None = None
        self._interval = 1  # nodes between two checks
        self._hurries = False  # is the deadline close?
        self._last = perf_counter()
        self._next_tick = self._last + 1.0

    def postpone(self, seconds: float) -> None:
        """Start the clock this many seconds later, since another search had to finish first."""
        self.deadlines.begin(self.deadlines.started + seconds)
        self._next_tick += seconds

    def check(self, nodes: int) -> int:
        """Return the node count of the next check; raise Stopped if the search has to end.

        The distance to the next check has no influence on the search's result.
        """
        now = perf_counter()
        passed = now - self._last
        self._last = now
        if passed > self.longest_gap and self.nodes:  # the first gap includes the loading of code
            self.longest_gap = passed
        if self.look is not None:
            self.look(0)
        if (
            self.stop_requested
            or nodes + self._helpers.nodes() >= self.node_limit
            or now >= self.deadlines.hard_deadline
            or self._helpers.end_search(self.earlier_nodes + nodes)
        ):
            self.nodes = max(nodes, self.nodes)
            raise Stopped
        done, self.nodes = nodes - self.nodes, nodes
        if now >= self._next_tick:
            self._next_tick = now + 1.0
            if self.on_tick is not None:
                self.on_tick()
        self._interval = self._next_interval(now, done / max(passed, 1e-9))
        return min(nodes + self._interval, self.node_limit)

    def _next_interval(self, now: float, speed: float) -> int:
        """Return the number of nodes until the next check, at most twice as many as before.

        At the measured `speed` they take CHECK_INTERVAL seconds, or half of the time until the
        deadline if that is less.
        """
        seconds_left = self.deadlines.hard_deadline - now
        if not self._hurries and interpreter.is_close(
            seconds_left, seconds_left + now - self.deadlines.started
        ):
            self._hurries = True
            interpreter.avoid_pauses()
        nodes = int(speed * min(CHECK_INTERVAL, seconds_left / 2))
        return max(min(nodes, 2 * self._interval), 1)

    def next_phase(self) -> None:
        """Begin a phase that counts nodes from 0 (the main search after the solver)."""
        self.earlier_nodes += self.nodes
        self.node_limit -= self.nodes
        self.nodes, self._interval = 0, 1

    def ponderhit(self) -> None:
        """Start the clock: the expected move was played."""
        self.deadlines.ponderhit()
        self._helpers.ponderhit(self.deadlines.seconds_left())


class Budget:
    """A share of the search's remaining time, and of the nodes that remain for its current phase.

    A solver calls Budget.check() in place of Context.check(); Budget.check() raises BudgetSpent
    once the share is spent.
    nodes: the solver's count when the Budget is made.  most: maximum number of further nodes.

    A pondering search has no time limit to share until the expected move is played.
    """

    def __init__(self, watch: Watch, share: float, nodes: int = 0, most: int = FAR) -> None:
        self._watch, self._nodes, self._most = watch, nodes, most
        self._since = perf_counter()
        self._seconds = watch.deadlines.seconds_left()
        self.allow(share)

    def allow(self, share: float) -> None:
        """Set the usable share (0 to 1) of the time and nodes left when the Budget was made."""
        self._share = share
        nodes_left = self._watch.node_limit - self._nodes
        self._max_nodes = self._nodes + min(int(nodes_left * share), self._most)

    @property
    def bounded(self) -> bool:
        """Is the time or the number of nodes limited?  A search to a fixed depth limits neither."""
        return self._whole() is not None or self._watch.deadlines.limits.nodes is not None

    def _whole(self) -> float | None:
        """Return the seconds that a share of 1 allows; None if no clock limits the search yet."""
        if self._seconds is None:
            self._seconds, self._since = self._watch.deadlines.seconds_left(), perf_counter()
        return self._seconds

    def spent(self, nodes: int) -> bool:
        """Has a solver that has visited this many nodes used up its share?"""
        if nodes >= self._max_nodes:
            return True
        seconds = self._whole()
        return seconds is not None and perf_counter() - self._since > seconds * self._share

    def check(self, nodes: int) -> int:
        """Call Watch.check(), but raise BudgetSpent first if the share is spent.

        After BudgetSpent the solver can still report its results, even if its share was 1; after
        Stopped it can't.
        """
        if self.spent(nodes):
            raise BudgetSpent
        return min(self._watch.check(nodes), self._max_nodes)
