"""The public client of UCI engines: any engine by its command, or Plyglot itself.

    import plyglot

    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        print(engine.go(depth=8))

Positions and moves are strings in the engine's notation: this package knows no games.

Engine and AsyncEngine (aio.py) share the methods that send commands and wait for the answers.
Engine runs these methods in the caller's thread, AsyncEngine in a thread of its own.
"""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from plyglot.command import Command, own_command
from plyglot.errors import EngineError, Refusal, Stall
from plyglot.process import Process, start
from plyglot.uci import (
    LONGEST_NAME,
    Declaration,
    GoLimits,
    Info,
    Option,
    Result,
    check_seconds,
    due,
    go_words,
    move_texts,
    read_info,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    OnInfo = Callable[[Info], object]
    Kind = TypeVar("Kind", bound="Search")

Value = TypeVar("Value")

PATIENCE = 30.0  # Seconds to wait for an answer that needs no search.

COMPLAINT = "info string error: "  # The beginning of a line in which Plyglot reports an error.


class Search:
    """The common base of ActiveSearch and AsyncSearch.

    until: the deadline on time.perf_counter()'s clock, None for no deadline.
    result: the Result, None while the search runs.
    """

    _engine: BaseEngine

    def __init__(self, engine: Any, seconds: float | None, waits: bool) -> None:
        """Set the deadline to `seconds` from now or, if `waits`, leave that to ponderhit()."""
        self._engine, self._seconds = engine, seconds
        self._begun = time.perf_counter()
        self.until = None if seconds is None or waits else self._begun + seconds
        self._infos: dict[int, Info] = {}  # Rank of a line -> its latest Info with a score.
        self.result: Result | None = None

    @property
    def infos(self) -> list[Info]:
        """Return the latest Info of each line, best first."""
        return [self._infos[rank] for rank in sorted(self._infos)]

    @property
    def running(self) -> bool:
        """Is this search still running?"""
        return self.result is None

    def stop(self) -> None:
        """Stop the search, which then returns its result at once.  Any thread may call it."""
        if self.running:
            self.until = time.perf_counter() + self._engine.patience
            with contextlib.suppress(EngineError):  # the engine has ended: the next read reports it
                self._engine.process.write("stop")

    def ponderhit(self) -> None:
        """Tell a pondering search that the expected move was played, which starts its clock."""
        if self.running:
            if self._seconds is not None:
                self.until = time.perf_counter() + self._seconds
            self._engine.process.write("ponderhit")

    def _next_event(self, on_info: OnInfo | None = None) -> Info | None:
        """Wait for a line of the engine; return its Info, or None if it isn't an info line.

        on_info: called with the Info.
        If the line is late, stop the search and raise Stall; the engine can still be used.
        If the wait is interrupted, stop the search, too.
        """

        def receive(when: float, line: str) -> Info | None:
            info = self._engine._receive(when, line)
            if info is not None and on_info is not None:
                on_info(info)
            return info

        try:
            listener = None if on_info is None else receive
            return receive(*self._engine.process.read(self.until, listener))
        except BaseException as error:
            self.stop()
            if isinstance(error, Stall):
                seconds = time.perf_counter() - self._begun
                raise Stall(f"no bestmove in {seconds:.1f} s") from None
            raise

    def receive(self, when: float, line: str) -> Info | None:
        """Record a line of the engine; return its Info, or None if it isn't an info line."""
        words = line.split()
        if words[:1] == ["bestmove"]:
            ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
            move = words[1] if len(words) > 1 else ""
            self.result = Result(move, ponder, self.infos, when - self._begun)
            self._engine._search = None
        if words[:1] != ["info"]:
            return None
        info = read_info(line)
        if info.score is not None or info.mate is not None:
            self._infos[info.multipv] = info
        return info


class BaseEngine:
    """The common base of Engine and AsyncEngine: runs the process, and sends and reads its lines.

    patience: seconds to wait for an answer that needs no search; may be changed.
    """

    _process: Process | None = None

    def __init__(
        self,
        command: Command | None = None,
        *,
        game: str | None = None,
        plugins: Iterable[str] = (),
        options: Mapping[str, object] | None = None,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        try:
            command = own_command(plugins) if command is None else command
            self._wanted = dict(options or {})
        except (TypeError, ValueError, AttributeError) as error:
            raise Refusal(f"can't be started with these arguments: {error}") from None
        check_seconds("patience", patience)
        self._start = partial(start, command, directory, environment)
        self._game = game
        self.patience = patience
        self._declared = Declaration()
        # _search: the running search.  _unready: the number of unanswered `isready`.
        # _complaint: the first error that Plyglot has reported since the last `isready`.
        # _refused: why the last position was not set; "" if it was.
        # _used: locked while a thread or task uses the engine.
        self._search: Search | None = None
        self._used = threading.Lock()
        self._unready = 0
        self._complaint = ""
        self._refused = ""
        self._launch()

    def _launch(self) -> None:
        """Do nothing; a subclass does the last step of __init__() here."""

    @property
    def name(self) -> str:
        """Return the engine's name, as it reports it."""
        return self._declared.name

    @property
    def author(self) -> str:
        """Return the engine's author, as it reports it."""
        return self._declared.author

    @property
    def options(self) -> Mapping[str, Option]:
        """Return the options that the engine declares, by name."""
        return {option.name: option for option in self._declared.options.values()}

    @property
    def searching(self) -> bool:
        """Is a search running?"""
        return self._search is not None

    @property
    def process(self) -> Process:
        """Return the running program.  Raises Refusal if it has not been started."""
        if self._process is None:
            raise Refusal("is not running: it has not been started")
        return self._process

    def kill(self) -> None:
        """End the engine at once."""
        if self._process is not None:
            self._process.kill()

    def _end(self, grace: float) -> None:
        """End the process, if it was started; kill it after `grace` seconds."""
        if self._process is not None:
            self._process.close(("stop", "quit") if self.searching else ("quit",), grace)

    def __del__(self) -> None:
        if self._process is not None and not self._process.closed:
            warnings.warn(f"unclosed engine {self.name}", ResourceWarning, 2, self)
            self._process.kill()

    @contextlib.contextmanager
    def _use(self, others: str) -> Iterator[None]:
        """Reserve the engine in a `with`; raise Refusal if it is in use.

        others: the end of the message "is in use by another ...".
        """
        if not self._used.acquire(blocking=False):
            raise Refusal(f"is in use by another {others}")
        try:
            yield
        finally:
            self._used.release()

    # ---- the engine's lines ----------------------------------------------------------

    def _wait_for(self, answer: str, has_come: Callable[[], bool]) -> None:
        """Read lines until has_come() is true.

        Raises Stall, whose message names the missing `answer`, after `patience` seconds.
        """
        until = time.perf_counter() + self.patience
        try:
            while not has_come():
                self._receive(*self.process.read(until))
        except Stall:
            raise Stall(f"no {answer} in {self.patience:g} s") from None

    def _receive(self, when: float, line: str) -> Info | None:
        """Record a line of the engine; return its Info if it is an info line of a search."""
        if not self._declared.complete:
            self._declared.read(line)
            return None
        if line.strip() == "readyok":
            self._unready = max(self._unready - 1, 0)
            return None
        if line.startswith(COMPLAINT) and not self._complaint:
            self._complaint = line[len(COMPLAINT) :][:LONGEST_NAME]
        return None if self._search is None else self._search.receive(when, line)

    # ---- conversations ---------------------------------------------------------------

    def _greet(self) -> None:
        """Greet the engine and set its options and its game; kill it if that fails."""
        declared = self._declared
        try:
            self.process.write(declared.greeting)
            self._wait_for("answer", lambda: declared.complete)
            for name, value in self._wanted.items():
                self.process.write(declared.setting(name, value))
            if self._game is not None:
                self.process.write(*declared.choice(self._game))
            self._ready()
        except BaseException as error:
            if isinstance(error, EngineError):
                error.greeted = declared.complete
            self.kill()
            raise

    def _ready(self) -> None:
        """Wait until all commands are carried out.

        Raises Refusal if the engine reports an `info string error:`, as Plyglot does.
        """
        self._complaint = ""
        self.process.write("isready")
        self._unready += 1
        self._wait_for("readyok", lambda: not self._unready)
        if self._complaint:
            raise Refusal(self._complaint)

    def _settle(self) -> None:
        """Stop the running search, if any, and wait for its end."""
        if self._search is not None:
            self._search.stop()
            self._wait_for("bestmove", lambda: self._search is None)

    def _send(self, *lines: str) -> None:
        """Stop the running search, send lines, and wait until they are carried out."""
        self._settle()
        self.process.write(*lines)
        self._ready()

    def _set_up(self, fen: str | None, moves: Sequence[str]) -> None:
        try:
            played = " ".join(["", "moves", *move_texts(moves)]) if moves else ""
            self._send(f"position {'startpos' if fen is None else f'fen {fen}'}{played}")
        except EngineError as error:
            self._refused = str(error)
            raise
        self._refused = ""

    def _begin(self, kind: type[Kind], limits: GoLimits, timeout: float | None) -> Kind:
        words = go_words(limits)
        check_seconds("timeout", timeout)
        self._settle()
        if self._refused:
            raise Refusal(f"has no position to search: {self._refused}")
        seconds = due(limits, self.patience) if timeout is None else timeout
        search = kind(self, seconds, bool(limits.get("ponder")))
        self.process.write(" ".join(["go", *words]))
        self._search = search
        return search


def check_ends(limits: GoLimits) -> None:
    """Raise ValueError unless a search with these limits ends by itself."""
    if limits.get("infinite") or limits.get("ponder"):
        raise ValueError("go() must end by itself: use search() for infinite or ponder")


class ActiveSearch(Search, contextlib.AbstractContextManager["ActiveSearch"]):
    """A running search: iterate over its Infos, stop() it, wait() for its Result.

    Leaving its `with` block stops it.
    """

    _engine: Engine

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[Info]:
        while self.running:
            info = self._engine._do(self._next_event)
            if info is not None:
                yield info

    def wait(self, on_info: OnInfo | None = None) -> Result:
        """Wait for the end of the search and return its Result.

        on_info: called with each Info when it arrives.
        """
        return self._engine._do(self._end, on_info)

    def _end(self, on_info: OnInfo | None) -> Result:
        while self.result is None:
            self._next_event(on_info)
        return self.result


class Engine(BaseEngine, contextlib.AbstractContextManager["Engine"]):
    """A running engine; use it in a `with`, or close() it.

    command: a string, split as a shell does, or a list of words; None for Plyglot itself.
    game: the game to play, by its name in UCI_Variant.
    plugins: files or modules whose games Plyglot loads.
    options: {name: value} to set at the start.
    directory: the working directory.
    environment: environment variables of the engine, in addition to those of this process.
    patience: seconds to wait for an answer that needs no search.

    Only one thread at a time may use it; other uses, such as go() inside on_info, raise Refusal.
    But any thread may call close(), kill(), and the running search's stop() and ponderhit().
    Raises EngineError if the engine can't be started or doesn't speak UCI.
    """

    def _launch(self) -> None:
        self._process = self._start()
        self._do(self._greet)

    def _do(self, work: Callable[..., Value], *arguments: object) -> Value:
        """Call work(*arguments); raise Refusal if another call is not over."""
        with self._use("thread, or by the search that calls on_info"):
            return work(*arguments)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self, grace: float = 1.0) -> None:
        """End the engine; kill it if it doesn't exit within `grace` seconds."""
        self._end(grace)

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option.  Raises Refusal if the option doesn't exist or the value is invalid."""
        self._do(self._send, self._declared.setting(name, value))

    def choose(self, game: str, *aliases: str) -> None:
        """Choose another game, by the first of its names that UCI_Variant lists.

        Raises Refusal if UCI_Variant lists none of them and the game isn't chess.
        """
        self._do(self._send, *self._declared.choice(game, *aliases))

    def new_game(self) -> None:
        """Tell the engine that the next position belongs to a new game."""
        self._do(self._send, "ucinewgame")

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position after `moves` from `fen`, by default from the game's start.

        Raises Refusal if the engine reports an error, as Plyglot does for an illegal move.  After
        that, searches raise Refusal until the engine accepts a position.
        """
        self._do(self._set_up, fen, moves)

    def ready(self) -> None:
        """Wait until the engine answers.  Raises Stall if it doesn't."""
        self._do(self._ready)

    def search(self, *, timeout: float | None = None, **limits: Unpack[GoLimits]) -> ActiveSearch:
        """Start a search and return it at once; use it in a `with`.

        limits: the fields of GoLimits.
        timeout: seconds until Stall is raised; by default the engine's time plus `patience`, or
        no limit if the search has no time limit.
        """
        search: ActiveSearch = self._do(self._begin, ActiveSearch, limits, timeout)
        return search

    def go(
        self,
        *,
        on_info: OnInfo | None = None,
        timeout: float | None = None,
        **limits: Unpack[GoLimits],
    ) -> Result:
        """Search and return the Result.

        limits, timeout: as for search().  on_info: called with each Info when it arrives.
        """
        check_ends(limits)
        return self.search(timeout=timeout, **limits).wait(on_info)
