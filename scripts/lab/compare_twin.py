#!/usr/bin/env python3
"""Check that the C++ programs of scripts/lab/twin agree with the engine, node for node.

    python3 scripts/lab/compare_twin.py                 a minute, most of it for the compiler
    python3 scripts/lab/compare_twin.py --positions 2000 --seed 7

The twin must answer chess's pinned searches (tests/data/pinned.txt) and searches of random
positions as the engine does, and compute the same Elo for a match.  The program `fit` must read the
networks of chess and of a variant as the engine does.  The exit status is 1 if anything differs.
Run it before a match that tests an idea, and again once the idea is in both programs.
"""

from __future__ import annotations

import importlib
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from games import registry  # noqa: E402
from games.chess.tables import CASTLING  # noqa: E402
from scripts.arena.elo import elo_interval  # noqa: E402
from scripts.command_line import Parser, counted, positive, run_main, tell  # noqa: E402

pinned: Any = importlib.import_module("pinned")  # tests/pinned.py: the suite's pinned searches

SOURCES, DATA = ROOT / "scripts" / "lab" / "twin", ROOT / "games" / "chess"
BUILD = ("-std=c++20", "-O0", "-pthread")
PIECES = ((28, 32), (22, 27), (15, 21), (7, 14))  # the network's phases, by number of pieces
MATCH = ("nodes=30", "games=8", "seed=3", "plies=6", "rfp_margin=20")


class TwinError(Exception):
    """Raised if a program can't be built or fails; the message says why."""


class Program:
    """A program of scripts/lab/twin, compiled into a folder."""

    def __init__(self, name: str, folder: pathlib.Path) -> None:
        compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
        if compiler is None:
            raise TwinError("there is no C++ compiler")
        self._path = folder / name
        source = SOURCES / f"{name}.cpp"
        if subprocess.run([compiler, *BUILD, source, "-o", self._path]).returncode:
            raise TwinError(f"{compiler} can't compile {source}; the code needs C++20")

    def run(self, *words: object, asked: str = "") -> str:
        """Return the program's output."""
        command = [str(self._path), *map(str, words)]
        done = subprocess.run(command, input=asked, capture_output=True, text=True)
        if done.returncode:
            raise TwinError(f"{self._path.name} {words[0]}: {done.stderr.strip()}")
        output: str = done.stdout
        return output


def pinned_searches() -> list[str]:
    """Return the lines of tests/data/pinned.txt with questions about chess."""
    found, chess = [], False
    for line in pinned.PINNED.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            chess = line.startswith("chess |") or chess and line.startswith("+")
            found += [line] if chess else []
    return found


def random_searches(count: int, seed: int) -> list[str]:
    """Return questions about random positions, to be asked in one session.

    Every second question gives the moves from the start, not the position's text.
    """
    dice, game = random.Random(seed), registry.get("chess")
    found: list[str] = []
    while len(found) < count:
        position, played = game.start({}), []
        for _ in range(dice.randrange(4, 160)):
            moves = position.legal_moves()
            if moves:
                move = dice.choice([move for move in moves if move & CASTLING] or moves)
                played.append(position.move_text(move))
                position.make(move)
        if position.outcome() is None:
            where = f"start moves {' '.join(played)}" if len(found) % 2 else position.text()
            depth = dice.choice((2, 3, 4))
            found.append(f"{'+' if found else 'chess'} | {where} | depth {depth} |")
    return found


def evaluated_positions(name: str, seed: int) -> Iterator[tuple[int, str]]:
    """Yield (number of pieces, line of training data with the engine's static evaluation)."""
    dice, game = random.Random(seed), registry.get(name)
    for _ in range(4):
        position: Any = game.start({})  # a position of chess or a variant
        while position.outcome() is None and position.squares.count(0) < 58:
            board = " ".join(position.text().split()[:2])
            yield 64 - position.squares.count(0), f"{board} | {position.evaluate()} | 0.5\n"
            moves = position.legal_moves()
            captures = [move for move in moves if position.squares[move >> 6 & 63]]
            position.make(dice.choice(captures or moves))


def differing_searches(twin: Program, asked: list[str], expected: list[str]) -> Iterator[str]:
    """Yield a line for each search that the twin answers differently from the engine."""
    found = twin.run("search", DATA, asked="\n".join(asked) + "\n").splitlines()
    found += [""] * (len(asked) - len(found))
    for question, ours, theirs in zip(asked, expected, found):
        if ours != theirs:
            yield f"{question}\n  engine: {ours}\n  twin:   {theirs}"


def differing_match(twin: Program) -> Iterator[str]:
    """Yield a line if the twin and scripts/tournament compute a different Elo from a match."""
    last = twin.run("match", DATA, *MATCH).splitlines()[-1]
    pairs, elo = re.search(r"pairs (\S+), LLR", last), re.search(r"Elo ([-+.\d]+)", last)
    interval = elo_interval([*map(int, pairs[1].split(","))]) if pairs else None
    if elo is None or interval is None or abs(float(elo[1]) - interval[0]) > 0.06:
        yield f"match: {last}\n  engine: {interval}"


def differing_networks(fit: Program, folder: pathlib.Path, seed: int) -> Iterator[str]:
    """Yield a line for each network that the program `fit` reads differently from the engine."""
    chess, data = list(evaluated_positions("chess", seed)), folder / "data.txt"
    cases = [(DATA / "network.bin", low, high, chess) for low, high in PIECES]
    horde = list(evaluated_positions("horde", seed))
    cases.append((DATA / "variants" / "horde.bin", 0, 64, horde))
    for network, low, high, positions in cases:
        lines = [line for pieces, line in positions if low <= pieces <= high]
        data.write_bytes("".join(lines).encode())
        words = ["held_out=1", "epochs=0", f"from={network}"]
        words += [f"pieces={low},{high}"] if positions is chess else []
        found = fit.run("learn", data, folder / "none", *words).strip()
        if not found.endswith("loss 0.000"):
            yield f"{network.name}, {low} to {high} pieces: {found} (expected loss 0.000)"


def main() -> int:
    """Compare the programs with the engine; return 1 if anything differs."""
    parser = Parser("scripts/lab/compare_twin.py", __doc__)
    parser.add("--positions N", "random positions to search", 80, type=positive)
    parser.add("--seed N", "random seed", 1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        twin, fit = Program("twin", folder), Program("fit", folder)
        known = pinned_searches()
        drawn = random_searches(options.positions, options.seed)
        expected = [line.rpartition("|")[2].strip() for line in known]
        differences = [
            *differing_searches(twin, known, expected),
            *differing_searches(
                twin, drawn, pinned.answers([pinned.Question(line) for line in drawn])
            ),
            *differing_match(twin),
            *differing_networks(fit, folder, options.seed),
        ]
    for line in differences:
        tell(line)
    done = f"{len(known) + len(drawn)} searches, a match, {len(PIECES) + 1} networks"
    tell(f"{done}: {counted(len(differences), 'difference')}")
    return 1 if differences else 0


if __name__ == "__main__":
    run_main("scripts/lab/compare_twin.py", main, TwinError)
