"""Games between players in one process, to measure what a training run has achieved."""

from __future__ import annotations

import random
from functools import partial
from typing import Callable

from games.base import Game, Position
from protocol.records.record import Start
from scripts.arena.elo import score_interval
from scripts.command_line import counted
from scripts.learning import rules
from scripts.learning.selfplay import Network, best_move

# move(position, played): returns the move to play in a position, to which the moves `played` led.
# It leaves the position as it was.
Mover = Callable[[Position, list[int]], int]

# Maximum number of random moves at the beginning of a pair of games.
_OPENING = 6
# A quick match ends after _MAX_POSITIONS positions, but not before _MIN_PAIRS pairs of games.
_MAX_POSITIONS, _MIN_PAIRS = 300_000, 10


class Score:
    """The result of pairs of games with swapped colours.

    pairs: the points of each pair, 0 to 2.
    """

    def __init__(self, pairs: list[float]) -> None:
        self.games = 2 * len(pairs)
        counts = [pairs.count(points / 2) for points in range(5)]
        self.score, _, self.error = score_interval(counts)
        self.low = self.score - self.error

    def __str__(self) -> str:
        games = counted(self.games, "game")
        return f"{100 * self.score:.1f} % \u00b1 {100 * self.error:.1f} ({games})"


def quick(game: Game, network: Network, pairs: int, seed: int) -> Score:
    """Return the Score of a network against no evaluation, in games at depth 1."""
    dice, none = random.Random(f"quick {seed}"), Network(network.layout, network.scale)
    compared = 0  # number of positions evaluated

    def move(network: Network, position: Position, played: list[int]) -> int:
        """Return the best move at depth 1, drawn at random if several are equally good."""
        nonlocal compared
        moves = position.legal_moves()
        dice.shuffle(moves)
        compared += len(moves)
        return best_move(position, network, network.follow(position), moves)[0]

    def enough(score: Score) -> bool:
        return compared > _MAX_POSITIONS and score.games >= 2 * _MIN_PAIRS

    return play(game, partial(move, network), partial(move, none), pairs, seed, enough)


def _opening(game: Game, dice: random.Random) -> list[int]:
    """Return a few random moves that leave the game unfinished."""
    while True:
        position = Start(game).position()
        moves: list[int] = []
        for _ in range(dice.randrange(_OPENING) + 1):
            if legal := position.legal_moves():
                moves.append(dice.choice(legal))
                position.make(moves[-1])
        if position.legal_moves():
            return moves


def play(
    game: Game,
    one: Mover,
    other: Mover,
    pairs: int,
    seed: int,
    ends: Callable[[Score], bool | None],
) -> Score:
    """Return the Score of `one` against `other` in games from random openings.

    ends: called with the Score after each pair; a true result ends the match.
    """
    points: list[float] = []
    for pair in range(pairs):
        opening = _opening(game, random.Random(f"opening {seed} {pair}"))
        points.append(sum(_game(game, one, other, colour, opening) for colour in (0, 1)))
        score = Score(points)
        if ends(score):
            break
    return score


def _game(game: Game, one: Mover, other: Mover, colour: int, opening: list[int]) -> float:
    """Play a game and return the points of `one`, which plays `colour`: 0, 0.5 or 1."""
    position, moves = Start(game).position(), list(opening)
    for move in opening:
        position.make(move)
    while len(moves) < rules.LONGEST and (legal := position.legal_moves()):
        mover = one if position.side == colour else other
        moves.append(mover(position, moves) if len(legal) > 1 else legal[0])
        position.make(moves[-1])
    result = rules.result(position) * (1 - 2 * colour)
    return 0.5 + 0.5 * ((result > 0) - (result < 0))
