"""The client side of a protocol: one interface to any engine.

    from scripts.arena.engines import open_engine
    from protocol.records.record import Evaluation, Start
    from search.limits import Limits

    start = Start("othello")
    with open_engine("python3 engine.py") as engine:
        answer = engine.think(start, [], Limits(movetime=0.5))
        print(answer.move, answer.best.score, answer.best.depth)

A client keeps track of the game: think() takes the start and all moves since, and the
client sends whatever its engine does not know yet.  Moves are ints of the game, as
everywhere; the client translates them into the protocol's notation.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.base import GameError, Position
from games.options import plain_name
from plyglot.command import Command
from plyglot.errors import EngineError, Refusal, Stall
from plyglot.process import start
from plyglot.uci import Info, check_answer
from protocol.moves import read
from protocol.records.record import Evaluation, Start
from scripts.command_line import clean, translated
from search.limits import Limits

# Seconds that an engine may take to start.
HAND_SHAKE = 30.0
# Seconds, off the clock, that an engine may take to report that it is ready.
ROUND_TRIP = 60.0
# An engine is told to move at once when it exceeds its move time by LATE seconds, and counts as
# stalled STALL seconds later.
LATE = 3.0
STALL = 30.0
# Maximum number of lines to keep of one answer.
MAX_KEPT = 10_000
# Seconds for sys.setswitchinterval(), so that answers are read at once.
SWITCH = 0.0005


class IllegalMove(EngineError):
    """Raised if the engine's answer is not a legal move."""

    kind = "illegal move"


class Answer(NamedTuple):
    """The answer of an engine to one position.

    move: a legal move, None if the engine resigns or claims a win.
    text: the move as the engine wrote it, or "resign" or "win".
    seconds: time from sending the request to receiving the move.
    infos: the last Info of each rank, best first; empty if the engine reported none.
    """

    move: int | None
    text: str
    seconds: float
    infos: Sequence[Info] = ()

    @property
    def best(self) -> Info:
        """Return the first of the infos, or an empty Info."""
        return self.infos[0] if self.infos else Info()


def evaluation_of(report: Info, side: int) -> Evaluation | None:
    """Return the Evaluation for the first player, None if the engine reports no score.

    side: the side to move; engines report scores from its point of view.
    """
    sign = 1 - 2 * side
    if report.mate is not None:
        return Evaluation(mate=sign * report.mate, depth=report.depth)
    return None if report.score is None else Evaluation(sign * report.score, depth=report.depth)


def without_overtime(limits: Limits, side: int) -> Limits:
    """Return the Limits for a protocol that can't express overtime.

    The clock's increment already includes a move's overtime.  If the main time left is shorter
    than this overtime, their sum becomes the movetime, and the clock is left out.  With a clock, an
    engine would save time that it can't use later.  limits.turn becomes an upper limit of movetime.
    """
    main, turn = limits.clocks[side], limits.turn
    limited = copy.copy(limits)
    if main is not None and main < limits.overtime:
        limited.clocks, turn = (None, None), main + limits.overtime
    bounds = [seconds for seconds in (limits.movetime, turn) if seconds is not None]
    limited.movetime, limited.turn = min(bounds, default=None), None
    return limited


