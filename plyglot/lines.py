"""A bounded queue of the lines that a process has written."""

from __future__ import annotations

import collections
import threading
import time

from plyglot.errors import Stall

LONGEST_LINE = 1 << 20  # bytes of a line to keep; the rest is skipped
# Maximum number of unread lines, and of bytes in them; a process that writes more has to wait.
MAX_LINES = 10_000
MAX_BYTES = 1 << 22
# Longest single wait, in seconds: on Windows Ctrl-C doesn't interrupt a thread that waits for
# a lock.
SLICE = 0.5

Stamped = tuple[float, str]  # (time of arrival on time.perf_counter()'s clock, line)


class LineQueue:
    """A queue from the thread that reads a pipe to the thread that uses the lines."""

    def __init__(self) -> None:
        self._waiting: collections.deque[tuple[float, bytes]] = collections.deque()
        self._changed = threading.Condition()
        self._bytes = 0
        self._over = False

    # ---- the thread that reads the pipe ----------------------------------------------

    def put(self, line: bytes) -> None:
        """Add a line that has just arrived; wait while the queue is full.

        A line that arrives after the end is discarded.
        """
        now = time.perf_counter()
        with self._changed:
            self._changed.wait_for(self._has_room)
            if self._over:
                return
            self._waiting.append((now, line))
            self._bytes += len(line)
            self._changed.notify_all()

    def end(self) -> None:
        """Mark the end of the output: later lines are discarded, and nobody waits any longer."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._over or len(self._waiting) < MAX_LINES and self._bytes < MAX_BYTES

    # ---- the thread that uses the lines ----------------------------------------------

    def get(self, until: float | None = None) -> Stamped | None:
        """Wait for the next line and return it, None after the last one.

        until: deadline on time.perf_counter()'s clock.  Raises Stall if no line has arrived
        by then.
        """
        with self._changed:
            while not (self._waiting or self._over):
                wait = SLICE if until is None else min(until - time.perf_counter(), SLICE)
                if wait <= 0:
                    raise Stall("no answer in time")
                self._changed.wait(wait)
            if not self._waiting:
                return None
            when, raw = self._waiting[0]
            if until is not None and when > until:
                raise Stall("no answer in time")
            self._waiting.popleft()
            self._bytes -= len(raw)
            self._changed.notify_all()
        return when, raw.decode("utf-8", "replace").rstrip("\r\n")

    def drain(self) -> None:
        """Discard the unread lines."""
        with self._changed:
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()
