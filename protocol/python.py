"""The oldest Python that Plyglot runs on.

An older one can't even compile most of our files.  So each entry calls require() before it
imports any of them, and the entries, plyglot/__init__.py and this file have no
`from __future__ import annotations` and no syntax that Python 3.6 doesn't know.
"""

import sys

OLDEST = (3, 9)


def require() -> None:
    """End the process with status 2 and one line if this Python is too old."""
    if sys.version_info < OLDEST:
        sys.stderr.write(
            "Plyglot needs Python {}.{} or newer, this is {}.{}.{}\n".format(
                *OLDEST, *sys.version_info[:3]
            )
        )
        sys.exit(2)
