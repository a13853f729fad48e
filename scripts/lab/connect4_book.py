#!/usr/bin/env python3
"""Make, extend or check the Connect Four book, with our own solver.

    pypy3 scripts/lab/connect4_book.py --walk --exact --plies 7             exact scores
    pypy3 scripts/lab/connect4_book.py --walk --easy easy.txt               who wins
    pypy3 scripts/lab/connect4_book.py --check --checked checked.txt        prove the entries

The walk goes ply by ply through the positions with the engine to move: all positions after one
to three plies, then those after each move that the engine may play and any reply.  Within a ply,
the positions that random replies reach most often come first.

A position gets an entry unless a search of `--nodes` nodes with an empty table decides it.  An
entry has the value of the position (won, drawn or lost; with `--exact` the exact score) and a move
that keeps the value, which the engine will play.  A position without an entry is easy.  If it is
drawn, the engine may play any move that keeps the draw; if it is lost, any move at all.  If it is
won, the walk doesn't go on from there, since the proof of the win covers every reply.

The check proves the wins, then the other entries, and in both groups those with the most plies
first.  So when it reaches an entry, the entries one or two plies later are already proven and need
not be solved again.  Exact entries count as proven.

A walk that was stopped resumes from the book and the file of easy positions.  A check resumes from
the file of checked entries.  Other machines can take part: see --executor.  Each worker has a
solver with a table of its own.
"""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import sys
import threading
import time
from array import array
from zlib import compress, crc32

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data
from games.connect4.bits import (
    BOARD,
    BOTTOM_ROW,
    COLUMN_MASKS,
    COLUMNS,
    HEIGHT,
    has_four,
    landing_cell,
    mirrored,
    ordered_columns,
    play,
    winning_cells,
)
from games.connect4.book import (
    COLUMN_BITS,
    ENTRY_BYTES,
    LOST,
    MAGIC,
    PATH,
    SHIFT,
    WON,
    canonical,
    score_and_column,
    score_bounds,
    unpack,
)
from games.connect4.solver import LARGE_FROM, MIRROR_FROM, Connect4Solver
from games.entry import KEY_SHIFT
from games.entry import PACKED_BIAS as BIAS
from games.entry import PACKED_SHIFT as SCORE_SHIFT
from games.grid import count_bits
from scripts.command_line import Parser, tell
from scripts.jobs.command import add_options, open_run, run_script
from scripts.jobs.files import replace
from scripts.jobs.worker import JobData, ResultData
from search.table import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
    from typing import Optional

    from games.connect4.bits import Cells
    from games.types import Check, Key, Move
    from scripts.jobs.run import Run

    # A Position is (mine, mask).  A Verdict is (value, a column that keeps it); the value is 1 if
    # the position is won, 0 if drawn, -1 if lost.  Entries are {key: (score, column)}.  Easy is
    # (value, columns that the engine may play).  A Level is {position: its probability if replies
    # are random}; Levels are {number of plies: Level}.
    Position = tuple[Cells, Cells]
    Verdict = tuple[int, Move]
    Entries = dict[Key, tuple[int, Move]]
    Easy = tuple[int, Sequence[Move]]
    Level = dict[Position, float]
    Levels = dict[int, Level]
    Keep = Callable[[Optional[Key]], None]

SCRIPT = "scripts/lab/connect4_book.py"
CELLS = 42
MAX_BYTES = 300_000
VERDICTS = (0, WON, LOST)  # the score of an inexact entry, by its value (0, 1 or -1)
_CLASSIFIER_MEGABYTES = 4
_START_PLIES = (1, 2, 3)


class TooLong(Exception):
    """Raised when a solver has used up its nodes or its time."""


def split(key: Key) -> tuple[Cells, Cells]:
    """Return (mine, mask) of a key, which is mine + mask.

    Add 1 to a column's seven bits of the key.  Then the highest 1 bit is directly above the
    column's top stone, and the bits below it are the column's bits of `mine`.
    """
    mine = mask = 0
    for column in range(COLUMNS):
        digits = (key >> HEIGHT * column & 0x7F) + 1
        stones = (1 << digits.bit_length() - 1) - 1
        mask |= stones << HEIGHT * column
        mine |= digits - 1 - stones << HEIGHT * column
    return mine, mask


