"""Memory that several processes share, without a name that could be left behind.

Where there are file descriptors it is a file that no folder holds: it goes with the
last process that has it, however that ends.  The descriptor is passed over a socket.
On Windows it is a mapping with a tag, which lives as long as some process has it
open.
"""
from __future__ import annotations

import os
import socket
import sys
from mmap import mmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, Union

    # What another process needs to map the memory: a file descriptor, or a tag on
    # Windows.
    Handle = Union[int, str]

    class _File(Protocol):
        def fileno(self) -> int: ...
        def close(self) -> None: ...

BY_TAG = sys.platform == "win32"
_PREFIX = "plyglot"


class SharedMemory:
    """`size` bytes, all 0 at first.

    handle: what another process needs to map them.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._file: _File | None = None
        self.handle: Handle
        if BY_TAG:
            self.handle = f"{_PREFIX}-{os.getpid()}-{os.urandom(8).hex()}"
        else:
            self._file = _unnamed_file()
            self.handle = self._file.fileno()
            os.ftruncate(self.handle, size)

    def map(self) -> mmap:
        """The bytes as this process sees them."""
        return map_memory(self.handle, self._size)

    def close(self) -> None:
        """No other process will be given them."""
        if self._file is not None:
            self._file.close()


def map_memory(handle: Handle, size: int) -> mmap:
    """`size` bytes of the memory behind a handle; OSError where there is no room for them."""
    if sys.platform == "win32":
        return mmap(-1, size, tagname=str(handle))
    assert isinstance(handle, int)
    return mmap(handle, size)


def close_handle(handle: Handle) -> None:
    """A handle that a Channel received is used no more."""
    if isinstance(handle, int):
        os.close(handle)


def _unnamed_file() -> _File:
    """A file of no folder; in memory where the system has such."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(_PREFIX), "r+b", buffering=0)
    from tempfile import TemporaryFile

    return TemporaryFile(buffering=0)


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
    ours.setblocking(False)     # a process that takes nothing is given up, not waited for
    return Channel(ours.detach()), theirs
