"""A searched tree as SVG, as a textbook draws it.

Squares are the maximiser's nodes, circles the minimiser's, leaves stand as plain numbers.  The principal
variation is bold, pruned branches are struck through and grey, nodes not yet visited are pale.
"""
from __future__ import annotations

from scripts.drawing.board import drawer
from scripts.drawing.figure import value_text
from scripts.drawing.layout import tidy
from scripts.drawing.svg import document, element, text, text_width

STYLE = """
text { font-family: Georgia, 'DejaVu Serif', 'Times New Roman', serif; text-anchor: middle; fill: #1a1a1a; }
.edge { stroke: #444; stroke-width: 1.3; fill: none; }
.node { fill: #fff; stroke: #222; stroke-width: 1.5; }
.max .node { fill: #e9f1fb; }
.min .node { fill: #fdf1e1; }
.value { font-size: 15px; }
.label { font-size: 12px; font-style: italic; text-anchor: start; }
.label, .window { paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.number { font-size: 9.5px; fill: #777; text-anchor: start; }
.window { font-size: 10.5px; fill: #1c5d99; text-anchor: start; }
.caption { font-size: 14px; }
.line .node { stroke: #111; stroke-width: 3.4; }
.line.edge { stroke: #111; stroke-width: 3.8; }
.line .value { font-weight: bold; }
.pruned .node, .pruned.edge { stroke: #b9b9b9; stroke-dasharray: 4 3; }
.pruned .node { fill: #f7f7f7; }
.pruned text { fill: #b0b0b0; }
.strike { stroke: #c0392b; stroke-width: 2; fill: none; }
.later .node, .later.edge { stroke: #d4d4d4; }
.later .node { fill: #fff; }
.later text { fill: #c4c4c4; }
.current .node { fill: #ffe58a; stroke-width: 2.6; }
.current .halo { fill: #ffe58a; }
.halo { fill: none; }
"""

_SIZE, _LABEL_SIZE, _WINDOW_SIZE = 15.0, 12.0, 10.5     # of the texts, as in STYLE
_SHAPE = 32.0           # least width and height of a node
_GAP, _FAMILY_GAP = 13.0, 24.0
_MARGIN = 16.0
_LABEL_ROOM = 15.0
_CAPTION, _CAPTION_WIDTH = 26.0, 360.0
_BOARD_CELL, _BOARD_GAP = 13.0, 5.0

# Levels stand this far apart, more where a wide family hangs from one node.
_LEAST_DROP, _MOST_DROP, _STEEPNESS = 40.0, 130.0, 0.3


