"""An engine's terms (time controls, depth and nodes) as plain data, and the clock for them.

Terms are a dict; a missing key means no limit:

    tc          "40/60+0.5": 40 moves in 60 seconds and 0.5 seconds more per move; "60+0.5", "1:00",
                "inf"
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
PATIENCE = 10.0  # seconds after the clock's end until an engine counts as stalled
LONGEST_MOVE = 600.0  # seconds per move until an engine without a clock counts as stalled
Terms = dict[str, Any]
MIN_SECONDS = 0.001  # the least time that an engine is told it has, in seconds
_SECONDS = r"(\d{1,7}(?:\.\d+)?|\.\d+)"
_CONTROL = re.compile(rf"(?:(\d{{1,7}})/)?(?:(\d{{1,5}}):)?{_SECONDS}(?:\+{_SECONDS})?", re.ASCII)


def read_control(text: str) -> TimeControl:
    """Parse a time control; raise ValueError if `text` is not one."""
    if text.strip().lower() in ("inf", "infinite", "none"):
        return TimeControl()
    found = _CONTROL.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'"{text}" is not a time control such as 40/60+0.5, 10+0.1 or inf')
    moves, minutes, seconds, increment = (float(part or 0) for part in found.groups())
    if seconds + 60 * minutes + increment <= 0 or found[1] and not moves:
        raise ValueError(f'"{text}" leaves no time to think')
    main = seconds + 60 * minutes
    return TimeControl(main, moves=int(moves) or None, increment=increment)


class GameClock(Clock):
    """One player's clock, and their other limits.

    movetime, depth, nodes: the values of the same keys of terms.
    """

    def __init__(self, terms: Terms) -> None:
        super().__init__(read_control(terms.get("tc") or "inf"))
        self.movetime, self.depth, self.nodes = map(terms.get, ("movetime", "depth", "nodes"))
        self._margin = MARGIN if terms.get("margin") is None else terms["margin"]

    def due(self) -> float | None:
        """Return the seconds after which a move is too late, None without a time limit."""
        bounds = [bound for bound in (self.usable(), self.movetime) if bound is not None]
        return min(bounds) + self._margin if bounds else None

    def charge(self, seconds: float) -> bool:
        """Charge a move of `seconds` to the clock; return True if the move was too late."""
        due = self.due()
        self.spend(seconds)
        return due is not None and seconds > due


def limits(clocks: list[GameClock], side: int) -> Limits:
    """Return the Limits for player `side`, from both players' GameClocks."""
    own, (first, second) = clocks[side], clocks
    times = [each.seconds for each in clocks]
    shown = [None if time is None else max(time, MIN_SECONDS) for time in times]
    return Limits(
        depth=own.depth,
        nodes=own.nodes,
        movetime=own.movetime,
        clocks=(None, None) if own.seconds is None else (shown[0], shown[1]),
        increments=(first.control.increment, second.control.increment),
        moves_to_go=own.moves_to_go(),
    )


def pgn_time_control(terms: Terms) -> str:
    """Return the terms as PGN's TimeControl.

    For example `40/60+0.5`, `300+3`, `1/0.5` for half a second per move, `-` without a clock.
    """
    control = read_control(terms.get("tc") or "inf")
    if control.main is None:
        return f"1/{terms['movetime']:g}" if terms.get("movetime") else "-"
    more = f"+{control.increment:g}" if control.increment else ""
    session = f"{control.moves}/" if control.moves else ""
    return f"{session}{control.main:g}{more}"


def words(terms: Terms) -> str:
    """Return the terms as text, for reports."""
    depth, nodes, movetime = map(terms.get, ("depth", "nodes", "movetime"))
    others = Limits(depth=depth, nodes=nodes, movetime=movetime)
    return ", ".join(filter(None, (terms.get("tc"), limits_text(others))))
