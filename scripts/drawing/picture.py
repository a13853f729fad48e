"""A searched tree as SVG, as a textbook draws it.

Squares are the maximiser's nodes, circles (with wide numbers, round ends) the minimiser's, and
leaves are plain numbers; MAX and MIN name the levels.  The principal variation is bold, pruned
branches are struck through and grey, nodes not yet visited are pale.
"""

from __future__ import annotations

from scripts.drawing.board import Board
from scripts.drawing.figure import Figure, FigureError, Item, Snapshot
from scripts.drawing.layout import tidy
from scripts.drawing.svg import circle, document, element, line, rect, text, text_of, text_width

# font sizes of the texts, as in tree.css
_SIZE, _LABEL_SIZE, _WINDOW_SIZE, _NUMBER_SIZE, _LEVEL_SIZE = 15.0, 12.0, 10.5, 9.5, 11.0
_SHAPE = 32.0  # height and minimum width of a node
_LARGEST_SQUARE = 46.0  # wider nodes have the minimum height
_LEVEL_ROOM = 34.0  # for MAX and MIN
_GAP, _FAMILY_GAP = 13.0, 24.0
_MARGIN = 16.0
_LABEL_ROOM = 15.0
_CAPTION, _CAPTION_WIDTH = 26.0, 360.0
_BOARD_CELL, _BOARD_GAP = 13.0, 5.0

# Distance between levels, increased if a node has a wide family of children.
_MIN_DROP, _MAX_DROP, _STEEPNESS = 40.0, 130.0, 0.3


