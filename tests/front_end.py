"""Front ends for tests: a scripted dialogue, raw input, and a protocol in this process."""

import io
import queue
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import PATIENCE, Answers

from protocol.table import find
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


class _Output(io.BytesIO):
    """A stream that stores a protocol's output and also queues its lines for readers."""

    def __init__(self):
        super().__init__()
        self.lines = queue.SimpleQueue()

    def write(self, data):
        for line in data.decode().split("\n")[:-1]:
            self.lines.put(line)
        return super().write(data)


class InProcessEngine(Answers):
    """A protocol with a session in this process; `output` is all that it has written."""

    def __init__(self, name, game="chess"):
        self._stream = _Output()
        self.session = Session(game)
        self.protocol = find(name).load()(self.session, Writer(self._stream, None, lambda: None))

    def send(self, *lines):
        for line in lines:
            self.protocol.handle(line)
        return self

    def line(self):
        """Wait for the next line and return it."""
        return self._stream.lines.get(timeout=PATIENCE)

    def close(self):
        """End all searches."""
        self.session.stop()
        self.session.close()
        assert self.session.wait(PATIENCE)

    def limits_of(self, *lines):
        """Send lines; return the Limits of the searches that they request.  No search runs."""
        asked = []
        self.session.start = lambda limits, *rest, **more: asked.append(limits)
        self.send(*lines)
        return asked

    @property
    def output(self):
        return self._stream.getvalue().decode()
