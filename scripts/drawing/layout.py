"""The layout of a tree's drawing: it places nodes, edges and texts so that none overlap.

Each level, texts included, lies in one band, and edges run between bands, so no edge crosses a
text.  Within a band the nodes stand as in the tidy layout of Reingold and Tilford: a parent is
centred over its children, equal subtrees look equal wherever they are, mirrored subtrees look
mirrored, children stay in order, and the whole is as narrow as these rules allow.  Each subtree
stands midway between the leftmost and the rightmost place that its neighbours allow.

E. Reingold, J. Tilford: Tidier Drawings of Trees, IEEE Transactions on Software
Engineering 7 (1981).
A. Kennedy: Drawing Trees, Journal of Functional Programming 6 (1996).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from scripts.drawing.board import BoardPicture
from scripts.drawing.figure import Figure, FigureError, Item
from scripts.drawing.replay import Look, Replay
from scripts.drawing.svg import text_width

# font sizes of the texts, as in tree.css
VALUE = 15.0
_SMALL = 12.0
CAPTION = 14.0
# The width of a bold value, relative to a plain one.
_BOLD = 1.1
# Height and minimum width of a node.  A node is square up to _LARGEST_SQUARE; wider nodes have the
# height _SHAPE.
_SHAPE = 32.0
_LARGEST_SQUARE = 46.0
# Heights of lines of text: in the tree, and in the caption.
_ROW, CAPTION_ROW = 14.0, 20.0
# Half the height of a leaf's value.
LEAF = 9.0
# Space between siblings, and between cousins on a level.
GAP, _FAMILY_GAP = 11.0, 18.0
_BESIDE = 4.0
_MARGIN = 12.0
_BOARD_CELL, _BOARD_GAP = 13.0, 5.0

# The distance between two levels: its minimum and maximum, and the factor by which it grows with
# the horizontal length of the widest edge.
_MIN_DROP, _MAX_DROP = 36.0, 90.0
_STEEPNESS = 0.2

# (x1, y1, x2, y2)
Stroke = tuple[float, float, float, float]
# (words, x, y of the baseline, class)
Text = tuple[str, float, float, str]

# The left and right ends of a subtree on each level, measured from the centre of its root.
Contour = list[tuple[float, float]]


@dataclass
class TreeLayout:
    """The places of a figure's nodes, edges and texts in a drawing.

    windows: write each visited node's window beside it.
    numbers: if a node has no label, write its number beside it.
    boards: draw each node's board.
    steps: leave room for the texts of every step of the search.  In such a drawing only inner
    nodes have windows.
    window_room: a text that must fit in the room for each node's window.
    width_of_node, height_of_node: size of an inner node's shape.
    width_of_leaf: width of a leaf's value.
    places: (x, y) of each item's centre.  width, height: size of the whole.
    replay: the search, at its end.
    """

    figure: Figure
    windows: bool = False
    numbers: bool = False
    boards: bool = False
    steps: bool = False
    window_room: str = ""

    def __post_init__(self) -> None:
        if self.boards and self.figure.root.board is None:
            raise FigureError("this game has no boards to show")
        self.board = BoardPicture(self.figure.game, _BOARD_CELL) if self.boards else None
        self._measure()
        self._place()

    # ---- nodes -----------------------------------------------------------------------

    def _measure(self) -> None:
        """Set the size of a node so that the widest text of the search fits."""
        figure = self.figure
        replay = self.replay = Replay(figure)
        windows, values = {self.window_room}, {True: 0.0, False: 0.0}
        for item in itertools.chain((event.item for event in replay.events()), figure.items):
            look, is_inner = replay.look(item), bool(item.children)
            values[is_inner] = max(values[is_inner], text_width(look.value, VALUE) * _BOLD)
            windows.add(look.window)
        windows.update(replay.final_look(item).window for item in figure.items)
        inner, self.width_of_leaf = values[True], values[False]
        self.width_of_node = max(_SHAPE, inner + 10)
        square = self.width_of_node <= _LARGEST_SQUARE
        self.height_of_node = self.width_of_node if square else _SHAPE
        self._window = max(text_width(words, _SMALL) for words in windows) if self.windows else 0.0
        leaves = [item for item in figure.items if not item.children]
        rows = any(map(self.name, leaves)) or self.windows and not self.steps
        self.half_band = max(self.height_of_node / 2, LEAF + (_ROW if rows else 0.0))

    def name(self, item: Item) -> str:
        """Return the name that is written at an item: its label or, with `numbers`, its number."""
        return item.label or (item.name if self.numbers else "")

    def _place(self) -> None:
        """Set the centre of each node's shape or number, and the size of the drawing."""
        figure = self.figure
        middles, width = tidy(figure.root, self._ends)
        left = 2 * _MARGIN + max(text_width(name.upper(), _SMALL) for name in figure.players)
        self.width = left + width + _MARGIN
        self.board_room = 0.0
        if self.board:
            boards = (self.board.size(item.board)[1] for item in figure.items)
            self.board_room = max(boards) + _BOARD_GAP
        y = _MARGIN + self.board_room + self.half_band
        self.places: dict[Item, tuple[float, float]] = {}
        for level in figure.levels():
            self.places.update((item, (middles[item] + left, y)) for item in level)
            self.height = y + self.half_band + _MARGIN
            edges = [(item, child) for item in level for child in item.children]
            reach = max((abs(middles[child] - middles[item]) for item, child in edges), default=0.0)
            drop = min(max(_MIN_DROP, reach * _STEEPNESS), _MAX_DROP)
            y += self.board_room + 2 * self.half_band + drop

    def _ends(self, item: Item) -> tuple[float, float]:
        """Return the distances from an item's centre to its (left, right) end."""
        board = self.board.size(item.board)[0] if self.board else 0.0
        name = text_width(self.name(item), _SMALL)
        if not item.children:
            window = 0.0 if self.steps else self._window
            return (max(self.width_of_leaf + 4, board, name, window) / 2,) * 2
        half, beside = self.width_of_node / 2, max(name, self._window)
        return max(half, board / 2), max(half + (_BESIDE + beside if beside else 0.0), board / 2)

    def level_names(self) -> list[Text]:
        """Return the texts at the left: the name of the player who moves, beside each level."""
        names = []
        for level in self.figure.levels():
            sides = {item.side for item in level if item.children}
            if len(sides) == 1:
                name = self.figure.players[sides.pop()].upper()
                names.append((name, _MARGIN, self.places[level[0]][1] + _SMALL * 0.35, "level"))
        return names

    def ends(self, parent: Item, child: Item) -> list[tuple[float, float]]:
        """Return the points of an edge, which is vertical within bands and slanted between them."""
        (x1, y1), (x2, y2) = self.places[parent], self.places[child]
        start, bottom = y1 + self.height_of_node / 2, y1 + self.half_band
        top = end = y2 - self.half_band - self.board_room
        if not self.board:
            name = _ROW if self.name(child) else 0.0
            end = y2 - (self.height_of_node / 2 if child.children else LEAF + name)
        return [(x1, start), (x1, bottom), (x2, top), (x2, end)]

    def strikes(self, parent: Item, child: Item) -> list[Stroke]:
        """Return two short strokes across the middle of an edge."""
        _, bottom, top, _ = (complex(*point) for point in self.ends(parent, child))
        along = (top - bottom) / max(abs(top - bottom), 1.0)
        across = along * 1j * 7  # turned by a right angle
        strokes = []
        for step in (-2.5, 2.5):
            middle = (bottom + top) / 2 + along * step
            one, other = middle - across, middle + across
            strokes.append((one.real, one.imag, other.real, other.imag))
        return strokes

    def texts(self, item: Item, look: Look) -> list[Text]:
        """Return the texts beside a node: its name and its window.

        An inner node's name and window are at its right.  A leaf's name is above its value, and its
        window below.
        """
        x, y = self.places[item]
        window = look.window if self.windows else ""
        if item.children:
            x += self.width_of_node / 2 + _BESIDE
            rows = (self.name(item), x, y - 3, "name"), (window, x, y + 11, "window")
        else:
            rows = (self.name(item), x, y - LEAF - 3, "name"), (window, x, y + 20, "window")
        return [row for row in rows if row[0] or self.steps]  # the page fills empty texts later


