"""A program as a process: lines in, lines out, each with the time when it came.

Threads read and write its pipes, so that nothing that it does or leaves undone can block its
owner: what it writes without end is bounded (lines.py), and so is the wait for what it never
writes.
"""

from __future__ import annotations

import collections
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from typing import IO, Callable, Optional, TypeVar

from plyglot import guard
from plyglot.command import WINDOWS, Command, located, separation, split_command
from plyglot.errors import Crash, EngineError, Missing, Stall
from plyglot.lines import LONGEST_LINE, Lines, Stamped

FULL = 0.005  # seconds until an input that was full is tried again
MOST_UNSENT = 1 << 26  # bytes that may wait for a process that does not read its input
STDERR_LINES = 3  # last lines of stderr that are kept, ...
STDERR_WIDTH = 200  # ... and their bytes
# Seconds that the last words on stderr may take to come; a process left behind by the one that
# has ended may keep stderr open.
LAST_WORDS = 0.5

Value = TypeVar("Value")
# A conversation: it yields the moment until which it waits for a line, and is sent the line, or
# the error that came instead.
Steps = Generator[Optional[float], Stamped, Value]


class Process:
    """A running program.  Raises Missing if it can't be started.

    command: a string as a shell splits it, or a list of words.
    directory: where it runs; a relative program is looked for there.
    environment: variables besides our own.
    prepare: called in the new process before the program (POSIX alone).
    """

    def __init__(
        self,
        command: Command,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        program = str(command)
        try:
            program, *arguments = split_command(command) or [""]
            if not program:
                raise Missing("can't start an empty command")
            self.command = [located(program, directory), *arguments]
            self._process = subprocess.Popen(
                self.command,
                cwd=directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                preexec_fn=prepare,
                env=None if environment is None else {**os.environ, **environment},
                **separation(),
            )
        except (OSError, ValueError) as error:
            raise Missing(f"can't start {_what(program, directory, error)}") from None
        guard.watch(self._process.pid)
        self.lines = Lines()
        self._errors: collections.deque[bytes] = collections.deque(maxlen=STDERR_LINES)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unsent, self._deaf, self._closed = 0, False, False
        self._lock = threading.Lock()  # of the input, and of what is known of it
        self._at_once = self._begin_input()
        self._begin(self._send_all, self._process.stdin)
        self._reader = self._begin(self._read_all, self._process.stdout)
        self._error_reader = self._begin(self._read_errors, self._process.stderr)

    def _begin(
        self, work: Callable[[IO[bytes]], None], stream: IO[bytes] | None
    ) -> threading.Thread:
        thread = threading.Thread(target=work, args=(stream,), daemon=True)
        thread.start()
        return thread

    # ---- the threads -----------------------------------------------------------------

    def _read_all(self, stream: IO[bytes]) -> None:
        with stream:
            begins = True  # a line, rather than the rest of one that is too long
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                (self.lines.put if begins else self.lines.skip)(raw)
                begins = raw.endswith(b"\n")
        self.lines.end()

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                if raw.strip():
                    self._errors.append(raw[:STDERR_WIDTH])

    def _begin_input(self) -> bool:
        """Have the input take what it can at once and no more.  False if the system can't.

        Windows' pipes can't before Python 3.12, and there all is sent by the thread.
        """
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        if WINDOWS:
            return False
        os.set_blocking(self._input, False)
        return True

    def _send_all(self, stream: IO[bytes]) -> None:
        """Send what could not be sent at once."""
        try:
            for data in iter(self._outgoing.get, None):
                rest = data
                while rest:
                    rest = rest[self._send_now(rest) :]
                    if rest:
                        time.sleep(FULL)
                with self._lock:
                    self._unsent -= len(data)
        except OSError:
            pass
        with self._lock:
            self._deaf = True
            stream.close()

    def _send_now(self, data: bytes) -> int:
        """Send as many bytes as the input takes; their number."""
        try:
            return os.write(self._input, data)
        except BlockingIOError:
            return 0

    # ---- talking ---------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._process.poll()

    def write(self, *lines: str) -> None:
        """Send lines.  Raises Crash if the process no longer reads its input.

        Raises Stall if what it has not read is too much to be kept.
        """
        if any("\n" in line or "\r" in line for line in lines):
            raise ValueError("a line must not contain a line break")
        text = "".join(line + "\n" for line in lines)
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, data: bytes) -> None:
        """Send bytes, as write() sends lines."""
        self.lines.expect_more()
        with self._lock:
            heard = not self._deaf and self._send(data)
        if not heard:
            raise Crash(self.epitaph())

    def _send(self, data: bytes) -> bool:
        """Send data, now or later; False if nobody reads the input any more."""
        if self._unsent > MOST_UNSENT:
            raise Stall("does not read its input")
        if self._at_once and not self._unsent:  # no thread's turn has to be waited for
            try:
                data = data[self._send_now(data) :]
            except OSError:
                return False
        if data:
            self._unsent += len(data)
            self._outgoing.put(data)
        return True

    @property
    def unsent(self) -> int:
        """The number of bytes that were written and that the process has had no room for yet."""
        return self._unsent

    def close_input(self) -> None:
        """End the input, after all that was written."""
        self._outgoing.put(None)

    def read(self, until: float | None = None) -> Stamped:
        """(time, line) of the next line.  Raises Crash after the last.

        until: the moment of time.perf_counter() after which to raise Stall; None waits for ever.
        """
        stamped = self.lines.get(until)
        if stamped is None:
            raise Crash(self.epitaph())
        return stamped

    def drain(self) -> None:
        """Forget the lines that have come and were not read."""
        self.lines.drain()

    def carry_out(self, steps: Steps[Value]) -> Value:
        """Lead a conversation with the process, and return its result."""
        try:
            until = next(steps)
            while True:
                try:
                    stamped = self.read(until)
                except EngineError as error:
                    until = steps.throw(error)
                else:
                    until = steps.send(stamped)
        except StopIteration as done:
            value: Value = done.value
            return value

    # ---- the end ---------------------------------------------------------------------

    def wait(self, seconds: float | None = None) -> int | None:
        """The exit status once it has ended; None if it runs on after so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def epitaph(self) -> str:
        """How it ended, and its last words."""
        status = self.wait(1.0)
        if status is None:
            return "closed its output"
        self._error_reader.join(LAST_WORDS)
        words = ending(status)
        last = self._errors[-1].decode("utf-8", "replace").strip() if self._errors else ""
        return f"{words} ({last})" if last else words

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the process: say farewell, wait `grace` seconds, then kill it and all that it
        started.
        """
        if self._closed:
            return
        self.lines.discard()
        try:
            self.write(*farewell)
        except (Crash, Stall):  # it hears no more, and is ended all the same
            pass
        self.close_input()
        if grace > 0:
            self.wait(grace)
        self.kill()

    def kill(self) -> None:
        """End the process, and all that it started, at once."""
        if self._closed:
            return
        self.lines.discard()
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except OSError:  # all of it has ended
            pass
        self._process.wait()
        self._closed = True
        self.close_input()
        guard.release(self._process.pid)


def ending(status: int) -> str:
    """An exit status in words."""
    return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"


def _what(program: str, directory: str | None, error: Exception) -> str:
    """The program, or the directory, that can't be used, and why."""
    if not isinstance(error, OSError) or error.filename is None:
        return f"{program}: {error}"
    where = f" in {directory}" if directory is not None and error.filename == directory else ""
    return f"{program}{where}: {error.strerror}"
