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
from protocol.gtp.gogui import Graphics, Parameters, Rules, Suggestions
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


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry."""

    name = "gtp"

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self.game = GtpGame(session)
        self.parameters = Parameters(session)
        self.graphics = Graphics(self)
        for group in (
            Play(self.game),
            Think(self),
            Analysis(self),
            Records(self.game),
            Rules(self.game),
            Suggestions(self),
            self.graphics,
            self.parameters,
        ):
            self.add_commands(group)
        # of the current command: its id, and whether its reply was begun
        self._id, self._begun = "", False
        self._search: SearchRequest | None = None  # the running search
        self._interrupted = False  # should it end soon?
        self._busy = False  # is a command searching or queued?
        # The queued commands; None instead of words stands for an interrupt.
        self._waiting: deque[tuple[str, list[str] | None]] = deque()
        self._changed = threading.Condition()  # guards the four above
        # Time when all searches must be over, from `quit` or the end of input on.
        self._leaves_at: float | None = None

    # ---- commands --------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out one line, or queue it until the command that searches is done."""
        number, words = split(line)
        if self._busy and self._keep(line, number, words):
            return
        self._id = number
        self.carry_out(self._run, words)

    def _run(self, words: list[str]) -> None:
        """Carry out a command: reply, or start its search."""
        if not words:
            if self._id:
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
        lines = (text or "").split("\n")
        begun, self._begun = self._begun, False
        first = [] if begun else [f"={self._id} {lines[0]}" if text else f"={self._id}"]
        rest = lines if begun else lines[1:]
        self.write(*first, *[line for line in rest if line and not line.isspace()], "")

    def begin(self) -> None:
        """Begin a reply whose lines follow one by one; the command's answer ends it."""
        self._begun = True
        self.write(f"={self._id}")

    def error(self, text: str) -> None:
        if self._begun:
            self.reply(None)
        else:
            self.write(f"?{self._id} {text}", "")

    # ---- searches --------------------------------------------------------------------

    def _start(self, search: SearchRequest) -> None:
        """Start the search of the current command."""
        if search.streams:
            self.begin()
        if self.time_left() == 0:
            self._finish(search, any_answer(self.session, search.limits))
            return
        was_busy, self._busy, self._search = self._busy, True, search
        search.watch(self.write)
        try:
            self.session.start(
                search.limits, search.on_report, self._on_done, options=search.options
            )
        except Exception:
            self._search, self._busy = None, was_busy
            search.cancel()
            raise
        if (
            self._interrupted
            or search.limits.infinite
            and (self._waiting or self._leaves_at is not None)
        ):
            self.session.stop()

    def _finish(self, search: SearchRequest, result: Result) -> None:
        """Write the command's reply to the result of its search."""
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
            search, self._search, self._interrupted = self._search, None, False
            self._waiting = deque(kept for kept in self._waiting if kept[1] is not None)
        self.carry_out(self._finish, search, result)
        while self._search is None:
            with self._changed:
                if not self._waiting or self.finished:
                    self._busy = self._interrupted = False
                    self._changed.notify_all()
                    return
                number, words = self._waiting.popleft()
                if words is None:
                    self._interrupted = any(kept is None for _, kept in self._waiting)
                    continue
                self._id = number
            self.carry_out(self._run, words)

    # ---- the queue -------------------------------------------------------------------

    def _keep(self, line: str, number: str, words: list[str]) -> bool:
        """Queue a command during a search; return False if the search has just ended."""
        with self._changed:
            if not self._busy:
                return False
            interrupts = line.strip().lower() in ("# interrupt", "#interrupt")
            self._waiting.append((number, None if interrupts else words))
            if interrupts or self._search is not None and self._search.limits.infinite:
                self._interrupt()
            if words and words[0].lower() == "quit":
                self._leaves_at = perf_counter() + _GRACE
                self._wind_up()
        return True

    def _interrupt(self) -> None:
        """Stop the running search, or the one that is about to begin."""
        self._interrupted = True
        self.session.stop()

    def _wind_up(self) -> None:
        """Answer the commands before `quit` in the little time that is left."""
        wait_until(self._changed, lambda: not self._busy, self.time_left())
        self._interrupt()
        self._changed.wait_for(lambda: not self._busy, _GUARD)
        self.session.finish(0.0, 0.0)  # late and queued searches answer at once
        self.finished = True

    def time_left(self) -> float | None:
        """Return the seconds for each queued command after `quit`, None before it."""
        if self._leaves_at in (None, _NO_DEADLINE):
            return None
        return max(self._leaves_at - perf_counter(), 0.0) / (len(self._waiting) or 1)

    def end_of_input(self) -> None:
        with self._changed:
            self._leaves_at = _NO_DEADLINE
            if self._search is not None and self._search.limits.infinite:
                self._interrupt()
            wait_until(self._changed, lambda: not self._busy)

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

    @command("quit", "end the process")
    def _quit(self, words: list[str]) -> None:
        self.finished = True
