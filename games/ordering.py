"""What a search learns about moves that cut off: killers and history, for every kernel that orders by them."""
from __future__ import annotations

from collections import defaultdict


class Killers:
    """The last two moves that cut off at each ply.  at[ply]: [latest, the one before], -1 for none."""

    __slots__ = ("at",)

    def __init__(self, plies):
        self.at = [[-1, -1] for _ in range(plies)]

    def reward(self, move, ply):
        """A move cut off: it is tried early in the siblings."""
        killers = self.at[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move


class History:
    """How much a move has cut off, anywhere in the tree.

    scores: {move: score}, or a list for moves below `size`; all are halved when one passes `limit`.
    """

    __slots__ = ("scores", "_limit", "_moves")

    def __init__(self, limit, size=None):
        self.scores = defaultdict(int) if size is None else [0] * size
        self._limit, self._moves = limit, self.scores if size is None else range(size)

    def reward(self, move, depth):
        """A move cut off with `depth` plies left."""
        scores = self.scores
        scores[move] += depth * depth
        if scores[move] > self._limit:
            for other in self._moves:
                scores[other] >>= 1
