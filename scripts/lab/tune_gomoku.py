#!/usr/bin/env python3
"""Fit the network and the policy of games/gomoku/network.py; run it with PyPy.

    pypy3 scripts/lab/tune_gomoku.py DATA [DATA ...] [--game GAME] [--epochs N]

DATA comes from scripts/lab/gomoku_data.py.  At the end network and policy are written to
games/gomoku/network.bin or, for the rule of exactly five, to network_exact.bin beside it.

The network's loss is the cross-entropy between its winning chances and those of the
judgements, minus the judgements' own entropy.  The policy's loss is the cross-entropy of the best
move: the chance of a cell is proportional to the exponential of its policy.  Both losses are
minimised by Adam (Kingma, Ba 2014) on batches.
"""

from __future__ import annotations

import array
import math
import pathlib
import random
import sys
from collections.abc import Iterable
from zlib import compress

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data  # noqa: E402
from games.gomoku import Gomoku  # noqa: E402
from games.gomoku.network import (  # noqa: E402
    FACTS,
    MAX_POLICY,
    ROWS,
    SIDES,
    STEPS,
    UNITS,
    context_of,
    file_of,
    row_of,
    sides,
)
from games.gomoku.patterns import SEGMENTS, mask_of, void_windows  # noqa: E402
from games.gomoku.position import GomokuPosition  # noqa: E402
from games.gomoku.rules import FIVE, LINE_TEXTS  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.lab.gomoku_data import BY_NAME, DECIDED, FREESTYLE, SIZE, read_setting  # noqa: E402

# The score that means a winning chance of 73 %.
SCALE = 60.0
# A policy that is higher by this many steps makes a move e times as likely.
POLICY_SCALE = 4.4
RATE, POLICY_RATE = 0.003, 0.01
FULL_RATE = 0.4  # share of the epochs with the full learning rate, which then falls to a fiftieth
POLICY_EPOCHS = 6
# Keeps a step finite if a gradient was always 0.
SMALLEST = 1e-7
# The samples are divided into this many equal parts: the last part measures the loss, the others
# train the weights.
HELD_OUT = 10
# The last row has the biases.
ROWS_IN_ALL = 2 * ROWS + FACTS + 1
# Index of the policy's weight for a direction in which a cell has no room for five.
DEAD = 0


class Samples:
    """The training positions, in flat arrays.

    inputs: for each position, the indices of the network's active rows of weights.
    begins: the index in `inputs` at which each position begins.
    labels: the winning chance of each position.
    cells: for each cell of each position, eight indices of the policy's weights.  They come from
        _policy_numbers() for both players, and are padded with DEAD.
    cell_begins: the index in `cells` at which each position begins.
    places: the index of each position's best move among its cells; -1 if the policy doesn't learn
        from the position.
    """

    def __init__(self, game: Gomoku) -> None:
        self._game = game
        self.inputs, self.begins = array.array("h"), array.array("i", [0])
        self.labels = array.array("d")
        self.places, self.cells = array.array("h"), array.array("h")
        self.cell_begins = array.array("i", [0])
        self.numbers = _policy_numbers()

    def add(self, text: str) -> None:
        """Add the position of a line of DATA."""
        setting, score, move = text.split(" | ")
        stones, side = read_setting(setting)
        position = GomokuPosition(self._game, SIZE)
        position.set_up(stones, side)
        board = position.search_board()
        policy: dict[int, list[int]] = {}
        for player in (side, 1 - side):
            offset = ROWS if player != side else 0
            exact = self._game.exact[player]
            for line, cells in enumerate(position.lines.cells):
                text = LINE_TEXTS[position.codes[line], len(cells)]
                for segment in SEGMENTS[player].finditer(text):
                    first, length = segment.start(), len(segment[0])
                    mask = mask_of(segment[0])
                    (before, after), void = sides(mask, length), void_windows(mask, exact)
                    for start in range(length - FIVE + 1):
                        window = mask >> start & 31
                        if window and not void >> start & 1:
                            context = context_of(window, before[start], after[start + FIVE - 1])
                            self.inputs.append(offset + row_of(context))
                    for index in range(length):
                        if not mask >> index & 1:
                            number = self.numbers[before[index] * SIDES + after[index]]
                            if number != DEAD:
                                number += len(self.numbers) if player != side else 0
                                policy.setdefault(cells[first + index], []).append(number)
        facts, _ = board.facts(side, board.packed)
        self.inputs.extend(2 * ROWS + bit for bit in range(FACTS) if facts >> bit & 1)
        self.begins.append(len(self.inputs))
        value = float(score)
        self.labels.append(
            1.0 if value > DECIDED else 0.0 if value < -DECIDED else chance(value / SCALE)
        )
        best = position.parse_move(move.strip()) if position.winner is None else -1
        # With a threat on the board a search doesn't use the policy, so leave the sample out.
        if best in policy and not board.threats(1 - side, board.packed):
            self.places.append(list(policy).index(best))
            for numbers in policy.values():
                self.cells.extend(numbers + [DEAD] * (8 - len(numbers)))
        else:
            self.places.append(-1)
        self.cell_begins.append(len(self.cells))


