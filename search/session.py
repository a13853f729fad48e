"""The session: everything that a front end can do with the engine, in no particular protocol.

    session = Session("tictactoe")
    session.setup(moves=["b2", "a1"])
    session.start(Limits(depth=9), on_report, on_done)      # returns at once
    session.stop(); session.wait()                          # on_done(Result) comes exactly once

Call `close()` if `Threads` was set and the process outlives the session.

Call the session from one thread; callbacks run in the search's thread.  A search uses
the position and the options as they are when it is requested, so both may be changed
while it runs or waits for an earlier one.
"""

from __future__ import annotations

from itertools import chain
from time import perf_counter

from games import registry
from games.base import MoveError
from search import warm_up
from search.options import OPTIONS
from search.variety import plays_weaker
from search.worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any

    from games.base import Position
    from games.options import Option
    from games.types import Move
    from search.context import Context
    from search.job import Job, OnReport, Result, SearchJob
    from search.limits import Clock, Limits
    from search.threads.team import Team

    # read(position, text) returns a legal move or raises MoveError.
    ReadMove = Callable[[Position, str], Move]

# More than any game has: the fifty-move rule ends chess sooner.  No command is read while a
# position is set up, and this many moves take a fraction of a second.
_MOST_MOVES = 12_000


class SessionError(Exception):
    """Raised if something can't be done now; the message says why."""


