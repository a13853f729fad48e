"""Self-play games, and the target values of their positions.

A move is the best one by a search of one ply or, occasionally, a random one.
The target value of a position is the lambda-return (Sutton 1988), computed from the end of the
game backwards: it mixes the value after the best move with the return of the next position.  The
play after a random move says nothing about the position before this move, so the return of that
position is the value after the best move alone.

A job and its result are plain data for an executor.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Sequence
from typing import Any, Callable

from games import registry
from games.base import Game, Position
from games.learned.evaluation import Contents, unlearned
from games.learned.patterns import Layout
from protocol.records.record import Start
from scripts.arena.engines import load_plugins
from scripts.learning import rules

# Functions that read the patterns of a position, make a move on it, and undo one.
Followed = tuple[Callable[[], tuple[int, ...]], Callable[[int], None], Callable[[], None]]

# Factor that makes a won or lost game outweigh any value of the network.
_WON = 1e6


class Network:
    """The weights during training: floats, for each phase of a game.

    scale: divisor of margins; None if games are only won or lost.  In that case a value v means
    the expected result tanh(v).
    """

    def __init__(self, layout: Layout, scale: float | None, phases: Sequence[Any] = ()) -> None:
        self.layout, self.scale = layout, scale
        self.tables, self.size = layout.tables()
        zeros = bytes(8 * self.size)
        self.phases = list(phases) or [array("d", zeros) for _ in range(layout.phases)]
        self.phase_of = layout.phase_of
        self._contents = Contents(layout, layout.patterns)

    def follow(self, position: Position) -> Followed:
        """Return functions that read a position's patterns, and that make and undo moves on it.

        The first returns the code of each pattern's content, then the count of occupied cells.
        """
        (number, make, undo), words = self._contents.follow(position), self._contents.words
        return lambda: words(number()), make, undo

    def value(self, numbers: Sequence[int], side: int) -> float:
        """Return the value of a position for `side`, which is to move.

        numbers: as the first function of follow() returns them.
        """
        weights, total = self.phases[self.phase_of[numbers[-1]]], 0.0
        for table, content in zip(self.tables[side], numbers):
            total += weights[table[content]]
        return total

    def expected(self, value: float) -> float:
        """Return the result that an evaluation predicts.

        It is -1 to 1 if only the winner counts, otherwise a margin divided by `scale`.
        """
        return math.tanh(value) if self.scale is None else value

    def of_result(self, result: float) -> float:
        """Convert a result of rules.py to the unit of expected()."""
        return result if self.scale is None else result / self.scale


def best_move(
    position: Position, network: Network, followed: Followed, moves: Sequence[int]
) -> tuple[int, float]:
    """Return the best move for the side to move, and the expected result after it."""
    numbers, make, undo = followed
    best, chosen = -math.inf, moves[0]
    side = position.side
    for move in moves:
        make(move)
        score = position.final_value()
        if score is None:
            value = network.value(numbers(), position.side)
        else:
            value = network.of_result(rules.of_score(score, position.game))
            if network.scale is None:
                value *= _WON
        if position.side != side:
            value = -value
        undo()
        if value > best:
            best, chosen = value, move
    return chosen, network.expected(best)


def play(
    game: Game, network: Network, dice: random.Random, opening: int, exploring: float, decay: float
) -> tuple[list[int], list[float]]:
    """Play a game; return (all its moves, a target value per position after the random opening).

    opening: exclusive upper limit for the number of random opening moves, which is drawn at random.
    exploring: share of random moves in the rest of the game.  decay: the lambda of the returns.
    """
    position = Start(game).position()
    followed = network.follow(position)
    _, make, _ = followed
    drawn = dice.randrange(opening) if opening else 0
    moves: list[int] = []
    # (the best move's expected result, whether a random move was played)
    steps: list[tuple[float, bool]] = []
    while len(moves) < rules.LONGEST and (legal := position.legal_moves()):
        dice.shuffle(legal)
        move = legal[0]
        if len(moves) >= drawn:
            best, expected = best_move(position, network, followed, legal)
            explores = dice.random() < exploring
            steps.append((-expected if position.side else expected, explores))
            move = move if explores else best
        moves.append(move)
        make(move)
    target = network.of_result(rules.result(position))
    returns = []
    for expected, explores in reversed(steps):
        target = expected if explores else expected + decay * (target - expected)
        returns.append(target)
    return moves, returns[::-1]


def carry_out(job: dict[str, Any]) -> dict[str, Any]:
    """Play the games of a job of session.py."""
    load_plugins(job["plugins"])
    layout = Layout(**job["layout"])
    network = Network(layout, job["scale"], [array("d", weights) for weights in job["weights"]])
    game, games = unlearned(registry.get(job["game"])), []
    for index in range(job["first"], job["first"] + job["count"]):
        games.append(play(game, network, random.Random(f"{job['seed']} {index}"), **job["play"]))
    return {"id": job["id"], "games": games}
