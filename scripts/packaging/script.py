"""Make one file that is the whole engine, for use in a front end.

Every Python from 3.9 on runs it, PyPy too.  It starts fastest under interpreters for which it has
compiled code: the one that runs this script and those found on the path, or those named by
--python.

[options]

examples:
  scripts/package                                     makes dist/plyglot.pyz
  scripts/package -o /tmp/plyglot.pyz --python python3.12 --python pypy3
  dist/plyglot.pyz go depth 6                         works like engine.py
  dist/plyglot.pyz play othello                       and like scripts/play and others
"""

from __future__ import annotations

import pathlib
import shutil
import sys
from collections.abc import Iterator
from typing import NoReturn

from scripts.command_line import Parser, run_main
from scripts.jobs.files import FileError, Output, explained
from scripts.packaging.archive import ROOT, PackageError, build, compiled_by, is_archive

_USUAL = (*(f"python3.{minor}" for minor in range(9, 15)), "pypy3")


def run_script() -> NoReturn:
    """Run scripts/package; exit with a message and status 2 on an error."""
    run_main("scripts/package", main, PackageError, FileError)


def main() -> None:
    """Make the file that the command line asks for."""
    parser = Parser("scripts/package", __doc__)
    usual = str(ROOT / "dist" / "plyglot.pyz")
    parser.add(
        "-o --output FILE", "file to write (default: dist/plyglot.pyz in the project)", usual
    )
    held = parser.add_mutually_exclusive_group()
    python = "include code compiled by this interpreter; can be repeated"
    parser.add("--python COMMAND", python, to=held, action="append")
    parser.add("--sources-only", "include no compiled code: smaller, but slower to start", to=held)
    parser.add_force_option()
    arguments = parser.parse_args()
    path = pathlib.Path(arguments.output)
    output = _output(path, arguments.force)
    parts = {} if arguments.sources_only else dict(_compiled(arguments.python))
    build(output, parts)
    size = path.stat().st_size
    names = ", ".join(sorted(parts)) or "no interpreter"
    print(f"{path}: {size // 1024} KiB, compiled for {names}")


def _output(path: pathlib.Path, force: bool) -> Output:
    """Return the file to write, and make its folder if missing."""
    with explained("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
    return Output(path, force=force, is_ours=is_archive)


def _compiled(named: list[str] | None) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of the engine compiled by each named interpreter, or by all found."""
    if named:
        yield from map(compiled_by, named)
        return
    yield compiled_by(sys.executable)
    for command in filter(shutil.which, _USUAL):
        try:
            yield compiled_by(command)
        except PackageError:  # a name on the path that is not a working interpreter
            continue
