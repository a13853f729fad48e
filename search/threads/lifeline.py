"""A pipe that ends a helper with its parent process, even while it is stopped (SIGSTOP).

A running helper notices the end of its input.  A stopped one doesn't, and SIGHUP wakes it
only if all its threads had already stopped.  Linux sends any signal, even SIGKILL, to
the owner of a pipe as soon as its other end is closed.
"""

from __future__ import annotations

import os
import signal


def _signals_closing() -> bool:
    """Can the system send a signal of our choice when a pipe is closed?"""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return False
    return hasattr(fcntl, "F_SETSIG")


class Lifeline:
    """A pipe without data, closed when this process ends.

    inherited: the descriptors that the helper has to inherit; none if the system isn't Linux.
    """

    def __init__(self) -> None:
        self._ours: int | None = None
        self.inherited: list[int] = []
        if _signals_closing():
            theirs, self._ours = os.pipe()
            self.inherited = [theirs]

    def tie(self, pid: int) -> None:
        """Have process `pid`, which inherited its end, killed as soon as our end is closed."""
        for end in self.inherited:
            import fcntl

            fcntl.fcntl(end, fcntl.F_SETOWN, pid)
            fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
            flags = fcntl.fcntl(end, fcntl.F_GETFL)
            fcntl.fcntl(end, fcntl.F_SETFL, flags | os.O_ASYNC)

    def release(self) -> None:
        """Close our copy of the helper's end: it was inherited, or never will be."""
        while self.inherited:
            os.close(self.inherited.pop())

    def cut(self) -> None:
        """Close our end."""
        if self._ours is not None:
            os.close(self._ours)
            self._ours = None
