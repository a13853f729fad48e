"""The protocols: a file or folder for each, with a table of commands that drive the session.

table: a row for each protocol; the first line of input selects a row.  base: the base classes.
universal, go: what UCI and protocols like it have in common.  moves, scores: moves and scores as
text.  records: games in files.  arguments: the command line.  wire: the lines that enter and leave
the process.

`TYPE_CHECKING = False` replaces typing's constant of that name, since importing typing would take a
tenth of the engine's start-up time.  Type checkers take any constant of that name to be true.

Pythons older than OLDEST can't even compile most files.  So each program calls require()
before it imports any other file.  The programs, plyglot/__init__.py and this file therefore
avoid `from __future__ import annotations` and syntax that is newer than Python 3.6.
"""

import sys

OLDEST = (3, 9)


def require() -> None:
    """Exit with status 2 and a one-line message if this Python is too old."""
    if sys.version_info < OLDEST:
        sys.stderr.write(
            "Plyglot needs Python {}.{} or newer, this is {}.{}.{}\n".format(
                *OLDEST, *sys.version_info[:3]
            )
        )
        sys.exit(2)
