#!/usr/bin/env python3
"""Fit the weights of the evaluation of draughts to labelled positions; PyPy is 20 times as fast.

    pypy3 scripts/lab/draughts_fit.py SAMPLES WEIGHTS [--game NAME] [--rounds N] [--result PERCENT]

SAMPLES come from scripts/lab/draughts_games.py.  The evaluation predicts the points of White as a
logistic function of the score.  The label is a blend of the points that the search's score stands
for and of the game's result; the loss is the cross-entropy, the method Adagrad (Duchi 2011).

Most contents of a pattern are rare.  So the blocks of two rows by two squares inside the patterns
have weights as well, which are learned from fewer positions; at the end they are added to those of
the patterns.  The stages are fitted from the last to the first, each from the weights of the
next stage.  One block of positions in HELD_OUT is not used for the fit; the loss is measured on it.
"""

from __future__ import annotations

import pathlib
import random
import sys
from array import array
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import Any
from zlib import compress

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data, registry  # noqa: E402
from games.draughts.patterns import (  # noqa: E402
    CONTENTS,
    HEIGHT,
    SCALE,
    STAGES,
    WIDTH,
    DraughtsEvaluation,
    stage_of,
)
from games.draughts.squares import board_of  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.draughts.squares import Bits
    from games.types import Square

HELD_OUT, BLOCK = 20, 500
POINTS = 110.0  # with this score, in hundredths of a man, White gets 73 % of the points
OVERLAP = 3  # a stage also learns from positions with up to this number of pieces more or fewer
RATE, SOFT = 3.0, 1.0  # a weight's first step, in hundredths of a man; what delays it
PATTERN_SHARE = 0.3  # the steps of a pattern's weights, as a share of those of the small blocks
SMALL = 3**4  # contents of a small block
LIMIT = 8000


