"""Scores inside the chess search: centipawns, a mate `n` plies from the root is MATE - n.

search.py turns them into WIN - n.
"""
from __future__ import annotations

MATE = 32000
MATED_SOON = 31000              # scores beyond are mates
INFINITY = 32500
