"""The public client: any UCI engine by its command, or Plyglot itself.

    import plyglot

    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        print(engine.go(depth=8))

Positions and moves are strings in the engine's notation: this package knows no games.  aio.py
is the same for asyncio.
"""

# The kind of engine decides whether _do() returns a coroutine.
# mypy: no-warn-return-any

from __future__ import annotations

import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plyglot.command import Command, own_command
from plyglot.errors import EngineError, Refusal
from plyglot.infos import Info, Result
from plyglot.options import Option
from plyglot.process import Process, start
from plyglot.uci import PATIENCE, Conversation, Limits, Search, at_once, check_end, due, go_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from plyglot.lines import Stamped

# What methods return: None, a search and a Result, or coroutines of these.
Done = TypeVar("Done")
Begun = TypeVar("Begun")
Found = TypeVar("Found")


class BaseEngine(Generic[Done, Begun, Found]):
    """The common base of Engine and AsyncEngine: a process, and the conversation with it."""

    _kind: type[Search]  # of its searches
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
        self._command = own_command(plugins) if command is None else command
        self._game, self._wanted = game, dict(options or {})
        self._directory, self._environment = directory, environment
        self._uci = Conversation(self._write, self._read, patience)
        self._launch()

    def _launch(self) -> None:
        """Start the engine in the constructor; AsyncEngine waits for its `async with`."""

    @property
    def name(self) -> str:
        """Return the engine's name, as it reports it."""
        return self._uci.name

    @property
    def author(self) -> str:
        """Return the engine's authors, as it reports them."""
        return self._uci.author

    @property
    def options(self) -> Mapping[str, Option]:
        """Return the options that the engine declares, by name."""
        return {option.name: option for option in self._uci.options.values()}

    @property
    def patience(self) -> float:
        """Return the seconds to wait for an answer that needs no search; may be set."""
        return self._uci.patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._uci.patience = seconds

    @property
    def searching(self) -> bool:
        """Is a search running?"""
        return self._uci.search is not None

    @property
    def pid(self) -> int:
        """Return the engine's process id."""
        return self._running.pid

    @property
    def _running(self) -> Process:
        if self._process is None:
            raise Refusal("is not running: it has not been started")
        return self._process

    def _write(self, *lines: str) -> None:
        self._running.write(*lines)

    def _start(self) -> Process:
        return start(self._command, self._directory, self._environment)

    def kill(self) -> None:
        """End the engine at once."""
        if self._process is not None:
            self._process.kill()

    # ---- conversations ---------------------------------------------------------------

    async def _read(self, until: float | None) -> Stamped:
        """Await the next line, as Process.read() does."""
        raise NotImplementedError

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine to its end, or return it for the caller to await."""
        raise NotImplementedError

    async def _greet(self) -> None:
        """Prepare the engine, which has just started; kill it if that fails."""
        try:
            await self._uci.greet()
            for name, value in self._wanted.items():
                self._uci.set_option(name, value)
            if self._game is not None:
                self._uci.choose(self._game)
            await self._uci.ready()
        except BaseException as error:
            if isinstance(error, EngineError):
                error.greeted = self._uci.greeted
            self.kill()
            raise

    async def _settled(self, command: Callable[[], None]) -> None:
        """Stop the running search, send a command, and wait until it is carried out."""
        await self._uci.settle()
        command()
        await self._uci.ready()

    async def _set_up(self, fen: str | None, moves: Sequence[str]) -> None:
        await self._uci.settle()
        await self._uci.set_up(fen, moves)

    async def _begin(self, limits: Limits, timeout: float | None) -> Search:
        words = go_words(limits)
        await self._uci.settle()
        seconds = due(limits, self.patience) if timeout is None else timeout
        return self._uci.go(words, self._kind(self._uci, seconds, bool(limits.get("ponder"))))

    async def _go(
        self, limits: Limits, timeout: float | None, on_info: Callable[[Info], object] | None
    ) -> Result:
        check_end(limits)
        search = await self._begin(limits, timeout)
        self._running.listener = lambda when, line: search.take(when, line, on_info)
        try:
            return await search.end(on_info)
        finally:  # on_info() may fail
            self._running.listener = None
            search.stop()

    def _end(self, grace: float) -> None:
        """End the process, if it was started; kill it if that takes over `grace` seconds."""
        if self._process is not None:
            self._process.close(("stop", "quit") if self.searching else ("quit",), grace)

    def __del__(self) -> None:
        if self._process is not None and not self._process.closed:
            warnings.warn(f"unclosed engine {self.name}", ResourceWarning, 2, self)
            self._process.kill()

    # ---- commands --------------------------------------------------------------------

    def set_option(self, name: str, value: object = None) -> Done:
        """Set an option.  Raises Refusal if the option doesn't exist or the value is invalid."""
        return self._do(self._settled(lambda: self._uci.set_option(name, value)))

    def new_game(self) -> Done:
        """Tell the engine that the next position belongs to a new game."""
        return self._do(self._settled(self._uci.new_game))

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> Done:
        """Set the position after `moves` from `fen`, by default from the game's start.

        Raises Refusal if the engine reports an error, as Plyglot does for an illegal move; then
        no search begins before a position that the engine accepts.
        """
        return self._do(self._set_up(fen, moves))

    def ready(self) -> Done:
        """Wait until the engine answers.  Raises Stall if it doesn't."""
        return self._do(self._uci.ready())

    def search(self, *, timeout: float | None = None, **limits: Unpack[Limits]) -> Begun:
        """Start a search and return at once; use it in a `with`.

        limits: the fields of Limits.
        timeout: seconds until Stall is raised; by default the engine's time plus `patience`, or
        no limit if the search has no time limit.
        """
        return self._do(self._begin(limits, timeout))

    def go(
        self,
        *,
        on_info: Callable[[Info], object] | None = None,
        timeout: float | None = None,
        **limits: Unpack[Limits],
    ) -> Found:
        """Search and return the Result.

        limits, timeout: as for search().  on_info: called with each Info when it arrives.
        """
        return self._do(self._go(limits, timeout, on_info))


class ActiveSearch(Search):
    """A running search: iterate over its Infos, stop() it, wait() for its Result.

    The end of its `with` stops it.
    """

    def __enter__(self) -> ActiveSearch:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[Info]:
        while self.running:
            event = at_once(self.next_event())
            if isinstance(event, Info):
                yield event

    def wait(self) -> Result:
        """Wait for the end of the search and return its Result."""
        return at_once(self.end())


class Engine(BaseEngine[None, ActiveSearch, Result]):
    """A running engine; use it in a `with`, or close() it.

    command: a string, split as a shell does, or a list of words; None for Plyglot itself.
    game: the game to play, by its name in UCI_Variant.
    plugins: files or modules whose games Plyglot loads.
    options: {name: value} to set at the start.
    directory: the working directory.  environment: variables to add to this process's own.
    patience: seconds to wait for an answer that needs no search.
    Raises EngineError if the engine can't be started or doesn't speak UCI.
    """

    _kind = ActiveSearch

    def _launch(self) -> None:
        self._process = self._start()
        at_once(self._greet())

    async def _read(self, until: float | None) -> Stamped:
        return self._running.read(until)

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return at_once(work)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self, grace: float = 1.0) -> None:
        """End the engine; kill it if it doesn't exit within `grace` seconds."""
        self._end(grace)
