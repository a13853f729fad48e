"""Plyglot inside this process, for systems that can't start processes, such as a browser.

The engine carries out a command when it is sent, and searches while its owner waits for a line.
read() passes the lines of a search to its `listener` as they come.  Without a listener it returns
them after the search.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Sequence
from typing import Callable

from plyglot.__main__ import make_importable
from plyglot.command import Command, own_command
from plyglot.errors import Crash, Missing, Refusal, Stall
from plyglot.process import Listener, Process, Stamped, encoded


def _nothing_arrives(seconds: float | None) -> bool:
    return False


# look(seconds) is called during a search, so that the program can handle its own input.  It waits
# for input at most `seconds` (None: no limit), and returns False if no input can arrive any more.
# A program that has input replaces this function.
look: Callable[[float | None], bool] = _nothing_arrives


class InPlace(Process):
    """The engine inside this process, with the methods of a Process.

    command: the result of plyglot.command.own_command().  Any other command raises Missing.
    """

    def __init__(self, command: Command) -> None:
        own = own_command()
        if not isinstance(command, list) or command[: len(own)] != own:
            raise Missing("can't start another program here, only Plyglot itself")
        make_importable()
        from games import registry
        from protocol.conversation import Conversation
        from protocol.table import find
        from search.session import Session

        words = command[len(own) :]
        try:
            for where in words[1::2]:  # each word after --plugin
                registry.load_plugin(where)
        except registry.PluginError as error:
            raise Missing(f"can't load a plugin: {error}") from None
        self.closed = False
        self._unread: collections.deque[Stamped] = collections.deque()
        self._sent: collections.deque[bytes] = collections.deque()
        self._session = Session("chess")
        self._conversation = Conversation(self._session, self._take, self._next_line, find("uci"))
        self._session.worker.look = self._look
        self._until: float | None = None  # deadline of the owner's wait for a line
        self._listener: Listener | None = None
        self._failure: BaseException | None = None  # exception that the listener raised

    # ---- the engine's side -----------------------------------------------------------

    def _next_line(self, seconds: float | None) -> bytes | None:
        return self._sent.popleft() if self._sent else None

    def _take(self, *lines: str) -> None:
        """Queue lines that the engine writes, or pass them to the listener."""
        try:
            for line in lines:
                if self._listener is not None:
                    self._listener(time.perf_counter(), line)
                else:
                    self._unread.append((time.perf_counter(), line))
        except BaseException as error:  # the listener failed: read() raises its error
            self._failure = self._failure or error
            self._session.stop()

    def _look(self, seconds: float | None) -> None:
        """Carry out the lines that arrive during a search.

        seconds: the longest wait for a line; None (no limit) if only `stop` can end the search.
        """
        goes_on, until = look(seconds), self._until
        self._conversation.look(0)
        late = until is not None and time.perf_counter() > until
        if late or seconds is None and not goes_on:
            self._session.stop()

    # ---- the owner's side ------------------------------------------------------------

    def write(self, *lines: str) -> None:
        """Send lines, which are carried out at once."""
        if self.closed:
            raise self.ending()
        self._sent.extend(encoded(lines).splitlines())
        self._conversation.look(0)

    def read(self, until: float | None = None, listener: Listener | None = None) -> Stamped:
        """Return (time, line) of the next line; search until there is one.

        The line is empty if the listener has received all lines.
        Raises Refusal if a search without an end has no listener: read() would never return.
        """
        if self._unread:
            return self._unread.popleft()
        worker, self._until = self._session.worker, until
        if worker.endless and listener is None:
            raise Refusal("can't be read here during a search without a limit: use on_info")
        self._listener = listener
        worker.work()
        self._listener = None
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        if until is not None and time.perf_counter() > until:
            raise Stall("no answer in time")
        return self._unread.popleft() if self._unread else (time.perf_counter(), "")

    def drain(self) -> None:
        """Discard the unread lines."""
        self._unread.clear()

    def ending(self) -> Crash:
        """Return the error that says why the engine can't be used any more."""
        return Crash("was closed")

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the engine."""
        self.kill()

    def kill(self) -> None:
        """End the engine."""
        self.closed = True
        self._session.stop()
