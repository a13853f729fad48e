#!/usr/bin/env python3
"""Fit the network of games/chess/evaluation.py to labelled positions; run it by PyPy.

    pypy3 scripts/lab/tune_chess.py DATA CHECKPOINT [EPOCHS] [UNITS] [POSITIONS] [--from OTHER]

DATA comes from scripts/lab/chess_data.py.  CHECKPOINT stores the weights after each epoch;
the script resumes from it.  At the end of each epoch the network is written to
games/chess/network.bin.  With --from it begins with the weights of another checkpoint, and
with a smaller rate.

--pieces learns one phase of the game, best --from a network of all phases, whose tempo it
keeps; --with names the checkpoints of the other phases, to write along with it:

    ... DATA ALL
    ... DATA MANY --from ALL --pieces 22 32
    ... DATA FEW --from ALL --pieces 0 21 --with MANY

The loss is the squared difference between the winning chances of the network and of the
label; a label consists of the teacher's score by a share (--share), and of the game's result
for the rest.  The method is Adam (Kingma, Ba 2014) on batches, the rate falling to a fiftieth
along a cosine.
"""

from __future__ import annotations

import argparse
import array
import math
import pathlib
import pickle
import random
import sys
import time
from collections.abc import Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.chess.evaluation import UNIT  # noqa: E402
from games.chess.weights import LINEAR_BIAS, MOST_PIECES, write_network  # noqa: E402
from scripts.command_line import Parser, fail  # noqa: E402
from scripts.lab._adam import Adam  # noqa: E402

# inputs flat, start of each position's inputs, black to move?, label for White
Data = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[float]]

SCALE = 340.0  # centipawns for a chance of 73 %
BATCH = 16384
FLIPPED = 0.5  # share of positions that are learned with left and right exchanged
DECAY = 1e-3  # of the weights, times the rate, a step
RATE, LATER_RATE = 1.2, 0.3  # centipawns a step: at first; with --from
OVERLAP = 1  # a phase also learns from positions with this many pieces more or fewer
HELD_OUT = 40  # the first of this many parts measures the loss and is not learned from
INPUTS = 768
PIECE_VALUES = (100, 320, 330, 500, 950, 0)
PIECES = "PNBRQKpnbrqk"


def chance(score: float) -> float:
    """Return the winning chance of a score in centipawns."""
    return 1.0 / (1.0 + math.exp(-max(-3000.0, min(3000.0, score)) / SCALE))


def load(path: str, most: int, share: float, pieces: tuple[int, int]) -> Data:
    """Return positions as (inputs flat, start of each, black to move?, label for White).

    share: weight of the score in a label, 0 to 1.  pieces: limits of the number on the board.
    """
    flat, begins = array.array("h"), array.array("i")
    blacks, labels = array.array("b"), array.array("d")
    for line in open(path, encoding="ascii"):
        if line[0] == "#":
            continue
        text, score, result = line.split("|")
        board, side = text.split()
        if not pieces[0] <= sum(map(str.isalpha, board)) <= pieces[1]:
            continue
        begins.append(len(flat))
        square = 56
        for char in board:
            if char == "/":
                square -= 16
            elif char.isdigit():
                square += int(char)
            else:
                flat.append(PIECES.index(char) * 64 + square)
                square += 1
        black = side == "b"
        blacks.append(black)
        won = chance(-float(score) if black else float(score))
        labels.append(share * won + (1.0 - share) * float(result))
        if len(labels) >= most:
            break
    begins.append(len(flat))
    return flat, begins, blacks, labels


def mirrored(feature: int) -> int:
    """Return the input in Black's view for `feature` in White's."""
    piece, square = feature >> 6, feature & 63
    return ((piece + 6) % 12) * 64 + (square ^ 56)


MIRROR = [mirrored(feature) for feature in range(INPUTS)]


