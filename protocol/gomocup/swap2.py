"""Swap2, the rule for a fair opening of Gomoku, for `SWAP2BOARD`.

One player places three stones.  The other chooses a colour, or places two more stones and
lets the first player choose.
"""

from __future__ import annotations

import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from search.job import Result

# Three stones (first player, second player, first player) as column and row from a corner.
# Rapfi finds them balanced: within 25 of its 200 points, freestyle and with exactly five.
_OPENINGS = (
    ("2,3", "0,4", "0,0"),
    ("1,3", "2,0", "0,3"),
    ("0,2", "4,1", "2,4"),
    ("4,3", "4,2", "1,3"),
    ("4,0", "1,3", "2,4"),
)


def opening(seed: int | None) -> tuple[str, str, str]:
    """Return a random opening of three stones, always the same for the same seed."""
    return random.Random(seed).choice(_OPENINGS)


def swaps(result: Result) -> bool:
    """Should the engine swap: does the search score the side to move below zero?

    In an even position the move is worth keeping.
    """
    return bool(result.lines) and result.lines[0].score < 0
