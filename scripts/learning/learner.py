"""Weight updates by temporal differences, with a rate for each weight.

The expected result of a position is moved towards its return, the target value, along the gradient.
The rate of each weight follows temporal coherence (Beal and Smith 1999): the absolute value of the
sum of its changes, divided by the sum of their absolute values.  A weight that is always pushed the
same way moves fast; one that is pushed back and forth has converged and moves slowly.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from games.base import Game
from protocol.records.record import Start
from scripts.learning.selfplay import Network

# The reported error is an average over about this many positions.
_MEMORY = 5000


class Learner:
    """A Network that learns.

    rate: share of the error of a position that one update corrects at first.
    arrays: the arrays of all numbers that it learns; each array has network.size items.
    games, positions: numbers of games and positions learned from.
    error: mean squared error of the latest positions.
    """

    def __init__(self, network: Network, rate: float = 1.0) -> None:
        self.network, self._rate = network, rate
        zeros = bytes(8 * network.size)
        # For each phase and weight: the sum of its changes, and the sum of their absolute values.
        self.sums = [array("d", zeros) for _ in network.phases]
        self.sizes = [array("d", zeros) for _ in network.phases]
        self.arrays = [*network.phases, *self.sums, *self.sizes]
        self.games = self.positions = 0
        self.error = 0.0

    def learn(self, game: Game, moves: Sequence[int], returns: Sequence[float]) -> None:
        """Learn from a game.

        returns: for each of the last moves of the game, the first player's target value of the
        position before the move.
        """
        position = Start(game).position()
        numbers, make, _ = self.network.follow(position)
        first = len(moves) - len(returns)
        for ply, move in enumerate(moves):
            if ply >= first:
                target = returns[ply - first]
                self.update(numbers(), position.side, -target if position.side else target)
            make(move)
        self.games += 1

    def update(self, numbers: Sequence[int], side: int, target: float) -> None:
        """Move the expected result of a position, for the side to move, towards `target`."""
        network = self.network
        phase = network.phase_of[numbers[-1]]
        weights = network.phases[phase]
        sums, sizes = self.sums[phase], self.sizes[phase]
        expected = network.expected(network.value(numbers, side))
        difference = target - expected
        change = difference * slope(network, expected)
        step, size = change * self._rate / len(network.tables[side]), abs(change)
        for table, content in zip(network.tables[side], numbers):
            index = table[content]
            seen = sizes[index]
            weights[index] += step * abs(sums[index]) / seen if seen else step
            sums[index] += change
            sizes[index] = seen + size
        self.positions += 1
        self.error += (difference * difference - self.error) / min(self.positions, _MEMORY)


def slope(network: Network, expected: float) -> float:
    """Return the derivative of the expected result with respect to a weight of the position."""
    return 1.0 if network.scale is not None else 1.0 - expected * expected
