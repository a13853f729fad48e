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
# A match is always the root of a game: inside a value, the "]" would have to be escaped.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|AP|CA)\s*\[[^\[\]\\;()]{0,40}\]")
_PART = re.compile(rf"{_VALUE}|[()]", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:([];()])|([A-Za-z][A-Za-z0-9]*))")
# This pattern matches one value: a pattern of all values would need memory for each of them.
_NEXT_VALUE = re.compile(rf"\s*{_VALUE}", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
# "[" is escaped, too, since a value that ends with "(;GM[" would look like the root of a game.
_ESCAPES = str.maketrans({bracket: f"\\{bracket}" for bracket in "[]\\"})
_SMALL = re.compile("[a-z]+")


class Node:
    """A node of a game tree, a bracket of its branches, or a "]" that closes nothing.

    mark: ";", "(", ")" or "]".  offset: its place in the text.
    """

    __slots__ = ("mark", "offset", "properties")

    def __init__(self, mark: str, offset: int, properties: Properties | None = None) -> None:
        self.mark = mark
        self.offset = offset
        self.properties = properties or {}


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game; skip the text before and between games.

    The root of another game ends a game, even inside a value whose closing bracket is missing.
    """
    at = 0
    for limit in [root.start() for root in _ROOT.finditer(text)] + [len(text)]:
        while (game := _GAME.search(text, at, limit)) is not None:
            begin, at = game.start(), _end_of_game(text, game.end(), limit)
            yield begin, text[begin:at]
        at = limit


def _end_of_game(text: str, at: int, limit: int) -> int:
    """Return the end of the bracket that is open at `at`, or `limit` if it isn't closed."""
    depth = 1
    for part in _PART.finditer(text, at, limit):
        depth += DEPTHS.get(part.group(), 0)
        if depth == 0:
            return part.end()
    return limit


def parse(text: str) -> tuple[list[Node], RecordError | None]:
    """Return (the nodes and brackets of a game, the error that ended the reading, if any)."""
    nodes: list[Node] = []
    depth, at = 1, 1
    while (token := _TOKEN.match(text, at)) is not None:
        at, mark = token.end(), token[1]
        depth += DEPTHS.get(mark, 0)
        if depth == 0:
            return nodes, None
        if mark is not None:
            nodes.append(Node(mark, token.start(1)))
            continue
        # FF[3] allowed lower-case letters, which mean nothing.
        name = _SMALL.sub("", token[2]).lstrip("0123456789") or token[2].upper()
        while (value := _NEXT_VALUE.match(text, at)) is not None:
            at = value.end()
            if _begins_node(name, nodes):
                nodes.append(Node(";", token.start(2)))
            nodes[-1].properties.setdefault(name, []).append(_unescape(value[1]))
            if value[2] != "]":
                return nodes, RecordError('unclosed value: expected "]"', value.start(1) - 1)
    rest = text[at:].strip()
    fault = RecordError(f'expected a property name, found "{rest[0]}"', at) if rest else None
    return nodes, fault


def _begins_node(name: str, nodes: list[Node]) -> bool:
    """Does a value of a property begin a node without a semicolon?

    In GGF, and in some SGFs, a move does so after the headers and after another move.
    """
    if not nodes or nodes[-1].mark != ";":
        return True
    known = nodes[-1].properties
    is_full = len(nodes) == 1 and bool(known) or not known.keys().isdisjoint(COLOURS)
    return name in COLOURS and is_full


def _unescape(value: str) -> str:
    """Return the text of a value: a backslash escapes a character and removes a line end."""
    return _ESCAPED.sub(lambda match: match[1].strip("\n"), value) if "\\" in value else value


def properties_text(properties: Mapping[str, list[str]]) -> str:
    """Return the text of properties."""
    return "".join(
        name + "".join(f"[{tidy(value).translate(_ESCAPES)}]" for value in values)
        for name, values in properties.items()
    )
