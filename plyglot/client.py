"""The public client: any UCI engine by its command, or Plyglot itself.

    import plyglot

    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        print(engine.go(depth=8))

Positions and moves are strings in the engine's notation: this package knows no games.  aio.py
is the same for asyncio.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from plyglot.command import Command, own_command
from plyglot.errors import EngineError, Flood, Refusal, Stall
from plyglot.infos import Info, Result
from plyglot.options import Option
from plyglot.process import Process, Steps
from plyglot.uci import PATIENCE, Conversation, check_end, due, go_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from plyglot.uci import Limits

Value = TypeVar("Value")


class BaseEngine:
    """The common base of Engine and AsyncEngine: a process, and the conversation with it."""

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
        self._process: Process | None = None
        self._uci = Conversation(self._write, patience)
        self._begin()

    def _begin(self) -> None:
        """Start the engine if that needs no waiting for others."""

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
        return Process(self._command, self._directory, self._environment)

    def kill(self) -> None:
        """End the engine at once."""
        if self._process is not None:
            self._process.kill()

    # ---- conversations ---------------------------------------------------------------

    def _greet(self) -> Steps[None]:
        try:
            yield from self._uci.greet()
        except EngineError as error:
            error.greeted = False
            raise
        for name, value in self._wanted.items():
            self._uci.set_option(name, value)
        if self._game is not None:
            self._uci.choose(self._game)
        yield from self._uci.ready()

    def _settled(self, *commands: Callable[[], None]) -> Steps[None]:
        """Stop the running search, send commands, and wait until they are carried out."""
        yield from self._uci.settle()
        for command in commands:
            command()
        yield from self._uci.ready()

    def _go(self, limits: Limits, timeout: float | None) -> Steps[None]:
        words = go_words(**limits)
        yield from self._uci.settle()
        seconds = due(limits, self.patience) if timeout is None else timeout
        self._uci.go(words, seconds, bool(limits.get("ponder")))


class BaseSearch:
    """The common base of ActiveSearch and AsyncSearch."""

    def __init__(self, uci: Conversation) -> None:
        assert uci.search is not None
        self._uci, self._search = uci, uci.search

    @property
    def result(self) -> Result | None:
        """Return the Result, or None while the search runs."""
        return self._search.result

    @property
    def infos(self) -> list[Info]:
        """Return the latest Info of each line, best first."""
        return [self._search.infos[rank] for rank in sorted(self._search.infos)]

    @property
    def running(self) -> bool:
        """Is this search still running?"""
        return self._uci.search is self._search

    def stop(self) -> None:
        """Stop the search, which then returns its result at once.  Any thread may call it."""
        if self.running:
            self._uci.stop()

    def ponderhit(self) -> None:
        """Tell a search that ponders that the expected move was played: its clock starts."""
        if self.running:
            self._uci.ponderhit()

    def _give_up(self, error: Stall) -> Stall:
        """Stop a search that is late and return the error; the engine can still be used."""
        self.stop()
        if isinstance(error, Flood):
            return error
        return Stall(f"no bestmove in {time.perf_counter() - self._search.begun:.1f} s")


class Engine(BaseEngine):
    """A running engine; use it in a `with`, or close() it.

    command: a string, split as a shell does, or a list of words; None for Plyglot itself.
    game: the game to play, by its name in UCI_Variant.
    plugins: files or modules whose games Plyglot loads.
    options: {name: value} to set at the start.
    directory: the working directory.  environment: variables to add to this process's own.
    patience: seconds to wait for an answer that needs no search.
    Raises EngineError if the engine can't be started or doesn't speak UCI.
    """

    def _begin(self) -> None:
        self._process = self._start()
        try:
            self._carry_out(self._greet())
        except BaseException:
            self.kill()
            raise

    def _carry_out(self, steps: Steps[Value]) -> Value:
        return self._running.carry_out(steps)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option.  Raises Refusal if the option doesn't exist or the value is invalid."""
        self._carry_out(self._settled(lambda: self._uci.set_option(name, value)))

    def new_game(self) -> None:
        """Tell the engine that the next position belongs to a new game."""
        self._carry_out(self._settled(self._uci.new_game))

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position after `moves` from `fen`, by default from the game's start.

        Raises Refusal if the engine reports an error, as Plyglot does for an illegal move.
        """
        self._carry_out(self._settled(lambda: self._uci.position(fen, moves)))

    def ready(self) -> None:
        """Wait until the engine answers.  Raises Stall if it doesn't."""
        self._carry_out(self._uci.ready())

    def search(self, *, timeout: float | None = None, **limits: Unpack[Limits]) -> ActiveSearch:
        """Start a search and return at once; use it in a `with`.

        limits: the fields of Limits.
        timeout: seconds until Stall is raised; by default the engine's time plus `patience`, or
        no limit if the search has no time limit.
        """
        self._carry_out(self._go(limits, timeout))
        return ActiveSearch(self._uci, self._running)

    def go(
        self,
        *,
        on_info: Callable[[Info], object] | None = None,
        timeout: float | None = None,
        **limits: Unpack[Limits],
    ) -> Result:
        """Search and return the Result.

        limits, timeout: as for search().  on_info: called with each Info when it arrives.
        """
        check_end(limits)
        with self.search(timeout=timeout, **limits) as search:
            for info in search:
                if on_info is not None:
                    on_info(info)
            return search.wait()

    def close(self, grace: float = 1.0) -> None:
        """End the engine; kill it if it doesn't exit within `grace` seconds."""
        if self._process is not None:
            self._process.close(("stop", "quit") if self.searching else ("quit",), grace)


class ActiveSearch(BaseSearch):
    """A running search: iterate over its Infos, stop() it, wait() for its Result.

    The end of its `with` stops it.
    """

    def __init__(self, uci: Conversation, process: Process) -> None:
        super().__init__(uci)
        self._process = process

    def __enter__(self) -> ActiveSearch:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[Info]:
        while self.running:
            try:
                event = self._uci.receive(*self._process.read(self._search.until))
            except Stall as error:
                raise self._give_up(error) from None
            if isinstance(event, Info):
                yield event

    def wait(self) -> Result:
        """Wait for the end of the search and return its Result."""
        for _ in self:
            pass
        if self.result is None:
            raise Refusal("ended this search for another command")
        return self.result
