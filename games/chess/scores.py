"""Scores inside the chess search, and how the table keeps them.

Scores are centipawns, a mate `n` plies from the root is MATE - n; search.py turns them into WIN - n.

Table: two 64-bit words an entry.  keys: the position's key.  data: score + 2**15 (17 bits) | move (20 bits)
| depth (8 bits) | bound (2 bits), mate scores counted from the entry's own node.
"""
from __future__ import annotations

MATE = 32000
MATED_SOON = 31000              # scores beyond are mates
INFINITY = 32500

UPPER, LOWER, EXACT = 1, 2, 3   # bounds
