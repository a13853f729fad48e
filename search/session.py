"""The session: all that a front end can do with the engine, without a word of protocol text.

    session = Session("tictactoe")
    session.setup(moves=["b2", "a1"])
    session.start(Limits(depth=9), on_report, on_done)      # returns at once
    session.stop(); session.wait()                          # on_done(Result) comes exactly once

`close()` it where the process goes on without it and `Threads` was set.

Calls come from one thread; the callbacks come from the search's thread.  A search has
the position and the options as they are when it is asked for: setting up others while
it runs, or while it waits for the one before it, disturbs nothing.
"""

from __future__ import annotations

import sys
from os import cpu_count
from time import perf_counter

from games import data, registry
from games.base import MoveError
from games.options import Option
from search.clock import Clock, Pauses
from search.context import Context
from search.limits import Limits
from search.table import MAKER
from search.variety import HIGHEST_ELO, LOWEST_ELO, STRONGEST, plays_weaker
from search.warm_up import warm_up
from search.worker import SearchJob, Work, Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any

    from games.base import Position
    from games.types import Move
    from search.threads.team import Team
    from search.worker import Job, OnReport, Result

    # read(position, text): a legal move, or MoveError.
    ReadMove = Callable[[Position, str], Move]

# Megabytes: a 32-bit interpreter addresses no more of them in one piece.
_MOST_HASH = 4096 if sys.maxsize > 1 << 32 else 1024

# The session's own options; every game adds its own (games/options.py).
OPTIONS: tuple[Option, ...] = (
    Option(
        "Hash",
        "spin",
        64,
        1,
        _MOST_HASH,
        help="megabytes of the search's tables",
        then=lambda session: session.clear_memory(),
    ),
    Option(
        "Clear Hash",
        "button",
        help="forget what earlier searches found",
        then=lambda session: session.clear_memory(),
    ),
    Option(
        "Threads",
        "spin",
        1,
        1,
        cpu_count() or 1,
        help="how many processors the search may use",
        then=lambda session: session.resize_team(),
    ),
    Option("MultiPV", "spin", 1, 1, 256, help="how many of the best moves are searched and shown"),
    Option(
        "Ponder",
        "check",
        False,
        help="the front end may let the engine think in the opponent's time",
    ),
    Option(
        "Move Overhead",
        "spin",
        40,
        0,
        10000,
        help="milliseconds lost between engine and clock each move",
    ),
    Option(
        "Skill Level",
        "spin",
        STRONGEST,
        0,
        STRONGEST,
        help="how well the engine plays, in every game",
    ),
    Option("LimitStrength", "check", False, help="play as weak as Elo says"),
    Option(
        "Elo",
        "spin",
        1500,
        LOWEST_ELO,
        HIGHEST_ELO,
        help="the strength to play at, roughly, in chess",
    ),
    Option(
        "AnalyseMode",
        "check",
        False,
        help="the engine analyses and does not play: no variety, no weaker play",
    ),
)


# More than any game has: by the rule of fifty moves chess ends sooner.  While a position is read
# no command is heard, and so many moves take a fraction of a second.
_MOST_MOVES = 12_000


class SessionError(Exception):
    """Something that can't be done now, in words."""


def read_setting(
    options: Iterable[Option], name: str, text: str, alias: Callable[[str], str] = str
) -> tuple[Option, Any]:
    """The option of this name, in any case, and its value read from its text.

    alias(an option's name): another name that will do.  SessionError for unknown names
    and unfit values.
    """
    wanted = name.strip().lower()
    for option in options:
        if wanted in (option.name.lower(), alias(option.name).lower()):
            break
    else:
        raise SessionError(f"no such option: {name.strip()[:80]}")
    try:
        return option, option.read(text)
    except ValueError as error:
        raise SessionError(str(error)) from None


