"""Perft: the number of move sequences of a length, the field's check of move generation.

Only the rules of movement count: a draw that leaves moves to play (repetition, fifty moves, lack of material) ends no
line.
"""
from __future__ import annotations


def perft(position, depth, check=None):
    """Leaves at exactly `depth` plies.  check(nodes) is called now and then and may raise."""
    if depth <= 0:
        return 1
    if position.perft is not None and check is None:
        return position.perft(depth)
    if depth == 1:
        return len(position.playable_moves())
    total = 0
    for move in position.playable_moves():
        position.make(move)
        total += perft(position, depth - 1, check)
        position.undo()
    if check is not None:
        check(total)
    return total


def divide(position, depth, check=None):
    """[(root move, leaves below it)] at `depth` >= 1 plies."""
    counts = []
    for move in position.playable_moves():
        position.make(move)
        counts.append((move, perft(position, depth - 1, check)))
        position.undo()
    return counts