def pack(entries: Mapping[Key, tuple[int, int]]) -> bytes:
    """Return the bytes of a book.  entries: {canonical key: (score, column)}."""
    words = [
        key << SHIFT | score + BIAS << COLUMN_BITS | column
        for key, (score, column) in entries.items()
    ]
    plain = data.write_numbers(array("Q", sorted(words)))
    body = compress(b"".join(plain[place::ENTRY_BYTES] for place in range(ENTRY_BYTES)), 9)
    return MAGIC + crc32(body).to_bytes(4, "little") + body


def read_entries(path: str) -> dict[Key, tuple[int, int]]:
    """Return {canonical key: (score, column)} of a book's file, or {} if the file is missing.

    Raises DamagedError if it is damaged.
    """
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        return {word >> SHIFT: score_and_column(word) for word in unpack(file.read())}


def upright(mine: Cells, mask: Cells) -> Position:
    """Return the position or its mirror image, whichever the book stores."""
    return split(canonical(mine, mask)[0])


def verdict(solver: Connect4Solver, mine: Cells, mask: Cells) -> Verdict:
    """Return the Verdict on a position; raise TooLong if the solver's budget is used up."""
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
    """Return the columns that keep the value (0 or -1) of a position that isn't won."""
    return [
        column
        for column in ordered_columns(mine, mask)
        if value < 0 or solver.move_bound(mine, mask, column, -1) >= 0
    ]


def replies(mine: Cells, mask: Cells, column: Move) -> Iterator[Position]:
    """Yield the positions after a move of the engine and each reply that doesn't end the game."""
    mine, mask = play(mine, mask, column)
    if has_four(mine ^ mask):
        return
    for answer in range(COLUMNS):
        if mask + BOTTOM_ROW & COLUMN_MASKS[answer]:
            after = play(mine, mask, answer)
            if not has_four(after[0] ^ after[1]) and after[1] != BOARD:
                yield after


@functools.cache
def solver_of(megabytes: float, owner: Hashable) -> Connect4Solver:
    """Return the solver that belongs to `owner`, such as a thread; create it at the first call."""
    return Connect4Solver(Tables(megabytes).table)


def nodes_budget(max_nodes: int) -> Check:
    """Return a budget for Connect4Solver.begin() that raises TooLong after `max_nodes` nodes."""

    def check(nodes: int) -> int:
        if nodes >= max_nodes:
            raise TooLong
        return max_nodes

    return check


def time_budget(seconds: float) -> Check:
    """Return a budget for Connect4Solver.begin() that raises TooLong after `seconds`."""
    end = time.monotonic() + seconds

    def check(nodes: int) -> int:
        if time.monotonic() > end:
            raise TooLong
        return nodes + 100_000

    return check


def from_replies(entries: Entries) -> tuple[int, Move]:
    """Return (score, best column) of the empty board, from the exact scores after each move."""
    keys = [canonical(*play(0, 0, column))[0] for column in range(COLUMNS)]
    return max((-entries[key][0], column) for column, key in enumerate(keys))


def save(entries: Entries, path: str) -> int:
    """Write the book in one step, so that the file is never incomplete; return its size."""
    data = pack(entries)
    replace(path, [data])
    return len(data)


class Progress:
    """The time limit of a script, and its progress lines, one per minute."""

    def __init__(self, seconds: float) -> None:
        self._started = self._last = time.monotonic()
        self._seconds = seconds

    def seconds_left(self) -> float:
        """Return the seconds until the time limit."""
        return self._started + self._seconds - time.monotonic()

    def is_due(self) -> bool:
        """Has a minute passed since the last line?"""
        return time.monotonic() - self._last > 60

    def line(self, text: str) -> None:
        """Print a line of progress."""
        self._last = time.monotonic()
        tell(f"{self._last - self._started:6.0f} s  {text}")


# ---- jobs ---------------------------------------------------------------------------------------


