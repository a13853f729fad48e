"""What a UCI engine declares when it is greeted: its name, author, options and their values."""

from __future__ import annotations

from dataclasses import dataclass

from plyglot.errors import Refusal
from plyglot.uci import is_foreign

MAX_OPTIONS = 10_000  # only an engine that never stops writing declares more
LONGEST_NAME = 200  # characters to keep of a name or an error message
LONGEST_GREETING = 4096  # characters to read of each line that answers the greeting
_EMPTY = "<empty>"


@dataclass(frozen=True)
class Option:
    """An option that an engine declares.

    kind: check, spin, combo, string or button.  default: as a string, None for a button.
    lowest, highest: range of a spin, None if undeclared.  choices: the values of a combo.
    """

    name: str
    kind: str
    default: str | None = None
    lowest: int | None = None
    highest: int | None = None
    choices: tuple[str, ...] = ()

    def text(self, value: object) -> str:
        """Return a value in UCI's form.  Raises Refusal if the option doesn't allow it."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words = ("true", "false") if self.kind == "check" else self.choices
        if words and text.lower() not in map(str.lower, words):
            raise Refusal(f"does not accept {self.name}={text}: it must be {' or '.join(words)}")
        number = parse_number(text)
        low, high = self.lowest, self.highest
        if low is not None and high is not None and (number is None or not low <= number <= high):
            raise Refusal(f"does not accept {self.name}={text}: it must be {low} to {high}")
        if self.kind == "string" and not text:
            return _EMPTY
        return text


class Declaration:
    """The answer of an engine to the greeting of its protocol.

    greeting: the protocol's name, which is sent; the engine's last line is this word and `ok`.
    own_game: the game that every engine of the protocol plays without being told.
    name, author: as the engine reports them.  options: {lower-case name: Option}.
    complete: has the engine answered in full?
    """

    def __init__(self, greeting: str = "uci", own_game: str = "chess") -> None:
        self.greeting = greeting
        self.own_game = own_game
        self.name = ""
        self.author = ""
        self.options: dict[str, Option] = {}
        self.complete = False

    def read(self, line: str) -> None:
        """Read a line of the answer.  Raises Refusal if the engine doesn't speak the protocol."""
        line = line[:LONGEST_GREETING].strip()
        if is_foreign(line, self.greeting):
            raise Refusal(f"does not speak {self.greeting.upper()}: it answered {line[:60]}")
        words = line.split()
        if words[:2] == ["id", "name"]:
            self.name = " ".join(words[2:])[:LONGEST_NAME]
        elif words[:2] == ["id", "author"]:
            self.author = " ".join(words[2:])[:LONGEST_NAME]
        elif words[:1] == ["option"]:
            option = read_option(line)
            if option is not None:
                self.options[option.name.lower()] = option
            if len(self.options) > MAX_OPTIONS:
                raise Refusal(f"has more than {MAX_OPTIONS:,} options")
        self.complete = line == f"{self.greeting}ok"

    def setting(self, name: str, value: object = None) -> str:
        """Return the line that sets an option, or presses it if it is a button.

        Raises Refusal if there is no such option or the value is invalid: few engines report
        that themselves.
        """
        option = self.options.get(str(name).lower())
        if option is None:
            raise Refusal(f"has no option {name}")
        words = f"setoption name {option.name}"
        return words if option.kind == "button" else f"{words} value {option.text(value)}"

    def choice(self, game: str, *aliases: str) -> list[str]:
        """Return the lines that set UCI_Variant to `game`, or to the first alias, if declared.

        Raises Refusal if the engine declares none of these names, unless the game is own_game.
        """
        variant = f"{self.greeting}_variant"
        known = self.options[variant].choices if variant in self.options else ()
        for name in (game, *aliases):
            if name in known:
                return [self.setting(variant, name)]
        if game != self.own_game:
            raise Refusal(f"does not play {game} by {self.greeting.upper()}")
        return []


def read_option(line: str) -> Option | None:
    """Return the Option that a line `option name ...` declares, None if it is malformed."""
    head, separator, rest = line.replace("\t", " ").partition(" type ")
    name = " ".join(head.split()[2:])
    kind, _, rest = rest.strip().partition(" ")
    if not (separator and name and kind):
        return None
    if kind == "string":
        text = rest.strip().removeprefix("default").strip()
        return Option(name, kind, "" if text == _EMPTY else text)
    first, *parts = f" {' '.join(rest.split())} ".split(" var ")
    if kind == "combo":
        choices = tuple(part.strip() for part in parts)
        return Option(name, kind, first.strip().removeprefix("default").strip(), choices=choices)
    given = dict(zip(rest.split(), rest.split()[1:]))
    lowest, highest = (parse_number(given.get(bound, "")) for bound in ("min", "max"))
    return Option(name, kind, given.get("default"), lowest, highest)


def parse_number(text: str) -> int | None:
    """Parse an engine's number and drop its fraction; return None if the text isn't a number."""
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None
