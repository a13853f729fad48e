"""CECP's time controls."""

from __future__ import annotations

from time import perf_counter

from protocol.base import CommandError
from search.limits import Limits

_LONGEST = 10.0**7  # seconds; what a clock may show at most
# A clock that shows this share of a session's time more than it should has got a new session.
_JUMP = 0.5
# The clock is never spent on the belief that the next move is the last one of the session: front
# ends count moves from the start of the game, from its opening's end or from `level`.
_LEAST_TO_GO = 2


class TimeControl:
    """The time control of a game.

    Moves and minutes a session with an increment, or seconds a move, or a depth.
    depth: in plies or None.
    """

    def __init__(self) -> None:
        self.depth: int | None = None
        self._moves, self._base, self._increment = 40, 300.0, 0.0
        self._exact: float | None = None  # seconds for each move
        self._clock = self._base  # what the engine's clock shows
        self._started = 0.0  # when the move began (perf_counter seconds)
        self._made = 0  # moves in this session

    def new_game(self) -> None:
        """The clock is set back, a bound on the depth is lifted; the kind of time control stays."""
        self.depth = None
        self._begin_session()

    def _begin_session(self) -> None:
        self._clock, self._made = self._base, 0

    def level(self, text: str) -> None:
        """Take in `MOVES TIME INCREMENT`, TIME as minutes or min:sec, the increment in seconds."""
        words = text.split()
        if len(words) != 3 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 6):
            raise CommandError("level needs MOVES TIME INCREMENT")
        minutes, colon, seconds = words[1].partition(":")
        base = 60 * _seconds(minutes) + (_seconds(seconds) if colon else 0.0)
        self._moves, self._base, self._increment = int(words[0]), base, _seconds(words[2])
        self._exact = None
        self._begin_session()

    def exact(self, text: str) -> None:
        """Take in the seconds for each move."""
        self._exact = _seconds(text)

    def set_clock(self, seconds: float) -> None:
        """What the engine's clock shows; where it has more than it should, a session began."""
        if seconds > self._clock + self._base * _JUMP:
            self._made = 0
        self._clock = max(min(seconds, _LONGEST), 0.0)

    def limits(self, side: int) -> Limits:
        """The Limits of the next move of player `side`; its clock starts."""
        self._started = perf_counter()
        if self._exact is not None:
            return Limits(depth=self.depth, movetime=self._exact)
        to_go = max(self._moves - self._made, _LEAST_TO_GO) if self._moves else None
        clocks = (self._clock, None) if side == 0 else (None, self._clock)
        return Limits(
            depth=self.depth,
            clocks=clocks,
            moves_to_go=to_go,
            increments=(self._increment, self._increment),
        )

    def move_made(self, lost: float = 0.0) -> None:
        """Count our own time, for front ends that don't send it.

        lost: seconds that went by on the front end's clock besides.
        """
        spent = perf_counter() - self._started + lost
        self._clock = max(self._clock - spent, 0.0) + self._increment
        self._made += 1
        if self._made == self._moves:
            self._clock, self._made = self._clock + self._base, 0

    def taken_back(self, count: int) -> None:
        """So many of our moves were taken back."""
        self._made = max(self._made - count, 0)


def _seconds(text: str) -> float:
    try:
        value = float(text) if len(text) < 20 and text.isascii() and "_" not in text else -1.0
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= _LONGEST:
        raise CommandError(f"not a time: {text[:20]}")
    return value
