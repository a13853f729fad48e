"""An engine as a process: lines in, lines out, each with the time when it came."""
from __future__ import annotations

import collections
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, Union

from scripts.arena import guard
from scripts.command_line import clean

LONGEST_LINE = 1 << 20      # bytes; a longer line is cut into several
# unread lines that are kept: an engine that babbles costs no more memory than that
MOST_LINES = 100_000
Command = Union[str, Sequence[str]]
STDERR_LINES = 3            # lines of stderr that a report of a crash shows
# seconds that what an engine wrote to stderr before it ended may take to come; a process that it
# left behind may keep stderr open
LAST_WORDS = 0.5


class EngineError(Exception):
    """What an engine did wrong, in words; `kind` is the word for it in records."""

    kind = "error"

    def __init__(self, text: str) -> None:
        super().__init__(clean(text))       # an engine's own words may hold anything


class Crash(EngineError):
    """The engine ended, or could not be started."""

    kind = "crash"


class Missing(Crash):
    """There is no such command, or it may not be started."""


class Stall(EngineError):
    """The engine did not answer in time."""

    kind = "stall"


class Refusal(EngineError):
    """The engine answered that it won't, or it speaks no protocol that can carry what is wanted."""

    kind = "refusal"


class EngineProcess:
    """A running engine.  Missing where the command can't be started.

    command: a string as a shell would split it, or a list of words.  directory: where
    it runs.
    """

    def __init__(self, command: Command, directory: str | None = None) -> None:
        words: list[Any] = [command]
        try:
            words = split_command(command) or [""]
            self._process = subprocess.Popen(words, cwd=directory, stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE,
                                             start_new_session=os.name == "posix")
        except (OSError, ValueError) as error:
            raise Missing(f"can't start {_what(words, error)}") from None
        self._input: Any = self._process.stdin
        guard.watch(self._process.pid)
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue()
        self._errors: collections.deque[str] = collections.deque(maxlen=STDERR_LINES)
        self._start_reader(self._process.stdout, self._take)
        self._error_reader = self._start_reader(self._process.stderr, self._take_error)
        # a line's time is taken at once, whatever other threads compute
        if sys.getswitchinterval() > 0.0005:
            sys.setswitchinterval(0.0005)

    def _start_reader(self, stream: IO[bytes] | None,
                      take: Callable[[str | None], None]) -> threading.Thread:
        reader = threading.Thread(target=self._follow, args=(stream, take), daemon=True)
        reader.start()
        return reader

    def _follow(self, stream: IO[bytes], take: Callable[[str | None], None]) -> None:
        with stream:
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                take(raw.decode("utf-8", "replace").rstrip("\r\n"))
        take(None)

    def _take(self, line: str | None) -> None:
        if line is None or self._lines.qsize() < MOST_LINES:
            self._lines.put((time.perf_counter(), line))

    def _take_error(self, line: str | None) -> None:
        if line:
            self._errors.append(line)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def write(self, *lines: str) -> None:
        """Send lines; Crash where the engine does not listen any more."""
        try:
            self._input.write("".join(line + "\n" for line in lines).encode())
            self._input.flush()
        except (OSError, ValueError):
            raise Crash(self._epitaph()) from None

    def read(self, until: float | None = None) -> tuple[float, str]:
        """(time, line) of the next line.

        until: Stall after that moment of time.perf_counter; None waits for ever.
        """
        try:
            if until is None:
                when, line = self._lines.get()
            else:
                when, line = self._lines.get(timeout=max(until - time.perf_counter(), 0.0))
        except queue.Empty:
            raise Stall("no answer") from None
        if line is None:
            self._lines.put((when, None))
            raise Crash(self._epitaph())
        return when, line

    def drain(self) -> None:
        """Forget the lines that have come and were not read."""
        while True:
            try:
                when, line = self._lines.get_nowait()
            except queue.Empty:
                return
            if line is None:
                self._lines.put((when, None))
                return

    def _epitaph(self) -> str:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._error_reader.join(LAST_WORDS)
        words = f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{words} ({self._errors[-1].strip()[:200]})" if self._errors else words

    def close(self, farewell: Sequence[str] = (), grace: float = 1.0) -> None:
        """End the process: say farewell, wait `grace` seconds, then kill it and all that it
        started.
        """
        try:
            if farewell:
                self._input.write("".join(line + "\n" for line in farewell).encode())
            self._input.close()
        except (OSError, ValueError):
            pass
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
        self._kill()
        self._process.wait()
        guard.release(self._process.pid)

    def _kill(self) -> None:
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except OSError:     # all of it has ended
            pass


def _what(words: list[Any], error: Any) -> str:
    """Which command (or directory) it is that an engine can't be started for, and why."""
    where = getattr(error, "filename", None)
    if where is not None and where != words[0]:
        return f"{words[0]} in {where}: {error.strerror}"
    return f"{words[0] or 'an empty command'}: {error.strerror if where else error}"


def split_command(command: Command, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command line, split as a shell does; on Windows a backslash is part of a path.

    ValueError where a quotation has no end.
    """
    if not isinstance(command, str):
        return list(command)
    words = shlex.split(command, posix=not windows)
    return [word.strip("\"'") for word in words] if windows else words
