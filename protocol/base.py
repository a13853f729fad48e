"""The base of all protocols: the table of commands, and the one place where errors become text."""

from __future__ import annotations

from games import data
from games.base import GameError
from games.registry import PluginError
from search import faults
from search.session import SessionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from protocol.output import Writer
    from search.session import Session

    Handler = Callable[..., Any]
    Method = TypeVar("Method", bound=Handler)

PRODUCT, VERSION, AUTHOR = "Plyglot", "1.0", "the Plyglot authors"


# Seconds after `quit` for a search without a result to find a first move, and then to answer.
# Together with the time that a slow reader gets they stay below the promised 0.2 seconds.
_GRACE, _GUARD = 0.13, 0.02


class CommandError(Exception):
    """A command that can't be carried out; its text is the message for the user."""


def printable(text: str, limit: int = 200) -> str:
    """Return `text` made fit for one line of output: printable and at most `limit` characters."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def command(name: str, help: str, *aliases: str) -> Callable[[Method], Method]:
    """Mark a method as the handler of a command; `help` describes it in the list of commands."""

    def mark(method: Method) -> Method:
        # The type of a function doesn't declare these attributes.
        method.command = (name, *aliases)  # type: ignore[attr-defined]
        method.help = help  # type: ignore[attr-defined]
        return method

    return mark


def command_names(kind: type) -> list[str]:
    """Return the names of all commands that a class handles."""
    return [
        name for attribute in dir(kind) for name in getattr(getattr(kind, attribute), "command", ())
    ]


class Protocol:
    """A protocol that drives a session.

    A subclass marks its handlers with `command` and writes errors in the protocol's form.

    finished: set by the command that ends the process.
    table: maps the name of each command to its handler.
    """

    name = ""

    def __init__(self, session: Session, write: Writer) -> None:
        self.session, self.write = session, write
        self.finished = False
        self.table: dict[str, Handler] = {}
        self.add_commands(self)
        data.listen(self.notice)

    def add_commands(self, owner: object) -> None:
        """Add the methods of `owner` that are marked with `command` to the table."""
        for attribute in dir(type(owner)):
            method = getattr(owner, attribute)
            for name in getattr(method, "command", ()):
                self.table[name] = method

    def help_lines(self) -> list[str]:
        """Return a line of help for each command."""
        return [
            f"{name}: {getattr(self.table[name], 'help')}"  # noqa: B009  (set by `command`)
            for name in sorted(self.table)
        ]

    def handle(self, line: str) -> None:
        """Carry out one line; answer an error if it fails."""
        self.carry_out(self.dispatch, line)

    def carry_out(self, action: Callable[..., None], *arguments: object) -> None:
        """Call action(*arguments); answer an error if it fails."""
        try:
            action(*arguments)
        except (CommandError, SessionError, GameError, PluginError) as error:
            self.error(printable(str(error)))
        except Exception as error:  # a bug of the engine: report it and go on
            faults.report()
            self.error(f"internal error: {printable(repr(error))}")

    def dispatch(self, line: str) -> None:
        """Find the command of a line and run it; raise an exception if that fails."""
        raise NotImplementedError

    def error(self, text: str) -> None:
        """Write an error in the protocol's form."""
        raise NotImplementedError

    def notice(self, text: str) -> None:
        """Write a one-off notice that isn't an error.

        It goes to stderr unless the protocol has a form for it.
        """
        data.on_stderr(text)

    def answer_before_leaving(self) -> None:
        """Answer the running and queued searches after `quit`, with their best moves so far."""
        self.session.finish(_GRACE, _GUARD)

    def end_of_input(self) -> None:
        """Finish bounded searches after the last line, stop an endless one, and answer all."""
        self.session.stop_endless()
        self.session.wait()
