"""The client for asyncio: the methods that block in client.py are coroutines here.

async with plyglot.AsyncEngine(game="othello") as engine:
    await engine.position(moves=["d3"])
    print(await engine.go(depth=8))
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from plyglot.client import BaseEngine, Search, Value, check_ends
from plyglot.errors import Missing, Refusal
from plyglot.uci import Info, Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from plyglot.client import OnInfo
    from plyglot.uci import GoLimits


class AsyncSearch(Search, contextlib.AbstractAsyncContextManager["AsyncSearch"]):
    """A running search: iterate over its Infos, stop() it, await wait() for its Result.

    Cancelling a task that waits for the search stops the search.
    """

    _engine: AsyncEngine

    async def __aexit__(self, *error: object) -> None:
        self.stop()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while self.running:
            try:
                info = await self._engine._do(self._next_event)
            except asyncio.CancelledError:
                self.stop()
                raise
            if info is not None:
                yield info

    async def wait(self, on_info: OnInfo | None = None) -> Result:
        """Await the end of the search and return its Result.

        on_info: called with each Info when it arrives.
        """
        async with self:
            async for info in self:
                if on_info is not None:
                    on_info(info)
        assert self.result is not None  # a search ends with a result or raises an error
        return self.result


class AsyncEngine(BaseEngine):
    """A running engine for asyncio; start it with `async with` or start().

    It takes the arguments of Engine.  Only one task at a time may use it, in the event loop that
    started it; other uses raise Refusal.  But any task may call close(), and the running search's
    stop() and ponderhit().  Cancelling a task that waits for go() stops the search.
    """

    _loop: asyncio.AbstractEventLoop | None = None

    def _launch(self) -> None:
        # An executor with one thread.  If a wait is cancelled, the thread stays busy until the
        # engine has answered, and the next call begins only then.
        self._thread = ThreadPoolExecutor(1)

    async def start(self) -> AsyncEngine:
        """Start the engine.  Raises EngineError if it can't be started or doesn't speak UCI."""
        if self._process is not None:
            raise Refusal("has already been started")
        if sys.platform == "emscripten":
            raise Missing("AsyncEngine is not available in a browser: use plyglot.Engine")
        self._process = self._start()
        self._loop = asyncio.get_running_loop()
        try:
            await self._do(self._greet)
        except asyncio.CancelledError:
            self.kill()
            raise
        return self

    async def __aenter__(self) -> AsyncEngine:
        return await self.start()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _do(self, work: Callable[..., Value], *arguments: object) -> Value:
        """Call work(*arguments) in the engine's thread.

        Raise Refusal if another task or event loop uses the engine.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise Refusal("belongs to another event loop")
        with self._use("task"):
            return await loop.run_in_executor(self._thread, work, *arguments)

    async def close(self, grace: float = 1.0) -> None:
        """End the engine, as Engine.close() does."""
        await asyncio.to_thread(self._end, grace)

    async def set_option(self, name: str, value: object = None) -> None:
        """Set an option, as Engine.set_option() does."""
        await self._do(self._send, self._declared.setting(name, value))

    async def choose(self, game: str, *aliases: str) -> None:
        """Choose another game, as Engine.choose() does."""
        await self._do(self._send, *self._declared.choice(game, *aliases))

    async def new_game(self) -> None:
        """Tell the engine that the next position belongs to a new game."""
        await self._do(self._send, "ucinewgame")

    async def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position, as Engine.position() does."""
        await self._do(self._set_up, fen, moves)

    async def ready(self) -> None:
        """Wait until the engine answers.  Raises Stall if it doesn't."""
        await self._do(self._ready)

    async def search(
        self, *, timeout: float | None = None, **limits: Unpack[GoLimits]
    ) -> AsyncSearch:
        """Start a search and return it at once, as Engine.search() does."""
        try:
            return await self._do(self._begin, AsyncSearch, limits, timeout)
        except asyncio.CancelledError:
            self._thread.submit(self._settle)  # the thread may yet begin the search
            raise

    async def go(
        self,
        *,
        on_info: OnInfo | None = None,
        timeout: float | None = None,
        **limits: Unpack[GoLimits],
    ) -> Result:
        """Search and return the Result, as Engine.go() does."""
        check_ends(limits)
        return await (await self.search(timeout=timeout, **limits)).wait(on_info)
