"""Files: the games' own data, and what a user names.

Data is read from where the games' code lies, a folder or an archive, and checked.  A
file that is missing or damaged is reported once, and the game is played without it, by
simpler means.

A file that a user names is opened so that it can't keep the process waiting.
"""

from __future__ import annotations

import errno
import os
import sys
from array import array
from os import path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from typing import TypeVar

    Unpacked = TypeVar("Unpacked")

_FOLDER = path.dirname(__file__)  # as the loader has it, who may read an archive
_reported: set[str] = set()


class DamagedError(ValueError):
    """The bytes of a file are not what they have to be, in words."""


# ---- the games' own ------------------------------------------------------------------


def path_of(name: str) -> str:
    """Where the file `GAME/FILE` lies."""
    return path.join(_FOLDER, *name.split("/"))


def load(name: str, unpack: Callable[[bytes], Unpacked], without: str) -> Unpacked | None:
    """What unpack(bytes) makes of the file `GAME/FILE` (or of a path); None where it can't be had.

    Then that is reported, once a file.  without: what the game does without it, in
    words.  unpack raises a ValueError where the bytes are not what they have to be.
    """
    try:
        data: bytes = __loader__.get_data(  # type: ignore[name-defined]  # the import system's
            name if path.isabs(name) else path_of(name)
        )
    except OSError:
        fault = "is missing"
    else:
        try:
            return unpack(data)
        except ValueError as error:
            fault = f"is damaged ({error})"
    report_once(name, f"{name} {fault}: {without}")
    return None


def path_beside(kind: type, name: str) -> str:
    """Where the file `name` lies, or would lie, beside the one that defines a class."""
    file: str = getattr(sys.modules[kind.__module__], "__file__", None) or ""
    return path.join(path.dirname(path.abspath(file)), name)


def beside(kind: type, name: str) -> bytes | None:
    """The bytes of that file; None where there is none.

    One that can't be read is reported.
    """
    file = path_beside(kind, name)
    try:
        # Most loaders have get_data, though their base class does not say so.
        found: bytes = sys.modules[kind.__module__].__loader__.get_data(  # type: ignore[union-attr]
            file
        )
    except AttributeError:  # not from a file
        return None
    except OSError as error:
        if path.exists(file):
            report_once(file, f"{file} can't be read: {error.strerror or error}")
        return None
    return found


def of_size(data: bytes, size: int) -> bytes:
    """`data`, which has to have `size` bytes; DamagedError else."""
    if len(data) != size:
        raise DamagedError(f"{len(data)} bytes instead of {size}")
    return data


def unpacked(data: bytes, size: int) -> bytes:
    """The `size` bytes that zlib packed into `data`; DamagedError where they are none."""
    import zlib  # only now: a start needs none of it

    try:
        return of_size(zlib.decompress(data), size)
    except zlib.error:
        raise DamagedError("it can't be unpacked") from None


def read_numbers(code: str, data: bytes) -> array[int]:
    """The little-endian numbers in `data`; code: their type, as of `array`."""
    numbers: array[int] = array(code, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def write_numbers(numbers: array[int]) -> bytes:
    """The bytes of numbers, little-endian."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def report(text: str) -> None:
    """Report a file that can't be had: on stderr, unless listen() named somebody else."""
    _listener[0](text)


def report_once(name: str, text: str) -> None:
    """Report what is wrong with `name`, unless it was reported before."""
    if name not in _reported:
        _reported.add(name)
        report(text)


def listen(listener: Callable[[str], None]) -> None:
    """Have listener(text) called for files that can't be had, from any thread."""
    _listener[0] = listener


def on_stderr(text: str) -> None:
    """Report a file where nobody listens."""
    sys.stderr.write(text + "\n")


_listener: list[Callable[[str], None]] = [on_stderr]


# ---- what a user names ---------------------------------------------------------------


def without_waiting(path: str, flags: int) -> int:
    """An `opener` for open(): a pipe is opened, or refused, at once.

    Whether or not there is somebody at its other end.
    """
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def open_data(path: str) -> BufferedReader:
    """A file for reading at any place; OSError where it can't be.

    Such as a pipe or a terminal, which might never give what is asked.
    """
    file = open(path, "rb", opener=without_waiting)
    if not file.seekable():
        file.close()
        raise OSError(errno.ESPIPE, "it is a pipe or a terminal")
    return file
