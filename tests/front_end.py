"""A scripted front end, and one that sends nonsense."""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from protocol.base import create
from protocol.wire import Writer
from search.session import Session

ENGINE = Path(__file__).resolve().parent.parent / "engine.py"


def run_script(engine, script):
    """Run a dialogue with an engine process, one line of `script` after the other.

    `> LINE` is sent.  `< PATTERN` must match the whole next line.  `~ PATTERN` must match a later line; the lines before
    it are skipped.
    """
    for line in script.strip().splitlines():
        direction, _, text = line.strip().partition(" ")
        if direction == ">":
            engine.send(text)
        elif direction == "<":
            answer = engine.line()
            assert re.fullmatch(text, answer), f"{answer!r} instead of {text}"
        elif direction == "~":
            engine.until(text)


def output_of(data, *arguments):
    """Return the engine's output for these bytes; it must exit with 0 and write nothing to stderr."""
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [sys.executable, str(ENGINE), *arguments],
            input=data,
            stdout=subprocess.PIPE,
            stderr=errors,
            timeout=120,
        )
        errors.seek(0)
        assert errors.read() == b""
    assert done.returncode == 0
    return done.stdout


class InProcessEngine:
    """A protocol over a session in this process; `output` is all that it has written."""

    def __init__(self, name, game="chess"):
        self._stream = io.BytesIO()
        self.session = Session(game)
        self.protocol = create(name, self.session, Writer(self._stream))

    def send(self, *lines):
        for line in lines:
            self.protocol.handle(line)
        return self

    @property
    def output(self):
        return self._stream.getvalue().decode()

    def check_state(self):
        """Assert that no search runs, and that the position is the one that its moves lead to."""
        self.session.stop()
        self.session.wait()
        session = self.session
        assert session.position.text() == session.copy_position().text()
        assert session.position.key == session.copy_position().key
        again = session.game.parse(session.position.text(), session.values)
        assert (
            sorted(again.legal_moves()) == sorted(session.position.legal_moves())
            or session.game.repetition
        )


_WORDS = (
    "",
    " ",
    "0",
    "1",
    "-1",
    "7,7",
    "7, 8",
    "99,99",
    "-3,2",
    "1,2,3",
    "1,2,1",
    "3,4,2",
    "x,y",
    "1e9",
    "0.5",
    "nan",
    "inf",
    "9" * 40,
    "e2e4",
    "e7e8q",
    "P@d3",
    "P@a1",
    "@@@@",
    "0000",
    "pass",
    "PA",
    "F5",
    "d3/1.0/2",
    "zz",
    "h8",
    "true",
    "false",
    "=",
    "Hash=1",
    "Hash=0",
    "Clear Hash",
    "Threads=1",
    "BoardSize=9",
    "Algorithm=minimax",
    "MultiPV=2",
    "Nothing=1",
    "\u00b2",
    "\u0663,\u0664",
    "\u00e9\u4e2d",
    "(;GM[Othello]BO[8 - *];)",
    "(;",
    "[",
    "depth 3",
    "depth x",
    "game (;GM[Othello]BO[8 " + 27 * "-" + "O*------*O" + 27 * "-" + " *]B[F5];)",
    "contempt 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp w",
    "40 5 0",
    "0 0:01 0",
    "0 x 0",
    "rule 1",
    "rule 4",
    "rule 0",
    "rule",
    "timeout_turn 10",
    "timeout_turn -5",
    "max_memory 1000000",
    "max_depth 2",
    "time_left 100",
    "normal",
    "fischerandom",
    "othello",
    "tictactoe",
    "tree",
    "nonsense",
    "1-0 {x}",
)


def nonsense(random, commands, count):
    """Return `count` lines: commands of a protocol with random arguments, and sometimes noise."""
    for _ in range(count):
        if random.random() < 0.06:
            yield "".join(
                chr(random.choice((random.randrange(32, 127), random.randrange(160, 1000), 9)))
                for _ in range(random.randrange(40))
            )
            continue
        words = [random.choice(commands)] + [
            random.choice(_WORDS) for _ in range(random.choice((0, 1, 1, 1, 2, 3)))
        ]
        yield " ".join(words)
