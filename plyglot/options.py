"""The options of UCI engines: their kinds, bounds and values."""

from __future__ import annotations

from dataclasses import dataclass

from plyglot.errors import Refusal

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
        number, low, high = whole_number(text), self.lowest, self.highest
        if low is not None and high is not None and (number is None or not low <= number <= high):
            raise Refusal(f"does not accept {self.name}={text}: it must be {low} to {high}")
        if self.kind == "string" and not text:
            return _EMPTY
        return text


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
    lowest, highest = (whole_number(given.get(bound, "")) for bound in ("min", "max"))
    return Option(name, kind, given.get("default"), lowest, highest)


def whole_number(text: str) -> int | None:
    """Parse a number and drop its fraction; return None if the text isn't a number."""
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None
