"""Signals and closed streams; the engine must end soon and quietly, a tournament cleanly."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import time
from functools import partial

from scripts.stress.case import Case, Failure
from scripts.stress.sessions import WIRES
from scripts.stress.subject import ENDING, ENGINE, PATIENCE, ROOT, Subject, wait_until

# The exit status after each signal.
_ENDING = {number: 130 if number == signal.SIGINT else -number for number in ENDING}
_BUSY = {
    "uci": ("go infinite",),
    "gtp": ("lz-analyze 5",),
    "cecp": ("post", "analyze"),
    "gomocup": ("INFO timeout_turn 2000", "BEGIN"),
    "nboard": ("go",),
}
_TOURNAMENT = str(ROOT / "scripts" / "tournament")


def run(case: Case) -> None:
    """End an engine, or interrupt a tournament and continue it."""
    if case.dice.random() < 0.15 and os.path.isdir("/proc/self"):
        _tournament(case)
    else:
        kinds = _signal, _signal, _harmless, _closed, _closed, _stopped
        case.dice.choice(kinds)(case)


def _engine(case: Case, busy: bool | None = None) -> tuple[str, Subject]:
    """Start an idle or thinking engine and return (protocol, Subject)."""
    protocol = case.dice.choice(list(WIRES))
    wire = WIRES[protocol]
    subject = case.engine()
    line, answer = wire.sync(10**7)
    subject.ask(wire.greeting, line, answer=answer)
    busy = case.dice.random() < 0.7 if busy is None else busy
    if busy:
        subject.send(*_BUSY[protocol])
        time.sleep(case.dice.random() * 0.2)
    return protocol, subject


def _signal(case: Case) -> None:
    """Check that a termination signal ends it; CECP ignores SIGINT, as its front ends want."""
    protocol, subject = _engine(case)
    number = case.dice.choice(list(_ENDING))
    case.count("signals")
    os.kill(subject.pid, number)
    if protocol == "cecp" and number == signal.SIGINT:
        _check_alive(subject, protocol)
        return
    subject.leave((_ENDING[number],))
    subject.check(quiet=protocol != "gtp")


def _harmless(case: Case) -> None:
    """Check that SIGPIPE and SIGWINCH do not end the engine."""
    protocol, subject = _engine(case)
    case.count("signals")
    os.kill(subject.pid, case.dice.choice((signal.SIGPIPE, signal.SIGWINCH, signal.SIGCONT)))
    _check_alive(subject, protocol)


def _stopped(case: Case) -> None:
    """Check that the engine continues after SIGSTOP and SIGCONT."""
    protocol, subject = _engine(case)
    case.count("signals", 2)
    os.kill(subject.pid, signal.SIGSTOP)
    time.sleep(case.dice.random() * 0.1)
    os.kill(subject.pid, signal.SIGCONT)
    _check_alive(subject, protocol)


def _closed(case: Case) -> None:
    """Check that the engine ends, even during a search, if its output or its input is closed."""
    protocol, subject = _engine(case)
    case.count("closed streams")
    case.dice.choice((subject.close_output, subject.close_input))()
    subject.leave()
    subject.check(quiet=protocol != "gtp")


def _check_alive(subject: Subject, protocol: str) -> None:
    """Check that the engine answers, and quits when told to."""
    wire = WIRES[protocol]
    line, answer = wire.sync(10**7 + 1)
    subject.ask(*wire.stop, line, answer=answer)
    subject.finish(wire.farewell, quiet=protocol != "gtp")


# ---- tournaments ---------------------------------------------------------------------


def _tournament(case: Case) -> None:
    """Check that an interrupted tournament loses and repeats no game and leaves no engine."""
    dice, rounds = case.dice, 3
    marker = f"TORTURE={os.getpid()}-{case.seed}-{case.number}"
    words = (
        f"--game tictactoe --rounds {rounds} --depth 2 --random-plies 2 --patience {PATIENCE} "
        f"--concurrency {dice.choice((1, 2))} --margin {PATIENCE}"
    ).split()
    for name in "ab":
        words += ["--engine", f"name={name}", f"cmd='{case.python}' '{ENGINE}'"]
    env, record = dict([marker.split("=")]), case.folder / "tournament.jsonl"
    for _ in range(dice.choice((1, 2))):
        subject = case.engine(*words, script=_TOURNAMENT, env=env)
        wait_until(partial(_has_begun, subject, record), "the tournament did not begin")
        time.sleep(dice.random() * 0.5)
        number = dice.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL))
        os.kill(subject.pid, number)
        case.count("tournaments ended")
        subject.leave((0, 130, 143, 129, -number))
        subject.check(quiet=False)
        wait_until(lambda: not _processes(marker), "processes are left behind")
    subject = case.engine(*words, script=_TOURNAMENT, env=env)
    subject.leave()
    subject.check(quiet=False)
    wait_until(lambda: not _processes(marker), "processes are left behind")
    lines = record.read_text(encoding="utf-8").splitlines()
    played = [json.loads(line)["id"] for line in lines[1:]]
    if len(played) != 2 * rounds or len(set(played)) != 2 * rounds:
        raise Failure(f"{2 * rounds} games were expected, but the record has {' '.join(played)}")


def _has_begun(subject: Subject, record: pathlib.Path) -> bool:
    """Is there a record?  Before, a signal would only hit the interpreter."""
    return record.exists() or subject.status is not None


def _processes(marker: str) -> list[str]:
    """Return the ids of the processes with `marker` in their environment."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if marker.encode() in file.read():
                        found.append(name)
            except OSError:  # it has ended or is not ours
                pass
    return found
