#!/usr/bin/env python3
"""Spread the weights of Othello's former 50 patterns over the present ones that contain them.

    git show 79df4ad:games/othello/weights.bin > former.bin
    pypy3 scripts/lab/othello_spread.py former.bin WEIGHTS

The evaluation stays the same.  scripts/lab/othello_fit.py can continue from WEIGHTS.
"""

from __future__ import annotations

import pathlib
import sys
import zlib
from array import array

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data  # noqa: E402
from games.othello import patterns  # noqa: E402
from games.othello.lanes import PATTERN_CLASSES, PATTERNS, images, squares_of  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.lab.othello_fit import write  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    # For a former pattern: the offset of the weights of its class, its squares, and the number
    # of present patterns that contain it.
    Former = tuple[int, list[int], int]

FORMER_CLASSES = tuple(
    map(
        squares_of,
        (
            "a1 b1 c1 d1 e1 f1 g1 h1",
            "a2 b2 c2 d2 e2 f2 g2 h2",
            "a3 b3 c3 d3 e3 f3 g3 h3",
            "a4 b4 c4 d4 e4 f4 g4 h4",
            "a1 b2 c3 d4 e5 f6 g7 h8",
            "a2 b3 c4 d5 e6 f7 g8",
            "a3 b4 c5 d6 e7 f8",
            "a4 b5 c6 d7 e8",
            "a5 b6 c7 d8",
            "a6 b7 c8",
            "a1 b1 c1 d1 a2 b2 c2 d2",
            "a1 b1 c1 a2 b2 c2 a3 b3",
        ),
    )
)
FORMER_STAGE = sum(3 ** len(pattern) for pattern in FORMER_CLASSES)


def former_patterns() -> list[Former]:
    """Return the 50 former patterns."""
    found: list[Former] = []
    start = 0
    for pattern in FORMER_CLASSES:
        for image in images(pattern):
            holders = sum(set(image) <= set(present) for _, present in PATTERNS)
            found.append((start, image, holders))
        start += 3 ** len(pattern)
    return found


def spread(former: Sequence[int], places: Sequence[Former]) -> list[int]:
    """Return the weights of a stage.

    former: a stage's weights for the former patterns, which lie at `places`.
    """
    stage: list[int] = []
    for pattern in PATTERN_CLASSES:
        sums = [0.0] * 3 ** len(pattern)
        for start, inside, holders in places:
            if not set(inside) <= set(pattern):
                continue
            indices = [start]
            for square in pattern:
                step = 3 ** inside.index(square) if square in inside else 0
                indices = [index + digit * step for digit in range(3) for index in indices]
            sums = [x + former[index] / holders for x, index in zip(sums, indices)]
        stage += map(round, sums)
    return stage


def main() -> None:
    """Read the weights of the former patterns; write those of the present patterns."""
    parser = Parser("scripts/lab/othello_spread.py", description=__doc__.splitlines()[0])
    parser.add_argument("former")
    parser.add_argument("weights")
    args = parser.parse_args()
    _, _, packed = pathlib.Path(args.former).read_bytes().partition(b"\n")
    weights: array[int] = data.read_numbers("h", zlib.decompress(packed))
    places = former_patterns()
    stages = [
        spread(weights[stage * FORMER_STAGE : (stage + 1) * FORMER_STAGE], places)
        for stage in range(patterns.STAGES)
    ]
    write(
        args.weights,
        stages,
        weights[patterns.STAGES * FORMER_STAGE :],
        "spread from the weights of 50 patterns",
    )


if __name__ == "__main__":
    main()
