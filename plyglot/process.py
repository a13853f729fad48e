"""A program that runs as a process: send it lines, and read its lines with their arrival times.

Threads read and write its pipes, so the process can't block its owner: the queue of unread output
is bounded, and every wait for output can have a deadline.  The process ends when its owner ends,
even if a signal kills the owner.  A fork of the owner can't use or end the process.
"""

from __future__ import annotations

import atexit
import collections
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Callable

from plyglot.command import Command, located, separation, split_command
from plyglot.errors import Crash, EngineError, Missing, Refusal, Stall

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Stamped = tuple[float, str]  # (time of arrival on time.perf_counter()'s clock, line)
Listener = Callable[[float, str], object]

LONGEST_LINE = 1 << 20  # Maximum number of bytes of a line to keep; the rest is skipped.

# Maximum number of unread lines, and of bytes in them; a process that writes more has to wait.
MAX_LINES = 10_000
MAX_BYTES = 1 << 22
# Longest single wait, in seconds: on Windows Ctrl-C doesn't interrupt a thread that waits for
# a lock.
SLICE = 0.5
STDERR_WIDTH = 200  # Maximum number of bytes of the last line of stderr to keep.

# Seconds to wait for the last output of an ended process, whose children may keep its pipes open.
LAST_WORDS = 0.5


