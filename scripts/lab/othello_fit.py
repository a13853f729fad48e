#!/usr/bin/env python3
"""Fit the weights of the Othello evaluation to labelled positions; CPython is twenty times slower.

    pypy3 scripts/lab/othello_fit.py SAMPLES WEIGHTS [--rounds N] [--from WEIGHTS]
    pypy3 scripts/lab/othello_fit.py --handmade WEIGHTS

The stages are fitted from the last one back.  A position of an early stage learns
from the result of its game only in part, for much of that is chance: the other part
is what the next stage thinks of the game some plies later.

SAMPLES come from scripts/lab/othello_games.py.  WEIGHTS are written after each stage;
`--from` goes on from weights found before, stages without samples keep them.  The
loss is the squared difference between evaluation and label; the method is conjugate
gradients, with a pull towards the weights of the next stage, for a rare pattern would
learn its few games by heart.  One game in HELD_OUT is not learned from, and measures.

`--handmade` writes an evaluation set by hand instead, to begin with and to compare
with: directional mobility, corners, and the squares beside empty corners.
"""
from __future__ import annotations

import argparse
import itertools
import os
import pathlib
import sys
import time
from array import array
from math import sqrt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.othello import patterns  # noqa: E402
from games.othello.lanes import (  # noqa: E402
    LANES,
    PATTERN_CLASSES,
    PATTERNS,
    SYMMETRIES,
    transformed,
)
from scripts.command_line import Parser  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    # Of a class of patterns: the place of each content's weight among a stage's, alike
    # for reflected contents.
    Places = list[int]
    Vector = list[float]            # VECTOR weights

HELD_OUT = 25
SOLVED_FROM = 12            # with so few empty squares labels are exact
# weights of a position: the last is the constant for its number of empty squares
PLACES = len(PATTERNS) + 1
VECTOR = patterns.STAGE_WEIGHTS + patterns.CONSTANTS
OVERLAP = 3                 # a stage learns from positions so many discs beyond its borders, too
RIDGE = 60                  # a weight met so often moves half as far as it would
LIMIT = 32000
# The share of the next stage's judgement in the label of a position, and the least
# plies to where it is asked for.
FORESIGHT, LEAST_PLIES = 0.75, 4

# Hundredths of a disc: a move in one direction, a corner, the squares beside an empty
# one.
MOBILITY, CORNER, BESIDE_ON_EDGE, BESIDE_INSIDE = 60, 900, -150, -400


# ---- symmetry -----------------------------------------------------------------------

def reflections(pattern: Sequence[int]) -> list[list[int]]:
    """The orders of a pattern's squares that the board's symmetries make of it."""
    found = []
    for symmetry in range(1, SYMMETRIES):
        image = [transformed(square, symmetry) for square in pattern]
        if set(image) == set(pattern):
            found.append([pattern.index(square) for square in image])
    return found


def contents(size: int) -> Iterator[tuple[int, ...]]:
    """What so many squares may hold, by index: 0 empty, 1 own disc, 2 opponent's disc."""
    return (digits[::-1] for digits in itertools.product(range(3), repeat=size))


def canonical_places() -> list[Places]:
    """The Places of each class of patterns."""
    tables: list[Places] = []
    start = 0
    for pattern in PATTERN_CLASSES:
        orders = reflections(pattern)
        table = list(range(start, start + 3 ** len(pattern)))
        for index, content in enumerate(contents(len(pattern))):
            for order in orders:
                mirrored = sum(content[old] * 3 ** new for new, old in enumerate(order))
                table[index] = min(table[index], start + mirrored)
        tables.append(table)
        start += len(table)
    return tables


def unfold(weights: Vector, tables: list[Places]) -> list[float]:
    """The weights of a stage with those of reflected contents filled in."""
    return [weights[place] for table in tables for place in table]


# ---- samples ------------------------------------------------------------------------

