"""The page's commands in a worker of the browser (plyglot.js): lines of JSON, in and out.

    {"id", "command", "body"}  is answered by  {"id", "answer"};  {"type", ...} is an event

A worker's engines search in place.  While one searches, the worker still takes commands.
"""

from __future__ import annotations

import json
from typing import Any, Callable

from plyglot import in_place
from scripts.browser.interface import Interface, PageSettings

# read(seconds): the next line; None if none arrives within `seconds` (None: no limit).
Read = Callable[["float | None"], "str | None"]


class PageWorker:
    """The interface of one page, or of some of its engines."""

    def __init__(self, read: Read, write: Callable[[str], object]) -> None:
        self._read, self._write = read, write
        self._interface = Interface(PageSettings())
        self._engines = self._interface.open("")

    def run(self) -> None:
        """Carry out all commands."""
        in_place.look = self.look
        while True:
            self.look(None)
            self._engines.work()
            self._send_events()

    def look(self, seconds: float | None) -> bool:
        """Carry out the commands that have arrived; wait for the first at most `seconds`."""
        self._send_events()
        line = self._read(seconds)
        while line is not None:
            self._carry_out(line)
            line = self._read(0)
        return True

    def _carry_out(self, line: str) -> None:
        told = json.loads(line)
        answer = self._interface.answer(told["command"], {**told["body"], "page": ""})
        self._tell({"id": told["id"], "answer": answer})

    def _send_events(self) -> None:
        event = self._engines.next_event(0)
        while event is not None:
            self._tell(event)
            event = self._engines.next_event(0)

    def _tell(self, told: dict[str, object]) -> None:
        self._write(json.dumps(told, separators=(",", ":")))


def run_page(next_line: Any, has_news: Any, post: Any) -> None:
    """Carry out the page's commands; the arguments are functions of plyglot.js."""
    from pyodide.ffi import run_sync  # type: ignore[import-not-found]  # where Pyodide runs

    def read(seconds: float | None) -> str | None:
        if seconds == 0 and not has_news():
            return None
        line: str | None = run_sync(next_line() if seconds is None else next_line(seconds))
        return line

    PageWorker(read, post).run()
