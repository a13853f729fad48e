"""Detection of pauses of this process or its machine, for which no engine is to blame."""

from __future__ import annotations

import threading
import time

BEAT = 0.1  # seconds between two looks at the clocks
STILL = 1.0  # seconds beyond it that count as a pause, more than a busy machine's delay


class Pulse:
    """A context manager that watches two clocks during a game.

    stood_still: the seconds for which this process was paused, 0 if it never was.

    After a stop of the process (SIGSTOP) there is a gap on both; after a suspension of the
    machine the wall clock has advanced, but the monotonic one may not have.
    """

    def __init__(self) -> None:
        self.stood_still, self._ended = 0.0, threading.Event()
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
                self.stood_still += gap
