"""CECP's commands about time."""

from __future__ import annotations

from protocol.base import CommandError, command, seconds_of, whole_number
from search.clock import Clock, TimeControl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from search.limits import Limits

_LONGEST = 10.0**7  # longest time of a clock, in seconds
# If a clock exceeds the expected time by this share of a session's time, a new session has begun.
_JUMP = 0.5
# Minimum number of moves to plan for until the next session.  Our count may be wrong, since front
# ends count from the start of the game, from the end of the opening or from `level`.
_MIN_TO_GO = 2


class CecpTime:
    """The engine's clock, and the limit on the depth.

    depth: limit in plies, or None.
    """

    def __init__(self) -> None:
        self.depth: int | None = None
        self.clock = Clock(TimeControl(300.0, moves=40))

    def new_game(self) -> None:
        """Reset the clock and lift the limit on the depth; keep the time control."""
        self.depth = None
        self.clock.reset()

    @command("level")
    def level(self, text: str) -> None:
        """level MOVES TIME INCREMENT: set the time control; TIME in minutes or MIN:SEC

        A negative TIME means that a clock has run out, and counts as 0.  (Front ends write -1
        second as -1:59.)
        """
        words = text.split()
        if len(words) != 3 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 6):
            raise CommandError("level needs MOVES TIME INCREMENT")
        minutes, colon, seconds = words[1].partition(":")
        base = max(60 * _seconds(minutes) + (_seconds(seconds) if colon else 0.0), 0.0)
        increment = max(_seconds(words[2]), 0.0)
        self.clock.set(TimeControl(base, moves=int(words[0]) or None, increment=increment))

    @command("st")
    def exact(self, text: str) -> None:
        """st SECONDS: set the time for each move"""
        self.clock.set(TimeControl(turn=max(_seconds(text), 0.0)))

    @command("sd")
    def limit_depth(self, text: str) -> None:
        """sd PLIES: search no deeper"""
        self.depth = whole_number(text, "sd", 1)

    @command("time")
    def show(self, text: str) -> None:
        """time N: set the engine's clock, in hundredths of a second

        If it has gained much time, a new session has begun.  With a fixed time per move, the clock
        doesn't matter.
        """
        seconds = whole_number(text, "time") / 100
        clock, main = self.clock, self.clock.control.main
        if main is None or clock.seconds is None:
            return
        if seconds > clock.seconds + main * _JUMP:
            clock.made = 0
        clock.show(min(seconds, _LONGEST))

    def limits(self) -> Limits:
        """Start the clock and return the Limits for the engine's next move."""
        self.clock.begin()
        limits = self.clock.limits(depth=self.depth)
        if limits.moves_to_go is not None:
            limits.moves_to_go = max(limits.moves_to_go, _MIN_TO_GO)
        return limits


def _seconds(text: str) -> float:
    return seconds_of(text, "a time", _LONGEST)
