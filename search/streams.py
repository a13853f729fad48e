"""The process's stdout, reserved for the protocol."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def claim_stdout() -> BinaryIO | None:
    """Return a binary stream to stdout that nothing else can write to; None if stdout is closed.

    From here on sys.stdout and descriptor 1 lead to stderr, for plugins, for libraries
    that bypass Python's streams, and for processes that plugins start.
    """
    output = sys.stdout
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    sys.stdout = sys.stderr
    if output is None:
        return None
    try:
        # Neither copy is inherited, so the reader sees the end as soon as this process ends.
        claimed = open(os.dup(output.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), output.fileno())
    except OSError:  # a stream that isn't a file
        return output.buffer
    return claimed
