"""Mutilated sessions of every protocol: none ends the process, hangs it or causes a traceback.

`pytest --seconds N --seed N` draws more or other cases.
"""

import io

import pexpect
import pytest
from conftest import PATIENCE
from front_end import InProcessEngine
from sessions import GAMES, TABLES, WIRES, alternatives

from protocol.gtp.protocol import split

LINES = 100  # approximate number of lines of a session
WORDS = [*alternatives(TABLES["words of fuzz"][0][1]), "", "\u202e", "\t", "\x00", "\x1b[31m"]
WORDS += ["9" * 400, "-" * 300, "x" * 5000]
NUMBERS = (0, 1, -1, 2, 3, 15, 99, 255, 256, 2**31, 2**63, 10**15, 10**30)
# Kinds of errors in a line: each function returns the words that replace a word.
ACCIDENTS = [
    lambda dice, word: [],
    lambda dice, word: [word] * dice.choice((2, 2, 3, 51)),
    lambda dice, word: [dice.choice(WORDS)],
    lambda dice, word: [dice.choice(WORDS), word],
    lambda dice, word: [word[: dice.randrange(len(word) + 1)]],
    lambda dice, word: [word.swapcase()],
    lambda dice, word: [str(dice.choice(NUMBERS))] if word.lstrip("-").isdigit() else [word[::-1]],
]


def noise(dice):
    """Return meaningless bytes without a line feed."""
    return bytes(dice.randrange(11, 256) for _ in range(dice.choice((1, 9, 40, 400))))


def mutilated(dice, line):
    """Return the bytes of a line with a few random errors."""
    words = line.split(" ")
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        at = dice.randrange(len(words) + 1)
        words[at : at + 1] = dice.choice(ACCIDENTS)(dice, words[at] if words[at:] else "")
    data = bytearray(" ".join(words).encode("utf-8", "replace"))
    if data and dice.random() < 0.25:
        at = dice.randrange(len(data))
        data[at : at + 1] = dice.choice((b"\r", b"\0", b"\xff", bytes([data[at] ^ 1])))
    return bytes(byte for byte in data if byte != 10)


def leaves(line):
    """Would this line end the process or take minutes?"""
    text = line.decode("utf-8", "replace").lower()
    return any(word in ("quit", "end", "bench") for word in split(text)[1][:1] + text.split()[:1])


def settle(engine, wire):
    """Wait until the engine has carried out everything."""
    engine.send(*wire.stop.splitlines(), wire.question)
    for _ in range(10 * PATIENCE):
        try:
            engine.process.expect_exact(wire.answer.encode(), timeout=0.1)
            return
        except pexpect.TIMEOUT:  # a search is still running, maybe one that was queued
            engine.send(*wire.stop.splitlines())
    pytest.fail(f"no answer to {wire.question}")


def session(dice, wire):
    """Return the lines of a session, some of them mutilated."""
    share = dice.choice((0.0, 0.1, 0.3, 0.8))
    sent = [line.encode() for line in wire.greeting.splitlines()]
    for line in wire.lines(dice, LINES):
        hurt = mutilated(dice, line) if dice.random() < share else line.encode()
        both = noise(dice) if dice.random() < 0.03 else b"", hurt
        sent += [each for each in both if not leaves(each)]
    print(sent)
    return sent


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_the_position_after_a_mutilated_session_agrees_with_its_moves_and_text(wire, cases):
    for dice in cases:
        engine = InProcessEngine(wire.name, wire.game)
        engine.send(*(line.decode("utf-8", "replace") for line in session(dice, wire)))
        engine.protocol.end_of_input()
        place, again = engine.session.position, engine.session.copy_position()
        assert (again.text(), again.key) == (place.text(), place.key)
        parsed = engine.session.game.parse(place.text(), engine.session.values)
        assert place.game.repetition or sorted(parsed.legal_moves()) == sorted(place.legal_moves())
        engine.session.close()


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_the_engine_survives_mutilated_sessions(start, wire, cases):
    for dice in cases:
        engine = start("--protocol", wire.name, "--game", dice.choice([wire.game, *GAMES]))
        engine.process.logfile_read = said = io.BytesIO()
        sent = session(dice, wire)
        engine.send_bytes(b"".join(line + b"\n" for line in sent))
        settle(engine, wire)
        engine.send(wire.farewell)
        _, status = engine.end()
        text = said.getvalue().decode("utf-8", "replace")
        at = min(
            (text.find(word) for word in ("Traceback", "internal error") if word in text),
            default=-1,
        )
        assert at < 0, text[max(at - 500, 0) : at + 2500]
        assert status == 0
