"""The content of a searched tree's picture: its nodes, and the visits of one search.

A `Figure` is a position's tree with one run of search/textbook.py's minimax over it; replay.py
tells what happens in that run, event by event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games import looks
from games.base import INFINITY, WIN, Position
from protocol.notation import move_words
from search.textbook import leaf_value, minimax

MINUS = "\N{MINUS SIGN}"


class Visit(NamedTuple):
    """An entry to a node, with its window; values are the maximiser's.

    value: the value that the search returns for the node; None if it follows from the children.
    note: a remark on this visit, or "".
    stand: the value of making no capture at a node of quiescence search; None elsewhere.
    stored: does the value come from the table?  It may be a bound then.
    """

    path: tuple[int, ...]
    alpha: int
    beta: int
    value: int | None = None
    note: str = ""
    stand: int | None = None
    stored: bool = False


class FigureError(Exception):
    """A tree that can't be drawn; the message says why."""


class Item:
    """A node of the picture.

    path: the moves that lead to it.  number: counted level by level from the root (0).
    label: the node's own label, else the move that leads to it; "" for neither.
    name: how sentences call it: a tree's label or number; in a game all moves that lead to it.
    maximises: whether the maximiser moves.  value: a leaf's, for the maximiser; else None.
    board: the rows of its board, or None.
    """

    __slots__ = ("path", "number", "label", "name", "maximises", "children", "value", "board")

    def __init__(self, path: tuple[int, ...], maximises: bool) -> None:
        self.path, self.maximises = path, maximises
        self.label = self.name = ""
        self.number = 0
        self.children: list[Item] = []
        self.value: int | None = None
        self.board: Any = None

    def minimax(self) -> int:
        """Return the value by minimax, whatever a search visited."""
        if self.value is not None:
            return self.value
        choose = max if self.maximises else min
        return choose(child.minimax() for child in self.children)

    def __str__(self) -> str:
        return f"{'node' if self.children else 'leaf'} {self.name}"


class Figure:
    """The tree of a position, at most `depth` plies deep, and a search of it.

    position: the root's position.  items: in level order, the root first.
    players: the names of the maximiser and the minimiser.
    visits: in the order of the search.
    line: the principal variation; best_line: the same in words.
    prune: alpha-beta; False for minimax.
    null_windows: principal variation search, which may visit a node again.
    searched: (items by path, visits, line) of another search; see traced.py.
    complete: does the tree have every node, whatever the search visited?
    """

    def __init__(
        self,
        position: Position,
        depth: int | None = None,
        prune: bool = True,
        limit: int = 2000,
        null_windows: bool = False,
        searched: Any = None,
    ) -> None:
        self.position, self.game, self.prune = position, position.game, prune
        self.players = [name.capitalize() for name in looks.players_of(self.game)]
        self._by_path: dict[tuple[int, ...], Item] = {}
        self.visits: list[Visit] = []
        self.line: Sequence[int] = ()
        self.complete = searched is None
        if searched is None:
            self._grow(position, (), depth, limit)
            _, self.line = minimax(position, depth, self._visit, prune, null_windows)
        else:
            self._by_path, self.visits, line = searched
            known = (
                count for count in range(len(line), -1, -1) if tuple(line[:count]) in self._by_path
            )
            self.line = line[: next(known)]
        self.root = self._by_path[()]
        self.items = sorted(self._by_path.values(), key=lambda item: len(item.path))
        for number, item in enumerate(self.items):
            item.number = number
            item.name = self._name(item)

    def _visit(self, *entered: Any) -> None:
        self.visits.append(Visit(*entered))

    def _name(self, item: Item) -> str:
        if self.game.textbook:
            return item.label or str(item.number)
        parents = [self.item(item.path[:length]) for length in range(1, len(item.path) + 1)]
        return "/".join(parent.label for parent in parents) or "root"

    def way(self, moves: Sequence[int]) -> list[Item]:
        """Return the items from the root along some moves."""
        return [self.item(moves[:length]) for length in range(len(moves) + 1)]

    @property
    def best_line(self) -> str:
        """The principal variation: names of nodes, in a game its moves."""
        return " ".join(item.label or item.name for item in self.way(self.line)[1:])

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

    def item(self, path: Sequence[int]) -> Item:
        """Return the item that a path leads to."""
        return self._by_path[tuple(path)]

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
