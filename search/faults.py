"""Reports of the engine's own bugs, on stderr and never on the wire."""

from __future__ import annotations

import sys


def report() -> None:
    """Print a short traceback of the current exception, even if resources are exhausted."""
    if sys.stderr is None:
        return
    text = f"{sys.exc_info()[1]!r}\n"
    try:
        import traceback  # only now, since it costs a sixth of the engine's start

        text = traceback.format_exc(limit=-4)
    except (ImportError, OSError):  # no descriptor is free to read the source
        pass
    try:
        sys.stderr.write(text)
    except OSError:  # nobody reads it
        pass
