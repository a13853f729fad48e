"""Did this process, or its machine, stand still?  Then no engine is to blame for being late."""

from __future__ import annotations

import threading
import time

BEAT = 0.1  # seconds from one look at the clocks to the next
STILL = 1.0  # seconds beyond it that are no delay of a busy machine any more


class Pulse:
    """A context manager: looks at two clocks again and again while a game is played.

    A process that was stopped (SIGSTOP) sees a gap on both clocks; on a machine that was
    suspended the calendar's clock has gone on while the other one may have stood.
    """

    def __init__(self) -> None:
        self._still, self._ended = 0.0, threading.Event()
        self._last = time.monotonic(), time.time()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._look()
        self._ended.set()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            self._look()

    def _look(self) -> None:
        with self._lock:
            now = time.monotonic(), time.time()
            gap = max(after - before for before, after in zip(self._last, now)) - BEAT
            self._last = now
            if gap > STILL:
                self._still += gap

    def stood_still(self) -> float:
        """Return the seconds for which nothing ran here, 0 if something always did."""
        return self._still
