"""The engine process under test, with everything that it writes to stdout and stderr."""

from __future__ import annotations

import os
import pathlib
import re
import select
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO

from plyglot.errors import EngineError
from plyglot.process import LAST_WORDS, Process, ending

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENGINE = str(ROOT / "engine.py")

# Seconds after which an expected event counts as missing; a busy machine may come close.
PATIENCE = 120.0

_FAULTS = ("Traceback", "internal error")


class Failure(Exception):
    """A failure of the engine; the message says which."""


def wait_until(done: Callable[[], object], complaint: str) -> None:
    """Wait until done() is true; raise Failure if it never is."""
    last = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > last:
            raise Failure(complaint)
        time.sleep(0.002)


# Termination signals that the system has.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
POSIX = hasattr(os, "set_blocking") and hasattr(signal, "SIGHUP")


class Subject(Process):
    """An engine process that receives the signals of ENDING even if this process ignores them.

    script: engine.py, or another script of the project.
    before: called in the new process, like subprocess's preexec_fn.
    sent: all lines sent so far, as bytes.
    """

    def __init__(
        self,
        python: str,
        folder: pathlib.Path,
        *arguments: object,
        script: str | pathlib.Path = ENGINE,
        before: Callable[[], None] | None = None,
        env: dict[str, str] | None = None,
    ) -> None:
        def prepare() -> None:
            # Ignored signals are inherited, as under nohup; PyPy's getsignal doesn't show them.
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            if before:
                before()

        self.sent: list[bytes] = []
        self._said: list[tuple[float, bytes]] = []  # (time of arrival, line)
        self._changed, self._over = threading.Condition(), False
        # a byte ends the thread that reads the engine's output
        self._wake, self._woken = os.pipe()
        self._complaints = bytearray()
        command = [python, str(script), *map(str, arguments)]
        super().__init__(command, str(folder), env, prepare if POSIX else None)

    # ---- its pipes -------------------------------------------------------------------

    def _read_all(self, stream: IO[bytes]) -> None:
        """Read the engine's output until it ends or close_output() is called."""
        rest = b""
        output = stream.fileno()
        while not self._is_deaf(output):
            data, now = os.read(output, 1 << 16), time.perf_counter()
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            self._hear([(now, raw) for raw in lines])
        stream.close()
        self._over = True
        self._hear([(time.perf_counter(), rest)] * bool(rest))

    def _is_deaf(self, output: int) -> bool:
        """Wait for output or close_output(); Windows can't do this and reads to the end."""
        return POSIX and self._wake in select.select([output, self._wake], [], [])[0]

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            for data in iter(lambda: os.read(stream.fileno(), 1 << 16), b""):
                self._complaints += data

    def _hear(self, lines: list[tuple[float, bytes]]) -> None:
        with self._changed:
            self._said += lines
            self._changed.notify_all()

    # ---- talking ---------------------------------------------------------------------

    def send(self, *lines: str | bytes) -> None:
        """Send lines, texts or bytes, in one write; raise Failure if they are not read."""
        raw = [line if isinstance(line, bytes) else line.encode() for line in lines]
        self.sent += raw
        try:
            self.write_bytes(b"".join(line + b"\n" for line in raw))
        except EngineError:
            raise Failure(f"it ended early: {self.epitaph()}") from None
        wait_until(
            lambda: not self.unsent or self.status is not None, "it stopped reading its input"
        )

    def count(self) -> int:
        """Return the number of lines that the engine has written."""
        with self._changed:
            return len(self._said)

    def said(self, start: int = 0) -> list[str]:
        """Return the lines received so far, from number `start`."""
        with self._changed:
            return [raw.decode("utf-8", "replace") for _, raw in self._said[start:]]

    def wait_for(
        self, wanted: Callable[[str], bool], start: int = 0, seconds: float = PATIENCE
    ) -> tuple[float, int] | None:
        """Wait for the first line from number `start` on for which wanted(line) is true.

        Return (its arrival on the clock of time.perf_counter, its number), or None after
        `seconds`; raise Failure if the process ends first.
        """
        last = time.monotonic() + seconds
        while True:
            with self._changed:
                while len(self._said) <= start and not self._over:
                    if not self._changed.wait(max(last - time.monotonic(), 0)):
                        break
                found, over = self._said[start:], self._over
            for when, raw in found:
                start += 1
                if wanted(raw.decode("utf-8", "replace")):
                    return when, start - 1
            if over:
                raise Failure(f"it ended early: {self.epitaph()}")
            if time.monotonic() >= last:
                return None

    def expect(self, wanted: Callable[[str], bool], what: str, start: int = 0) -> tuple[float, int]:
        """Wait like wait_for(), but raise Failure if the line never comes."""
        found = self.wait_for(wanted, start)
        if found is None:
            raise Failure(f"no {what} came")
        return found

    def ask(self, *lines: str | bytes, answer: str) -> tuple[float, int]:
        """Send lines; return when the first line came that begins with `answer`, and its number."""
        start = self.count()
        self.send(*lines)
        return self.expect(lambda line: line.startswith(answer), answer, start)

    # ---- measuring -------------------------------------------------------------------

    def computed(self) -> float:
        """Return the engine's processor seconds, or elapsed seconds if the system can't tell."""
        try:
            # the clock id of a process on Linux
            return time.clock_gettime(~self.pid << 3 | 2)
        except (AttributeError, OSError):
            return time.perf_counter()

    def peak(self) -> float | None:
        """Return the engine's peak memory in megabytes, None if the system can't tell."""
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return None
        found = re.search(r"VmHWM:\s*(\d+) kB", status)
        return int(found[1]) / 1024 if found else None

    # ---- the end ---------------------------------------------------------------------

    def close_output(self) -> None:
        """Stop reading the engine's output and close it."""
        os.write(self._woken, b"!")
        self._reader.join()

    def leave(self, statuses: Sequence[int] = (0,)) -> None:
        """Wait for the engine's end; raise Failure if it doesn't end, or with another status."""
        status = self.wait(PATIENCE)
        if status is None:
            raise Failure("it does not end")
        self._reader.join(PATIENCE)
        self._error_reader.join(PATIENCE)
        if status not in statuses:
            raise Failure(f"it {ending(status)} ({self.errors()[-500:]!r} on stderr)")

    def finish(self, farewell: str = "quit", quiet: bool = True) -> None:
        """Make the engine end by a line, and check it.  quiet: as for check()."""
        self.send(farewell)
        self.leave()
        self.check(quiet)

    def errors(self) -> str:
        """Return the engine's output on stderr."""
        return bytes(self._complaints).decode("utf-8", "replace")

    def check(self, quiet: bool = True) -> None:
        """Raise Failure on an internal error of the engine; quiet: on any output to stderr."""
        errors = self.errors()
        if errors if quiet else any(fault in errors for fault in _FAULTS):
            raise Failure(f"on stderr: {errors[-2000:]}")
        for line in self.said():
            if any(fault in line for fault in _FAULTS):
                raise Failure(f"it says: {line[:500]}")

    def epitaph(self) -> str:
        """Return a text about the engine's end."""
        status = self.wait(5)
        if status is None:
            return "its output is closed, but it still runs"
        self._error_reader.join(LAST_WORDS)
        return f"{ending(status)} ({self.errors()[-500:]!r} on stderr)"

    def kill(self) -> None:
        """End the engine and all processes that it started, unless that was done already."""
        if not self._closed:
            super().kill()
            self.close_output()
            os.close(self._wake)
            os.close(self._woken)
