"""Python interpreters with the developers' tools, which are installed if they are missing."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
from collections.abc import Sequence
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent


def ready(python: str, needed: tuple[str, ...], name: str | None = None) -> str:
    """Return an interpreter that can import `needed`: `python`, or one in a virtual environment.

    needed: names of packages for pip, with or without a version.
    name: name of the environment, by default derived from the interpreter.
    Raise subprocess.CalledProcessError or OSError if the environment can't be made.
    """
    if _has(python, needed):
        return python
    if name is None:
        tag = "import sys; print(sys.implementation.cache_tag)"
        name = subprocess.check_output([python, "-c", tag], text=True).strip()
    place = ROOT / f".venv-{name}"
    inside = _python_of(place)
    if not _has(inside, needed):
        print(f"making {place.name} with {' and '.join(needed)}", flush=True)
        subprocess.run([python, "-m", "venv", "--clear", str(place)], check=True)
        pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *needed], check=True)
    return inside


def lean(python: str, place: pathlib.Path) -> str:
    """Make a virtual environment that has the packages of an interpreter; return its interpreter.

    The start-up code of packages (*.pth) doesn't run there: it would run in a thousand processes.
    If the environment can't be made, return `python`.
    """
    code = "import sys; print('\\n'.join(path for path in sys.path if path.endswith('-packages')))"
    packages = subprocess.check_output([python, "-c", code])
    if subprocess.call([python, "-m", "venv", "--without-pip", str(place)]):
        return python
    for folder in place.rglob("site-packages"):
        (folder / "packages.pth").write_bytes(packages)
    return _python_of(place)


def output_of(command: Sequence[str], **how: Any) -> tuple[int, str]:
    """Run a command without input; return (exit status, text on stdout and stderr).

    how: further arguments of subprocess.run.
    """
    how.update(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    done = subprocess.run(command, **how)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _python_of(place: pathlib.Path) -> str:
    """Return the interpreter of the virtual environment in a folder."""
    return str(place / ("Scripts" if os.name == "nt" else "bin") / "python")


def _has(python: str, needed: tuple[str, ...]) -> bool:
    modules = ", ".join(re.split(r"\W", package)[0] for package in needed)
    try:
        return subprocess.call([python, "-c", f"import {modules}"], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False
