"""Own bugs: reported on stderr, never on the wire, and survived."""

from __future__ import annotations

import sys


def report() -> None:
    """Print a short traceback of the exception being handled, whatever is left to print it with."""
    if sys.stderr is None:
        return
    text = f"{sys.exc_info()[1]!r}\n"
    try:
        import traceback  # only now: it costs a sixth of the engine's start

        text = traceback.format_exc(limit=-4)
    except (ImportError, OSError):  # no descriptor is free to read it
        pass
    try:
        sys.stderr.write(text)
    except OSError:  # nobody reads it
        pass
