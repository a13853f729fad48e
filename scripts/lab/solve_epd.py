#!/usr/bin/env python3
"""Solve a suite of chess positions: how often is the engine's move the expected one?

    python3 scripts/lab/solve_epd.py wac.epd --seconds 1
    python3 scripts/lab/solve_epd.py wac.epd --nodes 120000 --every 3

The file has one position per line in EPD, with `bm` (the best moves) or `am` (moves to avoid) in
SAN.  Each position begins a new game.  The unsolved positions are shown.
"""

from __future__ import annotations

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import GameError  # noqa: E402
from protocol.records.record import RecordError  # noqa: E402
from protocol.records.text import decode, read_file  # noqa: E402
from scripts.command_line import Parser, above_zero, positive, run_main, tell  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

SCRIPT = "scripts/lab/solve_epd.py"
CHESS = registry.get("chess")
OPTIONS = {option.name: option.default for option in registry.options()}
_EPD = re.compile(r"(\S+ [wb] \S+ \S+)\s(.*)")
_WANTED = re.compile(r"\b(bm|am)\s+([^;]+)")


class Question:
    """A line of the suite.

    avoid: True if the line lists moves to avoid, False if it lists the best moves.
    Raises ValueError if the line is not an EPD with `bm` or `am`.
    """

    def __init__(self, line: str) -> None:
        found = _EPD.match(line.strip())
        wanted = _WANTED.search(found[2]) if found else None
        if found is None or wanted is None:
            raise ValueError(f"not a position with bm or am: {line.strip()}")
        name = re.search(r'\bid\s+"([^"]*)"', found[2])
        self.text, self.name = found[1] + " 0 1", name[1] if name else found[1]
        self.avoid, self._words = wanted[1] == "am", wanted[2].split()

    def ask(self, limits: Limits) -> tuple[bool, str, int]:
        """Return (is the engine right, its move in SAN, nodes).

        Raises GameError if the position or a listed move is invalid.
        """
        position = CHESS.parse(self.text, OPTIONS)
        moves = [position.read_notation(word) for word in self._words]
        found = ask(position, limits, OPTIONS)
        move = found.lines[0].moves[0]
        return (move in moves) != self.avoid, position.notation(move), found.nodes


def main() -> None:
    """Search every position of the suite."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("FILE", "file of positions", type=pathlib.Path)
    bound = parser.alternatives(required=True)
    bound("--seconds N", "time limit for each position", type=above_zero)
    bound("--nodes N", "node limit for each position", type=positive)
    parser.add("--every N", "only every N-th position", 1, type=positive)
    options = parser.parse_args()
    lines = filter(str.strip, decode(read_file(options.file)).splitlines())
    questions = [Question(line) for line in list(lines)[:: options.every]]
    tell(solve(questions, Limits(movetime=options.seconds, nodes=options.nodes)))


def solve(questions: list[Question], limits: Limits) -> str:
    """Search all positions and print the unsolved ones one by one; return the totals as text."""
    right = total = 0
    for question in questions:
        solved, move, nodes = question.ask(limits)
        right, total = right + solved, total + nodes
        if not solved:
            tell(f"{question.name}: {move}")
    return f"{right} of {len(questions)} solved, {total} nodes"


if __name__ == "__main__":
    run_main(SCRIPT, main, ValueError, GameError, RecordError)
