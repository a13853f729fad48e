"""What all protocols share: the table of commands, and the one place where errors become text."""

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


# After `quit` a search that has found nothing yet has so many seconds for a first move, then so
# many to answer: together with what a slow reader gets less than 0.2 seconds.
_GRACE, _GUARD = 0.13, 0.02


class CommandError(Exception):
    """A command that can't be carried out, in words."""


def printable(text: str, limit: int = 200) -> str:
    """`text` fit for one line of output."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def command(name: str, help: str, *aliases: str) -> Callable[[Method], Method]:
    """Mark a method as the handler of a command; `help` is its line in the listing."""

    def mark(method: Method) -> Method:
        # Attributes of a function, which its type does not know.
        method.command = (name, *aliases)  # type: ignore[attr-defined]
        method.help = help  # type: ignore[attr-defined]
        return method

    return mark


def command_names(kind: type) -> list[str]:
    """Return the names of the commands whose handlers a class has."""
    return [
        name for attribute in dir(kind) for name in getattr(getattr(kind, attribute), "command", ())
    ]


class Protocol:
    """A protocol over a session.

    A subclass has methods marked by `command` and says how it words an error.

    session: the Session.  write: the Writer.  finished: set by the command that ends
    the process.
    table: {name of a command: its handler}.
    """

    name = ""

    def __init__(self, session: Session, write: Writer) -> None:
        self.session, self.write = session, write
        self.finished = False
        self.table: dict[str, Handler] = {}
        self.add_commands(self)
        data.listen(self.notice)

    def add_commands(self, owner: object) -> None:
        """Put the methods of `owner` that are marked by `command` into the table."""
        for attribute in dir(type(owner)):
            method = getattr(owner, attribute)
            for name in getattr(method, "command", ()):
                self.table[name] = method

    def help_lines(self) -> list[str]:
        """A line about each command."""
        return [
            f"{name}: {getattr(self.table[name], 'help')}"  # noqa: B009  (set by `command`)
            for name in sorted(self.table)
        ]

    def handle(self, line: str) -> None:
        """Carry out one line; whatever goes wrong becomes an answer."""
        self.carry_out(self.dispatch, line)

    def carry_out(self, action: Callable[..., None], *arguments: object) -> None:
        """Call action(*arguments); whatever goes wrong becomes an answer."""
        try:
            action(*arguments)
        except (CommandError, SessionError, GameError, PluginError) as error:
            self.error(printable(str(error)))
        except Exception as error:  # an own bug: reported as such, and the session lives on
            faults.report()
            self.error(f"internal error: {printable(repr(error))}")

    def dispatch(self, line: str) -> None:
        """Find the command of a line and run it; raise what goes wrong."""
        raise NotImplementedError

    def error(self, text: str) -> None:
        """Tell of an error in the protocol's form."""
        raise NotImplementedError

    def notice(self, text: str) -> None:
        """Tell the user something that is no error of his, once.

        On stderr where the protocol has no words for it.
        """
        data.on_stderr(text)

    def answer_before_leaving(self) -> None:
        """After `quit`: what was asked for is answered with what was found so far."""
        self.session.finish(_GRACE, _GUARD)

    def end_of_input(self) -> None:
        """No more lines: bounded searches are waited for, another one is stopped; all answer."""
        self.session.stop_endless()
        self.session.wait()
