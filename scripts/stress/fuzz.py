"""Hostile lines, none of which may end the process, hang it or cause a traceback."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from protocol.gtp.protocol import split
from scripts.stress.case import Failure
from scripts.stress.hostile import hostile
from scripts.stress.sessions import GAMES, WIRES
from scripts.stress.subject import PATIENCE

if TYPE_CHECKING:
    from scripts.stress.case import Case
    from scripts.stress.sessions import Wire
    from scripts.stress.subject import Subject

_LINES = 120  # approximate length of a session
_AT_ONCE = (1, 1, 3, 10, 40)
_NUDGE = 0.2  # seconds until a search that still runs is told to end again


def run(case: Case) -> None:
    """Run a session with mutilated lines, after which the engine must be sound and quit."""
    dice = case.dice
    protocol = dice.choice(list(WIRES))
    wire = WIRES[protocol]
    arguments = ["--protocol", protocol] if dice.random() < 0.5 else []
    if dice.random() < 0.3:
        arguments += ["--game", dice.choice(GAMES)]
    subject = case.engine(*arguments)
    sent = hostile(dice, wire.lines(dice, _LINES), dice.choice((0.0, 0.1, 0.3, 0.8)))
    lines = [wire.greeting.encode(), *[line for line in sent if not _leaves(line)]]
    begin = 0
    while begin < len(lines):
        end = begin + dice.choice(_AT_ONCE)
        subject.send(*lines[begin:end])
        if dice.random() < 0.05:
            settle(subject, wire, dice)
        begin = end
    settle(subject, wire, dice)
    case.count("lines", len(subject.sent))
    subject.send(wire.farewell)
    subject.leave()
    subject.check(quiet=protocol != "gtp")  # GTP writes GoGui's live graphics to stderr
    if protocol == "gtp":
        _check_replies(subject)


def _leaves(line: bytes) -> bool:
    """Would this line end the process or take minutes?"""
    text = line.decode("utf-8", "replace").lower()
    words = split(text)[1][:1] + text.split()[:1]
    return any(word in ("quit", "end", "bench") for word in words)


def settle(subject: Subject, wire: Wire, dice: Random) -> None:
    """Wait until the engine has answered everything; raise Failure if it never does."""
    line, answer = wire.sync(10**7 + dice.randrange(10**7))
    start = subject.count()
    subject.send(*wire.stop, line)
    for _ in range(round(PATIENCE / _NUDGE)):
        found = subject.wait_for(lambda said: said == answer, start, _NUDGE)
        if found is not None:
            return
        subject.send(*wire.stop)
    raise Failure(f"no answer to {line}")


def _check_replies(subject: Subject) -> None:
    """Check that each GTP command got one reply, ended by an empty line."""
    commands = sum(
        1 for raw in subject.sent if any(split(raw.decode("utf-8", "replace").rstrip("\r\n")))
    )
    replies = "\n".join(subject.said()).split("\n\n")
    if len(replies) != commands or not all(reply.startswith(("=", "?")) for reply in replies):
        raise Failure(f"{commands} commands, but {len(replies)} replies")
