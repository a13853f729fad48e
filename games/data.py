"""Files: the games' own data, and files that users name.

The games' data is read from the folder or the archive that contains their code, and checked.
A file that is missing or damaged is reported once, and the game is played without it, by
simpler means.  Tables that are made when first needed are Lazy, and classes of plain data have
Fields.

A file that a user names is opened in a way that can't block, even if it is a pipe.
"""

from __future__ import annotations

import errno
import os
import sys
from array import array
from os import path

from games.notices import report_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from typing import Any, TypeVar

    from typing_extensions import dataclass_transform

    Unpacked = TypeVar("Unpacked")
    Key = TypeVar("Key")
    Value = TypeVar("Value")

# The path is not normalised, since an archive's loader knows the folder by this path alone.
_FOLDER = path.dirname(__file__)


class DamagedError(ValueError):
    """Raised if the bytes of a file are malformed; the message says how."""


class Lazy(dict["Key", "Value"]):
    """A dict whose values are made when first needed.

    make(key): returns the value of a key.  most: number of values at which the dict is emptied.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[Key], Value], most: int = sys.maxsize) -> None:
        self._make, self._most = make, most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._make(key)
        return value


if TYPE_CHECKING:

    @dataclass_transform()
    class Fields:
        """The base of classes of plain data, for type checkers: each subclass is a dataclass."""

else:

    class Fields:
        """A base of classes of plain data: their annotated names are the constructor's arguments.

        A name that has a value in the class is optional.  (The module dataclasses would add a tenth
        to the start-up time.)
        """

        _names = {}  # {name: its annotation}

        def __init_subclass__(cls) -> None:
            cls._names = {**cls._names, **cls.__annotations__}

        def __init__(self, *values: Any, **named: Any) -> None:
            kind, names = type(self), self._names
            given = {**dict(zip(names, values)), **named}
            unknown = [*given.keys() - names.keys(), *values[len(names) :]]
            if unknown:
                raise TypeError(f"{kind.__name__} got an unexpected argument {unknown[0]!r}")
            for name in names:
                setattr(self, name, given[name] if name in given else getattr(kind, name))
            self.__post_init__()

        def __post_init__(self) -> None:
            """Do nothing; a class may override this method to complete a new object."""


# ---- the games' own ------------------------------------------------------------------


def path_of(name: str) -> str:
    """Return the path of the file `GAME/FILE`; an absolute path stays as it is."""
    return path.join(_FOLDER, name.replace("/", os.sep))


def load(name: str, unpack: Callable[[bytes], Unpacked], without: str) -> Unpacked | None:
    """Return unpack(bytes) of the file at path_of(name); None if it can't be read.

    A failure is reported once per file.  without: what the game does without the file, for
    the report.  unpack raises ValueError if the bytes are damaged.
    """
    try:
        # __loader__ is set by the import.
        return unpack(__loader__.get_data(path_of(name)))  # type: ignore[name-defined]
    except OSError:
        problem = "is missing"
    except ValueError as error:
        problem = f"is damaged ({error})"
    report_once(name, f"{name} {problem}: {without}")
    return None


def beside(kind: type, name: str) -> tuple[str, bytes | None]:
    """Return (path, bytes) of the file `name` in the folder of the file that defines a class.

    The bytes are None if the file is missing or can't be read; the latter is reported.
    """
    module = sys.modules[kind.__module__]
    file = path.join(path.dirname(path.abspath(getattr(module, "__file__", None) or "")), name)
    try:
        # Most loaders have get_data, though their base class does not say so.
        return file, module.__loader__.get_data(file)  # type: ignore[union-attr]
    except AttributeError:
        pass  # the class was not loaded from a file
    except OSError as error:
        if path.exists(file):
            report_once(file, f"{file} can't be read: {error.strerror or error}")
    return file, None


def of_size(data: bytes, size: int) -> bytes:
    """Return `data`.  Raises DamagedError if it does not have `size` bytes."""
    if len(data) != size:
        raise DamagedError(f"{len(data)} bytes instead of {size}")
    return data


def checked(data: bytes, size: int, checksum: int) -> bytes:
    """Return `data`.  Raises DamagedError if its size or its CRC-32 is wrong."""
    from zlib import crc32

    if crc32(of_size(data, size)) != checksum:
        raise DamagedError("its checksum is wrong")
    return data


def unpacked(data: bytes, size: int) -> bytes:
    """Return the `size` bytes that zlib packed into `data`.  Raises DamagedError."""
    import zlib  # imported here, since the program's start doesn't need it

    try:
        return of_size(zlib.decompress(data), size)
    except zlib.error:
        raise DamagedError("it can't be unpacked") from None


def read_numbers(code: str, data: bytes) -> array[Any]:
    """Return the little-endian numbers in `data`.  code: their type code in the module array."""
    numbers: array[Any] = array(code, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def write_numbers(numbers: array[Any]) -> bytes:
    """Return the bytes of numbers, little-endian."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


# ---- files that users name -----------------------------------------------------------


def without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of a pipe: an `opener` for open()."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def open_data(path: str) -> BufferedReader:
    """Open a file for reading at any offset.

    Raises OSError for pipes and terminals, which can't seek and might never deliver.
    """
    file = open(path, "rb", opener=without_waiting)
    if not file.seekable():
        file.close()
        raise OSError(errno.ESPIPE, "must be a regular file, not a pipe or a terminal")
    return file
