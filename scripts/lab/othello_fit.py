#!/usr/bin/env python3
"""Fit the weights of the Othello evaluation to labelled positions; PyPy is 20 times as fast.

    pypy3 scripts/lab/othello_fit.py SAMPLES WEIGHTS [--rounds N] [--from WEIGHTS]
    pypy3 scripts/lab/othello_fit.py --handmade WEIGHTS

The stages are fitted from the last to the first.  An early position's label blends two values: the
result of its game, much of which is chance, and the next stage's evaluation of a position some
plies later in the game.

SAMPLES come from scripts/lab/othello_games.py.  `--from` starts with existing weights; stages
without samples keep them.  The loss is the squared difference between evaluation and label; the
method is conjugate gradients, with a pull towards the weights of the next stage, since a rare
pattern would otherwise overfit its few games.  One game in HELD_OUT is not used for the fit; the
error is measured on it.

`--handmade` instead writes an evaluation set by hand, to begin with and to compare with:
directional mobility, corners, and the squares beside empty corners.
"""

from __future__ import annotations

import argparse
import itertools
import pathlib
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from zlib import compress, crc32

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data  # noqa: E402
from games.grid import count_bits  # noqa: E402
from games.othello import patterns  # noqa: E402
from games.othello.lanes import PATTERN_CLASSES, PATTERNS, SYMMETRIES, spread, transformed  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402

# A table for a class of patterns: Places[content] is the index of the content's weight within a
# stage.  Reflected contents share a weight.
Places = list[int]
Vector = list[float]  # the weights that occur in the samples, by their numbers (Samples.met)

HELD_OUT = 25
# Number of weights of a position: one for each pattern, then the constant for the number of empty
# squares.
PLACES = len(PATTERNS) + 1
# A stage also learns from positions this many discs beyond its borders.
OVERLAP = 3
# How strongly the fit holds each weight at its initial value: a weight that occurs in RIDGE
# positions changes half as much as it would without this.
RIDGE = 60
# The first stage that is fitted, since results of games say too little about earlier stages.
FIRST_STAGE = 1
LIMIT = 32000
# Weight of the next stage's evaluation in a label: EARLY_SHARE before stage LATE, LATE_SHARE from
# then on, since late results depend less on chance.  The evaluation is that of a position at least
# MIN_PLIES later.  With at most SOLVED_FROM empty squares, labels are exact.
EARLY_SHARE, LATE_SHARE = 0.95, 0.6
LATE = 5
SOLVED_FROM, MIN_PLIES = 14, 4

# Hand-set weights in hundredths of a disc: for each direction in which a move flips discs, for a
# corner, and for the neighbours of an empty corner on the edge (C-squares) and inside (X-square).
MOBILITY = 60
CORNER = 900
BESIDE_ON_EDGE, BESIDE_INSIDE = -150, -400
# The class of the corner patterns, and the indices of four squares in such a pattern: the corner,
# its two neighbours on the edges, and its diagonal neighbour.
CORNERS, CORNER_SQUARES = 8, (0, 1, 4, 5)
# Lengths of the lines of squares with which the patterns of the first eight classes begin.
LINES = (8, 8, 8, 8, 8, 7, 6, 5)


# ---- symmetry -----------------------------------------------------------------------


def reflections(pattern: Sequence[int]) -> list[list[int]]:
    """Return the new order of a pattern's squares for each symmetry that maps it onto itself."""
    found = []
    for symmetry in range(1, SYMMETRIES):
        image = [transformed(square, symmetry) for square in pattern]
        if set(image) == set(pattern):
            found.append([pattern.index(square) for square in image])
    return found


def canonical_places() -> list[Places]:
    """Return the Places of each class of patterns: a weight's index for each content."""
    tables: list[Places] = []
    start = 0
    for pattern in PATTERN_CLASSES:
        table = list(range(start, start + 3 ** len(pattern)))
        for order in reflections(pattern):
            mirrored = [start]
            for place in order:
                mirrored = [index + digit * 3**place for digit in range(3) for index in mirrored]
            table = list(map(min, table, mirrored))
        tables.append(table)
        start += len(table)
    return tables


# ---- samples ------------------------------------------------------------------------


