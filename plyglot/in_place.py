"""Plyglot inside this process, for systems that can't start another one, such as a browser.

The engine carries out a command when it is sent, and searches while its owner waits for a line.
A `listener` gets the lines of a search as they come; without one, read() returns them after the
search.  An endless search is suspended until its lines are read.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Callable

from plyglot.__main__ import make_importable
from plyglot.command import Command, own_command
from plyglot.errors import Crash, Missing, Stall
from plyglot.lines import Lines, Stamped
from plyglot.process import Process


def _nothing_arrives(seconds: float | None) -> bool:
    return False


# look(seconds) is called during a search, so that the program can handle its own input.  It waits
# for input at most `seconds` (None: no limit) and returns False if none will come.  A program that
# has input replaces this function.
look: Callable[[float | None], bool] = _nothing_arrives
_SLICE = 0.2  # seconds after which an endless search is suspended until its lines are read


class InPlace(Process):
    """The engine inside this process, with the methods of a Process.

    command: the result of plyglot.command.own_command().  Any other command raises Missing.
    """

    def __init__(self, command: Command) -> None:
        self.command, own = [*command], own_command()
        if isinstance(command, str) or self.command[: len(own)] != own:
            raise Missing("can't start another program here: only Plyglot itself")
        make_importable()
        from games import registry
        from protocol.conversation import Conversation
        from protocol.table import find
        from search.session import Session

        words = self.command[len(own) :]
        for where in words[1::2]:  # after --plugin
            registry.load_plugin(where)
        self.lines, self.closed = Lines(), False
        self._sent: collections.deque[bytes] = collections.deque()
        self._session = Session("chess")
        write: Any = self._take
        self._conversation = Conversation(self._session, write, self._next_line, find("uci"))
        self._session.worker.look = self._look
        self._until: float | None = None  # deadline of the owner's wait for a line
        self._begun = 0.0  # when the search began, or was resumed
        self._unread = False  # has the search written a line since `_begun`?
        self._failure: BaseException | None = None  # exception that the listener raised

    # ---- the engine's side -----------------------------------------------------------

    def _next_line(self, seconds: float | None) -> bytes | None:
        return self._sent.popleft() if self._sent else None

    def _take(self, *lines: str) -> None:
        """Queue lines that the engine writes, or pass them to the listener."""
        try:
            for line in lines:
                if self.listener is not None:
                    self.listener(time.perf_counter(), line)
                else:
                    self.lines.put(line.encode())
                    self._unread = True
        except BaseException as error:  # an error of the listener, which read() raises
            self._failure = self._failure or error
            self._session.stop()

    def _look(self, seconds: float | None) -> None:
        """Carry out the lines that arrive during a search.

        seconds: the longest wait for a line; None if the search only waits to be stopped."""
        from search.job import Suspended

        goes_on, session, now = look(seconds), self._session, time.perf_counter()
        self._conversation.look(0)
        late = self._until is not None and now > self._until
        if late or seconds is None and not goes_on:
            session.stop()
        elif self._unread and session.worker.endless and now - self._begun > _SLICE:
            raise Suspended(waits=False)

    # ---- the owner's side ------------------------------------------------------------

    def write(self, *lines: str) -> None:
        """Send lines, which are carried out at once."""
        if self.closed:
            raise Crash(self.epitaph())
        self._sent.extend(line.encode("utf-8", "surrogateescape") for line in lines)
        self._conversation.look(0)

    def read(self, until: float | None = None) -> Stamped:
        """Return (time, line) of the next line; search until there is one.

        The line is empty if the listener has received all lines.
        """
        from search.job import Suspended

        with suppress(LookupError):
            return self._taken()
        self._until, self._begun, self._unread = until, time.perf_counter(), False
        with suppress(Suspended):
            self._session.worker.work()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        if until is not None and time.perf_counter() > until:
            raise Stall("no answer in time")
        with suppress(LookupError):
            return self._taken()
        return time.perf_counter(), ""

    def _taken(self) -> Stamped:
        stamped = self.lines.take()
        assert stamped is not None
        return stamped

    def epitaph(self) -> str:
        """Return a description of the engine's end."""
        return "was closed"

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the engine."""
        self.kill()

    def kill(self) -> None:
        """End the engine."""
        if not self.closed:
            self.closed = True
            self._session.stop()
