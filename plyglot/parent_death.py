"""A pipe without data that kills a process when its parent dies.

If a parent is killed (SIGKILL), a child that reads its input sees the end of it and can exit.  A
child that is stopped or ignores its input would live on.  On Linux the
closing of one end of a pipe can send a signal, even SIGKILL, to the process at the other end.  That
works however the parent ended.  Other systems have no such pipe.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class ParentDeathPipe:
    """A pipe from this process to a process that it starts.

    inherited: the descriptors that the new process has to inherit.
    """

    def __init__(self) -> None:
        self.inherited: tuple[int, ...] = ()
        self._ours: int | None = None
        if hasattr(fcntl, "F_SETSIG"):
            with suppress(OSError):  # no descriptor is free
                theirs, self._ours = os.pipe()
                self.inherited = (theirs,)

    def kill_with_parent(self, pid: int) -> None:
        """Arrange that closing our end kills a process, or a process group if `pid` is negative.

        Call it once the process has started, since it has then inherited its end of the pipe.
        """
        for end in self.inherited:
            with suppress(OSError):  # the process has ended already
                fcntl.fcntl(end, fcntl.F_SETOWN, pid)
                fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
                fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
            os.close(end)
        self.inherited = ()

    def close(self) -> None:
        """Close our end of the pipe; this kills the process if it still holds its own end."""
        for end in self.inherited if self._ours is None else (*self.inherited, self._ours):
            os.close(end)
        self.inherited, self._ours = (), None