def _policy_numbers() -> list[int]:
    """Return a list: the item at `before * SIDES + after` is the index of a weight of the policy.

    before, after: the contents of the two sides of a cell on a line.  Mirror images share a weight.
    """
    numbers: list[int] = []
    count = DEAD + 1
    for before in range(SIDES):
        for after in range(SIDES):
            room = (before + 1).bit_length() + (after + 1).bit_length() - 1
            if room < FIVE:
                numbers.append(DEAD)
            elif after < before:
                numbers.append(numbers[after * SIDES + before])
            else:
                numbers.append(count)
                count += 1
    return numbers


def chance(score: float) -> float:
    """Return the winning chance for a score that is given as a multiple of SCALE."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


class Adam:
    """The optimizer Adam for `size` weights: the moments of their gradients."""

    def __init__(self, size: int) -> None:
        self._mean, self._square = [0.0] * size, [0.0] * size
        self._steps = 0

    def step(self, weights: list[float], gradient: list[float], rate: float, count: int) -> None:
        """Update the weights by the mean of `count` gradients.

        gradient: the sum of these gradients, which is cleared.  rate: the learning rate.
        """
        self._steps += 1
        fix_mean, fix_square = 1.0 - 0.9**self._steps, 1.0 - 0.999**self._steps
        mean, square = self._mean, self._square
        for index in range(len(weights)):
            slope = gradient[index] / count
            mean[index] += 0.1 * (slope - mean[index])
            square[index] += 0.001 * (slope * slope - square[index])
            weights[index] -= (
                rate * (mean[index] / fix_mean) / (math.sqrt(square[index] / fix_square) + SMALLEST)
            )
            gradient[index] = 0.0


class Model:
    """Weights trained on samples, with their accumulated gradient and their optimizer.

    learned, held_out: indices of the samples for training, and of those that measure the loss.
    """

    name = ""
    batch = 0

    def __init__(self, samples: Samples, weights: list[float], usable: list[int]) -> None:
        self.samples, self.weights = samples, weights
        self.gradient = [0.0] * len(weights)
        count = len(usable) * (HELD_OUT - 1) // HELD_OUT
        self.learned, self.held_out = usable[:count], usable[count:]
        self._adam = Adam(len(weights))

    def learn(self, epochs: int) -> None:
        """Learn from all samples `epochs` times."""
        for epoch in range(epochs):
            random.Random(epoch).shuffle(self.learned)
            rate = self.rate(epoch, epochs)
            for count, index in enumerate(self.learned, 1):
                self.add_gradient(index)
                if count % self.batch == 0:
                    self._adam.step(self.weights, self.gradient, rate, self.batch)
            measured = sum(map(self.loss, self.held_out)) / max(len(self.held_out), 1)
            print(
                f"{self.name}, epoch {epoch + 1} of {epochs}: loss on held-out positions "
                f"{measured:.5f}",
                file=sys.stderr,
            )

    def rate(self, epoch: int, epochs: int) -> float:
        """Return the learning rate of an epoch."""
        raise NotImplementedError

    def add_gradient(self, index: int) -> None:
        """Add the gradient of a sample's loss."""
        raise NotImplementedError

    def loss(self, index: int) -> float:
        """Return a sample's loss."""
        raise NotImplementedError


