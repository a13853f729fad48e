#!/usr/bin/env python3
"""Fit Othello's multi-ProbCut: how well does a shallow search predict a deep one?

    pypy3 scripts/lab/othello_probcut.py SAMPLES [--positions N] [--depth N] [--seed N]

The script searches positions of SAMPLES (from scripts/lab/othello_games.py) to every depth
without ProbCut, fits `deep = slope * shallow + offset` by least squares for each pair of
depths, and prints the spread of the errors by stage: the table of games/othello/kernel.py.
"""

from __future__ import annotations

import pathlib
import random
import sys
import time
from math import sqrt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.base import INFINITY  # noqa: E402
from games.grid import count_bits  # noqa: E402
from games.othello.patterns import STAGES, stage_of  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from games.types import Score  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.lab.othello_match import Variant  # noqa: E402
from search.context import Context, kernel_of  # noqa: E402
from search.limits import (
    Deadlines,  # noqa: E402
    Limits,  # noqa: E402
)
from search.pvs import Tree, bind_search  # noqa: E402

# (empties, [score at depth 0, 1, ...]) of a position.
Scores = tuple[int, list[Score]]
Points = list[tuple[Score, Score]]

SHALLOW = {3: 1, 4: 2, 5: 1, 6: 2, 7: 3, 8: 4, 9: 3, 10: 4, 11: 5, 12: 6}
MIN_EMPTIES = 14
LOST = 4000  # in hundredths of a disc; positions with larger scores are decided, and skipped


GAME = Variant(probcut=False)


def searched(line: str, depth: int, context: Context) -> Scores | None:
    """Return the scores of a sample at each depth; None if it is near the end or decided."""
    own, opp = (int(discs, 16) for discs in line.split()[:2])
    empties = 64 - count_bits(own | opp)
    if empties < MIN_EMPTIES:
        return None
    black, white = ([s for s in range(64) if discs >> s & 1] for discs in (own, opp))
    position = OthelloPosition(GAME, black, white, 0)
    tree = Tree(context.search_table(position), context.check)
    kernel = kernel_of(position, context, tree)
    bind_search(kernel, tree)
    scores = [
        tree.search(kernel.root_state(), deep, -INFINITY, INFINITY, 0, False)
        for deep in range(depth + 1)
    ]
    return (empties, scores) if max(map(abs, scores)) < LOST else None


def regression(points: Points) -> tuple[float, float]:
    """Return (slope, offset) of y on x by least squares."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in points)
    slope = covariance / sum((x - mean_x) ** 2 for x, _ in points)
    return slope, mean_y - slope * mean_x


def spread(points: Points, slope: float, offset: float) -> float:
    """Return the root mean square error of the regression."""
    return sqrt(sum((y - slope * x - offset) ** 2 for x, y in points) / max(1, len(points)))


def main() -> None:
    """Search the positions, and print the fits."""
    parser = Parser("scripts/lab/othello_probcut.py", __doc__.splitlines()[0])
    parser.add("SAMPLES", "file written by scripts/lab/othello_games.py")
    parser.add("--positions N", "number of positions to search", 400)
    parser.add("--depth PLIES", "maximum depth of the searches", 8)
    parser.add("--seed N", "seed of the choice of positions", 1)
    args = parser.parse_args()
    lines = [line for line in open(args.samples, encoding="ascii") if not line.startswith("#")]
    random.Random(args.seed).shuffle(lines)
    context = Context(Deadlines(Limits(), 0), {}, {}, 64)
    start = time.time()
    found: list[Scores] = []
    for line in lines:
        entry = searched(line, args.depth, context)
        if entry:
            found.append(entry)
            if len(found) % 50 == 0:
                tell(f"{len(found)} of {args.positions} positions, {time.time() - start:.0f} s")
        if len(found) == args.positions:
            break
    for deep, shallow in SHALLOW.items():
        if deep > args.depth:
            break
        points = [(scores[shallow], scores[deep]) for _, scores in found]
        slope, offset = regression(points)
        by_stage = []
        for stage in range(STAGES):
            near = [
                point
                for point, (empties, _) in zip(points, found)
                if abs(stage_of(empties) - stage) <= 1
            ]
            by_stage.append(round(spread(near, slope, offset)) if len(near) > 10 else 0)
        overall = round(spread(points, slope, offset))
        print(
            f"    {deep}: ({shallow}, {slope:.3f}, {offset:.0f}, {tuple(by_stage)}),"
            f"   # in all {overall}"
        )


if __name__ == "__main__":
    main()