class Samples:
    """The training positions; each is a list of the numbers of its weights.

    Only weights that occur have a number; the numbers begin with 0, in the order of occurrence.
    rows: for each position the numbers of all its weights, those of its patterns first.
    met[number]: index in the file of the weight with this number; the constants come last.
    """

    def __init__(self, path: str, tables: list[Places]) -> None:
        by_lane = [tables[kind] for kind, _ in PATTERNS]
        self.rows, self.labels = array("I"), array("h")
        self.met: list[int] = []
        numbers: dict[int, int] = {}
        self.empties, self.games = array("b"), array("l")
        for line in open(path, encoding="ascii"):
            if line.startswith("#"):  # the end of a game
                continue
            words = line.split()
            own, opp = int(words[0], 16), int(words[1], 16)
            own_lanes = spread([s for s in range(64) if own >> s & 1])
            opp_lanes = spread([s for s in range(64) if opp >> s & 1])
            self.labels.append(int(words[2]))
            self.empties.append(64 - count_bits(own | opp))
            indices = patterns.indices(own_lanes, opp_lanes)
            met = [places[index] for places, index in zip(by_lane, indices)]
            for place in (*met, patterns.STAGE_WEIGHTS + self.empties[-1]):
                if place not in numbers:
                    numbers[place] = len(self.met)
                    self.met.append(place)
                self.rows.append(numbers[place])
            same_game = self.games and self.empties[-1] <= self.empties[-2]
            self.games.append(self.games[-1] + (not same_game) if self.games else 0)

    def later(self, number: int, empties: int) -> int | None:
        """Return the index of a later position of the same game, or None if none is suitable.

        It is the first one at least MIN_PLIES later with at most `empties` empty squares.
        """
        game, later = self.games[number], number + MIN_PLIES
        while later < len(self.games) and self.games[later] == game:
            if self.empties[later] <= empties:
                return later
            later += 1
        return None

    def of_stage(self, stage: int) -> list[int]:
        """Return the indices of the positions that a stage learns from."""
        wanted = [
            any(
                patterns.stage_of(max(0, min(60, empties + shift))) == stage
                for shift in (-OVERLAP, 0, OVERLAP)
            )
            for empties in range(65)
        ]
        return [number for number, empties in enumerate(self.empties) if wanted[empties]]


# ---- least squares ------------------------------------------------------------------


def predict(weights: Vector, samples: Samples, number: int) -> float:
    """Return the evaluation of one sample in discs."""
    rows, total = samples.rows, 0.0
    for place in range(number * PLACES, number * PLACES + PLACES):
        total += weights[rows[place]]
    return total


def spread_back(values: Iterable[float], samples: Samples, chosen: Iterable[int]) -> Vector:
    """Return, for each weight, the sum of the `values` of the chosen samples with that weight."""
    sums, rows = [0.0] * len(samples.met), samples.rows
    for value, number in zip(values, chosen):
        for place in range(number * PLACES, number * PLACES + PLACES):
            sums[rows[place]] += value
    return sums


def product(one: Vector, other: Vector) -> float:
    """Return the scalar product of two vectors."""
    return sum(x * y for x, y in zip(one, other))


def error(
    weights: Vector, samples: Samples, targets: Sequence[float], chosen: Sequence[int]
) -> float:
    """Return the root of the mean squared error in discs."""
    total = sum((targets[n] - predict(weights, samples, n)) ** 2 for n in chosen)
    return sqrt(total / max(1, len(chosen)))


def conjugate_gradients(
    weights: Vector, samples: Samples, targets: Sequence[float], chosen: Sequence[int]
) -> Iterator[None]:
    """Improve the weights in place, one round for each step of the generator.

    The method is Hestenes' and Stiefel's (1952).  It minimises the sum of the squared errors,
    plus RIDGE times the squared distance of each weight from its start.  Each component of the
    gradient is divided by RIDGE plus the number of positions with its weight.
    """
    scale = [1 / (RIDGE + count) for count in spread_back([1.0] * len(chosen), samples, chosen)]
    rest = spread_back([targets[n] - predict(weights, samples, n) for n in chosen], samples, chosen)
    step = [x * factor for x, factor in zip(rest, scale)]
    size = product(rest, step)
    while size > 1e-9:
        seen = [predict(step, samples, n) for n in chosen]
        curved = [x + RIDGE * y for x, y in zip(spread_back(seen, samples, chosen), step)]
        length = size / product(step, curved)
        for place in range(len(weights)):
            weights[place] += length * step[place]
            rest[place] -= length * curved[place]
        yield
        scaled = [x * factor for x, factor in zip(rest, scale)]
        before, size = size, product(rest, scaled)
        step = [x + size / before * y for x, y in zip(scaled, step)]


def blend_labels(
    samples: Samples, chosen: Sequence[int], stage: int, judge: Callable[[int], float]
) -> array[float]:
    """Return all labels; blend an evaluation from later in the game into those of `chosen`.

    judge(index): the evaluation of the sample at that index, a position of a later stage.
    """
    border = 60 - patterns.STAGE_LENGTH * (stage + 1)
    share = EARLY_SHARE if stage < LATE else LATE_SHARE
    targets = array("d", samples.labels)
    for number in chosen:
        later = samples.later(number, border) if samples.empties[number] > SOLVED_FROM else None
        if later is not None:
            seen = judge(later) if (later - number) % 2 == 0 else -judge(later)
            targets[number] += share * (seen - targets[number])
    return targets


def fit_stage(
    weights: Vector,
    samples: Samples,
    targets: Sequence[float],
    chosen: Sequence[int],
    rounds: int,
    name: int,
) -> None:
    """Improve the weights of one stage in place."""
    held = [number for number in chosen if samples.games[number] % HELD_OUT == 0]
    learned = [number for number in chosen if samples.games[number] % HELD_OUT]
    start = time.time()
    descent = conjugate_gradients(weights, samples, targets, learned)
    for turn, _ in zip(range(1, rounds + 1), descent):
        if turn % 5 == 0 or turn == rounds:
            unseen, seen = (
                error(weights, samples, targets, some) for some in (held, learned[::20])
            )
            tell(
                f"stage {name} of {len(learned)} positions, round {turn} of {rounds}: error "
                f"{unseen:.3f} discs held out, {seen:.3f} in training, {time.time() - start:.0f} s"
            )