class Session:
    """One game in progress, its options and its search.

    game: the Game.  values: {option name: value}.
    """

    def __init__(self, game: str = "chess") -> None:
        self.values: dict[str, Any] = {option.name: option.default for option in self.options()}
        self._memory: dict[str, Any] = {}
        self._team: Team | None = None  # the processes that search with us, once there were any
        self._random: Random | None = None
        self._worker = Worker()
        self._position: Position | None = None
        self._from_start = True  # is it the game's start and moves from there?
        self._moves: list[Move] = []  # since the base position
        self._words: list[str] | None = None  # of which they were read, if all of them were
        self._reader: SearchJob | None = None  # the search started last, which reads _position
        self._setup_seconds = 0.0  # seconds that the position took to read since the last search
        self._pauses = Pauses()
        self._warm = ""  # the game that was warmed up last
        self.choose_game(game)

    # ---- options ---------------------------------------------------------------------

    def options(self) -> list[Option]:
        """Every Option that can be set now: the session's own, then those of all games."""
        return list(OPTIONS) + registry.options()

    def set_option(self, name: str, text: str = "") -> Option:
        """Set an option from its text, and return it.

        SessionError for unknown names and unfit values.
        """
        option, value = read_setting(self.options(), name, text)
        self.set_value(option.name, value)
        return option

    def set_value(self, name: str, value: Any) -> None:
        """Set the option of this very name to a value that it can have (Option.read).

        A button is pressed.
        """
        option = self._option(name)
        if option.kind != "button":
            self.values[name] = value
        if option.then is not None:
            option.then(self)
        elif not self.moves and self._from_start:
            if any(own.name == name for own in self.game.options):
                self._position = None  # the start may be another one now

    def set_within(self, name: str, value: int) -> None:
        """Set a spin option to `value`, or to what comes closest within its bounds."""
        option = self._option(name)
        self.set_option(name, str(min(max(value, option.low), option.high)))

    def _option(self, name: str) -> Option:
        return next(option for option in self.options() if option.name == name)

    def clear_memory(self) -> None:
        """Forget what earlier searches found; searches that run or wait keep their own tables."""
        self._worker.retire(self._memory)
        self._memory = {}
        if self._team is not None and self.values["Threads"] > 1:
            self._memory = {MAKER: self._team.new_tables()}

    def forget_random(self) -> None:
        """The next random choice begins with the seed."""
        self._random = None

    def resize_team(self) -> None:
        """Have as many helpers as the option Threads says."""
        threads: int = self.values["Threads"]
        if self._team is None and threads > 1:
            from search.threads.team import Team

            try:
                self._team = Team()
            except OSError as error:
                data.report(
                    f"Threads: no memory can be shared ({error.strerror or error}); "
                    "searching with 1"
                )
        if self._team is not None:
            self._team.resize(threads - 1)
            if (threads > 1) != (MAKER in self._memory):
                self.clear_memory()  # from tables of one process to shared ones, or back

    def close(self) -> None:
        """End what runs beside this process."""
        if self._team is not None:
            self._team.close()

    # ---- the game and its position ---------------------------------------------------

    def choose_game(self, name: str) -> None:
        """Change to the start position of another game; SessionError for an unknown name."""
        try:
            game = registry.get(name)
        except registry.UnknownGame as error:
            raise SessionError(str(error)) from None
        for option in game.options:
            self.values.setdefault(option.name, option.default)
        self.game = game
        self.new_game()

    def new_game(self) -> None:
        """The start position, and nothing remembered."""
        self.clear_memory()
        self._position, self._from_start = None, True

    @property
    def position(self) -> Position:
        """The position as front ends see it; the game's start as long as nothing else was set up.

        Made when it is asked for first: a game's rules are loaded only when they are
        needed.  It is the caller's until the next search starts, which reads it until
        it has answered: whoever asks before gets a copy.
        """
        if self._position is None:
            self.setup()
        elif self._reader is not None:
            if self._reader.reads():
                self._position = self.copy_position()
            self._reader = None
        assert self._position is not None
        return self._position

    @property
    def moves(self) -> list[Move]:
        """The moves played since the base position."""
        return self._moves if self._position is not None else []

    def setup(
        self, text: str | None = None, moves: Iterable[str] = (), read: ReadMove | None = None
    ) -> None:
        """Set the position of `text` (None: the start), play the texts in `moves`; all or nothing.

        read(position, text) gives a legal move or raises MoveError; the position's own
        parse_move by default.  PositionError or MoveError name the offending text.
        SessionError if there are more moves than any game has.
        """
        began, words = perf_counter(), list(moves)
        if len(words) > _MOST_MOVES:
            raise SessionError(f"a game has at most {_MOST_MOVES} moves here, not {len(words)}")
        if self._goes_on(text, words, read):
            new = words[len(self._words or ()) :]
            self._moves = self._moves + self._play_words(self.position, new, read)
        else:
            position = (
                self.game.start(self.values) if text is None else self.game.parse(text, self.values)
            )
            base, options = text or position.text(), dict(self.values)
            self._moves = self._play_words(position, words, read)
            self._position, self._reader = position, None
            self._base, self._base_options = base, options
        self._from_start, self._source, self._words = text is None, (text, read), words
        self._setup_seconds = perf_counter() - began

    def _goes_on(self, text: str | None, words: list[str], read: ReadMove | None) -> bool:
        """Do `words` only add moves to the current position?

        Front ends send a whole game each time.
        """
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
        """Play the moves of `words` and return them; where one can't be played, none is."""
        played: list[Move] = []
        try:
            for word in words:
                for move_text in self.game.split_moves(word):
                    self._play_word(position, move_text, read, played)
        except Exception:
            for _ in played:
                position.undo()
            raise
        return played

    @staticmethod
    def _play_word(
        position: Position, word: str, read: ReadMove | None, played: list[Move]
    ) -> None:
        """Play the move of a word; where only a pass is legal, many leave it out."""
        reader = read or type(position).parse_move
        try:
            move = reader(position, word)
        except MoveError:
            passing = position.game.pass_move
            if passing is None or position.legal_moves() != [passing]:
                raise
            position.make(passing)
            played.append(passing)
            move = reader(position, word)
        position.make(move)
        played.append(move)

    def play_word(self, word: str, read: ReadMove | None = None) -> None:
        """Play the move of a word, and before it a pass that is left out; MoveError, all or none.

        read: as in setup().
        """
        self._moves = self._moves + self._play_words(self.position, [word], read)
        self._words = None

    def play(self, move: Move, known_legal: bool = False) -> None:
        """Play a legal move; MoveError where it is not.

        known_legal: it need not be looked for, since the position itself read it.
        """
        if not known_legal and move not in self.position.playable_moves():
            raise MoveError(str(move), "is not a legal move here")
        self.position.make(move)
        self._moves.append(move)
        self._words = None

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves; SessionError where fewer were played."""
        if not 0 <= count <= len(self.moves):
            raise SessionError("there is no move to take back")
        position = self.position
        for _ in range(count):
            position.undo()
            self._moves.pop()
        self._words = None

    def copy_position(self) -> Position:
        """A private copy of the position, with the history that repetition needs."""
        read = self._reader is not None and self._reader.reads()
        if self._position is not None and not (read or self._position.learned):
            copy = self._position.copy()
            if copy is not None:
                return copy
        position = self.base_position()
        for move in self.moves:
            position.make(move)
        return position

    def base_position(self) -> Position:
        """A private copy of the position that `moves` started from."""
        if self._position is None:
            self.setup()
        return self.game.parse(self._base, self._base_options)

    # ---- thinking --------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Is a search (or another job) running, waiting, or holding its answer back?"""
        return self._worker.busy

    def start(
        self,
        limits: Limits,
        on_report: OnReport,
        on_done: Callable[[Result], None],
        on_trace: Callable[[tuple[Any, ...]], None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Search the position in the search's thread, after what was asked for before.

        SessionError while a search runs, or waits, that has no end and was not stopped.
        on_report(Report, position), then exactly once on_done(Result), are called
        there; they leave the position unmoved.
        options: {name: value} that this search alone sees in place of the session's
        own.
        """
        # What the position took to read went by on the clock: `go` comes right after
        # it.
        start = perf_counter() - self._setup_seconds
        self._pauses.add(self._worker.take_longest_pause())
        overhead = self.values["Move Overhead"] / 1000 + self._pauses.usual
        shown = self.position
        left = limits.clock_of(shown.side)
        moves_left = None if left is None else shown.moves_left(len(self.moves), left, self._memory)
        clock = Clock(limits, shown.side, overhead, start, self._pauses.worst, moves_left)
        self._setup_seconds = 0.0
        position = self.copy_position()
        legal = position.playable_moves()
        wanted = [move for move in legal if limits.moves is None or move in limits.moves]
        values = {**self.values, **(options or {})}
        context = self._context(limits, clock, values, wanted or legal)
        context.random = self._random = self._random or self._new_random()
        context.on_trace = on_trace
        search = SearchJob(context, position, shown, on_report, on_done)
        self._add(search)
        self._reader = search

    def _context(
        self, limits: Limits, clock: Clock, values: Mapping[str, Any], root_moves: list[Move]
    ) -> Context:
        megabytes = self.values["Hash"]
        if MAKER not in self._memory or self.game.textbook or plays_weaker(values):
            return Context(limits, clock, values, self._memory, megabytes, root_moves)
        from search.threads.team import TeamHelpers

        assert self._team is not None
        helpers = TeamHelpers(
            self._team,
            {
                "game": self.game.name,
                "base": self._base,
                "base_options": self._base_options,
                "played": list(self.moves),
                "hash": megabytes,
            },
        )
        return Context(limits, clock, values, self._memory, megabytes, root_moves, helpers)

    def warm_up(self) -> None:
        """Load what the first search of this game needs, here and in the helpers.

        So it costs no move's time (search/warm_up.py).  Nor does what was read
        before: the front end waits for this.
        """
        self._setup_seconds = 0.0
        if self._warm == self.game.name or self.searching:
            return
        self._warm = self.game.name
        if self._team is not None:
            self._team.warm_up(self._warm, self.values)
        warm_up(self.game, self.values, self._new_random())

    def run(self, work: Callable[[Context], Any], on_done: Callable[[Any], None]) -> None:
        """Run work(context) in the search's thread, then on_done(its result, None if stopped).

        For perft and the benchmark: long, without a best move, and waiting, refused and
        stopped like a search.
        """
        limits = Limits()
        context = Context(limits, Clock(limits, 0), dict(self.values), {}, self.values["Hash"])
        self._add(Work(context, work, on_done))
        self._worker.retire(context.memory)

    def stop(self) -> None:
        """End the search that runs soon; its answer comes as usual, and those that wait come next.

        Called again before that answer it ends the next one.  Nothing happens where
        none is left.
        """
        self._worker.stop()

    def stop_endless(self) -> None:
        """End the search that runs, or waits, without an end of its own, if there is one.

        Returns when the searches that were stopped and have nothing to wait for have
        answered.
        """
        self._worker.stop_endless()

    def ponderhit(self) -> None:
        """The expected move was played: a pondering search becomes an ordinary one."""
        self._worker.ponderhit()

    def finish(self, grace: float, guard: float) -> None:
        """Have everything asked for answered within `grace` + `guard` seconds.

        The process ends: each search answers as soon as it has found a move, and nothing
        may be asked for after this.
        """
        self._worker.finish(grace, guard)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything asked for has been answered; True if it has."""
        return self._worker.wait(seconds)

    def _add(self, job: Job) -> None:
        if not self._worker.add(job):
            raise SessionError("a search without an end is running; stop it first")

    def _new_random(self) -> Random:
        from random import Random

        return Random(self.values.get("Seed") or None)
