"""The text of SGF: collections, trees of nodes, values and points."""

from __future__ import annotations

import re

from protocol.records.record import RecordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.types import Cell

    Properties = dict[str, list[str]]

_VALUE = r"\[([^\]\\]*(?:\\.[^\]\\]*)*)(\])?"
_GAME = re.compile(r"\(\s*;\s*(?=[A-Za-z(;)])")
# The root of another game inside a game: the closing bracket of the first one is missing.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|AP|CA)\s*\[")
_PART = re.compile(rf"{_VALUE}|[()]", re.DOTALL)
_TOKEN = re.compile(rf"\s*(?:([;()])|([A-Za-z][A-Za-z0-9]*)|({_VALUE}))", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
_SMALL = re.compile("[a-z]+")


class Node:
    """The properties of a node, and its offset in the text."""

    __slots__ = ("offset", "properties")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.properties: Properties = {}


class Branch:
    """A part of a game tree: nodes that follow each other, and the branches that continue them.

    The first branch is the main line, the others are variations.
    """

    __slots__ = ("branches", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.branches: list[Branch] = []

    def main_branches(self) -> Iterator[Branch]:
        """Yield this branch and those of the main line after it."""
        branch: Branch | None = self
        while branch is not None:
            yield branch
            branch = branch.branches[0] if branch.branches else None


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game; skip the text before and between games."""
    found = _GAME.search(text)
    while found is not None:
        begin, depth, at = found.start(), 1, found.end()
        while depth:
            part = _PART.search(text, at)
            if part is None:
                at = len(text)
                break
            if part.group() == "(" and _ROOT.match(text, part.start()):
                at = part.start()
                break
            depth += {"(": 1, ")": -1}.get(part.group(), 0)
            at = part.end()
        yield begin, text[begin:at]
        found = _GAME.search(text, at)


def parse(text: str) -> tuple[Branch, RecordError | None]:
    """Return (tree of a game, the error that ended its reading early or None)."""
    tree = Branch()
    open_ones = [tree]  # a stack instead of recursion, since there may be thousands
    at, name, fault = 1, "", None
    while open_ones:
        found = _TOKEN.match(text, at)
        if found is None:
            rest = text[at:].strip()[:1]
            if rest:
                fault = RecordError(f'expected a property name, found "{rest}"', at)
            break
        at, here = found.end(), open_ones[-1]
        mark, word = found[1], found[2]
        if mark == ";":
            here.nodes.append(Node(found.start(1)))
        elif mark == "(":
            here.branches.append(Branch())
            open_ones.append(here.branches[-1])
        elif mark == ")":
            open_ones.pop()
        elif not here.nodes or mark is None and word is None and not name:
            fault = RecordError(
                "a value without a property" if word is None else "a property without a node",
                found.start(),
            )
            break
        elif word is not None:
            # FF[3] allowed lower-case letters, which mean nothing.
            name = _SMALL.sub("", word).lstrip("0123456789") or word.upper()
            continue
        else:
            values = here.nodes[-1].properties.setdefault(name, [])
            values.append(unescape(found[4]))
            if found[5] is None:
                fault = RecordError('unclosed value: expected "]"', found.start(3))
                break
            continue
        name = ""
    return tree, fault


def unescape(value: str) -> str:
    """Return the text of a value: a backslash escapes a character and removes a line end."""
    return _ESCAPED.sub(lambda found: found[1].strip("\n"), value) if "\\" in value else value


def property_text(name: str, values: list[str]) -> str:
    """Return the text of a property."""
    return name + "".join(f"[{_escape(value)}]" for value in values)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def write_point(column: int, row: int, rows: int) -> str:
    """Return the text of a point on a board of `rows` rows, row 0 at the bottom."""
    return chr(97 + column) + chr(97 + rows - 1 - row)


def read_point(text: str, rows: int) -> Cell | None:
    """Return the cell of a point, row 0 at the bottom; None if it isn't a pair of letters."""
    if len(text) != 2 or not (text.isascii() and text.isalpha() and text.islower()):
        return None
    return ord(text[0]) - 97, rows - 1 - (ord(text[1]) - 97)


def points(values: list[str]) -> list[str]:
    """Return the points of a list, with its rectangles (`aa:cc`) expanded."""
    found = []
    for value in values:
        corners = value.strip().lower().split(":")
        if len(corners) != 2 or not all(
            len(corner) == 2 and corner.isalpha() and corner.isascii() for corner in corners
        ):
            found.append(value)
            continue
        (left, top), (right, bottom) = ([ord(char) for char in corner] for corner in corners)
        found += [
            chr(column) + chr(row)
            for row in range(min(top, bottom), max(top, bottom) + 1)
            for column in range(min(left, right), max(left, right) + 1)
        ]
    return found
