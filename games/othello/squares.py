"""The moves of Othello: the squares of the board, 8 * row from the top + column, and the pass."""
from __future__ import annotations

PASS = 64

# Corners first, the squares beside empty corners last: the order in which moves are listed.
SQUARE_ORDER = tuple(8 * y + x for y, x in (
    (0, 0), (0, 7), (7, 0), (7, 7), (0, 2), (0, 5), (2, 0), (2, 7), (5, 0), (5, 7), (7, 2), (7, 5),
    (2, 2), (2, 5), (5, 2), (5, 5), (0, 3), (0, 4), (3, 0), (3, 7), (4, 0), (4, 7), (7, 3), (7, 4),
    (2, 3), (2, 4), (3, 2), (3, 5), (4, 2), (4, 5), (5, 3), (5, 4), (3, 3), (3, 4), (4, 3), (4, 4),
    (1, 3), (1, 4), (3, 1), (3, 6), (4, 1), (4, 6), (6, 3), (6, 4), (1, 2), (1, 5), (2, 1), (2, 6),
    (5, 1), (5, 6), (6, 2), (6, 5), (0, 1), (0, 6), (1, 0), (1, 7), (6, 0), (6, 7), (7, 1), (7, 6),
    (1, 1), (1, 6), (6, 1), (6, 6)))
