"""A program as a process: lines in, lines out, each with its time of arrival.

Threads read and write its pipes, so the process can't block its owner: endless output is
bounded (lines.py), and so is the wait for output that never comes.
"""

from __future__ import annotations

import collections
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Callable

from plyglot import guard
from plyglot.command import WINDOWS, Command, located, separation, split_command
from plyglot.errors import Crash, Missing, Stall
from plyglot.lines import LONGEST_LINE, Lines, Stamped

FULL = 0.005  # seconds to wait before writing to a full pipe again
MOST_UNSENT = 1 << 26  # most bytes to queue for a process that doesn't read its input
STDERR_LINES = 3  # number of last lines of stderr to keep
STDERR_WIDTH = 200  # bytes of each to keep
# Seconds to wait for the end of stderr, which a child of the ended process may keep open.
LAST_WORDS = 0.5


class Process:
    """A running program.  Raises Missing if it can't be started.

    command: a string, split as a shell does, or a list of words.
    directory: the working directory, also of a relative program path.
    environment: variables to add to this process's own.
    prepare: called in the new process before the program (POSIX only).
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
        self.lines = Lines()
        self._errors: collections.deque[bytes] = collections.deque(maxlen=STDERR_LINES)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.unsent = 0  # number of queued bytes
        self._deaf = self._closed = False
        self._lock = threading.Lock()  # guards the input and its state
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        # Windows' pipes block before Python 3.12, so a thread sends everything there.
        self._at_once = not WINDOWS
        if self._at_once:
            os.set_blocking(self._input, False)
        try:
            self._begin(self._send_all, self._process.stdin)
            self._reader = self._begin(self._read_all, self._process.stdout)
            self._error_reader = self._begin(self._read_errors, self._process.stderr)
            guard.watch(self._process.pid)
        except (OSError, RuntimeError) as error:  # the system allows no more processes or threads
            self._end_group()
            self.close_input()
            raise Missing(f"can't start {_what(program, directory, error)}") from None

    def _begin(
        self, work: Callable[[IO[bytes]], None], stream: IO[bytes] | None
    ) -> threading.Thread:
        thread = threading.Thread(target=work, args=(stream,), daemon=True)
        thread.start()
        return thread

    # ---- the threads -----------------------------------------------------------------

    def _read_all(self, stream: IO[bytes]) -> None:
        with stream:
            begins = True  # does the next piece begin a line, or continue one that is too long?
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                (self.lines.put if begins else self.lines.skip)(raw)
                begins = raw.endswith(b"\n")
        self.lines.end()

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                if raw.strip():
                    self._errors.append(raw[:STDERR_WIDTH])

    def _send_all(self, stream: IO[bytes]) -> None:
        """Send the queued data."""
        try:
            for data in iter(self._outgoing.get, None):
                rest = data
                while rest:
                    rest = rest[self._send_now(rest) :]
                    if rest:
                        time.sleep(FULL)
                with self._lock:
                    self.unsent -= len(data)
        except OSError:
            pass
        with self._lock:
            self._deaf = True
            stream.close()

    def _send_now(self, data: bytes) -> int:
        """Send as many bytes as the pipe takes; return their number."""
        try:
            return os.write(self._input, data)
        except BlockingIOError:
            return 0

    # ---- talking ---------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Return the exit status: negative for a signal, None while it runs."""
        return self._process.poll()

    def write(self, *lines: str) -> None:
        """Send lines.

        Raises Crash if the process no longer reads its input, Stall if too much of it is unread.
        """
        if any("\n" in line or "\r" in line for line in lines):
            raise ValueError("a line must not contain a line break")
        text = "".join(line + "\n" for line in lines)
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, data: bytes) -> None:
        """Send bytes; raise the same errors as write()."""
        self.lines.expect_more()
        with self._lock:
            heard = not self._deaf and self._send(data)
        if not heard:
            raise Crash(self.epitaph())

    def _send(self, data: bytes) -> bool:
        """Send data now or later; return False if the process has closed its input."""
        if self.unsent > MOST_UNSENT:
            raise Stall("does not read its input")
        if self._at_once and not self.unsent:  # saves a switch to the thread
            try:
                data = data[self._send_now(data) :]
            except OSError:
                return False
        if data:
            self.unsent += len(data)
            self._outgoing.put(data)
        return True

    def close_input(self) -> None:
        """Close the input after everything queued is sent."""
        self._outgoing.put(None)

    def read(self, until: float | None = None) -> Stamped:
        """Return (time, line) of the next line.  Raises Crash after the last one.

        until: time on time.perf_counter()'s clock after which to raise Stall; None for never.
        """
        stamped = self.lines.get(until)
        if stamped is None:
            raise Crash(self.epitaph())
        return stamped

    async def read_at_once(self, until: float | None) -> Stamped:
        """Read as read() does, for coroutines that at_once() runs (uci.py)."""
        return self.read(until)

    # ---- the end ---------------------------------------------------------------------

    def wait(self, seconds: float | None = None) -> int | None:
        """Wait for the end; return the exit status, None if it still runs after `seconds`."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def epitaph(self) -> str:
        """Return a description of the process's end, with its last line on stderr."""
        status = self.wait(1.0)
        if status is None:
            return "closed its output"
        self._error_reader.join(LAST_WORDS)
        words = ending(status)
        last = self._errors[-1].decode("utf-8", "replace").strip() if self._errors else ""
        return f"{words} ({last})" if last else words

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the process and all its children.

        farewell: lines to send first.  grace: seconds to wait before killing it.
        """
        if self._closed:
            return
        self.lines.discard()
        try:
            self.write(*farewell)
        except (Crash, Stall):  # it doesn't read its input; it is killed below
            pass
        self.close_input()
        if grace > 0:
            self.wait(grace)
        self.kill()

    def kill(self) -> None:
        """Kill the process and all its children."""
        if self._closed:
            return
        self.lines.discard()
        self._end_group()
        self._closed = True
        self.close_input()
        guard.release(self._process.pid)

    def _end_group(self) -> None:
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except OSError:  # they have ended already
            pass
        self._process.wait()


def ending(status: int) -> str:
    """Return a description of an exit status."""
    return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"


def _what(program: str, directory: str | None, error: Exception) -> str:
    """Return the program or directory that can't be used, and the reason."""
    if not isinstance(error, OSError) or error.filename is None:
        return f"{program}: {error}"
    where = f" in {directory}" if directory is not None and error.filename == directory else ""
    return f"{program}{where}: {error.strerror}"
