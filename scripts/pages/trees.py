"""Trees as plain data that a page can draw: the place and text of each node."""

from __future__ import annotations

from typing import Any

from games.base import Position
from protocol.records.record import Start
from scripts.drawing.board import Board
from scripts.drawing.figure import Figure, FigureError, Item
from scripts.drawing.layout import tidy
from scripts.drawing.svg import text_width

MAX_NODES = 400  # nodes of a drawn tree: more can't be followed by eye

# Sizes in the page's drawing (tree.js, tree.css), in pixels.
_GAP = 12.0  # between two nodes
_SHAPE, _PADDING = 46.0, 12.0
_VALUE, _LONG_VALUE, _LONG = 17.0, 12.0, 4  # values with more characters are smaller
_BOLD = 1.1  # how much wider bold values are
_LABEL, _LABEL_GAP, _WINDOW = 13.0, 4.0, 12.0
_NUMBER = 15.0  # the room for a node's number, below its board

# number of a node -> all texts that it shows in the course of a search
Texts = dict[int, list[str]]


def plain_tree(
    figure: Figure,
    values: Texts | None = None,
    windows: dict[int, str] | None = None,
    board: Board | None = None,
) -> dict[str, Any]:
    """Return the nodes of a figure as plain data, and the size of the tree.

    values: all texts that nodes show in the course of a search, besides the leaves' values.
    windows: the text below each node, shown once it is visited.
    board: draws the board above each node, if given.
    Returns {nodes, width, above}.  Each node has its number, label, value (of a leaf), max,
    children, place, width, window, and with boards [SVG, width].  above: the height for boards.
    """
    values, windows = values or {}, windows or {}
    wide = {item: _shape(figure, item, values.get(item.number, [])) for item in figure.items}

    def room(item: Item) -> float:
        label = text_width(item.label, _LABEL)
        if item.children and label:  # it is beside the node, on one side only
            label = wide[item] + 2 * (_LABEL_GAP + label)
        below = text_width(windows.get(item.number, ""), _WINDOW)
        return max(wide[item], label, below, board.size(item.board)[0] if board else 0.0)

    middles, width = tidy(figure.root, lambda item: item.children, room, _GAP, _GAP)
    nodes = [{**_plain(figure, item, middles[item]), "wide": wide[item]} for item in figure.items]
    for node in nodes:
        node["window"] = windows.get(node["number"], "")
    above = 0.0
    if board:
        for node, item in zip(nodes, figure.items):
            node["board"] = [board.draw(item.board), board.size(item.board)[0]]
        above = max(board.size(item.board)[1] for item in figure.items) + _NUMBER
    return {"nodes": nodes, "width": width, "above": above}


def _shape(figure: Figure, item: Item, values: list[str]) -> float:
    """Return the width of a node's shape, enough for all its values."""
    own = [] if item.value is None else [figure.value_text(item.value)]
    sizes = (
        text_width(text, _LONG_VALUE if len(text) > _LONG else _VALUE) for text in own + values
    )
    return max(_SHAPE, max(sizes, default=0.0) * _BOLD + _PADDING)


def _plain(figure: Figure, item: Item, middle: float) -> dict[str, Any]:
    return {
        "number": item.number,
        "label": item.label,
        "max": item.maximises,
        "leaf": not item.children,
        "value": figure.value_text(item.value) if item.value is not None else "",
        "x": middle,
        "y": len(item.path),
        "children": [child.number for child in item.children],
    }


def walked_tree(start: Start, moves: list[int], position: Position) -> dict[str, Any] | None:
    """Return the tree of a game that is an explicit tree, or None if it is not or is too large.

    As plain_tree, with way: the numbers of the nodes from the root to `position`, the position
    after `moves`; and moves: {number of a child: the move to it}.
    """
    if not start.game.textbook:
        return None
    try:
        figure = Figure(start.position(), prune=False, limit=MAX_NODES)
    except FigureError:
        return None
    way = [figure.item(tuple(moves[:count])) for count in range(len(moves) + 1)]
    legal = {
        figure.item((*moves, move)).number: position.move_text(move)
        for move in position.legal_moves()
    }
    return {**plain_tree(figure), "way": [item.number for item in way], "moves": legal}
