"""The clocks of a GTP game: main time with an increment, then overtime."""

from __future__ import annotations

from search.limits import Limits


class GtpClock:
    """The time of both players: a main time with an increment, then overtime.

    Overtime has periods of `period` seconds for `stones` moves each; if `stones` is 0, there is no
    overtime.  The move that uses up the main time is the first of a period.  If the front end
    doesn't send `time_left`, spend() counts the engine's time.

    limited: is there any limit on the time?
    """

    def __init__(self) -> None:
        self.set()

    def set(
        self,
        main: float = 0.0,
        period: float = 0.0,
        stones: float = 0,
        increment: float = 0.0,
        periods: float | None = None,
    ) -> None:
        """Apply `time_settings`; if all times are 0, or a period has no stones, there is no limit.

        periods: number of periods of one move each, in place of stones; `time_left` then gives
            the number of periods left.
        """
        self._counts_periods = periods is not None
        self._main, self._period, self._increment = main, period, increment
        self._stones = 1 if self._counts_periods else stones
        self.restart()

    def restart(self) -> None:
        """Reset the clocks of both players."""
        self.limited = bool(self._stones or not self._period and (self._main or self._increment))
        overtime_at_once = self._main == 0 and self._stones
        first = (self._period, self._stones) if overtime_at_once else (self._main, 0)
        # of each player: seconds left, and moves left in the period (0 in the main time)
        self._left: list[tuple[float, float]] = [first, first]

    def left(self, player: int, seconds: float, stones: float) -> None:
        """Apply a player's `time_left`, which limits the moves even if no clock was set before.

        Seconds beyond one period count as main time: front ends describe a Fischer clock as periods
        of one stone that are as long as the increment.
        """
        self.limited = True
        if self._counts_periods:
            stones = min(stones, 1)
        if stones and 0 < self._period < seconds:
            seconds, stones = seconds - self._period, 0
        self._left[player] = seconds, stones

    def spend(self, player: int, seconds: float) -> None:
        """Subtract the time of a move from a player's clock."""
        if not self.limited:
            return
        seconds_left, stones = self._left[player]
        seconds_left += self._increment - seconds
        if not stones and seconds_left <= 0 and self._stones:
            seconds_left, stones = seconds_left + self._period, self._stones
        if stones:
            stones -= 1
            if not stones:
                seconds_left, stones = self._period, self._stones
        self._left[player] = max(seconds_left, 0.0), stones

    def limits(self, player: int) -> Limits:
        """Return the Limits for a move of `player`; empty ones if the clock is not `limited`."""
        if not self.limited:
            return Limits()
        seconds, stones = self._left[player]
        if stones:  # an even share, so that no move of the period gets less than the others
            return Limits(movetime=seconds / stones)
        overtime = self._period / self._stones if self._stones else 0.0
        increment = self._increment + overtime
        clocks, increments = (seconds, seconds), (increment, increment)
        return Limits(clocks=clocks, increments=increments, overtime=overtime)
