"""The searches that pictures show: search/textbook.py, and search/negamax.py's techniques."""

from __future__ import annotations

from typing import Any

from games.base import INFINITY, Position
from games.options import TECHNIQUES
from scripts.drawing.figure import Figure, FigureError, Item, Visit
from search.negamax import Negamax
from search.textbook import leaf_value, minimax

# Plies of a negamax search if no depth is given.  They reach the leaves of any tree that is small
# enough to be drawn.
DEEPEST = 30
TEXTBOOK = ("alphabeta", "minimax", "pvs")
ALGORITHMS = (*TEXTBOOK, "deepening", *TECHNIQUES)


def searched(
    position: Position, depth: int | None = None, algorithm: str = "alphabeta", limit: int = 2000
) -> Figure:
    """Return the figure of a search by one of ALGORITHMS, at most `depth` plies deep.

    depth: None to search to the leaves.
    algorithm: `deepening` searches every depth up to `depth` with table and killers, and shows the
    last search.  `deepening` and the techniques run search/negamax.py, the others
    search/textbook.py.
    limit: maximum number of nodes; if there are more, raise FigureError.
    """
    if algorithm not in TEXTBOOK:
        return _by_negamax(position, depth or DEEPEST, algorithm, limit)
    tree = _Tree(position, limit)
    visits: list[Visit] = []
    tree.grow(tree.root, depth)

    def visit(path: tuple[int, ...], alpha: int, beta: int) -> None:
        visits.append(Visit(path, (alpha, beta)))

    prune = algorithm != "minimax"
    _, line = minimax(position, depth, visit, prune, null_windows=algorithm == "pvs")
    return Figure(position.game, tree.root, visits, line, prune)


def _by_negamax(position: Position, depth: int, algorithm: str, limit: int) -> Figure:
    deepening = algorithm == "deepening"
    search = _Traced(position, ("table", "killers") if deepening else (algorithm,))
    for current in range(1 if deepening else depth, depth + 1):
        search.begin_trace(_Tree(position, limit))
        search.value(current)
    return Figure(position.game, search.item, search.visits, search.lines[0], complete=False)


class _Tree:
    """The items of a position's tree.  limit: raise FigureError if there are more items."""

    def __init__(self, position: Position, limit: int) -> None:
        self._position = position
        self._limit = limit
        self._count = 0
        self.root = self._item(None, -1, "")

    def _item(self, parent: Item | None, move: int, label: str) -> Item:
        if self._count == self._limit:
            raise FigureError(
                f"more than {self._limit} nodes are too many for a picture: choose a smaller depth"
            )
        self._count += 1
        return Item(self._position, parent, move, label or self._position.node_label())

    def child(self, parent: Item, move: int) -> Item:
        """Return the item after a move; create the item if it doesn't exist."""
        position = self._position
        for item in parent.children:
            if item.path[-1] == move:
                return item
        label = "" if position.game.textbook else position.notation(move)
        position.make(move)
        item = self._item(parent, move, label)
        position.undo()
        return item

    def grow(self, item: Item, depth: int | None) -> None:
        """Add all items below an item, down to `depth` plies; set the values of leaves."""
        position = self._position
        for move in () if len(item.path) == depth else position.legal_moves():
            child = self.child(item, move)
            position.make(move)
            self.grow(child, depth)
            position.undo()
        if not item.children:
            value = leaf_value(position, 0)
            assert value is not None  # at depth 0 every position has a value
            item.value = -value if item.side else value


class _Traced(Negamax):
    """Negamax that records its visits, and builds the tree of the visited positions.

    item: the tree's node for the current position.
    """

    item: Item

    def begin_trace(self, tree: _Tree) -> None:
        """Begin a new record of visits; the search's table stays as it is."""
        self._tree = tree
        self.item = tree.root
        self._depth = 0
        self.visits: list[Visit] = []
        self._first: dict[int, Item] = {}  # key of a position -> its first item

    def child(self, move: int, *arguments: Any) -> int:
        above = self.item
        self.item = self._tree.child(above, move)
        score = super().child(move, *arguments)
        self.item = above
        return score

    def value(self, depth: int, alpha: int = -INFINITY, beta: int = INFINITY, ply: int = 0) -> int:
        position, item = self._position, self.item
        index = len(self.visits)
        first, item.value = self._first.setdefault(position.key, item), None
        stand = None
        if depth <= 0 and "quiescence" in self._techniques and position.outcome() is None:
            stand = position.judge().evaluate() * (-1 if item.side else 1)
        depth_above, self._depth = self._depth, depth
        note = "a ply less deep" if depth < depth_above - 1 >= 0 else ""
        note = "after a pass" if self._passed else note
        self.visits.append(Visit(item.path, (0, 0)))
        score = super().value(depth, alpha, beta, ply)
        self._depth = depth_above
        ended = len(self.visits) == index + 1
        stored = ended and depth > 0 and first is not item and position.outcome() is None
        if stored:
            note = f"as at {first.name}, from the table"
        window, value = ((-beta, -alpha), -score) if item.side else ((alpha, beta), score)
        self.visits[index] = Visit(item.path, window, value, note, stand, stored)
        if ended and not item.children:
            item.value = value
        elif not ended and depth > 0:
            for move in position.legal_moves():
                self._tree.child(item, move)
        return score
