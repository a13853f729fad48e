"""The text of SGF and GGF: games, tokens, nodes, properties, points."""

from __future__ import annotations

import re
from sys import intern

from protocol.records.record import DEPTHS
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Properties = dict[str, list[str]]

COLOURS = ("B", "W")
_GAME = re.compile(r"\(\s*;\s*(?=[A-Za-z(;)])")
# A match is always the root of a game: inside a value, the "]" would have to be escaped.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|AP|CA)\s*\[[^\[\]\\;()]{0,40}\]")
_BRACKET = re.compile(r"[\[()]")
_TOKEN = re.compile(r"\s*(?:([];()])|([A-Za-z][A-Za-z0-9]*))")
_VALUE = re.compile(r"\s*\[")
# Matches the next escape in a value, or its end: a pattern of a whole value would need memory for
# each of its escapes.
_STEP = re.compile(r"\\(?:.|\Z)|\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.|\Z)", re.DOTALL)
# "[" is escaped, too, since a value that ends with "(;GM[" would look like the root of a game.
_ESCAPES = str.maketrans({bracket: f"\\{bracket}" for bracket in "[]\\"})
_SMALL = re.compile("[a-z]+")


class Node:
    """A node of a game tree, a bracket of its branches, a "]" that closes nothing, or an error.

    mark: ";", "(", ")", "]" or the message of the error.  offset: its place in the text.
    """

    __slots__ = ("mark", "offset", "properties")

    def __init__(self, mark: str, offset: int) -> None:
        self.mark = mark
        self.offset = offset
        self.properties: Properties = {}


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
    while depth and (bracket := _BRACKET.search(text, at, limit)) is not None:
        depth += DEPTHS.get(bracket.group(), 0)
        at = bracket.end()
        if bracket.group() == "[":
            at = _end_of_value(text, at, limit) + 1
    return limit if depth else at


def _end_of_value(text: str, at: int, limit: int) -> int:
    """Return the index of the "]" that ends the value at `at`, or `limit` if it isn't closed."""
    while (step := _STEP.search(text, at, limit)) is not None:
        if step.group() == "]":
            return step.start()
        at = step.end()
    return limit


def parse(text: str) -> Iterator[Node]:
    """Yield the nodes and brackets of a game, and the error that ended the reading, if any."""
    node, is_root = Node("", 0), True
    for mark, value, offset in _tokens(text):
        if value is None or _is_full(node, mark, is_root):
            if node.mark:
                yield node
                is_root = False
            node = Node(mark if value is None else ";", offset)
        if value is not None:
            node.properties.setdefault(mark, []).append(value)
    if node.mark:
        yield node


def _tokens(text: str) -> Iterator[tuple[str, str | None, int]]:
    """Yield (mark, None, offset) for each mark, and (property, value, offset) for each value.

    The last mark may be an error; see Node.
    """
    depth, at = 1, 1
    while (token := _TOKEN.match(text, at)) is not None:
        at, mark = token.end(), token[1]
        depth += DEPTHS.get(mark, 0)
        if depth == 0:
            return
        if mark is not None:
            yield mark, None, token.start(1)
            continue
        # FF[3] allowed lower-case letters, which mean nothing.
        name = _SMALL.sub("", token[2]).lstrip("0123456789") or token[2].upper()
        while (value := _VALUE.match(text, at)) is not None:
            end = _end_of_value(text, value.end(), len(text))
            # the same values come again and again: intern() stores each once
            yield name, intern(_unescape(text[value.end() : end])), token.start(2)
            at = end + 1
            if end == len(text):
                yield 'unclosed value: expected "]"', None, value.end() - 1
    rest = text[at:].lstrip()
    if rest:
        yield f'expected a property name, found "{rest[0]}"', None, at


def _is_full(node: Node, name: str, is_root: bool) -> bool:
    """Is a node complete, so that the property `name` begins another node without a semicolon?

    In GGF, and in some SGFs, a move begins another node if headers or another move precede it.
    """
    if node.mark != ";":
        return True
    known = node.properties
    is_full = is_root and bool(known) or not known.keys().isdisjoint(COLOURS)
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
