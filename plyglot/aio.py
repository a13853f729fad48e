"""The client for asyncio: the methods that block in client.py are coroutines here.

async with plyglot.AsyncEngine(game="othello") as engine:
    await engine.position(moves=["d3"])
    print(await engine.go(depth=8))
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from plyglot.client import BaseEngine, Search, Value
from plyglot.errors import Missing, Refusal, Stall
from plyglot.infos import Info, Result
from plyglot.lines import Stamped

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from plyglot.client import OnInfo
    from plyglot.uci import GoLimits


class AsyncSearch(Search):
    """A running search: iterate over its Infos, stop() it, await wait() for its Result.

    Cancelling a task that waits for the search stops the search.
    """

    _engine: AsyncEngine

    async def __aenter__(self) -> AsyncSearch:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while self.running:
            info = await self._engine._do(self._next_event())
            if info is not None:
                yield info

    async def wait(self, on_info: OnInfo | None = None) -> Result:
        """Await the end of the search and return its Result.

        on_info: called with each Info when it arrives.
        """
        return await self._engine._do(self._end(on_info))


class AsyncEngine(BaseEngine):
    """A running engine for asyncio; start it with `async with` or start().

    It takes the arguments of Engine.  Only one task at a time may use it, in the event loop that
    started it; other uses raise Refusal.  The exceptions are close(), and stop() and ponderhit() of
    the running search: any task may call these.  Cancelling a task that waits for go() stops the
    search.
    """

    _loop: asyncio.AbstractEventLoop | None = None
    _used = False  # does a task use the engine?

    async def start(self) -> AsyncEngine:
        """Start the engine.  Raises EngineError if it can't be started or doesn't speak UCI."""
        if self._loop is not None:
            raise Refusal("has already been started")
        if sys.platform == "emscripten":
            raise Missing("AsyncEngine is not available in a browser: use plyglot.Engine")
        loop = self._loop = asyncio.get_running_loop()
        self._process = self._start()
        changed = self._changed = asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits
                loop.call_soon_threadsafe(changed.set)

        self._process.lines.on_change = wake
        await self._do(self._greet())
        return self

    async def __aenter__(self) -> AsyncEngine:
        return await self.start()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _do(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Await `work`; raise Refusal if another task or event loop uses the engine."""
        with contextlib.closing(work):
            if self._loop not in (None, asyncio.get_running_loop()):
                raise Refusal("belongs to another event loop")
            if self._used:
                raise Refusal("is in use by another task")
            self._used = True
            try:
                return await work
            finally:
                self._used = False

    async def _read(self, until: float | None) -> Stamped:
        await asyncio.sleep(0)  # let other tasks run, even if lines are queued
        while True:
            self._changed.clear()
            try:
                stamped = self.process.lines.take(until)
            except LookupError:
                await self._wait(until)
                continue
            if stamped is None:
                raise await asyncio.to_thread(self.process.ending)
            return stamped

    async def _wait(self, until: float | None) -> None:
        """Wait until the queue of lines changes; raise Stall after the deadline."""
        if until is None:
            await self._changed.wait()
            return
        seconds_left = until - time.perf_counter()
        if seconds_left <= 0:
            raise Stall("no answer in time")
        # asyncio.wait_for() may swallow a cancellation before Python 3.12
        timer = asyncio.get_running_loop().call_later(seconds_left, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            timer.cancel()

    async def close(self, grace: float = 1.0) -> None:
        """End the engine, as Engine.close() does."""
        await asyncio.to_thread(self._end, grace)

    async def set_option(self, name: str, value: object = None) -> None:
        """Set an option, as Engine.set_option() does."""
        await self._do(self._set(name, value))

    async def choose(self, game: str, *aliases: str) -> None:
        """Choose another game, as Engine.choose() does."""
        await self._do(self._choose(game, *aliases))

    async def new_game(self) -> None:
        """Tell the engine that the next position belongs to a new game."""
        await self._do(self._send("ucinewgame"))

    async def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position, as Engine.position() does."""
        await self._do(self._set_up(fen, moves))

    async def ready(self) -> None:
        """Wait until the engine answers.  Raises Stall if it doesn't."""
        await self._do(self._ready())

    async def search(
        self, *, timeout: float | None = None, **limits: Unpack[GoLimits]
    ) -> AsyncSearch:
        """Start a search and return it at once, as Engine.search() does."""
        return await self._do(self._begin(AsyncSearch, limits, timeout))

    async def go(
        self,
        *,
        on_info: OnInfo | None = None,
        timeout: float | None = None,
        **limits: Unpack[GoLimits],
    ) -> Result:
        """Search and return the Result, as Engine.go() does."""
        return await self._do(self._go(AsyncSearch, limits, timeout, on_info))
