"""The conversation with a front end, whose lines a protocol carries out one by one."""

from __future__ import annotations

from time import perf_counter

from protocol.base import printable
from protocol.table import detect
from protocol.wire import decode
from search.worker import MustWait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.base import Protocol
    from protocol.table import Row
    from protocol.wire import Write
    from search.session import Session

    # lines(seconds): the next line, b"" at the end of the input; None if none arrives within
    # `seconds` (None: no limit).
    Lines = Callable[[float | None], bytes | None]

# Seconds after `quit` in which a search may still find a first move.  The process has promised to
# end within 0.2 seconds; the remaining time is for a slow reader.
_GRACE = 0.13
# Maximum seconds to wait for the answer of a stopped search.  Usually it takes milliseconds; if a
# game's code hangs, the process ends without the answer.
_GUARD = 2.0

_DEAF = (
    "this browser can't interrupt Python, so searches without a limit end at once: use a browser"
    " with JavaScript Promise Integration, or open an isolated page (https)"
)


class Conversation:
    """The conversation with one front end.

    row: the protocol's row of the table; if it is None, the first line chooses the protocol.
    began: when the last line was read (perf_counter seconds).
    protocol: None until one is chosen.
    over: has the front end quit, or has its input ended?
    """

    def __init__(self, session: Session, write: Write, lines: Lines, row: Row | None) -> None:
        self._session = session
        self._write = write
        self._lines = lines
        self.protocol: Protocol | None = None
        if row is not None:
            self._begin(row)
        self.began, self.over = 0.0, False
        self._waiting: bytes | None = None  # a line that has to wait for the search

    def run(self) -> None:
        """Carry out all lines, and run the searches if they have no thread of their own.

        If the source of the lines raises an exception, the next call goes on from there.
        """
        self._session.worker.work()
        while not self.over:
            self._next(None)
            self._session.worker.work()

    def block(self) -> None:
        """Forbid searches without a limit: no line can arrive while Python runs (messages.py)."""
        self._session.worker.deaf = _DEAF

    def look(self, seconds: float | None) -> None:
        """Carry out the lines that have arrived; if there are none, wait `seconds` for one."""
        if self._waiting is not None and seconds is None:
            self._session.stop()  # nothing else would end the search that the line waits for
        while self._waiting is None and not self.over and self._next(seconds):
            seconds = 0

    def _next(self, seconds: float | None) -> bool:
        """Carry out the next line; return False if none arrives in time."""
        raw = self._waiting
        if raw is None:
            raw = self._lines(seconds)
            if raw is None:
                return False
            self.began = perf_counter()
        self._waiting = None
        try:
            self._carry_out(raw)
        except MustWait:
            self._waiting = raw
        return True

    def _begin(self, row: Row) -> None:
        self._write(*row.greeting)
        self.protocol = row.load()(self._session, self._write)

    def _carry_out(self, raw: bytes) -> None:
        line = decode(raw)
        if self.protocol is None and line.strip():
            row = detect(line)
            if row is None:  # answer as UCI does, and go on
                self._write(f"info string error: unknown command: {printable(line.strip(), 80)}")
            else:
                self._begin(row)
        if not raw:
            if self.protocol is not None:
                self.protocol.end_of_input()
            self.over = True
        elif self.protocol is not None:
            self.protocol.handle(line)
            if self.protocol.finished:
                self.over = True
                self._session.worker.finish(_GRACE, _GUARD)