class LineQueue:
    """A queue from the thread that reads a pipe to the thread that uses the lines."""

    def __init__(self) -> None:
        self._waiting: collections.deque[tuple[float, bytes]] = collections.deque()
        self._changed = threading.Condition()
        self._bytes = 0
        self._over = False

    # ---- the thread that reads the pipe ----------------------------------------------

    def put(self, line: bytes) -> None:
        """Add a line that has just arrived; wait while the queue is full.

        A line that arrives after the end is discarded.
        """
        now = time.perf_counter()
        with self._changed:
            self._changed.wait_for(self._has_room)
            if self._over:
                return
            self._waiting.append((now, line))
            self._bytes += len(line)
            self._changed.notify_all()

    def end(self) -> None:
        """Mark the end of the output: later lines are discarded, and nobody waits any longer."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._over or len(self._waiting) < MAX_LINES and self._bytes < MAX_BYTES

    # ---- the thread that uses the lines ----------------------------------------------

    def get(self, until: float | None = None) -> Stamped | None:
        """Wait for the next line and return it, None after the last one.

        until: deadline on time.perf_counter()'s clock.  Raises Stall if no line has arrived
        by then.
        """
        with self._changed:
            while not (self._waiting or self._over):
                wait = SLICE if until is None else min(until - time.perf_counter(), SLICE)
                if wait <= 0:
                    raise Stall("no answer in time")
                self._changed.wait(wait)
            if not self._waiting:
                return None
            when, raw = self._waiting[0]
            if until is not None and when > until:
                raise Stall("no answer in time")
            self._waiting.popleft()
            self._bytes -= len(raw)
            self._changed.notify_all()
        return when, raw.decode("utf-8", "replace").rstrip("\r\n")

    def drain(self) -> None:
        """Discard the unread lines."""
        with self._changed:
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()


class ParentDeathPipe:
    """An empty pipe to a child process; when this process ends, the system kills the child.

    If a parent is killed (SIGKILL), a child that reads its input sees the end of the input and can
    exit.  A child that is stopped, or that ignores its input, would live on.  On Linux, closing one
    end of a pipe can send a signal, even SIGKILL, to the process at the other end.  The system
    closes the parent's end, however the parent ends.  Other systems have no such pipe.

    ends: the descriptors that are open in this process: the child's end (until the child has
        inherited it), then our end.
    """

    def __init__(self) -> None:
        self.ends: list[int] = []
        if hasattr(fcntl, "F_SETSIG"):
            with suppress(OSError):  # no descriptor is free
                self.ends += os.pipe()

    def kill_with_parent(self, pid: int) -> None:
        """Arrange that closing our end kills a process, or a process group if `pid` is negative.

        Call it after the process has started and inherited its end of the pipe.
        """
        for end in self.ends[:-1]:
            with suppress(OSError):  # the process has ended already
                fcntl.fcntl(end, fcntl.F_SETOWN, pid)
                fcntl.fcntl(end, fcntl.F_SETSIG, signal.SIGKILL)
                fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
            os.close(end)
        del self.ends[:-1]

    def close(self) -> None:
        """Close our end of the pipe; this kills the process if it still holds its own end."""
        while self.ends:
            os.close(self.ends.pop())


def encoded(lines: Iterable[str]) -> bytes:
    """Return the bytes of `lines`, each with a line break.

    Raises Refusal if a line has a line break or a character that UTF-8 can't encode.
    """
    if any("\n" in line or "\r" in line for line in lines):
        raise Refusal("can't receive a line with a line break in it")
    text = "".join(line + "\n" for line in lines)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise Refusal(f"can't receive {ascii(text[error.start])}: not UTF-8") from None


class Process:
    """A running program.  Raises Missing if it can't be started.

    command: a string, split as a shell does, or a list of words.
    directory: the working directory, against which a relative path of the program is resolved.
    environment: environment variables of the program, in addition to those of this process.
    """

    _disowned = False  # is this a copy in a fork, which must not use the process?

    def __init__(
        self,
        command: Command,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        program, self._death_pipe = str(command), ParentDeathPipe()
        try:
            program, *arguments = split_command(command) or [""]
            if not program:
                raise Missing("can't start an empty command")
            self._process = subprocess.Popen(
                [located(program, directory), *arguments],
                bufsize=0,
                cwd=directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if environment is None else {**os.environ, **environment},
                pass_fds=self._death_pipe.ends[:-1],
                **separation(),
            )
        except (OSError, TypeError, ValueError) as error:
            self._death_pipe.close()
            raise Missing(f"can't start {_what(program, directory, error)}") from None
        self.lines = LineQueue()
        self._error = b""  # the last line of stderr
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # A thread that ends the process takes this lock for good, so that no other ends it again.
        self._end = threading.Lock()
        self.closed = False  # was close(), kill() or disown() called?
        _running.add(self)
        self._death_pipe.kill_with_parent(-self._process.pid)
        try:
            self._sender = self._begin(self._send_all, self._process.stdin)
            self._reader = self._begin(self._read_all, self._process.stdout)
            self._error_reader = self._begin(self._read_errors, self._process.stderr)
            self._begin(self._watch)
        except RuntimeError as error:  # the system allows no more threads
            self.kill()
            raise Missing(f"can't start {_what(program, directory, error)}") from None

    def _begin(self, work: Callable[..., None], *streams: IO[bytes] | None) -> threading.Thread:
        thread = threading.Thread(target=work, args=streams, daemon=True)
        thread.start()
        return thread

    # ---- the threads -----------------------------------------------------------------

    def _read_all(self, stream: IO[bytes]) -> None:
        with stream, open(stream.fileno(), "rb", closefd=False) as reader:
            begins = True  # is the next piece the start of a line, not the rest of a long line?
            for raw in iter(lambda: reader.readline(LONGEST_LINE), b""):
                if begins:
                    self.lines.put(raw)
                begins = raw.endswith(b"\n")
        self.lines.end()

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream, open(stream.fileno(), "rb", closefd=False) as reader:
            for raw in iter(lambda: reader.readline(LONGEST_LINE), b""):
                if raw.strip():
                    self._error = raw[:STDERR_WIDTH]

    def _send_all(self, stream: IO[bytes]) -> None:
        """Send the queued data until None comes, then close the input."""
        with suppress(OSError):
            for data in iter(self._outgoing.get, None):
                rest = data
                while rest:
                    rest = rest[stream.write(rest) :]
        stream.close()

    def _watch(self) -> None:
        """Mark the end of the output when the process ends, even if a child holds the pipe open."""
        self._process.wait()
        self._reader.join(LAST_WORDS)
        self.lines.end()

    # ---- talking ---------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def write(self, *lines: str) -> None:
        """Send lines.

        Raises Crash if the process no longer reads its input, Refusal if a line has a line break
        or a character that UTF-8 can't encode.
        """
        data = encoded(lines)
        if not self._sender.is_alive():  # the process reads no more, or this is a fork
            raise self.ending()
        self._outgoing.put(data)

    def read(self, until: float | None = None, listener: Listener | None = None) -> Stamped:
        """Return (time, line) of the next line.  Raises Crash after the last one.

        until: time on time.perf_counter()'s clock after which to raise Stall; None for never.
        listener(time, line): only for an engine inside this process (in_place.py).
        """
        stamped = self.lines.get(until)
        if stamped is None:
            raise self.ending()
        return stamped

    def drain(self) -> None:
        """Discard the unread lines."""
        self.lines.drain()

    # ---- the end ---------------------------------------------------------------------

    def wait(self, seconds: float | None = None) -> int | None:
        """Wait for the end and return the exit status, negative for a signal.

        Return None if the process still runs after `seconds`.
        """
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def ending(self) -> EngineError:
        """Return the error that says why the process can't be used any more.

        The text of a Crash includes the last line on stderr.
        """
        if self._disowned:
            return Refusal("belongs to the parent process: a fork can't use it")
        status = self.wait(1.0)
        if status is None:
            return Crash("closed its output")
        self._error_reader.join(LAST_WORDS)
        words = f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        last = self._error.decode("utf-8", "replace").strip()
        return Crash(f"{words} ({last})" if last else words)

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the process and all its children.

        farewell: lines to send first.  grace: seconds to wait before killing it.
        """
        if self.closed:
            return
        self.lines.end()
        with suppress(Crash):  # the process reads no input; it is killed below
            self.write(*farewell)
        self._outgoing.put(None)
        self.wait(grace)
        self.kill()

    def kill(self) -> None:
        """Kill the process and all its children."""
        if self.closed or not self._end.acquire(blocking=False):
            return
        self.closed = True
        self.lines.end()
        self._end_group()
        self._outgoing.put(None)
        self._death_pipe.close()

    def disown(self) -> None:
        """Close our pipes but leave the process running: after a fork, it belongs to the parent."""
        self._disowned = self.closed = True
        # A thread that exists only in the parent may hold the old queue's lock.
        self.lines = LineQueue()
        self.lines.end()
        self._death_pipe.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _end_group(self) -> None:
        with suppress(OSError):  # all processes have ended already
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()


def start(
    command: Command, directory: str | None = None, environment: Mapping[str, str] | None = None
) -> Process:
    """Start a program as a new process; in a browser, run Plyglot in this process instead."""
    if sys.platform != "emscripten":
        return Process(command, directory, environment)
    from plyglot.in_place import InPlace

    return InPlace(command)


def _what(program: str, directory: str | None, error: Exception) -> str:
    """Return the program or directory that can't be used, and the reason."""
    if not isinstance(error, OSError) or error.filename is None:
        return f"{program}: {error}"
    where = f" in {directory}" if directory is not None and error.filename == directory else ""
    return f"{program}{where}: {error.strerror}"


# All processes, so that a fork can disown them.
_running: weakref.WeakSet[Process] = weakref.WeakSet()


def _disown_all() -> None:
    for process in _running:
        process.disown()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_all)


@atexit.register
def _kill_all() -> None:
    """End the processes at exit: afterwards no thread reads their output, and a wait would hang."""
    for process in list(_running):
        process.kill()