class Session(Worker):
    """One game in progress, its options and its searches, which the worker's thread does.

    game: the Game.  values: {option name: value}.
    moves: those played since the base position.
    refused: why the front end's last position could not be set up; empty if it could.  Otherwise
        `position` is an earlier one.
    """

    def __init__(self, game: str = "chess") -> None:
        super().__init__()
        self._more_options: list[Option] = []
        self.values: dict[str, Any] = {option.name: option.default for option in self.options()}
        self._memory: dict[str, Any] = {}
        self._shared = False  # is `_memory` in tables that the helpers share?
        self._team: Team | None = None  # the helper processes, once there were any
        self._random: Random | None = None
        self._position: Position | None = None
        self.moves: list[Move] = []
        self._source: tuple[str | None, ReadMove | None] = (None, None)  # arguments of setup()
        self._words: list[str] | None = None  # the texts of `moves`, if all were read from text
        self._base = ""  # the text of the position that `moves` started from, ...
        self._base_options: dict[str, Any] = {}  # ... and the options that it was made with
        self._last_search: SearchJob | None = None  # it reads `_position` until it has answered
        self._setup_seconds = 0.0  # time spent reading the position since the last search
        self._loaded = ""  # the last game searched or warmed up
        self.choose_game(game)

    # ---- options ---------------------------------------------------------------------

    def options(self) -> list[Option]:
        """Return every Option that can be set: the session's, all games', then those added."""
        return [*OPTIONS, *registry.options(), *self._more_options]

    def add_options(self, options: Sequence[Option]) -> None:
        """Add the options of a protocol, which mean nothing to the session."""
        self._more_options += options
        self.values.update({option.name: option.default for option in options})

    def set_option(self, name: str, text: str = "") -> None:
        """Set an option, whose name may be in any case, from its text.

        Raises SessionError if the name is unknown or the value invalid.
        """
        wanted = name.strip().lower()
        for option in self.options():
            if wanted == option.name.lower():
                break
        else:
            raise SessionError(f"no such option: {name.strip()[:80]}")
        try:
            value = option.read(text)
        except ValueError as error:
            raise SessionError(str(error)) from None
        self.set_value(option.name, value)

    def set_value(self, name: str, value: Any) -> None:
        """Set the option with exactly this name to a valid value (Option.read).

        A button is pressed.
        """
        option = self._option(name)
        if option.kind != "button":
            self.values[name] = value
        if option.on_change is not None:
            option.on_change(self)
        elif not self.moves and self._source[0] is None:
            if any(own.name == name for own in self.game.options):
                self._position = None  # the start position may depend on this option

    def set_within(self, name: str, value: int) -> None:
        """Set a spin option to `value`, clamped to its bounds."""
        option = self._option(name)
        self.set_value(name, min(max(value, option.low), option.high))

    def _option(self, name: str) -> Option:
        return next(option for option in self.options() if option.name == name)

    def clear_memory(self) -> None:
        """Forget what earlier searches found; running and waiting searches keep their tables."""
        self.retire(self._memory)
        self._shared = self._team is not None and self.values["Threads"] > 1
        self._memory = self._team.new_memory() if self._team and self._shared else {}

    def forget_random(self) -> None:
        """Restart the random choices from the seed."""
        self._random = None

    def resize_team(self) -> None:
        """Start or end helpers as the option Threads requires."""
        threads: int = self.values["Threads"]
        if self._team is None and threads > 1:
            from search.threads.team import new_team

            self._team = new_team()
        if self._team is not None:
            self._team.resize(threads - 1)
            if (threads > 1) != self._shared:
                self.clear_memory()  # from tables of one process to shared tables, or back

    def close(self) -> None:
        """End the helper processes."""
        if self._team is not None:
            self._team.close()

    # ---- the game and its position ---------------------------------------------------

    def choose_game(self, name: str) -> None:
        """Switch to another game's start position; raise SessionError if its name is unknown."""
        try:
            game = registry.get(name)
        except registry.UnknownGame as error:
            raise SessionError(str(error)) from None
        for option in game.options:
            self.values.setdefault(option.name, option.default)
        self.game = game
        self.new_game()

    def new_game(self) -> None:
        """Return to the start position and forget everything that was remembered."""
        self.clear_memory()
        self._position, self.moves, self.refused = None, [], ""

    @property
    def position(self) -> Position:
        """Return the position as front ends see it; the start until another is set up.

        It is created on first use, since a game's rules are loaded only when needed.  The
        caller may use it until the next search starts.  That search reads it until it has
        answered; until then callers get a copy.
        """
        if self._position is None:
            self._replace_position(None, [], None)
        elif self._last_search is not None:
            if self._last_search.reads():
                self._position = self.copy_position()
            self._last_search = None
        assert self._position is not None
        return self._position

    def setup(
        self, text: str | None = None, moves: Iterable[str] = (), read: ReadMove | None = None
    ) -> None:
        """Set the position of `text` (None: the start) and play `moves`; all or nothing.

        read(position, text) returns a legal move or raises MoveError; the position's own
        parse_move by default.  PositionError and MoveError name the offending text.
        Raises SessionError if there are more moves than any game has.
        """
        try:
            self._replace_position(text, list(moves), read)
        except Exception as error:
            self.refuse(str(error))
            raise
        self.refused = ""

    def refuse(self, why: str = "it can't be read") -> None:
        """Note that the front end's position can't be set up, until it sends another one."""
        self.refused = why

    def _replace_position(self, text: str | None, words: list[str], read: ReadMove | None) -> None:
        began = perf_counter()
        if len(words) > _MOST_MOVES:
            raise SessionError(f"a game has at most {_MOST_MOVES} moves here, not {len(words)}")
        if self._goes_on(text, words, read):
            new = words[len(self._words or ()) :]
            self.moves = self.moves + self._play_words(self.position, new, read)
        else:
            position = (
                self.game.start(self.values) if text is None else self.game.parse(text, self.values)
            )
            base, options = text or position.text(), dict(self.values)
            self.moves = self._play_words(position, words, read)
            self._position, self._last_search = position, None
            self._base, self._base_options = base, options
        self._source, self._words = (text, read), words
        self._setup_seconds = perf_counter() - began

    def _goes_on(self, text: str | None, words: list[str], read: ReadMove | None) -> bool:
        """Do `words`, a whole game as front ends send it, only add moves to the position?"""
        return (
            self._position is not None
            and self._words is not None
            and self._source == (text, read)
            and self._base_options == self.values
            and words[: len(self._words)] == self._words
        )

    def _play_words(
        self, position: Position, words: Sequence[str], read: ReadMove | None
    ) -> list[Move]:
        """Play the moves of `words` and return them; play none if one can't be played."""
        played: list[Move] = []
        read, passing = read or type(position).parse_move, self.game.pass_move
        try:
            for text in chain.from_iterable(map(self.game.split_moves, words)):
                try:
                    move = read(position, text)
                except MoveError:  # unless the front end has omitted a pass
                    if passing is None or position.legal_moves() != [passing]:
                        raise
                    position.make(passing)
                    played.append(passing)
                    move = read(position, text)
                position.make(move)
                played.append(move)
        except Exception:
            for _ in played:
                position.undo()
            raise
        return played

    def play_word(self, word: str, read: ReadMove) -> None:
        """Play the move of a word, after an omitted pass if need be; on MoveError play neither.

        read: as in setup().
        """
        self.moves = self.moves + self._play_words(self.position, [word], read)
        self._words = None

    def play(self, move: Move, known_legal: bool = False) -> None:
        """Play a move; raise MoveError if it is illegal.

        known_legal: skip the check, since the position itself parsed the move.
        """
        if not known_legal and move not in self.position.playable_moves():
            raise MoveError(str(move), "is not a legal move here")
        self.position.make(move)
        self.moves.append(move)
        self._words = None

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves; raise SessionError if fewer were played."""
        if not 0 <= count <= len(self.moves):
            raise SessionError("there is no move to take back")
        position = self.position
        for _ in range(count):
            position.undo()
            self.moves.pop()
        self._words = None

    def copy_position(self) -> Position:
        """Return a private copy of the position, with the history that repetition needs."""
        in_use = self._last_search is not None and self._last_search.reads()
        copy = None if in_use or self._position is None else self._position.copy()
        if copy is not None:
            return copy
        position = self.base_position()
        for move in self.moves:
            position.make(move)
        return position

    def base_position(self) -> Position:
        """Return a private copy of the position that `moves` started from."""
        if self._position is None:
            self._replace_position(None, [], None)
        return self.game.parse(self._base, self._base_options)

    def base_options(self) -> dict[str, Any]:
        """Return the option values with which that position was set up."""
        if self._position is None:
            self._replace_position(None, [], None)
        return self._base_options

    # ---- thinking --------------------------------------------------------------------

    def start(
        self,
        limits: Limits,
        on_report: OnReport,
        on_done: Callable[[Result], None],
        on_trace: Callable[[tuple[Any, ...]], None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Search the position in the search's thread, after the jobs requested before.

        Raises SessionError if an endless search runs or waits and was not stopped.
        on_report(Report, position), then exactly once on_done(Result), are called in that
        thread; they must not change the position.
        options: {name: value} that override the session's options for this search.
        """
        start = perf_counter()
        from search.context import Context  # only now: the engine's start needs none of it
        from search.job import SearchJob

        # The clock ran while the position was read, since `go` follows at once.
        clock = self._clock(limits, start - self._setup_seconds)
        self._setup_seconds = 0.0
        shown, position = self.position, self.copy_position()
        root_moves = limits.choice(position.playable_moves())
        values = {**self.values, **(options or {})}
        alone = not self._shared or self.game.textbook or plays_weaker(values)
        helpers, megabytes = None if alone else self._team, self.values["Hash"]
        context = Context(limits, clock, values, self._memory, megabytes, root_moves, helpers)
        base = dict(base=self._base, base_options=self._base_options)
        context.setup = dict(base, game=self.game.name, played=list(self.moves), hash=megabytes)
        context.random = self._random = self._random or self._new_random()
        context.on_trace = on_trace
        cold = self.game.name != self._loaded
        search = SearchJob(context, position, shown, on_report, on_done, cold)
        self._add(search)
        self._last_search, self._loaded = search, self.game.name

    def _clock(self, limits: Limits, start: float) -> Clock:
        """Return the clock of a search of the position; start: when the move's time began."""
        from search.limits import Clock

        position, pauses, played = self.position, self.pauses, len(self.moves)
        pauses.update()
        overhead = self.values["Move Overhead"] / 1000 + pauses.usual
        left, moves_left = limits.clock_of(position.side), None
        if left is not None and self._loaded == self.game.name:  # otherwise it would load code
            moves_left = position.moves_left(played, left, self._memory)
        return Clock(limits, position.side, overhead, start, pauses.worst, moves_left, played // 2)

    def warm_up(self) -> None:
        """Load what the first search of this game needs, here and in the helpers.

        The load then doesn't count against a move's time (search.warm_up), nor do earlier
        commands, since the front end waits for this one.
        """
        self._setup_seconds = 0.0
        if self._loaded == self.game.name or self.searching:
            return
        self._loaded = self.game.name
        if self._team is not None:
            self._team.warm_up(self._loaded, self.values)
        warm_up(self.game, self.values, self._new_random())

    def run(self, work: Callable[[Context], Any], on_done: Callable[[Any], None]) -> None:
        """Run work(context) in the search's thread, then on_done(its result, None if stopped).

        For perft and the benchmark, which are long and have no best move.  They wait, are
        refused and are stopped like searches.
        """
        from search.context import Context
        from search.job import Work
        from search.limits import Clock, Limits

        limits = Limits()
        context = Context(limits, Clock(limits, 0), dict(self.values), {}, self.values["Hash"])
        self._add(Work(context, work, on_done))
        self.retire(context.memory)

    def _add(self, job: Job) -> None:
        if not self.add(job):
            raise SessionError("a search without an end is running; stop it first")

    def _new_random(self) -> Random:
        from random import Random

        return Random(self.values.get("Seed") or None)
