"""The lock of a record: a file beside it, NAME.lock, that names the process that writes it.

If the system has process locks (fcntl), they are used: the lock ends with its process, and a
lock file that was left behind has no effect.  Otherwise the file itself is the lock, owned by
its creator; it is stale if its process has ended, as far as this machine can tell.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pathlib
import re
import socket
import time

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]  # a module elsewhere

_TAKEN = (errno.EACCES, errno.EAGAIN)
_OWNER = re.compile(rb"process \d+ on \S+, since ")
_BEGUN, _UNKNOWN = "a process that has just begun", "another process"
_LONGEST = 500  # bytes of a lock file
_PAUSE = 0.02  # seconds between two attempts if it vanishes
_TRIES = 10  # attempts, since a lock may vanish while we look at it
_POSIX = os.name == "posix"  # Windows can't remove open files or probe processes


class Taken(Exception):
    """Another process has the lock; the message says which."""


class Lock:
    """The lock of the file at `path`, held until it is released.

    Raises Taken if another process has it, OSError if it can't be taken.

    by_system: whether to use the system's locks, if there are any.
    """

    def __init__(self, path: str | os.PathLike[str], by_system: bool = True) -> None:
        path = pathlib.Path(path).resolve()
        self.path = path.with_name(path.name + ".lock")
        take = self._take if fcntl and by_system else self._make
        for _ in range(_TRIES):
            self._file = take()
            if self._file is not None:
                break
        else:
            raise Taken(f"short-lived processes ({self.path})")
        try:
            self._check_content()
            os.ftruncate(self._file, 0)
            os.write(self._file, _who().encode())
        except OSError:
            self.release()
            raise

    def _check_content(self) -> None:
        """Raise FileExistsError if the file is not a lock but a user's own file."""
        found = os.read(self._file or 0, _LONGEST)
        if found and not _OWNER.match(found):
            file, self._file = self._file, None
            os.close(file or 0)
            raise self._in_the_way()

    def _in_the_way(self) -> FileExistsError:
        words = f"{self.path} exists and is not a lock of this program"
        return FileExistsError(errno.EEXIST, words, str(self.path))

    def _take(self) -> int | None:
        """Return the lock file, locked by the system; None if it vanished meanwhile."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self.path.exists() and os.path.samestat(os.fstat(file), os.stat(self.path)):
                return file
        except FileNotFoundError:  # vanished between two looks
            pass
        except OSError as error:
            words = self._owner()
            os.close(file)
            raise Taken(words) if error.errno in _TAKEN else error from None
        os.close(file)
        return None

    def _make(self) -> int | None:
        """Return the lock file that we created; None after removing a stale one."""
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            words = self._owner()
            if not (_OWNER.match(words.encode()) or words in (_BEGUN, _UNKNOWN)):
                raise self._in_the_way() from None
        except PermissionError:
            if _POSIX:
                raise
            time.sleep(_PAUSE)  # Windows is about to remove it
            return None
        if not _is_left_behind(self.path, words):
            raise Taken(words + f"; if that has ended, remove {self.path}")
        self.path.unlink(missing_ok=True)
        return None

    def _owner(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8", errors="replace").strip() or _BEGUN
        except OSError:
            return _UNKNOWN

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if _POSIX:
            self.path.unlink(missing_ok=True)  # first, while it can't be another process's
            os.close(file)
        else:
            os.close(file)
            with contextlib.suppress(FileNotFoundError, PermissionError):  # taken by another
                os.unlink(self.path)


def is_held(path: str | os.PathLike[str]) -> bool:
    """Does a process hold the lock of the file at `path`, as far as this machine can tell?"""
    path = pathlib.Path(path).resolve()
    lock = path.with_name(path.name + ".lock")
    try:
        words = lock.read_text(encoding="utf-8", errors="replace")
    except PermissionError:  # another process has it
        return True
    except OSError:
        return False
    return bool(_OWNER.match(words.encode())) and not _is_left_behind(lock, words)


def _is_left_behind(lock: pathlib.Path, words: str) -> bool:
    """Has the process that a lock file names ended?  Windows can only tell by removing the file."""
    try:
        if _POSIX:
            _find_process(words)
            return False
        os.unlink(lock)  # refused while the owner has it open
    except (PermissionError, IndexError, ValueError):
        return False
    except (ProcessLookupError, FileNotFoundError):
        pass
    return True


def _find_process(words: str) -> None:
    """Raise ProcessLookupError if the process that a lock file names has ended.

    words: a text of _who(); raise IndexError or ValueError for any other.  A process on
    another machine can't be probed and counts as running.
    """
    number, host = words.split()[1], words.split()[3].rstrip(",")
    if host == socket.gethostname():
        os.kill(int(number), 0)


def _who() -> str:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    return f"process {os.getpid()} on {socket.gethostname()}, since {since}\n"
