"""Options that users can set; those of the built-in games are declared here, once.

They are declared apart from the games because a front end asks for all of them in its first
command, before any game is imported.  A game lists the options that it obeys in Game.options.  The
engine's own (Hash, Threads, MultiPV, ...) are in search/options.py.
"""

from __future__ import annotations

from games.data import Fields, open_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.types import Session


# The values of a check; CECP and GoGui write numbers.
_CHECKS = {"true": True, "false": False, "1": True, "0": False}
# The number of digits of the largest bound that an option may have.
_MAX_DIGITS = 20


def is_whole(text: str) -> bool:
    """Is a text a whole number: ASCII digits with an optional sign?"""
    digits = text[1:] if text[:1] in ("+", "-") else text
    return digits.isascii() and digits.isdigit()


def plain_name(name: str) -> str:
    """Return an option's name in lower case, without blanks, underscores and hyphens.

    Some protocols and front ends can't write blanks, and write underscores or hyphens instead.
    """
    return name.lower().translate(dict.fromkeys(map(ord, " _-")))


class Option(Fields):
    """A setting that users may change; every protocol lists and parses it from here.

    kind: "check" (bool), "spin" (int within low..high), "combo" (one of choices),
    "string" or "button".
    record_bytes: if > 0, the string must be empty or name a file whose size is a multiple of this.
    title: its name in a page's dialog for a new game; "" if the dialog doesn't offer it.
    rule: is it a rule of the game, which records store, and not a setting of the engine?
    on_change(session): called when the value has changed or the button is pressed.
    """

    name: str
    kind: str
    default: Any = None
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    help: str = ""
    record_bytes: int = 0
    on_change: Callable[[Session], None] | None = None
    title: str = ""
    rule: bool = True

    def read(self, text: str) -> Any:
        """Return the typed value of `text`.  Raises ValueError with a reason."""
        value = text.strip()
        if self.kind == "check":
            if value.lower() not in _CHECKS:
                raise ValueError(f'{self.name} must be true or false, not "{value}"')
            return _CHECKS[value.lower()]
        if self.kind == "spin":
            return self._read_number(value)
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            known = " ".join(self.choices)
            raise ValueError(f'{self.name} must be one of {known}, not "{value[:40]}"')
        if self.kind == "string":
            return self._read_string("" if value == "<empty>" else value)
        return None

    def _read_number(self, value: str) -> int:
        if not is_whole(value):
            raise ValueError(f'{self.name} must be a whole number, not "{value[:40]}"')
        if len(value.lstrip("+-")) > _MAX_DIGITS or not self.low <= int(value) <= self.high:
            raise ValueError(f"{self.name} must be {self.low} to {self.high}, not {value[:40]}")
        return int(value)

    def _read_string(self, value: str) -> str:
        if self.record_bytes and len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]  # front ends put names with spaces in quotes
        if self.record_bytes and value:
            try:
                with open_data(value) as file:
                    size = file.seek(0, 2)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", error)
                raise ValueError(f"{self.name}: {value[:80]} can't be read: {reason}") from None
            if size % self.record_bytes:
                raise ValueError(
                    f"{self.name}: {value[:80]} does not consist of records of "
                    f"{self.record_bytes} bytes"
                )
        return value


CHESS960 = Option("UCI_Chess960", "check", False, title="Chess960",
                  help="play Chess960; castling is written as king takes rook")  # fmt: skip
BOARD_SIZE = Option("BoardSize", "spin", 15, 5, 20, title="Board size",
                    help="rows and columns of the Gomoku board")  # fmt: skip
TRACE = Option("Trace", "check", False, rule=False,
               help="print each visited node of a tree and the pruned ones")  # fmt: skip

# Techniques of search/negamax.py, in the order in which the choices of Algorithm add them.
TECHNIQUES = ("table", "killers", "null-move", "reductions", "quiescence")
ALGORITHM = Option("Algorithm", "combo", "alphabeta", rule=False,
                   choices=("alphabeta", "minimax", "negamax", *TECHNIQUES),
                   help="search algorithm: the first two for explicit trees, the others for all "
                        "other games")  # fmt: skip
OWN_BOOK = Option("OwnBook", "check", True, rule=False,
                  help="play from the engine's own opening book if it has one")  # fmt: skip
BOOK_FILE = Option("BookFile", "string", "", record_bytes=16, rule=False,
                   help="a Polyglot opening book for chess")  # fmt: skip
SHOGI_BOOK = Option("ShogiBook", "check", False, rule=False,
                    help="play the first moves of shogi from a book of own games")  # fmt: skip
VARIETY = Option("Variety", "check", False, rule=False,
                 help="choose at random among equally good opening moves")  # fmt: skip
SEED = Option("Seed", "spin", 0, 0, 2**31 - 1, rule=False,
              help="seed of the random choices; 0 takes a new one each time",
              on_change=lambda session: session.forget_random())  # fmt: skip

BUILT_IN = (CHESS960, BOARD_SIZE, TRACE, ALGORITHM, OWN_BOOK, BOOK_FILE, SHOGI_BOOK, VARIETY, SEED)
