"""The session: everything that a front end can do with the engine, without a word of any protocol's text.

    session = Session("tictactoe")
    session.setup(moves=["b2", "a1"])
    session.start(Limits(depth=9), on_report, on_done)      # returns at once; on_done(Result) comes exactly once
    session.stop(); session.wait()

`close()` it where the process goes on without it and `Threads` was set.  Calls come from one thread; the callbacks come from the search's thread.  A search has a private copy of the position
and of the options as they are when it is asked for: setting up others while it runs, or while it waits for the one
before it, disturbs nothing.
"""
from __future__ import annotations

from os import cpu_count
from time import perf_counter

from games import registry
from games.base import MoveError, Option
from search import faults
from search.clock import Clock
from search.context import Context
from search.limits import Limits
from search.table import MAKER, release
from search.variety import HIGHEST_ELO, LOWEST_ELO, STRONGEST, plays_weaker
from search.worker import Search, Work, Worker

# What the session itself can be told; every game adds its own (games/options.py).
OPTIONS = (
    Option("Hash", "spin", 64, 1, 4096, help="megabytes of the search's tables"),
    Option("Clear Hash", "button", help="forget what earlier searches found"),
    Option("Threads", "spin", 1, 1, cpu_count() or 1, help="how many processors the search may use"),
    Option("MultiPV", "spin", 1, 1, 256, help="how many of the best moves are searched and shown"),
    Option("Ponder", "check", False, help="the front end may let the engine think in the opponent's time"),
    Option("Move Overhead", "spin", 40, 0, 10000, help="milliseconds lost between engine and clock each move"),
    Option("Skill Level", "spin", STRONGEST, 0, STRONGEST, help="how well the engine plays, in every game"),
    Option("LimitStrength", "check", False, help="play as weak as Elo says"),
    Option("Elo", "spin", 1500, LOWEST_ELO, HIGHEST_ELO, help="the strength to play at, roughly, in chess"),
    Option("AnalyseMode", "check", False, help="the engine analyses and does not play: no variety, no weaker play"),
)

_WARM_UP_NODES = 50

# How much of a pause is still reckoned with after the next search; and what always is: the answer has to be read.
_MEMORY_OF_PAUSES = 0.9
_LEAST_PAUSE = 0.001


class SessionError(Exception):
    """Something that can't be done now, in words."""


