"""The clock of a player: it turns time controls and times shown by front ends into Limits."""

from __future__ import annotations

from time import perf_counter

from games.data import Fields
from search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TimeControl(Fields):
    """The time that a player gets.

    main: seconds of the main time; None for no limit.
    moves: number of moves after which the main time is added again; None if it never is.
    increment: seconds added after each move or, if `adds_before` is true, before it.
    cap: maximum number of seconds on the clock after an increment; None for no limit.
    period: seconds of a period of overtime, which begins when the main time is used up; 0 for no
        overtime.
    stones: number of moves to make in a period (byoyomi: 1).  After them the period begins anew.
    periods: number of periods.  The next one begins if a period is used up before its last move.
    turn: maximum number of seconds per move, whatever the clock shows; None for no limit.
    """

    main: float | None = None
    moves: int | None = None
    increment: float = 0.0
    adds_before: bool = False
    cap: float | None = None
    period: float = 0.0
    stones: int = 1
    periods: int = 1
    turn: float | None = None


class Clock:
    """The clock of one player.

    control: its TimeControl.
    seconds: rest of the main time or, in overtime, of the period; None for no limit.
    stones: moves to make in the period; 0 during the main time.
    periods: number of periods left.
    made: number of moves made since the main time was last added.
    """

    def __init__(self, control: TimeControl | None = None) -> None:
        self.set(control or TimeControl())

    def set(self, control: TimeControl) -> None:
        """Choose a time control and begin with its full time."""
        self.control = control
        self.reset()

    def reset(self) -> None:
        """Restore the full time, as at the start of a game."""
        control = self.control
        self.seconds, self.stones = control.main, 0
        self.periods, self.made = control.periods, 0
        if control.main == 0 and control.period:
            self.seconds, self.stones = control.period, control.stones

    def show(self, seconds: float, stones: int = 0) -> None:
        """Set the clock to the time that a front end shows, even if there is no time control.

        seconds: time left.
        stones: moves to make in the period or, if each period has one move, the number of periods;
            0 during the main time.
        Some front ends describe an increment by a large number of periods of one move, each as long
        as the increment.  So seconds beyond one period count as main time.
        """
        control = self.control
        self.seconds, self.stones = max(seconds, 0.0), stones
        if control.periods > 1:
            self.periods = max(stones, 1)
        if control.period:
            self.stones = min(stones, control.stones)
        if stones and 0 < control.period < seconds:
            self.seconds, self.stones = seconds - control.period, 0

    # ---- moves -----------------------------------------------------------------------

    def end(self, lost: float = 0.0) -> None:
        """End the move that limits() began, and subtract its time from the clock.

        lost: seconds that the front end's clock ran outside the search.
        """
        self.spend(perf_counter() - self._began + lost)

    def usable(self) -> float | None:
        """Return the seconds that the next move may take, None for no limit."""
        control, seconds = self.control, self.seconds
        if seconds is None:
            return control.turn
        if control.adds_before:
            seconds += control.increment
        spare_periods = self.periods - 1 if self.stones else self.periods
        seconds += control.period * spare_periods
        return seconds if control.turn is None else min(seconds, control.turn)

    def spend(self, seconds: float) -> None:
        """Subtract a move's time from the clock; overtime begins if the main time is used up."""
        control, left = self.control, self.seconds
        self.made += 1
        if left is None:
            return
        left += (control.increment if control.adds_before else 0.0) - seconds
        if control.period and not self.stones and left <= 0:
            left, self.stones = left + control.period, control.stones
        while self.stones and left < 0 and self.periods > 1:
            left, self.periods = left + control.period, self.periods - 1
        if self.stones:
            self.stones -= 1
            if not self.stones:  # the rest of a period is lost
                left, self.stones = control.period, control.stones
        left = max(left, 0.0)
        if not control.adds_before:
            refilled = left + control.increment
            left = refilled if control.cap is None else max(left, min(refilled, control.cap))
        self.seconds = left
        if self.made == control.moves:
            self.seconds, self.made = self.seconds + (control.main or 0.0), 0

    def take_back(self, count: int) -> None:
        """Reduce `made` by the `count` of moves taken back; leave the remaining time unchanged."""
        self.made = max(self.made - count, 0)

    # ---- limits ----------------------------------------------------------------------

    def limits(self, **bounds: Any) -> Limits:
        """Begin a move now and return its Limits.  bounds: other arguments of Limits."""
        self._began = perf_counter()
        control, main = self.control, self.seconds
        moves_to_go = None if control.moves is None else control.moves - self.made
        limits = Limits(moves_to_go=moves_to_go, turn=control.turn, **bounds)
        if main is not None and self.stones:
            # an even share, so that every move of the period gets the same time
            share = main / self.stones
            limits.turn = share if control.turn is None else min(control.turn, share)
        elif main is not None:
            if control.adds_before:
                main += control.increment
            limits.overtime = control.period / control.stones if control.period else 0.0
            increment = control.increment + limits.overtime
            limits.clocks, limits.increments = (main, main), (increment, increment)
        return limits
