"""Perft: the number of move sequences of a given length, the standard test of move generation.

Only the rules of movement count: a draw with legal moves left (repetition, fifty moves,
lack of material) does not end a line.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Position
    from games.types import Move


# A deeper tree could never be counted completely.
MOST_PLIES = 30


def perft(position: Position, depth: int, check: Callable[[int], object] | None = None) -> int:
    """Return the number of leaves at exactly `depth` plies.

    check(leaves below a node) is called from time to time and may raise.
    """
    if check is None or depth <= 1:
        return position.perft(depth)
    total = 0
    for move in position.playable_moves():
        position.make(move)
        total += perft(position, depth - 1, check)
        position.undo()
    check(total)
    return total


def divide(
    position: Position, depth: int, check: Callable[[int], object] | None = None
) -> list[tuple[Move, int]]:
    """Return [(root move, leaves below it)] at `depth` >= 1 plies."""
    counts = []
    for move in position.playable_moves():
        position.make(move)
        counts.append((move, perft(position, depth - 1, check)))
        position.undo()
    return counts
