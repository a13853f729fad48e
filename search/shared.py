"""Memory that several processes have, without a name that could be left behind.

Where there are file descriptors it is a file that no folder holds: gone with the last process that has it, however that
ends.  Its descriptor is handed over a socket.  On Windows it is a mapping with a tag, which lives as long as somebody
has it open.
"""
from __future__ import annotations

import os
import socket
import sys
from mmap import mmap

BY_TAG = sys.platform == "win32"
_PREFIX = "plyglot"


class Memory:
    """So many bytes, all 0: `map()` maps them here, `place` is what the other process needs to do so.

    place: a file descriptor, or on Windows a tag.
    """

    def __init__(self, size):
        self._size = size
        if BY_TAG:
            self.place = f"{_PREFIX}-{os.getpid()}-{os.urandom(8).hex()}"
            self._file = None
        else:
            self._file = _nameless_file()
            os.ftruncate(self._file.fileno(), size)
            self.place = self._file.fileno()

    def map(self):
        """An mmap of them."""
        return mapped(self.place, self._size)

    def close(self):
        """Nobody else will be told of them."""
        if self._file is not None:
            self._file.close()


def mapped(place, size):
    """An mmap of the bytes at a `place` (see Memory)."""
    if BY_TAG:
        return mmap(-1, size, tagname=place)
    return mmap(place, size)


def _nameless_file():
    """A file of no folder; in memory where the system has such."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(_PREFIX), "r+b", buffering=0)
    from tempfile import TemporaryFile

    return TemporaryFile(buffering=0)


class Door:
    """Where one process hands memory over to another: `send` on one side, `receive` on the other."""

    def __init__(self, channel=None):
        """channel: the socket's descriptor; None where places are tags."""
        self._socket = None if BY_TAG else socket.socket(fileno=channel)

    def send(self, place):
        """What the line has to say that tells of the memory, once it has been handed over."""
        if BY_TAG:
            return place
        socket.send_fds(self._socket, [b"."], [place])
        return None

    def receive(self, told):
        """The place; told: what the line said."""
        if BY_TAG:
            return told
        _, descriptors, _, _ = socket.recv_fds(self._socket, 1, 1)
        return descriptors[0]

    def close(self):
        """It is used no more."""
        if self._socket is not None:
            self._socket.close()


def doors():
    """(our Door, what the other process makes its Door of)."""
    if BY_TAG:
        return Door(), None
    ours, theirs = socket.socketpair()
    ours.setblocking(False)     # a process that takes nothing is given up, not waited for
    return Door(ours.detach()), theirs
