"""GTP version 2: the grammar, the hand-shake and the queue of commands sent ahead.

All other commands are methods of small groups.  They return their reply or, if they have
to search, a SearchRequest.

The reader's thread carries out commands until one of them searches.  From then on it
only queues lines, so that it sees `# interrupt` and `quit` at once; the search's thread
writes the reply when the search is over and carries out the queued commands.
"""

from __future__ import annotations

import threading
from collections import deque
from time import perf_counter, process_time

from protocol.base import PRODUCT, VERSION, CommandError, Protocol, command
from protocol.gtp.game import GtpGame
from protocol.gtp.gogui import OPTIONS, Graphics, Parameters, Rules, Suggestions
from protocol.gtp.play import Play, Records
from protocol.gtp.think import Analysis, SearchRequest, Think, any_answer
from search.worker import wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.wire import Writer
    from search.job import Result
    from search.session import Session

# Control characters are dropped, a tab is a space (GTP 2, section 3.1).
_CONTROLS: dict[int, str | None] = {code: None for code in (*range(32), 127)}
_CONTROLS[9] = " "

# Seconds after `quit` for the commands before it, and then for a search that was stopped.
_GRACE, _GUARD = 0.06, 0.06
_NO_DEADLINE = float("inf")


def split(line: str) -> tuple[str, list[str]]:
    """Return (id, words) of a line without its comment and control characters.

    id: as it was written, "" if there is none.  words: the command and its arguments.
    """
    line = line.partition("#")[0]
    words = (line if line.isprintable() else line.translate(_CONTROLS)).split()
    if words and words[0].isascii() and words[0].isdigit():
        return words[0], words[1:]
    return "", words


