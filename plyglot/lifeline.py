"""A lifeline: a pipe without data whose owner's end kills a process.

A program ends when its input ends only if it reads it: a stopped or stubborn one would outlive
an owner that is killed (SIGKILL).  Linux sends any signal, even SIGKILL, to the owner of a
pipe's end as soon as the other end is closed, and so ends it however its owner ended.  Other
systems have no lifeline.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Lifeline:
    """A lifeline from this process to one that it starts.

    inherited: the descriptors that the new process has to inherit.
    """

    def __init__(self) -> None:
        self.inherited: tuple[int, ...] = ()
        self._ours: int | None = None
        if hasattr(fcntl, "F_SETSIG"):
            with suppress(OSError):  # no descriptor is free
                theirs, self._ours = os.pipe()
                self.inherited = (theirs,)

    def tie(self, pid: int) -> None:
        """Have a process, or a group if `pid` is negative, killed once our end is closed.

        Called when the process has inherited its end, or never will.
        """
        for end in self.inherited:
            with suppress(OSError):  # it has ended already
                fcntl.fcntl(end, fcntl.F_SETOWN, pid)
                fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
                fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
            os.close(end)
        self.inherited = ()

    def cut(self) -> None:
        """Close our end, which kills the process if it still has the other one."""
        for end in self.inherited if self._ours is None else (*self.inherited, self._ours):
            os.close(end)
        self.inherited, self._ours = (), None
