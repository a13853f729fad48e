"""GTP version 2: lines into commands, replies into lines.

Here are the grammar, the hand-shake and the queue of commands sent ahead.  The other commands are methods of small
groups: playing (gtp_play.py), thinking (gtp_think.py), analysis as Sabaki wants it (gtp_analyze.py), GoGui's rules,
analyze commands and live graphics (gtp_rules.py, gtp_suggest.py, gtp_graphics.py), parameters (gtp_options.py) and
SGF (gtp_record.py).

A command that thinks is carried out in a thread of its own, and after it whatever was sent in the meantime.  So the
thread that reads sees `# interrupt` and `quit` at once, and every other command costs no change of threads.
"""
from __future__ import annotations

import threading
from collections import deque
from time import perf_counter, process_time

from protocol.base import PRODUCT, VERSION, CommandError, Protocol, command
from protocol.gtp_analyze import Analysis
from protocol.gtp_game import GtpGame
from protocol.gtp_graphics import Graphics
from protocol.gtp_options import Parameters
from protocol.gtp_play import Play
from protocol.gtp_record import Record
from protocol.gtp_rules import Rules
from protocol.gtp_suggest import Suggestions
from protocol.gtp_think import Think, Thinker

# Control characters are dropped, a tab is a blank (GTP 2, section 3.1).
_CONTROLS = {code: None for code in (*range(32), 127)}
_CONTROLS[9] = " "

# Seconds after `quit` for what was asked before it; the guard is for a search that doesn't stop when it is told to.
_GRACE, _GUARD = 0.06, 0.12


def clean(line):
    """A line without comment and control characters."""
    line = line.partition("#")[0]
    return line if line.isprintable() else line.translate(_CONTROLS)


def split(line):
    """(id, words) of a line: the id as it was written, "" where there is none, then the command and its arguments."""
    words = clean(line).split()
    if words and words[0].isascii() and words[0].isdigit():
        return words[0], words[1:]
    return "", words


class Gtp(Protocol):
    """The Go Text Protocol, for every game of the registry.

    game: the GtpGame.  thinker: the Thinker.  parameters: the Parameters.  graphics: the Graphics.
    deadline: `quit` was seen, and by then all searches have to be over (perf_counter seconds); None before it.
    """

    name = "gtp"

    def __init__(self, session, write):
        super().__init__(session, write)
        self.game = GtpGame(session)
        self.parameters = Parameters(session)
        self.thinker = Thinker(self)
        self.graphics = Graphics(self)
        self.deadline = None
        for group in (Play(self), Think(self), Rules(self.game), Analysis(self), Suggestions(self), self.graphics,
                      self.parameters, Record(self.game)):
            self.add_commands(group)
        self._id, self._begun = "", False
        self._waiting = deque()         # lines that came while a command was thinking
        self._busy = False              # set by the reader alone; cleared by the thread that thinks
        self._lock = threading.Lock()
        self._thread = None
        self._ended = False             # there will be no more lines

    # ---- lines ------------------------------------------------------------------------------------------

    def handle(self, line):
        """Carry out one line, or keep it until the command that thinks is done."""
        if self._busy:
            with self._lock:
                queued = self._busy
                if queued:
                    self._keep(line)
            if self.deadline is not None:
                self._wind_up()
            if queued:
                return
        super().handle(line)

    def dispatch(self, line):
        self._id, words = split(line)
        if not words:
            if self._id:
                raise CommandError("unknown command")
            return
        handler = self.table.get(words[0]) or self.table.get(words[0].lower())
        if handler is None:
            raise CommandError("unknown command")
        if not self._busy and getattr(handler, "thinks", False):
            self._start(line)
        else:
            self.reply(handler(words[1:]))

    def reply(self, text):
        """Write a reply; text: None for none, lines separated by `\\n`, none of them empty but the first."""
        lines = (text or "").split("\n")
        begun, self._begun = self._begun, False
        first = [] if begun else [f"={self._id} {lines[0]}" if text else f"={self._id}"]
        rest = lines if begun else lines[1:]
        self.write(*first, *[line for line in rest if line and not line.isspace()], "")

    def begin(self):
        """Begin a reply of which more lines follow later; its end is what the handler returns."""
        self._begun = True
        self.write(f"={self._id}")

    def error(self, text):
        if self._begun:
            self.reply(None)
        else:
            self.write(f"?{self._id} {text}", "")

    # ---- the thread that thinks -------------------------------------------------------------------------

    def _start(self, line):
        self._waiting.append(line)
        self._busy = True
        self._thread = threading.Thread(target=self._carry_out, daemon=True)
        self._thread.start()

    def _carry_out(self):
        while True:
            with self._lock:
                if not self._waiting or self.finished:
                    self._busy = False
                    return
                line = self._waiting.popleft()
                self.thinker.begin()
            super().handle(line)

    def _keep(self, line):
        """A line that comes while a command thinks; some of them end its thinking."""
        self._waiting.append(line)
        if split(line)[1][:1] in (["quit"], ["QUIT"]):
            self.deadline = perf_counter() + _GRACE
        if self.thinker.analysing or line.strip().lower() in ("# interrupt", "#interrupt"):
            self.thinker.interrupt()

    def _wind_up(self):
        """After `quit`: what was asked before it is still answered, but there is no time to lose."""
        self._thread.join(self.time_left())
        self.thinker.interrupt()
        self._thread.join(_GUARD)
        self.finished = True

    def time_left(self):
        """Seconds for each command that waits, after `quit`; None before it."""
        if self.deadline is None:
            return None
        return max(self.deadline - perf_counter(), 0.0) / (len(self._waiting) or 1)

    def more_to_do(self):
        """Must an analysis end, because another command waits or no more can come?"""
        return bool(self._waiting) or self._ended

    def end_of_input(self):
        with self._lock:
            self._ended = True
            if self.thinker.analysing:
                self.thinker.interrupt()
        if self._thread is not None:
            self._thread.join()

    # ---- hand-shake -------------------------------------------------------------------------------------

    @command("protocol_version", "2")
    def _protocol_version(self, words):
        return "2"

    @command("name", "the engine's name")
    def _name(self, words):
        return PRODUCT

    @command("version", "the engine's version")
    def _version(self, words):
        return VERSION

    @command("known_command", "known_command NAME: is there such a command?")
    def _known_command(self, words):
        return "true" if words and words[0] in self.table else "false"

    @command("list_commands", "the names of all commands, a line each")
    def _list_commands(self, words):
        return "\n".join(sorted(self.table))

    @command("help", "all commands with a word about each")
    def _help(self, words):
        return "\n".join(f"{name}: {self.table[name].help}" for name in sorted(self.table))

    @command("cputime", "seconds of processor time that the engine has used")
    def _cputime(self, words):
        return f"{process_time():.3f}"

    @command("gogui-interrupt", "there is `# interrupt`: it ends a command that thinks, with its best answer so far")
    def _interrupt(self, words):
        return None

    @command("quit", "end the process")
    def _quit(self, words):
        self.finished = True
