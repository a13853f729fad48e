"""The only module through which scripts write files, so that none of the user's is lost.

A script writes a new file, one that its own record names with the size and time at which the
script left it, or one that `--force` (scripts/command_line.py) names.  Any other existing file
is refused before the work begins.

    Output          a file that is written whole: a page, a picture, a game
    GrowingFile     a file that grows block by block: a record, positions
    check_distinct  no two paths of a command line may be the same file

A script checks all its files before the work begins, by creating their objects:

    files.check_distinct(("--openings", openings), ("--record", record))
    page = files.Output(html, force=arguments.force)
    ...
    page.write([text])

A block of a growing file is on the disk before the next one is counted (flush and fsync).
If a killed writer left half a block, the next addition truncates it.  One process at a time
writes such a file: it holds the system's lock on it, which ends with the process.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import pathlib
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Union

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # a module elsewhere
try:
    import msvcrt
except ImportError:  # elsewhere
    msvcrt = None  # type: ignore[assignment]  # a module on Windows

PathLike = Union[str, "os.PathLike[str]"]
Parts = Iterable[Union[str, bytes]]
Stamp = list[int]  # a file's size in bytes, and its time of modification in nanoseconds

# Seconds between attempts to replace or lock a file that another program has open briefly.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
_FAR = 1 << 40  # the byte that is locked: on Windows others can't read a locked byte


# NaN and infinity become strings, so that no check takes them for numbers.
_DECODE = json.JSONDecoder(parse_constant=str).decode


class FileError(Exception):
    """A file that can't be used; the message says why."""


class WriteError(FileError):
    """A file that can't be written; earlier additions are in it."""


@contextlib.contextmanager
def explained(verb: str, path: PathLike, kind: type[FileError] = FileError) -> Iterator[None]:
    """Return a context in which an OSError becomes a FileError: can't VERB the path, and why."""
    try:
        yield
    except OSError as error:
        raise kind(f"can't {verb} {path}: {error.strerror}") from None


# ---- paths ---------------------------------------------------------------------------


def check_distinct(*named: tuple[str, PathLike | None]) -> None:
    """Raise FileError if two paths are the same file, however they are spelled.

    named: (name for the error message, such as `--record`; path or None).
    """
    given = [(name, pathlib.Path(path)) for name, path in named if path is not None]
    for index, (name, path) in enumerate(given):
        for other_name, other in given[:index]:
            if is_same(path, other):
                raise FileError(f"{other_name} and {name} must be different files, not both {path}")


def is_same(one: PathLike, other: PathLike) -> bool:
    """Are two paths the same file, or would they be once they exist?"""
    one, other = pathlib.Path(one), pathlib.Path(other)
    with contextlib.suppress(OSError):
        return os.path.samefile(one, other)
    if one.exists() and other.exists():
        return False
    # follow links to where a file would be created; resolve() fails at a link to itself
    one, other = (pathlib.Path(os.path.realpath(path)) for path in (one, other))
    if one.name.casefold() != other.name.casefold():
        return False  # equal except for case: one file on some systems
    with contextlib.suppress(OSError):
        return os.path.samefile(one.parent, other.parent)
    return one.parent == other.parent


def state_folder(environment: Mapping[str, str] = os.environ) -> pathlib.Path:
    """Return the folder for the program's state, which may not exist yet.

    See https://specifications.freedesktop.org/basedir-spec.
    """
    base = environment.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local", "state"
    )
    return pathlib.Path(base) / "plyglot"


# ---- files that are written whole ----------------------------------------------------


def check_place(path: PathLike) -> None:
    """Raise WriteError if a file can't be written there."""
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():  # replacing it would leave a regular file
        raise WriteError(f"can't write {path}: not a regular file")
    if not path.parent.is_dir():
        raise WriteError(f"can't write {path}: {os.strerror(errno.ENOENT)}")
    if not os.access(path.parent, os.W_OK):
        raise WriteError(f"can't write {path}: {os.strerror(errno.EACCES)}")


