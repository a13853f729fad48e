#!/usr/bin/env python3
"""Who wins the positions in which the Connect Four engine may find itself: add that to the book, and check the book.

    pypy3 scripts/lab/connect4_verdicts.py --walk --plies 9 --easy easy.txt     add to the book
    pypy3 scripts/lab/connect4_verdicts.py --check --checked checked.txt        solve it again

The walk goes ply by ply through all positions with the engine to move: every start of two or three
plies, then behind the engine's own moves, the book's or the solver's, and any reply.  A position
that `--nodes` nodes of a fresh table don't decide gets an entry: won, drawn or lost, and a move
that keeps to it.  Behind a win that so few nodes prove nothing has to be looked at: each reply is
part of the proof.

The check proves what an entry says, wins first, the deepest first: those behind them are proven by
then, so that they need not be solved once more.  Exact entries, which connect4_book.py makes,
count as proven, except with `--exact`.

Both go on where they were: the book and the file of the easy positions keep the walk, a file of
entries the check.
"""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.connect4.bits import BOTTOM_ROW, COLUMN_MASKS, COLUMNS, count_bits, play
from games.connect4.book import PATH, canonical, read_entries, split
from games.connect4.scores import LOST, WON, score_bounds
from games.connect4.solver import Solver, ordered_columns
from scripts.command_line import Parser
from scripts.lab.connect4_book import CELLS, MOST_BYTES, replies, save, upright
from search.table import Tables

VERDICTS = (0, WON, LOST)               # by the sign of the score: 0, 1, -1
_CLASSIFIER_MEGABYTES = 4
_START_PLIES = (2, 3)
_REPORT_SECONDS = 60


class TooLong(Exception):
    """A question has used up its nodes, or the script its time."""


class Progress:
    """A line about once a minute; raises TooLong at the end of the time."""

    def __init__(self, seconds, tell=print):
        self._started = self._last = time.monotonic()
        self._seconds, self._tell = seconds, tell

    def is_due(self):
        """Has a minute passed since the last line?"""
        return time.monotonic() - self._last > _REPORT_SECONDS

    def line(self, text):
        """Tell how far it has got."""
        self._last = time.monotonic()
        self._tell(f"{self._last - self._started:6.0f} s  {text}", flush=True)

    def check(self, nodes):
        """The budget of a solver (Solver.begin): the time that the script may take."""
        if time.monotonic() - self._started > self._seconds:
            raise TooLong
        return nodes + 100_000


def limit_of(most_nodes):
    """The budget of a solver that gives up after so many nodes."""
    def check(nodes):
        if nodes >= most_nodes:
            raise TooLong
        return most_nodes
    return check


def verdict(solver, mine, mask):
    """(1 won, 0 drawn, -1 lost; a column that keeps to it) of a position, whatever nodes that takes."""
    columns = ordered_columns(mine, mask)
    for value in (1, 0):
        if solver.bound(mine, mask, value - 1) >= value:
            return value, next(column for column in columns
                               if solver.move_bound(mine, mask, column, value - 1) >= value)
    return -1, columns[0]


def sign(score):
    """1, 0 or -1 for a score that wins, draws or loses."""
    return (score > 0) - (score < 0)


def starts():
    """{plies: the positions of so many plies}, those from which games begin for one side or the other."""
    level, found = {(0, 0)}, {}
    for ply in range(1, max(_START_PLIES) + 1):
        level = {upright(*play(*position, column)) for position in level for column in range(COLUMNS)}
        if ply in _START_PLIES:
            found[ply] = level
    return found


class Walk:
    """The positions with the engine to move, ply by ply.

    entries: the book, to be extended.
    easy: {key: (value, column)} of the positions that don't need an entry.
    most_nodes: what may be needed for a position without an entry.
    """

    def __init__(self, entries, easy, most_nodes, megabytes, progress):
        self.entries, self.easy = entries, easy
        self._most_nodes, self._progress = most_nodes, progress
        self._classifier, self._solver = Solver(Tables(_CLASSIFIER_MEGABYTES).table), Solver(Tables(megabytes).table)
        self._solver.begin(progress.check)
        self.new = 0

    def run(self, levels, plies, keep):
        """Walk up to positions of `plies` plies.

        levels: {plies: positions} to begin with, extended here.
        keep(key): called with the key of each new easy one, and with None at times, and behind
        each ply.
        """
        for ply in range(min(levels), plies + 1):
            self._remember_entries()
            level, behind = sorted(levels.pop(ply, ())), levels.setdefault(ply + 2, set())
            for number, (mine, mask) in enumerate(level):
                value, column, hard = self._known(mine, mask, keep)
                if hard or value < 1:
                    behind.update(upright(*after) for after in replies(mine, mask, column))
                if self._progress.is_due():
                    keep(None)
                    self._progress.line(f"ply {ply}: {number} of {len(level)} positions, {self.new} new entries,"
                                        f" {len(self.entries)} in all")
            keep(None)

    def _known(self, mine, mask, keep):
        """(value, column, whether it is or was hard) of a position, from the book or computed now."""
        key = mine + mask
        if key in self.entries:
            score, column = self.entries[key]
            return sign(score), column, True
        if key in self.easy:
            return self.easy[key] + (False,)
        self._classifier.forget()
        self._classifier.begin(limit_of(self._most_nodes))
        try:
            self.easy[key] = value, column = verdict(self._classifier, mine, mask)
            keep(key)
            return value, column, False
        except TooLong:
            value, column = verdict(self._solver, mine, mask)
        self.entries[key] = VERDICTS[value], column
        self.new += 1
        return value, column, True

    def _remember_entries(self):
        """Before each ply: the table may have lost what was known."""
        for key, (score, _) in self.entries.items():
            remember(self._solver, key, score)


