"""CECP's time controls."""

from __future__ import annotations

from time import perf_counter

from protocol.base import CommandError, finite_number, printable
from search.limits import Limits

_LONGEST = 10.0**7  # longest time of a clock, in seconds
# If a clock exceeds the expected time by this share of a session's time, a new session has begun.
_JUMP = 0.5
# Minimum number of moves to plan for until the next session.  Our count may be wrong, since front
# ends count from the start of the game, from the end of the opening or from `level`.
_MIN_TO_GO = 2


class TimeControl:
    """The time control of a game.

    Either the clock gets a time per session (a number of moves) and an increment per move, or each
    move has a fixed time.
    depth: limit in plies, or None.
    """

    def __init__(self) -> None:
        self.depth: int | None = None
        self._moves, self._base, self._increment = 40, 300.0, 0.0
        self._exact: float | None = None  # seconds per move, if they are fixed
        self._clock = self._base  # seconds on the engine's clock
        self._started = 0.0  # when the move began (perf_counter seconds)
        self._made = 0  # moves made in this session

    def new_game(self) -> None:
        """Reset the clock and lift the limit on the depth; keep the time control."""
        self.depth = None
        self._clock, self._made = self._base, 0

    def level(self, text: str) -> None:
        """Read `MOVES TIME INCREMENT`: TIME in minutes or MIN:SEC, INCREMENT in seconds.

        A negative TIME means that a clock has run out, and counts as 0.  (Front ends write -1
        second as -1:59.)
        """
        words = text.split()
        if len(words) != 3 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 6):
            raise CommandError("level needs MOVES TIME INCREMENT")
        minutes, colon, seconds = words[1].partition(":")
        base = max(60 * _seconds(minutes) + (_seconds(seconds) if colon else 0.0), 0.0)
        self._moves, self._base = int(words[0]), base
        self._increment = max(_seconds(words[2]), 0.0)
        self._exact = None
        self._clock, self._made = self._base, 0

    def exact(self, text: str) -> None:
        """Set a fixed time per move, from a text in seconds."""
        self._exact = max(_seconds(text), 0.0)

    def set_clock(self, seconds: float) -> None:
        """Set the engine's clock; if it has gained much time, a new session has begun."""
        if seconds > self._clock + self._base * _JUMP:
            self._made = 0
        self._clock = max(min(seconds, _LONGEST), 0.0)

    def limits(self) -> Limits:
        """Start the clock and return the Limits for the engine's next move."""
        self._started = perf_counter()
        if self._exact is not None:
            return Limits(depth=self.depth, movetime=self._exact)
        to_go = max(self._moves - self._made, _MIN_TO_GO) if self._moves else None
        return Limits(
            depth=self.depth,
            clocks=(self._clock, self._clock),
            moves_to_go=to_go,
            increments=(self._increment, self._increment),
        )

    def move_made(self, lost: float = 0.0) -> None:
        """Count a move and deduct its time, for front ends that don't send the clock.

        lost: seconds that passed on the front end's clock beyond the search.
        """
        spent = perf_counter() - self._started + lost
        self._clock = max(self._clock - spent, 0.0) + self._increment
        self._made += 1
        if self._made == self._moves:
            self._clock, self._made = self._clock + self._base, 0

    def taken_back(self, count: int) -> None:
        """Deduct `count` moves of the engine that were taken back."""
        self._made = max(self._made - count, 0)


def _seconds(text: str) -> float:
    value = finite_number(text)
    if value is None or abs(value) > _LONGEST:
        raise CommandError(f'invalid time: "{printable(text, 20)}"')
    return value
