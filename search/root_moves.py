"""The loop over root moves that all searches share: principal variation search in a window."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from games.types import Score

    Move = TypeVar("Move")  # a move of the game, or a RootMove of games/solver.py


def best_root_move(
    moves: Sequence[Move],
    alpha: Score,
    beta: Score,
    search_move: Callable[[Move, int, Score, Score], Score],
    on_better: Callable[[Move, Score, bool], None] | None = None,
    busy: Callable[[Move], bool] | None = None,
) -> tuple[Score, Move]:
    """Return (score, move) of the best of `moves` (at least one) within a window, fail-soft.

    search_move(move, number, alpha, beta): returns the fail-soft score of a move for its
    mover; moves are numbered from 1.
    on_better(move, score, exact): called for each move that is better than those before.
    exact: does the score lie inside the window?  The search may be stopped after any call.
    busy(move): is another process searching this move now?  If so, it is searched last.
    """
    best: Score | None = None
    choice = moves[0]
    queue = list(enumerate(moves, 1))
    count = len(queue)
    for place, (number, move) in enumerate(queue):
        if busy is not None and 0 < place < count and busy(move):
            queue.append((number, move))
            continue
        if best is None or beta - alpha == 1:
            score = search_move(move, number, alpha, beta)
        else:
            score = search_move(move, number, alpha, alpha + 1)
            if alpha < score < beta:
                score = search_move(move, number, alpha, beta)
        if best is None or score > best:
            best = score
            if on_better is not None:
                on_better(move, score, alpha < score < beta)
            if score > alpha:
                choice, alpha = move, score
                if score >= beta:
                    break
    assert best is not None
    return best, choice