class Network(Model):
    """The network's weights as a Model.

    They start small and random; those of the linear unit start at 0, and the biases of the other
    units at 0.1 to 0.4.
    """

    name, batch = "network", 512
    # The units are alternately added and subtracted.  The last unit (linear) is added here but
    # subtracted by the engine, so rows() changes its sign for the file.
    signs = [-1.0 if unit % 2 else 1.0 for unit in range(UNITS - 1)] + [1.0]
    biases = (ROWS_IN_ALL - 1) * UNITS  # index of the last row's first weight

    def __init__(self, samples: Samples) -> None:
        rng = random.Random(1)
        weights = [
            0.0 if index % UNITS == UNITS - 1 else rng.gauss(0.0, 0.03)
            for index in range(ROWS_IN_ALL * UNITS)
        ]
        for unit in range(UNITS - 1):
            weights[self.biases + unit] = 0.1 + 0.05 * unit
        super().__init__(samples, weights, list(range(len(samples.labels))))

    def rate(self, epoch: int, epochs: int) -> float:
        """Return the learning rate, which falls after the first epochs."""
        falling = max(epoch - FULL_RATE * epochs, 0.0) / ((1.0 - FULL_RATE) * epochs)
        rate: float = RATE * 0.02**falling
        return rate

    def _rows(self, index: int) -> list[int]:
        """Return the index of the first weight in the biases' row and in each active row."""
        samples = self.samples
        inputs = samples.inputs[samples.begins[index] : samples.begins[index + 1]]
        return [self.biases, *(row * UNITS for row in inputs)]

    def guess(self, rows: list[int]) -> tuple[float, list[float]]:
        """Return (score as a multiple of SCALE, sums of the hidden units) for active rows."""
        units, weights = [0.0] * UNITS, self.weights
        for row in rows:
            for unit in range(UNITS):
                units[unit] += weights[row + unit]
        total = units[UNITS - 1]
        for unit in range(UNITS - 1):
            if units[unit] > 0.0:
                total += self.signs[unit] * units[unit]
        return total, units

    def add_gradient(self, index: int) -> None:
        """Add the gradient of a position's loss."""
        rows = self._rows(index)
        gradient, signs = self.gradient, self.signs
        score, units = self.guess(rows)
        slope = chance(score) - self.samples.labels[index]
        for unit in range(UNITS - 1):
            units[unit] = signs[unit] * slope if units[unit] > 0.0 else 0.0
        units[UNITS - 1] = slope
        for row in rows:
            for unit in range(UNITS):
                gradient[row + unit] += units[unit]

    def loss(self, index: int) -> float:
        """Return the cross-entropy minus the label's own entropy."""
        label: float = self.samples.labels[index]
        score, _ = self.guess(self._rows(index))
        found = math.log1p(math.exp(-abs(score))) + max(score, 0.0) - label * score
        if 0.0 < label < 1.0:
            found += label * math.log(label) + (1.0 - label) * math.log(1.0 - label)
        return found

    def rows(self) -> list[list[float]]:
        """Return the rows of weights in the unit of the file, STEPS per point."""
        scale = [SCALE * STEPS] * (UNITS - 1) + [-SCALE * STEPS]
        return [
            [self.weights[row + unit] * scale[unit] for unit in range(UNITS)]
            for row in range(0, ROWS_IN_ALL * UNITS, UNITS)
        ]


