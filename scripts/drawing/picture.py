"""A searched tree as SVG, as a textbook draws it.

Squares are the maximiser's nodes, circles (with wide numbers, round ends) the minimiser's, and
leaves are plain numbers; the players' names stand beside their levels.  The principal variation is
bold, pruned branches are struck through and grey, nodes not yet visited are pale.

Everything of a level, texts included, lies in one band, and edges run from band to band: none of
them crosses a text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from scripts.drawing.board import Board
from scripts.drawing.figure import Figure, FigureError, Item
from scripts.drawing.layout import tidy
from scripts.drawing.replay import Look, Replay
from scripts.drawing.svg import document, element, rect, text, text_of, text_width

# font sizes of the texts, as in tree.css
_VALUE, _SMALL, _CAPTION = 15.0, 12.0, 14.0
_BOLD = 1.1  # how much wider bold values are
_SHAPE = 32.0  # height and minimum width of a node
_LARGEST_SQUARE = 46.0  # wider nodes have the minimum height
_ROW, _CAPTION_ROW = 14.0, 20.0  # heights of lines of text
_LEAF = 9.0  # half the height of a leaf's value
_GAP, _FAMILY_GAP, _BESIDE = 11.0, 18.0, 4.0
_MARGIN = 12.0
_BOARD_CELL, _BOARD_GAP = 13.0, 5.0

# Distance between levels, increased if a node has a wide family of children.
_MIN_DROP, _MAX_DROP, _STEEPNESS = 36.0, 90.0, 0.2

LookOf = Callable[[Item], Look]
Stroke = tuple[float, float, float, float]  # x1, y1, x2, y2
Text = tuple[str, float, float, str]  # words, x, y of the baseline, class


class Picture:
    """The drawing of a figure.

    windows: write its window beside each visited node.
    numbers: write its number beside each node without a label.
    boards: draw each node's board.
    steps: leave room for all that a search shows on its way, and for its sentences below.  Then
    windows are those of inner nodes, as they narrow.
    window_room: a text for which a window's place is wide enough.
    width_of_node, height_of_node: size of an inner node's shape.
    places: (x, y) of each item's centre.
    """

    def __init__(
        self,
        figure: Figure,
        windows: bool = False,
        numbers: bool = False,
        boards: bool = False,
        steps: bool = False,
        window_room: str = "",
    ) -> None:
        self.figure, self.windows, self.numbers, self.steps = figure, windows, numbers, steps
        if boards and figure.root.board is None:
            raise FigureError("this game has no boards to show")
        self.board = Board(figure.game, _BOARD_CELL) if boards else None
        self._measure(window_room)
        self._place()

    # ---- where everything goes -------------------------------------------------------

    def _measure(self, window_room: str) -> None:
        """Find the widest texts of the search, and with them the size of a node."""
        figure, replay = self.figure, Replay(self.figure)
        known = {(item, replay.node_words(item)) for item in figure.items}
        windows = {window_room}
        for event in replay.events():
            known.add((event.item, replay.node_words(event.item)))
            windows.add(replay.look(event.item).window)
        windows.update(replay.final_look(item).window for item in figure.items)
        inner, self._leaf = (
            max((text_width(words, _VALUE) for item, words in known if is_inner(item)), default=0.0)
            * _BOLD
            for is_inner in (lambda item: item.children, lambda item: not item.children)
        )
        self.width_of_node = max(_SHAPE, inner + 10)
        square = self.width_of_node <= _LARGEST_SQUARE
        self.height_of_node = self.width_of_node if square else _SHAPE
        self._window = max(text_width(words, _SMALL) for words in windows) if self.windows else 0.0
        leaves = [item for item in figure.items if not item.children]
        rows = any(map(self.name, leaves)) or self.windows and not self.steps
        self._half = max(self.height_of_node / 2, _LEAF + (_ROW if rows else 0.0))

    def name(self, item: Item) -> str:
        """Return the name that is written at an item: its label, or its number with `numbers`."""
        return item.label or (item.name if self.numbers else "")

    def _place(self) -> None:
        """Set the centre of each node's shape or number, and the size of the whole."""
        figure = self.figure
        middles, width = tidy(
            figure.root, lambda item: item.children, self._ends, _GAP, _FAMILY_GAP
        )
        left = 2 * _MARGIN + max(text_width(name.upper(), _SMALL) for name in figure.players)
        self.width = left + width + _MARGIN
        self._above = 0.0
        if self.board:
            boards = (self.board.size(item.board)[1] for item in figure.items)
            self._above = max(boards) + _BOARD_GAP
        y = _MARGIN + self._above + self._half
        self.places: dict[Item, tuple[float, float]] = {}
        for level in figure.levels():
            self.places.update((item, (middles[item] + left, y)) for item in level)
            self.height = y + self._half + _MARGIN
            edges = [(item, child) for item in level for child in item.children]
            reach = max((abs(middles[child] - middles[item]) for item, child in edges), default=0.0)
            drop = min(max(_MIN_DROP, reach * _STEEPNESS), _MAX_DROP)
            y += self._above + 2 * self._half + drop

    def _ends(self, item: Item) -> tuple[float, float]:
        """Return the widths that an item takes left and right of its centre."""
        board = self.board.size(item.board)[0] if self.board else 0.0
        name = text_width(self.name(item), _SMALL)
        if not item.children:
            window = 0.0 if self.steps else self._window
            return (max(self._leaf + 4, board, name, window) / 2,) * 2
        half, beside = self.width_of_node / 2, max(name, self._window)
        return max(half, board / 2), max(half + (_BESIDE + beside if beside else 0.0), board / 2)

    # ---- drawing ---------------------------------------------------------------------

    def svg(self, look: LookOf) -> str:
        """Return the whole picture."""
        return self.document("\n".join(self.pieces(look)))

    def document(self, body: str, rows: int = 0) -> str:
        """Return the picture with these pieces.  rows: lines of text below it."""
        title = Replay(self.figure).finish().words()
        height = self.height + rows * _CAPTION_ROW
        return document(self.width, height, body, text_of("tree.css"), title, role="img")

    def fragment(self, look: LookOf, label: str) -> str:
        """Return the picture as an element of a page, which has the styles."""
        box = f"0 0 {self.width:.0f} {self.height:.0f}"
        size = {"viewBox": box, "width": round(self.width), "height": round(self.height)}
        body = "".join(self.pieces(look))
        return element("svg", body, class_="tree", role="group", aria_label=label, **size)

    def pieces(self, look: LookOf) -> list[str]:
        """Return elements from bottom to top, the same number of them for all looks."""
        drawn = [text(words, x, y, class_=kind) for words, x, y, kind in self.level_names()]
        for item in self.figure.items:
            drawn += [self._edge(item, child, look(child)) for child in item.children]
        return drawn + [self._node(item, look(item)) for item in self.figure.items]

    def caption(self, words: str) -> str:
        """Return a sentence below the picture."""
        rows = [
            text(row, self.width / 2, self.height + _CAPTION_ROW * (index + 0.5), class_="caption")
            for index, row in enumerate(self.wrapped(words))
        ]
        return element("g", "".join(rows))

    def wrapped(self, words: str) -> list[str]:
        """Return the lines of a sentence below the picture."""
        return textwrap.wrap(words, max(20, int(self.width / (_CAPTION * 0.6))))

    def level_names(self) -> list[Text]:
        """Return the players' names left of the levels where one of them moves."""
        names = []
        for level in self.figure.levels():
            players = {item.maximises for item in level if item.children}
            if len(players) == 1:
                name = self.figure.players[not players.pop()].upper()
                names.append((name, _MARGIN, self.places[level[0]][1] + _SMALL * 0.35, "level"))
        return names

    def ends(self, parent: Item, child: Item) -> list[tuple[float, float]]:
        """Return the corners of an edge: upright within the bands, slanted between them."""
        (x1, y1), (x2, y2) = self.places[parent], self.places[child]
        top = y2 - self._half - self._above
        arrival = top
        if not self.board:
            name = _ROW if self.name(child) else 0.0
            arrival = y2 - (self.height_of_node / 2 if child.children else _LEAF + name)
        return [(x1, y1 + self.height_of_node / 2), (x1, y1 + self._half), (x2, top), (x2, arrival)]

    def strikes(self, parent: Item, child: Item) -> list[Stroke]:
        """Return two short strokes across the middle of an edge."""
        _, (x1, y1), (x2, y2), _ = self.ends(parent, child)
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1.0)
        along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
        across_x, across_y, strokes = -along_y * 7, along_x * 7, []
        for step in (-2.5, 2.5):
            x, y = (x1 + x2) / 2 + along_x * step, (y1 + y2) / 2 + along_y * step
            strokes.append((x - across_x, y - across_y, x + across_x, y + across_y))
        return strokes

    def _edge(self, parent: Item, child: Item, look: Look) -> str:
        ends = [f"{x:.1f} {y:.1f}" for x, y in self.ends(parent, child)]
        strikes = self.strikes(parent, child)
        across = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in strikes)
        parts = element("path", d="M" + "L".join(ends))
        if look.cut or self.steps:
            parts += element("path", d=across, class_="strike")
        kind = f"edge {look.state}" + (" cut" if look.cut else "")
        return element("g", parts, class_=kind, data_edge=child.number if self.steps else None)

    def _node(self, item: Item, look: Look) -> str:
        x, y = self.places[item]
        kind = ("max" if item.maximises else "min") if item.children else "leaf"
        parts = [self._outline(item, x, y)]
        if self.board:
            left, top = x - self.board.size(item.board)[0] / 2, y - self._half - self._above
            parts.append(self.board.draw(item.board, left, top))
        parts += [text(words, *at, class_=kind) for words, *at, kind in self.texts(item, look)]
        number = item.number if self.steps else None
        return element("g", "".join(parts), class_=f"node {kind} {look.state}", data_node=number)

    def _outline(self, item: Item, x: float, y: float) -> str:
        wide, high, kind = self.width_of_node, self.height_of_node, "shape"
        if not item.children:
            wide, high, kind = self._leaf + 4, 2 * _LEAF + 2, "halo"
        corner = 5.0 if not item.children else None if item.maximises else high / 2
        return rect(x - wide / 2, y - high / 2, wide, high, class_=kind, rx=corner)

    def texts(self, item: Item, look: Look) -> list[Text]:
        """Return the texts of a node: its value, its name and its window.

        An inner node's name and window are at its right; a leaf's above and below its value.
        """
        x, y = self.places[item]
        window = look.window if self.windows else ""
        if item.children:
            x += self.width_of_node / 2 + _BESIDE
            rows = (self.name(item), x, y - 3, "name"), (window, x, y + 11, "window")
        else:
            rows = (self.name(item), x, y - _LEAF - 3, "name"), (window, x, y + 20, "window")
        value = look.value, self.places[item][0], y + _VALUE * 0.35, "value"
        empty = self.steps  # the page fills the texts later
        return [each for each in (value, *rows) if each[0] or empty]


def whole_search(figure: Figure) -> LookOf:
    """Return the looks of items at the end of a search, with the windows of the visited ones."""
    return Replay(figure).finish().final_look
