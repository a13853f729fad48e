"""The engine of client.py for asyncio: its blocking methods are coroutines here.

async with plyglot.AsyncEngine(game="othello") as engine:
    await engine.position(moves=["d3"])
    print(await engine.go(depth=8))
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from plyglot.client import BaseEngine
from plyglot.errors import Crash, Refusal, Stall
from plyglot.infos import Info, Result
from plyglot.lines import Stamped
from plyglot.process import Process
from plyglot.uci import Search

_TURN = 64  # lines after which to yield to other tasks, even if more are queued


class AsyncSearch(Search):
    """A running search: iterate over its Infos, stop() it, await wait() for its Result."""

    async def __aenter__(self) -> AsyncSearch:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while self.running:
            event = await self.next_event()
            if isinstance(event, Info):
                yield event

    async def wait(self) -> Result:
        """Await the end of the search and return its Result."""
        return await self.end()


class AsyncEngine(
    BaseEngine[
        Coroutine[Any, Any, None], Coroutine[Any, Any, AsyncSearch], Coroutine[Any, Any, Result]
    ]
):
    """A running engine for asyncio; start it with `async with` or start().

    Its arguments are those of Engine.  Only one task at a time may use it, except for stop()
    and ponderhit() of its search.  Cancelling the task of go() stops the search.
    """

    _kind = AsyncSearch

    async def start(self) -> AsyncEngine:
        """Start the engine.  Raises EngineError if it can't be started or doesn't speak UCI."""
        if self._process is not None:
            raise Refusal("was started already")
        self._process = await self._started()
        self._changed, self._taken = asyncio.Event(), 0
        loop = asyncio.get_running_loop()

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(self._changed.set)
            except RuntimeError:  # the loop is closed, so nobody waits
                pass

        self._process.lines.on_change = wake
        await self._greet()
        return self

    async def _started(self) -> Process:
        """Start the process in another thread; end it if the task is cancelled meanwhile."""
        started: list[Process] = []
        cancelled = False

        def start() -> None:
            started.append(self._start())
            if cancelled:
                started[0].kill()

        try:
            await asyncio.to_thread(start)
        except asyncio.CancelledError:  # the thread goes on
            cancelled = True
            for process in started:
                process.kill()
            raise
        return started[0]

    async def __aenter__(self) -> AsyncEngine:
        return await self.start()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _read(self, until: float | None) -> Stamped:
        self._taken += 1
        if self._taken % _TURN == 0:
            await asyncio.sleep(0)
        while True:
            self._changed.clear()
            try:
                stamped = self._running.lines.take(until)
            except LookupError:
                await self._wait(until)
                continue
            if stamped is None:
                raise Crash(await asyncio.to_thread(self._running.epitaph))
            return stamped

    async def _wait(self, until: float | None) -> None:
        left = None if until is None else until - time.perf_counter()
        try:
            await asyncio.wait_for(self._changed.wait(), left)
        except asyncio.TimeoutError:
            raise Stall("no answer") from None

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return work

    async def close(self, grace: float = 1.0) -> None:
        """End the engine, as Engine.close() does."""
        await asyncio.to_thread(self._end, grace)
