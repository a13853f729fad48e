"""The lines that a process has written and nobody has read yet: few enough for the memory."""

from __future__ import annotations

import collections
import threading
import time
from typing import Callable

from plyglot.errors import Flood, Stall

LONGEST_LINE = 1 << 20  # bytes of a line that are kept
MOST_LINES = 10_000  # unread lines, ...
MOST_BYTES = 1 << 22  # ... and their bytes, beyond which the process has to wait
# A flood is written faster than PACE lines a second (long ones count more) for so long that it is
# AHEAD lines in front of that pace, without being asked for anything else meanwhile: no search
# writes that much.
PACE, AHEAD = 5_000.0, 200_000.0
_LONG = 250  # bytes that count as one line more
# Seconds of one wait: on Windows a thread that waits for a lock sees no Ctrl-C.
SLICE = 0.5

Stamped = tuple[float, str]  # when a line came, on the clock of time.perf_counter(); the line


class Lines:
    """A queue from the thread that reads a pipe to the one that wants its lines.

    on_change: called by the reading thread when there is something to take again.
    """

    def __init__(self) -> None:
        self._waiting: collections.deque[tuple[float, bytes]] = collections.deque()
        self._changed = threading.Condition()
        self._bytes = 0
        self._over = self._discarding = self._flood = False
        self._ahead, self._since = 0.0, time.perf_counter()
        self.on_change: Callable[[], None] | None = None

    # ---- the thread that reads the pipe ----------------------------------------------

    def put(self, line: bytes) -> None:
        """Add a line that came just now; waits while there are too many."""
        now = time.perf_counter()
        with self._changed:
            self._changed.wait_for(self._has_room)
            if self._discarding or self._is_flood(now, len(line)):
                return
            self._waiting.append((now, line))
            self._bytes += len(line)
            self._notify()

    def skip(self, part: bytes) -> None:
        """Forget a part of a line that is too long; a line without end is a flood, too."""
        with self._changed:
            self._is_flood(time.perf_counter(), len(part))

    def end(self) -> None:
        """No more lines come."""
        with self._changed:
            self._over = True
            self._notify()

    def _has_room(self) -> bool:
        return self._discarding or (len(self._waiting) < MOST_LINES and self._bytes < MOST_BYTES)

    def _is_flood(self, now: float, size: int) -> bool:
        passed, self._since = now - self._since, now
        self._ahead = max(self._ahead - PACE * passed, 0.0) + 1 + size // _LONG
        if self._ahead > AHEAD and not self._flood:
            self._flood = True
            self._notify()
        return self._flood

    def _notify(self) -> None:
        self._changed.notify_all()
        if self.on_change is not None:
            self.on_change()

    def expect_more(self) -> None:
        """The process was sent something: what it has written so far is no flood."""
        with self._changed:
            self._ahead = 0.0

    # ---- the thread that wants the lines ---------------------------------------------

    def get(self, until: float | None = None) -> Stamped | None:
        """The next line, None after the last; a line that came after `until` is no answer.

        Raises Stall after `until`, a moment of time.perf_counter().
        """
        with self._changed:
            while not self._is_ready():
                left = SLICE if until is None else min(until - time.perf_counter(), SLICE)
                if left <= 0:
                    raise Stall("no answer")
                self._changed.wait(left)
            return self._take(until)

    def take(self, until: float | None = None) -> Stamped | None:
        """As get(), but raises LookupError if no line is there yet."""
        with self._changed:
            if not self._is_ready():
                raise LookupError
            return self._take(until)

    def _is_ready(self) -> bool:
        return bool(self._waiting) or self._over or self._flood

    def _take(self, until: float | None) -> Stamped | None:
        if not self._waiting:
            if self._flood:
                raise Flood(f"it writes more than {PACE:,.0f} lines a second without end")
            return None
        when, raw = self._waiting[0]
        if until is not None and when > until:
            raise Stall("no answer")
        self._waiting.popleft()
        self._bytes -= len(raw)
        self._changed.notify_all()
        return when, raw.decode("utf-8", "replace").rstrip("\r\n")

    def drain(self) -> None:
        """Forget the lines that have come and were not read."""
        with self._changed:
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()

    def discard(self) -> None:
        """Forget all lines, and those to come: the process is to end and must not wait for us."""
        with self._changed:
            self._discarding = True
            self._changed.notify_all()
