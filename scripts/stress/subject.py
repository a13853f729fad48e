"""The engine as a process that is treated badly: whatever it says, to stdout or stderr, is kept."""

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

# Seconds after which something that should happen is thought never to.  A busy
# machine gets there sooner.
PATIENCE = 120.0

_FAULTS = ("Traceback", "internal error")


class Failure(Exception):
    """The engine fell; in words."""


# Signals that end a program, as far as the system has them.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
POSIX = hasattr(os, "set_blocking") and hasattr(signal, "SIGHUP")


class Subject(Process):
    """An engine process, which the signals of ENDING reach although they may be ignored here.

    script: engine.py, or another script of the project.  before: called in the new
    process, as by subprocess.
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
            # What is ignored here, as under nohup, is inherited; PyPy's getsignal does not tell.
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            if before:
                before()

        self.sent: list[bytes] = []
        self._said: list[tuple[float, bytes]] = []  # (when it came, the line)
        self._changed, self._over = threading.Condition(), False
        # a byte ends the thread that reads the engine's output
        self._wake, self._woken = os.pipe()
        self._complaints = bytearray()
        super().__init__(
            [python, str(script), *map(str, arguments)],
            str(folder),
            env,
            prepare if POSIX else None,
        )

    # ---- its pipes -------------------------------------------------------------------

    def _read_all(self, stream: IO[bytes]) -> None:
        """Take in what it says until it is over, or until nobody listens any more."""
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
        """Wait for output or for close_output(); Windows can't, and reads to the end."""
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
        """Send lines, texts or bytes, in one write; Failure where it does not take them."""
        raw = [line if isinstance(line, bytes) else line.encode() for line in lines]
        self.sent += raw
        try:
            self.write_bytes(b"".join(line + b"\n" for line in raw))
        except EngineError:
            raise Failure(f"it went away: {self.epitaph()}") from None
        last = time.monotonic() + PATIENCE
        while self.unsent and self.status is None:
            if time.monotonic() > last:
                raise Failure("it reads no more of its input")
            time.sleep(0.001)

    def count(self) -> int:
        """How many lines it has said."""
        with self._changed:
            return len(self._said)

    def said(self, start: int = 0) -> list[str]:
        """The lines from number `start` on, so far."""
        with self._changed:
            return [raw.decode("utf-8", "replace") for _, raw in self._said[start:]]

    def wait_for(
        self, wanted: Callable[[str], bool], start: int = 0, seconds: float = PATIENCE
    ) -> tuple[float, int] | None:
        """The first line from number `start` on for which wanted(line) is true.

        (when it came, on the clock of time.perf_counter, and its number); None after
        so many seconds; Failure where the process ends before.
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
                raise Failure(f"it went away: {self.epitaph()}")
            if time.monotonic() >= last:
                return None

    def expect(self, wanted: Callable[[str], bool], what: str, start: int = 0) -> tuple[float, int]:
        """As wait_for, but Failure where the line never comes."""
        found = self.wait_for(wanted, start)
        if found is None:
            raise Failure(f"no {what} came")
        return found

    # ---- measuring -------------------------------------------------------------------

    def computed(self) -> float:
        """Seconds of processor time that it used; where the system can't tell, the time as such."""
        try:
            # the clock of a process, as Linux numbers it
            return time.clock_gettime(~self.pid << 3 | 2)
        except (AttributeError, OSError):
            return time.perf_counter()

    def peak(self) -> float | None:
        """Megabytes of memory that it had at most; None where the system can't tell."""
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return None
        found = re.search(r"VmHWM:\s*(\d+) kB", status)
        return int(found[1]) / 1024 if found else None

    # ---- the end ---------------------------------------------------------------------

    def close_output(self) -> None:
        """Nobody reads what it says any more."""
        os.write(self._woken, b"!")
        self._reader.join()

    def leave(self, statuses: Sequence[int] = (0,)) -> None:
        """Wait until it has ended, with one of these statuses; Failure else."""
        status = self.wait(PATIENCE)
        if status is None:
            raise Failure("it does not end")
        self._reader.join(PATIENCE)
        self._error_reader.join(PATIENCE)
        if status not in statuses:
            raise Failure(f"it {ending(status)} ({self.errors()[-500:]!r} on stderr)")

    def errors(self) -> str:
        """What it has written to stderr."""
        return bytes(self._complaints).decode("utf-8", "replace")

    def check(self, quiet: bool = True) -> None:
        """Failure where it reports a fault of its own; quiet: or anything on stderr."""
        errors = self.errors()
        if errors if quiet else any(fault in errors for fault in _FAULTS):
            raise Failure(f"on stderr: {errors[-2000:]}")
        for line in self.said():
            if any(fault in line for fault in _FAULTS):
                raise Failure(f"it says: {line[:500]}")

    def epitaph(self) -> str:
        """How it ended, in words."""
        status = self.wait(5)
        if status is None:
            return "its output is closed, and it runs on"
        self._error_reader.join(LAST_WORDS)
        return f"{ending(status)} ({self.errors()[-500:]!r} on stderr)"

    def kill(self) -> None:
        """End it, and all that it started; nothing where that was done."""
        if not self._closed:
            super().kill()
            self.close_output()
            os.close(self._wake)
            os.close(self._woken)
