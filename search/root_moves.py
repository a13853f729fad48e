"""The moves at the root, and the loop over them that all searches share: PVS in a window."""

from __future__ import annotations

from games.base import overrides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
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
    if not overrides(position, "search_moves") or context.limits.moves is not None:
        return moves
    selected = [move for move in position.search_moves() if move in moves]
    if len(selected) < line_count:
        selected += [move for move in moves if move not in selected]
    return selected


def better_moves(
    moves: Sequence[Choice],
    alpha: Score,
    beta: Score,
    search_move: Callable[[Choice, int, Score, Score], Score],
    busy: Callable[[Choice], bool] = lambda move: False,
) -> Iterator[tuple[Choice, Score, bool]]:
    """Search `moves` within a window; yield the first and each that is better than all before it.

    Yields (move, fail-soft score, whether the score lies inside the window); ends when a score
    reaches beta.
    search_move(move, number, alpha, beta): returns the fail-soft score of a move for its
    mover; moves are numbered from 1.
    busy(move): is another process searching this move now?  If so, it is searched last.
    """
    best: Score | None = None
    queue = list(enumerate(moves, 1))
    count = len(queue)
    for place, (number, move) in enumerate(queue):
        if 0 < place < count and busy(move):
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
            yield move, score, alpha < score < beta
            if score >= beta:
                return
            alpha = max(alpha, score)