class Output:
    """A file at `path` that is written whole, once or repeatedly.

    Raises FileError if the file exists and isn't ours (unless `force`), WriteError if it
    can't be written.  Nothing is written before write().

    is_ours: returns whether the existing file at a path is ours; by default none is.
    """

    def __init__(
        self,
        path: PathLike,
        force: bool = False,
        is_ours: Callable[[pathlib.Path], bool] | None = None,
    ) -> None:
        self.path = pathlib.Path(path)
        self._force, self._is_ours = force, is_ours
        self._left: Stamp | None = None
        self._check()

    def _check(self) -> None:
        check_place(self.path)
        if self._force or not self.path.exists():
            return
        with explained("read", self.path):
            stamp = stamp_of(self.path)
            ours = not stamp[0] or stamp == self._left
            ours = ours or bool(self._is_ours and self._is_ours(self.path))
        if not ours:
            whose = " and was not written by this work, or was edited since" * bool(self._is_ours)
            raise FileError(
                f"{self.path} exists{whose}; name another file, or replace it with --force"
            )

    def write(self, parts: Parts, before: Callable[[Stamp], None] = lambda stamp: None) -> None:
        """Write the file from its parts, completely or not at all.

        before(stamp): called with the new file's stamp before it takes its place, so that a
        record can name it whatever happens then.

        Raise FileError if another program's file has appeared there, WriteError if it can't
        be written.
        """
        self._check()
        new = not (self._force or self.path.exists())
        data = (
            part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
            for part in parts
        )
        with explained("write", self.path, WriteError):
            try:
                replace(self.path, data, new, before)
            except FileExistsError:
                raise FileError(f"{self.path} has just been created by another program") from None
            self._left, self._force = stamp_of(self.path), False


def stamp_of(path: PathLike) -> Stamp:
    """Return the size and time of a file, by which its writer knows it again."""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def replace(
    path: PathLike,
    parts: Iterable[bytes],
    new: bool = False,
    before: Callable[[Stamp], None] = lambda stamp: None,
) -> None:
    """Write a file from its parts, completely or not at all, replacing an existing one.

    new: raise FileExistsError if the file exists.  before: as for Output.write().
    Raise OSError if it can't be written.  Only for files that no user names; others are
    Outputs.
    """
    path = pathlib.Path(os.path.realpath(path))  # a link stays a link
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with contextlib.suppress(FileNotFoundError):  # left by a process with our id
        fresh.unlink()
    try:
        with open(fresh, "xb") as file:
            file.writelines(parts)
        before(stamp_of(fresh))
        if new:
            open(path, "xb").close()
        with contextlib.suppress(OSError):
            os.chmod(fresh, stat.S_IMODE(path.stat().st_mode))
        _take_place(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _take_place(fresh: pathlib.Path, path: pathlib.Path) -> None:
    """Rename a file over another one; if that is open, wait until it is closed."""
    for pause in _PAUSES:
        try:
            os.replace(fresh, path)
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(fresh, path)


# ---- locks ---------------------------------------------------------------------------


def _lock(file: int) -> bool:
    """Lock an open file for this process, until it closes the file; return whether that worked.

    The process must not open and close the file elsewhere: that would end the lock, too.
    """
    try:
        if fcntl:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _FAR)
        elif msvcrt:
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        return False
    return True


def is_held(path: PathLike) -> bool:
    """Does another process write the growing file at this path?"""
    try:
        with open(path, "rb+") as file:
            return not _lock(file.fileno())
    except OSError:
        return False


@contextlib.contextmanager
def locked(path: PathLike) -> Iterator[None]:
    """Return a context in which this process alone writes a file; FileError if another one does.

    A file that is replaced can't be locked itself: the lock is on an empty file beside it.
    """
    place = f"{path}.lock"
    with explained("write", place), open(place, "ab") as file:
        if file.tell():
            raise FileError(f"{place} exists and is not a lock of this program")
        if not _lock(file.fileno()):
            raise _taken(path)
        try:
            yield
        finally:
            with contextlib.suppress(PermissionError):  # Windows can't remove an open file
                os.unlink(place)


def _taken(path: PathLike) -> FileError:
    return FileError(f"{path} is being written by another process")


# ---- files that grow -----------------------------------------------------------------


