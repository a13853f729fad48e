"""The base of all protocols.

A protocol is a table of commands.  The base carries them out and turns their errors into text.
"""

from __future__ import annotations

import re
import threading
from math import isfinite, nan

from games import notices
from games.base import GameError
from games.options import is_whole
from games.registry import PluginError, UnknownGame
from search import interpreter
from search.game import SessionError
from search.limits import USUAL_OVERHEAD_SHARE
from search.worker import MustWait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeVar

    from games.base import Position
    from games.options import Option
    from games.types import Options
    from protocol.wire import Write
    from search.limits import Limits
    from search.report import OnDone, Report, Result
    from search.session import Session

    Handler = Callable[..., Any]
    Method = TypeVar("Method", bound=Handler)

PRODUCT = "Plyglot"
VERSION = "1.0"
AUTHOR = "the Plyglot authors"

# Names of games that front ends look for besides the canonical ones.
OTHER_NAMES = ("cfour",)

# Maximum number of lines in a command of several lines: more than any board has squares.
MAX_LINES = 1000
# Maximum number of words of a command that has no limit of its own.
MAX_WORDS = 4000


class CommandError(Exception):
    """Raised if a command can't be carried out; the text is the message for the user."""


def malformed(name: str, form: str, text: str) -> CommandError:
    """Return the error for a command `name` whose arguments `text` don't have the right `form`."""
    return CommandError(f'{name} needs {form}, not "{printable(text, 60)}"')


