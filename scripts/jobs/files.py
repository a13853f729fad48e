"""The only module through which scripts write files, so that none of the user's is lost.

A new file is created, a file that is provably ours is continued, and any other is refused;
`--force` (scripts/command_line.py) replaces it.

    Output          a file that is written whole: a page, a picture, a game
    GrowingFile     a file that grows block by block: a record, positions
    check_distinct  no two paths of a command line may be the same file

The proof that a file is ours: an Output whose format has comments ends with a seal, a digest
of everything before it, which also shows that nobody has edited the file since.  A growing
file begins or ends in a way that only ours do.  A text without a final line feed is not ours
unless it is the torn beginning of a growing file.

A script checks all its files before the work begins, by creating their objects, and writes
when it has something to write:

    files.check_distinct(("--openings", openings), ("--html", html))
    page = files.Output(html, comment=files.XML, force=arguments.force)
    ...
    page.write([text])

A block of a growing file is on the disk before the next one is counted (flush and fsync).
If a killed writer left half a block, the next addition truncates it.  One process at a time
writes a file (lock.py).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import pathlib
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Union

from scripts.command_line import translated
from scripts.jobs.lock import Lock, Taken

PathLike = Union[str, "os.PathLike[str]"]
Parts = Iterable[Union[str, bytes]]

# Beginning and end of a comment in the formats of Outputs.
XML, PGN, TEX, HASH = ("<!-- ", " -->"), ("% ", ""), ("% ", ""), ("# ", "")
_SEAL = "written by Plyglot, unchanged since: "
_SEALED = re.compile(_SEAL.encode() + rb"([0-9a-f]{64})[^\n]{0,8}\n\Z")
_SEAL_ROOM = 200  # bytes at the end of a file that are searched for a seal
# Names that Windows forbids; avoiding them lets a folder be copied there
# (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
_DEVICES = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d\xb9\xb2\xb3]) *(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\0-\x1f]')
# Seconds between attempts to replace a file that another program has open, which Windows
# forbids; a virus scanner soon closes it.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)


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

    named: (name for the error message, such as `--html`; path or None).
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
    one, other = one.resolve(), other.resolve()  # follow links to where a file would be created
    if one.name.casefold() != other.name.casefold():
        return False  # equal except for case: one file on some systems
    with contextlib.suppress(OSError):
        return os.path.samefile(one.parent, other.parent)
    return one.parent == other.parent


def free_name(path: PathLike, *suffixes: str) -> pathlib.Path:
    """Return the first of NAME-2, NAME-3, ... that doesn't exist.

    suffixes: further suffixes for which it must not exist either.
    """
    path = pathlib.Path(path)
    names = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in itertools.count(2))
    wanted = (path.suffix, *suffixes)
    return next(
        name for name in names if not any(os.path.lexists(name.with_suffix(s)) for s in wanted)
    )


def state_folder(environment: Mapping[str, str] = os.environ) -> pathlib.Path:
    """Return the folder for the program's state, which may not exist yet.

    See https://specifications.freedesktop.org/basedir-spec.
    """
    base = environment.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local", "state"
    )
    return pathlib.Path(base) / "plyglot"


# ---- files that are written whole ----------------------------------------------------


def check_name(name: str) -> None:
    """Raise FileError if a new file or folder of this name could not be copied to Windows."""
    bad = _FORBIDDEN.search(name)
    if bad:
        raise FileError(
            f"can't write {name}: a file's name must not contain {bad[0]!r}, which Windows forbids"
        )
    if _DEVICES.fullmatch(name):
        raise FileError(f"can't write {name}: Windows reserves this name for a device")
    if name.endswith((".", " ")):
        raise FileError(f"can't write {name!r}: a file's name must not end with a dot or a space")


def check_place(path: PathLike) -> None:
    """Raise FileError if a new file's name is bad, WriteError if it can't be written there."""
    path = pathlib.Path(path)
    if not path.exists():
        check_name(path.name)
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

    comment: beginning and end of a comment in its format (XML, PGN, ...), for the seal;
    without one (None), a file that an earlier run has written counts as a user's.
    is_ours: returns whether the file at a path is ours; by default by its seal.
    """

    def __init__(
        self,
        path: PathLike,
        comment: tuple[str, str] | None = None,
        force: bool = False,
        is_ours: Callable[[pathlib.Path], bool] | None = None,
    ) -> None:
        self.path = pathlib.Path(path)
        self._comment, self._force = comment, force
        self._is_ours = is_ours or is_sealed
        self._is_users = comment is None and is_ours is None
        self._written: tuple[int, ...] | None = None  # our file's inode, size and time
        self._check()

    def _check(self) -> None:
        check_place(self.path)
        if self._force or not self.path.exists():
            return
        with explained("read", self.path):
            ours = (
                not self.path.stat().st_size  # nothing would be lost
                or _stamp(self.path) == self._written
                or self._is_ours(self.path)
            )
        if not ours:
            whose = " and was not written by this program, or was edited since"
            raise FileError(
                f"{self.path} exists{'' if self._is_users else whose}; "
                "name another file, or replace it with --force"
            )

    def write(self, parts: Parts) -> None:
        """Write the file from its parts, completely or not at all.

        Raise FileError if another program's file has appeared there, WriteError if it can't
        be written.
        """
        self._check()
        new = not (self._force or self.path.exists())
        with explained("write", self.path, WriteError):
            try:
                replace(self.path, sealed(parts, self._comment), new)
            except FileExistsError:
                raise FileError(f"{self.path} has just been created by another program") from None
            self._written, self._force = _stamp(self.path), False


