"""Ends a helper with the process that started it, even while it is stopped (SIGSTOP).

A helper that runs sees the end of its input.  One that is stopped sees nothing, and
SIGHUP wakes it only if all its threads had come to a stop before.  Linux sends any
signal, SIGKILL too, to the owner of a pipe as soon as its other end is closed.
"""

from __future__ import annotations

import os
import signal


def _signals_closing() -> bool:
    """Return whether the system sends a signal of our choice when a pipe is closed."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return False
    return hasattr(fcntl, "F_SETSIG")


class Lifeline:
    """A pipe that nothing is written to; the end of this process closes it.

    inherited: the descriptors that the helper has to inherit; none if the system isn't Linux.
    """

    def __init__(self) -> None:
        self._ours: int | None = None
        self.inherited: list[int] = []
        if _signals_closing():
            theirs, self._ours = os.pipe()
            self.inherited = [theirs]

    def tie(self, pid: int) -> None:
        """End the process `pid`, which has inherited its end, as soon as ours is closed."""
        for end in self.inherited:
            import fcntl

            fcntl.fcntl(end, fcntl.F_SETOWN, pid)
            fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
            flags = fcntl.fcntl(end, fcntl.F_GETFL)
            fcntl.fcntl(end, fcntl.F_SETFL, flags | os.O_ASYNC)

    def release(self) -> None:
        """Close the helper's end here: it has been passed on, or never will be."""
        while self.inherited:
            os.close(self.inherited.pop())

    def cut(self) -> None:
        """Close our end."""
        if self._ours is not None:
            os.close(self._ours)
            self._ours = None
