"""The options of UCI engines: their kinds, bounds and values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plyglot.errors import Refusal

_OPTION = re.compile(r"\s*option\s+name\s+(.*?)\s+type\s+(\S+)\s*(.*?)\s*$")
_VAR = re.compile(r"(?:^|\s+)var\s+")
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
    found = _OPTION.match(line)
    if found is None:
        return None
    name, kind, rest = found.groups()
    first, *choices = _VAR.split(rest) if kind == "combo" else [rest]
    if kind in ("string", "combo"):
        default = re.match(r"default\s*(.*)", first)
        text = default[1].strip() if default else None
        return Option(name, kind, "" if text == _EMPTY else text, None, None, tuple(choices))
    given = dict(zip(rest.split(), rest.split()[1:]))
    lowest, highest = (whole_number(given.get(bound, "")) for bound in ("min", "max"))
    return Option(name, kind, given.get("default"), lowest, highest)


def whole_number(text: str) -> int | None:
    """Return the whole number of a text, None if it isn't a number."""
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None
