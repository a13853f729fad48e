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
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from plyglot.client import BaseEngine, Search
from plyglot.errors import Crash, Missing, Refusal, Stall
from plyglot.infos import Info, Result
from plyglot.lines import Stamped


class AsyncSearch(Search):
    """A running search: iterate over its Infos, stop() it, await wait() for its Result.

    Cancelling a task that waits for the search stops the search.
    """

    async def __aenter__(self) -> AsyncSearch:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while self.running:
            info = await self._engine._do(self._next_event())
            if info is not None:
                yield info

    async def wait(self, on_info: Callable[[Info], object] | None = None) -> Result:
        """Await the end of the search and return its Result.

        on_info: called with each Info when it arrives.
        """
        result: Result = await self._engine._do(self._end(on_info))
        return result


class AsyncEngine(
    BaseEngine[
        Coroutine[Any, Any, None], Coroutine[Any, Any, AsyncSearch], Coroutine[Any, Any, Result]
    ]
):
    """A running engine for asyncio; start it with `async with` or start().

    It takes the arguments of Engine.  Only one task at a time may use it, in the event loop that
    started it; other uses raise Refusal.  The exceptions are close(), and stop() and ponderhit() of
    the running search: any task may call these.  Cancelling a task that waits for go() stops the
    search.
    """

    _kind = AsyncSearch
    _loop: asyncio.AbstractEventLoop | None = None
    _user: asyncio.Task[Any] | None = None  # the task that uses the engine

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

    async def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Await `work`; raise Refusal if another task or event loop uses the engine."""
        with contextlib.closing(work):
            if self._loop not in (None, asyncio.get_running_loop()):
                raise Refusal("belongs to another event loop")
            task, user = asyncio.current_task(), self._user
            if user not in (None, task):
                raise Refusal("is in use by another task")
            self._user = task
            try:
                return await work
            finally:
                self._user = user

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
                raise Crash(await asyncio.to_thread(self.process.epitaph))
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
