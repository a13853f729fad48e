"""A searched tree as text for the terminal.

    [4] a maximiser's node      (4) a minimiser's      4 a leaf
    ━┃  the principal variation  ╳ a pruned branch

It is drawn top down if it fits the width, else as an outline with one node a line.
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.drawing.figure import Figure, Item, Snapshot
from scripts.drawing.layout import tidy

BOLD, GREY, BRIGHT, PLAIN = "\033[1m", "\033[2m", "\033[7m", "\033[0m"

# Line characters of the bus between a parent and its children, by the weights of (up, right,
# down, left): 2 heavy, 1 light.
_JOINTS = {
    tuple(map(int, word[:4])): word[4]
    for word in """
        0101─ 0202━ 1010│ 2020┃ 0110┌ 0220┏ 0011┐ 0022┓ 0111┬ 0122┱ 0221┲ 0212┯ 1101┴ 2102┹ 2201┺
        1111┼ 2121╂ 2112╃ 2211╄
    """.split()
}
_ASCII = str.maketrans("─━│┃├└┣┗╳┄−≥≤∞┌┐┬┴┼╂╃╄┱┲┯┹┺┏┓", "-=|#++##x.-><~+++++++++++++##")


def to_ascii(text: str) -> str:
    """Return the drawing in ASCII, which every terminal can show."""
    return text.translate(_ASCII)


class TextDrawing:
    """The drawing of a figure as text.

    width: available columns.  colour: use the terminal's bold and grey.
    windows, numbers: as in picture.Picture.
    """

    def __init__(
        self, figure: Figure, width: int, colour: bool, windows: bool, numbers: bool
    ) -> None:
        self.figure, self.colour, self.windows, self.numbers = figure, colour, windows, numbers
        widest = figure.widest_value()
        value_text = figure.value_text
        self._room = {
            item: len(self._shaped(item, widest if item.value is None else value_text(item.value)))
            for item in figure.items
        }
        self._middles, wide = tidy(
            figure.root, lambda item: item.children, self._room.__getitem__, 2, 3
        )
        self._outlined = wide > width or windows
        # width of the column of MAX and MIN, if there is room
        self._levels_at = int(wide) + 3 if wide + 6 <= width else None

    def text(self, snapshot: Snapshot) -> str:
        """Return the drawing of a snapshot; each line ends with a newline."""
        lines = self._outline(snapshot) if self._outlined else self._from_the_top(snapshot)
        return "".join(line.rstrip() + "\n" for line in lines)

    # ---- nodes -----------------------------------------------------------------------

    def _shaped(self, item: Item, words: str) -> str:
        if self.numbers:
            words = f"{item.number}:{words}"
        if not item.children:
            return f"{item.label}:{words}" if item.label else words
        return item.label + (f"[{words}]" if item.maximises else f"({words})")

    def _node(self, item: Item, snapshot: Snapshot) -> str:
        return self._shaped(item, snapshot.node_words(item) or " ")

    def _painted(self, text: str, item: Item, snapshot: Snapshot) -> str:
        """Return `text` in the terminal's bold, grey or inverse, by its item's state."""
        if not self.colour or not text.strip():
            return text
        if item is snapshot.current:
            return BRIGHT + text + PLAIN
        if item in snapshot.line:
            return BOLD + text + PLAIN
        return text if item in snapshot.windows else GREY + text + PLAIN

    # ---- top down -----------------------------------------------------------

    def _from_the_top(self, snapshot: Snapshot) -> Iterator[str]:
        levels = self.figure.levels()
        for depth in range(len(levels)):
            if depth:
                yield from self._branches(levels[depth - 1], snapshot)
            line, column = "", 0
            for item in levels[depth]:
                text = self._node(item, snapshot)
                start = self._column(item) - (len(text) - 1) // 2
                line += " " * (start - column) + self._painted(text, item, snapshot)
                column = start + len(text)
            name = self.figure.level_name(depth)
            if name and self._levels_at is not None:
                line += " " * (self._levels_at - column) + name
            yield line

    def _column(self, item: Item) -> int:
        return int(self._middles[item])

    def _branches(self, parents: list[Item], snapshot: Snapshot) -> Iterator[str]:
        """Return the two lines between levels: the buses, then the edges to each child."""
        bus: dict[int, str] = {}
        stubs: dict[int, str] = {}
        for parent in parents:
            if parent.children:
                self._bus(parent, snapshot, bus)
            for child in parent.children:
                stubs[self._column(child)] = self._stub(child, snapshot)
        for cells in (bus, stubs):
            yield "".join(cells.get(column, " ") for column in range(max(cells, default=-1) + 1))

    def _stub(self, child: Item, snapshot: Snapshot) -> str:
        if child in snapshot.cut:
            return "╳"
        return "┃" if child in snapshot.line else "┆" if child in snapshot.pruned else "│"

    def _bus(self, parent: Item, snapshot: Snapshot, cells: dict[int, str]) -> None:
        """Set the cells of the bus above a parent's children."""
        middle = self._column(parent)
        down = {self._column(child): 1 + (child in snapshot.line) for child in parent.children}
        first, last = min(list(down) + [middle]), max(list(down) + [middle])
        heavy = [column for column, weight in down.items() if weight == 2]
        thick = range(min(heavy + [middle]), max(heavy + [middle])) if heavy else range(0)
        for column in range(first, last + 1):
            up = (2 if heavy else 1) if column == middle else 0
            right = 0 if column == last else 2 if column in thick else 1
            left = 0 if column == first else 2 if column - 1 in thick else 1
            cells[column] = _JOINTS.get((up, right, down.get(column, 0), left), "┼")

    # ---- outline ---------------------------------------------------------------

    def _outline(self, snapshot: Snapshot) -> Iterator[str]:
        yield self._entry(self.figure.root, snapshot)
        waiting = [(child, "") for child in reversed(self.figure.root.children)]
        while waiting:
            item, indent = waiting.pop()
            last = item is self.figure.item(item.path[:-1]).children[-1]
            branch = "└" if last else "├"
            reach = "╳┄ " if item in snapshot.cut else "━━ " if item in snapshot.line else "── "
            yield indent + branch + reach + self._entry(item, snapshot)
            below = indent + ("    " if last else "│   ")
            waiting += [(child, below) for child in reversed(item.children)]

    def _entry(self, item: Item, snapshot: Snapshot) -> str:
        """Return the outline's text for one node."""
        words = self._painted(self._node(item, snapshot), item, snapshot)
        return words + " " + snapshot.window_words(item) if self.windows else words
