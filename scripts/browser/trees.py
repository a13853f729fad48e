"""Trees as plain data that a page can draw: where each node stands, and what stands in it."""
from __future__ import annotations

from typing import Any

from games.base import Position
from protocol.records.record import Start
from scripts.drawing.figure import Figure, FigureError, Item
from scripts.drawing.layout import tidy

MOST_NODES = 400            # of a tree that is drawn: more can't be followed

# The room of a node, in the unit of the places, and between two: more of it where windows
# are written under the nodes.
_ROOM, _GAP, _NARROW_GAP = 0.9, 0.5, 0.0


def plain_tree(figure: Figure, gap: float = _GAP) -> dict[str, Any]:
    """nodes: each with number, label, a leaf's value, who moves, its children's numbers, its place.

    width: how wide the tree is, in the unit of the places.
    """
    middles, width = tidy(figure.root, lambda item: item.children, _room, gap, gap)
    return {"nodes": [_plain(figure, item, middles[item]) for item in figure.items],
            "width": width}


def _room(item: Item) -> float:
    return max(_ROOM, 0.22 * (len(item.label) + 2))


def _plain(figure: Figure, item: Item, middle: float) -> dict[str, Any]:
    return {"number": item.number, "label": item.label, "max": item.maximises,
            "leaf": not item.children,
            "value": figure.value_text(item.value) if item.value is not None else "",
            "x": middle, "y": len(item.path),
            "children": [child.number for child in item.children]}


def walked_tree(start: Start, moves: list[int], position: Position) -> dict[str, Any] | None:
    """The tree that a game walks through, where it is an explicit one and small enough.

    As plain_tree, with way: the numbers of the nodes from the root to `position`, which is
    where `moves` lead; and moves: {number of a child: the move that leads to it}.
    """
    if not start.game.textbook:
        return None
    try:
        figure = Figure(start.position(), prune=False, limit=MOST_NODES)
    except FigureError:
        return None
    way = [figure.item(tuple(moves[:count])) for count in range(len(moves) + 1)]
    legal = {figure.item((*moves, move)).number: position.move_text(move)
             for move in position.legal_moves()}
    return {**plain_tree(figure, _NARROW_GAP), "way": [item.number for item in way], "moves": legal}
