"""Many games, whose memory must stay within the Hash and 60 MB: in one process, and with a helper.

PyPy's interpreter needs that much before it has read a line, and its nursery takes half of the
processor's cache, which may be hundreds of megabytes: here the nursery has a fixed size, and the
interpreter's own memory is measured.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
from collections.abc import Iterator, Sequence

from scripts.stress.case import Case, Failure
from scripts.stress.sessions import Walk
from scripts.stress.subject import Subject

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


def run(case: Case) -> None:
    """Search many games with several table sizes; the peak of the memory counts."""
    _search(case, 1, _HASHES, _GO)


def run_helpers(case: Case) -> None:
    """Search many games with two processes, neither of which may need too much."""
    _search(case, 2, (16,), _HELPED_GO)


def _search(case: Case, threads: int, hashes: Sequence[int], limits: Sequence[str]) -> None:
    dice, walk = case.dice, Walk(case.dice, "chess")
    subject = case.engine("--protocol", "uci", env=_NURSERY)
    beside = _BESIDE + (0 if subject.peak() is None else _interpreter(case.python))
    most, largest = dice.choice(hashes), float("-inf")
    subject.send(f"setoption name Threads value {threads}", f"setoption name Hash value {most}")
    for _ in range(_SEARCHES):
        if dice.random() < 0.3:
            subject.send(f"setoption name UCI_Variant value {walk.game()}")
        if dice.random() < 0.2:
            megabytes = dice.choice(hashes)
            most = max(most, megabytes)
            subject.send(f"setoption name Hash value {megabytes}")
        if dice.random() < 0.5:
            subject.send("ucinewgame")
            walk.restart()
        for _ in range(dice.choice((0, 2, 5))):
            walk.move()
        subject.ask(walk.line(), "isready", "go " + dice.choice(limits), answer="bestmove")
        for size in _sizes(subject, threads):
            largest = max(largest, size - most)
            if size > most + beside:
                raise Failure(f"a process had {size:.0f} MB, but Hash was at most {most} MB")
    case.measure("MB besides the largest Hash", largest)
    case.count("searches", _SEARCHES)
    subject.finish()


def _interpreter(python: str) -> float:
    """Return the megabytes of PyPy without a program; 0 for CPython, which needs few."""
    env = {**os.environ, **_NURSERY}
    return int(subprocess.check_output([python, "-c", _BARE], env=env)) / 1024


def _sizes(subject: Subject, threads: int) -> Iterator[float]:
    """Yield the megabytes of the engine, and of its helpers if it has any.

    They are the peak of a single process, else what each has now, with shared memory divided
    among its users.  Nothing is yielded if the system can't tell.
    """
    if threads == 1:
        yield from filter(None, [subject.peak()])
        return
    folder = pathlib.Path("/proc", str(subject.pid))
    try:
        children = [path.read_text(encoding="utf-8") for path in folder.glob("task/*/children")]
        for process in [folder, *map(folder.with_name, " ".join(children).split())]:
            text = (process / "smaps_rollup").read_text(encoding="utf-8")
            yield next(int(line.split()[1]) / 1024 for line in text.splitlines() if "Pss:" in line)
    except OSError:  # not on this system
        return