class Model:
    """Weights of the hidden units, row by row of inputs; the last row has the biases.

    The last column is linear.
    pieces: the least and the greatest number on the board in its phase of the game.
    """

    def __init__(self, units: int) -> None:
        rng = random.Random(7)
        self.units, self.width = units, units + 1
        self.signs = [1.0 if unit % 2 == 0 else -1.0 for unit in range(units)] + [1.0]
        self.weights = [rng.uniform(-8.0, 8.0) for _ in range((INPUTS + 1) * self.width)]
        for feature in range(INPUTS + 1):
            value = PIECE_VALUES[feature >> 6] if feature < 384 else 0
            self.weights[feature * self.width + units] = float(value)
        for unit in range(units):
            self.weights[INPUTS * self.width + unit] = 10.0
        self.tempo = 15.0
        self.pieces = (0, MOST_PIECES)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Keep the weights, but reset the optimizer's state."""
        self.adam, self.epoch = Adam(len(self.weights), 1e-9), 0

    def views(self, inputs: Sequence[int]) -> tuple[list[float], list[float]]:
        """Return the units' sums before activation in White's view and in Black's."""
        return self._sums(inputs), self._sums([MIRROR[feature] for feature in inputs])

    def _sums(self, inputs: Sequence[int]) -> list[float]:
        width, weights = self.width, self.weights
        sums = weights[INPUTS * width :]
        for feature in inputs:
            row = feature * width
            for unit in range(width):
                sums[unit] += weights[row + unit]
        return sums

    def score(self, views: tuple[list[float], list[float]], black: int) -> float:
        """Return centipawns for White.  black: is Black to move?"""
        total, signs, (white_sums, black_sums) = 0.0, self.signs, views
        for unit in range(self.units):
            one, two = white_sums[unit], black_sums[unit]
            total += signs[unit] * ((one if one > 0.0 else 0.0) - (two if two > 0.0 else 0.0))
        tempo = -self.tempo if black else self.tempo
        return total + white_sums[self.units] - black_sums[self.units] + tempo

    def add_gradient(
        self,
        gradient: list[float],
        inputs: Sequence[int],
        views: tuple[list[float], list[float]],
        slope: float,
    ) -> None:
        """Add `slope` (of the loss by the score) times the score's gradient; changes the views."""
        width, units, signs = self.width, self.units, self.signs
        for sums, direction in zip(views, (slope, -slope)):
            for unit in range(units):
                sums[unit] = direction * signs[unit] if sums[unit] > 0.0 else 0.0
            sums[units] = direction
        white_sums, black_sums = views
        row = INPUTS * width
        for unit in range(units):
            gradient[row + unit] += white_sums[unit] + black_sums[unit]
        for feature in inputs:
            row, other = feature * width, MIRROR[feature] * width
            for unit in range(width):
                gradient[row + unit] += white_sums[unit]
            for unit in range(width):
                gradient[other + unit] += black_sums[unit]

    def step(self, gradient: list[float], rate: float) -> None:
        """Make one step of Adam; clears the gradient."""
        for index in range(len(self.weights)):
            if index % self.width != self.units:
                self.weights[index] *= 1.0 - rate * DECAY
        self.adam.step(self.weights, gradient, rate)

    def rows(self) -> list[list[int]]:
        """Return the weights in steps of the evaluation."""
        rows = [
            [round(self._written(feature, unit) * UNIT) for unit in range(self.width)]
            for feature in range(INPUTS + 1)
        ]
        rows[INPUTS][self.units] = LINEAR_BIAS
        return rows

    def _written(self, feature: int, unit: int) -> float:
        """Return the value that the file stores for a weight.

        In the linear unit only the difference between the two views counts.  Each view gets half
        of it, so a lane never has to hold the whole material of one side.
        """
        weight = self.weights[feature * self.width + unit]
        if unit == self.units and feature < INPUTS:
            weight = (weight - self.weights[MIRROR[feature] * self.width + unit]) / 2
        return weight


