#!/usr/bin/env python3
"""Make or extend the Connect Four book: exact scores and best moves, computed by our own solver.

    pypy3 scripts/lab/connect4_book.py --minutes 60            go on for an hour

The book is its own save file: what is in it is not computed again, and it is rewritten every
minute. connect4_verdicts.py adds who wins where that is all that is needed, and checks the
entries.

It holds positions in which the engine may find itself: from every start of up to three plies, its
own moves are the book's, the opponent's are any.  They are computed in the order in which games
need them: replies that keep the score first, and no further where the solver is expected to be
quick.
"""
import heapq
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.connect4.bits import (  # noqa: E402
    BOARD,
    BOTTOM_ROW,
    COLUMN_MASKS,
    COLUMNS,
    count_bits,
    has_four,
    play,
)
from games.connect4.book import PATH, canonical, pack, read_entries, split  # noqa: E402
from games.connect4.scores import LOST, WON, plies_to_end  # noqa: E402
from games.connect4.solver import Solver  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from search.table import Tables  # noqa: E402

CELLS = 42
MOST_BYTES = 300_000
_A_MINUTES_BYTES = 4000                 # more than what is found between two saves takes

# log10 of the nodes that a position takes: a plane through the means of Pons' sets, by the stones
# on the board and by the plies that are left to play.  Positions below the threshold are left to
# the solver.
NODES_AT, PLY_AT, PLIES_LEFT_AT = 5.6, 11, 22
A_PLY, A_PLY_LEFT = -0.12, 0.218
EASY = 5.3

# What the next own move costs in the queue after a reply that keeps the score, and after another;
# starts of two and three plies wait until the lines from the empty board have got so far.
KEEPING, STRAYING = 0.4, 1.6
START_COSTS = (1.5, 1.0, 5.0, 6.5)


class Queue:
    """Positions still to be looked at, cheapest first; a position comes again only if it got cheaper."""

    def __init__(self):
        self._heap, self._costs, self._number = [], {}, 0

    def __len__(self):
        return len(self._heap)

    def add(self, cost, mine, mask, wanted=None):
        """wanted: the score that the position has if the opponent's last move kept his."""
        mine, mask = upright(mine, mask)
        if self._costs.get(mine + mask, 1e9) > cost:
            self._costs[mine + mask] = cost
            self._number += 1
            heapq.heappush(self._heap, (cost, self._number, mine, mask, wanted))

    def take(self):
        """(cost, mine, mask, wanted)."""
        cost, _, mine, mask, wanted = heapq.heappop(self._heap)
        return cost, mine, mask, wanted


def upright(mine, mask):
    """The position or its mirror image, whichever the book holds."""
    return split(canonical(mine, mask)[0])


def starts(queue):
    """Every position of up to three plies."""
    level = [(0, 0)]
    for cost in START_COSTS:
        for mine, mask in level:
            queue.add(cost, mine, mask)
        level = [play(mine, mask, column) for mine, mask in level for column in range(COLUMNS)]


def replies(mine, mask, column):
    """The positions after an own move and each answer that doesn't end the game."""
    mine, mask = play(mine, mask, column)
    if has_four(mine ^ mask):
        return
    for answer in range(COLUMNS):
        if mask + BOTTOM_ROW & COLUMN_MASKS[answer]:
            after = play(mine, mask, answer)
            if not has_four(after[0] ^ after[1]) and after[1] != BOARD:
                yield after


def is_hard(mask, score):
    """Is the solver expected to need long?"""
    left = CELLS - count_bits(mask)
    if score in (WON, LOST):
        return True
    plies = plies_to_end(score, left)
    return NODES_AT + A_PLY * (CELLS - left - PLY_AT) + A_PLY_LEFT * (plies - PLIES_LEFT_AT) > EASY


def solve(solver, mine, mask, entries):
    """(score, column) of a position; the empty board's from its replies."""
    if mask:
        score = solver.score(mine, mask)
        return score, solver.best_move(mine, mask, score)
    return max((-entries[canonical(*play(0, 0, column))[0]][0], column) for column in range(COLUMNS))


def save(entries, path):
    """Write the book in one step, so that it is whole at any time; its size in bytes."""
    data = pack(entries)
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.replace(path + ".new", path)
    return len(data)


def extend(entries, solver, path, seconds):
    """Walk the queue until time or the book's room is used up."""
    queue, started, last = Queue(), time.monotonic(), time.monotonic()
    starts(queue)
    new = 0
    size = save(entries, path)
    while queue and time.monotonic() - started < seconds and size < MOST_BYTES - _A_MINUTES_BYTES:
        cost, mine, mask, wanted = queue.take()
        if mine + mask not in entries:
            entries[mine + mask] = solve(solver, mine, mask, entries)
            new += 1
        score, column = entries[mine + mask]
        if is_hard(mask, score):
            step = KEEPING if wanted in (None, score) else STRAYING
            for after in replies(mine, mask, column):
                queue.add(cost + step, *after, wanted=score)
        if time.monotonic() - last > 60:
            last = time.monotonic()
            size = save(entries, path)
            print(f"{last - started:6.0f} s  {len(entries)} entries, {new} new, {len(queue)} waiting,"
                  f" at ply {count_bits(mask)}, {solver.nodes() / 1e9:.2f} G nodes", flush=True)
    save(entries, path)
    print(f"{len(entries)} entries, {new} new, {len(queue)} waiting")


def main():
    parser = Parser("scripts/lab/connect4_book.py", description=__doc__.splitlines()[0])
    parser.add_argument("--book", default=PATH, help="the file to extend")
    parser.add_argument("--minutes", type=float, default=60, help="how long to compute")
    parser.add_argument("--megabytes", type=float, default=1500, help="size of the solver's table")
    arguments = parser.parse_args()
    entries = read_entries(arguments.book)
    solver = Solver(Tables(arguments.megabytes).table)
    solver.begin()
    extend(entries, solver, arguments.book, arguments.minutes * 60)


if __name__ == "__main__":
    main()
