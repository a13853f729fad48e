"""The text of SGF and GGF: games, tokens, trees of nodes, properties, points."""

from __future__ import annotations

import re

from protocol.records.record import RecordError
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Properties = dict[str, list[str]]

_VALUE = r"\[([^\]\\]*(?:\\.[^\]\\]*)*)(\]|\\?\Z)"
_GAME = re.compile(r"\(\s*;\s*(?=[A-Za-z(;)])")
# In a value this would end it, so it can only be the root of a game.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|AP|CA)\s*\[[^\[\]\\;()]{0,40}\]")
_PART = re.compile(rf"{_VALUE}|[()]", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:([;()])|([A-Za-z][A-Za-z0-9]*))")
# One value at a time: a pattern of all of them would keep a mark for each.
_NEXT_VALUE = re.compile(rf"\s*{_VALUE}", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
_SMALL = re.compile("[a-z]+")
_RECTANGLE = re.compile("([a-z])([a-z]):([a-z])([a-z])")


class Node:
    """A node of a game tree.

    offset: its place in the text.  variations: lines of nodes that could stand instead of it and
    what follows it.
    """

    __slots__ = ("offset", "properties", "variations")

    def __init__(self, offset: int, properties: Properties | None = None) -> None:
        self.offset, self.properties = offset, properties or {}
        self.variations: list[list[Node]] = []

    def add(self, name: str, values: list[str]) -> None:
        """Add values of a property."""
        self.properties.setdefault(name, []).extend(values)


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game; skip the text before and between games.

    The root of another game ends a game, and a value, whose closing bracket is missing.
    """
    at = 0
    for end in [found.start() for found in _ROOT.finditer(text)] + [len(text)]:
        while at < end and (found := _GAME.search(text, at, end)) is not None:
            begin, depth, at = found.start(), 1, found.end()
            while depth:
                part = _PART.search(text, at, end)
                if part is None:
                    at = end
                    break
                depth += {"(": 1, ")": -1}.get(part.group(), 0)
                at = part.end()
            yield begin, text[begin:at]
        at = max(at, end)


def tokens(text: str, at: int = 0) -> Iterator[tuple[str, list[str], int]]:
    """Yield (mark, [], offset) of each `;`, `(` and `)`, and (name, values, offset) of properties.

    Raises RecordError at the first character that is part of neither.
    """
    while (found := _TOKEN.match(text, at)) is not None:
        at, mark, word = found.end(), found[1], found[2]
        if mark is not None:
            yield mark, [], found.start(1)
            continue
        values, last = list[str](), None
        while (value := _NEXT_VALUE.match(text, at)) is not None:
            at, last = value.end(), value
            values.append(_unescape(value[1]))
        if last is not None:
            # FF[3] allowed lower-case letters, which mean nothing.
            name = _SMALL.sub("", word).lstrip("0123456789") or word.upper()
            yield name, values, found.start(2)
            if last[2] != "]":
                raise RecordError('unclosed value: expected "]"', last.start(1) - 1)
    if text[at:].strip():
        raise RecordError(f'expected a property name, found "{text[at:].strip()[0]}"', at)


def parse(text: str) -> tuple[list[Node], RecordError | None]:
    """Return (the main line of a game tree, the error that ended its reading early or None)."""
    main: list[Node] = []
    line, index = main, 0  # where the next node belongs
    branches: list[tuple[list[Node], int]] = []  # where the open ones begin
    try:
        for name, values, offset in tokens(text, 1):
            if name == "(":
                branches.append((line, index))
                if index < len(line):  # not the first branch
                    other: list[Node] = []
                    line[index].variations.append(other)
                    line, index = other, 0
            elif name == ")":
                if not branches:
                    break
                line, index = branches.pop()
            elif name == ";":
                line.append(Node(offset))
                index = len(line)
            elif index == 0:
                raise RecordError("a property without a node", offset)
            else:
                line[index - 1].add(name, values)
    except RecordError as error:
        return main, error
    return main, None


def _unescape(value: str) -> str:
    """Return the text of a value: a backslash escapes a character and removes a line end."""
    return _ESCAPED.sub(lambda found: found[1].strip("\n"), value) if "\\" in value else value


def properties_text(properties: Mapping[str, list[str]]) -> str:
    """Return the text of properties."""
    return "".join(
        name + "".join(f"[{_escape(tidy(value))}]" for value in values)
        for name, values in properties.items()
    )


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def points(values: list[str]) -> list[str]:
    """Return the points of a list, with its rectangles (`aa:cc`) expanded."""
    found = []
    for value in values:
        corners = _RECTANGLE.fullmatch(value.strip().lower())
        if corners is None:
            found.append(value)
            continue
        left, top, right, bottom = map(ord, corners.groups())
        rows = range(min(top, bottom), max(top, bottom) + 1)
        columns = range(min(left, right), max(left, right) + 1)
        found += [chr(column) + chr(row) for row in rows for column in columns]
    return found
