"""Memory that several processes share, without a name that could be left behind.

On POSIX systems it is an object behind a file descriptor: memfd_create() on Linux,
elsewhere POSIX shared memory that is unlinked as soon as it is open.  It is freed when
the last process that has it ends, in whatever way.  The descriptor is passed over a
socket.  On Windows it is a mapping with a tag, which lives as long as a process has it
open.

Progress, in such memory, has the counters of the helpers and of the main search.  A Lifeline
ends a helper with its parent.  `messages` are what the processes tell one another.
"""

from __future__ import annotations

import errno
import os
import pickle
import signal
import socket
import struct
from mmap import mmap

from search.table import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, Union

    # What another process needs to map the memory: a file descriptor, or a tag on
    # Windows.
    Handle = Union[int, str]


BY_TAG = not hasattr(socket, "send_fds")  # Windows
_PREFIX = "plyglot"


def messages(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the pickled messages of a stream up to its end."""
    while True:
        try:
            message = pickle.load(stream)
        except (EOFError, pickle.UnpicklingError, struct.error):  # maybe in the midst of one
            return
        yield message


def new_memory(size: int) -> Handle:
    """Return the handle of new memory, `size` bytes, all 0; raise OSError if there is no room."""
    return f"{_PREFIX}-{os.getpid()}-{os.urandom(8).hex()}" if BY_TAG else _unnamed_memory(size)


def map_memory(handle: Handle, size: int) -> mmap:
    """Map `size` bytes of the memory behind a handle; raise OSError if there is no room."""
    if isinstance(handle, str):
        return mmap(-1, size, tagname=handle)  # type: ignore[call-arg]  # only on Windows
    return mmap(handle, size)


def close_handle(handle: Handle) -> None:
    """Close a handle: no other process will need it."""
    if isinstance(handle, int):
        os.close(handle)


def _unnamed_memory(size: int) -> int:
    """Return the descriptor of an unnamed memory object of `size` bytes."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(_PREFIX)  # limited only by the machine's memory
        reserve = os.ftruncate
    else:
        descriptor = _posix_memory()
        reserve = _reserve
    try:
        reserve(descriptor, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _posix_memory() -> int:
    """Return the descriptor of a new POSIX shared memory object, unlinked already."""
    try:
        import _posixshmem  # type: ignore[import-not-found]
    except ImportError:
        raise OSError(errno.ENOSYS, "this Python has no shared memory") from None
    name = f"/{_PREFIX}-{os.urandom(6).hex()}"  # macOS allows 31 characters
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    descriptor: int = _posixshmem.shm_open(name, flags, mode=0o600)
    _posixshmem.shm_unlink(name)
    return descriptor


def _reserve(descriptor: int, size: int) -> None:
    """Set the object's size, and reserve the memory if the system can.

    A file system in memory may be smaller than its files claim, and a process that uses
    more than it has is killed (SIGBUS).  On macOS the objects have no such file system.
    """
    os.ftruncate(descriptor, size)
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)


class Channel:
    """A channel that passes handles to another process: `send` here, `receive` there.

    Each handle belongs to a line of text that the processes exchange elsewhere: `send`
    returns the text that the line has to contain, and `receive` takes it.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        """descriptor: of the socket; None if handles are tags."""
        self._socket = None if descriptor is None else socket.socket(fileno=descriptor)

    def send(self, handle: Handle) -> str | None:
        """Pass a handle on; raise OSError if nobody takes it."""
        if isinstance(handle, str):
            return handle
        assert self._socket is not None
        socket.send_fds(self._socket, [b"."], [handle])
        return None

    def receive(self, line: str | None) -> Handle:
        """Return the next handle.  line: what `send` returned."""
        if line is not None:
            return line
        assert self._socket is not None
        _, descriptors, _, _ = socket.recv_fds(self._socket, 1, 1)
        return descriptors[0]

    def close(self) -> None:
        """Close the channel."""
        if self._socket is not None:
            self._socket.close()


def channel_pair() -> tuple[Channel, socket.socket | None]:
    """Return (our Channel, the socket for the other process's; None if handles are tags)."""
    if BY_TAG:
        return Channel(), None
    ours, theirs = socket.socketpair()
    ours.setblocking(False)  # don't wait for a process that doesn't read
    return Channel(ours.detach()), theirs


# ---- the end of the parent -----------------------------------------------------------


def _signals_closing() -> bool:
    """Can the system send a signal of our choice when a pipe is closed?"""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return False
    return hasattr(fcntl, "F_SETSIG")


class Lifeline:
    """A pipe without data that ends a helper with this process, even while it is stopped (SIGSTOP).

    A running helper notices the end of its input.  A stopped one doesn't, and SIGHUP wakes it
    only if all its threads had already stopped.  Linux sends any signal, even SIGKILL, to
    the owner of a pipe as soon as its other end is closed.
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


# ---- progress ------------------------------------------------------------------------


# The words of each process: nodes visited, depth begun; for the last finished iteration, the
# depth with the best move, and the score.  Each includes the number of its job.
NODES, DEPTH, FINISHED, SCORE, _WORDS = 0, 1, 2, 3, 4
MOVE_BITS = 20
JOB_SHIFT = 44
_MOST_PROCESSES = 4096
# Size of the words of all processes, in bytes.
SIZE = _MOST_PROCESSES * _WORDS * 8


class Progress:
    """The progress of each process of a team with its job, in shared memory.

    memory: a function from a number of bytes to an mmap.
    """

    def __init__(self, memory: Callable[[int], mmap]) -> None:
        self._shared = Words(_MOST_PROCESSES * _WORDS, 1, memory)  # keeps the memory open
        self._words = self._shared.parts[0]

    def write(self, number: int, what: int, job: int, value: int) -> None:
        """Write a counter of a process.

        number: 0 for the main search, from 1 for helpers.  what: a counter like NODES.
        """
        self._words[number * _WORDS + what] = job << JOB_SHIFT | value

    def read(self, number: int, what: int, job: int) -> int:
        """Return the last value written; 0 if that was for another job."""
        word = self._words[number * _WORDS + what]
        return word & (1 << JOB_SHIFT) - 1 if word >> JOB_SHIFT == job else 0
