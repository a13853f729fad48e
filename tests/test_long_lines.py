"""Each command of each protocol with a part of its grammar repeated: time and memory grow as the line does."""

import time

import pytest
from front_end import InProcessEngine

from protocol.table import TABLE

TOKENS = [
    "e2e4 ",
    "(",
    "0 ",
    "1,2 ",
    "]",
    "A[1]",
    "[P] ",
    "/",
    '"',
    "-",
    "=",
    "searchmoves ",
    "\t#",
]
# Beginnings of lines, besides the names of all commands, whose grammar goes on after them.
BEGINNINGS = {
    "uci": ["position fen ", "position startpos moves ", "setoption name ", "setoption name Hash value "],
    "usi": ["position sfen ", "position startpos moves ", "setoption name USI_Hash value "],
    "gtp": ["play b ", "lz-analyze b 10 ", "kata-time_settings ", "12 ", "# "],
    "gomocup": ["INFO rule ", "BOARD\n", "YXBLOCK\n"],
    "cecp": ["level 40 ", "option Hash", "holding [P] ", "edit\n", ""],
    "nboard": ["set game (;GM[Othello] ", "set game ", "set depth "],
    "hub": ["pos pos=", 'pos moves="', "set-param name=", "level depth="],
}  # fmt: skip
SHORT, LONG = 125_000, 500_000
# CPU seconds and bytes that a line may cost besides what grows with it
SECONDS, BYTES = 0.2, 1 << 20


@pytest.fixture
def engine(row):
    """Return an engine that reads lines but begins no search."""
    engine = InProcessEngine(row.name)
    engine.session.start = engine.session.run = lambda *arguments, **more: None
    return engine


def lines(begin, token, size):
    """Return the lines of a command with a token repeated up to `size` characters."""
    head, line_end, first = begin.partition("\n")
    text = (token * (size // len(token) + 1))[:size]
    return [head, first + text, "done", "."] if line_end else [head + text]


def seconds(engine, *what):
    before = time.process_time()
    engine.send(*lines(*what))
    return time.process_time() - before


def peak(engine, *what):
    tracemalloc = pytest.importorskip("tracemalloc")  # PyPy has none
    sent = lines(*what)
    tracemalloc.start()
    engine.send(*sent)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_time_grows_as_the_line_does(engine, row):
    names = {"quit", "end", "isready", "loadsgf", "bench"}  # these read no more than a word
    names = sorted(engine.protocol.table.keys() - names)
    tried = [(f"{name} ", TOKENS[:2]) for name in names]
    tried += [(begin, TOKENS) for begin in BEGINNINGS.get(row.name, [])]
    slow = []
    for begin, tokens in tried:
        for token in tokens:
            taken = seconds(engine, begin, token, LONG)
            # measured again, since a garbage collection may fall into it
            if taken > SECONDS and taken > 5 * seconds(engine, begin, token, SHORT):
                again = seconds(engine, begin, token, LONG)
                if again > 5 * seconds(engine, begin, token, SHORT) + SECONDS:
                    slow.append((begin, token, taken, again))
    assert not slow


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_memory_grows_as_the_line_does(engine, row):
    for begin in BEGINNINGS.get(row.name, []):
        short, long = (peak(engine, begin, "e2e4 ", size) for size in (SHORT, LONG))
        assert long <= 5 * short + BYTES, begin
