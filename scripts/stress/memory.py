"""Many games in one process, whose peak memory must stay within the largest Hash and 60 MB.

PyPy's interpreter needs that much before it has read a line, and its nursery takes half of the
processor's cache, which may be hundreds of megabytes: here the nursery has a fixed size, and the
interpreter's own memory is measured.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from protocol import moves
from scripts.stress.case import Failure
from scripts.stress.sessions import GAMES, Walk

if TYPE_CHECKING:
    from scripts.stress.case import Case

# MB that the process may need besides its Hash and, with PyPy, its interpreter
MEGABYTES_BESIDE = 60
NURSERY = {"PYPY_GCNURSERY": "4M"}
_BARE = """import re, sys
peak = re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status", encoding="utf-8").read())
print(int(peak[1]) if sys.implementation.name == "pypy" else 0)"""
_HASHES = (1, 2, 8, 16, 64, 64, 128, 256)
_SEARCHES = 30  # per case
_GO = ("nodes 2000", "nodes 8000", "movetime 50", "movetime 150", "depth 4", "wtime 500 btime 500")
_BOARDS = [name for name in GAMES if name != "tree"]


def run(case: Case) -> None:
    """Search many games with several table sizes."""
    dice = case.dice
    subject = case.engine("--protocol", "uci", env=NURSERY)
    beside = MEGABYTES_BESIDE + (0 if subject.peak() is None else interpreter(case.python))
    walk, most, largest = Walk(dice, "chess"), dice.choice(_HASHES), float("-inf")
    subject.send(f"setoption name Hash value {most}")
    for _ in range(_SEARCHES):
        start = subject.count()
        if dice.random() < 0.3:
            walk = Walk(dice, dice.choice(_BOARDS))
            subject.send(f"setoption name UCI_Variant value {walk.name}")
        if dice.random() < 0.2:
            megabytes = dice.choice(_HASHES)
            most = max(most, megabytes)
            subject.send(f"setoption name Hash value {megabytes}")
        if dice.random() < 0.5:
            subject.send("ucinewgame")
            walk.restart()
        for _ in range(dice.choice((0, 2, 5))):
            walk.step(moves.drop)
        words = f" moves {' '.join(walk.words)}" if walk.words else ""
        subject.send("position startpos" + words, "isready", "go " + dice.choice(_GO))
        subject.expect(lambda line: line.startswith("bestmove "), "bestmove", start)
        peak = subject.peak()
        if peak is not None:
            largest = max(largest, peak - most)
            if peak > most + beside:
                raise Failure(f"the peak was {peak:.0f} MB, but Hash was at most {most} MB")
    case.measure("MB besides the largest Hash", largest)
    case.count("searches", _SEARCHES)
    subject.send("quit")
    subject.leave()
    subject.check()


def interpreter(python: str) -> float:
    """Return the megabytes of PyPy without a program; 0 for CPython, which needs few."""
    bare = subprocess.run(
        [python, "-c", _BARE], stdout=subprocess.PIPE, check=True, env=dict(os.environ, **NURSERY)
    )
    return int(bare.stdout) / 1024
