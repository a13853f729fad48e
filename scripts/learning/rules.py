"""A game as training needs it: its rules, but not its weights file."""

from __future__ import annotations

from games import registry
from games.base import WIN, Game, Position
from games.learned.evaluation import unlearned

# Plies after which a game is broken off and counts as drawn.
LONGEST = 400


def game_called(name: str) -> Game:
    """Return the game of that name, without weights; raise KeyError if there is none."""
    return unlearned(registry.get(name))


def start(game: Game) -> Position:
    """Return the game's start position."""
    return game.start({option.name: option.default for option in registry.options()})


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
