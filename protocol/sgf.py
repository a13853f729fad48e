"""SGF (FF[4]): the main line of a game record, read and written as nodes.

A node is a dict {property: [values]}; values are plain text without SGF's escapes.
"""
from __future__ import annotations


class SgfError(ValueError):
    """A text that is no SGF, in words."""


def parse(text):
    """The nodes of the first game's main line; SgfError where the text is no SGF."""
    reader = _Reader(text)
    start = text.find("(")
    if start < 0 or text[:start].strip("\ufeff \t\r\n"):
        raise SgfError("an SGF file begins with (")
    reader.at = start + 1
    nodes = []
    while True:
        char = reader.next_char()
        if char == ";":
            nodes.append(reader.node())
        elif char == ")":
            break
        elif char != "(":           # the first variation is the main line
            raise SgfError(f"a node or a bracket was expected, not {char!r}")
    if not nodes:
        raise SgfError("there is no node")
    return nodes


class _Reader:
    """The text and the place where reading goes on."""

    def __init__(self, text):
        self._text, self.at = text, 0

    def next_char(self):
        """The next character that is no white space; it is taken."""
        text = self._text
        while self.at < len(text) and text[self.at].isspace():
            self.at += 1
        if self.at == len(text):
            raise SgfError("the text ends too early")
        self.at += 1
        return text[self.at - 1]

    def node(self):
        """The properties up to the next node or bracket."""
        node, name = {}, ""
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

    def _name(self, first):
        start = self.at - 1
        while self.at < len(self._text) and self._text[self.at].isalpha():
            self.at += 1
        # Lower-case letters were allowed in FF[3] and mean nothing.
        return "".join(char for char in self._text[start:self.at] if char.isupper()) or first.upper()

    def _value(self):
        out = []
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


def write(nodes):
    """The text of a game record, ten nodes a line."""
    texts = [";" + "".join(name + "".join(f"[{_escape(value)}]" for value in values)
                           for name, values in node.items()) for node in nodes]
    lines = [texts[0]] + ["".join(texts[start:start + 10]) for start in range(1, len(texts), 10)]
    return "(" + "\n".join(lines) + ")"


def _escape(value):
    return value.replace("\\", "\\\\").replace("]", "\\]")


def point(column, row, rows):
    """The text of a cell (column and row from 0, row 0 at the bottom of the picture) on a board of `rows` rows."""
    return chr(97 + column) + chr(97 + rows - 1 - row)


def cell(text, rows):
    """(column, row) of a point's text, row 0 at the bottom; None where it is no pair of letters."""
    if len(text) != 2 or not (text.isascii() and text.isalpha() and text.islower()):
        return None
    return ord(text[0]) - 97, rows - 1 - (ord(text[1]) - 97)
