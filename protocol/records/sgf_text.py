"""The text of SGF and GGF: games, tokens, trees of nodes, properties, points."""

from __future__ import annotations

import re

from protocol.records.record import RecordError, headers
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from protocol.records.record import Record

    Properties = dict[str, list[str]]

# Properties of our own, which other programs ignore, and their names in the model: an
# evaluation in the form of PGN's [%eval], with its depth or a win in N moves, and the seconds
# of a move.
OWN = {"EVAL": "eval", "EMT": "emt"}
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
_NAME = re.compile(r"[A-Z][A-Z0-9]*")
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


# ---- reading -------------------------------------------------------------------------


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
            values.append(unescape(value[1]))
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
    line, node = main, None
    opened: list[tuple[list[Node], int]] = []  # (line, index) where each open branch begins
    closed = line, 0  # the same of the branch that ends here, or of the next one
    try:
        for name, values, offset in tokens(text, 1):
            if name == ";":
                node = Node(offset)
                line.append(node)
            elif name == "(":
                before, index = closed if node is None else (line, len(line))
                opened.append((before, index))
                if index < len(before):  # not the first branch
                    line = []
                    before[index].variations.append(line)
                closed, node = (line, len(line)), None
            elif name == ")":
                if not opened:
                    break
                closed, node = opened.pop(), None
                line = closed[0]
            elif node is None:
                raise RecordError("a property without a node", offset)
            else:
                node.add(name, values)
    except RecordError as error:
        return main, error
    return main, None


def unescape(value: str) -> str:
    """Return the text of a value: a backslash escapes a character and removes a line end."""
    return _ESCAPED.sub(lambda found: found[1].strip("\n"), value) if "\\" in value else value


def take_result(record: Record, read_result: Callable[[str], str | None]) -> str | None:
    """Return the result that RE states; if it states none, remove RE and return None."""
    result = read_result(_first(values_of(record, "RE")))
    if result is None:
        record.tags.pop("RE", None)
        record.said.pop("RE", None)
    return result


def values_of(record: Record, name: str) -> list[str]:
    """Return the values of a property of the game: its header's, then its annotation's."""
    header = [record.tags[name]] if name in record.tags else []
    return header + record.said.get(name, [])


def _first(values: list[str]) -> str:
    """Return the first value that is not blank, or ""."""
    return next((value for value in values if value.strip()), "")


# ---- writing -------------------------------------------------------------------------


def own_property(name: str) -> str:
    """Return the property for an annotation of the model."""
    return name.upper() if name in OWN.values() else name


def is_name(text: str) -> bool:
    """Can this be the name of a property?"""
    return _NAME.fullmatch(text) is not None


def property_text(name: str, values: list[str]) -> str:
    """Return the text of a property."""
    return name + "".join(f"[{_escape(tidy(value))}]" for value in values)


def properties_text(properties: Mapping[str, list[str]]) -> str:
    """Return the text of properties."""
    return "".join(property_text(name, values) for name, values in properties.items())


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def root_text(
    record: Record,
    kind: str,
    first: Mapping[str, str],
    own: Collection[str],
    read_result: Callable[[str], str | None],
) -> str:
    """Return the properties of a game without those that set it up.

    first: properties by name, which headers and annotations replace, except those in `own`.
    A result RE is replaced only by one that means the record's result.
    """
    found = {name: [value] for name, value in first.items() if value}
    others = {name: [value] for name, value in headers(record, kind).items()}
    for name, values in record.said.items():
        others[name] = others.get(name, []) + values
    for name, values in sorted(others.items(), key=lambda item: len(item[1]) > 1):
        contradicts = name == "RE" and read_result(_first(values)) != record.result
        if is_name(name) and name not in own and not contradicts:
            found[name] = values
    if record.comment:
        found["C"] = [record.comment]
    return properties_text(found)


# ---- points --------------------------------------------------------------------------


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
