"""Minimax and alpha-beta as in a first lecture: child by child, from left to right.

There is no table and no move ordering, only one pass at full depth.  Values are for the
maximiser, player 0.  alpha is the value that the maximiser is already assured of, and beta the
value that the minimiser is assured of.  Fail-soft: the value may lie outside the window.
Explicit trees are searched this way (lecture.py), and scripts/tree draws the visited nodes.
"""

from __future__ import annotations

from games.base import INFINITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Position
    from games.types import Move, Score

    Path = tuple[Move, ...]  # The moves that lead to a node.
    # visit(path, alpha, beta): called on entry to a node.
    Visit = Callable[[Path, Score, Score], None]


def leaf_value(position: Position, depth: int | None) -> Score | None:
    """Return a leaf's value for the side to move; None if the search goes on below the node.

    depth: the plies left, None for no limit.
    """
    value = position.final_value()
    if value is None and not position.legal_moves():
        outcome = position.outcome()
        assert outcome is not None, "without a legal move the game is over"
        value = position.value_of(outcome)
    if value is None and depth == 0:
        value = position.judge().evaluate()
    return value


def minimax(
    position: Position,
    depth: int | None = None,
    visit: Visit | None = None,
    prune: bool = True,
    null_windows: bool = False,
    moves: Sequence[Move] | None = None,
) -> tuple[Score, list[Move]]:
    """Return (value, principal variation) for the maximiser.

    depth: in plies, None for the whole tree.
    visit(path, alpha, beta) is called on entry to each node and may raise.
    prune: use alpha-beta; if False, every node is visited.  moves: the root moves to consider.
    null_windows: principal variation search (Marsland and Campbell, 1982), which takes fewer nodes.
    The first move of a node is searched with the full window.  The others are only tested for being
    better, with a null window of width 1; those that prove better are searched again.
    """
    path: list[Move] = []

    def search(
        depth: int | None, alpha: Score, beta: Score, moves: Sequence[Move] | None
    ) -> tuple[Score, list[Move]]:
        if visit is not None:
            visit(tuple(path), alpha, beta)
        maximises = position.side == 0
        value = leaf_value(position, depth)
        if value is not None:
            return (value if maximises else -value), []
        below = None if depth is None else depth - 1
        best = -INFINITY if maximises else INFINITY
        line: list[Move] = []
        for move in position.legal_moves() if moves is None else moves:
            window = alpha, beta
            if null_windows and line:  # for every move but the first
                window = (alpha, alpha + 1) if maximises else (beta - 1, beta)
            position.make(move)
            path.append(move)
            value, reply_line = search(below, *window, None)
            if window != (alpha, beta) and alpha < value < beta:
                value, reply_line = search(below, alpha, beta, None)  # better, so find its value
            path.pop()
            position.undo()
            if not line or (value > best if maximises else value < best):
                best, line = value, [move] + reply_line
            if prune:
                if maximises:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    break
        return best, line

    return search(depth, -INFINITY, INFINITY, moves)