# ---- weights ------------------------------------------------------------------------


def line_moves(content: Sequence[int], size: int) -> list[int]:
    """Return [own moves, the opponent's moves] on a line, counted in both directions.

    content: 0 for an empty square, 1 for an own disc, 2 for the opponent's.
    """
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


def corner_weight(content: Sequence[int]) -> int:
    """Return the hand-set weight of a corner block's content."""
    value = (0, 1, -1)
    corner, beside, below, diagonal = (value[content[place]] for place in CORNER_SQUARES)
    if corner:
        return CORNER * corner
    return BESIDE_ON_EDGE * (beside + below) + BESIDE_INSIDE * diagonal


def handmade() -> array[int]:
    """Return the hand-set weights of a stage, the same for all stages."""
    stage = array("h")
    for kind, size in enumerate(patterns.CLASS_SIZES):
        for digits in itertools.product(range(3), repeat=size):
            content = digits[::-1]  # the first square varies fastest
            weight = corner_weight(content) if kind == CORNERS else 0
            if kind < len(LINES):
                own, opp = line_moves(content[: LINES[kind]], LINES[kind])
                weight = MOBILITY * (own - opp)
            stage.append(weight)
    return stage


def fill_gaps(constants: list[int], samples: Samples) -> None:
    """Give the first plies of a game, which have no samples, the constants of later plies."""
    for empties in range(max(samples.empties) + 1, patterns.CONSTANTS):
        constants[empties] = constants[empties] or constants[empties - 2]


def fit(args: argparse.Namespace) -> None:
    """Fit all stages, the last one first.

    A stage without weights begins with the weights of the next stage.
    """
    tables = canonical_places()
    samples = Samples(args.samples, tables)
    tell(f"{len(samples.labels)} positions read")
    source = args.source and patterns.unpack_weights(pathlib.Path(args.source).read_bytes())
    weights = [0.0] * len(samples.met)
    # All weights of a stage in the file's unit, hundredths of a disc.
    numbers = [0] * (patterns.STAGE_WEIGHTS + patterns.CONSTANTS)
    constants = list(source[0]) if source else [0] * patterns.CONSTANTS
    stages: list[array[int]] = []
    fitted: dict[int, Vector] = {}

    def judge(number: int) -> float:
        return predict(fitted[patterns.stage_of(samples.empties[number])], samples, number)

    for stage in range(patterns.STAGES - 1, -1, -1):
        if source:
            numbers = [*source[1](stage), *source[0]]
            weights = [numbers[place] / 100 for place in samples.met]
        chosen = samples.of_stage(stage)
        if stage >= FIRST_STAGE and len(chosen) > HELD_OUT:
            targets = blend_labels(samples, chosen, stage, judge)
            fit_stage(weights, samples, targets, chosen, args.rounds, stage)
        fitted[stage] = weights[:]
        for place, weight in zip(samples.met, weights):
            numbers[place] = max(-LIMIT, min(LIMIT, round(100 * weight)))
        # Reflected contents get the same weights.
        stages.insert(0, array("h", [numbers[place] for table in tables for place in table]))
        for empties in range(patterns.CONSTANTS):
            if patterns.stage_of(empties) == stage:
                constants[empties] = numbers[patterns.STAGE_WEIGHTS + empties]
    fill_gaps(constants, samples)
    made = f"scripts/lab/othello_fit.py on {len(samples.labels)} positions of self-play"
    made += f", {args.rounds} rounds per stage"
    replace(args.weights, [pack_weights(stages, constants, made)])


def pack_weights(stages: Sequence[Sequence[int]], constants: Sequence[int], made: str) -> bytes:
    """Return the bytes of a weights file; all numbers must fit into signed 16 bits."""
    packed = [compress(data.write_numbers(array("h", stage)), 9) for stage in stages]
    head = patterns.LENGTHS.pack(*map(len, packed)) + data.write_numbers(array("h", constants))
    rest = head + b"".join(packed)
    return made.encode() + b"\n" + patterns.CHECKSUM.pack(crc32(rest)) + rest


def main() -> None:
    """Write the weights, fitted or set by hand."""
    parser = Parser("scripts/lab/othello_fit.py", __doc__.splitlines()[0])
    parser.add("[SAMPLES]", "file written by scripts/lab/othello_games.py")
    parser.add("WEIGHTS", "file to write")
    parser.add("--handmade", "write an evaluation set by hand")
    parser.add("--rounds N", "rounds of the fit per stage", 15)
    parser.add("--from WEIGHTS", "weights to begin with", dest="source")
    args = parser.parse_args()
    if args.handmade:
        made = "set by hand: directional mobility, corners, squares beside empty corners"
        stages, constants = [handmade()] * patterns.STAGES, [0] * patterns.CONSTANTS
        replace(args.weights, [pack_weights(stages, constants, made)])
    else:
        fit(args)


if __name__ == "__main__":
    main()
