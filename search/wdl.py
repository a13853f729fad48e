"""The meaning of a score: win, draw and loss in permille, and moves to a proven win."""

from __future__ import annotations

from games.base import MAX_SCORE, WIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Game, Position
    from games.types import Move, Score, Side

# The share of draws at a score of 0.
_DRAWS = 0.4


def wdl(score: Score, win_scale: int) -> tuple[int, int, int]:
    """Return (win, draw, loss) in permille, in total 1000, for the side that has `score`.

    The expected score follows a logistic curve: 1/2 at a score of 0, 3/4 at win_scale.  The farther
    it is from 1/2, the fewer draws there are.
    """
    if abs(score) > MAX_SCORE:
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    ratio = max(-20.0, min(20.0, score / win_scale))
    expected: float = 1.0 / (1.0 + 3.0**-ratio)
    draw = _DRAWS * 4.0 * expected * (1.0 - expected)
    win = round(1000 * max(0.0, expected - draw / 2))
    loss = round(1000 * max(0.0, 1.0 - expected - draw / 2))
    return win, 1000 - win - loss, loss


def seems_decided(score: Score, game: Game) -> bool:
    """Is the score so high that it counts as decided, though not proven?"""
    decided = game.scores.decided
    return decided is not None and decided <= abs(score) <= MAX_SCORE


def mate_moves(score: Score, position: Position, line: Sequence[Move] = ()) -> int | None:
    """Return the number of moves that the winner needs; None if the score is no proven win.

    Negative if the side to move loses.
    score: for the side to move in `position`.  line: the moves that follow.  They matter only if a
    player may move several times in a row: they show who makes each move.  After the line the
    players are assumed to alternate.
    """
    if abs(score) <= MAX_SCORE:
        return None
    plies = WIN - abs(score)
    known = [] if position.game.alternates else list(line)[:plies]
    # The line of an explicit tree may end with a move of the losing side.
    count = (plies - len(known) + (score > 0 or len(known) > 0)) // 2
    if known:
        winner = position.side if score > 0 else 1 - position.side
        count += _moves_of(winner, position, known)
    count = max(count, 1) if plies else 0
    return count if score > 0 else -count


def _moves_of(player: Side, position: Position, line: Sequence[Move]) -> int:
    """Return the number of the player's moves in a line."""
    count = 0
    for move in line:
        count += position.side == player
        position.make(move)
    for _ in line:
        position.undo()
    return count
