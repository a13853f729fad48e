"""How a program is started: its command line and its place, on each system."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Callable, Union

from plyglot.__main__ import project_root

Command = Union[str, Sequence[str]]

WINDOWS = hasattr(subprocess, "CREATE_NEW_PROCESS_GROUP")  # which no other system has
# A run of backslashes and what follows it, on a command line of Windows.
_PIECE = re.compile(r'(\\*)("|[^\\"]|$)')


def own_command(plugins: Iterable[str] = ()) -> list[str]:
    """The command that starts Plyglot with plugins (files or modules) by this interpreter."""
    root = project_root()
    words = [word for where in plugins for word in ("--plugin", plugin_path(where))]
    if getattr(sys, "frozen", False):  # the program is the engine, as made by PyInstaller
        return [sys.executable, *words]
    # in an archive, the root is the archive itself
    file = os.path.join(root, "engine.py") if os.path.isdir(root) else root
    return [sys.executable, file, *words]


def plugin_path(where: str) -> str:
    """A plugin's name as a process in another directory finds it."""
    return os.path.abspath(where) if where.endswith(".py") else where


def split_command(command: Command, windows: bool = WINDOWS) -> list[str]:
    """The words of a command line, split by the rules of the system's own programs.

    Raises ValueError if a quotation does not end.
    """
    if not isinstance(command, str):
        return [str(word) for word in command]
    return _split_as_windows(command) if windows else shlex.split(command)


def _split_as_windows(command: str) -> list[str]:
    """The words as C programs on Windows get them: backslashes are special before quotes alone."""
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


def located(
    program: str,
    directory: str | None,
    windows: bool = WINDOWS,
    exists: Callable[[str], bool] = os.path.isfile,
) -> str:
    """A program as it is started with a working directory.

    A relative path begins at that directory, on every system. On Windows a bare name may lie in
    it, too.
    """
    if directory is None or os.path.isabs(program):
        return program
    path = os.path.abspath(os.path.join(directory, program))
    if os.path.dirname(program):
        return path
    beside = windows and (exists(path) or exists(path + ".exe"))
    return path if beside else program


def separation(windows: bool = WINDOWS) -> dict[str, Any]:
    """The arguments of subprocess.Popen that keep the terminal's Ctrl-C from the new process."""
    if windows:
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200)}
    return {"start_new_session": True}
