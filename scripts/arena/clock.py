"""An engine's terms (time controls, depth and nodes) as plain data, and the clock for them.

Terms are a dict; a missing key means no limit:

    tc          "40/60+0.5": 40 moves in 60 seconds and 0.5 seconds more per move; "60+0.5", "1:00",
                "inf"; with overtime "600,3x30": 3 periods of 30 seconds per move (byoyomi),
                "600,25/300": 300 seconds for every 25 moves
    movetime    seconds per move
    depth       plies
    nodes       nodes
    margin      seconds that an engine may be late without a forfeit, since the pipe and the
                scheduler also take time
"""

from __future__ import annotations

import re
from typing import Any

from scripts.command_line import limits_text
from search.clock import Clock, TimeControl
from search.limits import Limits

MARGIN = 0.1
# An engine counts as stalled this many seconds after its clock has run out.
PATIENCE = 10.0
# An engine without a clock counts as stalled after this many seconds for a move.
LONGEST_MOVE = 600.0
Terms = dict[str, Any]
MIN_SECONDS = 0.001  # the smallest time on a clock that is sent to an engine, in seconds
_SECONDS = r"(\d{1,7}(?:\.\d+)?|\.\d+)"
# Matches a time control such as 40/1:30+0.5, 600,3x30 or 600,25/300.
_CONTROL = re.compile(
    rf"(?:(\d{{1,7}})/)?(?:(\d{{1,5}}):)?{_SECONDS}(?:\+{_SECONDS})?"
    rf"(?:,(?:(\d{{1,3}})(x|/))?{_SECONDS})?",
    re.ASCII,
)


def read_control(text: str) -> TimeControl:
    """Parse a time control; raise ValueError if `text` is not one."""
    if text.strip().lower() in ("inf", "infinite", "none"):
        return TimeControl()
    match = _CONTROL.fullmatch(text.strip())
    if match is None:
        raise ValueError(f'"{text}" is not a time control such as 40/60+0.5, 600,3x30 or inf')
    moves = int(match[1] or 0)
    main = 60 * int(match[2] or 0) + float(match[3])
    increment = float(match[4] or 0)
    count = int(match[5] or 0)
    period = float(match[7] or 0)
    if main + increment + period <= 0 or match[1] and not moves or match[5] and not count * period:
        raise ValueError(f'"{text}" leaves no time to think')
    stones, periods = (count, 1) if match[6] == "/" else (1, count or 1)
    return TimeControl(
        main, moves or None, increment, period=period, stones=stones, periods=periods
    )


class GameClock(Clock):
    """One player's clock, and the player's other limits."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(read_control(terms.get("tc") or "inf"))
        self._bounds = {name: terms.get(name) for name in ("movetime", "depth", "nodes")}
        self._margin = MARGIN if terms.get("margin") is None else terms["margin"]

    def due(self) -> float | None:
        """Return the seconds after which a move is too late, None without a time limit."""
        bounds = [bound for bound in (self.usable(), self._bounds["movetime"]) if bound is not None]
        return min(bounds) + self._margin if bounds else None

    def charge(self, seconds: float) -> float:
        """Charge a move of `seconds` to the clock; return how many seconds late it was."""
        due = self.due()
        self.spend(seconds)
        return 0.0 if due is None else max(seconds - due, 0.0)

    def limits(self, **bounds: Any) -> Limits:
        """Return the Limits of the next move, as if the opponent had the same clock."""
        return super().limits(**self._bounds, **bounds)


def limits(clocks: list[GameClock], side: int) -> Limits:
    """Return the Limits for player `side`, from both players' GameClocks."""
    first, second = (clock.limits() for clock in clocks)
    wanted = (first, second)[side]
    if wanted.clocks[side] is not None:
        wanted.clocks = _shown(first.clocks[0]), _shown(second.clocks[1])
        wanted.increments = first.increments[0], second.increments[1]
    return wanted


def _shown(seconds: float | None) -> float | None:
    return None if seconds is None else max(seconds, MIN_SECONDS)


def pgn_time_control(terms: Terms) -> str:
    """Return the terms as PGN's TimeControl.

    For example `40/60+0.5`, `300+3`, `600:1/30` with overtime, `1/0.5` for half a second per move,
    `-` without a clock.
    """
    control = read_control(terms.get("tc") or "inf")
    if control.main is None:
        return f"1/{terms['movetime']:g}" if terms.get("movetime") else "-"
    more = f"+{control.increment:g}" if control.increment else ""
    session = f"{control.moves}/" if control.moves else ""
    overtime = f":{control.stones}/{control.period:g}" if control.period else ""
    return f"{session}{control.main:g}{more}{overtime}"


def words(terms: Terms) -> str:
    """Return the terms as text, for reports."""
    others = limits_text(GameClock(terms).limits())
    return ", ".join(filter(None, (terms.get("tc"), others)))