class GrowingFile:
    """The file at `path`, created if missing, to which blocks of lines are added.

    ends_block(line): returns whether a block ends with this line (bytes without the line
    feed); by default every line is a block.  The first add() truncates half a block at the
    end.
    begins: the beginning of every file of this kind, which distinguishes our own torn
    beginning from a foreign text without a line feed.
    force: ignore the content of a foreign file; the first add() replaces it.

    holds_blocks: whether it holds a block now.

    Raises FileError if it is not a regular file, can't be written, has content but no block,
    or another process writes it.
    """

    def __init__(
        self,
        path: PathLike,
        ends_block: Callable[[bytes], bool] | None = None,
        begins: bytes = b"",
        force: bool = False,
    ) -> None:
        self.path = pathlib.Path(path)
        self._made = not self.path.exists()
        if not self._made and not self.path.is_file():  # reading a device may never end
            raise FileError(f"can't write {self.path}: not a regular file")
        with explained("write", self.path):
            self._file = self._open()
        self._measure(ends_block)
        if self._torn and not self._size and not force and not self._is_torn_beginning(begins):
            self.close()
            raise FileError(
                f"{self.path} was not written by this program; "
                "name another file, or replace it with --force"
            )

    def _open(self) -> io.FileIO:
        """Return the open file, locked; raise FileError if another process holds it."""
        for pause in _PAUSES:  # a reader that asks is_held() has it briefly
            file = io.FileIO(self.path, "ab+")
            try:
                held = _lock(file.fileno())
                if held and os.path.samestat(os.fstat(file.fileno()), os.stat(self.path)):
                    return file
            except FileNotFoundError:  # removed by its last writer
                pass
            except BaseException:
                file.close()
                raise
            file.close()
            time.sleep(pause)
        raise _taken(self.path)

    def _reader(self) -> BinaryIO:
        """Return a reader at the beginning; it shares the descriptor, which must stay open."""
        self._file.seek(0)
        return open(self._file.fileno(), "rb", closefd=False)

    def _measure(self, ends_block: Callable[[bytes], bool] | None) -> None:
        """Find the size of the complete blocks at the beginning."""
        self._size = here = 0
        for line in self._reader():
            here += len(line)
            if line.endswith(b"\n") and (ends_block is None or ends_block(line[:-1])):
                self._size = here
        self._torn, self.holds_blocks = self._size < here, self._size > 0

    def _is_torn_beginning(self, begins: bytes) -> bool:
        data = self._reader().read(len(begins) + 1)
        return bool(data and begins) and data[: len(begins)] == begins[: len(data)]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the complete blocks, without their line feeds.

        Nothing may be added meanwhile.
        """
        left = self._size
        for line in self._reader() if left else ():
            yield line[:-1]
            left -= len(line)
            if left <= 0:
                return

    def line_at(self, place: int) -> bytes:
        """Return the line that begins at an offset."""
        reader = self._reader()
        reader.seek(place)
        return reader.readline()

    def add(self, block: str | bytes) -> int:
        """Add one or more blocks and return their offset; they are on the disk on return.

        Raise WriteError if that fails; then the file holds none of them.
        """
        with explained("write", self.path, WriteError):
            if self._torn:
                self._file.truncate(self._size)
                self._torn = False
            place = self._write(block.encode() if isinstance(block, str) else block)
        self.holds_blocks = True
        return place

    def _write(self, data: bytes) -> int:
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(end)  # a full disk may have stored half of it
            raise
        return end

    def restart(self) -> None:
        """Forget the file's content; the first add() replaces it."""
        self._size, self._torn, self.holds_blocks = 0, True, False

    def remove(self) -> None:
        """Close and remove the file."""
        if self._file.closed:
            return
        try:
            self.path.unlink(missing_ok=True)
        except PermissionError:  # Windows can't remove an open file
            self._file.close()
            self.path.unlink()
        self._file.close()

    def close(self) -> None:
        """Close the file, which ends its lock; remove it if we created it and it is empty."""
        if not self._file.closed and self._made and self._file.seek(0, os.SEEK_END) == 0:
            self.remove()
        self._file.close()


def json_line(value: dict[str, Any]) -> str:
    """Return an object as a block of a growing file: a JSON line."""
    return json.dumps(value, separators=(",", ":")) + "\n"


def parse_json_line(path: PathLike, number: int, line: bytes) -> dict[str, Any]:
    """Return the object of a line; raise FileError, with its number, if there is none."""
    try:
        value: dict[str, Any] = _DECODE(line.decode())
    except (ValueError, RecursionError):  # the latter if it is nested too deeply
        raise FileError(f"{path}, line {number}: not valid JSON") from None
    if not isinstance(value, dict):
        raise FileError(f"{path}, line {number}: not a JSON object")
    return value
