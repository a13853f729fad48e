"""The moves at the root, and the loop over them that all searches share: PVS in a window."""

from __future__ import annotations

from games.base import overrides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from games.base import Position
    from games.types import Move, Score
    from search.context import Context

    Choice = TypeVar("Choice")  # a move of the game, or a RootMove of games/solver.py


def root_moves(position: Position, context: Context, line_count: int) -> list[Move]:
    """Return the root moves: the front end's, else those that the game selects (search_moves).

    If these are fewer than the lines requested, all other moves follow.
    """
    moves = list(context.root_moves)
    if overrides(position, "search_moves") and context.limits.moves is None:
        narrowed = [move for move in position.search_moves() if move in set(moves)]
        if len(narrowed) >= line_count:
            return narrowed
        return narrowed + [move for move in moves if move not in narrowed]
    return moves


def best_root_move(
    moves: Sequence[Choice],
    alpha: Score,
    beta: Score,
    search_move: Callable[[Choice, int, Score, Score], Score],
    on_better: Callable[[Choice, Score, bool], None] | None = None,
    busy: Callable[[Choice], bool] | None = None,
) -> tuple[Score, Choice]:
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