class Picture:
    """The drawing of a figure.

    windows: write its window beside each visited node.
    numbers: write its number beside each node.
    boards: draw each node's board.
    caption: leave a line at the bottom for a caption of the current visit.
    width_of_node, height_of_node: size of an inner node's shape.
    """

    def __init__(
        self,
        figure: Figure,
        windows: bool = False,
        numbers: bool = False,
        boards: bool = False,
        caption: bool = False,
    ) -> None:
        self.figure, self.windows, self.numbers, self.caption = figure, windows, numbers, caption
        if boards and figure.root.board is None:
            raise FigureError("this game has no boards to show")
        self.board = Board(figure.game, _BOARD_CELL) if boards else None
        self._leaf = text_width(figure.widest_value(caption), _SIZE)
        self.width_of_node = max(_SHAPE, self._leaf + 10)
        square = self.width_of_node <= _LARGEST_SQUARE
        self.height_of_node = self.width_of_node if square else _SHAPE
        known = figure.snapshot().window_words if windows else lambda item: ""
        # The width of the longest window: at the end of the search all are known.
        self._window = max(text_width(known(item), _WINDOW_SIZE) for item in figure.items)
        self._place()

    # ---- where everything goes -------------------------------------------------------

    def _place(self) -> None:
        """Set the centre of each node's shape or number, and the size of the whole."""
        items, root = self.figure.items, self.figure.root
        widths = {item: self._width(item) for item in items}
        middles, width = tidy(
            root, lambda item: item.children, widths.__getitem__, _GAP, _FAMILY_GAP
        )
        least = _CAPTION_WIDTH if self.caption else 0.0
        self.width = max(width + 2 * _MARGIN + 2 * _LEVEL_ROOM, least)
        offset = (self.width - width) / 2
        self._above = 0.0
        if self.board:
            self._above = max(self.board.size(item.board)[1] for item in items) + _BOARD_GAP
        captions = (_LABEL_ROOM if self.windows else 0.0) + _LABEL_ROOM
        y = _MARGIN + captions + self._above + self.height_of_node / 2
        self._at: dict[Item, tuple[float, float]] = {}
        for level in self.figure.levels():
            self._at.update((item, (middles[item] + offset, y)) for item in level)
            lowest = y
            edges = [(item, child) for item in level for child in item.children]
            reach = max((abs(middles[child] - middles[item]) for item, child in edges), default=0.0)
            drop = min(max(_MIN_DROP, reach * _STEEPNESS), _MAX_DROP)
            y += self._above + self.height_of_node + captions - _LABEL_ROOM + drop
        below = (_LABEL_ROOM if self.windows else 0.0) + (_CAPTION if self.caption else 0.0)
        self.height = lowest + self.height_of_node / 2 + _MARGIN + below

    def _width(self, item: Item) -> float:
        """Return an item's width with the texts beside it, the same on both sides."""
        board = self.board.size(item.board)[0] if self.board else 0.0
        shape = self.width_of_node if item.children else self._leaf + 4
        names = [text_width(item.label, _LABEL_SIZE), self._window if item.children else 0.0]
        beside = max(names) + 5 if any(names) else 0.0
        number = shape / 2 + 3 + text_width(str(item.number), _NUMBER_SIZE) if self.numbers else 0.0
        return max(shape, board, self._window, 2 * number, 2 * beside)

    def place(self, item: Item) -> tuple[float, float]:
        """Return (x, y) of an item's centre."""
        return self._at[item]

    def _top(self, item: Item) -> float:
        """Return the top of an item, where the edge from its parent arrives."""
        half = self.height_of_node / 2 if item.children or self.board else _SIZE * 0.75
        return self._at[item][1] - half - self._above

    # ---- drawing ---------------------------------------------------------------------

    def svg(self, snapshot: Snapshot) -> str:
        """Return the whole picture of a snapshot."""
        return self.document("\n".join(self.pieces(snapshot)))

    def document(self, body: str) -> str:
        """Return the picture with these pieces."""
        title = self.figure.snapshot().words()
        return document(self.width, self.height, body, text_of("tree.css"), title, role="img")

    def pieces(self, snapshot: Snapshot) -> list[str]:
        """Return elements from bottom to top, the same number of them for all snapshots."""
        on_line, items = set(snapshot.line), self.figure.items
        drawn = [text(words, x, y, class_=kind) for words, x, y, kind in self.level_names()]
        for item in items:
            drawn += [
                self._edge(item, child, snapshot, child in on_line) for child in item.children
            ]
        drawn += [self._node(item, snapshot, item in on_line) for item in items]
        if self.caption:
            x, y = self.width / 2, self.height - 12
            drawn.append(text(snapshot.words(), x, y, class_="caption"))
        return drawn

    def level_names(self) -> list[tuple[str, float, float, str]]:
        """Return [(MAX or MIN, x, y, class)] left of the levels where one player moves."""
        found = []
        for level in self.figure.levels():
            players = {item.maximises for item in level if item.children}
            if len(players) == 1:
                y = self._at[level[0]][1] + _LEVEL_SIZE * 0.35
                found.append(("MAX" if players.pop() else "MIN", 8.0, y, "level"))
        return found

    def state(self, item: Item, snapshot: Snapshot, on_line: bool) -> str:
        """Return the classes for an item's state, each preceded by a space."""
        if on_line:
            return " line"
        if item in snapshot.pruned:
            return " pruned"
        if item is snapshot.current:
            return " current"
        return "" if item in snapshot.windows else " later"

    def ends(self, parent: Item, child: Item) -> tuple[float, float, float, float]:
        """Return (x1, y1, x2, y2) of an edge."""
        (x1, y1), (x2, _) = self._at[parent], self._at[child]
        return x1, y1 + self.height_of_node / 2, x2, self._top(child)

    def strikes(
        self, x1: float, y1: float, x2: float, y2: float
    ) -> list[tuple[float, float, float, float]]:
        """Return [(x1, y1, x2, y2)] of two short strokes across the middle of an edge."""
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
        along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
        across_x, across_y, strokes = -along_y * 7, along_x * 7, []
        for step in (-2.5, 2.5):
            x, y = (x1 + x2) / 2 + along_x * step, (y1 + y2) / 2 + along_y * step
            strokes.append((x - across_x, y - across_y, x + across_x, y + across_y))
        return strokes

    def _edge(self, parent: Item, child: Item, snapshot: Snapshot, on_line: bool) -> str:
        x1, y1, x2, y2 = self.ends(parent, child)
        state = self.state(child, snapshot, on_line).replace(" current", "")
        edge = line(x1, y1, x2, y2, class_="edge" + state)
        if child in snapshot.cut:
            path = "".join(
                f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in self.strikes(x1, y1, x2, y2)
            )
            edge += element("path", d=path, class_="strike")
        return edge

    def _node(self, item: Item, snapshot: Snapshot, on_line: bool) -> str:
        x, y = self._at[item]
        kind = ("max" if item.maximises else "min") if item.children else "leaf"
        parts = [self._outline(item, x, y)]
        if self.board:
            left = x - self.board.size(item.board)[0] / 2
            parts.append(self.board.draw(item.board, left, self._top(item)))
        words = snapshot.node_words(item)
        if words:
            up = self.height_of_node / 2 - _SIZE if self.board and not item.children else 0.0
            parts.append(text(words, x, y + _SIZE * 0.35 - up, class_="value"))
        parts += [
            text(words, left, bottom, class_=kind)
            for words, left, bottom, kind in self.captions(item, snapshot)
        ]
        return element("g", "".join(parts), class_=kind + self.state(item, snapshot, on_line))

    def _outline(self, item: Item, x: float, y: float) -> str:
        wide, high = self.width_of_node, self.height_of_node
        if not item.children:
            wide, high = self._leaf + 4, _SIZE * 1.5
            return rect(x - wide / 2, y - high / 2, wide, high, rx=6.0, class_="halo")
        if not item.maximises and wide == high:
            return circle(x, y, high / 2, class_="node")
        round_ends = None if item.maximises else high / 2
        return rect(x - wide / 2, y - high / 2, wide, high, class_="node", rx=round_ends)

    def captions(self, item: Item, snapshot: Snapshot) -> list[tuple[str, float, float, str]]:
        """Return [(text, x of its left end, y of its baseline, class)] of texts beside a node.

        Label and window are above it (a leaf's window below it), on the side where no edge
        arrives.
        """
        x, y = self._at[item]
        found: list[tuple[str, float, float, str]] = []
        window = snapshot.window_words(item) if self.windows else ""
        top = self._top(item) - 5
        wide = text_width(window, _WINDOW_SIZE)
        if window and item.children:
            found.append((window, self._left(item, wide), top, "window"))
            top -= _LABEL_ROOM - 2
        elif window:
            found.append((window, x - wide / 2, y + _SIZE * 0.75 + 10, "window"))
        if item.label:
            left = self._left(item, text_width(item.label, _LABEL_SIZE))
            found.append((item.label, left, top, "label"))
        if self.numbers:
            wide, high = self._leaf, _SIZE * 1.2
            if item.children:
                wide, high = self.width_of_node, self.height_of_node
            found.append((str(item.number), x + wide / 2 + 2, y + high / 2, "number"))
        return found

    def _left(self, item: Item, wide: float) -> float:
        """Return the x at which a text of this width above an item begins."""
        x = self._at[item][0]
        if not item.path:
            return x - wide / 2
        return x - wide - 4 if self._at[self.figure.item(item.path[:-1])][0] > x + 1 else x + 4
