#!/usr/bin/env python3
"""Solve Othello positions exactly and compare with the scores that stand beside them.

    python3 scripts/othello_solve.py FILE [FIRST [LAST]]
    python3 scripts/othello_solve.py --random EMPTIES COUNT

FILE has a position a line (64 squares and the side to move), then, where it is known, `;` and the best move with
its score as in the FFO suite: `... X; G8:+18; H1:+12;`.

--random: COUNT positions with so many empty squares out of random games, always the same ones.
"""
from __future__ import annotations

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from games import registry               # noqa: E402
from search.clock import Clock            # noqa: E402
from search.context import Context        # noqa: E402
from search.deepening import think        # noqa: E402
from search.limits import Limits          # noqa: E402

MEGABYTES = 64


def solve(position, memory):
    """(Line, positions visited, CPU seconds)."""
    limits, reports = Limits(depth=position.empties), []
    context = Context(limits, Clock(limits, position.side), {}, memory, MEGABYTES, position.legal_moves())
    start = time.process_time()
    line = think(position, context, reports.append)[0]
    return line, reports[-1].nodes, time.process_time() - start


def random_texts(game, empties, count):
    """Positions of random games in which the side to move has a choice of moves, as texts."""
    import random

    rng, texts = random.Random(empties), []
    while len(texts) < count:
        position = game.start({})
        while position.empties > empties and position.legal_moves():
            position.make(rng.choice(position.legal_moves()))
        if position.empties == empties and len(position.legal_moves()) > 1:
            texts.append(position.text())
    return texts


def chosen_texts(game, words):
    """The numbered lines that the command line asks for."""
    if words[0] == "--random":
        return list(enumerate(random_texts(game, int(words[1]), int(words[2])), 1))
    with open(words[0]) as file:
        lines = list(enumerate(file.read().splitlines(), 1))
    first, last = (list(map(int, words[1:3])) + [1, len(lines)][len(words) - 1:])[:2]
    return lines[first - 1:last]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    game, memory = registry.get("othello"), {}
    wrong, counts, times = 0, [], []
    for number, text in chosen_texts(game, sys.argv[1:]):
        position = game.parse(text, {})
        known = text.split(";")[1].split(":")[-1].strip() if text.count(";") > 1 else ""
        line, visited, spent = solve(position, memory)
        right = not known or int(known) * 100 == line.score
        wrong += not right
        counts.append(visited)
        times.append(spent)
        print(f"{number:3} {position.empties} empty  {position.move_text(line.moves[0])} {line.score // 100:+d}  "
              f"{visited} positions  {spent:.2f} s{'' if right else '  WRONG, it is ' + known}", flush=True)
    nodes, seconds = sum(counts), sum(times)
    print(f"{nodes} positions, {seconds:.2f} s, {nodes / max(seconds, 1e-9):.0f} a second, {wrong} wrong; "
          f"median {sorted(counts)[len(counts) // 2]} positions, {sorted(times)[len(times) // 2]:.2f} s")


if __name__ == "__main__":
    main()
