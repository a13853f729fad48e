#!/usr/bin/env python3
"""Measure the levels below 0 (search/levels.py) by games, each against the next one below it.

    pypy3 scripts/lab/levels.py --game GAME [--games N] [--fit SHARE] [--bots]

Each opening of four random plies is played twice, with swapped colours.  Without --fit, the levels
are those of Game.strength.  With --fit, the five levels are chosen so that each level scores SHARE
(such as 0.7) against the next one below it.  For each level the script plays four matches.  It fits
a line to the results so far, and plays the next match with the carelessness (search/levels.py) at
which this line reaches SHARE.

With --bots the lowest level is then measured against bots.  One moves at random.  Two others take
the move with the best evaluation, after one ply and after two.  In chess and its variants there is
a fourth, which takes a move that gives it the largest lead in material.

A side wins if the evaluation prefers it by six win_scales for eight plies in a row.  A lead of one
win_scale is an expected score of 3/4.  After 240 plies, a side wins if the evaluation prefers it by
three win_scales; otherwise the game is drawn.
"""

from __future__ import annotations

import math
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
    from collections.abc import Callable, Iterator

    from games.types import Side

    Bot = Callable[[Position, random.Random], int]

_VALUES = {option.name: option.default for option in (*OPTIONS, *registry.options())}
_LONGEST = 240
_OPENING = 4
_CLEAR = 3
_AHEAD, _SETTLED = 6, 8
_MAX_CARELESSNESS = 6.0
# Number of matches for each level of a fit.
_TRIES = 4
# In a fit, x is the logarithm of the carelessness, and y the logarithm of the odds of scoring.
# _SLOPE is the slope assumed before any result, and _SLOPE_WEIGHT is the weight of this assumption.
_SLOPE, _SLOPE_WEIGHT = 3.0, 0.01


def private_copy(position: Position) -> Position:
    """Return an independent copy of a position."""
    return position.copy() or position.game.parse(position.text(), _VALUES)


def level(number: int) -> Bot:
    """Return a Bot that plays at a level, 0 or above."""
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


def random_mover(position: Position, generator: random.Random) -> int:
    """Return a random legal move."""
    return generator.choice(position.legal_moves())


def greedy(plies: int, judge: Callable[[Position, Side], float]) -> Bot:
    """Return a bot that takes the move with the best value after `plies` plies."""

    def value(position: Position, side: int, plies_left: int) -> float:
        moves = position.legal_moves() if plies_left and position.outcome() is None else []
        if not moves:
            return judge(position, side)
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


def evaluation(position: Position, side: Side) -> float:
    """Return the evaluation of a position for a side."""
    outcome = position.outcome()
    value = position.value_of(outcome) if outcome else position.judge().evaluate()
    return value if position.side == side else -value


def material(position: Position, side: Side) -> float:
    """Return the values of a side's pieces minus those of the opponent, in pawns (Looks.worths)."""
    if position.outcome() is not None:
        return evaluation(position, side)
    looks = position.game.looks
    pieces = [cell for row in position.board() or () for cell in row]
    worths = [looks.worths.get(piece.upper(), 0) for piece in pieces]
    return sum(
        worth if looks.owner(piece) == side else -worth for piece, worth in zip(pieces, worths)
    )


def share(game: Game, bots: tuple[Bot, Bot], games: int, first: int = 0) -> float:
    """Return the first bot's share of the points in a match.  first: the first game's number."""
    points = 0.0
    for number in range(first, first + games):
        position, generator = game.start(_VALUES), random.Random(number)
        opening = random.Random(number // 2)
        plies = lead = 0
        while plies < _LONGEST and abs(lead) < _SETTLED and position.outcome() is None:
            bot = random_mover if plies < _OPENING else bots[position.side ^ number % 2]
            position.make(bot(position, opening if plies < _OPENING else generator))
            plies += 1
            lead = _longer(lead, position)
        points += _points(position, number % 2)
    return points / games


def _longer(lead: int, position: Position) -> int:
    """Return for how many plies in a row a player has been far ahead; negative for player 1.

    lead: the number returned one ply earlier.
    """
    value = 0.0 if position.outcome() is not None else evaluation(position, 0)
    if abs(value) < _AHEAD * position.game.scores.win_scale:
        return 0
    return max(lead, 0) + 1 if value > 0 else min(lead, 0) - 1


def _points(position: Position, side: int) -> float:
    outcome, clear = position.outcome(), _CLEAR * position.game.scores.win_scale
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == side)
    value = evaluation(position, side)
    return 1.0 if value > clear else 0.0 if value < -clear else 0.5


