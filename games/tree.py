"""Explicit game trees, as lectures draw them: `(A:(3 5) B:(6 9)) min`.

An inner node is `( ... )` or `[...]` with its children; a leaf is an integer or `W` / `L` (or
`inf` / `-inf`).  `NAME:` before a node labels it.  `max` or `min` after the last bracket says who
moves at the root; before any bracket, who moves at that node.  Leaf values are for the maximiser,
player 0.  A move is the index of a child; its text is the child's label or, without a label, its
number from 1.

Other forms, as courses write them: `MAX(MIN(3,12,8),MIN(2,4,6))`, and dictionaries of JSON or
Python: nested ones `{"A": {"B": 3, "C": 5}}`, adjacency lists `{"A": ["B", "C"], "B": 3, "C": 5}`,
and nodes with `children` or `value` and perhaps a `name`.
"""

from __future__ import annotations

import re
from zlib import crc32

from games.base import MAX_SCORE, WIN, Game, MoveError, Outcome, Position, PositionError
from games.options import ALGORITHM, TRACE, is_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from games.types import Key, Move, Options, Score, Side

LECTURE_TREE = "((((4 5) (3 2)) ((6 7) (8 9))) (((1 10) (2 11)) ((12 13) (14 14))))"

# Maximum depth of brackets.  The search of a deeper tree would exceed Python's recursion limit.
MAX_HEIGHT = 200

_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u221e": "inf"})
_FRACTION = re.compile(r"[+-]?(\d+/\d+|\d*\.\d+|\d+\.)")
_PLAYERS = ("max", "min")
_CHANCE = ("chance", "exp", "expect", "avg", "average", "random")
# Square brackets and commas are read too, as in the nested lists of Python: `[[3, 12], ["W", 4]]`.
_BRACKETS = {"[": "(", "]": ")"}
_WORD = re.compile(
    rf"(?P<player>{'|'.join(_PLAYERS + _CHANCE)})(?=[\s,]*(?:[(\[]|\Z))|[()\[\]]|[^\s,()\[\]]+",
    re.IGNORECASE,
)
_MAX_DIGITS = 11  # of a leaf, its sign included; int() refuses to read thousands of digits
_MAX_NODES = 100_000  # limit for dictionaries, in which an entry may stand for many nodes

_RESULTS: dict[Score | None, str] = {WIN: "W", -WIN: "L"}
_INFINITE = {"W": WIN, "L": -WIN, "INF": WIN, "-INF": -WIN}


class ExplicitNode:
    """A node of a tree.

    label: "" without a label.  children: empty in a leaf.
    value: a leaf's value for the maximiser; None in an inner node.
    """

    __slots__ = ("label", "children", "value")

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[ExplicitNode] = []
        self.value: Score | None = None


class ExplicitTree(Game):
    """The game of an explicit tree; the numbers of the leaves are its results."""

    name = "tree"
    options = (TRACE, ALGORITHM)
    textbook = True
    start_text = LECTURE_TREE
    longest_text = 1 << 28
    alternates = True
    colours = ("Max", "Min")
    bench = ((None, 1), ("(((1 5 6) (8 3)) (L (1 W)))", 1))

    def parse(self, text: str, options: Options) -> TreePosition:
        if text.lstrip().startswith("{"):
            text = _Dictionary(text).bracketed()
        first_players: set[str] = set()
        words = _words(text, first_players)
        root = _read_node(words, 0)
        last = next(words, "")
        if last:
            raise PositionError(last, "comes after the end of the tree")
        return TreePosition(self, root, int("min" in first_players))


def _words(text: str, first_players: set[str]) -> Iterator[str]:
    """Yield the words of a tree.  Each bracket is a word, and other brackets become round ones.

    Names of players, before a bracket (`MAX(`) or after the last one, are left out.  Each implies
    who moves at the root; this player is added to `first_players`.  Raises PositionError if two of
    the names contradict each other.
    """
    depth = 0
    for match in _WORD.finditer(text):
        word = _BRACKETS.get(match[0], match[0])
        name = (match["player"] or "").lower()
        if name in _CHANCE:
            raise PositionError(word, "chance nodes are not supported")
        if not name:
            depth += (word == "(") - (word == ")")
            yield word
            continue
        first_players.add(_PLAYERS[(_PLAYERS.index(name) + depth) % 2])
        if len(first_players) > 1:
            raise PositionError(word, "max and min must take turns from level to level")


class _Dictionary:
    """A tree that is written as a dictionary of JSON or Python."""

    def __init__(self, text: str) -> None:
        import ast  # imported here, like json, since few trees need them
        import json

        try:
            try:
                tree = json.loads(text)
            except ValueError:
                tree = ast.literal_eval(text.strip())
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            tree = None
        if not isinstance(tree, dict):
            raise PositionError(text, "is neither JSON nor a Python dictionary")
        self._count = 0
        # The names of an adjacency list, whose entries are lists of names or leaves.
        self._lists = tree
        lists = [part for part in tree.values() if isinstance(part, list)]
        known = {child for part in lists for child in part if isinstance(child, str)}
        self._roots: list[Any] = [name for name in tree if name not in known]
        if not known & tree.keys():
            self._roots, self._lists = [tree], {}

    def bracketed(self) -> str:
        """Return the tree with brackets; raise PositionError if it is malformed."""
        if len(self._roots) != 1:
            raise PositionError("", "exactly one node must have no parent")
        return self._node(self._roots[0], 0)

    def _node(self, value: Any, height: int) -> str:
        """Return a node as text, given its name in an adjacency list or its data."""
        if isinstance(value, str) and value in self._lists:
            part = self._lists[value]
            is_leaf = isinstance(part, str)  # even if the text is also the name of a node
            return _labelled(value, part if is_leaf else self._node(part, height))
        self._count += 1
        if height > MAX_HEIGHT or self._count > _MAX_NODES:
            raise PositionError("", f"the tree has over {MAX_HEIGHT} levels or {_MAX_NODES} nodes")
        if isinstance(value, list):
            return _inner([self._node(child, height + 1) for child in value])
        if not isinstance(value, dict):
            return str(value)
        if not value.keys() & {"children", "value"}:
            parts = [_labelled(name, self._node(each, height + 1)) for name, each in value.items()]
            return parts[0] if len(parts) == 1 and value is self._roots[0] else _inner(parts)
        kind = str(value.get("type") or value.get("player") or "").lower()
        player = kind if kind in _PLAYERS + _CHANCE else ""
        children = value.get("children")
        node = player + self._node(children, height) if children else str(value.get("value"))
        return _labelled(value.get("name") or value.get("label") or "", node)