def run_epoch(
    model: Model, data: Data, order: Sequence[int], epochs: int, first_rate: float
) -> None:
    """Learn from every position once, in `order`."""
    features, begins, blacks, labels = data
    gradient, rng = [0.0] * len(model.weights), random.Random(model.epoch)
    tempo_slope, filled, begun = 0.0, 0, time.time()
    for count, index in enumerate(order):
        inputs, black = features[begins[index] : begins[index + 1]], blacks[index]
        if rng.random() < FLIPPED:
            inputs = [feature ^ 7 for feature in inputs]
        views = model.views(inputs)
        guess = chance(model.score(views, black))
        slope = (guess - labels[index]) * guess * (1.0 - guess)
        model.add_gradient(gradient, inputs, views, slope)
        tempo_slope += -slope if black else slope
        filled += 1
        if filled == BATCH:
            progress = (model.epoch + count / len(order)) / epochs
            rate = first_rate * (0.02 + 0.49 * (1.0 + math.cos(math.pi * min(progress, 1.0))))
            model.step(gradient, rate)
            if model.pieces == (0, MOST_PIECES):
                model.tempo -= 40.0 * rate * tempo_slope / BATCH
            tempo_slope, filled = 0.0, 0
            if count // BATCH % 20 == 0:
                speed = f"{count / (time.time() - begun):.0f} a second"
                show(f"\repoch {model.epoch + 1}: {count} of {len(order)}, {speed}", end="")
    model.epoch += 1


def show(text: str, end: str = "\n") -> None:
    """Print a progress message."""
    print(text, end=end, file=sys.stderr, flush=True)


def loss(model: Model, data: Data, indices: Sequence[int]) -> float:
    """Return the mean loss over some positions, times 1000."""
    features, begins, blacks, labels = data
    total = 0.0
    for index in indices:
        views = model.views(features[begins[index] : begins[index + 1]])
        total += (chance(model.score(views, blacks[index])) - labels[index]) ** 2
    return 1000.0 * total / len(indices)


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = Parser("scripts/lab/tune_chess.py", description=__doc__)
    parser.add("DATA", "file of scripts/lab/chess_data.py")
    parser.add("CHECKPOINT", "file for the weights after each epoch", type=pathlib.Path)
    parser.add("[EPOCHS]", "passes over the data", 12)
    parser.add("[UNITS]", "hidden units of a new network", 256)
    parser.add("[POSITIONS]", "most positions to read", 100_000_000)
    parser.add("--from OTHER", "checkpoint to begin with", dest="other", type=pathlib.Path)
    phase, all_pieces = "learn only this phase of the game", (0, MOST_PIECES)
    parser.add("--pieces FEWEST MOST", phase, all_pieces, type=int)
    others = "checkpoint of another phase, to write along with it (can be repeated)"
    parser.add("--with PHASE", others, [], dest="others", action="append", type=pathlib.Path)
    parser.add("--share SHARE", "share of the score in a label; the rest is the result", 1.0)
    found = parser.parse_args()
    if found.units % 2:
        parser.error("the number of units must be even")
    return found


def main() -> None:
    """Learn epoch by epoch, from the checkpoint if one is given."""
    found = parse_arguments()
    checkpoint, epochs = found.checkpoint, found.epochs
    fewest, most = found.pieces
    try:
        data = load(found.data, found.positions, found.share, (fewest - OVERLAP, most + OVERLAP))
        others = [pickle.loads(path.read_bytes()) for path in found.others]
    except OSError as error:
        fail("scripts/lab/tune_chess.py", error)
    count = len(data[3])
    if checkpoint.exists():
        model = pickle.loads(checkpoint.read_bytes())
    elif found.other:
        model = pickle.loads(found.other.read_bytes())
        model.begin_anew()
    else:
        model = Model(found.units)
    model.pieces = fewest, most
    held_out = list(range(count // HELD_OUT))
    learned = list(range(count // HELD_OUT, count))
    show(f"{count} positions, loss {loss(model, data, held_out):.3f}")
    while model.epoch < epochs:
        learned.sort()
        random.Random(model.epoch).shuffle(learned)
        run_epoch(model, data, learned, epochs, LATER_RATE if found.other else RATE)
        measured = f"{loss(model, data, held_out):.3f}, tempo {model.tempo:.0f}          "
        show(f"\repoch {model.epoch} of {epochs}: loss on held-out positions {measured}")
        checkpoint.write_bytes(pickle.dumps(model))
        phases = sorted([model, *others], key=lambda phase: -phase.pieces[0])
        write_network(
            f"{model.units} units, {model.epoch} epochs of scripts/lab/tune_chess.py "
            f"on {count} positions of scripts/lab/chess_data.py",
            round(model.tempo),
            [(phase.pieces[0], phase.rows()) for phase in phases],
        )


if __name__ == "__main__":
    main()
