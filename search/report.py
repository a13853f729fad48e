"""The output of a search: Reports of its progress, its Result, and the meaning of a score."""

from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.data import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Game, Position
    from games.solver import Line
    from games.types import Move, Score, Side

    OnReport = Callable[["Report", Position], None]
    OnDone = Callable[["Result"], None]

# The share of draws at a score of 0.
_DRAWS = 0.4


class Report(Fields):
    """A report of a running search.

    line: the Line found; None for a report of progress alone.
    seconds: since the start.  seldepth: at least the line's depth.
    hashfull: permille of the table in use.
    current: the root move being searched, as (move, number from 1), or None.
    """

    line: Line | None
    nodes: int
    seconds: float
    seldepth: int = 0
    hashfull: int = 0
    current: tuple[Move, int] | None = None

    def __post_init__(self) -> None:
        if self.line is not None:
            self.seldepth = max(self.seldepth, self.line.depth)

    @property
    def speed(self) -> int:
        """Return the number of nodes per second."""
        return round(self.nodes / max(self.seconds, 0.001))


class Result(Fields):
    """The result of a search.

    lines: Lines, best first; empty if the game is over.
    position: the position that was searched, or a copy.
    nodes: number visited in all phases of the search; 0 if the caller doesn't pass it.
    """

    lines: list[Line]
    position: Position
    nodes: int = 0

    @property
    def best_move(self) -> Move:
        """Return the best move; the game must not be over."""
        return self.lines[0].moves[0]

    @property
    def answer(self) -> list[Move]:
        """Return the best move and, if it is known, the opponent's reply; [] if the game is over.

        If the same player moves again, its next move is no reply.
        """
        moves = self.lines[0].moves[:2] if self.lines else []
        if _moves_of(self.position.side, self.position, moves) == 2:
            moves.pop()
        return moves


# ---- the meaning of a score ----------------------------------------------------------


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
    """Is the score large enough that the game counts as decided, though not proven?"""
    decided = game.scores.decided
    return decided is not None and decided <= abs(score) <= MAX_SCORE


def mate_moves(score: Score, position: Position, line: Sequence[Move] = ()) -> int | None:
    """Return the number of moves that the winner needs; None if the score proves no win.

    The number is negative if the side to move loses.
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
