"""Files that grow result by result and survive whatever ends their writer.

A result is on the disk before the next one is counted (flush and fsync).  A writer
that was killed may leave half a result: that is cut off when the file is opened
again, and its job is done again.  One process at a time writes a file (lock.py).
"""
from __future__ import annotations

import contextlib
import errno
import json
import os
import pathlib
from collections.abc import Callable, Iterable
from typing import Any, Union

from scripts.jobs.lock import Lock, Taken

PathLike = Union[str, "os.PathLike[str]"]


class FileError(Exception):
    """A file that can't be used, in words."""


class WriteError(FileError):
    """A file that can't be written any more; what was added before is in it."""


def replace(path: PathLike, parts: Iterable[bytes]) -> None:
    """Write a file anew from its parts, whole or not at all; OSError where that fails."""
    path = pathlib.Path(path)
    fresh = path.with_name(path.name + ".new")
    try:
        with open(fresh, "wb") as file:
            file.writelines(parts)
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def check_place(path: PathLike) -> None:
    """WriteError where `replace` could not write a file."""
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():        # what takes its place would be a file
        raise WriteError(f"can't write {path}: it is no file")
    if not path.parent.is_dir():
        raise WriteError(f"can't write {path}: {os.strerror(errno.ENOENT)}")
    if not os.access(path.parent, os.W_OK):
        raise WriteError(f"can't write {path}: {os.strerror(errno.EACCES)}")


def write_whole(path: PathLike, texts: Iterable[str]) -> None:
    """Write a file anew from several texts, whole or not at all; WriteError where that fails."""
    check_place(path)
    try:
        replace(path, (text.encode("utf-8", "replace") for text in texts))
    except OSError as error:
        raise WriteError(f"can't write {path}: {error.strerror}") from None


class GrowingFile:
    """The file at `path`, made where there is none, open for blocks of lines to be added.

    text: what is in it.
    ends_block(line): does a block end with this line (b"..." without the line feed)?
    Without it every line is a block.  Half a block at the end is cut off with the
    first add().

    FileError where it is no file, can't be written, holds lines but no block, or
    another process writes it.
    """

    def __init__(self, path: PathLike,
                 ends_block: Callable[[bytes], bool] | None = None) -> None:
        self.path = pathlib.Path(path)
        if self.path.exists() and not self.path.is_file():      # a device has no end to be read
            raise FileError(f"can't write {self.path}: it is no file")
        try:
            self._lock = Lock(self.path)
        except Taken as error:
            raise FileError(f"{self.path} is being written by {error}") from None
        except OSError as error:
            raise FileError(f"can't write {self.path}: {error.strerror}") from None
        try:
            self._file = open(self.path, "ab+", buffering=0)
        except OSError as error:
            self._lock.release()
            raise FileError(f"can't write {self.path}: {error.strerror}") from None
        self._file.seek(0)
        data = self._file.read()
        self._size = _whole(data, ends_block)
        self._torn = self._size < len(data)
        if data and not self._size and b"\n" in data:
            self.close()
            raise FileError(f"{self.path} holds nothing that was written here; name another file")
        self.data = data[:self._size]

    def add(self, text: str) -> None:
        """Add a block; it is on the disk when this returns.

        WriteError where that fails: then nothing of it is in the file.
        """
        try:
            if self._torn:
                self._file.truncate(self._size)
                self._torn = False
            self._write(text.encode())
        except OSError as error:
            raise WriteError(f"can't write {self.path}: {error.strerror}") from None

    def _write(self, data: bytes) -> None:
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:
                data = data[self._file.write(data):]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(end)        # a full disk may have taken half of it
            raise

    def restart(self) -> None:
        """Forget what is in the file: the first add() replaces it."""
        self._size, self._torn, self.data = 0, True, b""

    def remove(self) -> None:
        """The file is not needed any more."""
        if self._file.closed:
            return
        self._file.close()
        self.path.unlink(missing_ok=True)
        self._lock.release()

    def close(self) -> None:
        """Close the file and let others have it; an empty one goes."""
        if self._file.closed:
            return
        empty = self._file.seek(0, os.SEEK_END) == 0
        self._file.close()
        if empty:
            self.path.unlink(missing_ok=True)
        self._lock.release()


def _whole(data: bytes, ends_block: Callable[[bytes], bool] | None) -> int:
    """The size of the whole blocks at the beginning of a file."""
    size = data.rfind(b"\n") + 1
    while ends_block is not None and size:
        begin = data.rfind(b"\n", 0, size - 1) + 1
        if ends_block(data[begin:size - 1]):
            break
        size = begin
    return size


def read_json_lines(path: pathlib.Path, data: bytes) -> list[dict[str, Any]]:
    """The objects of JSON lines; FileError names the line that is none."""
    values = []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):        # the latter where it is nested too deep
            raise FileError(f"{path}, line {number}: is no JSON") from None
        if not isinstance(value, dict):
            raise FileError(f"{path}, line {number}: is no JSON object")
        values.append(value)
    return values


class Progress:
    """Results of jobs in a file of JSON lines, so that the same command goes on.

    The first line holds the terms of the work (plain data), each other one the result
    of a job, with its id.  A file without a result is anybody's.

    done: {id of a job: its result}, of those that earlier runs did, too.
    FileError where the file belongs to work on other terms.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any]) -> None:
        self.done: dict[str, dict[str, Any]] = {}
        self._file = GrowingFile(path)
        try:
            self._read(json.loads(json.dumps(terms)))
        except BaseException:
            self.close()
            raise

    def _read(self, terms: dict[str, Any]) -> None:
        values = read_json_lines(self._file.path, self._file.data)
        if len(values) < 2:
            self._file.restart()
            self._terms: dict[str, Any] | None = terms
            return
        self._terms = None
        different = sorted(name for name in {*values[0], *terms}
                           if values[0].get(name) != terms.get(name))
        if different:
            raise FileError(f"{self._file.path} holds other work (different: "
                            f"{', '.join(different)}); remove it or name another file")
        for number, value in enumerate(values[1:], 2):
            if not isinstance(value.get("id"), str):
                raise FileError(f"{self._file.path}, line {number}: has no id")
            self.done[value["id"]] = value

    def add(self, result: dict[str, Any]) -> None:
        """Keep the result of a job; WriteError where that fails."""
        lines = [] if self._terms is None else [self._terms]
        text = "".join(json.dumps(value, separators=(",", ":")) + "\n"
                       for value in [*lines, result])
        self._file.add(text)
        self._terms = None
        self.done[result["id"]] = result

    def remove(self) -> None:
        """The work is finished, and the file is not needed any more."""
        self._file.remove()

    def close(self) -> None:
        """Close the file and let others have it."""
        self._file.close()
