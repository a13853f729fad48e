"""The tree of a game that is an explicit tree, as the page plays it."""

from __future__ import annotations

from typing import Any

from games.base import Position
from protocol.records.record import Start
from scripts.drawing.figure import FigureError, Item
from scripts.drawing.picture import Picture
from scripts.drawing.replay import CURRENT, LINE, UNSEEN, VISITED, Look, Replay
from scripts.drawing.traced import searched

MAX_NODES = 400  # nodes of a drawn tree: more can't be followed by eye


def walked_tree(start: Start, moves: list[int], position: Position) -> dict[str, Any] | None:
    """Return the tree of a game that is an explicit tree, or None if it is not or is too large.

    Returns {picture: SVG, moves: {number of a child: the move to it}}.  The way from the root to
    `position`, the position after `moves`, is marked; its end is current.
    """
    if not start.game.textbook:
        return None
    try:
        figure = searched(start.position(), None, "minimax", MAX_NODES)
    except FigureError:
        return None
    way, values = figure.way(moves), Replay(figure)

    def look(item: Item) -> Look:
        value = "" if item.value is None else values.node_words(item)
        if item is way[-1]:
            return Look(CURRENT, value)
        below = item.path[: len(moves)] == way[-1].path
        return Look(LINE if item in way else VISITED if below else UNSEEN, value)

    legal = {
        figure.item((*moves, move)).number: position.move_text(move)
        for move in position.legal_moves()
    }
    label = f"the tree, {figure.players[position.side]} to move"
    return {"picture": Picture(figure, steps=True).fragment(look, label), "moves": legal}
