"""A searched tree as text for the terminal: an outline with one node a line.

[4] a maximiser's node      (4) a minimiser's      4 a leaf
━━ the principal variation  ╳┄ a pruned branch
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games import looks
from scripts.drawing.figure import Figure, Item, Snapshot
from scripts.drawing.reasons import reasons

BOLD, GREY, BRIGHT, PLAIN = "\033[1m", "\033[2m", "\033[7m", "\033[0m"


class Outline:
    """The drawing of a figure as text.

    colour: use the terminal's bold and grey.
    windows, numbers: as in picture.Picture.
    """

    def __init__(self, figure: Figure, colour: bool, windows: bool, numbers: bool) -> None:
        self.figure, self.colour, self.windows, self.numbers = figure, colour, windows, numbers

    def text(self, snapshot: Snapshot) -> str:
        """Return the drawing of a snapshot and its caption; each line ends with a newline."""
        lines = [*self._lines(snapshot), snapshot.words()]
        return "".join(line.rstrip() + "\n" for line in lines)

    def steps(self, snapshots: Sequence[Snapshot]) -> Iterator[str]:
        """Yield the drawing of each snapshot, followed by the reason of the step to it."""
        names = [name.capitalize() for name in looks.players_of(self.figure.game)]
        for before, after in zip([None, *snapshots], snapshots):
            yield f"{self.text(after)}{reasons(before, after, names)}\n"

    def _lines(self, snapshot: Snapshot) -> Iterator[str]:
        yield self._node(self.figure.root, snapshot)
        waiting = [(child, "") for child in reversed(self.figure.root.children)]
        while waiting:
            item, indent = waiting.pop()
            last = item is self.figure.item(item.path[:-1]).children[-1]
            branch = "└" if last else "├"
            reach = "╳┄ " if item in snapshot.cut else "━━ " if item in snapshot.line else "── "
            yield indent + branch + reach + self._node(item, snapshot)
            below = indent + ("    " if last else "│   ")
            waiting += [(child, below) for child in reversed(item.children)]

    def _node(self, item: Item, snapshot: Snapshot) -> str:
        """Return the text of a node."""
        words = snapshot.node_words(item) or " "
        if self.numbers:
            words = f"{item.number}:{words}"
        if item.children:
            words = item.label + (f"[{words}]" if item.maximises else f"({words})")
        elif item.label:
            words = f"{item.label}:{words}"
        words = self._painted(words, item, snapshot)
        return words + " " + snapshot.window_words(item) if self.windows else words

    def _painted(self, text: str, item: Item, snapshot: Snapshot) -> str:
        """Return `text` in the terminal's bold, grey or inverse, by its item's state."""
        if not self.colour:
            return text
        if item is snapshot.current:
            return BRIGHT + text + PLAIN
        if item in snapshot.line:
            return BOLD + text + PLAIN
        return text if item in snapshot.windows else GREY + text + PLAIN
