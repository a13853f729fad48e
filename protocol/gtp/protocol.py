"""GTP version 2: the grammar, the hand-shake and the queue of commands sent ahead.

All other commands are methods of small groups, which return their reply.

The reader's thread carries out commands until one of them searches.  That one and those sent
meanwhile are queued for another thread, so the reader's sees `# interrupt` and `quit` at once.
"""

from __future__ import annotations

import threading
from collections import deque
from queue import SimpleQueue
from time import perf_counter, process_time

from protocol.base import PRODUCT, VERSION, CommandError, Protocol, command
from protocol.gtp.game import GtpGame
from protocol.gtp.gogui import OPTIONS, Graphics, Parameters, Rules, Suggestions
from protocol.gtp.play import Play, Records
from protocol.gtp.think import Analysis, Think, any_answer
from search.interpreter import start_thread
from search.worker import MustWait, wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from protocol.base import Handler
    from protocol.wire import Writer
    from search.limits import Limits
    from search.report import OnReport, Result
    from search.session import Session

# Control characters are dropped, a tab is a space (GTP 2, section 3.1).
_CONTROLS: dict[int, str | None] = {code: None for code in (*range(32), 127)}
_CONTROLS[9] = " "

# Seconds after `quit` for the commands before it, and then for a search that was stopped: it
# answers within milliseconds, unless a game's code hangs or the machine is busy.
_GRACE, _GUARD = 0.06, 2.0
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
    begun: has its reply begun?  searching: has its search begun?
    endless: does it search until the next line arrives?
    """

    def __init__(self, line: str) -> None:
        self.number, self.words = split(line)
        self.interrupts = line.strip().lower() in ("# interrupt", "#interrupt")
        self.begun = self.searching = self.endless = False


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry."""

    name = "gtp"
    own_options = OPTIONS

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self.game = GtpGame(session)
        self.graphics = Graphics(self)
        self.add_commands(self.graphics)
        for kind in (Play, Think, Analysis, Records, Rules, Suggestions, Parameters):
            self.add_commands(kind(self))
        self._current = _Command("")
        # The commands after the one that another thread carries out; None if that thread is idle.
        self._queue: deque[_Command] | None = None
        self._changed = threading.Condition()  # guards both
        self.on_idle: Callable[[], None] | None = None
        # Time when all searches must be over, from `quit` or the end of input on.
        self._leaves_at: float | None = None

    # ---- commands --------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out one line; queue it if it searches or another command is running."""
        command = _Command(line)
        with self._changed:
            if self._queue is not None:
                self._queue.append(command)
                self._look_at(command)
                return
            if getattr(self._handler(command), "searches", False):
                self._queue = deque([command])
                if not start_thread(self._work):
                    self._work()
                    return
                # After `quit`, which may follow, there is little time to load what it needs.
                wait_until(self._changed, lambda: command.searching or self._queue is None)
                return
        self.carry_out(self._run, command)

    def _look_at(self, command: _Command) -> None:
        """End the running search if the command just queued ends searches."""
        if command.interrupts or self._current.endless:
            self.session.stop()
        if command.words and command.words[0].lower() == "quit":
            self._leaves_at = perf_counter() + _GRACE
            self._wind_up()

    def _work(self) -> None:
        """Carry out the queued commands."""
        while True:
            with self._changed:
                if not self._queue or self.finished:
                    self._queue = None
                    self._changed.notify_all()
                    return
                command = self._queue.popleft()
            self.carry_out(self._run, command)

    def _handler(self, command: _Command) -> Handler | None:
        word = (command.words or [""])[0]
        return self.table.get(word) or self.table.get(word.lower())

    def _run(self, command: _Command) -> None:
        """Carry out a command and reply."""
        self._current, handler = command, self._handler(command)
        if handler is not None:
            self.reply(handler(command.words[1:]))
        elif command.words or command.number:
            raise CommandError("unknown command")

    def word(self) -> str:
        """Return the name of the command that is carried out, in lower case."""
        return self._current.words[0].lower()

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

    def search(
        self,
        limits: Limits,
        on_report: OnReport | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Result:
        """Search the position and return the Result.

        options: values for this search alone.
        on_report(Report, position): by default the search is drawn if GoGui wants that.
        """
        if self.time_left() == 0:
            return any_answer(self.session, limits)
        results: SimpleQueue[Result] = SimpleQueue()
        if on_report is None:
            self.graphics.begin()
        self._current.endless = limits.infinite
        self.session.start(limits, on_report or self.graphics.draw, results.put, options=options)
        with self._changed:
            self._current.searching = True
            self._changed.notify_all()
            queue = self._queue or ()
            awaited = bool(queue) or self._leaves_at is not None
            if any(other.interrupts for other in queue) or limits.infinite and awaited:
                self.session.stop()
        self.session.wait()
        result = results.get()
        with self._changed:
            # From here on, an interrupt applies to the next queued command that searches, if that
            # was sent before the interrupt.
            self._queue = deque(other for other in self._queue or () if not other.interrupts)
        self.graphics.clear()
        return result

    def idle(self) -> None:
        if self.on_idle is not None:
            self.on_idle()

    # ---- the end ---------------------------------------------------------------------

    def _wind_up(self) -> None:
        """Answer the commands before `quit` in the little time that is left."""
        if self.session.worker.in_place:  # they are below on the stack
            self.session.finish(_GRACE, _GUARD)
            return
        wait_until(self._changed, lambda: self._queue is None, self.time_left())
        self.session.stop()
        self._changed.wait_for(lambda: self._queue is None, _GUARD)
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
            if self._queue is not None and self.session.worker.in_place:
                raise MustWait
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
