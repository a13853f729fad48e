"""The results of games as training needs them."""

from __future__ import annotations

from games.base import WIN, Game, Position

# Plies after which a game is broken off and counts as drawn.
LONGEST = 400


def result(position: Position) -> float:
    """Return the first player's result: 1, 0, -1, or the margin; 0 if the game is unfinished."""
    outcome = position.outcome()
    if outcome is None:
        return 0.0
    if outcome.margin is not None:
        return float(outcome.margin)
    return 0.0 if outcome.winner is None else 1.0 - 2.0 * outcome.winner


def of_score(score: int, game: Game) -> float:
    """Convert a player's score for a finished game to the unit of result()."""
    return (score > 0) - (score < 0) if abs(score) == WIN else score / game.margin_unit