class Model:
    """The places of all weights: patterns, kings, the right to move, small blocks.

    blocks: [(small block of the upper half, its image on the turned board)].
    """

    def __init__(self, judge: DraughtsEvaluation) -> None:
        board = self.board = judge.board
        self.judge, self.half = judge, len(judge.patterns) // 2
        self.kings = self.half * CONTENTS
        self.move = self.kings + len(board.all)
        self.small = self.move + 1
        width = board.columns // 2
        rows = [board.all[start : start + width] for start in range(0, len(board.all), width)]
        self.turned = dict(zip(board.all, reversed(board.all)))
        self.blocks: list[tuple[list[Square], list[Square]]] = []
        for top in range(len(rows) // 2):
            for place in range(width - 1):
                block = rows[top][place : place + 2] + rows[top + 1][place : place + 2]
                self.blocks.append((block, [self.turned[square] for square in block]))
        self.size = self.small + SMALL * len(self.blocks)
        self._swapped = [0]
        for index in range(HEIGHT * WIDTH):
            self._swapped = [
                content + digit * 3**index for digit in (0, 2, 1) for content in self._swapped
            ]

    def places(
        self, men: Sequence[Bits], kings: Sequence[Bits], colour: int
    ) -> tuple[list[int], list[int], int]:
        """Return (places of a position's weights, their signs, lanes of the position)."""
        judge, half = self.judge, self.half
        number = self.board.all.index
        lanes = sum(
            lanes_of[square]
            for bits, lanes_of in zip(
                (*men, kings[0] | kings[1]), (*judge.man_lanes, judge.king_lanes)
            )
            for square in self.board.of(bits)
        )
        contents = judge.words(lanes)
        upper = [lane * CONTENTS + contents[lane] for lane in range(half)]
        lower = [lane * CONTENTS + self._swapped[contents[half + lane]] for lane in range(half)]
        white = [self.kings + number(square) for square in self.board.of(kings[0])]
        black = [self.kings + number(self.turned[square]) for square in self.board.of(kings[1])]
        plus, minus = upper + white, lower + black
        for index, (block, opposite) in enumerate(self.blocks):
            start = self.small + index * SMALL
            plus.append(start + content_of(block, men[0], men[1]))
            minus.append(start + content_of(opposite, men[1], men[0]))
        (minus if colour else plus).append(self.move)
        return plus + minus, [1] * len(plus) + [-1] * len(minus), lanes

    def fold(self, weights: Sequence[float]) -> array[int]:
        """Return the weights as the file has them: those of small blocks added to the patterns'."""
        whole = list(weights[: self.small])
        for index, (block, _) in enumerate(self.blocks):
            values = weights[self.small + index * SMALL : self.small + (index + 1) * SMALL]
            lane = next(
                lane
                for lane, pattern in enumerate(self.judge.patterns)
                if set(block) <= set(pattern)
            )
            digits = [3 ** self.judge.patterns[lane].index(square) for square in block]
            for content in range(CONTENTS):
                inside = sum(content // digit % 3 * 3**place for place, digit in enumerate(digits))
                whole[lane * CONTENTS + content] += values[inside]
        return array("h", [max(-LIMIT, min(LIMIT, round(SCALE * weight))) for weight in whole])


def content_of(block: Sequence[Square], own: Bits, others: Bits) -> int:
    """Return the content of a block: own men are 1, the others' 2."""
    return sum(
        3**place * ((own >> square & 1) + 2 * (others >> square & 1))
        for place, square in enumerate(block)
    )


class Sample:
    """A position: the places of its weights, their signs, its prior score and its label."""

    __slots__ = ("places", "signs", "prior", "label", "pieces", "held")

    def __init__(self, model: Model, words: list[str], result_share: float, held: bool) -> None:
        men, kings = ([int(word, 16) for word in words[at : at + 2]] for at in (0, 2))
        colour, score, result = map(int, words[4:])
        self.places, self.signs, lanes = model.places(men, kings, colour)
        sign = -1 if colour else 1
        share = result_share * (1 + sign * result) / 2
        self.label = share + (1 - result_share) * points(sign * score)
        state = 0, 0, 0, False, 0, men[0], kings[0], men[1], kings[1], lanes
        self.prior = model.judge.evaluate(state)
        self.pieces, self.held = model.judge.words(lanes)[-1], held


def read_samples(path: str, model: Model, result_share: float) -> Iterator[Sample]:
    """Yield the samples of a file."""
    for number, line in enumerate(open(path, encoding="ascii")):
        words = line.split()
        if len(words) == 7:  # otherwise the line was cut off
            yield Sample(model, words, result_share, number // BLOCK % HELD_OUT == 0)


def points(score: float) -> float:
    """Return the points that a score stands for, from 0 to 1."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, score / POINTS))))


def predict(sample: Sample, weights: list[float]) -> float:
    """Return the score of a sample for White, in hundredths of a man."""
    score = float(sample.prior)
    places, signs = sample.places, sample.signs
    for index in range(len(places)):
        score += signs[index] * weights[places[index]]
    return score


def loss(samples: list[Sample], weights: list[float]) -> float:
    """Return the mean cross-entropy of the samples."""
    total = 0.0
    for sample in samples:
        guess = points(predict(sample, weights))
        total -= sample.label * log(guess + 1e-9) + (1 - sample.label) * log(1 - guess + 1e-9)
    return total / max(1, len(samples))


def fit_stage(
    samples: list[Sample], weights: list[float], patterns: int, rounds: int, stage: int
) -> None:
    """Improve the weights of a stage in place; patterns: the number of weights of patterns."""
    held = [sample for sample in samples if sample.held]
    learned = [sample for sample in samples if not sample.held]
    squares = [SOFT] * len(weights)
    dice = random.Random(stage)
    tell(f"stage {stage}: {len(learned)} positions, loss {loss(held, weights):.5f} held out")
    for turn in range(rounds):
        dice.shuffle(learned)
        rate = RATE * (1 - turn / rounds)
        for sample in learned:
            error = points(predict(sample, weights)) - sample.label
            square = error * error
            places, signs = sample.places, sample.signs
            for index in range(len(places)):
                place = places[index]
                squares[place] += square
                step = rate if place >= patterns else rate * PATTERN_SHARE
                weights[place] -= step * signs[index] * error / sqrt(squares[place])
    tell(f"stage {stage}: loss {loss(held, weights):.5f} held out")


def main() -> None:
    """Write the weights."""
    parser = Parser("scripts/lab/draughts_fit.py", __doc__)
    parser.add("SAMPLES", "file written by scripts/lab/draughts_games.py")
    parser.add("WEIGHTS", "file to write")
    parser.add("--game NAME", "the game", "draughts")
    parser.add("--rounds N", "rounds of the fit per stage", 5)
    parser.add("--result PERCENT", "weight of the game's result in a label", 50)
    args = parser.parse_args()
    game: Any = registry.get(args.game)
    model = Model(DraughtsEvaluation(board_of(game.columns), game.values))
    samples = list(read_samples(args.samples, model, args.result / 100))
    tell(f"{len(samples)} positions read")
    weights = [0.0] * model.size
    stages: list[array[int]] = []
    for stage in range(STAGES):
        near = {
            pieces
            for pieces in range(-OVERLAP, len(model.board.all))
            if stage in (stage_of(pieces - OVERLAP), stage_of(pieces), stage_of(pieces + OVERLAP))
        }
        chosen = [sample for sample in samples if sample.pieces in near]
        if chosen:
            fit_stage(chosen, weights, model.kings, args.rounds, stage)
        stages.append(model.fold(weights))
    made = f"fitted to {len(samples)} positions of games of the engine against itself\n"
    numbers = b"".join(map(data.write_numbers, stages))
    replace(args.weights, [made.encode() + compress(numbers, 9)])


if __name__ == "__main__":
    main()
