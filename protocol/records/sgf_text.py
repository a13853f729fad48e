"""The text of SGF: game trees, nodes and points, read and written.

A node is a dict {property: [values]}; values are plain text without SGF's escapes.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.types import Cell

    Node = dict[str, list[str]]


class SgfError(ValueError):
    """A text that is no SGF, in words."""


class Branch:
    """A part of a game tree: nodes that follow each other, and the branches that go on from there.

    The first one is the main line, the others are variations.
    """

    __slots__ = ("branches", "nodes")

    def __init__(self, nodes: Iterable[Node] = (), branches: Iterable[Branch] = ()) -> None:
        self.nodes, self.branches = list(nodes), list(branches)

    def main_way(self) -> Iterator[Branch]:
        """This branch, and those of the main line after it."""
        branch: Branch | None = self
        while branch is not None:
            yield branch
            branch = branch.branches[0] if branch.branches else None

    def main_line(self) -> list[Node]:
        """The nodes of the main line."""
        return [node for branch in self.main_way() for node in branch.nodes]


def parse(text: str) -> list[Node]:
    """The nodes of the first game's main line; SgfError where the text is no SGF."""
    return next(parse_trees(text)).main_line()


def parse_trees(text: str) -> Iterator[Branch]:
    """The game trees of a text, at least one; SgfError where it is no SGF."""
    reader = _Reader(text)
    start = text.find("(")
    if start < 0 or text[:start].strip("\ufeff \t\r\n"):
        raise SgfError("an SGF file begins with (")
    while start >= 0:
        reader.at = start + 1
        tree = _parse_tree(reader)
        if not tree.main_line():
            raise SgfError("there is no node")
        yield tree
        start = text.find("(", reader.at)


def _parse_tree(reader: _Reader) -> Branch:
    """The tree whose opening bracket was read."""
    tree = Branch()
    open_ones = [tree]          # a stack, not calls: there may be thousands
    while open_ones:
        char = reader.next_char()
        if char == ";":
            open_ones[-1].nodes.append(reader.node())
        elif char == "(":
            inner = Branch()
            open_ones[-1].branches.append(inner)
            open_ones.append(inner)
        elif char == ")":
            open_ones.pop()
        else:
            raise SgfError(f"a node or a bracket was expected, not {char!r}")
    return tree


class _Reader:
    """The text and the place where reading goes on."""

    def __init__(self, text: str) -> None:
        self._text, self.at = text, 0

    def next_char(self) -> str:
        """The next character that is no white space; it is taken."""
        text = self._text
        while self.at < len(text) and text[self.at].isspace():
            self.at += 1
        if self.at == len(text):
            raise SgfError("the text ends too early")
        self.at += 1
        return text[self.at - 1]

    def node(self) -> Node:
        """The properties up to the next node or bracket."""
        node: Node = {}
        name = ""
        while True:
            char = self.next_char()
            if char == "[":
                if not name:
                    raise SgfError("a value without a property")
                node.setdefault(name, []).append(self._value())
            elif name and name not in node:
                raise SgfError(f"the property {name} has no value")
            elif char.isalpha():
                name = self._name(char)
            else:
                self.at -= 1
                return node

    def _name(self, first: str) -> str:
        start = self.at - 1
        while self.at < len(self._text) and self._text[self.at].isalpha():
            self.at += 1
        # Lower-case letters were allowed in FF[3] and mean nothing.
        capitals = "".join(char for char in self._text[start:self.at] if char.isupper())
        return capitals or first.upper()

    def _value(self) -> str:
        out: list[str] = []
        while self.at < len(self._text):
            char = self._text[self.at]
            self.at += 1
            if char == "]":
                return "".join(out)
            if char == "\\":
                char = self._text[self.at:self.at + 1]
                self.at += 1
            out.append(char)
        raise SgfError("a value is not closed")


def write(tree: Branch) -> str:
    """The text of a game tree, at most ten nodes a line."""
    pieces: list[str] = []
    waiting: list[Branch | str] = [tree]        # a stack, not calls: there may be thousands
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        texts = [_node_text(node) for node in part.nodes]
        lines = ["".join(texts[start:start + 10]) for start in range(0, len(texts), 10)]
        pieces.append("(" + "\n".join(lines))
        waiting.append(")")
        for other in reversed(part.branches):
            waiting += [other, "\n"]
    return "".join(pieces)


def _node_text(node: Node) -> str:
    return ";" + "".join(name + "".join(f"[{_escape(value)}]" for value in values)
                         for name, values in node.items())


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def write_point(column: int, row: int, rows: int) -> str:
    """The text of a point on a board of `rows` rows, row 0 at the bottom of the picture."""
    return chr(97 + column) + chr(97 + rows - 1 - row)


def read_point(text: str, rows: int) -> Cell | None:
    """The cell of a point's text, row 0 at the bottom; None where it is no pair of letters."""
    if len(text) != 2 or not (text.isascii() and text.isalpha() and text.islower()):
        return None
    return ord(text[0]) - 97, rows - 1 - (ord(text[1]) - 97)
