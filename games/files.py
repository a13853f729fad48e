"""Files that a user names: opened so that none of them can keep the process waiting."""
from __future__ import annotations

import errno
import io
import os


def without_waiting(path: str, flags: int) -> int:
    """An `opener` for open(): a pipe is opened, or refused, at once, whether or not there is somebody at its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def open_data(path: str) -> io.BufferedReader:
    """A file for reading at any place; OSError where it can't be: a pipe or a terminal might never give what is asked."""
    file = open(path, "rb", opener=without_waiting)
    if not file.seekable():
        file.close()
        raise OSError(errno.ESPIPE, "it is a pipe or a terminal")
    return file
