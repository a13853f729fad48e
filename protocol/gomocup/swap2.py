"""Swap2: how a game of Gomoku is opened fairly, for `SWAP2BOARD`.

One player puts three stones.  The other takes a colour, or puts two more and lets the
first one choose.
"""

from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from search.worker import Result

# Three stones, the first player's, the second's, the first's, as column and row from a
# corner.  Rapfi calls them even (within 25 points of 200, freestyle and exactly five).
_OPENINGS = (
    ("2,3", "0,4", "0,0"),
    ("1,3", "2,0", "0,3"),
    ("0,2", "4,1", "2,4"),
    ("4,3", "4,2", "1,3"),
    ("4,0", "1,3", "2,4"),
)


def opening(seed: int | None) -> tuple[str, str, str]:
    """Three stones to begin with, drawn by lot; the same for the same seed."""
    return random.Random(seed).choice(_OPENINGS)


def swaps(result: Result) -> bool:
    """Is the side that is not to move better off, by a search of the position?

    Where nobody is, the move is worth keeping.
    """
    return bool(result.lines) and result.lines[0].score < 0
