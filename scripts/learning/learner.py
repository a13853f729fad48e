"""How the weights change: temporal differences, each weight at a rate of its own.

A position's expected result is moved towards its return along the gradient.  How far each
weight goes is told by temporal coherence (Beal and Smith 1999): the sum of its changes so
far divided by the sum of their sizes.  A weight that is always pushed the same way goes
fast, one that is pushed to and fro has found its place and goes slowly.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from games.base import Game
from scripts.learning import rules
from scripts.learning.selfplay import Network

# The error that is told is that of about so many positions.
_MEMORY = 5000


class Learner:
    """A Network that learns.

    rate: how much of a difference one position makes good, at first.  games, positions:
    learned from so far. error: the mean square of the differences.
    """

    def __init__(self, network: Network, rate: float) -> None:
        self.network, self._rate = network, rate
        zeros = bytes(8 * network.size)
        self.sums = [array("d", zeros) for _ in network.phases]  # of the changes of each weight
        self.sizes = [array("d", zeros) for _ in network.phases]  # of the sizes of these changes
        self.games = self.positions = 0
        self.error = 0.0

    def learn(self, game: Game, moves: Sequence[int], returns: Sequence[float]) -> None:
        """Learn from a game.

        returns: what the positions before its last moves were worth to the first player.
        """
        position = rules.start(game)
        numbers = self.network.attach(position)
        first = len(moves) - len(returns)
        for ply, move in enumerate(moves):
            if ply >= first:
                target = returns[ply - first]
                self.update(numbers(), position.side, -target if position.side else target)
            position.make(move)
        self.games += 1

    def update(self, numbers: Sequence[int], side: int, target: float) -> None:
        """Move the expected result of a position, for the side to move, towards `target`."""
        network = self.network
        phase = network.phase_of[numbers[-1]]
        weights, sums, sizes = network.phases[phase], self.sums[phase], self.sizes[phase]
        expected = network.expected(network.value(numbers, side))
        difference = target - expected
        change = difference * slope(network, expected)
        step, size = change * self._rate / len(network.tables[side]), abs(change)
        for table, content in zip(network.tables[side], numbers):
            number = table[content]
            seen = sizes[number]
            weights[number] += step * abs(sums[number]) / seen if seen else step
            sums[number] += change
            sizes[number] = seen + size
        self.positions += 1
        self.error += (difference * difference - self.error) / min(self.positions, _MEMORY)


def slope(network: Network, expected: float) -> float:
    """How fast the expected result grows with each weight of the position."""
    return 1.0 if network.scale is not None else 1.0 - expected * expected
