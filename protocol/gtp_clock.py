"""GTP's clocks: a main time, then Canadian overtime."""
from __future__ import annotations


class GtpClock:
    """The time that both players have left.

    After the main time there are periods of `period` seconds, each for `stones` moves; without stones there is no
    overtime.  Front ends that don't send `time_left` expect the engine to count its own time: `spend` does.
    """

    def __init__(self):
        self.limited = False
        self._main = self._period = 0.0
        self._stones = 0
        self._left = []             # [seconds, moves left in the period or 0 in the main time] of each player

    def set(self, main, period, stones):
        """`time_settings`; a period without stones means that there is no limit."""
        self.limited = not (period > 0 and stones == 0)
        self._main, self._period, self._stones = main, period, stones
        self.restart()

    def restart(self):
        """Both players have their whole time again."""
        first = [self._period, self._stones] if self._main == 0 and self._stones else [self._main, 0]
        self._left = [first[:], first[:]]

    def left(self, player, seconds, stones):
        """`time_left` of a player; it also begins to limit where nothing was set before."""
        if not self._left:
            self.restart()
        self.limited = True
        self._left[player] = [seconds, stones]

    def spend(self, player, seconds):
        """A player's move took so long."""
        if not self.limited:
            return
        time = self._left[player]
        time[0] -= seconds
        if time[1]:
            time[1] -= 1
            if not time[1]:
                time[:] = [self._period, self._stones]
        elif time[0] <= 0 and self._stones:
            time[:] = [max(time[0] + self._period, 0.0), self._stones]
        time[0] = max(time[0], 0.0)

    def limits(self, player):
        """What Limits() should be told for a move of `player`; empty where there is no limit."""
        if not self.limited:
            return {}
        seconds, stones = self._left[player]
        if self._main == 0 and stones == self._stones == 1:
            return {"movetime": seconds}        # a time for each move alone: there is nothing to save it for
        clocks = [None, None]
        clocks[player] = seconds
        if stones:
            return {"clocks": clocks, "moves_to_go": stones}
        overtime = self._period / self._stones if self._stones else 0.0
        return {"clocks": clocks, "increments": [overtime, overtime]}