# ---- the tidy tree -------------------------------------------------------------------


def tidy(
    root: Item, ends_of: Callable[[Item], tuple[float, float]]
) -> tuple[dict[Item, float], float]:
    """Return ({item: x of its centre}, total width) of the tree under `root`.

    ends_of(item): returns the distances from an item's centre to its (left, right) end.
    """
    places = {root: 0.0}  # {item: x of its centre}, at first relative to its parent

    def contour(item: Item) -> Contour:
        left, right = ends_of(item)
        below = [contour(child) for child in item.children]
        middles = _side_by_side(below)
        places.update(zip(item.children, middles))
        return [(-left, right), *_joined(list(map(_moved, below, middles)))]

    ends = contour(root)
    left, right = min(left for left, _ in ends), max(right for _, right in ends)
    places[root] = -left
    for item in root.subtree():  # a parent before its children
        for child in item.children:
            places[child] += places[item]
    return places, right - left


def _side_by_side(contours: list[Contour]) -> list[float]:
    """Return the centres of subtrees' roots, relative to the midpoint of the outermost centres."""
    mirrored = [[(-right, -left) for left, right in contour] for contour in reversed(contours)]
    from_left, from_right = _packed(contours), _packed(mirrored)
    return [(one - other) / 2 for one, other in zip(from_left, reversed(from_right))]


def _packed(contours: list[Contour]) -> list[float]:
    """Return the centres as _side_by_side() does, but with each subtree as far left as possible."""
    places: list[float] = []
    taken: list[float] = []  # on each level, the right end of the subtrees placed so far
    for contour in contours:
        rooms = itertools.chain([GAP], itertools.repeat(_FAMILY_GAP))
        needed = [end + room - left for end, room, (left, _) in zip(taken, rooms, contour)]
        places.append(max(needed, default=0.0))
        taken[: len(contour)] = [right for _, right in _moved(contour, places[-1])]
    return [place - (places[0] + places[-1]) / 2 for place in places]


def _moved(contour: Contour, by: float) -> Contour:
    return [(left + by, right + by) for left, right in contour]


def _joined(contours: list[Contour]) -> Contour:
    """Return the common contour of several subtrees."""
    return [
        (min(left for left, _ in ends), max(right for _, right in ends))
        for level in itertools.zip_longest(*contours)
        if (ends := [each for each in level if each is not None])
    ]
