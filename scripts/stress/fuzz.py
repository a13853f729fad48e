"""Hostile lines and noise, none of which may end the process, hang it or cause a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from protocol.gtp.protocol import split
from scripts.stress.case import Case, Failure
from scripts.stress.sessions import GAMES, WIRES, Wire, listed
from scripts.stress.subject import PATIENCE, Subject

_WORDS = [
    *listed("words of fuzz"),
    "",
    "\u202e",
    "\t",
    "\x00",
    "\x1b[31m",
    "9" * 400,
    "-" * 300,
    "x" * 5000,
]
_NUMBERS = (0, 1, -1, 2, 3, 15, 99, 255, 256, 2**31, 2**63, 10**15, 10**30)
_RARE = 0.03  # share of lines that are noise
_LINES = 120  # approximate number of lines in a session
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
    return any(word in ("quit", "end", "bench") for word in split(text)[1][:1] + text.split()[:1])


def settle(subject: Subject, wire: Wire, dice: Random) -> None:
    """Wait until the engine has answered everything; raise Failure if it never does."""
    line, answer = wire.sync(10**7 + dice.randrange(10**7))
    start = subject.count()
    subject.send(*wire.stop, line)
    for _ in range(round(PATIENCE / _NUDGE)):
        if subject.wait_for(lambda said: said == answer, start, _NUDGE) is not None:
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


# ---- lines that no front end would send ----------


def mutilated(dice: Random, line: str) -> bytes:
    """Return the bytes of a line with a few random errors and no line break."""
    words = line.split(" ")
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        at = dice.randrange(len(words) + 1)
        words[at : at + 1] = dice.choice(_ACCIDENTS)(dice, words[at] if words[at:] else "")
    data = bytearray(" ".join(words).encode("utf-8", "replace"))
    if data and dice.random() < 0.25:
        at = dice.randrange(len(data))
        data[at : at + dice.choice((1, 1, len(data)))] = dice.choice(_BYTES)(dice, data[at])
    return bytes(byte for byte in data if byte != 10)


def noise(dice: Random) -> bytes:
    """Return meaningless bytes."""
    return bytes(
        dice.choice((dice.randrange(32, 127), dice.randrange(11, 256)))
        for _ in range(dice.choice((1, 9, 40, 400)))
    )


def hostile(dice: Random, lines: Iterable[str], share: float) -> Iterator[bytes]:
    """Yield the lines as bytes, with noise among them; share: the share that is mutilated."""
    for line in lines:
        if dice.random() < _RARE:
            yield noise(dice)
        yield mutilated(dice, line) if dice.random() < share else line.encode("utf-8")


# What may become of a word: other words in its place.
_ACCIDENTS: list[Callable[[Random, str], list[str]]] = [
    lambda dice, word: [],
    lambda dice, word: [word] * dice.choice((2, 2, 3, 51)),
    lambda dice, word: [dice.choice(_WORDS)],
    lambda dice, word: [dice.choice(_WORDS), word],
    lambda dice, word: [word[: dice.randrange(len(word) + 1)]],
    lambda dice, word: [word.swapcase()],
    lambda dice, word: [str(dice.choice(_NUMBERS))] if word.lstrip("-").isdigit() else [word[::-1]],
]
# The same for a byte.
_BYTES: list[Callable[[Random, int], list[int]]] = [
    lambda dice, byte: [byte ^ 1 << dice.randrange(8)],
    lambda dice, byte: [byte, dice.choice((0, 9, 13, 27, 32, 127, 128, 194, 255))],
    lambda dice, byte: [13],
]
