"""The fixtures that many tests share: the engine as a process, time limits, random cases."""

import contextlib
import faulthandler
import gc
import itertools
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import pexpect
import pytest
from gtp_client import Client
from pexpect.popen_spawn import PopenSpawn

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# Shells start background jobs with SIGINT ignored, and nohup starts programs with SIGHUP ignored.
# Child processes inherit ignored signals, but not handlers.  So handle such a signal here: the
# children then begin with the system's default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

# Timeout in seconds, so generous that it is exceeded only if the awaited event never comes.
PATIENCE = 60

# Seconds after which a test counts as hung.
LONGEST = float(os.environ.get("PLYGLOT_LONGEST_TEST", 240))


def pytest_addoption(parser):
    parser.addoption("--seconds", type=float, default=0.1, help="seconds per seeded test")
    parser.addoption("--seed", type=int, default=1, help="seed of the tests' random cases")


def pytest_collection_finish():
    """Freeze the objects that the imports created, so that no garbage collection visits them."""
    if hasattr(gc, "freeze"):  # PyPy has no gc.freeze()
        gc.freeze()


@pytest.fixture
def cases(request):
    """Yield a random.Random per case of a test: at least one, and more while --seconds allows."""

    def draw():
        seed, last = (
            request.config.getoption("seed"),
            time.monotonic() + request.config.getoption("seconds"),
        )
        for number in itertools.count():
            print(f"case {number} of seed {seed}")  # pytest shows this if the test fails
            yield random.Random(f"{request.node.name} {seed} {number}")
            if time.monotonic() > last:
                break

    return draw()


def run_python(*words, **more):
    """Run a Python program to its end; return what subprocess.run() returns, with its output.

    words: the path of the program (or options of Python), then its arguments.  more: other arguments for
    subprocess.run().
    """
    usual = {"capture_output": True, "encoding": "utf-8", "timeout": 300}
    if isinstance(more.get("input"), bytes):
        usual["encoding"] = None
    if "input" not in more:
        usual["stdin"] = subprocess.DEVNULL
    return subprocess.run([sys.executable, *map(str, words)], **{**usual, **more})


def load_game(name):
    """Load a game of tests/plugins unless it is loaded already."""
    from games import registry  # imported late, since the project must be put on sys.path first

    if name not in registry.names():
        registry.load_plugin(str(ROOT / "tests" / "plugins" / f"{name}.py"))


def play_on(position, moves):
    """Play the moves of a text (or of a list of texts) on a position; return the position."""
    for text in moves.split() if isinstance(moves, str) else moves:
        position.make(position.parse_move(text))
    return position


def wait_until(happened):
    """Poll until happened() is true; for changes that no event reports, such as the end of a process."""
    last = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < last
        time.sleep(0.01)


def there(path):
    """Wait until a file exists and is not empty; return it."""
    wait_until(lambda: path.exists() and path.stat().st_size)
    return path


