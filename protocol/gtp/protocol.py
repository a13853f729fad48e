"""GTP version 2: the grammar, the hand-shake and the queue of commands.

All other commands are methods of Groups (game.py), and return their reply.

A command that searches is answered when its search is over, in the search's thread.  That thread
then carries out the commands that were sent meanwhile.  So the thread that reads the input is
always free to see `# interrupt` and `quit` at once.
"""

from __future__ import annotations

import threading
from collections import deque
from time import process_time

from protocol.base import PRODUCT, VERSION, CommandError, Protocol, command, commands_of, words_of
from protocol.gtp.game import GtpGame
from protocol.gtp.gogui import OPTIONS, GoguiRules, Graphics, Parameters, Suggestions
from protocol.gtp.play import Play
from protocol.gtp.think import Think

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.wire import Write
    from search.limits import Limits
    from search.report import OnReport, Result
    from search.session import Session

    Answer = Callable[[Result], str | None]

# Control characters are dropped, a tab is a space (GTP 2, section 3.1).
_CONTROLS: dict[int, str | None] = {**dict.fromkeys((*range(32), 127)), 9: " "}


def split(line: str) -> tuple[str, list[str]]:
    """Return (id, words) of a line without its comment and control characters.

    id: as it was written, "" if there is none.  words: the command and its arguments.
    """
    line = line.partition("#")[0]
    words = words_of(line if line.isprintable() else line.translate(_CONTROLS))
    if words and words[0].isascii() and words[0].isdigit():
        return words[0], words[1:]
    return "", words


class _Command:
    """A line of input: a command or a comment.

    number, words: the id and the words, as split() returns them; a comment has no words.
    name: the first word, in lower case.
    interrupts: is it the comment `# interrupt`, which ends a search?
    begun: has its reply begun?  searches: has it started a search?
    """

    def __init__(self, line: str) -> None:
        self.number, self.words = split(line)
        self.name = self.words[0].lower() if self.words else ""
        self.interrupts = line.strip().lower() in ("# interrupt", "#interrupt")
        self.begun = self.searches = False


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry.

    current: the command that is being carried out, or whose search is running.
    """

    own_options = OPTIONS

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self.game = GtpGame(session)
        self._graphics = Graphics(self)
        kinds = (Play, Think, GoguiRules, Suggestions, Parameters)
        for group in (self._graphics, *[kind(self) for kind in kinds]):
            self.table.update(commands_of(group))
        self.current = _Command("")
        self._lock = threading.Lock()  # guards the attributes below
        self._queue: deque[_Command] = deque()
        self._busy = False  # is a command being carried out, or a search running?

    # ---- commands --------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Queue one line, and carry it out unless an earlier command or its search is running."""
        command = _Command(line)
        with self._lock:
            self._queue.append(command)
            busy, self._busy = self._busy, True
            if busy and (command.interrupts or self.session.worker.endless):
                self.session.stop()
        if not busy:
            self._work()
        elif command.name == "quit":
            self.finished = True  # the commands before `quit` are still answered

    def _work(self) -> None:
        """Carry out the queued commands up to one that searches; the others wait for its end."""
        while True:
            with self._lock:
                self._busy = bool(self._queue)
                if not self._busy:
                    return
                command = self.current = self._queue.popleft()
            self.carry_out(self._run, command)
            if command.searches:
                return

    def _run(self, command: _Command) -> None:
        """Carry out a command; reply unless it has started a search."""
        handler = self.table.get(command.name)
        if handler is not None:
            text = handler(command.words[1:])
            if not command.searches:
                self.reply(text)
        elif command.words or command.number:
            raise CommandError("unknown command")

    def reply(self, text: str | None, sign: str = "=") -> None:
        """Write a reply, or the rest of one that was begun.  sign: `?` begins an error.

        text: None, or lines separated by `\\n`, of which only the first may be empty.
        """
        first, *rest = (text or "").split("\n")
        begun, mark = self.current.begun, sign + self.current.number
        head = first if begun else f"{mark} {first}" if text else mark
        self.write(*[line for line in (head, *rest) if line and not line.isspace()], "")

    def begin(self) -> None:
        """Begin a reply whose lines follow one by one; reply() or an error ends it."""
        self.current.begun = True
        self.write(f"={self.current.number}")

    def error(self, text: str) -> None:
        self.reply(None if self.current.begun else text, "?")

    # ---- searches --------------------------------------------------------------------

    def search(
        self, limits: Limits, answer: Answer, on_report: OnReport | None = None, wanted: int = 0
    ) -> None:
        """Search the position; when the search is over, reply with answer(Result).

        on_report(Report, position): by default it draws live graphics, if they are on.
        wanted: number of lines to analyse; by default the search only chooses a move.
        """
        command = self.current

        def done(result: Result) -> None:
            with self._lock:
                # Drop the interrupts that have arrived, since they were meant for this search.
                # Later ones end the next search.
                self._queue = deque(other for other in self._queue if not other.interrupts)
            self._graphics.clear()
            self.carry_out(lambda: self.reply(answer(result)))
            self._work()

        options = {"MultiPV": wanted, "UCI_AnalyseMode": True} if wanted else None
        self.session.start(limits, on_report or self._graphics.draw, done, options=options)
        command.searches = True
        with self._lock:
            awaited = limits.infinite and self._queue
            if awaited or any(other.interrupts for other in self._queue):
                self.session.stop()

    def end_of_input(self) -> None:
        self.handle("")  # any line ends an analysis, even an analysis still queued
        super().end_of_input()

    # ---- hand-shake ------------------------------------------------------------------

    @command("protocol_version")
    def _protocol_version(self, words: list[str]) -> str:
        """show the version of the protocol: 2"""
        return "2"

    @command("name")
    def _name(self, words: list[str]) -> str:
        """show the engine's name"""
        return PRODUCT

    @command("version")
    def _version(self, words: list[str]) -> str:
        """show the engine's version"""
        return VERSION

    @command("known_command")
    def _known_command(self, words: list[str]) -> str:
        """known_command NAME: show true if the command exists, else false"""
        return "true" if words and words[0].lower() in self.table else "false"

    @command("list_commands")
    def _list_commands(self, words: list[str]) -> str:
        """list the names of all commands, one per line"""
        return "\n".join(sorted(self.table))

    @command("help")
    def _help(self, words: list[str]) -> str:
        """describe all commands, one per line"""
        return "\n".join(self.help_lines())

    @command("cputime")
    def _cputime(self, words: list[str]) -> str:
        """show the processor time that the engine has used, in seconds"""
        return f"{process_time():.3f}"

    @command("gogui-interrupt")
    def _gogui_interrupt(self, words: list[str]) -> None:
        """confirm that `# interrupt` ends a search, which answers with its best move"""