class Samples:
    """Positions as places of their weights, those of the patterns and the constant.

    rows: flat, PLACES a position.
    """

    def __init__(self, path: str, tables: list[Places]) -> None:
        by_lane = [tables[kind] for kind, _ in PATTERNS]
        self.rows, self.labels = array("I"), array("h")
        self.empties, self.games = array("b"), array("l")
        for line in open(path):
            if line.startswith("#"):        # the end of a game
                continue
            words = line.split()
            own, opp = int(words[0], 16), int(words[1], 16)
            own_lanes = LANES.spread([s for s in range(64) if own >> s & 1])
            opp_lanes = LANES.spread([s for s in range(64) if opp >> s & 1])
            for places, index in zip(by_lane, patterns.indices(own_lanes, opp_lanes)):
                self.rows.append(places[index])
            self.labels.append(int(words[2]))
            self.empties.append(64 - bin(own | opp).count("1"))
            self.rows.append(patterns.STAGE_WEIGHTS + self.empties[-1])
            same_game = self.games and self.empties[-1] <= self.empties[-2]
            self.games.append(self.games[-1] + (not same_game) if self.games else 0)

    def later(self, number: int, empties: int) -> int | None:
        """The first position of the same game with so few empty squares, LEAST_PLIES on."""
        game, later = self.games[number], number + LEAST_PLIES
        while later < len(self.games) and self.games[later] == game:
            if self.empties[later] <= empties:
                return later
            later += 1
        return None

    def of_stage(self, stage: int) -> list[int]:
        """Numbers of the positions that a stage learns from."""
        wanted = [any(patterns.stage_of(max(0, min(60, empties + shift))) == stage
                      for shift in (-OVERLAP, 0, OVERLAP)) for empties in range(65)]
        return [number for number, empties in enumerate(self.empties) if wanted[empties]]


# ---- least squares ------------------------------------------------------------------

def predict(weights: Vector, samples: Samples, number: int) -> float:
    """The evaluation of one sample in discs."""
    rows, total = samples.rows, 0.0
    for place in range(number * PLACES, number * PLACES + PLACES):
        total += weights[rows[place]]
    return total


def spread_back(values: Iterable[float], samples: Samples, chosen: Iterable[int]) -> Vector:
    """By weight: the sum of the values of those samples in `chosen` that it is met in."""
    sums, rows = [0.0] * VECTOR, samples.rows
    for value, number in zip(values, chosen):
        for place in range(number * PLACES, number * PLACES + PLACES):
            sums[rows[place]] += value
    return sums


def product(one: Vector, other: Vector) -> float:
    """The scalar product of two vectors."""
    return sum(x * y for x, y in zip(one, other))


def error(weights: Vector, samples: Samples, targets: Sequence[float],
          chosen: Sequence[int]) -> float:
    """Root of the mean squared error in discs."""
    total = sum((targets[n] - predict(weights, samples, n)) ** 2 for n in chosen)
    return sqrt(total / max(1, len(chosen)))


def conjugate_gradients(weights: Vector, samples: Samples, targets: Sequence[float],
                        chosen: Sequence[int]) -> Iterator[None]:
    """Improve the weights in place, a round each time that the generator is asked.

    The method is Hestenes' and Stiefel's (1952).  Least is the sum of the squared
    errors and of RIDGE times the squares of how far each weight moved from where it
    began; scaled by how often each weight is met.
    """
    scale = [1 / (RIDGE + count) for count in spread_back([1.0] * len(chosen), samples, chosen)]
    rest = spread_back([targets[n] - predict(weights, samples, n) for n in chosen], samples, chosen)
    step = [x * factor for x, factor in zip(rest, scale)]
    size = product(rest, step)
    while size > 1e-9:
        seen = [predict(step, samples, n) for n in chosen]
        curved = [x + RIDGE * y for x, y in zip(spread_back(seen, samples, chosen), step)]
        length = size / product(step, curved)
        for place in range(VECTOR):
            weights[place] += length * step[place]
            rest[place] -= length * curved[place]
        yield
        scaled = [x * factor for x, factor in zip(rest, scale)]
        before, size = size, product(rest, scaled)
        step = [x + size / before * y for x, y in zip(scaled, step)]


def foresee(samples: Samples, chosen: Sequence[int], stage: int,
            judge: Callable[[int], float]) -> array[float]:
    """The labels; the judgement of the next stages is mixed into those of the chosen positions.

    judge(number): the evaluation of a position of a later stage.
    """
    border = 60 - patterns.STAGE_LENGTH * (stage + 1)
    targets = array("d", samples.labels)
    for number in chosen:
        later = samples.later(number, border) if samples.empties[number] > SOLVED_FROM else None
        if later is not None:
            seen = judge(later) if (later - number) % 2 == 0 else -judge(later)
            targets[number] += FORESIGHT * (seen - targets[number])
    return targets


