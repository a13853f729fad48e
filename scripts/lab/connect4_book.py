#!/usr/bin/env python3
"""Make or extend the Connect Four book: exact scores and best moves, computed by our own solver.

    pypy3 scripts/lab/connect4_book.py --minutes 60            continue for an hour

The book is its own save file: its entries are not computed again, and it is rewritten every
minute and at the end, also after Ctrl-C.  Positions may be solved on other machines, see
--executor; each worker has a solver with its own table.  connect4_verdicts.py adds the
winner of positions for which that is enough, and checks the entries.

The book has positions that the engine can reach: from every start of up to three plies, with
the book's moves for the engine and any moves for the opponent.  They are computed in the
order in which games need them: replies that keep the score come first, and lines end where
the solver is expected to be quick.
"""

from __future__ import annotations

import functools
import heapq
import pathlib
import sys
import threading
import time
from collections.abc import Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.connect4.bits import (  # noqa: E402
    BOARD,
    BOTTOM_ROW,
    COLUMN_MASKS,
    COLUMNS,
    count_bits,
    has_four,
    landing_cell,
    play,
    winning_cells,
)
from games.connect4.book import (  # noqa: E402
    LOST,
    PATH,
    WON,
    canonical,
    pack,
    read_entries,
    split,
)
from games.connect4.solver import Connect4Solver, ordered_columns, plies_to_end  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402
from scripts.jobs.script import add_options, open_run, run_script  # noqa: E402
from scripts.jobs.worker import Job, Result  # noqa: E402
from search.table import Tables  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Optional

    from games.connect4.bits import Cells
    from games.types import Check, Key, Move

    Position = tuple[Cells, Cells]  # (mine, mask)
    Verdict = tuple[int, Move]  # 1 won, 0 drawn, -1 lost; a column that keeps it
    Entries = dict[Key, tuple[int, Move]]  # {key: (score, column)}
    # (cost, mine, mask, the position's score if the opponent's last move kept the score)
    Waiting = tuple[float, Cells, Cells, Optional[int]]

SCRIPT = "scripts/lab/connect4_book.py"
CELLS = 42
MOST_BYTES = 300_000
_A_MINUTES_BYTES = 4000  # more than the results between two saves take

# log10 of the nodes that a position takes: a plane through the means of Pons' sets, by the
# number of stones and of remaining plies.  Positions below the threshold are left to the
# solver.
NODES_AT, PLY_AT, PLIES_LEFT_AT = 5.6, 11, 22
A_PLY, A_PLY_LEFT = -0.12, 0.218
EASY = 5.3

# The cost of the next own move in the queue after a reply that keeps the score, and after
# another; starts of two and three plies wait until the lines from the empty board have
# reached that cost.
KEEPING, STRAYING = 0.4, 1.6
START_COSTS = (1.5, 1.0, 5.0, 6.5)


class TooLong(Exception):
    """Raised when a solver has used up its nodes or its time."""


