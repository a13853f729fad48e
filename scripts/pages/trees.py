"""The picture of an explicit game tree: a game played on the tree has this picture as its board."""

from __future__ import annotations

from protocol.records.record import Start
from scripts.drawing.figure import FigureError, Item
from scripts.drawing.picture import Picture
from scripts.drawing.replay import CURRENT, LINE, UNSEEN, VISITED, Look, Replay
from scripts.drawing.traced import searched

MAX_NODES = 400  # maximum for a drawing; nobody could follow more by eye


def walked_tree(start: Start, moves: list[int], side: int) -> str | None:
    """Return a game's tree as SVG; None if the game isn't an explicit tree or is too large.

    The path of `moves` from the root is marked, and the node at its end is shown as current.
    side: the player to move at that node.
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

    label = f"the tree, {figure.players[side]} to move"
    return Picture(figure, steps=True).fragment(look, label)
