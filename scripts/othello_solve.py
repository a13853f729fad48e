#!/usr/bin/env python3
"""Solve Othello positions exactly and compare with the scores that stand beside them.

    python3 scripts/othello_solve.py FILE [FIRST [LAST]]

FILE has a position a line (64 squares and the side to move), then, where it is known, `;` and the best move with
its score as in the FFO suite: `... X; G8:+18; H1:+12;`.
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


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    first, last = (list(map(int, sys.argv[2:4])) + [1, 10 ** 9][len(sys.argv) - 2:])[:2]
    game, memory = registry.get("othello"), {}
    wrong = nodes = seconds = 0
    for number, text in enumerate(open(sys.argv[1]).read().splitlines(), 1):
        if not first <= number <= last:
            continue
        position = game.parse(text, {})
        known = text.split(";")[1].split(":")[-1].strip() if text.count(";") > 1 else ""
        line, visited, spent = solve(position, memory)
        right = not known or int(known) * 100 == line.score
        wrong, nodes, seconds = wrong + (not right), nodes + visited, seconds + spent
        print(f"{number:3} {position.empties} empty  {position.move_text(line.moves[0])} {line.score // 100:+d}  "
              f"{visited} positions  {spent:.2f} s{'' if right else '  WRONG, it is ' + known}", flush=True)
    print(f"{nodes} positions, {seconds:.2f} s, {nodes / max(seconds, 1e-9):.0f} a second, {wrong} wrong")


if __name__ == "__main__":
    main()
