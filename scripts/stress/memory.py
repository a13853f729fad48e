"""Many games, whose memory must stay within the Hash and 60 MB: in one process, and with a helper.

PyPy's interpreter needs that much before it has read a line, and its nursery takes half of the
processor's cache, which may be hundreds of megabytes: here the nursery has a fixed size, and the
interpreter's own memory is measured.
"""

from __future__ import annotations

import os
import pathlib
import subprocess

from protocol import moves
from scripts.stress.case import Case, Failure
from scripts.stress.sessions import BOARDS, Walk

# MB that the process may need besides its Hash and, with PyPy, its interpreter
_BESIDE = 60
_NURSERY = {"PYPY_GC_NURSERY": "4M"}
_BARE = """import re, sys
peak = re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status", encoding="utf-8").read())
print(int(peak[1]) if sys.implementation.name == "pypy" else 0)"""
_HASHES = (1, 2, 8, 16, 64, 64, 128, 256)
_SEARCHES = 30  # per case
_GO = ("nodes 2000", "nodes 8000", "movetime 50", "movetime 150", "depth 4", "wtime 500 btime 500")
_HELPED_GO = ("nodes 300", "nodes 2000", "movetime 30", "depth 3")
_HELPED_HASH, _HELPED_SEARCHES = 16, 60


def run(case: Case) -> None:
    """Search many games with several table sizes; the peak of the memory counts."""
    dice = case.dice
    subject = case.engine("--protocol", "uci", env=_NURSERY)
    beside = _BESIDE + (0 if subject.peak() is None else _interpreter(case.python))
    walk, most, largest = Walk(dice, "chess"), dice.choice(_HASHES), float("-inf")
    subject.send(f"setoption name Hash value {most}")
    for _ in range(_SEARCHES):
        if dice.random() < 0.3:
            walk = Walk(dice, dice.choice(BOARDS))
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
        subject.ask(walk.line(), "isready", "go " + dice.choice(_GO), answer="bestmove")
        peak = subject.peak()
        if peak is not None:
            largest = max(largest, peak - most)
            if peak > most + beside:
                raise Failure(f"the peak was {peak:.0f} MB, but Hash was at most {most} MB")
    case.measure("MB besides the largest Hash", largest)
    case.count("searches", _SEARCHES)
    subject.finish()


def _interpreter(python: str) -> float:
    """Return the megabytes of PyPy without a program; 0 for CPython, which needs few."""
    bare = subprocess.run(
        [python, "-c", _BARE], stdout=subprocess.PIPE, check=True, env=dict(os.environ, **_NURSERY)
    )
    return int(bare.stdout) / 1024


def run_helpers(case: Case) -> None:
    """Search along games of one kind with two processes, neither of which may need too much."""
    dice = case.dice
    subject = case.engine("--protocol", "uci", env=_NURSERY)
    walk = Walk(dice, dice.choice(BOARDS))
    subject.send(
        "setoption name Threads value 2",
        f"setoption name Hash value {_HELPED_HASH}",
        f"setoption name UCI_Variant value {walk.name}",
    )
    for _ in range(_HELPED_SEARCHES):
        walk.step(moves.drop)
        subject.ask(walk.line(), "isready", "go " + dice.choice(_HELPED_GO), answer="bestmove")
    _measure(case, subject.pid)
    case.count("searches", _HELPED_SEARCHES)
    subject.finish()


def _measure(case: Case, pid: int) -> None:
    """Raise Failure if the engine or a helper needs too much memory, if the system can tell."""
    most = _HELPED_HASH + _BESIDE + _interpreter(case.python)
    for process in [pid, *_children(pid)]:
        size = _proportional_set(process)
        if size is None:
            continue
        case.measure("MB of the engine" if process == pid else "MB of a helper", size)
        if size > most:
            raise Failure(
                f"{'it' if process == pid else 'a helper'} has {size:.0f} MB, "
                f"but at most {most:.0f} are allowed"
            )


def _children(pid: int) -> list[int]:
    threads = pathlib.Path(f"/proc/{pid}/task")
    try:
        return [
            int(child)
            for thread in os.listdir(threads)
            for child in (threads / thread / "children").read_text(encoding="utf-8").split()
        ]
    except OSError:
        return []


def _proportional_set(pid: int) -> float | None:
    """Return the megabytes of a process, with shared memory divided among its users."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), None)
