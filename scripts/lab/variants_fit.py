#!/usr/bin/env python3
"""Fit the values of the pieces of a chess variant to games of its own; run it by PyPy.

Each game begins with a few random moves, which both sides continue by searches.  Of each
position are counted, for each kind of piece, White's minus Black's number, their ranks as their
side sees them, and their distances from the edge.  A logistic regression on the results gives what
each is worth in centipawns, near to the table _WORTH of the variant's file.  Prints a new one: for
each of PNBRQK its value, that of each rank, and that of each step from the edge; and what it is
worth to be White, the file's _WHITE, if the sides don't begin alike.
"""

from __future__ import annotations

import math
import pathlib
import random
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from games import registry  # noqa: E402
from games.chess.position import ChessPosition  # noqa: E402
from games.chess.tables import COMMONER, KING  # noqa: E402
from scripts.command_line import Parser, positive, run_main  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

SCRIPT = "scripts/lab/variants_fit.py"
SCALE = 340  # centipawns for a chance of 73 %
OPENING = 6  # random plies
LONGEST = 240
RATE, EPOCHS = 30.0, 200
DEVIATIONS = 100.0, 8.0, 8.0  # by which the values of a kind are expected to change, in centipawns
RELATED = 25  # positions of a game tell as much as one
KINDS = range(1, KING + 1)


def features(position: ChessPosition) -> list[float]:
    """Return White's minus Black's number, ranks and steps from the edge of each kind, and 1."""
    found = [0.0] * (3 * len(KINDS)) + [1.0]
    for side, pieces in enumerate(position.pieces):
        sign = -1 if side else 1
        for square, piece in pieces.items():
            kind = KING if piece & 7 == COMMONER else piece & 7
            file, rank = square & 7, square >> 3 ^ (7 if side else 0)
            first = 3 * (kind - 1)
            found[first] += sign
            found[first + 1] += sign * rank
            found[first + 2] += sign * (min(file, 7 - file) + min(rank, 7 - rank))
    return found


def play(name: str, seed: int, nodes: int) -> list[tuple[list[float], float]]:
    """Return (features, result for White) of the positions of a game of the engine with itself."""
    dice, position = random.Random(f"{name} {seed}"), registry.get(name).start({})
    assert isinstance(position, ChessPosition)
    found: list[list[float]] = []
    memory: dict[str, Any] = {}
    for ply in range(LONGEST):
        moves = position.legal_moves()
        if not moves:
            break
        if ply < OPENING:
            position.make(dice.choice(moves))
            continue
        found.append(features(position))
        line = ask(position, Limits(nodes=nodes), {}, memory, 1).lines[0]
        position.make(line.moves[0])
    outcome = position.outcome()
    result = 0.5 if outcome is None or outcome.winner is None else 1.0 - outcome.winner
    return [(each, result) for each in found]


def fit(samples: list[tuple[list[float], float]], before: list[float]) -> list[float]:
    """Return the centipawns of each feature, by gradient descent from those before."""
    count = len(samples[0][0])
    weights, squares = before[:], [1e-9] * count
    for _ in range(EPOCHS):
        slopes = [0.0] * count
        for values, result in samples:
            score = sum(map(float.__mul__, weights, values))
            error = 1 / (1 + math.exp(-max(-3000.0, min(3000.0, score)) / SCALE)) - result
            for index, value in enumerate(values):
                if value:
                    slopes[index] += error * value
        for index, slope in enumerate(slopes):
            change = (weights[index] - before[index]) / DEVIATIONS[index % 3] ** 2
            slope = (slope + RELATED * SCALE * change) / len(samples)
            squares[index] += slope * slope
            weights[index] -= RATE * slope / math.sqrt(squares[index])
    return weights


def main() -> None:
    """Play the games, fit the values and print them."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("GAME", "chess variant", choices=registry.built_in())
    parser.add("--games N", "games to play", 200, type=positive)
    parser.add("--nodes N", "nodes for each move", 400, type=positive)
    options = parser.parse_args()
    name, games, nodes = options.game, options.games, options.nodes
    samples: list[tuple[list[float], float]] = []
    for seed in range(games):
        samples += play(name, seed, nodes)
        print(f"\r{seed + 1} of {games} games, {len(samples)} positions", end="", file=sys.stderr)
    module = sys.modules[type(registry.get(name)).__module__]
    before = [float(value) for row in module._WORTH for value in row]
    weights = fit(samples, [*before, float(getattr(module, "_WHITE", 0))])
    print(f"\n{name}: {games} games at {nodes} nodes, {len(samples)} positions")
    for kind in KINDS:
        print(tuple(round(weight) for weight in weights[3 * kind - 3 : 3 * kind]))
    print(round(weights[-1]))


if __name__ == "__main__":
    run_main(SCRIPT, main)