class Queue:
    """Positions to examine, cheapest first.

    A position returns only if it became cheaper.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Cells, Cells, int | None]] = []
        self._costs: dict[Key, float] = {}
        self._number = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(
        self, cost: float, mine: Cells, mask: Cells, wanted: int | None = None, again: bool = False
    ) -> None:
        """Add a position.

        again: add it although it was there at a lower cost.
        wanted: its score if the opponent's last move kept the score.
        """
        mine, mask = upright(mine, mask)
        if again or self._costs.get(mine + mask, 1e9) > cost:
            self._costs[mine + mask] = cost
            self._number += 1
            heapq.heappush(self._heap, (cost, self._number, mine, mask, wanted))

    def take(self) -> Waiting:
        """Return (cost, mine, mask, wanted)."""
        cost, _, mine, mask, wanted = heapq.heappop(self._heap)
        return cost, mine, mask, wanted


def upright(mine: Cells, mask: Cells) -> Position:
    """Return the position or its mirror image, whichever the book stores."""
    return split(canonical(mine, mask)[0])


def starts(queue: Queue) -> None:
    """Queue every position of up to three plies."""
    level = [(0, 0)]
    for cost in START_COSTS:
        for mine, mask in level:
            queue.add(cost, mine, mask)
        level = [play(mine, mask, column) for mine, mask in level for column in range(COLUMNS)]


def verdict(solver: Connect4Solver, mine: Cells, mask: Cells) -> Verdict:
    """Return who wins a position, however many nodes that takes."""
    columns, wins = ordered_columns(mine, mask), winning_cells(mine, mask)
    columns.sort(key=lambda column: not wins & landing_cell(mask, column))
    for value in (1, 0):
        if solver.bound(mine, mask, value - 1) >= value:
            return value, next(
                column
                for column in columns
                if solver.move_bound(mine, mask, column, value - 1) >= value
            )
    return -1, columns[0]


def equal_moves(solver: Connect4Solver, mine: Cells, mask: Cells, value: int) -> list[Move]:
    """Return the columns that keep the value, as in verdict(), of a position that isn't won."""
    return [
        column
        for column in ordered_columns(mine, mask)
        if value < 0 or solver.move_bound(mine, mask, column, -1) >= 0
    ]


def replies(mine: Cells, mask: Cells, column: Move) -> Iterator[Position]:
    """Yield the positions after an own move and each answer that doesn't end the game."""
    mine, mask = play(mine, mask, column)
    if has_four(mine ^ mask):
        return
    for answer in range(COLUMNS):
        if mask + BOTTOM_ROW & COLUMN_MASKS[answer]:
            after = play(mine, mask, answer)
            if not has_four(after[0] ^ after[1]) and after[1] != BOARD:
                yield after


def is_hard(mask: Cells, score: int) -> bool:
    """Is the solver expected to take long?"""
    left = CELLS - count_bits(mask)
    if score in (WON, LOST):
        return True
    plies = plies_to_end(score, left)
    log_nodes = NODES_AT + A_PLY * (CELLS - left - PLY_AT) + A_PLY_LEFT * (plies - PLIES_LEFT_AT)
    return log_nodes > EASY


@functools.cache
def solver_of(megabytes: float, owner: Hashable) -> Connect4Solver:
    """Return the solver of an owner, such as a thread, with a table of this size."""
    return Connect4Solver(Tables(megabytes).table)


def nodes_budget(most_nodes: int) -> Check:
    """Return a budget (Connect4Solver.begin) that raises TooLong after `most_nodes` nodes."""

    def check(nodes: int) -> int:
        if nodes >= most_nodes:
            raise TooLong
        return most_nodes

    return check


def time_budget(seconds: float) -> Check:
    """Return a budget that raises TooLong after this time."""
    end = time.monotonic() + seconds

    def check(nodes: int) -> int:
        if time.monotonic() > end:
            raise TooLong
        return nodes + 100_000

    return check


def solve(job: Job) -> Result:
    """Solve the position of a job {id, mine, mask, megabytes}; {id, score, column, nodes}."""
    solver = solver_of(job["megabytes"], threading.get_ident())
    solver.begin()  # connect4_verdicts.py may have set a budget
    score = solver.score(job["mine"], job["mask"])
    column = solver.best_move(job["mine"], job["mask"], score)
    return {"id": job["id"], "score": score, "column": column, "nodes": solver.nodes()}


def from_replies(entries: Entries) -> tuple[int, Move] | None:
    """Return (score, column) of the empty board, from its replies; None if one is missing."""
    keys = [canonical(*play(0, 0, column))[0] for column in range(COLUMNS)]
    if not all(key in entries for key in keys):
        return None
    return max((-entries[key][0], column) for column, key in enumerate(keys))


def save(entries: Entries, path: str) -> int:
    """Write the book in one step, so that it is always whole; return its size in bytes."""
    data = pack(entries)
    replace(path, [data])
    return len(data)


