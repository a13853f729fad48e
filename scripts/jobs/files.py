"""Writing the files that a user names, so that none of the user's other files is lost.

A script writes only new files and files that it wrote earlier.  It recognises an earlier file by
the file's content, or by a size and a time that it has recorded.  It refuses any other existing
file before the work begins, unless the user gives `--force` (scripts/command_line.py).

    Output          a file that is written whole: a page, a picture, a game
    GrowingFile     a file that grows line by line: a record, positions
    ResultsFile     a growing file with the results of unfinished work, as JSON lines
    check_distinct  checks that no two paths of a command line are the same file

A script checks all its files before the work begins, by creating their objects:

    files.check_distinct(("--openings", openings), ("--record", record))
    page = files.Output(html, force=arguments.force)
    ...
    page.write([text])

A line of a growing file is on the disk before the next one is counted (flush and fsync).
If a killed writer left half a line, the next addition removes it.  One process at a time writes
such a file.  It holds a lock on the file, which the system releases when the process ends.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import pathlib
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Union

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows doesn't have it
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]  # only Windows has it

PathLike = Union[str, "os.PathLike[str]"]
Parts = Iterable[Union[str, bytes]]
Stamp = list[int]  # a file's size in bytes, and its time of modification in nanoseconds
Before = Callable[[Stamp], None]
IsOurs = Callable[[pathlib.Path], bool]

# Seconds between attempts to replace or lock a file that another program has open briefly.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
_ADVICE = "name another file, or replace it with --force"
_FAR = 1 << 40  # offset of the byte to lock, beyond all data: Windows can't read a locked byte


# NaN and infinity become strings, so that no check takes them for numbers.
_DECODE = json.JSONDecoder(parse_constant=str).decode


class FileError(Exception):
    """Raised if a file can't be used; the message says why."""


class WriteError(FileError):
    """Raised if a file can't be written; lines that were appended earlier stay in it."""


@contextlib.contextmanager
def explained(verb: str, path: PathLike, kind: type[FileError] = FileError) -> Iterator[None]:
    """Return a context manager that turns an OSError into a FileError.

    The FileError's message is "can't VERB PATH: reason".
    """
    try:
        yield
    except OSError as error:
        raise kind(f"can't {verb} {path}: {error.strerror}") from None


# ---- paths ---------------------------------------------------------------------------


def check_distinct(*named: tuple[str, PathLike | None]) -> None:
    """Raise FileError if two paths are the same file, however they are spelled.

    named: pairs of a name for the error message, such as `--record`, and a path or None.
    """
    # real path -> name; the path is in lower case, since some systems ignore case
    names: dict[str, str] = {}
    for name, path in named:
        place = os.path.realpath(path or "").casefold()
        if path is not None and names.setdefault(place, name) != name:
            raise FileError(f"{names[place]} and {name} must be different files, not both {path}")


def state_folder() -> pathlib.Path:
    """Return the folder for the program's state, which may not exist yet.

    See https://specifications.freedesktop.org/basedir-spec.
    """
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return pathlib.Path(base) / "plyglot"


# ---- files that are written whole ----------------------------------------------------


class Output:
    """A file at `path` that is written whole, once or repeatedly.

    Raises FileError if the file exists and the script didn't write it (unless `force`),
    WriteError if it can't be written.  Nothing is written before write().

    is_ours(path): did the script write the existing file?  By default the answer is no.
    """

    def __init__(self, path: PathLike, force: bool = False, is_ours: IsOurs | None = None) -> None:
        self.path = pathlib.Path(path)
        self._force, self._is_ours = force, is_ours
        self._left: Stamp | None = None
        self._check()

    def _check(self) -> None:
        path = self.path
        if "\0" in str(path):
            raise WriteError(f"can't write {path}: a file name can't contain a NUL character")
        if path.exists() and not path.is_file():  # don't replace a device or a pipe
            raise WriteError(f"can't write {path}: not a regular file")
        with explained("write", path, WriteError):  # the folder must be writable
            tempfile.TemporaryFile(dir=path.parent).close()
            with contextlib.suppress(FileNotFoundError):
                os.lstat(_fresh(path))  # the name may be too long for the system
        if self._force or not path.exists():
            return
        with explained("read", path):
            stamp = stamp_of(path)
            ours = self._is_ours is not None and self._is_ours(path)
        if not ours and stamp != self._left and stamp[0]:
            whose = " and was not written by this command, or was edited since"
            whose = whose if self._is_ours else ""
            raise FileError(f"{path} exists{whose}; {_ADVICE}")

    def write(self, parts: Parts, before: Before = lambda stamp: None) -> None:
        """Write the file from its parts, completely or not at all.

        before(stamp): called with the new file's size and time just before the file appears at
        its path.  A record can store them then, so the script recognises the file later, even if
        it is killed as soon as the file has appeared.

        Raise FileError if another program has made a file at the path, WriteError if the file
        can't be written.
        """

        def check_again(stamp: Stamp) -> None:
            self._check()
            before(stamp)

        with explained("write", self.path, WriteError):
            replace(self.path, parts, check_again)
            self._left, self._force = stamp_of(self.path), False


