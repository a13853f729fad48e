"""A tree as search/negamax.py visits it, with techniques beyond alpha-beta."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from games.base import INFINITY, Position
from games.options import TECHNIQUES
from protocol.notation import move_words
from scripts.drawing.figure import Figure, FigureError, Item, Visit
from search.negamax import Negamax

DEEPEST = 30  # the depth for a whole tree of a game without one
ALGORITHMS = ("alphabeta", "minimax", "pvs", "deepening", *TECHNIQUES)


class _Traced(Negamax):
    """Negamax that records its visits, and an item for each visited position.

    limit: raise FigureError if there are more items.
    """

    def __init__(self, position: Position, techniques: Collection[str], limit: int) -> None:
        super().__init__(position, techniques)
        self._limit, self._label = limit, ""
        self._path: list[int] = []
        self._depths: list[int] = []  # the depths left on the path
        self.forget()

    def forget(self) -> None:
        """Forget the visits so far, but not the table."""
        self.visits: list[Visit] = []
        self.items: dict[tuple[int, ...], Item] = {}
        self._first: dict[int, Item] = {}  # the item where a position was visited first

    def child(self, move: int, *arguments: Any) -> int:
        self._label = move_words(self._position, move)
        self._path.append(move)
        score = super().child(move, *arguments)
        self._path.pop()
        return score

    def value(
        self,
        depth: int,
        alpha: int = -INFINITY,
        beta: int = INFINITY,
        ply: int = 0,
        null_allowed: bool = True,
    ) -> int:
        position, index = self._position, len(self.visits)
        item = self._item(tuple(self._path), self._label)
        first = self._first.setdefault(position.key, item)
        stand = None
        if depth <= 0 and "quiescence" in self._techniques and position.outcome() is None:
            stand = position.evaluate() * (1 if item.maximises else -1)
        note = "a ply less deep" if self._depths and depth < self._depths[-1] - 1 >= 0 else ""
        self.visits.append(Visit(item.path, 0, 0))
        self._depths.append(depth)
        score = super().value(depth, alpha, beta, ply, null_allowed)
        self._depths.pop()
        ended = len(self.visits) == index + 1
        stored = ended and depth > 0 and first is not item
        if stored:
            note = f"as at {self.name(first)}, from the table"
        window, value = ((alpha, beta), score) if item.maximises else ((-beta, -alpha), -score)
        self.visits[index] = Visit(item.path, *window, value, note, stand, stored)
        if ended and not item.children:
            item.value = value
        elif not ended and depth > 0:
            self._add_unvisited(item)
        return score

    def _item(self, path: tuple[int, ...], label: str) -> Item:
        """Return the item of a path, which is made on the first visit."""
        if path not in self.items:
            if len(self.items) == self._limit:
                raise FigureError(
                    f"the search visits more than {self._limit} nodes: draw it less deep"
                )
            item = self.items[path] = Item(path, self._position.side == 0)
            item.label, item.board = label if path else "", self._position.board()
            if path:
                self.items[path[:-1]].children.append(item)
        self.items[path].value = None
        return self.items[path]

    def _add_unvisited(self, item: Item) -> None:
        for move in self._position.legal_moves():
            path = (*item.path, move)
            if path not in self.items:
                label = move_words(self._position, move)
                self._position.make(move)
                self._item(path, label)
                self._position.undo()

    def name(self, item: Item) -> str:
        """Return an item's name: the moves that lead to it."""
        ways = [self.items[item.path[:length]] for length in range(1, len(item.path) + 1)]
        return "/".join(each.label for each in ways) or "root"


def searched(position: Position, depth: int | None, algorithm: str, limit: int = 2000) -> Figure:
    """Return the figure of a search by one of ALGORITHMS.

    The techniques and `deepening`, which searches every depth up to `depth` with table and
    killers and shows the last, are those of negamax; the others are search/textbook.py's.
    """
    if algorithm in ALGORITHMS[:3]:
        return Figure(position, depth, algorithm != "minimax", limit, algorithm == "pvs")
    deepening = algorithm == "deepening"
    traced = _Traced(position, ("table", "killers") if deepening else (algorithm,), limit)
    last = depth or DEEPEST
    for current in range(1 if deepening else last, last + 1):
        traced.forget()
        traced.value(current)
    return Figure(position, depth, searched=(traced.items, traced.visits, traced.lines[0]))