def remember(solver, key, score):
    """Put an entry into the solver's table."""
    mine, mask = split(key)
    solver.remember(mine, mask, *score_bounds(score, CELLS - count_bits(mask)))


def remember_behind(solver, entries, proven, mine, mask):
    """Put what is proven one and two plies behind a position into the table, where a long search may have lost it."""
    for column in range(COLUMNS):
        if mask + BOTTOM_ROW & COLUMN_MASKS[column]:
            for after in [play(mine, mask, column), *replies(mine, mask, column)]:
                key = canonical(*after)[0]
                if key in proven:
                    remember(solver, key, entries[key][0])


def is_right(solver, key, score, column):
    """Does the solver prove the score of an entry, and that its column keeps to it?"""
    mine, mask = split(key)
    low, high = score_bounds(score, CELLS - count_bits(mask))
    return (solver.move_bound(mine, mask, column, low - 1) >= low
            and (not mask or solver.bound(mine, mask, high) <= high))


def check(entries, solver, done, progress, exact=False):
    """Prove the entries that `done` doesn't hold; yields (key, whether it is right).

    First those that win, the deepest first, then the others.  exact: those with a score too.
    """
    ply_of = {key: count_bits(split(key)[1]) for key in entries}
    asked = {key for key, (score, _) in entries.items() if exact or score in VERDICTS}
    proven = {key for key in entries if key in done or key not in asked}
    to_do = sorted((entries[key][0] <= 0, -ply_of[key], key) for key in asked - done)
    last = None
    for number, (_, minus_ply, key) in enumerate(to_do):
        if minus_ply != last:
            last = minus_ply
            for known in sorted(proven):
                if ply_of[known] > -minus_ply:
                    remember(solver, known, entries[known][0])
        remember_behind(solver, entries, proven, *split(key))
        right = is_right(solver, key, *entries[key])
        if right:
            proven.add(key)
        yield key, right
        if progress.is_due():
            progress.line(f"{'won' if entries[key][0] > 0 else 'others'} of ply {-minus_ply}: {len(to_do) - number - 1}"
                          f" entries left, {solver.nodes() / 1e9:.2f} G nodes")


def read_easy(path):
    """{key: (value, column)} of a file of easy positions; empty where there is none."""
    if not path or not os.path.exists(path):
        return {}
    with open(path) as file:
        return {int(key): (int(value), int(column)) for key, value, column in map(str.split, file)}


def read_checked(path, entries):
    """The keys whose entries a file calls checked, as far as they still are the book's."""
    if not path or not os.path.exists(path):
        return set()
    with open(path) as file:
        lines = [tuple(map(int, line.split())) for line in file]
    return {key for key, score, column in lines if entries.get(key) == (score, column)}


def run_walk(arguments, entries, progress):
    """Extend the book until time, its room or the plies are used up."""
    easy = read_easy(arguments.easy)
    walk = Walk(entries, easy, arguments.nodes, arguments.megabytes, progress)
    with open(arguments.easy or os.devnull, "a") as file:
        def keep(key):
            if key is not None:
                file.write("{} {} {}\n".format(key, *easy[key]))
            elif save(entries, arguments.book) > MOST_BYTES:
                raise TooLong
        try:
            walk.run(starts(), arguments.plies, keep)
        except TooLong:
            print("not the whole walk")
    size = save(entries, arguments.book)
    print(f"{len(entries)} entries, {walk.new} new, {size} bytes")


def run_check(arguments, entries, progress):
    """Check until time or the entries are used up; the number of wrong ones."""
    done = read_checked(arguments.checked, entries)
    solver = Solver(Tables(arguments.megabytes).table)
    solver.begin(progress.check)
    print(f"{len(entries)} entries, {len(done)} checked before", flush=True)
    right = wrong = 0
    with open(arguments.checked or os.devnull, "a") as file:
        try:
            for key, good in check(entries, solver, done, progress, arguments.exact):
                if good:
                    right += 1
                    file.write("{} {} {}\n".format(key, *entries[key]))
                    file.flush()
                else:
                    wrong += 1
                    print(f"WRONG: key {key}, score {entries[key][0]}, column {entries[key][1] + 1}", flush=True)
        except TooLong:
            print("not all of them")
    print(f"{right} right, {wrong} wrong, {solver.nodes() / 1e9:.2f} G nodes")
    return wrong


def main():
    parser = Parser("scripts/lab/connect4_verdicts.py", description=__doc__.splitlines()[0])
    parser.add_argument("--book", default=PATH, help="the file to extend or to check")
    parser.add_argument("--walk", action="store_true", help="add entries")
    parser.add_argument("--plies", type=int, default=9, help="how far the walk goes")
    parser.add_argument("--nodes", type=int, default=100_000, help="what a position without an entry may take")
    parser.add_argument("--easy", help="a file that keeps the positions that need no entry")
    parser.add_argument("--check", action="store_true", help="prove the entries")
    parser.add_argument("--exact", action="store_true", help="check entries with a score, too")
    parser.add_argument("--checked", help="a file that keeps the entries found right")
    parser.add_argument("--minutes", type=float, default=60, help="how long to compute")
    parser.add_argument("--megabytes", type=float, default=1500, help="size of the solver's table")
    arguments = parser.parse_args()
    entries, progress = read_entries(arguments.book), Progress(arguments.minutes * 60)
    if arguments.walk:
        run_walk(arguments, entries, progress)
    sys.exit(1 if arguments.check and run_check(arguments, entries, progress) else 0)


if __name__ == "__main__":
    main()