class Session:
    """One game in progress, its options and its search.

    game: the Game.  values: {option name: value}.
    """

    def __init__(self, game="chess"):
        self.values = {option.name: option.default for option in self.options()}
        self._memory = {}
        self._team = None           # of the processes that search with us, once there were any
        self._random = None
        self._worker = Worker()
        self._reading = 0.0         # seconds that the position took to read since the last search
        self._pause = _LEAST_PAUSE  # seconds by which an answer may be late
        self._warm = None           # the game that was warmed up last
        self.choose_game(game)

    # ---- options ----------------------------------------------------------------------------------------

    def options(self):
        """Every Option that can be set now: the session's own, then those of all games."""
        return list(OPTIONS) + registry.options()

    def set_option(self, name, text=""):
        """Set an option from its text; SessionError for unknown names and unfit values.  Returns the Option."""
        for option in self.options():
            if option.name.lower() == name.strip().lower():
                break
        else:
            raise SessionError(f"no such option: {name.strip()[:80]}")
        try:
            value = option.read(text)
        except ValueError as error:
            raise SessionError(str(error)) from None
        self.set_value(option.name, value)
        return option

    def set_value(self, name, value):
        """Set the option of this very name to a value that it can have (Option.read); a button is pressed."""
        if name == "Clear Hash":
            self.clear_memory()
            return
        self.values[name] = value
        if name == "Hash":
            self.clear_memory()
        elif name == "Threads":
            self._resize_team(value)
        elif name == "Seed":
            self._random = None
        elif not self.moves and self._from_start and any(option.name == name for option in self.game.options):
            self._position = None

    def set_within(self, name, value):
        """Set a spin option to `value`, or to what comes closest within its bounds."""
        option = next(option for option in self.options() if option.name == name)
        self.set_option(name, str(min(max(value, option.low), option.high)))

    def clear_memory(self):
        """Forget what earlier searches found; searches that run or wait keep their own tables."""
        self._worker.retire(self._memory)
        self._memory = {} if self.values["Threads"] == 1 else {MAKER: self._team.pool()}

    def _resize_team(self, threads):
        if self._team is None and threads > 1:
            from search.team import Team

            self._team = Team()
        if self._team is not None:
            self._team.resize(threads - 1)
            if (threads > 1) != (MAKER in self._memory):
                self.clear_memory()     # its tables are such that they can be shared, or such that they need not be

    def close(self):
        """End what runs beside this process."""
        if self._team is not None:
            self._team.close()

    # ---- the game and its position ----------------------------------------------------------------------

    def choose_game(self, name):
        """Change to the start position of another game; SessionError where there is none of that name."""
        try:
            game = registry.get(name)
        except KeyError:
            raise SessionError(f"no such game: {name.strip()[:80]}") from None
        for option in game.options:
            self.values.setdefault(option.name, option.default)
        self.game = game
        self.new_game()

    def new_game(self):
        """The start position, and nothing remembered."""
        self.clear_memory()
        self._position, self._from_start = None, True

    @property
    def position(self):
        """The position as front ends see it; the game's start as long as nothing else was set up.

        Made when it is asked for first: a game's rules are loaded only when they are needed.
        """
        if self._position is None:
            self.setup()
        return self._position

    @property
    def moves(self):
        """The moves played since the base position."""
        return self._moves if self._position is not None else []

    def setup(self, text=None, moves=(), read=None):
        """Set the position of `text` (None: the start), then play the texts in `moves`; all or nothing.

        read(position, text) gives a legal move or raises MoveError; the position's own parse_move by default.
        PositionError or MoveError name the offending text.
        """
        began, words = perf_counter(), list(moves)
        if self._goes_on(text, words, read):
            position, earlier, base, options = self._position, self._moves, self._base, self._base_options
            known = len(self._words)
        else:
            position = self.game.start(self.values) if text is None else self.game.parse(text, self.values)
            earlier, base, options, known = [], position.text(), dict(self.values), 0
        self._moves = earlier + self._play_words(position, words[known:], read)
        self._position, self._base, self._base_options, self._from_start = position, base, options, text is None
        self._source, self._words = (text, read), words
        self._reading = perf_counter() - began

    def _goes_on(self, text, words, read):
        """Do `words` only add moves to the position that stands?  Front ends tell a whole game each time."""
        return (self._position is not None and self._words is not None and self._source == (text, read)
                and self._base_options == self.values and words[:len(self._words)] == self._words)

    def _play_words(self, position, words, read):
        """The moves of `words`, played; none is where one of them can't be."""
        played = []
        try:
            for word in words:
                for move_text in self.game.split_moves(word):
                    move = read(position, move_text) if read else position.parse_move(move_text)
                    position.make(move)
                    played.append(move)
        except Exception:
            for _ in played:
                position.undo()
            raise
        return played

    def play(self, move, known_legal=False):
        """Play a legal move; MoveError where it is not, unless it is known to be one: the position itself read it."""
        if not known_legal and move not in self.position.playable_moves():
            raise MoveError(str(move), "is not a legal move here")
        self.position.make(move)
        self._moves.append(move)
        self._words = None

    def undo(self, count=1):
        """Take back `count` moves; SessionError where fewer were played."""
        if not 0 <= count <= len(self.moves):
            raise SessionError("there is no move to take back")
        for _ in range(count):
            self._position.undo()
            self._moves.pop()
        self._words = None

    def copy_position(self):
        """A private copy of the position, with the history that repetition needs."""
        position = self.base_position()
        for move in self.moves:
            position.make(move)
        return position

    def base_position(self):
        """A private copy of the position that `moves` started from."""
        if self._position is None:
            self.setup()
        return self.game.parse(self._base, self._base_options)

    # ---- thinking ---------------------------------------------------------------------------------------

    @property
    def searching(self):
        """Is a search (or another job) running, waiting, or holding its answer back?"""
        return self._worker.busy

    def start(self, limits, on_report, on_done, on_trace=None, options=None):
        """Search the position in the search's thread, after what was asked for before.

        SessionError while a search runs, or waits, that has no end and was not stopped.
        on_report(Report, position), then exactly once on_done(Result), are called there.
        options: {name: value} that this search alone sees in place of the session's own.
        """
        # What the position took to read went by on the clock: `go` comes right after it.
        overhead, start = self.values["Move Overhead"] / 1000, perf_counter() - self._reading
        clock = Clock(limits, self.position.side, overhead, start, self._expected_pause())
        self._reading = 0.0
        position = self.copy_position()
        legal = position.playable_moves()
        wanted = legal if limits.moves is None else [move for move in legal if move in limits.moves]
        values = {**self.values, **(options or {})}
        context = self._context(limits, clock, values, wanted or legal)
        context.random = self._dice()
        context.on_trace = on_trace
        self._add(Search(context, position, self.copy_position(), on_report, on_done))

    def _context(self, limits, clock, values, root_moves):
        kind = Context
        if MAKER in self._memory and not (self.game.textbook or plays_weaker(values)):
            from search.team import TeamContext as kind
        context = kind(limits, clock, values, self._memory, self.values["Hash"], root_moves)
        if kind is Context:
            return context
        context.set_up(self._team, {"game": self.game.name, "base": self._base, "base_options": self._base_options,
                                    "played": list(self.moves), "hash": self.values["Hash"]})
        return context

    def _expected_pause(self):
        """By how many seconds the search may miss a deadline, from how late the last ones were."""
        seen, self._worker.longest_pause = self._worker.longest_pause, 0.0
        self._pause = max(seen, self._pause * _MEMORY_OF_PAUSES, _LEAST_PAUSE)
        return self._pause

    def warm_up(self):
        """Load what the first search of this game needs, so that it is not paid for out of a move's time.

        A search of a few nodes from the start, in tables of its own: later ones are what they would have been.  Nor is
        what was read before, since the front end waits for this.
        """
        self._reading = 0.0
        if self._warm == self.game.name or self.searching:
            return
        self._warm = self.game.name
        limits = Limits(depth=1, nodes=_WARM_UP_NODES)
        position = self.game.start(self.values)
        values = {**self.values, "Variety": False, "MultiPV": 1}
        context = Context(limits, Clock(limits, position.side), values, {}, 1, position.legal_moves())
        context.random = self._new_dice()
        try:
            from search.root import think

            think(position, context, lambda report: None)
        except Exception:       # an own bug: told on stderr as in a search, and the session lives on
            faults.tell()
        finally:
            release(context.memory)

    def run(self, work, on_done):
        """Run work(context) in the search's thread, on_done(its result or None if stopped) after it.

        For perft and the benchmark: long, without a best move, and waiting, refused and stopped like a search.
        """
        limits = Limits()
        context = Context(limits, Clock(limits, 0), dict(self.values), {}, self.values["Hash"])
        self._add(Work(context, work, on_done))
        self._worker.retire(context.memory)

    def stop(self):
        """End the search that runs soon; its answer comes as usual, and those that wait come next.

        Called again before that answer it ends the next one.  Nothing happens where none is left.
        """
        self._worker.stop()

    def stop_endless(self):
        """End the search that runs, or waits, without an end of its own; nothing happens where there is none.

        Returns when the searches that were stopped and have nothing to wait for have answered.
        """
        self._worker.stop_endless()

    def ponderhit(self):
        """The expected move was played: a pondering search becomes an ordinary one."""
        self._worker.ponderhit()

    def wait(self, seconds=None):
        """Wait until everything asked for has been answered; True if it has."""
        return self._worker.wait(seconds)

    def _add(self, job):
        if not self._worker.add(job):
            raise SessionError("a search without an end is running; stop it first")

    def _dice(self):
        if self._random is None:
            self._random = self._new_dice()
        return self._random

    def _new_dice(self):
        from random import Random

        return Random(self.values.get("Seed") or None)