def fit_stage(weights: Vector, samples: Samples, targets: Sequence[float], chosen: Sequence[int],
              rounds: int, name: int) -> None:
    """Improve the weights of one stage in place."""
    held = [number for number in chosen if samples.games[number] % HELD_OUT == 0]
    learned = [number for number in chosen if samples.games[number] % HELD_OUT]
    start = time.time()
    descent = conjugate_gradients(weights, samples, targets, learned)
    for turn, _ in zip(range(1, rounds + 1), descent):
        if turn % 5 == 0 or turn == rounds:
            unseen, seen = (error(weights, samples, targets, some)
                            for some in (held, learned[::20]))
            print(f"stage {name} of {len(learned)} positions, round {turn} of {rounds}: "
                  f"error {unseen:.3f} discs held out, {seen:.3f} learned, "
                  f"{time.time() - start:.0f} s", flush=True)


# ---- weights ------------------------------------------------------------------------

def line_moves(content: list[int], size: int) -> list[int]:
    """(moves of own, of opponent) on a line of 0 empty, 1 own, 2 opponent, both ways counted."""
    moves = [0, 0]
    for cells in (content, content[::-1]):
        for place in range(size):
            if cells[place]:
                continue
            for mover in (1, 2):
                end = place + 1
                while end < size and cells[end] == 3 - mover:
                    end += 1
                if end > place + 1 and end < size and cells[end] == mover:
                    moves[mover - 1] += 1
    return moves


def handmade_weight(kind: int, content: list[int]) -> int:
    """The weight that the hand-set evaluation gives a content of a pattern."""
    if kind < 10:
        own, opp = line_moves(content, len(content))
        return MOBILITY * (own - opp)
    if kind == 10:
        return 0
    value = (0, 1, -1)
    if content[0]:
        return CORNER * value[content[0]]
    beside = value[content[1]] + value[content[3]]
    return BESIDE_ON_EDGE * beside + BESIDE_INSIDE * value[content[4]]


def handmade() -> list[int]:
    """All weights of the hand-set evaluation."""
    stage = []
    for kind, size in enumerate(patterns.CLASS_SIZES):
        stage += [handmade_weight(kind, list(content)) for content in contents(size)]
    return stage * patterns.STAGES + [0] * patterns.CONSTANTS


def write(path: str, weights: Iterable[float], made: str) -> None:
    """Write a weights file, whole or not at all."""
    numbers = [max(-LIMIT, min(LIMIT, round(weight))) for weight in weights]
    with open(path + ".new", "wb") as file:
        file.write(patterns.pack_weights(numbers, made))
    os.replace(path + ".new", path)


def fit(args: argparse.Namespace) -> None:
    """Fit all stages, the last one first.

    Each begins with the weights of the one after it where it has none.
    """
    tables = canonical_places()
    samples = Samples(args.samples, tables)
    print(f"{len(samples.labels)} positions read", flush=True)
    numbers = patterns.unpack_weights(open(args.source, "rb").read())[0] if args.source else None
    size, stages = patterns.STAGE_WEIGHTS, patterns.STAGES
    final = [0.0] * patterns.FILE_WEIGHTS if numbers is None else [float(n) for n in numbers]
    weights = [0.0] * VECTOR
    fitted: dict[int, Vector] = {}

    def judge(number: int) -> float:
        return predict(fitted[patterns.stage_of(samples.empties[number])], samples, number)

    for stage in range(stages - 1, -1, -1):
        if numbers:
            own = numbers[stage * size:stage * size + size] + numbers[stages * size:]
            weights = [number / 100 for number in own]
        chosen = samples.of_stage(stage)
        if len(chosen) > HELD_OUT:
            targets = foresee(samples, chosen, stage, judge)
            fit_stage(weights, samples, targets, chosen, args.rounds, stage)
        fitted[stage] = weights[:]
        unfolded = unfold(weights, tables)
        final[stage * size:stage * size + size] = [100 * weight for weight in unfolded]
        for empties in range(patterns.CONSTANTS):
            if patterns.stage_of(empties) == stage:
                final[stages * size + empties] = 100 * weights[size + empties]
        write(args.weights, final, f"scripts/lab/othello_fit.py on {len(samples.labels)} "
                                   f"positions of self-play, {args.rounds} rounds a stage")


def main() -> None:
    """Write the weights, fitted or set by hand."""
    parser = Parser("scripts/lab/othello_fit.py", description=__doc__.splitlines()[0])
    parser.add_argument("samples", nargs="?")
    parser.add_argument("weights")
    parser.add_argument("--handmade", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--from", dest="source")
    args = parser.parse_args()
    if args.handmade:
        write(args.weights, handmade(),
              "set by hand: directional mobility, corners, squares beside empty corners")
    else:
        fit(args)


if __name__ == "__main__":
    main()