def classify(job: JobData) -> ResultData:
    """Solve the position of a job: find its winner or, if `exact`, its score.

    job: {id, mine, mask, nodes, exact, known, megabytes, seconds}.
    nodes: a position is easy if a search of this many nodes with an empty table decides it.
    exact: whether entries have exact scores.  known: [(key, score)] of entries near the position.
    Return {id, easy: [value, columns that the engine may play]}, {id, entry: [score, column]}, or
    {id, late} if the time is up.
    """
    mine, mask = job["mine"], job["mask"]
    small = Connect4Solver(Tables(_CLASSIFIER_MEGABYTES).table)
    small.begin(nodes_budget(job["nodes"]))
    try:
        try:
            value, column = verdict(small, mine, mask)
        except TooLong:
            return {
                "id": job["id"],
                "entry": _entry(informed_solver(job), mine, mask, job["exact"]),
            }
        columns = [column]
        if value < 1:
            columns = equal_moves(informed_solver(job), mine, mask, value)
    except TooLong:
        return {"id": job["id"], "late": True}
    return {"id": job["id"], "easy": [value, columns]}


def _entry(solver: Connect4Solver, mine: Cells, mask: Cells, exact: bool) -> tuple[int, Move]:
    if exact:
        score = solver.score(mine, mask)
        return score, solver.best_move(mine, mask, score)
    value, column = verdict(solver, mine, mask)
    return VERDICTS[value], column


def prove(job: JobData) -> ResultData:
    """Check the book entry of a job {id, score, column, known, megabytes, seconds}.

    Return {id, right, nodes}, or {id, late} if the time is up.
    """
    solver = informed_solver(job)
    before = solver.nodes()
    try:
        right = is_right(solver, int(job["id"]), job["score"], job["column"])
    except TooLong:
        return {"id": job["id"], "late": True}
    return {"id": job["id"], "right": right, "nodes": solver.nodes() - before}


def informed_solver(job: JobData) -> Connect4Solver:
    """Return this thread's solver, with the job's time limit and its known entries in the table."""
    solver = solver_of(job["megabytes"], threading.get_ident())
    solver.begin(time_budget(job["seconds"]))
    for key, score in job["known"]:
        remember(solver, key, score)
    return solver


def near(
    entries: Entries, keys: Collection[Key], mine: Cells, mask: Cells
) -> list[tuple[Key, int]]:
    """Return [(key, score)] of the entries in `keys` that are 1 or 2 plies after a position."""
    found = {}
    for column in range(COLUMNS):
        if mask + BOTTOM_ROW & COLUMN_MASKS[column]:
            for after in [play(mine, mask, column), *replies(mine, mask, column)]:
                key = canonical(*after)[0]
                if key in keys:
                    found[key] = entries[key][0]
    return list(found.items())


def starts() -> Levels:
    """Return the positions with which the walk begins: all those after 1, 2 and 3 plies."""
    level: Level = {(0, 0): 1.0}
    found = {}
    for ply in _START_PLIES:
        behind: Level = {}
        for position, likely in level.items():
            for column in range(COLUMNS):
                key = upright(*play(*position, column))
                behind[key] = behind.get(key, 0.0) + likely / COLUMNS
        level = found[ply] = behind
    return found


