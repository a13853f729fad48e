"""A searched tree as text for the terminal: an outline with one node per line.

3[4] a maximiser's node      8(4) a minimiser's      15:4 a leaf
━━ the principal variation  ╳┄ a pruned branch
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.drawing.figure import Figure, Item
from scripts.drawing.picture import LookOf
from scripts.drawing.replay import CURRENT, LINE, PRUNED, UNSEEN, Look

_BOLD = "\033[1m"
_GREY = "\033[2m"
_BRIGHT = "\033[7m"
PLAIN = "\033[0m"
_PAINT = {CURRENT: _BRIGHT, LINE: _BOLD, PRUNED: _GREY, UNSEEN: _GREY}


class Outline:
    """The drawing of a figure as text.

    colour: use the terminal's bold and grey.
    windows: show the window of each visited node.
    """

    def __init__(self, figure: Figure, colour: bool, windows: bool) -> None:
        self.figure = figure
        self.colour = colour
        self.windows = windows

    def text(self, look: LookOf, caption: str) -> str:
        """Return the drawing and a caption; each line ends with a newline."""
        root = self.figure.root
        lines = [self._node(root, look(root)), *self._below(root, look, ""), caption]
        return "".join(line.rstrip() + "\n" for line in lines)

    def _below(self, parent: Item, look: LookOf, indent: str) -> Iterator[str]:
        for item in parent.children:
            seen = look(item)
            is_last = item is parent.children[-1]
            branch = "└" if is_last else "├"
            reach = "╳┄ " if seen.cut else "━━ " if seen.state == LINE else "── "
            yield indent + branch + reach + self._node(item, seen)
            yield from self._below(item, look, indent + ("    " if is_last else "│   "))

    def _node(self, item: Item, look: Look) -> str:
        """Return the text of a node."""
        value, name = look.value or " ", item.label or item.name
        if item.children:
            value = name + (f"[{value}]" if item.maximises else f"({value})")
        else:
            value = f"{name}:{value}"
        if self.colour:
            value = _PAINT.get(look.state, "") + value + (PLAIN if look.state in _PAINT else "")
        return f"{value} {look.window}" if self.windows else value