def stamp_of(path: PathLike) -> Stamp:
    """Return the size and time of a file; a script later recognises its own files by them."""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def replace(path: PathLike, parts: Parts, before: Before = lambda stamp: None) -> None:
    """Write a file from its parts, completely or not at all, replacing an existing one.

    Use it only for files whose names the user doesn't choose, and an Output for others.

    before: called as in Output.write().  Raise OSError if the file can't be written.
    """
    path = pathlib.Path(os.path.realpath(path))  # if it is a link, replace its target
    fresh = _fresh(path)
    fresh.unlink(missing_ok=True)
    try:
        with open(fresh, "xb") as file:  # mode x doesn't follow a link
            file.writelines(map(_encoded, parts))
        before(stamp_of(fresh))
        with contextlib.suppress(OSError):  # there is no old file
            os.chmod(fresh, stat.S_IMODE(path.stat().st_mode))
        _take_place(fresh, path)
    finally:
        with contextlib.suppress(OSError):  # it is at `path` now
            fresh.unlink()


def _encoded(part: str | bytes) -> bytes:
    return part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part


def _fresh(path: pathlib.Path) -> pathlib.Path:
    """Return the temporary path for a file that this process then renames to `path`."""
    return path.with_name(f"{path.name}.{os.getpid()}.new")


def _take_place(fresh: pathlib.Path, path: pathlib.Path) -> None:
    """Rename `fresh` to `path`; retry for almost a second while a program has `path` open."""
    for pause in _PAUSES:
        try:
            os.replace(fresh, path)
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(fresh, path)


# ---- locks ---------------------------------------------------------------------------


