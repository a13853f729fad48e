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
_MARK = re.compile(r"\s*([];()])")
_PROPERTY = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)")
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
    """Yield the nodes and brackets of a game, and the error that ended the reading, if any.

    A property after a bracket begins a node without a semicolon.  So does a move after headers or
    after another move: GGF and some SGFs have no semicolons between them.
    """
    depth, at, is_root = 1, 1, True
    while (mark := _MARK.match(text, at)) is not None:
        at = mark.end()
        depth += DEPTHS.get(mark[1], 0)
        if depth == 0:
            return
        node = Node(mark[1], mark.start(1))
        while (token := _PROPERTY.match(text, at)) is not None:
            at = token.end()
            # FF[3] allowed lower-case letters, which mean nothing.
            name = _SMALL.sub("", token[1]).lstrip("0123456789") or token[1].upper()
            while (value := _VALUE.match(text, at)) is not None:
                known = node.properties
                is_full = is_root and known or not known.keys().isdisjoint(COLOURS)
                if node.mark != ";" or name in COLOURS and is_full:
                    yield node
                    node, is_root = Node(";", token.start(1)), False
                end = _end_of_value(text, value.end(), len(text))
                # the same values come again and again: intern() stores each once
                content = intern(_unescape(text[value.end() : end]))
                node.properties.setdefault(name, []).append(content)
                at = end + 1
                if end == len(text):
                    yield node
                    yield Node('unclosed value: expected "]"', value.end() - 1)
                    return
        yield node
        is_root = False
    rest = text[at:].lstrip()
    if rest:
        yield Node(f'expected a property name, found "{rest[0]}"', at)


def _unescape(value: str) -> str:
    """Return the text of a value: a backslash escapes a character and removes a line end."""
    return _ESCAPED.sub(lambda match: match[1].strip("\n"), value) if "\\" in value else value


def properties_text(properties: Mapping[str, list[str]]) -> str:
    """Return the text of properties."""
    return "".join(
        name + "".join(f"[{tidy(value).translate(_ESCAPES)}]" for value in values)
        for name, values in properties.items()
    )
