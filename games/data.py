"""The games' data files: read where the games' code lies, be that a folder or an archive, and checked.

A file that is missing, cut or damaged costs knowledge, not the game: it is told once, and the game is played by
simpler means.
"""
from __future__ import annotations

import sys
from collections.abc import Callable
from os import path

_FOLDER = path.dirname(__file__)        # as the loader has it, who may read an archive
_told: set[str] = set()


class DamagedError(ValueError):
    """The bytes of a file are not what they have to be, in words."""


def path_of(name: str) -> str:
    """Where the file `GAME/FILE` lies."""
    return path.join(_FOLDER, *name.split("/"))


def load(name: str, unpack: Callable[[bytes], object], without: str):
    """What unpack(bytes) makes of the file `GAME/FILE` (or of a path); None where it can't be had.

    Then that is told, once a file, with `without`: what the game does without it.  unpack raises a ValueError where
    the bytes are not what they have to be.
    """
    try:
        data = __loader__.get_data(name if path.isabs(name) else path_of(name))
    except OSError:
        fault = "is missing"
    else:
        try:
            return unpack(data)
        except ValueError as error:
            fault = f"is damaged ({error})"
    if name not in _told:
        _told.add(name)
        tell(f"{name} {fault}: {without}")
    return None


def of_size(data: bytes, size: int) -> bytes:
    """`data`, which has to have `size` bytes; DamagedError else."""
    if len(data) != size:
        raise DamagedError(f"{len(data)} bytes instead of {size}")
    return data


def unpacked(data: bytes, size: int) -> bytes:
    """The `size` bytes that zlib packed into `data`; DamagedError where they are none."""
    import zlib     # only now: a start needs none of it

    try:
        return of_size(zlib.decompress(data), size)
    except zlib.error:
        raise DamagedError("it can't be unpacked") from None


def tell(text: str) -> None:
    """Tell of a file that can't be had: on stderr, unless listen() named somebody else."""
    _listener[0](text)


def listen(listener: Callable[[str], None]) -> None:
    """Have listener(text) told of files that can't be had, from any thread."""
    _listener[0] = listener


def on_stderr(text: str) -> None:
    """Tell of a file where nobody listens."""
    sys.stderr.write(text + "\n")


_listener: list[Callable[[str], None]] = [on_stderr]