class Picture:
    """How a figure is drawn.

    windows: write its window beside each visited node.  numbers: write its number beside each node.
    boards: draw each node's board.  caption: keep a line at the bottom for words on the current visit.
    """

    def __init__(self, figure, windows=False, numbers=False, boards=False, caption=False):
        self.figure, self.windows, self.numbers, self.caption = figure, windows, numbers, caption
        self.board = drawer(figure.position, _BOARD_CELL, coordinates=False) if boards else None
        widest = figure.widest_value()
        self._leaf = text_width(widest, _SIZE)
        self._shape = max(_SHAPE, self._leaf + 14)
        self._window = text_width(f"({widest}, {widest})", _WINDOW_SIZE) if windows else 0.0
        self._place()

    # ---- where everything goes --------------------------------------------------------------------------

    def _place(self):
        """The middle of each node's shape or number, and the size of the whole."""
        items, root = self.figure.items, self.figure.root
        widths = {item: self._width(item) for item in items}
        middles, width = tidy(root, lambda item: item.children, widths.get, _GAP, _FAMILY_GAP)
        aside = max(text_width(item.label, _LABEL_SIZE) for item in items) + self._window
        self.width = max(width + 2 * _MARGIN + aside, _CAPTION_WIDTH if self.caption else 0.0)
        offset = (self.width - width) / 2
        self._above = max(self.board.size(item.board)[1] for item in items) + _BOARD_GAP if self.board else 0.0
        y, self._at = _MARGIN + _LABEL_ROOM + self._above + self._shape / 2, {}
        for level in _levels(items):
            self._at.update((item, (middles[item] + offset, y)) for item in level)
            lowest = y
            reach = max((abs(middles[child] - middles[item]) for item in level for child in item.children), default=0.0)
            y += self._above + self._shape + min(max(_LEAST_DROP, reach * _STEEPNESS), _MOST_DROP)
        self.height = lowest + self._shape / 2 + _MARGIN + (_CAPTION if self.caption else 0.0)

    def _width(self, item):
        """The room that an item takes."""
        board = self.board.size(item.board)[0] if self.board else 0.0
        return max(self._shape if item.children else self._leaf, text_width(item.label, _LABEL_SIZE) + 6, self._window,
                   board)

    def _top(self, item):
        """The upper end of an item, where the edge from its parent arrives."""
        half = self._shape / 2 if item.children or self.board else _SIZE * 0.75
        return self._at[item][1] - half - self._above

    # ---- drawing ----------------------------------------------------------------------------------------

    def svg(self, snapshot):
        """The whole picture of a snapshot."""
        return self.document("\n".join(part for _, part in self.pieces(snapshot)))

    def document(self, body):
        """The picture around drawn pieces."""
        return document(self.width, self.height, body, STYLE, self.title(), role="img")

    def title(self):
        """What the picture shows, in words."""
        figure = self.figure
        name = "Alpha-beta" if figure.prune else "Minimax"
        return f"{name}: {len(figure.visits)} of {len(figure.items)} nodes visited"

    def pieces(self, snapshot):
        """[(key, SVG)] from the bottom to the top; the keys are the same for all snapshots."""
        line = set(snapshot.line)
        drawn = []
        for item in self.figure.items:
            drawn += [(("edge", child.path), self._edge(item, child, snapshot, child in line))
                      for child in item.children]
        drawn += [(("node", item.path), self._node(item, snapshot, item in line)) for item in self.figure.items]
        if self.caption:
            drawn.append((("caption",), text(snapshot.words(), self.width / 2, self.height - 12, class_="caption")))
        return drawn

    def _state(self, item, snapshot, on_line):
        """The classes that say how an item stands."""
        if on_line:
            return " line"
        if item in snapshot.pruned:
            return " pruned"
        if item is snapshot.current:
            return " current"
        return "" if item in snapshot.windows else " later"

    def _edge(self, parent, child, snapshot, on_line):
        (x1, y1), (x2, _) = self._at[parent], self._at[child]
        y1, y2 = y1 + self._shape / 2, self._top(child)
        edge = element("line", x1=x1, y1=y1, x2=x2, y2=y2,
                       class_="edge" + self._state(child, snapshot, on_line).replace(" current", ""))
        if child in snapshot.cut:
            edge += _strike(x1, y1, x2, y2)
        return edge

    def _node(self, item, snapshot, on_line):
        x, y = self._at[item]
        kind = ("max" if item.maximises else "min") if item.children else "leaf"
        parts = [self._outline(item, x, y)]
        if self.board:
            parts.append(self.board.draw(item.board, x - self.board.size(item.board)[0] / 2, self._top(item)))
        words = snapshot.value_words(item)
        if not words and item.value is not None:
            words = value_text(item.value)
        if words:
            up = self._shape / 2 - _SIZE if self.board and not item.children else 0.0
            parts.append(text(words, x, y + _SIZE * 0.35 - up, class_="value"))
        parts += self._captions(item, snapshot, x, y)
        return element("g", "".join(parts), class_=kind + self._state(item, snapshot, on_line))

    def _outline(self, item, x, y):
        half = self._shape / 2
        if not item.children:
            return element("rect", x=x - self._leaf / 2 - 2, y=y - _SIZE * 0.75, width=self._leaf + 4,
                           height=_SIZE * 1.5, rx=6.0, class_="halo")
        if item.maximises:
            return element("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, class_="node")
        return element("circle", cx=x, cy=y, r=half, class_="node")

    def _captions(self, item, snapshot, x, y):
        """Label and window above a node (a leaf's window below it), on the side where no edge arrives; its number."""
        parts, left = [], x
        window = snapshot.window_words(item) if self.windows else ""
        window_wide = text_width(window, _WINDOW_SIZE)
        wide = text_width(item.label, _LABEL_SIZE) + (window_wide + 4 if window and item.children else 0.0)
        if item.path:
            parent_x = self._at[self.figure.item(item.path[:-1])][0]
            left = x - wide - 4 if parent_x > x + 1 else x + 4
        else:
            left = x - wide / 2
        top = self._top(item) - 5
        if item.label:
            parts.append(text(item.label, left, top, class_="label"))
        if window and item.children:
            parts.append(text(window, left + wide - window_wide, top, class_="window"))
        elif window:
            parts.append(text(window, x - window_wide / 2, y + _SIZE * 0.75 + 10, class_="window"))
        if self.numbers:
            half = self._shape / 2 if item.children else _SIZE * 0.6
            parts.append(text(item.number, x + half + 2, y + half, class_="number"))
        return parts


def _levels(items):
    """The items of each level, the root's first."""
    levels = {}
    for item in items:
        levels.setdefault(len(item.path), []).append(item)
    return [levels[depth] for depth in sorted(levels)]


def _strike(x1, y1, x2, y2):
    """Two short strokes across the middle of an edge."""
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    across_x, across_y = -along_y * 7, along_x * 7
    path = ""
    for step in (-2.5, 2.5):
        x, y = (x1 + x2) / 2 + along_x * step, (y1 + y2) / 2 + along_y * step
        path += f"M{x - across_x:.1f} {y - across_y:.1f}L{x + across_x:.1f} {y + across_y:.1f}"
    return element("path", d=path, class_="strike")
