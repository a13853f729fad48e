"""Programs whose front end is JavaScript that sends and receives messages (scripts/web/plyglot.js).

A program is a function start(post, read) that returns an object with a method run().
post(text) sends a message.  read(seconds) returns bytes: the next message with a line feed, b""
after the last one, or None if none arrives within `seconds` (None: no limit).

In a browser that can neither suspend Python nor share memory with it, messages arrive only while
Python has returned to JavaScript.  Then read() raises `Idle` instead of waiting, and run() is
called again for the next message.  If the program has a method block(), it is called once at the
start in such a browser.
"""

from __future__ import annotations

from importlib import import_module
from time import perf_counter

from protocol.conversation import Conversation
from protocol.wire import Lines
from search.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from protocol.wire import Read

    Post = Callable[[str], object]
    Take = Callable[[float | None], str | None]
    Start = Callable[[Post, Read], Any]

# Minimum number of seconds between two checks for messages, since each check is slow.
_LOOK = 0.03


class Idle(BaseException):
    """Raised by read() if Python has to return to JavaScript to get a message."""


def engine(post: Post, read: Read) -> Conversation:
    """Start an engine whose front end sends its lines as messages."""

    def write(*lines: str) -> None:
        for line in lines:
            post(line.encode("utf-8", "replace").decode())

    session = Session()
    conversation = Conversation(session, write, Lines(read), None)
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
        If `wait` is None, take() itself waits, unless `blocks` is true.
    blocks: do messages arrive only while Python doesn't run?
    """

    def __init__(self, start: Start, post: Post, take: Take, wait: Any, blocks: bool) -> None:
        self._take = take
        self._wait = wait
        self._blocks = blocks
        self._next = 0.0  # when to look for messages again
        self._program = start(post, self._read)
        if blocks and hasattr(self._program, "block"):
            self._program.block()

    def run(self) -> bool:
        """Run until the program ends or waits for a message; return whether it has ended."""
        try:
            self._program.run()
        except Idle:
            return False
        return True

    def _read(self, seconds: float | None) -> bytes | None:
        if seconds == 0 and perf_counter() < self._next:
            return None
        self._next = perf_counter() + _LOOK
        message = self._take(seconds)
        if message is None and self._wait is not None:
            from pyodide.ffi import run_sync  # type: ignore[import-not-found]

            run_sync(self._wait(seconds))
            message = self._take(seconds)
        if message is None:
            if self._blocks and seconds != 0:
                raise Idle
            return None
        return message.encode("utf-8", "surrogatepass") + b"\n" if message else b""
