"""How helpers that share a table stay out of each other's way: they try a node's moves in different orders."""
from __future__ import annotations


def spread(moves, number, kept=1):
    """Put a sorted list of moves into the order of the helper `number` (from 1), in place; the first `kept` stay.

    Where all moves have to be refuted one process begins with the next best and another one at the end; by the time
    they meet each finds the other's refutations in the table.
    """
    rest = moves[kept:]
    if len(rest) > 1:
        start = number // 2 * len(rest) // 4 % len(rest)
        rest = rest[start:] + rest[:start]
        moves[kept:] = rest[::-1] if number % 2 else rest
