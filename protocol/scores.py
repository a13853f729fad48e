"""Results and scores as text for people."""

from __future__ import annotations

from games.base import MAX_SCORE
from search.report import mate_moves, seems_decided, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Game, Position
    from games.types import Score


def result_of(winner: int | None) -> str:
    """Return the result as all game records write it: `1-0` if the first player won."""
    return "1/2-1/2" if winner is None else ("1-0", "0-1")[winner]


def points(score: int, game: Game) -> str:
    """Return a score in points: `+0.35` for 35; in explicit trees the leaf value itself, `+35`."""
    return f"{score:+d}" if game.textbook else f"{score / 100:+.2f}"


def score_text(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """Return a score in points, or as `win in N` or `loss in N` moves.

    Return `winning` or `losing` if the game counts as decided without a proof.
    score: for the side to move in `position`.  line: the principal variation.
    """
    mate = mate_moves(score, position, line)
    if mate is not None:
        return f"{'win' if score > 0 else 'loss'} in {abs(mate)}"
    if seems_decided(score, position.game):
        return "winning" if score > 0 else "losing"
    return points(score, position.game)


def score_label(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """Return a score for a cell of the board: "+0.3", "W3" (a win in 3) or "L" (a loss)."""
    text = score_text(score, position, line)
    if text[0] in "wl":  # such as "win in 3" and "losing"
        return text[0].upper() + "".join(filter(str.isdigit, text))
    return text if position.game.textbook else f"{score / 100:+.1f}"


def note_text(score: int | None, mate: int | None, game: Game, colours: Sequence[str] = ()) -> str:
    """Return a score for the first player, as `+0.35` or `White wins in 3`.

    Return `Black is winning` if the game counts as decided without a proof.
    mate: moves to a proven win, negative if the second player wins; 0 if the game is over, None
        if no win is proven.
    colours: names of the players, by default the game's.
    """
    colours = colours or game.colours
    if mate is not None:
        return f"{colours[mate < 0]} wins in {abs(mate)}" if mate else "the end"
    score = score or 0
    if seems_decided(score, game):
        return f"{colours[score < 0]} is winning"
    return points(score, game)


def winrate(score: int, position: Position) -> float:
    """Return the expected result for the side to move, 0 to 1; a draw counts a half."""
    win, draw, _ = wdl(score, position.win_scale())
    return float((win + draw / 2) / 1000)


def is_proven(score: int) -> bool:
    """Is this the score of a proven win or loss?"""
    return abs(score) > MAX_SCORE


def value_at_end(position: Position) -> Score | None:
    """Return the value of a finished game for the side to move; None if a move can be played."""
    value = position.final_value()
    if value is not None or position.playable_moves():
        return value
    outcome = position.outcome()
    return None if outcome is None else position.value_of(outcome)
