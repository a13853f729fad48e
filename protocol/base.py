"""What all protocols share: the table of commands, and the one place where errors become text."""
from __future__ import annotations

from games import data
from games.base import GameError
from games.registry import PluginError
from search import faults
from search.session import SessionError


PRODUCT, VERSION, AUTHOR = "Plyglot", "1.0", "the Plyglot authors"


class CommandError(Exception):
    """A command that can't be carried out, in words."""


def printable(text, limit=200):
    """`text` fit for one line of output."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= limit else shown[:limit - 3] + "..."


def command(name, help, *aliases):
    """Mark a method as the handler of a command; `help` is its line in the listing."""
    def mark(method):
        method.command = (name,) + aliases
        method.help = help
        return method
    return mark


class Protocol:
    """A protocol over a session.  A subclass has methods marked by `command` and says how it words an error.

    session: the Session.  write: the Writer.  finished: set by the command that ends the process.
    """

    name = ""

    def __init__(self, session, write):
        self.session, self.write = session, write
        self.finished = False
        self.table = {}
        self.add_commands(self)
        data.listen(self.notice)

    def add_commands(self, owner):
        """Put the methods of `owner` that are marked by `command` into the table."""
        for attribute in dir(type(owner)):
            method = getattr(owner, attribute)
            for name in getattr(method, "command", ()):
                self.table[name] = method

    def handle(self, line):
        """Carry out one line; whatever goes wrong becomes an answer."""
        try:
            self.dispatch(line)
        except (CommandError, SessionError, GameError, PluginError) as error:
            self.error(printable(str(error)))
        except Exception as error:      # an own bug: reported as such, and the session lives on
            faults.tell()
            self.error(f"internal error: {printable(repr(error))}")

    def dispatch(self, line):
        """Find the command of a line and run it; raise what goes wrong."""
        raise NotImplementedError

    def error(self, text):
        """Tell of an error in the protocol's form."""
        raise NotImplementedError

    def notice(self, text: str) -> None:
        """Tell the user something that is no error of his, once; on stderr where the protocol has no words for it."""
        data.on_stderr(text)

    def end_of_input(self):
        """No more lines: searches that end by themselves are waited for, another one is stopped; all answer."""
        self.session.stop_endless()
        self.session.wait()