def _lock(file: io.FileIO | BinaryIO) -> bool:
    """Lock an open file until this process closes it; return False if it is locked already."""
    try:
        if fcntl:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _FAR)
        elif msvcrt:
            file.seek(_FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        return False
    return True


def is_held(path: PathLike) -> bool:
    """Is another process writing the growing file at this path?"""
    try:
        with open(path, "rb+", buffering=0) as file:
            return not _lock(file)
    except OSError:
        return False


# ---- files that grow -----------------------------------------------------------------


class GrowingFile:
    """The file at `path`, created if missing, to which lines are added.

    size: bytes of the complete lines; the next append() first truncates the file to this size.
    force: accept a file whose first line is incomplete.

    Raises FileError if it is not a regular file, can't be written, has content but no complete
    line, or if another process is writing it.
    """

    def __init__(self, path: PathLike, force: bool = False) -> None:
        self.path = pathlib.Path(path)
        if self.path.exists() and not self.path.is_file():  # reading a device may never end
            raise FileError(f"can't write {self.path}: not a regular file")
        self._file = self._open()
        self.size = sum(len(line) for line in self._reader() if line.endswith(b"\n"))
        if self._file.tell() and not self.size and not force:
            self.close()
            wrong = "was not written by this program, or its first line is incomplete after a crash"
            raise FileError(f"{self.path} {wrong}; {_ADVICE}")

    def _open(self) -> io.FileIO:
        """Return the open file, locked; raise FileError if another process holds the lock.

        Don't open the file elsewhere in this process: closing it there would end the lock.
        """
        with explained("write", self.path):
            for pause in _PAUSES:  # is_held() in another process locks the file briefly
                file = io.FileIO(self.path, "ab+")
                # Try again if the last writer has just removed the file.
                with contextlib.suppress(FileNotFoundError):
                    if _lock(file) and os.path.samefile(file.fileno(), self.path):
                        return file
                file.close()
                time.sleep(pause)
        raise FileError(f"{self.path} is being written by another process")

    def _reader(self) -> BinaryIO:
        """Return a reader from the start of the file; closing it leaves the file open."""
        self._file.seek(0)
        return open(self._file.fileno(), "rb", closefd=False)

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines, without their line feeds.

        Don't call append() before you have read the last line.
        """
        end = 0
        for line in self._reader():
            end += len(line)
            if end > self.size:
                return
            yield line[:-1]

    def append(self, lines: str) -> None:
        """Add one or more lines; they are on the disk on return.

        Raise WriteError if that fails; then the file holds none of the new lines.
        """
        data = rest = lines.encode()
        with explained("write", self.path, WriteError):
            self._file.truncate(self.size)  # a killed writer may have left half a line
            try:
                while rest:
                    rest = rest[self._file.write(rest) :]
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(self.size)  # a full disk may have stored half of the data
                raise
        self.size += len(data)

    def remove(self) -> None:
        """Close and remove the file."""
        try:
            self.path.unlink(missing_ok=True)
        except PermissionError:  # Windows can't remove an open file
            self._file.close()
            self.path.unlink()
        self._file.close()

    def close(self) -> None:
        """Close the file, which ends its lock; remove it if it is empty."""
        if not self._file.closed and not os.fstat(self._file.fileno()).st_size:
            self.remove()
        self._file.close()


# ---- files of results ----------------------------------------------------------------


def json_line(value: dict[str, Any]) -> str:
    """Return an object as a JSON line."""
    return json.dumps(value, separators=(",", ":")) + "\n"


def json_objects(
    path: PathLike, lines: Iterable[bytes] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number from 1, object) of each complete line of a file.

    lines: the file's lines if it is open already.
    Raise FileError, with the line's number, if a line isn't a JSON object.
    """
    for number, line in enumerate(_lines(path) if lines is None else lines, 1):
        try:
            value = _DECODE(line.decode())
        except (ValueError, RecursionError):  # RecursionError if the JSON is nested too deeply
            raise FileError(f"{path}, line {number}: not valid JSON") from None
        if not isinstance(value, dict):
            raise FileError(f"{path}, line {number}: not a JSON object")
        yield number, value


def _lines(path: PathLike) -> Iterator[bytes]:
    """Yield the complete lines of a file; leave out a last line that is only half written."""
    with explained("read", path), open(path, "rb") as file:
        yield from (line[:-1] for line in file if line.endswith(b"\n"))


class ResultsFile(GrowingFile):
    """Results of jobs in a file of JSON lines, so that a rerun continues the work.

    The first line holds the settings of the work (plain data).  Every other line holds the result
    of a job, with the job's id.

    done: {id of a job: its result}, including jobs of earlier runs.
    force: replace content that is malformed or was made with other settings.
    Raises FileError if the file was made with other settings.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        self._first: dict[str, Any] = json.loads(json.dumps(terms))
        super().__init__(path, force)
        try:
            self._read()
        except FileError:
            if not force:
                self.close()
                raise
            self.size = 0
            self._read()
        # lines that the next write() puts before its own
        self._due = [] if self.size else [self._first]

    def _read(self) -> None:
        self.done: dict[str, dict[str, Any]] = {}
        for number, value in json_objects(self.path, self.lines()):
            if number == 1:
                self._check(value, self._first)
            elif isinstance(value.get("id"), str):
                self.done[value["id"]] = value
            else:
                raise FileError(f"{self.path}, line {number}: the result has no id")

    def _check(self, known: dict[str, Any], terms: dict[str, Any]) -> None:
        """Raise FileError if the file's settings differ from this command's."""
        names = sorted({*known, *terms})
        different = ", ".join(name for name in names if known.get(name) != terms.get(name))
        if different:
            wrong = f"holds results for other settings (different: {different})"
            raise FileError(f"{self.path} {wrong}; {_ADVICE}")

    def add(self, result: dict[str, Any]) -> None:
        """Store the result of a job; raise WriteError if that fails."""
        self.write(result)
        self.done[result["id"]] = result

    def write(self, *values: dict[str, Any]) -> None:
        """Append the pending lines, then `values`; raise WriteError if that fails."""
        self.append("".join(map(json_line, [*self._due, *values])))
        self._due.clear()
