"""GTP version 2: lines into commands, replies into lines.

Here are the grammar, the hand-shake and the queue of commands sent ahead.  The other
commands are methods of small groups, which return their reply or, where they have to
think, a SearchRequest.

The reader's thread carries out commands until one of them thinks.  From then on it
only queues lines, so that it sees `# interrupt` and `quit` at once; the search's
thread writes the reply when the search is over and carries out what is in the queue.
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
    from protocol.output import Writer
    from search.session import Session
    from search.worker import Result

# Control characters are dropped, a tab is a blank (GTP 2, section 3.1).
_CONTROLS: dict[int, str | None] = {code: None for code in (*range(32), 127)}
_CONTROLS[9] = " "

# Seconds after `quit` for what was asked before it, and then for a search that was stopped.
_GRACE, _GUARD = 0.06, 0.06
_AT_LEISURE = float("inf")


def split(line: str) -> tuple[str, list[str]]:
    """(id, words) of a line without its comment and control characters.

    The id as it was written, "" where there is none; then the command and its
    arguments.
    """
    line = line.partition("#")[0]
    words = (line if line.isprintable() else line.translate(_CONTROLS)).split()
    if words and words[0].isascii() and words[0].isdigit():
        return words[0], words[1:]
    return "", words


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry.

    game: the GtpGame.  parameters: the Parameters.  graphics: the Graphics.
    """

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
        self._id, self._begun = "", False  # of the command that is carried out
        self._search: SearchRequest | None = None  # what runs
        self._interrupted = False  # is it to end soon?
        self._busy = False  # does a command think, or one behind it wait?
        # Those commands, and None for the words of an interrupt among them.
        self._waiting: deque[tuple[str, list[str] | None]] = deque()
        self._changed = threading.Condition()  # guards the four above
        # When all searches have to be over, once there will be no more lines; after `quit` soon.
        self._leaves_at: float | None = None

    # ---- commands --------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out one line, or keep it until the command that thinks is done."""
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

        text: None for none; lines separated by `\\n`, none of them empty but the first.
        """
        lines = (text or "").split("\n")
        begun, self._begun = self._begun, False
        first = [] if begun else [f"={self._id} {lines[0]}" if text else f"={self._id}"]
        rest = lines if begun else lines[1:]
        self.write(*first, *[line for line in rest if line and not line.isspace()], "")

    def begin(self) -> None:
        """Begin a reply whose lines come one by one; its last one is what the command answers."""
        self._begun = True
        self.write(f"={self._id}")

    def error(self, text: str) -> None:
        if self._begun:
            self.reply(None)
        else:
            self.write(f"?{self._id} {text}", "")

    # ---- searches --------------------------------------------------------------------

    def _start(self, search: SearchRequest) -> None:
        """Start the search of the command that is carried out."""
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
        """Reply what the command makes of the search."""
        try:
            answer = search.finish(result)
        except Exception:
            search.cancel()
            raise
        self.reply(answer)

    def _on_done(self, result: Result) -> None:
        """Called in the search's thread, which goes on with the commands that wait.

        An interrupt that comes from here on, behind the reply, is for the next of them that
        thinks, if that was sent before it.
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
        """Queue a command that comes while another one thinks; False if none does any more."""
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
        """End the running search soon, or the one that is about to begin."""
        self._interrupted = True
        self.session.stop()

    def _wind_up(self) -> None:
        """After `quit`: what was asked before is still answered, but there is no time to lose."""
        wait_until(self._changed, lambda: not self._busy, self.time_left())
        self._interrupt()
        self._changed.wait_for(lambda: not self._busy, _GUARD)
        self.session.finish(0.0, 0.0)  # what is late answers at once, and what waits behind it
        self.finished = True

    def time_left(self) -> float | None:
        """Seconds for each command that waits, after `quit`; None before it."""
        if self._leaves_at in (None, _AT_LEISURE):
            return None
        return max(self._leaves_at - perf_counter(), 0.0) / (len(self._waiting) or 1)

    def end_of_input(self) -> None:
        with self._changed:
            self._leaves_at = _AT_LEISURE
            if self._search is not None and self._search.limits.infinite:
                self._interrupt()
            wait_until(self._changed, lambda: not self._busy)

    # ---- hand-shake ------------------------------------------------------------------

    @command("protocol_version", "2")
    def _protocol_version(self, words: list[str]) -> str:
        return "2"

    @command("name", "the engine's name")
    def _name(self, words: list[str]) -> str:
        return PRODUCT

    @command("version", "the engine's version")
    def _version(self, words: list[str]) -> str:
        return VERSION

    @command("known_command", "known_command NAME: is there such a command?")
    def _known_command(self, words: list[str]) -> str:
        return "true" if words and {words[0], words[0].lower()} & self.table.keys() else "false"

    @command("list_commands", "the names of all commands, a line each")
    def _list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self.table))

    @command("help", "all commands with a word about each")
    def _help(self, words: list[str]) -> str:
        return "\n".join(self.help_lines())

    @command("cputime", "seconds of processor time that the engine has used")
    def _cputime(self, words: list[str]) -> str:
        return f"{process_time():.3f}"

    @command(
        "gogui-interrupt",
        "there is `# interrupt`: it ends a command that thinks, with its best answer so far",
    )
    def _gogui_interrupt(self, words: list[str]) -> None:
        return None

    @command("quit", "end the process")
    def _quit(self, words: list[str]) -> None:
        self.finished = True
