#!/usr/bin/env python3
"""Measure the levels below 0 (search/levels.py) by games, each against the next one below it.

    python3 scripts/lab/levels.py --game GAME [--games N] [--fit SHARE]

Each opening of four random plies is played twice, with swapped colours.  --fit finds for each level
the carelessness against which the level above it scores SHARE (such as 0.67), from level 0 down;
without it, the levels are those of Game.strength.

The lowest level is then measured against three bots: one that moves at random, and two that take
the move with the best evaluation after one ply and after two.  A game that is not over after 240
plies goes to the side that the evaluation prefers by three win_scales, else it is a draw.
"""

from __future__ import annotations

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import Game, Position  # noqa: E402
from scripts.command_line import Parser, positive  # noqa: E402
from search import context_of  # noqa: E402
from search.levels import Novice  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.options import OPTIONS  # noqa: E402
from search.think import think  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Bot = Callable[[Position, random.Random], int]

_VALUES = {option.name: option.default for option in (*OPTIONS, *registry.options())}
_LONGEST = 240
_OPENING = 4
_CLEAR = 3
_STEPS = 6  # of a fit
_MAX_CARELESSNESS = 6.0


def private_copy(position: Position) -> Position:
    """Return an independent position."""
    return position.copy() or position.game.parse(position.text(), _VALUES)


def level(number: int) -> Bot:
    """Return a player of level 0 or above."""
    values = {**_VALUES, "Skill Level": number, "OwnBook": False}

    def bot(position: Position, generator: random.Random) -> int:
        private = private_copy(position)
        context = context_of(private, Limits(), values, {}, 4)
        context.random = generator
        return think(private, context, lambda report: None)[0].moves[0]

    return bot


def novice(carelessness: float) -> Bot:
    """Return a player with this carelessness (see search/levels.py)."""

    def bot(position: Position, generator: random.Random) -> int:
        private = private_copy(position)
        context = context_of(private, Limits(), _VALUES, {}, 1)
        context.random = generator
        return Novice(private, context, carelessness).line().moves[0]

    return bot


def mover_at_random(position: Position, generator: random.Random) -> int:
    """Return any legal move."""
    return generator.choice(position.legal_moves())


def greedy(plies: int) -> Bot:
    """Return a bot that takes the best evaluation after some plies."""

    def value(position: Position, side: int, plies_left: int) -> float:
        moves = position.legal_moves() if plies_left and position.outcome() is None else []
        if not moves:
            return _value(position, side)
        values = []
        for move in moves:
            position.make(move)
            values.append(value(position, side, plies_left - 1))
            position.undo()
        mine = position.side == side
        return max(values) if mine else min(values)

    def bot(position: Position, generator: random.Random) -> int:
        side, best = position.side, (float("-inf"), -1)
        for move in position.legal_moves():
            position.make(move)
            best = max(best, (value(position, side, plies - 1) + generator.random(), move))
            position.undo()
        return best[1]

    return bot


def _value(position: Position, side: int) -> float:
    outcome = position.outcome()
    value = position.value_of(outcome) if outcome else position.judge().evaluate()
    return value if position.side == side else -value


def share(game: Game, bots: tuple[Bot, Bot], games: int) -> float:
    """Return the share of the first bot in a match."""
    points = 0.0
    for number in range(games):
        position, generator = game.start(_VALUES), random.Random(number)
        opening = random.Random(number // 2)
        plies = 0
        while plies < _LONGEST and position.outcome() is None:
            bot = mover_at_random if plies < _OPENING else bots[position.side ^ number % 2]
            position.make(bot(position, opening if plies < _OPENING else generator))
            plies += 1
        points += _points(position, number % 2)
    return points / games


def _points(position: Position, side: int) -> float:
    outcome, clear = position.outcome(), _CLEAR * position.game.scores.win_scale
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == side)
    value = _value(position, side)
    return 1.0 if value > clear else 0.0 if value < -clear else 0.5


def fitted(game: Game, above: Bot, least: float, games: int, wanted: float) -> float:
    """Return the carelessness against which `above` scores the wanted share."""
    low, high = least, _MAX_CARELESSNESS
    tried = max(1.35 * least, 0.15)
    found: list[tuple[float, float]] = []
    for _ in range(_STEPS):
        score = share(game, (above, novice(tried)), games)
        found.append((abs(score - wanted), tried))
        low, high = (tried, high) if score < wanted else (low, tried)
        tried = min(1.5 * tried, high) if high == _MAX_CARELESSNESS else (low * high) ** 0.5
    return min(found)[1]


def main() -> None:
    """Print the share of the points that each level scores against the next one below it."""
    parser = Parser("scripts/lab/levels.py", __doc__.splitlines()[0])
    parser.add_game_option(required=True)
    parser.add("--games N", "number of games of each match", 60, type=positive)
    parser.add("--fit SHARE", "fit the levels to this share", type=float)
    arguments = parser.read()
    game = registry.get(arguments.game)
    games, wanted = arguments.games, arguments.fit
    above, least = level(0), 0.1
    for number, known in zip(range(-1, -6, -1), reversed(game.strength.carelessness)):
        careless = known if wanted is None else fitted(game, above, least, games, wanted)
        below = novice(careless)
        won = share(game, (above, below), games)
        print(
            f"{game.name}: level {number + 1} against {number} ({careless:.2f}): {won:.0%}",
            flush=True,
        )
        above, least = below, careless
    for name, bot in (
        ("random", mover_at_random),
        ("one ply", greedy(1)),
        ("two plies", greedy(2)),
    ):
        print(
            f"{game.name}: {name} against the lowest level: {share(game, (bot, above), games):.0%}"
        )


if __name__ == "__main__":
    main()
