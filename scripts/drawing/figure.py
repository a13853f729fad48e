"""The content of a searched tree's picture: its nodes, and the search's state after each visit.

A `Figure` is a position's tree with one run of search/textbook.py's minimax over it.  A
`Snapshot` is the state of that run after some visits: the nodes it entered and their windows,
the bounds of each node's value, the pruned nodes and, at the end, the principal variation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.base import INFINITY, WIN, Position
from protocol.notation import move_words
from search.textbook import leaf_value, minimax

Visit = tuple[Any, ...]  # (path, alpha, beta)
Bounds = tuple[int, int]

MINUS = "\N{MINUS SIGN}"


class FigureError(Exception):
    """A tree that can't be drawn; the message says why."""


class Item:
    """A node of the picture.

    path: the moves that lead to it.  number: counted level by level from the root (0).
    label: the node's own name, else the move that leads to it.
    maximises: whether the maximiser moves.  value: a leaf's, for the maximiser; else None.
    board: the rows of its board, or None.
    """

    __slots__ = ("path", "number", "label", "maximises", "children", "value", "board")

    def __init__(self, path: tuple[int, ...], maximises: bool) -> None:
        self.path, self.maximises = path, maximises
        self.label, self.number = "", 0
        self.children: list[Item] = []
        self.value: int | None = None
        self.board: Any = None

    @property
    def name(self) -> str:
        """Return the name used in traces: the label of a tree's node, or the number."""
        return self.label or str(self.number)


class Figure:
    """The tree of a position, at most `depth` plies deep, and a search of it.

    position: the root's position.  items: in level order, the root first.
    visits: [(path, alpha, beta)] in the order of the search, in the maximiser's units.
    value, line: the result of the search.
    prune: alpha-beta; False for minimax.
    null_windows: principal variation search, which may visit a node again.
    """

    def __init__(
        self,
        position: Position,
        depth: int | None = None,
        prune: bool = True,
        limit: int = 2000,
        null_windows: bool = False,
    ) -> None:
        self.position, self.game, self.prune = position, position.game, prune
        self._by_path: dict[tuple[int, ...], Item] = {}
        self.root = self._grow(position, (), depth, limit)
        self.items = sorted(self._by_path.values(), key=lambda item: len(item.path))
        for number, item in enumerate(self.items):
            item.number = number
        self.visits: list[Visit] = []

        def visit(*entered: Any) -> None:
            self.visits.append(entered)

        self.value, self.line = minimax(position, depth, visit, prune, null_windows)

    def _grow(
        self, position: Position, path: tuple[int, ...], depth: int | None, limit: int
    ) -> Item:
        """Return the item of a position, with all items below it."""
        if len(self._by_path) == limit:
            raise FigureError(
                f"the tree has more than {limit} nodes: too many for a picture (a smaller --depth?)"
            )
        item = self._by_path[path] = Item(path, position.side == 0)
        item.label, item.board = position.node_label(), position.board()
        for move in () if len(path) == depth else position.legal_moves():
            words = "" if position.game.textbook else move_words(position, move)
            position.make(move)
            item.children.append(self._grow(position, (*path, move), depth, limit))
            item.children[-1].label = words or item.children[-1].label
            position.undo()
        if not item.children:
            value = leaf_value(position, 0)
            assert value is not None  # the search ends at this depth
            item.value = value if position.side == 0 else -value
        return item

    def snapshot(self, count: int | None = None) -> Snapshot:
        """Return the Snapshot after the first `count` visits; None: at the end of the search."""
        return Snapshot(self, len(self.visits) if count is None else count, count is None)

    def item(self, path: Sequence[int]) -> Item:
        """Return the item that a path leads to."""
        return self._by_path[tuple(path)]

    def widest_value(self, steps: bool = False) -> str:
        """Return the longest text of any node, at the end or, with `steps`, at any time."""
        known = [self.value_text(item.value) for item in self.items if item.value is not None]
        known += ["≥" + text for text in known] if len(self.items) > 1 else []
        counts: list[int | None] = [None, *(list(range(1, len(self.visits) + 1)) if steps else [])]
        for snapshot in map(self.snapshot, counts):
            known += map(snapshot.value_words, self.items)
        return max(known, key=len)

    def value_text(self, value: int) -> str:
        """Return a value as in the tree's text, but with a typographic minus sign.

        The open ends of a window are infinities.
        """
        if abs(value) == INFINITY:
            return "∞" if value > 0 else MINUS + "∞"
        if abs(value) == WIN:
            return "W" if value > 0 else "L"
        return (MINUS if value < 0 else "") + str(abs(value))

    def levels(self) -> list[list[Item]]:
        """Return the items of each level, the root's first."""
        levels: dict[int, list[Item]] = {}
        for item in self.items:
            levels.setdefault(len(item.path), []).append(item)
        return [levels[depth] for depth in sorted(levels)]


