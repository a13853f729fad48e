"""A searched tree as text for the terminal: an outline with one node per line.

3[4] a maximiser's node      8(4) a minimiser's      15:4 a leaf
━━ the principal variation  ╳┄ a pruned branch
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.drawing.figure import Figure, Item
from scripts.drawing.picture import LookOf
from scripts.drawing.replay import CURRENT, LINE, PRUNED, UNSEEN, Look

# The terminal's bright (reversed), bold and grey text.
_PAINT = {CURRENT: "\033[7m", LINE: "\033[1m", PRUNED: "\033[2m", UNSEEN: "\033[2m"}
_PLAIN = "\033[0m"


def outline(
    figure: Figure, look: LookOf, caption: str, colour: bool = False, windows: bool = False
) -> str:
    """Return a figure and a caption as text; each line ends with a newline.

    colour: use the terminal's bold and grey.
    windows: show the window of each visited node.
    """

    def node(item: Item, seen: Look) -> str:
        value, name = seen.value or " ", item.label or item.name
        if item.children:
            value = name + (f"[{value}]" if item.side == 0 else f"({value})")
        else:
            value = f"{name}:{value}"
        if colour:
            value = _PAINT.get(seen.state, "") + value + (_PLAIN if seen.state in _PAINT else "")
        return f"{value} {seen.window}" if windows else value

    def below(parent: Item, indent: str) -> Iterator[str]:
        for item in parent.children:
            seen = look(item)
            is_last = item is parent.children[-1]
            reach = "╳┄ " if seen.cut else "━━ " if seen.state == LINE else "── "
            yield indent + ("└" if is_last else "├") + reach + node(item, seen)
            yield from below(item, indent + ("    " if is_last else "│   "))

    lines = [node(figure.root, look(figure.root)), *below(figure.root, ""), caption]
    return "".join(line.rstrip() + "\n" for line in lines)
