#!/usr/bin/env python3
"""Measure the levels below 0 (search/levels.py) by games, each against the next one below it.

    python3 scripts/lab/levels.py --game GAME [--games N] [--fit SHARE] [--bots]

Each opening of four random plies is played twice, with swapped colours.  Without --fit, the levels
are those of Game.strength.  --fit plays such matches from level 0 down to ever more careless
players, and fits a curve to the results.  From the curve it chooses five levels, each of which
scores SHARE (such as 0.7) against the next one below it.  CPython plays these games faster than
PyPy, which compiles each search anew.

With --bots the lowest level is then measured against three bots: one that moves at random, and two
that take the move with the best evaluation after one ply and after two.  A game is won by the side
that the evaluation prefers by six win_scales at eight plies in a row.  After 240 plies, it is won
by the side that the evaluation prefers by three win_scales; if neither is, it is drawn.
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

    Bot = Callable[[Position, random.Random], int]

_VALUES = {option.name: option.default for option in (*OPTIONS, *registry.options())}
_LONGEST = 240
_OPENING = 4
_CLEAR = 3
_AHEAD, _SETTLED = 6, 8
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


def share(game: Game, bots: tuple[Bot, Bot], games: int, first: int = 0) -> float:
    """Return the first bot's share of the points in a match.  first: number of its first game."""
    points = 0.0
    for number in range(first, first + games):
        position, generator = game.start(_VALUES), random.Random(number)
        opening = random.Random(number // 2)
        plies = lead = 0
        while plies < _LONGEST and abs(lead) < _SETTLED and position.outcome() is None:
            bot = mover_at_random if plies < _OPENING else bots[position.side ^ number % 2]
            position.make(bot(position, opening if plies < _OPENING else generator))
            plies += 1
            lead = _longer(lead, position)
        points += _points(position, number % 2)
    return points / games


def _longer(lead: int, position: Position) -> int:
    """Return the number of plies that a player has been far ahead; negative for player 1."""
    value = 0.0 if position.outcome() is not None else _value(position, 0)
    if abs(value) < _AHEAD * position.game.scores.win_scale:
        return 0
    return max(lead, 0) + 1 if value > 0 else min(lead, 0) - 1


def _points(position: Position, side: int) -> float:
    outcome, clear = position.outcome(), _CLEAR * position.game.scores.win_scale
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == side)
    value = _value(position, side)
    return 1.0 if value > clear else 0.0 if value < -clear else 0.5


class Fit:
    """The strength of players by their carelessness, fitted to the games that they played.

    The strength falls by log(c) * `steepness` + c * `growth`, where c is the carelessness; `offset`
    is this sum for level 0.  The difference of two sums is the logarithm of the odds between them.
    """

    def __init__(self, game: Game, games: int) -> None:
        self._game, self._games = game, games
        self._played: list[tuple[float, float, float]] = []  # (c above or 0, c below, share)
        self.offset = self.steepness = self.growth = 0.0

    def play(self, above: float, below: float) -> float:
        """Play a match; return the logarithm of the odds of `above`, where 0 stands for level 0."""
        bots = novice(above) if above else level(0), novice(below)
        won = share(self._game, bots, self._games)
        self._played.append((above, below, won))
        print(f"    {above:.2f} against {below:.2f}: {won:.0%}", flush=True)
        return _odds(won)

    def climb_down(self, odds: float) -> None:
        """Play matches from level 0 down, until the lowest player is `odds` below level 0."""
        self.play(0, 0.2)
        reached, careless, ratio = self.play(0, 0.35), 0.35, 1.5
        while reached < odds and careless < _MAX_CARELESSNESS:
            won = self.play(careless, careless * ratio)
            reached, careless = reached + won, careless * ratio
            ratio = min(max(ratio ** (1.1 / max(won, 0.3)), 1.2), 2.2)

    def solve(self) -> None:
        """Find the parameters that make the results likeliest."""
        steps = [step / 10 for step in range(0, 81, 2)]
        _, self.steepness, self.growth, self.offset = max(
            (self._likelihood(steepness, growth, offset), steepness, growth, offset)
            for steepness in steps[:25]
            for growth in steps
            for offset in (growth / 4 - steepness * 1.4 + step / 4 for step in range(-14, 15))
        )

    def _likelihood(self, steepness: float, growth: float, offset: float) -> float:
        total = -0.02 * (steepness - 2.0) ** 2  # a prior, which matters if there are few games
        for above, below, won in self._played:
            high = steepness * math.log(above) + growth * above if above else offset
            odds = steepness * math.log(below) + growth * below - high
            total -= self._games * (math.log1p(math.exp(-odds)) + (1 - won) * odds)
        return total

    def carelessness(self, odds: float) -> float:
        """Return the carelessness of a player that is `odds` below level 0."""
        low, high = 0.02, _MAX_CARELESSNESS
        for _ in range(40):
            middle = (low + high) / 2
            there = self.steepness * math.log(middle) + self.growth * middle
            low, high = (middle, high) if there < self.offset + odds else (low, middle)
        return low


def _odds(share: float) -> float:
    """Return the logarithm of the odds of a share of the points."""
    share = min(max(share, 0.03), 0.97)
    return math.log(share / (1 - share))


def fitted(game: Game, wanted: float, games: int) -> list[float]:
    """Return the carelessness of each level from -1 down.  wanted: see --fit."""
    fit, step = Fit(game, games), _odds(wanted)
    fit.climb_down(4.7 * step)
    fit.solve()
    print(f"    {fit.offset:.2f} {fit.steepness:.1f} {fit.growth:.1f}")
    return [fit.carelessness(number * step) for number in range(1, 6)]


def measured(game: Game, games: int) -> Iterator[tuple[float, float]]:
    """Yield (carelessness, share of the level above) of the game's levels from -1 down."""
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
        print(game.name, *(f"{careless:.2f}" for careless in fitted(game, arguments.fit, games)))
        return
    careless = 0.0
    for number, (careless, won) in enumerate(measured(game, games)):
        print(
            f"{game.name}: level {-number} against {-number - 1} ({careless:.2f}): {won:.1%}",
            flush=True,
        )
    for name, bot in (
        ("random", mover_at_random),
        ("one ply", greedy(1)),
        ("two plies", greedy(2)),
    ):
        if arguments.bots:
            won = share(game, (bot, novice(careless)), games)
            print(f"{game.name}: {name} against the lowest level: {won:.1%}", flush=True)


if __name__ == "__main__":
    main()