class Snapshot:
    """A search after some of its visits.

    current: the item being visited, None at the end of the search.
    windows: {item: (alpha, beta)} of visited items.
    bounds: {item: (low, high)}, the known bounds of its value.
    pruned: items that will never be visited; cut: the topmost of them.
    line: the items of the principal variation, once it is known.
    """

    def __init__(self, figure: Figure, count: int, over: bool) -> None:
        visits = figure.visits[:count]
        self.figure, self.count = figure, count
        self.windows = {figure.item(path): (alpha, beta) for path, alpha, beta in visits}
        self.current = None if over or not visits else figure.item(visits[-1][0])
        self.bounds: dict[Item, Bounds] = {}
        self.cut: set[Item] = set()
        self.pruned: set[Item] = set()
        self.line: list[Item] = []
        self._judge(figure.root, None if self.current is None else self.current.path)
        if over:
            self.line = [
                figure.item(figure.line[:length]) for length in range(len(figure.line) + 1)
            ]

    def _judge(self, item: Item, here: tuple[int, ...] | None) -> Bounds:
        """Return (low, high) of an item, after computing the bounds of all items below it."""
        if item not in self.windows:
            return -INFINITY, INFINITY
        bounds: Bounds
        if item.value is not None:
            bounds = item.value, item.value
        else:
            ranges = [self._judge(child, here) for child in item.children]
            choose = max if item.maximises else min
            bounds = choose(low for low, _ in ranges), choose(high for _, high in ranges)
            if here is None or here[: len(item.path)] != item.path:
                self._cut(item)
        self.bounds[item] = bounds
        return bounds

    def _cut(self, item: Item) -> None:
        """Mark the unvisited items below `item` as pruned: the search won't return to it."""
        for child in item.children:
            if child not in self.windows:
                self.cut.add(child)
                waiting = [child]
                while waiting:
                    self.pruned.add(waiting[-1])
                    waiting += waiting.pop().children

    def node_words(self, item: Item) -> str:
        """Return the text in a node: a leaf's value, or what is known of an inner node's."""
        words = self.value_words(item)
        return self.figure.value_text(item.value) if not words and item.value is not None else words

    def value_words(self, item: Item) -> str:
        """Return what is known of an item's value: `4`, `≥6`, `≤2`, `2..5`, or ""."""
        value_text = self.figure.value_text
        low, high = self.bounds.get(item, (-INFINITY, INFINITY))
        if low == high or low == WIN:
            return value_text(low)
        if low == -INFINITY:
            return "" if high == INFINITY else ("" if high == -WIN else "≤") + value_text(high)
        if high == INFINITY:
            return f"≥{value_text(low)}"
        return f"{value_text(low)}..{value_text(high)}"

    def window_words(self, item: Item) -> str:
        """Return the window that an item was entered with, or ""."""
        if item not in self.windows:
            return ""
        alpha, beta = map(self.figure.value_text, self.windows[item])
        return f"({alpha}, {beta})"

    def words(self) -> str:
        """Return a caption for this moment of the search."""
        figure, item = self.figure, self.current
        if item is None:
            line = " ".join(step.label or str(step.path[-1] + 1) for step in self.line[1:])
            return (
                f"value {self.value_words(figure.root)}, {len(figure.visits)} of "
                f"{len(figure.items)} nodes visited" + (f", best line {line}" if line else "")
            )
        window = f", window {self.window_words(item)}" if figure.prune else ""
        return f"visit {self.count} of {len(figure.visits)}: node {item.name}{window}"