def printable(text: str, limit: int = 200) -> str:
    """Return `text` for one line of output: printable, and at most `limit` characters long."""
    shown = "".join(char if char.isprintable() else "?" for char in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def whole_number(text: str, name: str, least: int | None = None) -> int:
    """Parse the whole number that the command `name` needs.

    Raise CommandError if the text isn't one, or the number is below `least`.
    """
    word = text.strip()
    if is_whole(word) and len(word) < 17 and (least is None or least <= int(word)):
        return int(word)
    bound = "" if least is None else f" of at least {least}"
    raise CommandError(f'{name} must be a whole number{bound}, not "{printable(word, 40)}"')


def seconds_of(text: str, name: str) -> float:
    """Parse a number of seconds below 10**9; raise CommandError if the text is not such a number.

    name: what the number is, for the error message.
    """
    value = finite_number(text)
    if value is None or abs(value) >= 1e9:
        raise CommandError(f'{name} must be a number of seconds, not "{printable(text, 40)}"')
    return value


def finite_number(text: str) -> float | None:
    """Parse a number; return None if the text isn't one or the number isn't finite.

    Unlike float(), reject 1_000 and the digits of other alphabets.
    """
    try:
        value = float(text) if text.isascii() and "_" not in text else nan
    except ValueError:
        return None
    return value if isfinite(value) else None


def words_of(text: str) -> list[str]:
    """Return the words of a text; after MAX_WORDS words, the rest of it counts as one word."""
    return text.split(None, MAX_WORDS)


def each_word(text: str) -> Iterator[str]:
    """Return the words of a text one by one: a list could take twenty times as much memory."""
    return (word.group() for word in re.finditer(r"\S+", text))


def cut_at(text: str, word: str) -> tuple[str, str]:
    """Return the texts before and after `word`, in any case; (text, "") if it doesn't occur."""
    match = re.search(rf"(?:^|\s){word}(?:\s|$)", text, re.IGNORECASE)
    return (text[: match.start()], text[match.end() :]) if match else (text, "")


def first_word(line: str) -> tuple[str, str]:
    """Return (the first word of a line, the text after it), both without blanks around them."""
    word, _, rest = line.replace("\t", " ").strip().partition(" ")
    return word, rest.strip()


def command(*names: str, end: str = "") -> Callable[[Method], Method]:
    """Mark a method as the handler of a command, which may have several names.

    The method's docstring is the command's line in the list of commands.
    end: for a command of several lines, its last line in lower case.  The handler gets the lines
        between the first and the last.  If another command comes among these lines, they are
        discarded.  By default a command has one line, and the handler gets the text after the
        command's name.
    """

    def mark(method: Method) -> Method:
        # The type of a function doesn't declare these attributes.
        method.command, method.end = names, end  # type: ignore[attr-defined]
        return method

    return mark


def commands_of(owner: object) -> dict[str, Handler]:
    """Return {name in lower case: method} of the commands that a class or an object handles."""
    methods = [getattr(owner, attribute) for attribute in dir(owner)]
    return {name.lower(): method for method in methods for name in getattr(method, "command", ())}


class Protocol:
    """A protocol that drives a session.

    A subclass marks its handlers with `command`.

    error_prefix, notice_prefix: the start of a line with an error or a notice; if a protocol has
        no notice_prefix, notices go to stderr.
    finished: set by the command that ends the process.
    table: maps the name of each command, in lower case, to its handler.
    word: the name of the current command, in lower case.
    own_options: options that only this protocol has; the session holds their values.
    option_names: {name of an option: its name in this protocol}, if they differ.
    option_blank: what stands for a blank in the names of options.
    games: names of the games that it can play, () for all.  If the session has another game, the
        session changes to the first of these.
    """

    error_prefix = notice_prefix = ""
    own_options: tuple[Option, ...] = ()
    option_names: Mapping[str, str] = {}
    option_blank = " "
    games: tuple[str, ...] = ()

    def __init__(self, session: Session, write: Write) -> None:
        self.session, self.write = session, write
        session.add_options(self.own_options)
        if self.games and session.game.name not in self.games:
            session.choose_game(self.games[0])
        self.finished = False
        self.word = ""
        self._reading: Handler | None = None  # the command of several lines that is being read
        self._lines: list[str] = []
        self.table = commands_of(self)
        notices.listen(self.notice)

    # ---- names of options ------------------------------------------------------------

    def option_name(self, name: str) -> str:
        """Return an option's name in this protocol."""
        return self.option_names.get(name, name.replace(" ", self.option_blank))

    def own_name(self, name: str) -> str:
        """Return the name of the option that the front end means by `name`.

        Each `option_blank` stays in the result: Session.find_option ignores it.
        """
        names = {theirs.lower(): own for own, theirs in self.option_names.items()}
        return names.get(name.lower(), name)

    # ---- commands --------------------------------------------------------------------

    def help_lines(self) -> list[str]:
        """Return a line of help for each command."""
        return [
            f"{name}: {' '.join((self.table[name].__doc__ or '').split())}"
            for name in sorted(self.table)
        ]

    def handle(self, line: str) -> None:
        """Carry out one line; answer with an error if it fails."""
        self.carry_out(self.dispatch, line)

    def carry_out(self, action: Callable[..., None], *arguments: object) -> None:
        """Call action(*arguments); answer with an error if it fails."""
        try:
            action(*arguments)
        except (CommandError, SessionError, GameError, PluginError, UnknownGame) as error:
            self.error(printable(str(error)))
        except MemoryError:
            self.error("out of memory: lower the option Hash")
        except Exception as error:  # a bug in the engine: report it and go on
            interpreter.report_bug()
            self.error(f"internal error: {printable(repr(error))}")

    def dispatch(self, line: str) -> None:
        """Find the command of a line and run it; raise an exception if that fails."""
        word, rest = first_word(line)
        handler = self.table.get(word.lower())
        reading, self._reading = self._reading, None
        if reading is not None and word.lower() == getattr(reading, "end", ""):
            try:
                reading(self._lines)
            except MustWait:
                self._reading = reading
                raise
        elif handler is not None:
            self.word = word.lower()
            if getattr(handler, "end", ""):
                self._reading, self._lines = handler, []
            else:
                handler(rest)
        elif reading is not None:
            self._reading = reading
            if len(self._lines) <= MAX_LINES:
                self._lines.append(line.strip())
        elif word:
            self.unknown(line.strip())

    def refusal(self) -> str:
        """Return the error for a command that needs a position, after a position was refused."""
        return f"there is no position: the last one was refused: {printable(self.session.refused)}"

    def require_position(self) -> None:
        """Raise CommandError if the front end's last position was refused."""
        if self.session.refused:
            raise CommandError(self.refusal())

    def in_turn(self, answer: Callable[[], None]) -> None:
        """Call answer() once all searches requested earlier have answered."""
        self.session.run(lambda context: None, lambda result: answer())

    def unknown(self, line: str) -> None:
        """Answer a line that doesn't begin with a command."""
        raise CommandError(f"unknown command: {printable(line, 80)}")

    def error(self, text: str) -> None:
        """Write an error in the protocol's form."""
        self.write(self.error_prefix + text)

    def notice(self, text: str) -> None:
        """Write a one-off notice that isn't an error."""
        if self.notice_prefix:
            self.write(self.notice_prefix + text)
        else:
            notices.on_stderr(text)

    @command("quit")
    def _quit(self, rest: object) -> None:
        """end the process"""
        self.finished = True

    def end_of_input(self) -> None:
        """Answer all searches when the input ends: finish bounded ones, stop an endless one."""
        self.session.worker.stop_endless()
        self.session.wait()


# ---- protocols that accept commands while the engine searches --------------------------


def lost_time(session: Session) -> float:
    """Return the seconds by which a move usually takes longer on the front end's clock than here.

    Used for front ends that never send the state of their clock.
    """
    return float(session.values["Move Overhead"] / 1000 * USUAL_OVERHEAD_SHARE)


class ThinkingProtocol(Protocol):
    """A Protocol whose searches can be stopped with an answer or dropped without one.

    on_report and the callback of `think` run in the search's thread.  The callback may change the
    session's position, so every command that reads or changes it must first call `stop_and_wait`
    or `drop`.

    lock: held while a search answers, so that its answer can't start a new search after drop().
    """

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self.lock = threading.RLock()
        self._task: object = object()  # identifies the latest search; None once it is dropped

    def on_report(self, report: Report, position: Position) -> None:
        """Show a report of the running search."""

    def think(self, limits: Limits, on_done: OnDone, options: Options | None = None) -> None:
        """Search the position; a search that was dropped calls neither on_report nor on_done.

        options: values of options for this search alone, by name.
        """
        task = self._task = object()

        def report(latest: Report, position: Position) -> None:
            if self._task is task:
                self.on_report(latest, position)

        def done(result: Result) -> None:
            with self.lock:
                if self._task is task:
                    on_done(result)

        self.session.start(limits, report, done, options=options)

    def stop_and_wait(self) -> None:
        """Stop the running search, if any, and let it answer."""
        self.session.stop()
        self.session.wait()

    def drop(self) -> None:
        """Stop the running search, if any, without an answer."""
        with self.lock:
            self._task = None
        self.stop_and_wait()
