"""Command lines on every system: how to split one, find its program and shield it from Ctrl-C."""

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

WINDOWS = hasattr(subprocess, "CREATE_NEW_PROCESS_GROUP")  # Only Windows has this constant.

_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')  # Matches a word of a Windows command line.


def own_command(plugins: Iterable[str] = ()) -> list[str]:
    """Return the command that starts Plyglot with these plugins on this interpreter."""
    root = project_root()
    words = [word for where in plugins for word in ("--plugin", plugin_path(where))]
    if getattr(sys, "frozen", False):  # PyInstaller's program is the engine itself
        return [sys.executable, *words]
    # in an archive, the root is the archive itself
    file = os.path.join(root, "engine.py") if os.path.isdir(root) else root
    return [sys.executable, file, *words]


def plugin_path(where: str) -> str:
    """Return a plugin's module name, or the absolute path if the plugin is a file."""
    return os.path.abspath(where) if where.endswith(".py") else where


def split_command(command: Command, windows: bool = WINDOWS) -> list[str]:
    """Return the words of a command line, split by the rules of the system.

    Raises ValueError if a quotation isn't closed.
    """
    if not isinstance(command, str):
        return [str(word) for word in command]
    return _split_as_windows(command) if windows else shlex.split(command)


def _split_as_windows(command: str) -> list[str]:
    """Split at blanks outside double quotes; a backslash is a character like any other."""
    if command.count('"') % 2:
        raise ValueError("No closing quotation")  # the message of shlex
    return [word.replace('"', "") for word in _WORD.findall(command)]


def located(program: str, directory: str | None, windows: bool = WINDOWS) -> str:
    """Return the path by which to start a program in a working directory.

    A relative path is resolved against that directory on every system.  On Windows a bare name is
    resolved, too, if the directory holds a program of that name.
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
