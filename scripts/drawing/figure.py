"""The content of a searched tree's picture: its nodes, and the visits of one search.

A `Figure` is a position's tree with one run of a search over it; replay.py steps through that run,
event by event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from games import looks
from games.base import INFINITY, WIN, Game, Position

MINUS = "\N{MINUS SIGN}"
_SPECIAL = {INFINITY: "∞", -INFINITY: MINUS + "∞", WIN: "W", -WIN: "L"}

Bounds = tuple[int, int]


class Visit(NamedTuple):
    """A visit to a node; all values are from the maximiser's point of view.

    window: (alpha, beta) on entry.
    value: the value that the search returns for the node; None to compute it from the children.
    note: a remark on this visit, or "".
    stand: the stand-pat score at a node of quiescence search; None elsewhere.
    stored: whether the value comes from the table, where it may be a bound.
    """

    path: tuple[int, ...]
    window: Bounds
    value: int | None = None
    note: str = ""
    stand: int | None = None
    stored: bool = False


class FigureError(Exception):
    """Raised if a tree can't be drawn; the message says why."""


class Item:
    """A node of the picture.

    path: the moves that lead to it.  parent: None for the root.
    number: the node's number, counted level by level from the root (0).
    label: the node's own label, else the move that leads to it, else "".
    name: the node's name in sentences: its label or number in a tree, all moves to it in a game.
    side: the player to move, 0 for the maximiser, 1 for the minimiser.
    choose: max or min, the function by which that player chooses among the children's values.
    value: a leaf's value for the maximiser, else None.
    board: the rows of its board, or None.
    """

    def __init__(self, position: Position, parent: Item | None, move: int, label: str) -> None:
        self.parent = parent
        self.label = label
        self.number = 0
        self.path: tuple[int, ...] = (*parent.path, move) if parent else ()
        self.name: str = f"{parent.name}/{label}" if parent and parent.parent else label or "root"
        self.side = position.side
        self.choose: Callable[..., int] = (max, min)[self.side]
        self.board: Any = position.board()
        self.children: list[Item] = []
        self.value: int | None = None
        if parent:
            parent.children.append(self)

    def minimax(self) -> int:
        """Return the minimax value, even if a search pruned the node."""
        if self.value is not None:
            return self.value
        return self.choose(child.minimax() for child in self.children)

    @property
    def kind(self) -> str:
        """Return "max", "min" or "leaf"."""
        return self.choose.__name__ if self.children else "leaf"

    def subtree(self) -> Iterator[Item]:
        """Yield this item and all items below it."""
        yield self
        for child in self.children:
            yield from child.subtree()

    def __str__(self) -> str:
        return f"{'node' if self.children else 'leaf'} {self.name}"


@dataclass
class Figure:
    """The tree of a position and a search of it, made by traced.py.

    root: the item of the position.  items: all items in level order, the root first.
    players: the names of the maximiser and the minimiser.
    visits: the Visits in the order of the search.
    line: the principal variation.
    prune: whether the search prunes (alpha-beta), unlike minimax.
    complete: whether the tree has all nodes, not only those that the search visited.
    """

    game: Game
    root: Item
    visits: list[Visit]
    line: Sequence[int]
    prune: bool = True
    complete: bool = True

    def __post_init__(self) -> None:
        line = self.line
        self.players = [name.capitalize() for name in looks.players_of(self.game)]
        self.items = sorted(self.root.subtree(), key=lambda item: len(item.path))
        self._by_path = {item.path: item for item in self.items}
        for number, item in enumerate(self.items):
            item.number = number
            if self.game.textbook:
                item.name = item.label or str(number)
        self.line = [move for end, move in enumerate(line, 1) if tuple(line[:end]) in self._by_path]

    def way(self, moves: Sequence[int]) -> list[Item]:
        """Return the items on the path of `moves`, from the root on."""
        return [self.item(moves[:length]) for length in range(len(moves) + 1)]

    def item(self, path: Sequence[int]) -> Item:
        """Return the item that a path leads to."""
        return self._by_path[tuple(path)]

    def levels(self) -> list[list[Item]]:
        """Return the items of each level, the root's first."""
        return [list(level) for _, level in groupby(self.items, lambda item: len(item.path))]


def value_text(value: int) -> str:
    """Return a value as the text of a tree writes it, but with a typographic minus sign.

    An infinite bound of a window becomes ∞.
    """
    return _SPECIAL.get(value, str(value).replace("-", MINUS))
