"""Programs whose front end is JavaScript that sends and receives messages (scripts/web/plyglot.js).

A program is a function start(post, read) that returns an object with a method run().
post(text) sends a message.  read(seconds) returns bytes: the next message with a line feed, b""
after the last one, or None if none arrives within `seconds` (None: no limit).  If JavaScript can
only run after Python has returned, read() raises `Suspended`, and run() is called again.
"""

from __future__ import annotations

from importlib import import_module
from time import perf_counter

from protocol.conversation import Conversation
from protocol.wire import Lines
from search.job import Suspended
from search.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from protocol.wire import Read

    Post = Callable[[str], object]
    Take = Callable[[float | None], str | None]
    Start = Callable[[Post, Read], Any]

# _LOOK: seconds between two looks for messages, since each look is slow.  _SLICE: seconds after
# which Python returns to let JavaScript run.
_LOOK, _SLICE = 0.03, 0.2


def engine(post: Post, read: Read) -> Conversation:
    """Start an engine whose front end sends its lines as messages."""

    def write(*lines: str) -> None:
        for line in lines:
            post(line.encode("utf-8", "replace").decode())

    session = Session()
    conversation = Conversation(session, write, Lines(read))
    session.worker.look = conversation.look
    return conversation


def find(place: str) -> Start | None:
    """Return the function named by `place` ("module:function"), or None if it doesn't exist."""
    module, _, function = place.partition(":")
    try:
        return getattr(import_module(module), function, None)
    except (ImportError, ValueError):  # ValueError: the module's name is empty
        return None


class Program:
    """A program as JavaScript runs it.

    start: its function start(post, read).
    take(seconds): returns the next message, "" after the last one, None if there is none yet.
    wait(seconds): returns a promise of a message, and Python is suspended until the message comes.
        If `wait` is None, take() itself waits, unless `sliced`.
    sliced: must run() return to JavaScript from time to time?
    """

    def __init__(self, start: Start, post: Post, take: Take, wait: Any, sliced: bool) -> None:
        self._take, self._wait, self._sliced = take, wait, sliced
        self._next = 0.0  # when to look for messages again or, if sliced, to return
        self._program = start(post, self._read)

    def run(self) -> str:
        """Run on until the program ends or Python has to return to JavaScript.

        Return "over", "waits" (for a message) or "turns" (it is JavaScript's turn).
        """
        self._next = perf_counter() + _SLICE
        try:
            self._program.run()
        except Suspended as suspended:
            return "waits" if suspended.waits else "turns"
        return "over"

    def _read(self, seconds: float | None) -> bytes | None:
        if seconds == 0 and perf_counter() < self._next:
            return None
        if not self._sliced:
            self._next = perf_counter() + _LOOK
        message = self._take(seconds)
        if message is None and self._wait is not None:
            from pyodide.ffi import run_sync  # type: ignore[import-not-found]

            run_sync(self._wait(seconds))
            message = self._take(seconds)
        if message is None:
            if self._sliced:
                raise Suspended(waits=seconds != 0)
            return None
        return message.encode("utf-8", "surrogatepass") + b"\n" if message else b""
