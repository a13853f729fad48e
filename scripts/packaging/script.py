"""scripts/package: the command line."""
from __future__ import annotations

import pathlib
import shutil
import sys
from collections.abc import Iterator

from scripts.command_line import Parser
from scripts.packaging.archive import ROOT, PackageError, build, compiled_by

_DESCRIPTION = """Make one file that is the whole engine, and that a front end is pointed at.

Every Python from 3.9 on runs it, PyPy too.  It starts fastest under the interpreters that it holds
compiled code for: the one that runs this script and those found on the path, or the ones that
--python names."""
_EPILOG = """examples:
  scripts/package                                     makes dist/plyglot.pyz
  scripts/package -o /tmp/plyglot.pyz --python python3.12 --python pypy3
  dist/plyglot.pyz go depth 6                         what engine.py does, it does
  dist/plyglot.pyz play othello                       and what scripts/play and others do"""

_USUAL = (*(f"python3.{minor}" for minor in range(9, 15)), "pypy3")


def run_script() -> None:
    """The whole script; exits with 2 after a message where something is wrong."""
    parser = Parser("scripts/package", description=_DESCRIPTION, epilog=_EPILOG)
    usual = str(ROOT / "dist" / "plyglot.pyz")
    parser.add_argument("-o", "--output", metavar="FILE", default=usual,
                        help="default: dist/plyglot.pyz in the project")
    held = parser.add_mutually_exclusive_group()
    held.add_argument("--python", metavar="COMMAND", action="append",
                      help="hold code compiled by this interpreter")
    held.add_argument("--sources-only", action="store_true",
                      help="hold no compiled code: small, slower to start")
    arguments = parser.parse_args()
    try:
        parts = {} if arguments.sources_only else dict(_compiled(arguments.python))
        build(arguments.output, parts)
    except PackageError as error:
        parser.error(error)
    except KeyboardInterrupt:
        sys.exit(130)
    size = pathlib.Path(arguments.output).stat().st_size
    names = ", ".join(sorted(parts)) or "no interpreter"
    print(f"{arguments.output}: {size // 1024} KiB, compiled for {names}")


def _compiled(named: list[str] | None) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the engine compiled by each interpreter named, or by all that there are."""
    if named:
        yield from map(compiled_by, named)
        return
    yield compiled_by(sys.executable)
    for command in filter(shutil.which, _USUAL):
        try:
            yield compiled_by(command)
        except PackageError:        # a name on the path without an interpreter behind it
            continue
