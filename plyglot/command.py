"""Commands that start programs: splitting, locating and separating them, on each system."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Union

from plyglot.__main__ import project_root

Command = Union[str, Sequence[str]]

WINDOWS = hasattr(subprocess, "CREATE_NEW_PROCESS_GROUP")  # which no other system has
# A run of backslashes and the next character, on a Windows command line.
_PIECE = re.compile(r'(\\*)("|[^\\"]|$)')


def own_command(plugins: Iterable[str] = ()) -> list[str]:
    """Return the command that starts Plyglot on this interpreter with plugins."""
    root = project_root()
    words = [word for where in plugins for word in ("--plugin", plugin_path(where))]
    if getattr(sys, "frozen", False):  # PyInstaller's program is the engine itself
        return [sys.executable, *words]
    # in an archive, the root is the archive itself
    file = os.path.join(root, "engine.py") if os.path.isdir(root) else root
    return [sys.executable, file, *words]


def plugin_path(where: str) -> str:
    """Return a plugin's name so that a process in another directory finds it."""
    return os.path.abspath(where) if where.endswith(".py") else where


def split_command(command: Command, windows: bool = WINDOWS) -> list[str]:
    """Return the words of a command line, split by the rules of the system.

    Raises ValueError if a quotation isn't closed.
    """
    if not isinstance(command, str):
        return [str(word) for word in command]
    return _split_as_windows(command) if windows else shlex.split(command)


def _split_as_windows(command: str) -> list[str]:
    """Split as C programs on Windows do: backslashes are special only before quotes."""
    words: list[str] = []
    word: str | None = None
    quoted = False
    for slashes, char in _PIECE.findall(command):
        if char == '"':
            word = (word or "") + "\\" * (len(slashes) // 2)
            if len(slashes) % 2:
                word += '"'
            else:
                quoted = not quoted
            continue
        if slashes:
            word = (word or "") + slashes
        if char in " \t" and char and not quoted:
            words += [] if word is None else [word]
            word = None
        elif char:
            word = (word or "") + char
    if quoted:
        raise ValueError("No closing quotation")
    return words if word is None else [*words, word]


def located(program: str, directory: str | None, windows: bool = WINDOWS) -> str:
    """Return the path to start a program by, with a working directory.

    A relative path starts at that directory on every system.  On Windows a bare name may also
    be in it.
    """
    if directory is None or os.path.isabs(program):
        return program
    path = os.path.abspath(os.path.join(directory, program))
    if os.path.dirname(program):
        return path
    beside = windows and (os.path.isfile(path) or os.path.isfile(path + ".exe"))
    return path if beside else program


def separation(windows: bool = WINDOWS) -> dict[str, Any]:
    """Return the arguments of subprocess.Popen that shield the new process from Ctrl-C."""
    if windows:
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200)}
    return {"start_new_session": True}
