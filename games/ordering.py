"""Move ordering for every kernel: killers, history, and a different order for each helper."""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Union

    from games.types import Move

    # {move: score}, or a list of scores indexed by move.
    Scores = Union[defaultdict[Move, int], list[int]]


class Killers:
    """The last two moves that caused a cutoff at each ply.

    at[ply]: [the latest, the one before]; -1 if there is no such move.
    """

    __slots__ = ("at",)

    def __init__(self, plies: int) -> None:
        self.at = [[-1, -1] for _ in range(plies)]

    def reward(self, move: Move, ply: int) -> None:
        """Note a move that caused a cutoff, to be tried early in sibling nodes."""
        killers = self.at[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move


class History:
    """Scores of moves for the cutoffs that they caused anywhere in the tree.

    scores: {move: score}, or a list indexed by move if all are below `size`.  All scores are
    halved when one exceeds `limit`.
    """

    __slots__ = ("scores", "_limit", "_moves")

    def __init__(self, limit: int, size: int | None = None) -> None:
        self.scores: Scores = defaultdict(int) if size is None else [0] * size
        self._limit = limit
        self._moves: Iterable[Move] = self.scores if size is None else range(size)

    def reward(self, move: Move, depth: int) -> None:
        """Add depth squared to the score of a move that caused a cutoff with `depth` plies left."""
        scores = self.scores
        scores[move] += depth * depth
        if scores[move] > self._limit:
            for other in self._moves:
                scores[other] >>= 1


def reorder_for_helper(moves: list[Any], helper: int, kept: int = 1) -> None:
    """Reorder a sorted list of moves in place for the helper with this number (from 1).

    The first `kept` moves are not reordered.  Processes that share a table thus search different
    moves: one process begins with the next best moves, another with the last.  If all moves have to
    be refuted, each process later finds in the table the refutations by the other processes.
    """
    others = moves[kept:]
    if len(others) > 1:
        start = helper // 2 * len(others) // 4 % len(others)
        others = others[start:] + others[:start]
        moves[kept:] = others[::-1] if helper % 2 else others