def children(pid):
    """Return the ids of the living child processes of `pid`."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended in the meantime
        if int(words[1]) == pid and words[0] != "Z":
            found.append(int(status.parent.name))
    return found


NEEDS_TERMINAL = pytest.mark.skipif(
    not hasattr(pexpect, "spawn"), reason="the system has no pseudo-terminals"
)


def signals(*names):
    """Return the named signals that exist on this system."""
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


class Answers:
    """A base class for engines with send(line) and line(): its methods wait for certain lines."""

    def until(self, pattern):
        """Return the lines up to and including the first that `pattern` matches completely."""
        lines, last = [], time.monotonic() + PATIENCE
        while True:
            line = self.line()
            lines.append(line)
            if re.fullmatch(pattern, line):
                return lines
            assert time.monotonic() < last, (
                f"{pattern} did not come, the last lines were: {lines[-5:]}"
            )

    def ask(self, line, pattern):
        """Send a line; return the lines up to the expected one."""
        self.send(line)
        return self.until(pattern)

    def settle(self):
        """Return all lines still due for the commands sent so far (UCI)."""
        return self.ask("isready", "readyok")[:-1]


class Engine(Answers):
    """The engine in its own process: sends lines to it, and waits for its lines."""

    def __init__(self, *arguments, cwd=None, env=None):
        self.process = PopenSpawn(
            [sys.executable, str(ROOT / "engine.py"), *arguments],
            timeout=PATIENCE,
            cwd=cwd,
            env=dict(os.environ, **(env or {})),
            maxread=1 << 16,
        )

    def send(self, *lines):
        for line in lines:
            self.send_bytes(line.encode() + b"\n")

    def send_bytes(self, data):
        self.process.proc.stdin.write(data)
        self.process.proc.stdin.flush()

    def line(self):
        """Return the next line."""
        self.process.expect_exact(b"\n")
        return self.process.before.decode()

    def end(self):
        """Close the engine's input; return (the remaining lines, exit status)."""
        self.process.proc.stdin.close()
        self.process.expect(pexpect.EOF)
        return self.process.before.decode().splitlines(), self.process.proc.wait(PATIENCE)

    def close(self):
        process = self.process.proc
        if process.poll() is None:
            process.kill()
        process.wait()
        # Close the output only once pexpect's thread has read it to its end.  Otherwise that thread
        # may read on from the next file with the same descriptor: the output of another test's engine.
        self.process.expect(pexpect.EOF)
        process.stdout.close()
        try:
            process.stdin.close()
        except OSError:
            pass  # the process ended without reading all its input


def closed_afterwards(kind):
    """Yield a function that makes objects of the class `kind`; close them when the test ends."""
    with contextlib.ExitStack() as stack:
        yield lambda *arguments, **more: stack.enter_context(
            contextlib.closing(kind(*arguments, **more))
        )


@pytest.fixture
def start():
    """Return start(*arguments), which starts an engine process that ends with the test."""
    yield from closed_afterwards(Engine)


@pytest.fixture
def speak():
    """Return speak(protocol, game), which makes an engine in this process that ends with the test."""
    # Imported late, since the project must be put on sys.path first.
    from front_end import InProcessEngine

    yield from closed_afterwards(InProcessEngine)


@pytest.fixture
def client(speak):
    """Return client(game, *commands), which sends GTP commands to an engine in this process."""
    return lambda game, *commands: Client(speak("gtp", game), *commands)


class SharedEngine:
    """An engine process that the tests of a file share; renew() resets it for the next test."""

    def __init__(self):
        self.engine = Engine()
        options = [
            re.fullmatch(r"option name (.+?) type \w+ default (.*?)( min .*| var .*)?", line)
            for line in self.engine.ask("uci", "uciok")
        ]
        self._defaults = [
            f"setoption name {found[1]} value {found[2]}" for found in options if found
        ]

    def renew(self):
        """Stop all searches, and restore the options and the position; return False if the process failed."""
        try:
            self.engine.send("stop", *self._defaults, "ucinewgame", "position startpos")
            return not [line for line in self.engine.settle() if "error" in line]
        except (OSError, pexpect.EOF, pexpect.TIMEOUT):
            return False


@pytest.fixture(scope="module")
def shared_engines():
    """Yield a list for the SharedEngine of a file's tests.  It is empty until a test needs an engine."""
    shared = []
    yield shared
    for each in shared:
        each.engine.close()


@pytest.fixture
def engine(shared_engines):
    """Yield an engine process that speaks UCI, with all options at their defaults; a test may end it."""
    if not shared_engines:
        shared_engines.append(SharedEngine())
    (shared,) = shared_engines
    yield shared.engine
    if not shared.renew():
        shared.engine.close()
        shared_engines.clear()


@pytest.fixture(autouse=True)
def ends_in_time():
    """Fail a test that hangs; if it can't be interrupted, end the run with a traceback."""

    def fail(*_):
        pytest.fail(f"hangs: no end after {LONGEST:g} seconds")

    faulthandler.dump_traceback_later(LONGEST + 30, exit=True)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, fail)
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
    yield
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def interrupts_as_before():
    """Restore SIGINT's handler: CECP ignores SIGINT, and child processes of later tests would inherit that."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
