#!/usr/bin/env python3
"""Solve Othello positions exactly and compare with the scores that stand beside them.

    python3 scripts/lab/othello_solve.py FILE [FIRST [LAST]]
    python3 scripts/lab/othello_solve.py --random EMPTIES COUNT
    python3 scripts/lab/othello_solve.py --games EMPTIES COUNT

FILE has a position a line (64 squares and the side to move), then, where it is known, `;` and the
best move with its score as in the FFO suite: `... X; G8:+18; H1:+12;`.

--random: COUNT positions with so many empty squares out of random games, always the same ones.
--games: out of games that the engine plays against itself, three plies deep, after ten random
plies.

As machines differ, and one machine from minute to minute, CPython times the calibration loop now
and then, and tells the median in seconds of a machine where that takes LOOP_SECONDS, too.
"""
from __future__ import annotations

import gc
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from scripts.calibration import loop_seconds  # noqa: E402
from scripts.command_line import Parser, fail  # noqa: E402
from search.clock import Clock  # noqa: E402
from search.context import Context  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.root import think  # noqa: E402

SCRIPT = "scripts/lab/othello_solve.py"
CPYTHON = sys.implementation.name == "cpython"
MEGABYTES = 64
GAME_DEPTH, RANDOM_PLIES = 3, 10

# What the calibration loop took on the machine that wanted times are meant for, and how often it is
# timed.
LOOP_SECONDS = 0.5
LOOP_EVERY = 10         # seconds of solving


def searched(position, depth, memory):
    """(Line, positions visited, CPU seconds) of a search."""
    limits, reports = Limits(depth=depth), []
    context = Context(limits, Clock(limits, position.side), {}, memory, MEGABYTES, position.legal_moves())
    start = time.process_time()
    line = think(position, context, reports.append)[0]
    return line, reports[-1].nodes, time.process_time() - start


def game_texts(game, empties, count, random_plies):
    """Positions of games in which the side to move has a choice of moves, as texts."""
    import random

    rng, texts, memory = random.Random(empties), [], {}
    while len(texts) < count:
        position, ply = game.start({}), 0
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


def chosen_texts(game, args):
    """[(number, text)] of the positions that the command line asks for."""
    if args.random or args.games:
        empties, count = args.random or args.games
        return list(enumerate(game_texts(game, empties, count, 64 if args.random else RANDOM_PLIES), 1))
    with open(args.file) as file:
        return list(enumerate(file.read().splitlines(), 1))[args.first - 1:args.last]


def arguments():
    parser = Parser(SCRIPT, description=__doc__)
    parser.add_argument("file", nargs="?")
    parser.add_argument("first", nargs="?", type=int, default=1)
    parser.add_argument("last", nargs="?", type=int)
    parser.add_argument("--random", nargs=2, type=int, metavar=("EMPTIES", "COUNT"))
    parser.add_argument("--games", nargs=2, type=int, metavar=("EMPTIES", "COUNT"))
    args = parser.parse_args()
    if sum(map(bool, (args.file, args.random, args.games))) != 1:
        parser.error("one of FILE, --random and --games is wanted")
    empties, count = args.random or args.games or (2, 1)
    if not 2 <= empties <= 60 or count < 1 or args.first < 1:
        parser.error("EMPTIES is 2 to 60, as a choice of moves is wanted; COUNT and FIRST are at least 1")
    return args


def main():
    args = arguments()
    if CPYTHON:
        gc.disable()        # as the engine does while it thinks
    game, memory = registry.get("othello"), {}
    try:
        texts = chosen_texts(game, args)
    except OSError as error:
        fail(SCRIPT, error)
    if not texts:
        fail(SCRIPT, f"{args.file}: no such lines")
    wrong, counts, times, loops, next_loop = 0, [], [], [], 0
    for number, text in texts:
        try:
            position = game.parse(text, {})
        except ValueError as error:
            fail(SCRIPT, f"{args.file}, line {number}: {error}")
        known = text.split(";")[1].split(":")[-1].strip() if text.count(";") > 1 else ""
        line, visited, spent = searched(position, position.empties, memory)
        right = not known or int(known) * 100 == line.score
        wrong += not right
        counts.append(visited)
        times.append(spent)
        if sum(times) >= next_loop and CPYTHON:
            loops.append(loop_seconds(sys.executable, "process_time"))
            next_loop = sum(times) + LOOP_EVERY
        print(f"{number:3} {position.empties} empty  {position.move_text(line.moves[0])} {line.score // 100:+d}  "
              f"{visited} positions  {spent:.2f} s{'' if right else '  WRONG, it is ' + known}", flush=True)
    nodes, seconds, median = sum(counts), sum(times), statistics.median(times)
    print(f"{nodes} positions, {seconds:.2f} s, {nodes / max(seconds, 1e-9):.0f} a second, {wrong} wrong; "
          f"median {statistics.median(counts):.0f} positions, {median:.2f} s")
    if loops:
        loop = statistics.median(loops)
        print(f"the loop took {loop:.2f} s; the median is {median * LOOP_SECONDS / loop:.2f} s where that takes "
              f"{LOOP_SECONDS:.2f}")


if __name__ == "__main__":
    main()
