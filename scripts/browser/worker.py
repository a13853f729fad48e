"""The page's commands as a program that scripts/web/plyglot.js runs, with JSON messages.

    {"id", "command", "body"}  is answered by  {"id", "answer"};  {"type", ...} is an event

A worker has one thread, in which its engines search.  It takes commands during a search, too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Callable

from plyglot import in_place
from scripts.browser.interface import Interface, PageSettings

if TYPE_CHECKING:
    from protocol.wire import Read


class Page:
    """A worker's main loop, which takes all commands of a page or only those for engines.

    post(text), read(seconds): see protocol/messages.py.
    """

    def __init__(self, post: Callable[[str], object], read: Read) -> None:
        self._post, self._read = post, read
        self._interface = Interface(PageSettings())
        self._engines = self._interface.open("")
        in_place.look = self._look
        self._blocks = False

    def block(self) -> None:
        """Take no commands during a search; to stop one, the page ends the worker (workers.js)."""
        self._blocks = True

    def run(self) -> None:
        """Carry out commands forever."""
        while True:
            self._engines.work()
            self._take_commands(None)

    def _look(self, seconds: float | None) -> bool:
        """Take commands while an engine searches; return False if none will come."""
        if self._blocks:
            self._send_events()
        else:
            self._take_commands(seconds)
        return not self._blocks

    def _take_commands(self, seconds: float | None) -> None:
        """Carry out the commands that have arrived; if there are none, wait for one.

        seconds: maximum time to wait, None for no limit.
        """
        self._send_events()
        while message := self._read(seconds):
            told = json.loads(message)
            answer = self._interface.answer(told["command"], {**told["body"], "page": ""})
            self._tell({"id": told["id"], "answer": answer})
            self._send_events()
            seconds = 0

    def _send_events(self) -> None:
        for event in iter(lambda: self._engines.next_event(0), None):
            self._tell(event)

    def _tell(self, told: dict[str, object]) -> None:
        self._post(json.dumps(told, separators=(",", ":")))