def _inner(children: Iterable[str]) -> str:
    """Return an inner node."""
    return f"({' '.join(children)})"


def _labelled(name: object, node: str) -> str:
    """Return a labelled node.  Blanks, brackets, colons and commas in the label become `_`."""
    label = re.sub(r"[\s:()\[\],]+", "_", str(name))
    return f"{label}: {node}" if label else node


def _read_node(words: Iterator[str], height: int, word: str = "") -> ExplicitNode:
    """Read a node.  height: levels above it.  word: its first word, if that has been read."""
    word = word or next(words, "")
    if not word:
        raise PositionError("", "the tree is empty")
    label = ""
    if ":" in word:
        label, word = word.split(":", 1)
        if not label:
            raise PositionError(":", "a label needs a name")
        word = word or next(words, ")")
        if word == ")":
            raise PositionError(label + ":", "must be followed by a node")
    if word == ")":
        raise PositionError(")", "closes no bracket")
    node = ExplicitNode(label)
    if word != "(":
        node.value = _leaf_value(word)
        return node
    if height == MAX_HEIGHT:
        raise PositionError("(", f"the tree is more than {MAX_HEIGHT} levels deep")
    while (word := next(words, "")) != ")":
        if not word:
            raise PositionError("(", "a bracket is not closed")
        node.children.append(_read_node(words, height + 1, word))
    if not node.children:
        raise PositionError("()", "an inner node needs at least one child")
    _check_labels(node.children)
    return node


def _check_labels(siblings: list[ExplicitNode]) -> None:
    """Raise PositionError if two siblings have one name, which would make moves ambiguous."""
    names = {str(number) for number, node in enumerate(siblings, 1) if not node.label}
    for label in [node.label for node in siblings if node.label]:
        if label.lower() in names:
            raise PositionError(label + ":", "is also the label or the number of a sibling")
        names.add(label.lower())


def _leaf_value(word: str) -> Score:
    word = word.strip("'\"").translate(_MINUS)
    name = word.upper().lstrip("+").replace("INFINITY", "INF")
    if name in _INFINITE:
        return _INFINITE[name]
    if _FRACTION.fullmatch(word):
        raise PositionError(word, "must be a whole number: multiply all leaves by one factor")
    if not is_whole(word):
        raise PositionError(word, "is not a bracket, a leaf or a label")
    if len(word) > _MAX_DIGITS or abs(int(word)) >= MAX_SCORE:
        raise PositionError(word, f"a leaf must lie between {-MAX_SCORE} and {MAX_SCORE}")
    return int(word)


class TreePosition(Position):
    """A node of a tree."""

    def __init__(self, game: Game, root: ExplicitNode, side: Side) -> None:
        self.game, self.side = game, side
        self._node = root
        self._path: list[ExplicitNode] = []

    @property
    def key(self) -> Key:  # type: ignore[override]  # computed when read
        """Return a key that equal subtrees share; the search of trees doesn't use it."""
        return crc32(self.text().encode())

    def legal_moves(self) -> list[Move]:
        return list(range(len(self._node.children)))

    def make(self, move: Move) -> None:
        self._path.append(self._node)
        self._node = self._node.children[move]
        self.side ^= 1

    def undo(self) -> None:
        self._node = self._path.pop()
        self.side ^= 1

    def outcome(self) -> Outcome | None:
        value = self._node.value
        if value is None:
            return None
        margin = None if abs(value) == WIN else value
        winner = int(value < 0) if value else None
        return Outcome(winner, f"the leaf is {_RESULTS.get(value, value)}", margin)

    def text(self) -> str:
        return _write(self._node) + (" min" if self.side else "")

    def move_text(self, move: Move) -> str:
        return self._node.children[move].label or str(move + 1)

    def parse_move(self, text: str) -> Move:
        moves = self.legal_moves()
        names = {str(move + 1): move for move in moves}
        names.update({self.move_text(move).lower(): move for move in moves})
        name = text.strip().lower()
        if name not in names:
            raise MoveError(text, "is not a child of this node")
        return names[name]

    def notes(self) -> list[str]:
        leaves = self._node.children
        count = len(leaves)
        if count < 4 or count & (count - 1) or any(leaf.children for leaf in leaves):
            return []
        return [f"One level of {count} leaves: brackets make more levels, as in ((3 12) (8 2))"]

    def node_label(self) -> str:
        return self._node.label


def _write(node: ExplicitNode) -> str:
    """Return the text of a tree."""
    label = node.label + ":" if node.label else ""
    if node.children:
        return label + _inner(map(_write, node.children))
    return label + _RESULTS.get(node.value, str(node.value))


GAMES = [ExplicitTree()]
