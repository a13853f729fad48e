"""The text of SGF and GGF: games, tokens, nodes, properties, points."""

from __future__ import annotations

import re

from protocol.records.record import DEPTHS, RecordError
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Properties = dict[str, list[str]]

COLOURS = ("B", "W")
_VALUE = r"\[([^\]\\]*(?:\\.[^\]\\]*)*)(\]|\\?\Z)"
_GAME = re.compile(r"\(\s*;\s*(?=[A-Za-z(;)])")
# Within a value its "]" would end the value, so a match is the root of a game.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|AP|CA)\s*\[[^\[\]\\;()]{0,40}\]")
_PART = re.compile(rf"{_VALUE}|[()]", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:([;()])|([A-Za-z][A-Za-z0-9]*))")
# It matches one value: a pattern of all values would need memory for each of them.
_NEXT_VALUE = re.compile(rf"\s*{_VALUE}", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
_SMALL = re.compile("[a-z]+")
_RECTANGLE = re.compile("([a-z])([a-z]):([a-z])([a-z])")


class Node:
    """A node of a game tree, or a bracket of its branches.

    mark: ";", "(" or ")".  offset: its place in the text.
    """

    __slots__ = ("mark", "offset", "properties")

    def __init__(self, mark: str, offset: int, properties: Properties | None = None) -> None:
        self.mark, self.offset, self.properties = mark, offset, properties or {}


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game; skip the text before and between games.

    The root of another game ends a game, even inside a value whose closing bracket is missing.
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
                depth += DEPTHS.get(part.group(), 0)
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
    """Return (the nodes and brackets of a game, the error that ended the reading, if any).

    A move after the headers of the root, or after another move, begins a node, as in GGF.
    """
    nodes: list[Node] = []
    depth = 1
    try:
        for name, values, offset in tokens(text, 1):
            if not name.isalnum():
                depth += DEPTHS.get(name, 0)
                if depth == 0:
                    break
                nodes.append(Node(name, offset))
            else:
                if _begins_node(name, nodes):
                    nodes.append(Node(";", offset))
                nodes[-1].properties.setdefault(name, []).extend(values)
    except RecordError as error:
        return nodes, error
    return nodes, None


def _begins_node(name: str, nodes: list[Node]) -> bool:
    """Does a property begin a node without a semicolon?"""
    if not nodes or nodes[-1].mark != ";":
        return True
    properties = nodes[-1].properties
    is_full = len(nodes) == 1 and properties or properties.keys() & set(COLOURS)
    return name in COLOURS and bool(is_full)


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
