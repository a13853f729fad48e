"""A game as learning plays it: by its rules, without the weights that lie beside it."""

from __future__ import annotations

from games import registry
from games.base import WIN, Game, Position
from games.learned.evaluation import unlearned

# A game that is longer than that is broken off, and counts as drawn.
LONGEST = 400


def game_called(name: str) -> Game:
    """The game of that name, without weights; KeyError where there is none."""
    return unlearned(registry.get(name))


def start(game: Game) -> Position:
    """Its start position."""
    return game.start({option.name: option.default for option in registry.options()})


def result(position: Position) -> float:
    """How a game ended for the first player: 1, 0, -1, or his margin; 0 where it was broken off."""
    outcome = position.outcome()
    if outcome is None:
        return 0.0
    if outcome.margin is not None:
        return float(outcome.margin)
    return 0.0 if outcome.winner is None else 1.0 - 2.0 * outcome.winner


def of_score(score: int, game: Game) -> float:
    """The same of the value of a finished game, for whoever has it."""
    return (score > 0) - (score < 0) if abs(score) == WIN else score / game.margin_unit
