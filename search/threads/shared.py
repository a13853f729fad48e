"""Memory that several processes share, and that disappears when the last of them ends.

On POSIX systems it is an object behind a file descriptor that the helpers inherit:
memfd_create() on Linux, elsewhere POSIX shared memory that is unlinked as soon as it is open.  It
is freed when the last process that uses it ends, even in a crash.  On Windows it is a mapping with
a tag, which lives as long as a process has it open.

`messages` reads what the processes send each other.
"""

from __future__ import annotations

import errno
import mmap
import os
import pickle
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any, Union

    # What another process needs to map the memory: a file descriptor, or a tag on
    # Windows.
    Handle = Union[int, str]

# The table of the helpers' node counts.  Each helper has a word: the number of its job, shifted by
# JOB_SHIFT, plus the nodes that it has visited in this job.
COUNTS, JOB_SHIFT = "counts", 44

_BY_TAG = not hasattr(os, "fork")  # true on Windows
_PREFIX = "plyglot"
_CHUNK = 1 << 20  # bytes per write, if the system doesn't clear new memory itself


def messages(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the pickled messages of a stream up to its end."""
    while True:
        try:
            message = pickle.load(stream)
        except (EOFError, pickle.UnpicklingError, struct.error):  # the end, maybe within a message
            return
        yield message


class SharedMemory:
    """A block of memory, all 0 at first, of which each process maps the parts that it needs.

    size: in bytes.  handle: the handle of another process's block; None makes a new block.
    Raises OSError if there is no room.
    """

    _is_creator = False

    def __init__(self, size: int, handle: Handle | None = None) -> None:
        self.size = size
        self.handle: Handle = _new_block(size) if handle is None else handle
        self._is_creator = handle is None
        # The creator keeps the whole block mapped, since on Windows an unmapped block is freed.
        self._whole = self.map(0, size) if self._is_creator else None

    def map(self, start: int, size: int) -> mmap.mmap:
        """Return a mapping of `size` bytes from `start`, a multiple of ALLOCATIONGRANULARITY."""
        if isinstance(self.handle, str):
            tag = self.handle
            return mmap.mmap(-1, size, tagname=tag, offset=start)  # type: ignore[call-arg]  # Windows
        return mmap.mmap(self.handle, size, offset=start)

    def clear(self) -> None:
        """Zero all bytes; only the memory's creator can do so."""
        assert self._whole is not None
        try:
            # On Linux this is fast, however large the block is.  Other systems can't do it.
            self._whole.madvise(mmap.MADV_REMOVE)
        except (AttributeError, OSError):
            for begin in range(0, self.size, _CHUNK):
                size = min(_CHUNK, self.size - begin)
                self._whole[begin : begin + size] = bytes(size)

    def __del__(self) -> None:
        """Close the creator's descriptor, now that no search can map a part any more."""
        if self._is_creator and isinstance(self.handle, int):
            os.close(self.handle)


def _new_block(size: int) -> Handle:
    """Return the handle of a new block of `size` bytes: a tag on Windows, else a descriptor."""
    if _BY_TAG:
        return f"{_PREFIX}-{os.getpid()}-{os.urandom(8).hex()}"
    is_unlimited = hasattr(os, "memfd_create")  # only the machine's memory limits such a block
    descriptor = os.memfd_create(_PREFIX) if is_unlimited else _posix_memory()
    try:
        os.ftruncate(descriptor, size)
        if not is_unlimited and hasattr(os, "posix_fallocate"):
            # A file system in memory may be smaller than its files claim, and a process that
            # writes beyond its size is killed (SIGBUS).  macOS has no such file system.
            os.posix_fallocate(descriptor, 0, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _posix_memory() -> int:
    """Return the descriptor of a new POSIX shared memory object, unlinked already."""
    try:
        import _posixshmem  # type: ignore[import-not-found]
    except ImportError:
        raise OSError(errno.ENOSYS, "this Python can't share memory between processes") from None
    name = f"/{_PREFIX}-{os.urandom(6).hex()}"  # macOS allows 31 characters
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    descriptor: int = _posixshmem.shm_open(name, flags, mode=0o600)
    _posixshmem.shm_unlink(name)
    return descriptor


def rounded(size: int) -> int:
    """Return the next multiple of ALLOCATIONGRANULARITY."""
    return -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