class _Command:
    """A command.

    number, words: as split() returns them; no words if the line is a comment.
    interrupts: is it the comment that ends a search?
    begun: has its reply begun?  search: the SearchRequest it has started, None if it has none.
    """

    def __init__(self, line: str) -> None:
        self.number, self.words = split(line)
        self.interrupts = line.strip().lower() in ("# interrupt", "#interrupt")
        self.begun = False
        self.search: SearchRequest | None = None

    @property
    def endless(self) -> bool:
        """Does it search until the next line arrives?"""
        return self.search is not None and self.search.limits.infinite


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry."""

    name = "gtp"
    own_options = OPTIONS

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self.game = GtpGame(session)
        self.parameters, self.graphics = Parameters(self), Graphics(self)
        groups = [kind(self) for kind in (Play, Think, Analysis, Records, Rules, Suggestions)]
        for group in (*groups, self.graphics, self.parameters):
            self.add_commands(group)
        self._current = _Command("")
        # The commands after the one that searches; None if none does.
        self._queue: deque[_Command] | None = None
        self._changed = threading.Condition()  # guards both
        # Time when all searches must be over, from `quit` or the end of input on.
        self._leaves_at: float | None = None

    # ---- commands --------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out one line, or queue it until the command that searches is done."""
        command = _Command(line)
        if self._queue is None or not self._keep(command):
            self.carry_out(self._run, command)

    def _run(self, command: _Command) -> None:
        """Carry out a command: reply, or start its search."""
        self._current, words = command, command.words
        if not words:
            if command.number:
                raise CommandError("unknown command")
            return
        handler = self.table.get(words[0]) or self.table.get(words[0].lower())
        if handler is None:
            raise CommandError("unknown command")
        answer = handler(words[1:])
        if isinstance(answer, SearchRequest):
            self._start(answer)
        else:
            self.reply(answer)

    def reply(self, text: str | None) -> None:
        """Write a reply, or the rest of one that was begun.

        text: lines separated by `\\n`, of which only the first may be empty, or None.
        """
        first, *rest = (text or "").split("\n")
        begun, mark = self._current.begun, f"={self._current.number}"
        head = first if begun else f"{mark} {first}" if text else mark
        self.write(*[line for line in (head, *rest) if line and not line.isspace()], "")

    def begin(self) -> None:
        """Begin a reply whose lines follow one by one; the command's answer ends it."""
        self._current.begun = True
        self.write(f"={self._current.number}")

    def error(self, text: str) -> None:
        if self._current.begun:
            self.reply(None)
        else:
            self.write(f"?{self._current.number} {text}", "")

    # ---- searches --------------------------------------------------------------------

    def _start(self, search: SearchRequest) -> None:
        """Start the search of the current command, and queue the next ones until it is over."""
        if search.streams:
            self.begin()
        if self.time_left() == 0:
            self._finish(search, any_answer(self.session, search.limits))
            return
        command, before = self._current, self._queue
        command.search, self._queue = search, deque() if before is None else before
        search.begin()
        if search.on_report is None:
            self.graphics.begin()
        on_report = search.on_report or self.graphics.draw
        try:
            self.session.start(search.limits, on_report, self._on_done, options=search.options)
        except Exception:
            command.search, self._queue = None, before
            search.end()
            search.cancel()
            raise
        with self._changed:
            queue = self._queue or ()  # None if the search is over already
            awaited = bool(queue) or self._leaves_at is not None
            if any(other.interrupts for other in queue) or command.endless and awaited:
                self.session.stop()

    def _finish(self, search: SearchRequest, result: Result) -> None:
        """Write the command's reply to the result of its search."""
        self.graphics.clear()
        search.end()
        try:
            answer = search.finish(result)
        except Exception:
            search.cancel()
            raise
        self.reply(answer)

    def _on_done(self, result: Result) -> None:
        """Write the reply and carry out the queued commands, in the search's thread.

        From here on, an interrupt applies to the next queued command that searches, if that
        was sent before the interrupt.
        """
        with self._changed:
            self._queue = deque(other for other in self._queue or () if not other.interrupts)
        self.carry_out(self._finish, self._current.search, result)
        while True:
            with self._changed:
                if not self._queue or self.finished:
                    self._queue = None
                    self._changed.notify_all()
                    return
                command = self._queue.popleft()
            self.carry_out(self._run, command)
            if command.search is not None:
                return  # the end of its search continues here

    # ---- the queue -------------------------------------------------------------------

    def _keep(self, command: _Command) -> bool:
        """Queue a command during a search; return False if the search has just ended."""
        with self._changed:
            if self._queue is None:
                return False
            self._queue.append(command)
            if command.interrupts or self._current.endless:
                self.session.stop()
            if command.words and command.words[0].lower() == "quit":
                self._leaves_at = perf_counter() + _GRACE
                self._wind_up()
        return True

    def _wind_up(self) -> None:
        """Answer the commands before `quit` in the little time that is left."""
        wait_until(self._changed, lambda: self._queue is None, self.time_left())
        self.session.stop()
        self._changed.wait_for(lambda: self._queue is None, _GUARD)
        self.session.finish(0.0, 0.0)  # late and queued searches answer at once
        self.finished = True

    def time_left(self) -> float | None:
        """Return the seconds for each queued command after `quit`, None before it."""
        if self._leaves_at in (None, _NO_DEADLINE):
            return None
        return max(self._leaves_at - perf_counter(), 0.0) / (len(self._queue or ()) or 1)

    def end_of_input(self) -> None:
        with self._changed:
            self._leaves_at = _NO_DEADLINE
            if self._current.endless:
                self.session.stop()
            wait_until(self._changed, lambda: self._queue is None)

    # ---- hand-shake ------------------------------------------------------------------

    @command("protocol_version", "show the version of the protocol: 2")
    def _protocol_version(self, words: list[str]) -> str:
        return "2"

    @command("name", "show the engine's name")
    def _name(self, words: list[str]) -> str:
        return PRODUCT

    @command("version", "show the engine's version")
    def _version(self, words: list[str]) -> str:
        return VERSION

    @command("known_command", "known_command NAME: is there such a command?")
    def _known_command(self, words: list[str]) -> str:
        return "true" if words and {words[0], words[0].lower()} & self.table.keys() else "false"

    @command("list_commands", "list the names of all commands, one per line")
    def _list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self.table))

    @command("help", "describe all commands, one per line")
    def _help(self, words: list[str]) -> str:
        return "\n".join(self.help_lines())

    @command("cputime", "show the processor time that the engine has used, in seconds")
    def _cputime(self, words: list[str]) -> str:
        return f"{process_time():.3f}"

    @command(
        "gogui-interrupt",
        "accepted: `# interrupt` ends a search with its best answer yet",
    )
    def _gogui_interrupt(self, words: list[str]) -> None:
        return None