class Walk:
    """A walk through the positions with the engine to move, ply by ply.

    entries: the book, to be extended.
    easy: {key: (value, columns)} of the positions that don't need an entry.
    max_nodes: a position needs an entry unless a search of this many nodes decides it.
    exact: whether entries have exact scores.
    new: number of entries added.
    """

    def __init__(
        self,
        entries: Entries,
        easy: dict[Key, Easy],
        max_nodes: int,
        megabytes: float,
        progress: Progress,
        exact: bool = False,
    ) -> None:
        self.entries, self.easy = entries, easy
        self._max_nodes, self._megabytes = max_nodes, megabytes
        self._progress = progress
        self._exact = exact
        self.new = 0

    def go(self, run: Run, levels: Levels, plies: int, keep: Keep) -> None:
        """Walk through the positions of up to `plies` plies; raise TooLong when the time is up.

        run: a Run whose work is classify().
        levels: {plies: positions} to begin with; the walk adds others.
        keep(key): called with the key of each new easy position, and with None about once a minute
        and after each ply.
        """
        for ply in range(min(levels), plies + 1):
            level, behind = levels.pop(ply, {}), levels.setdefault(ply + 2, {})
            unknown = []
            for position in sorted(level, key=lambda position: (-level[position], position)):
                columns = self._columns(sum(position))
                if columns is None:
                    unknown.append(position)
                else:
                    follow(behind, position, level[position], columns)
            for number, (job, result) in enumerate(run.results(map(self._job, unknown)), 1):
                if "late" in result:
                    raise TooLong
                position = job["mine"], job["mask"]
                self._add(result, keep)
                follow(behind, position, level[position], self._columns(sum(position)) or [])
                if self._progress.is_due():
                    keep(None)
                    self._progress.line(
                        f"ply {ply}: {number} of {len(unknown)} positions, "
                        f"{self.new} new entries, {len(self.entries)} in all"
                    )
            keep(None)

    def _job(self, position: Position) -> JobData:
        mine, mask = position
        return {
            "id": str(mine + mask),
            "mine": mine,
            "mask": mask,
            "nodes": self._max_nodes,
            "exact": self._exact,
            "known": near(self.entries, self.entries, mine, mask),
            "megabytes": self._megabytes,
            "seconds": self._progress.seconds_left(),
        }

    def _columns(self, key: Key) -> Sequence[Move] | None:
        """Return the columns to follow from a position, or None if it isn't solved yet."""
        if key in self.entries:
            return [self.entries[key][1]]
        if key not in self.easy:
            return None
        value, columns = self.easy[key]
        return columns if value < 1 else []  # don't go on from a win: its proof covers all replies

    def _add(self, result: ResultData, keep: Keep) -> None:
        """Store a result of classify()."""
        key = int(result["id"])
        if "entry" in result:
            score, column = result["entry"]
            self.entries[key] = score, column
            self.new += 1
        else:
            value, columns = result["easy"]
            self.easy[key] = value, columns
            keep(key)


def follow(behind: Level, position: Position, likely: float, columns: Sequence[Move]) -> None:
    """For each position after a move in `columns` and a reply, add its probability to `behind`.

    likely: the probability of `position`.
    """
    for column in columns:
        for after in replies(*position, column):
            key = upright(*after)
            behind[key] = behind.get(key, 0.0) + likely / len(columns) / COLUMNS


def remember(solver: Connect4Solver, key: Key, score: int) -> None:
    """Store an entry in the solver's large table if the position has enough empty cells for it."""
    mine, mask = split(key)
    left = CELLS - count_bits(mask)
    if left >= LARGE_FROM:
        key = min(key, mirrored(key)) if left >= MIRROR_FROM else key
        low, high = score_bounds(score, left)
        solver.large.data[key % solver.large.slots] = (
            key << KEY_SHIFT | high + BIAS << SCORE_SHIFT | low + BIAS
        )


def is_right(solver: Connect4Solver, key: Key, score: int, column: Move) -> bool:
    """Does the solver confirm that the position has this score and that `column` keeps it?"""
    mine, mask = split(key)
    low, high = score_bounds(score, CELLS - count_bits(mask))
    return solver.move_bound(mine, mask, column, low - 1) >= low and (
        not mask or solver.bound(mine, mask, high) <= high
    )


def check(
    entries: Entries,
    run: Run,
    done: set[Key],
    progress: Progress,
    megabytes: float,
) -> Iterator[tuple[Key, bool]]:
    """Prove the inexact entries that aren't in `done`; yield (key, is its entry right?).

    Wins come before other entries; in both groups late positions come before early ones.
    run: a Run whose work is prove().  Raises TooLong when the time is up.
    """
    ply_of = {key: count_bits(split(key)[1]) for key in entries}
    asked = {key for key, (score, _) in entries.items() if score in VERDICTS}
    proven = {key for key in entries if key in done or key not in asked}
    to_do = sorted(asked - done, key=lambda key: (entries[key][0] <= 0, -ply_of[key], key))
    jobs = (
        {
            "id": str(key),
            "score": entries[key][0],
            "column": entries[key][1],
            "known": near(entries, proven, *split(key)),
            "megabytes": megabytes,
            "seconds": progress.seconds_left(),
        }
        for key in to_do
    )
    nodes = 0
    for number, (_, result) in enumerate(run.results(jobs), 1):
        if "late" in result:
            raise TooLong
        key, nodes = int(result["id"]), nodes + result["nodes"]
        if result["right"]:
            proven.add(key)
        yield key, result["right"]
        if progress.is_due():
            progress.line(
                f"{'won' if entries[key][0] > 0 else 'others'} of ply {ply_of[key]}: "
                f"{len(to_do) - number} entries left, {nodes / 1e9:.2f} G nodes"
            )


