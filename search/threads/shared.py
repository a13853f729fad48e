"""Memory that several processes share, without a name that could be left behind.

On POSIX systems it is an object in memory behind a file descriptor: memfd_create() on
Linux, elsewhere POSIX shared memory that is unlinked as soon as it is open.  It goes
with the last process that has it, however that ends.  The descriptor is passed over a
socket.  On Windows it is a mapping with a tag, which lives as long as some process has
it open.
"""

from __future__ import annotations

import errno
import os
import socket
from mmap import mmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    # What another process needs to map the memory: a file descriptor, or a tag on
    # Windows.
    Handle = Union[int, str]

BY_TAG = not hasattr(socket, "send_fds")  # Windows
_PREFIX = "plyglot"


class SharedMemory:
    """`size` bytes, all 0 at first.

    handle: what another process needs to map them.
    Raises OSError if the system has no room for them.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._descriptor: int | None = None
        self.handle: Handle
        if BY_TAG:
            self.handle = f"{_PREFIX}-{os.getpid()}-{os.urandom(8).hex()}"
        else:
            self.handle = self._descriptor = _unnamed_memory(size)

    def map(self) -> mmap:
        """The bytes as this process sees them."""
        return map_memory(self.handle, self._size)

    def close(self) -> None:
        """No other process will be given them."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def map_memory(handle: Handle, size: int) -> mmap:
    """`size` bytes of the memory behind a handle; OSError where there is no room for them."""
    if isinstance(handle, str):
        return mmap(-1, size, tagname=handle)  # type: ignore[call-arg]  # Windows alone
    return mmap(handle, size)


def close_handle(handle: Handle) -> None:
    """A handle that a Channel received is used no more."""
    if isinstance(handle, int):
        os.close(handle)


def _unnamed_memory(size: int) -> int:
    """Return the descriptor of an object in memory that has `size` bytes and no name any more."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(_PREFIX)  # limited only by the memory of the machine
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
    """Give the object its size, with room for all of it if the system can promise that.

    A file system in memory may be smaller than its files claim; using more than it has
    ends the process (SIGBUS).  macOS has no such file system behind its objects.
    """
    os.ftruncate(descriptor, size)
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)


class Channel:
    """Passes handles from one process to another: `send` on one side, `receive` on the other.

    Each handle goes with a line of text that the processes exchange elsewhere: `send`
    returns what that line has to contain, and `receive` is told it.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        """descriptor: of the socket; None where handles are tags."""
        self._socket = None if descriptor is None else socket.socket(fileno=descriptor)

    def send(self, handle: Handle) -> str | None:
        """Pass a handle on; OSError where nobody takes it."""
        if isinstance(handle, str):
            return handle
        assert self._socket is not None
        socket.send_fds(self._socket, [b"."], [handle])
        return None

    def receive(self, line: str | None) -> Handle:
        """The next handle.  line: what `send` returned."""
        if line is not None:
            return line
        assert self._socket is not None
        _, descriptors, _, _ = socket.recv_fds(self._socket, 1, 1)
        return descriptors[0]

    def close(self) -> None:
        """Nothing more will be passed."""
        if self._socket is not None:
            self._socket.close()


def channel_pair() -> tuple[Channel, socket.socket | None]:
    """(our Channel, the socket of the other process's; None where handles are tags)."""
    if BY_TAG:
        return Channel(), None
    ours, theirs = socket.socketpair()
    ours.setblocking(False)  # a process that takes nothing is given up, not waited for
    return Channel(ours.detach()), theirs
