"""A small terminal for tests, with the features that scripts/play and readline use.

It knows the control sequences of ECMA-48 that these programs send; an unknown one fails the test.
"""

import re

_TOKEN = re.compile(r"\x1b\[([?\d;]*)([@A-Za-z])|\x1b([=>])|\x1b\](?:[^\x07]*)\x07|(.)", re.DOTALL)


class Emulator:
    """A screen of `columns` by `lines` cells; text() returns its contents."""

    def __init__(self, columns, lines):
        self.resize(columns, lines)

    def resize(self, columns, lines):
        """Set another size and clear the screen, since the program has to redraw it."""
        self.columns, self.lines = columns, lines
        self.row = self.column = 0
        self._wraps, self._rest = False, ""
        self.scrolled = 0  # Number of lines scrolled out at the top.
        self.pictures = 0  # Number of times that the whole screen was erased.
        self.cells = [[" "] * columns for _ in range(lines)]

    def feed(self, text):
        """Draw the output of the program."""
        text = self._rest + text
        # The rest of an incomplete escape sequence comes with the next text.
        begun = re.search(r"\x1b(\[[?\d;]*)?$", text)
        self._rest = begun[0] if begun else ""
        for found in _TOKEN.finditer(text[: len(text) - len(self._rest)]):
            numbers, kind, _, char = found.groups()
            if char:
                self._put(char)
            elif kind:
                self._carry_out(kind, numbers)

    def text(self):
        """Return the lines of the screen without trailing spaces."""
        return ["".join(line).rstrip() for line in self.cells]

    def _carry_out(self, kind, numbers):
        values = [
            int(number) if number.isdigit() else 0 for number in numbers.lstrip("?").split(";")
        ]
        count = max(values[0], 1)
        if kind in "mhl":  # sets colours or modes, which have no effect here
            return
        self._wraps = False
        if kind == "H":
            self.row, self.column = (
                max(values[0], 1) - 1,
                (max(values[1], 1) if len(values) > 1 else 1) - 1,
            )
            assert self.row < self.lines and self.column < self.columns, (
                f"the cursor leaves the screen: {numbers}"
            )
        elif kind == "J":
            assert values[0] != 3, "the scrollback, which belongs to the user, is erased"
            self.pictures += self.row == self.column == 0
            if values[0] == 2:
                self.cells = [[" "] * self.columns for _ in range(self.lines)]
            else:
                self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
                self.cells[self.row + 1 :] = [
                    [" "] * self.columns for _ in range(self.lines - self.row - 1)
                ]
        elif kind == "K":
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
        elif kind == "C":
            self.column = min(self.column + count, self.columns - 1)
        elif kind == "D":
            self.column = max(self.column - count, 0)
        elif kind == "A":
            self.row = max(self.row - count, 0)
        elif kind == "@":
            line = self.cells[self.row]
            line[self.column : self.column] = [" "] * count
            del line[self.columns :]
        elif kind == "P":
            line = self.cells[self.row]
            self.cells[self.row] = (
                line[: self.column] + line[self.column + count :] + [" "] * count
            )[: self.columns]
        else:
            raise AssertionError(f"unknown control sequence: {numbers}{kind}")

    def _put(self, char):
        if char == "\r":
            self.column, self._wraps = 0, False
        elif char == "\n":
            self._feed_line()
        elif char == "\b":
            self.column = max(self.column - 1, 0)
        elif char == "\t":
            self.column = min((self.column // 8 + 1) * 8, self.columns - 1)
        elif char >= " ":
            if self._wraps:
                self.column = 0
                self._feed_line()
            self.cells[self.row][self.column] = char
            self._wraps = self.column == self.columns - 1
            self.column += not self._wraps

    def _feed_line(self):
        self._wraps = False
        if self.row == self.lines - 1:
            self.cells = self.cells[1:] + [[" "] * self.columns]
            self.scrolled += 1
        else:
            self.row += 1