class Client(contextlib.AbstractContextManager["Client"]):
    """An engine that speaks one protocol.  Methods raise an EngineError if it misbehaves.

    No protocol can express null moves: the position after a null move is sent as a new start.

    An engine that doesn't speak the protocol is ended.

    protocol: the protocol's name.  name: the engine's own name, safe to show.
    knows_overtime: can the protocol express overtime?
    options: {plain_name(): name} of the options that the engine declares.
    reusable: whether the engine can play another game in the same process.
    """

    protocol = ""
    farewell: tuple[str, ...] = ("quit",)
    knows_overtime = False
    urge = ""  # the line that tells the engine to move at once, if the protocol has one
    _position: Position

    def __init__(self, command: Command, directory: str | None = None) -> None:
        self.options: dict[str, str] = {}
        self.reusable = True
        self._start: Start | None = None  # the start of the running game
        self._patience = ROUND_TRIP
        # The arrival of a line must be timed at once, even while other threads compute.
        if sys.getswitchinterval() > SWITCH:
            sys.setswitchinterval(SWITCH)
        self._process = start(command, directory)
        try:
            self.name = clean(self._shake_hands(time.perf_counter() + HAND_SHAKE))
        except BaseException as error:
            self.close(grace=0.2)
            if isinstance(error, Stall):
                raise Stall(f"no answer in {HAND_SHAKE:g} s") from None
            raise

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- the interface ---------------------------------------------------------------

    def set_option(self, name: str, value: object) -> None:
        """Set an option of the engine; raise Refusal if it has no option of that name."""
        raise NotImplementedError

    def has_option(self, name: str) -> bool:
        """Does the engine declare an option of this name, in any spelling (plain_name)?"""
        return plain_name(name) in self.options

    def check_limits(self, limits: Limits) -> None:
        """Raise Refusal if the protocol can't express these Limits."""

    def new_game(self) -> None:
        """Make the next think() begin another game."""
        self._start = None

    def prepare(self, start: Start, moves: list[int], patience: float | None = None) -> None:
        """Send the position to the engine, off the clock.  think() also sends it if necessary.

        patience: seconds to wait for each answer that needs no search; None keeps the last value.
        """
        if patience is not None:
            self._patience = patience
        new = start != self._start
        if new or self._moves != moves[: len(self._moves)]:
            self._start = start
            self._position = start.position()
            # _moves: the moves since `_start` that the engine knows.  _texts: the texts of the
            # moves since the position that was sent last.
            self._moves: list[int] = []
            self._texts: list[str] = []
            self._begin(start, new)
        for move in moves[len(self._moves) :]:
            self._add(start, move)
        self._synchronise()

    def _add(self, start: Start, move: int) -> None:
        """Send a move, or the position after a null move."""
        position = self._position
        if move == position.null_move() != position.game.pass_move:
            self._note(move, "")
            self._texts = []
            self._begin(Start(position.game, position.text(), start.options), new=False)
        else:
            text = self._text(move)
            self._play(text)
            self._note(move, text)

    def think(
        self,
        start: Start,
        moves: list[int],
        limits: Limits,
        on_info: Callable[[Info], object] = lambda info: None,
        due: float | None = None,
        patience: float | None = None,
    ) -> Answer:
        """Return the engine's Answer in the position after `moves`.

        limits: search.limits.Limits.
        on_info(Info): called with each Info that has a score.
        due: seconds until the engine is told to move at once, if its protocol can do that.
        patience: seconds until Stall is raised, counted from `due`, or from the start if `due` is
        None.  If patience is None, limits.movetime sets both due and patience; if the Limits
        have no movetime either, this method waits forever.
        Raise IllegalMove if the answer is not a legal move.  After any other exception the engine
        may still be searching, so close it.
        """
        if patience is None and limits.movetime is not None:
            due, patience = limits.movetime + LATE, STALL
        self._hurried = False  # was move_now() called since think() began?
        self.prepare(start, moves)
        self._infos: dict[int, Info] = {}
        self._on_info = on_info
        text, seconds = self._search(limits, due, patience)
        infos = [self._infos[rank] for rank in sorted(self._infos)]
        if text.lower() in ("resign", "win"):
            return Answer(None, text.lower(), seconds, infos)
        with translated(IllegalMove, GameError):
            move = self._read_move(text)
        self._note(move, self._text(move))
        return Answer(move, text, seconds, infos)

    def move_now(self) -> None:
        """Tell the engine to move at once, if its protocol can do that.

        Call it from another thread while think() runs; otherwise it has no effect.
        """
        self._hurried = True  # if the search has not begun yet, think() repeats the call
        if self.urge:
            with contextlib.suppress(EngineError):  # if the engine has ended, think() reports it
                self._process.write(self.urge)

    def has_ended(self) -> bool:
        """Has the engine's process ended?"""
        return self._process.wait(0.0) is not None

    def close(self, grace: float = 1.0) -> None:
        """End the engine; kill it if it does not exit by itself within `grace` seconds."""
        self._process.close(self.farewell, grace)

    def kill(self) -> None:
        """End the engine at once."""
        self.reusable = False
        self._process.kill()

    # ---- the protocol's part ---------------------------------------------------------

    def _shake_hands(self, until: float) -> str:
        """Send the greeting, read the engine's options, and return its name.

        until: the deadline on time.perf_counter()'s clock.
        Raise Refusal or Stall if the engine doesn't speak the protocol.
        """
        raise NotImplementedError

    def _begin(self, start: Start, new: bool) -> None:
        """Send the start position.

        new: whether another game begins; otherwise moves of the same game were taken back.
        """
        raise NotImplementedError

    def _text(self, move: int) -> str:
        """Return a legal move of self._position in the protocol's notation."""
        raise NotImplementedError

    def _play(self, text: str) -> None:
        """Send a move of self._position; a client that sends all moves later does nothing here."""

    def _synchronise(self) -> None:
        """Wait until the engine has carried out all commands, if the protocol can tell."""

    def _search(
        self, limits: Limits, due: float | None, patience: float | None
    ) -> tuple[str, float]:
        """Search; return (text of the move, seconds).  The arguments are those of think()."""
        self._process.drain()
        if not self.knows_overtime:
            limits = without_overtime(limits, self._position.side)
        self.check_limits(limits)
        lines = self._go(limits)
        begun = time.perf_counter()
        self._process.write(*lines)
        if self._hurried:
            self.move_now()
        end = None if patience is None else begun + (due or 0.0) + patience
        try:
            when, text = self._hear(end if due is None else begun + due)
        except Stall:
            if due is None:
                raise
            self.move_now()
            when, text = self._hear(end)
        return text, when - begun

    def _hear(self, until: float | None) -> tuple[float, str]:
        """Return (time of arrival, text) of the move; raise Stall at the time `until`."""
        self._heard: tuple[float, str] | None = None
        while self._heard is None:
            self._take(*self._process.read(until, self._take))
        return self._heard

    def _take(self, when: float, line: str) -> None:
        """Store the text of the move, or an Info that has a score; pass the Info to on_info."""
        said = self._listen(line)
        if isinstance(said, str):
            self._heard = when, said
        elif said is not None and (said.score, said.mate) != (None, None):
            self._infos[said.multipv] = said
            self._on_info(said)

    def _go(self, limits: Limits) -> list[str]:
        """Send the commands that precede a search; return the lines that start clock and search."""
        raise NotImplementedError

    def _listen(self, line: str) -> str | Info | None:
        """Return the move's text if `line` is the answer, an Info if it reports one, else None."""
        raise NotImplementedError

    def _read_move(self, text: str) -> int:
        """Parse a legal move of self._position; raise MoveError if `text` isn't one."""
        return read(self._position, text)

    # ---- shared ----------------------------------------------------------------------

    def _declared_name(self, name: str) -> str:
        """Return the engine's spelling of an option; raise Refusal if it has no such option."""
        if not self.has_option(name):
            raise Refusal(f"has no option {name}")
        return self.options[plain_name(name)]

    def _set_rules(self, start: Start) -> None:
        """Set those options of the game that the engine declares.

        Set all rules, even to their defaults, since the last game may have had other rules; set
        other options only if the Start has them.
        """
        rules = {option.name for option in start.game.options if option.rule}
        for name, value in start.values().items():
            if self.has_option(name) and name in {*rules, *start.options}:
                self.set_option(name, value)

    def _note(self, move: int, text: str) -> None:
        """Record a move that the engine made or was sent."""
        self._position.make(move)
        self._moves.append(move)
        self._texts.append(text)

    def _expect(
        self, wanted: Callable[[str], bool], until: float | None = None, greeting: str = ""
    ) -> list[str]:
        """Read lines until wanted(line) is true; return the last MAX_KEPT lines.

        until: the deadline on time.perf_counter()'s clock, by default self._patience from now.
        greeting: the greeting to which the lines are the answer, or "".  With a greeting, raise
            Refusal if a line is an error message or repeats the greeting.
        """
        until = time.perf_counter() + self._patience if until is None else until
        lines: collections.deque[str] = collections.deque(maxlen=MAX_KEPT)
        while not lines or not wanted(lines[-1]):
            lines.append(self._process.read(until)[1])
            if greeting:
                check_answer(self.protocol, lines[-1], greeting)
        return list(lines)
