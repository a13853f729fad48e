"""Many searches by two processes, neither of which may need more than its Hash and 60 MB."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING

from protocol import moves
from scripts.stress.case import Failure
from scripts.stress.memory import MEGABYTES_BESIDE, NURSERY, interpreter
from scripts.stress.sessions import GAMES, Walk

if TYPE_CHECKING:
    from scripts.stress.case import Case

_HASH = 16
_SEARCHES = 60  # per case
_GO = ("nodes 300", "nodes 2000", "movetime 30", "depth 3")
_BOARDS = [name for name in GAMES if name != "tree"]


def run(case: Case) -> None:
    """Search along games of one kind."""
    dice = case.dice
    subject = case.engine("--protocol", "uci", env=NURSERY)
    walk = Walk(dice, dice.choice(_BOARDS))
    subject.send(
        "setoption name Threads value 2",
        f"setoption name Hash value {_HASH}",
        f"setoption name UCI_Variant value {walk.name}",
    )
    for _ in range(_SEARCHES):
        start = subject.count()
        walk.step(moves.drop)
        words = f" moves {' '.join(walk.words)}" if walk.words else ""
        subject.send("position startpos" + words, "isready", "go " + dice.choice(_GO))
        subject.expect(lambda line: line.startswith("bestmove "), "bestmove", start)
    _measure(case, subject.pid)
    case.count("searches", _SEARCHES)
    subject.send("quit")
    subject.leave()
    subject.check()


def _measure(case: Case, pid: int) -> None:
    """Raise Failure if the engine or a helper needs too much memory, if the system can tell."""
    most = _HASH + MEGABYTES_BESIDE + interpreter(case.python)
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