class Progress:
    """The time limit of a script, and a line about once a minute."""

    def __init__(self, seconds: float) -> None:
        self._started = self._last = time.monotonic()
        self._seconds = seconds

    def left(self) -> float:
        """Return the seconds left."""
        return self._started + self._seconds - time.monotonic()

    def is_due(self) -> bool:
        """Has a minute passed since the last line?"""
        return time.monotonic() - self._last > 60

    def line(self, text: str) -> None:
        """Print a line of progress."""
        self._last = time.monotonic()
        tell(f"{self._last - self._started:6.0f} s  {text}")


class Extension:
    """The queue at work: positions become jobs, results become entries and new positions.

    queue: initial positions.  nodes: visited by the solvers.
    """

    def __init__(
        self, entries: Entries, queue: Queue, path: str, megabytes: float, seconds: float
    ) -> None:
        self.entries, self.new, self.nodes = entries, 0, 0
        self._path, self._megabytes = path, megabytes
        self._queue = queue
        self._running: dict[str, tuple[float, int | None]] = {}
        self._progress = Progress(seconds)
        self._size = save(entries, path)

    def jobs(self) -> Iterator[Job | None]:
        """Yield jobs until the time or the book's room is used up; None while others run."""
        while self._progress.left() > 0 and self._size < MOST_BYTES - _A_MINUTES_BYTES:
            if not self._queue:
                if not self._running:
                    return
                yield None
                continue
            cost, mine, mask, wanted = self._queue.take()
            key = mine + mask
            if not mask and key not in self.entries:
                found = from_replies(self.entries)
                if found is None:  # its replies are still being solved
                    self._queue.add(cost + KEEPING, mine, mask, wanted, again=True)
                    if self._running:
                        yield None
                    continue
                self.entries[key] = found
                self.new += 1
            if key in self.entries:
                self._follow(cost, mine, mask, wanted)
                continue
            job: Job = {"id": str(key), "mine": mine, "mask": mask, "megabytes": self._megabytes}
            self._running[job["id"]] = cost, wanted
            yield job

    def add(self, job: Job, result: Result) -> None:
        """Put a result into the book."""
        mine, mask = job["mine"], job["mask"]
        self.entries[mine + mask] = result["score"], result["column"]
        self.new += 1
        self.nodes += result["nodes"]
        cost, wanted = self._running.pop(job["id"])
        self._follow(cost, mine, mask, wanted)
        if self._progress.is_due():
            self.save()
            done = f"at ply {count_bits(mask)}, {self.nodes / 1e9:.2f} G nodes"
            self._progress.line(f"{self}, {done}")

    def _follow(self, cost: float, mine: Cells, mask: Cells, wanted: int | None) -> None:
        """Queue the positions after an entry."""
        score, column = self.entries[mine + mask]
        if is_hard(mask, score):
            step = KEEPING if wanted in (None, score) else STRAYING
            for after in replies(mine, mask, column):
                self._queue.add(cost + step, *after, wanted=score)

    def save(self) -> None:
        """Write the book."""
        self._size = save(self.entries, self._path)

    def __str__(self) -> str:
        return f"{len(self.entries)} entries, {self.new} new, {len(self._queue)} waiting"


def book_parser(script: str, description: str) -> Parser:
    """Return the parser of a script that extends or checks the book."""
    parser = Parser(script, description=description)
    parser.add("--book FILE", "book to extend or check (default: the engine's)", PATH)
    parser.add("--minutes N", "computing time", 60.0)
    parser.add("--megabytes N", "size of a solver's table", 1500.0)
    add_options(parser, "positions")
    return parser


def main() -> None:
    """Extend the book until time or its room is used up."""
    found = book_parser(SCRIPT, __doc__).parse_args()
    entries = read_entries(found.book)
    queue = Queue()
    starts(queue)
    extension = Extension(entries, queue, found.book, found.megabytes, found.minutes * 60)
    with open_run(found, "scripts.lab.connect4_book:solve", ("position", "solved"), True) as run:
        try:
            for job, result in run.results(extension.jobs()):
                extension.add(job, result)
        finally:
            extension.save()
    tell(str(extension))


if __name__ == "__main__":
    run_script(SCRIPT, main)