def read_numbers(path: str | None) -> list[list[int]]:
    """Return the numbers in each line of a file, or [] if there is no file."""
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as file:
        return [list(map(int, line.split())) for line in file]


def read_easy(path: str | None) -> dict[Key, Easy]:
    """Return {key: (value, columns)} of a file of easy positions."""
    return {key: (value, columns) for key, value, *columns in read_numbers(path)}


def read_checked(path: str | None, entries: Entries) -> set[Key]:
    """Return the keys in a file of checked entries, except those whose entries have changed."""
    return {key for key, score, column in read_numbers(path) if entries.get(key) == (score, column)}


def walk(found: argparse.Namespace, entries: Entries, progress: Progress) -> None:
    """Extend the book until the time is up, the book is full or the walk has ended."""
    easy = read_easy(found.easy)
    way = Walk(entries, easy, found.nodes, found.megabytes, progress, found.exact)
    run = open_run(found, classify, ("position", "solved"), True)
    with run, open(found.easy or os.devnull, "a", encoding="ascii", newline="\n") as file:

        def keep(key: Key | None) -> None:
            if key is not None:
                value, columns = easy[key]
                print(key, value, *columns, file=file, flush=True)
            elif save(entries, found.book) > MAX_BYTES:
                raise TooLong

        try:
            way.go(run, starts(), found.plies, keep)
            if found.exact and 0 not in entries:
                entries[0] = from_replies(entries)
        except TooLong:
            tell("stopped before the end of the walk")
        finally:
            size = save(entries, found.book)
    tell(f"{len(entries)} entries, {way.new} new, {size} bytes")


def check_book(found: argparse.Namespace, entries: Entries, progress: Progress) -> int:
    """Check entries until the time is up or none is left; return the number of wrong ones."""
    done = read_checked(found.checked, entries)
    run = open_run(found, prove, ("entry", "proven"), True)
    tell(f"{len(entries)} entries, {len(done)} checked earlier")
    right = wrong = 0
    with run, open(found.checked or os.devnull, "a", encoding="ascii", newline="\n") as file:
        try:
            for key, good in check(entries, run, done, progress, found.megabytes):
                if good:
                    right += 1
                    file.write("{} {} {}\n".format(key, *entries[key]))
                    file.flush()
                else:
                    wrong += 1
                    tell(f"WRONG: key {key}, score {entries[key][0]}, column {entries[key][1] + 1}")
        except TooLong:
            tell("stopped before the end of the check")
    tell(f"{right} right, {wrong} wrong")
    return wrong


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("--book FILE", "book to extend or check (default: the engine's)", PATH)
    parser.add("--minutes N", "computing time", 60.0)
    parser.add("--megabytes N", "size of a solver's table", 1500.0)
    parser.add("--walk", "add entries")
    parser.add("--exact", "add entries with exact scores")
    parser.add("--plies N", "maximum plies of the walk's positions", 13)
    parser.add("--nodes N", "no entry for positions that a search of N nodes decides", 30_000)
    parser.add("--easy FILE", "file for the positions that need no entry")
    parser.add("--check", "prove the entries")
    parser.add("--checked FILE", "file for the entries that are right")
    add_options(parser.add, "positions")
    return parser.parse_args()


def main() -> int:
    """Walk and check; return 1 if an entry is wrong."""
    found = parse_arguments()
    entries, progress = read_entries(found.book), Progress(found.minutes * 60)
    if found.walk:
        walk(found, entries, progress)
    return 1 if found.check and check_book(found, entries, progress) else 0


if __name__ == "__main__":
    from scripts.lab import connect4_book  # workers can't import functions of __main__

    run_script(SCRIPT, connect4_book.main)