def _odds(share: float) -> float:
    """Return the logarithm of the odds of a share of the points."""
    share = min(max(share, 0.03), 0.97)
    return math.log(share / (1 - share))


def fitted(game: Game, wanted: float, games: int) -> Iterator[float]:
    """Yield the carelessness of each level from -1 down.

    Each is chosen so that the level above scores `wanted` against this level.
    """
    above, careless = level(0), 0.0
    for _ in range(5):
        careless = _worse(game, above, careless, wanted, games)
        above = novice(careless)
        yield careless


def _worse(game: Game, above: Bot, careless: float, wanted: float, games: int) -> float:
    """Return the carelessness of an opponent against which `above` scores `wanted`.

    careless: the carelessness of `above`.
    """
    points = [(math.log(careless), 0.0)] if careless else []
    tried = 1.25 * careless or 0.15
    for number in range(1, _TRIES + 1):
        won = share(game, (above, novice(tried)), games, 1000 * number)
        print(f"    {careless:.2f} against {tried:.2f}: {won:.0%}", flush=True)
        points.append((math.log(tried), _odds(won)))
        tried = min(math.exp(_where(points, _odds(wanted))), 2 * tried, _MAX_CARELESSNESS)
    return tried


def _where(points: list[tuple[float, float]], height: float) -> float:
    """Return the x at which a line fitted to the points (x, y) reaches a height."""
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    across, up = _SLOPE_WEIGHT, _SLOPE_WEIGHT * _SLOPE
    for x, y in points:
        across += (x - middle_x) ** 2
        up += (x - middle_x) * (y - middle_y)
    return middle_x + (height - middle_y) / max(up / across, 1.0)


def measured(game: Game, games: int) -> Iterator[tuple[float, float]]:
    """Yield (carelessness, share scored by the level above) for each level from -1 down."""
    above = level(0)
    for careless in reversed(game.strength.carelessness):
        below = novice(careless)
        yield careless, share(game, (above, below), games)
        above = below


def main() -> None:
    """Print the share of the points that each level scores against the next one below it."""
    parser = Parser("scripts/lab/levels.py", __doc__.splitlines()[0])
    parser.add_game_option(required=True)
    parser.add_plugin_option()
    parser.add("--games N", "number of games of each match, a multiple of 4", 100, type=positive)
    parser.add("--fit SHARE", "fit the levels to this share", type=float)
    parser.add("--bots", "measure the lowest level against bots, too", action="store_true")
    arguments = parser.read()
    game, games = registry.get(arguments.game), arguments.games
    if arguments.fit:
        print(game.name, *(f"{worse:.2f}" for worse in fitted(game, arguments.fit, games)))
        return
    careless = 0.0
    for number, (careless, won) in enumerate(measured(game, games)):
        print(
            f"{game.name}: level {-number} against {-number - 1} ({careless:.2f}): {won:.1%}",
            flush=True,
        )
    if not arguments.bots:
        return
    bots = {
        "random": random_mover,
        "one ply": greedy(1, evaluation),
        "two plies": greedy(2, evaluation),
    }
    if game.looks.worths:
        bots["one ply of material"] = greedy(1, material)
    for name, bot in bots.items():
        won = share(game, (bot, novice(careless)), games)
        print(f"{game.name}: {name} against the lowest level: {won:.1%}", flush=True)


if __name__ == "__main__":
    main()