class Policy(Model):
    """The policy: weights for the sides of a cell, for the player to move and for the opponent."""

    name, batch = "policy", 256

    def __init__(self, samples: Samples) -> None:
        usable = [index for index, place in enumerate(samples.places) if place >= 0]
        super().__init__(samples, [0.0] * 2 * len(samples.numbers), usable)

    def rate(self, epoch: int, epochs: int) -> float:
        """Return the learning rate of an epoch, which falls to a tenth in the second half."""
        return POLICY_RATE * (1.0 if 2 * epoch < epochs else 0.1)

    def chances(self, index: int) -> list[float]:
        """Return, for each cell of a position, the probability that it is the best move."""
        samples, weights = self.samples, self.weights
        chances = []
        for at in range(samples.cell_begins[index], samples.cell_begins[index + 1], 8):
            total = 0.0
            for number in range(at, at + 8):
                total += weights[samples.cells[number]]
            chances.append(math.exp(min(total, 50.0)))
        total = sum(chances)
        return [value / total for value in chances]

    def add_gradient(self, index: int) -> None:
        """Add the gradient of a position's loss."""
        samples, at = self.samples, self.samples.cell_begins[index]
        for place, slope in enumerate(self.chances(index)):
            if place == samples.places[index]:
                slope -= 1.0
            for number in range(at + 8 * place, at + 8 * place + 8):
                self.gradient[samples.cells[number]] += slope

    def loss(self, index: int) -> float:
        """Return the cross-entropy of the best move."""
        return -math.log(self.chances(index)[self.samples.places[index]] + 1e-30)

    def steps(self) -> list[float]:
        """Return the weights of the policy for the file.

        A cell's policy is always a sum of eight weights, so a constant added to all weights
        changes nothing.  Shift them so that the weight of index DEAD is 0.
        """
        numbers, found = self.samples.numbers, []
        for offset in (0, len(numbers)):
            for number in numbers:
                value = (self.weights[number + offset] - self.weights[DEAD]) * POLICY_SCALE
                found.append(max(0.0, min(MAX_POLICY, value)) if number != DEAD else 0.0)
        return found


def write_network(
    exact: tuple[bool, bool], origin: str, rows: Iterable[Iterable[float]], policy: Iterable[float]
) -> None:
    """Write the file that network(exact) reads.

    exact: see Gomoku.  origin: a line that says how the weights were made.
    rows, policy: the weights, as GomokuNetwork takes them.
    """
    numbers = array.array("h")
    for row in rows:
        numbers.extend(max(-32767, min(32767, round(number))) for number in row)
    policies = bytes(max(0, min(MAX_POLICY, round(value))) for value in policy)
    packed = compress(data.write_numbers(numbers) + policies, 9)
    with open(data.path_of(file_of(exact)), "wb") as file:
        file.write(f"# {origin}\n".encode() + packed)


def main() -> None:
    """Learn the evaluation and the policy, and write them."""
    parser = Parser("scripts/lab/tune_gomoku.py", __doc__)
    parser.add("DATA", "files written by scripts/lab/gomoku_data.py", nargs="+", type=pathlib.Path)
    parser.add("--epochs N", "passes over the data", 12)
    parser.add("--game", "the game of DATA", FREESTYLE, choices=(Gomoku.name, FREESTYLE))
    found = parser.parse_args()
    game = BY_NAME[found.game]
    samples = Samples(game)
    try:
        for path in found.data:
            for line in path.open(encoding="ascii"):
                if line[0] != "#":
                    samples.add(line)
    except OSError as error:
        parser.error(error)
    count = len(samples.labels)
    print(f"{count} positions", file=sys.stderr)
    network, policy = Network(samples), Policy(samples)
    network.learn(found.epochs)
    policy.learn(POLICY_EPOCHS)
    made = (
        f"{found.epochs} epochs of scripts/lab/tune_gomoku.py on {count} "
        "positions of scripts/lab/gomoku_data.py"
    )
    write_network(game.exact, made, network.rows(), policy.steps())


if __name__ == "__main__":
    main()