def _stamp(path: pathlib.Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def sealed(parts: Parts, comment: tuple[str, str] | None) -> Iterator[bytes]:
    """Yield the parts, then a comment with the seal that is_sealed() checks."""
    digest, last = hashlib.sha256(), b"\n"
    for part in parts:
        data = part.encode("utf-8", "replace") if isinstance(part, str) else part
        digest.update(data)
        last = data or last
        yield data
    if comment is not None:
        if not last.endswith(b"\n"):
            digest.update(b"\n")
            yield b"\n"
        yield f"{comment[0]}{_SEAL}{digest.hexdigest()}{comment[1]}\n".encode()


def is_sealed(path: PathLike) -> bool:
    """Does a file end with the seal of everything before it?"""
    with open(path, "rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - _SEAL_ROOM, 0))
        found = _SEALED.search(file.read())
        if not found:
            return False
        file.seek(0)
        data = file.read()
    before = data[: data.rfind(b"\n", 0, -1) + 1]
    return hashlib.sha256(before).hexdigest().encode() == found[1]


def replace(path: PathLike, parts: Iterable[bytes], new: bool = False) -> None:
    """Write a file from its parts, completely or not at all, replacing an existing one.

    new: raise FileExistsError if the file exists.  Raise OSError if it can't be written.
    Only for files that no user names; others are Outputs.
    """
    path = pathlib.Path(os.path.realpath(path))  # a link stays a link
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with contextlib.suppress(FileNotFoundError):  # left by a process with our id
        fresh.unlink()
    try:
        with open(fresh, "xb") as file:
            file.writelines(parts)
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


@contextlib.contextmanager
def locked(path: PathLike) -> Iterator[None]:
    """Return a context in which this process alone writes a file; FileError if another one does."""
    lock = _lock(path)
    try:
        yield
    finally:
        lock.release()


def _lock(path: PathLike) -> Lock:
    with explained("write", path):
        with translated(FileError, Taken, before=f"{path} is being written by "):
            return Lock(path)


# ---- files that grow -----------------------------------------------------------------


class GrowingFile:
    """The file at `path`, created if missing, to which blocks of lines are added.

    ends_block(line): returns whether a block ends with this line (bytes without the line
    feed); by default every line is a block.  The first add() truncates half a block at the
    end.
    begins: the beginning of every file of this kind, which distinguishes our own torn
    beginning from a foreign text without a line feed.
    force: ignore the content of a foreign file; the first add() replaces it.

    data: the complete blocks that it held when it was opened.
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
        if self.path.exists() and not self.path.is_file():  # reading a device may never end
            raise FileError(f"can't write {self.path}: not a regular file")
        if not self.path.exists():
            check_name(self.path.name)
        self._lock = _lock(self.path)
        with explained("write", self.path):
            self._made = not self.path.exists()
            try:
                self._file = open(self.path, "ab+", buffering=0)
            except OSError:
                self._lock.release()
                raise
        self._measure(ends_block)
        if self._torn and not self._size and not force and not self._is_torn_beginning(begins):
            self.close()
            raise FileError(
                f"{self.path} was not written by this program; "
                "name another file, or replace it with --force"
            )

    def _measure(self, ends_block: Callable[[bytes], bool] | None) -> None:
        """Find the size of the complete blocks at the beginning."""
        self._size = here = 0
        with open(self.path, "rb") as file:
            for line in file:
                here += len(line)
                if line.endswith(b"\n") and (ends_block is None or ends_block(line[:-1])):
                    self._size = here
        self._torn, self.holds_blocks = self._size < here, self._size > 0

    def _is_torn_beginning(self, begins: bytes) -> bool:
        with open(self.path, "rb") as file:
            data = file.read(len(begins) + 1)
        return bool(data and begins) and data[: len(begins)] == begins[: len(data)]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the complete blocks, without their line feeds."""
        left = self._size
        with open(self.path, "rb") as file:
            for line in file:
                if left <= 0:
                    return
                left -= len(line)
                yield line[:-1]

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
        self._file.close()
        self.path.unlink(missing_ok=True)
        self._lock.release()

    def close(self) -> None:
        """Close the file and release its lock; remove it if we created it and it is empty."""
        if self._file.closed:
            return
        empty = self._file.seek(0, os.SEEK_END) == 0
        self._file.close()
        if empty and self._made:
            self.path.unlink(missing_ok=True)
        self._lock.release()


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
