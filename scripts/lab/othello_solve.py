#!/usr/bin/env python3
"""Solve Othello positions exactly and compare with their known scores.

    python3 scripts/lab/othello_solve.py FILE [FIRST [LAST]]
    python3 scripts/lab/othello_solve.py --random EMPTIES COUNT
    python3 scripts/lab/othello_solve.py --games EMPTIES COUNT

FILE has one position per line (64 squares and the side to move), then, if known, `;` and the
best move with its score, as in the FFO suite: `... X; G8:+18; H1:+12;`.

--random: COUNT positions with EMPTIES empty squares from random games, always the same ones.
--games: COUNT such positions from games of the engine against itself.  Each game begins with ten
random plies; then the engine searches three plies deep.

Speed differs between machines, and over time on one machine.  With CPython the script therefore
times a calibration loop every LOOP_EVERY seconds.  It also prints the estimated median time for a
machine on which the loop takes LOOP_SECONDS.  Positions may be solved on other machines (see
--executor).  All times of positions are processor times.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import statistics
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.othello import Othello  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from games.solver import Line  # noqa: E402
from protocol.records.record import RecordError  # noqa: E402
from protocol.records.text import decode, read_file  # noqa: E402
from scripts.command_line import Parser, fail, tell  # noqa: E402
from scripts.jobs.command import add_options, open_run, run_script  # noqa: E402
from scripts.jobs.files import ResultsFile  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

SCRIPT = "scripts/lab/othello_solve.py"
CPYTHON = sys.implementation.name == "cpython"
MEGABYTES = 64
GAME_DEPTH, RANDOM_PLIES = 3, 10

# The calibration loop, which compares the speeds of machines.  Its variables are globals, since it
# is compiled at module level.
LOOP = """import time; s = time.process_time(); x = 0
for i in range(10**7): x += i
print(time.process_time() - s)"""
# Time of the loop on the reference machine.
LOOP_SECONDS = 0.5
# The loop is run again after this number of seconds of solving.
LOOP_EVERY = 10


def searched(
    position: OthelloPosition, depth: int, memory: dict[str, Any]
) -> tuple[Line, int, float]:
    """Return (Line, positions visited, CPU seconds) of a search."""
    start = time.process_time()
    found = ask(position, Limits(depth=depth), {}, memory, MEGABYTES)
    return found.lines[0], found.nodes, time.process_time() - start


def game_texts(game: Othello, empties: int, count: int, random_plies: int) -> list[str]:
    """Play games; return positions with at least two legal moves, as texts."""
    import random

    rng = random.Random(empties)
    texts: list[str] = []
    memory: dict[str, Any] = {}
    while len(texts) < count:
        position, ply = game.parse(game.start_text, {}), 0
        while position.empties > empties and position.legal_moves():
            if ply < random_plies:
                move = rng.choice(position.legal_moves())
            else:
                move = searched(position, GAME_DEPTH, memory)[0].moves[0]
            position.make(move)
            ply += 1
        if position.empties == empties and len(position.legal_moves()) > 1:
            texts.append(position.text())
    return texts


def chosen_texts(game: Othello, args: argparse.Namespace) -> list[tuple[int, str]]:
    """Return [(number, text)] of the positions that the command line selects."""
    if args.random or args.games:
        empties, count = args.random or args.games
        random_plies = 64 if args.random else RANDOM_PLIES
        return list(enumerate(game_texts(game, empties, count, random_plies), 1))
    lines = decode(read_file(args.file)).splitlines()
    return list(enumerate(lines, 1))[args.first - 1 : args.last]


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("[FILE]", "file of positions")
    parser.add("[FIRST]", "first line of FILE to solve", 1)
    parser.add("[LAST]", "last line of FILE to solve (default: the end)", type=int)
    parser.add("--random EMPTIES COUNT", "solve positions of random games", type=int)
    parser.add("--games EMPTIES COUNT", "solve positions of the engine's games", type=int)
    parser.add("--record RESULTS", "store the results there, and resume from them")
    add_options(parser.add, "positions")
    found = parser.parse_args()
    if sum(map(bool, (found.file, found.random, found.games))) != 1:
        parser.error("give one of FILE, --random or --games")
    empties, count = found.random or found.games or (2, 1)
    if not 2 <= empties <= 60 or count < 1 or found.first < 1:
        parser.error("EMPTIES must be 2 to 60; COUNT and FIRST at least 1")
    return found


_memory: dict[str, Any] = {}  # memory that all searches of this process share


def solve(job: JobData) -> ResultData:
    """Solve the position of a job {id, text}.

    Return {id, empties, move, score (discs), nodes, seconds (of processor time)}.
    """
    if CPYTHON:
        gc.disable()  # the engine doesn't collect garbage during a search, either
    position = Othello().parse(job["text"], {})
    line, visited, spent = searched(position, position.empties, _memory)
    return {
        "id": job["id"],
        "empties": position.empties,
        "score": line.score // 100,
        "move": position.move_text(line.moves[0]),
        "nodes": visited,
        "seconds": spent,
    }


def read_jobs(found: argparse.Namespace) -> list[JobData]:
    """Return a job for each position that the command line selects.

    Exits with an error if there is none, or if a line is not a position.
    """
    game, jobs = Othello(), []
    try:
        texts = chosen_texts(game, found)
    except RecordError as error:
        fail(SCRIPT, error)
    for number, text in texts:
        try:
            game.parse(text, {})
        except ValueError as error:
            fail(SCRIPT, f"{found.file}, line {number}: {error}")
        jobs.append({"id": str(number), "text": text})
    if not jobs:
        fail(SCRIPT, f"{found.file}: the requested range of lines has no positions")
    return jobs


def known_score(text: str) -> int | None:
    """Return the known score of a position, if its line has one."""
    return int(text.split(";")[1].split(":")[-1]) if text.count(";") > 1 else None


class Report:
    """The report: a line for each position, and the totals."""

    def __init__(self) -> None:
        self.results: list[ResultData] = []
        self.wrong = 0
        self._loops: list[float] = []
        self._next_loop = 0.0

    def add(self, job: JobData, result: ResultData) -> None:
        """Print a result, and count it for the totals."""
        known = known_score(job["text"])
        right = known in (None, result["score"])
        self.wrong += not right
        self.results.append(result)
        tell(
            f"{result['id']:>3} {result['empties']} empty  {result['move']} {result['score']:+d}  "
            f"{result['nodes']} nodes  {result['seconds']:.2f} s"
            + ("" if right else f"   WRONG, known score {known:+d}")
        )

    def calibrate(self) -> None:
        """Time the calibration loop every LOOP_EVERY seconds of solving."""
        seconds = sum(result["seconds"] for result in self.results)
        if CPYTHON and seconds >= self._next_loop:
            self._loops.append(float(subprocess.check_output([sys.executable, "-c", LOOP])))
            self._next_loop = seconds + LOOP_EVERY

    def finish(self) -> None:
        """Print the totals and medians of all positions."""
        nodes = [result["nodes"] for result in self.results]
        times = [result["seconds"] for result in self.results]
        median = statistics.median(times)
        tell(
            f"{len(nodes)} positions, {self.wrong} wrong: {sum(nodes)} nodes, {sum(times):.2f} s, "
            f"{sum(nodes) / max(sum(times), 1e-9):.0f} nodes per second; "
            f"median {statistics.median(nodes):.0f} nodes, {median:.2f} s"
        )
        if self._loops:
            loop = statistics.median(self._loops)
            tell(
                f"calibration loop: {loop:.2f} s; if it took {LOOP_SECONDS:.2f} s, "
                f"the median would be {median * LOOP_SECONDS / loop:.2f} s"
            )


def main() -> int:
    """Solve what the command line selects; return 1 if a score differs from the known one."""
    found = parse_arguments()
    jobs, report = read_jobs(found), Report()
    earlier = closing(ResultsFile(found.record, {"positions": jobs})) if found.record else None
    run = open_run(found, solve, ("position", "solved"), True)
    with run, earlier or nullcontext() as kept:
        done = kept.done if kept else {}
        for job in jobs:
            if job["id"] in done:
                report.add(job, done[job["id"]])
        for job, result in run.results(job for job in jobs if job["id"] not in done):
            if kept:
                kept.add(result)
            report.add(job, result)
            report.calibrate()
    report.finish()
    return 1 if report.wrong else 0


if __name__ == "__main__":
    from scripts.lab import othello_solve  # workers can't import functions of __main__

    run_script(SCRIPT, othello_solve.main)
