"""Explicit game trees, as lectures draw them: `(A:(3 5) B:(6 9)) min`.

An inner node is `( ... )` or `[...]` with its children; a leaf is an integer or `W` / `L` (or
`inf` / `-inf`).  `NAME:` before a node labels it.  `max` or `min` after the last bracket, or before
the first one, says who moves at the root.  Leaf values are for the maximiser, player 0.  A move is
the index of a child; its text is the child's label or, without a label, its number from 1.

Other forms, as courses write them: `MAX(MIN(3,12,8),MIN(2,4,6))`, and dictionaries of JSON or
Python: nested ones `{"A": {"B": 3, "C": 5}}`, adjacency lists `{"A": ["B", "C"], "B": 3, "C": 5}`,
and nodes with `children` or `value` and perhaps a `name`.
"""

from __future__ import annotations

import re

from games.base import MAX_SCORE, WIN, Game, MoveError, Outcome, Position, PositionError
from games.options import ALGORITHM, TRACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
    rf"(?P<player>{'|'.join(_PLAYERS + _CHANCE)})(?=[\s,]*[(\[])|[()\[\]]|[^\s,()\[\]]+",
    re.IGNORECASE,
)
_MAX_NODES = 100_000  # limit for dictionaries, in which an entry may stand for many nodes

_RESULTS: dict[Score | None, str] = {WIN: "W", -WIN: "L"}

# Keys are computed modulo this prime below 2**61.
_PRIME = 2305843009213693921


class ExplicitNode:
    """A node of a tree.

    label: "" without a label.  children: empty in a leaf.
    value: a leaf's value for the maximiser; None in an inner node.
    """

    __slots__ = ("label", "children", "value", "key")

    def __init__(self, label: str) -> None:
        self.label, self.key = label, 0
        self.children: Sequence[ExplicitNode] = ()
        self.value: Score | None = None


class ExplicitTree(Game):
    """The game of an explicit tree; the numbers of the leaves are its results."""

    name = "tree"
    options = (TRACE, ALGORITHM)
    textbook = True
    longest_text = 1 << 28
    alternates = True
    colours = ("Max", "Min")
    bench = ((None, 1), ("(((1 5 6) (8 3)) (L (1 W)))", 1))

    def start(self, options: Options) -> TreePosition:
        return self.parse(LECTURE_TREE, options)

    def parse(self, text: str, options: Options) -> TreePosition:
        if text.lstrip().startswith("{"):
            text = _Dictionary(text).bracketed()
        players: dict[int, str] = {}
        words = _words(text, players)
        root = _read_node(words, 0)
        last = next(words, "")
        if last.lower() not in ("", *_PLAYERS) or next(words, ""):
            raise PositionError(last, "comes after the end of the tree")
        _check_labels(root)
        return TreePosition(self, root, int("min" in (players.get(0), last.lower())))


def _words(text: str, players: dict[int, str]) -> Iterator[str]:
    """Yield the words of a tree.  Each bracket is a word, and other brackets become round ones.

    Players before brackets (`MAX(`) are left out and stored as {nesting depth: player}.
    Raises PositionError if the players don't take turns.
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
        elif any((known == name) == (depth - at) % 2 for at, known in players.items()):
            raise PositionError(word, "max and min must take turns from level to level")
        else:
            players[depth] = name


class _Dictionary:
    """A tree that is written as a dictionary of JSON or Python."""

    def __init__(self, text: str) -> None:
        import ast  # imported here, like json, since few trees need them
        import json

        self._count = 0
        try:
            try:
                self._value = json.loads(text)
            except ValueError:
                self._value = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            raise PositionError(text, "is neither JSON nor a Python dictionary") from None
        # The names of an adjacency list, whose entries are lists of names or leaves.
        self._lists = self._value if isinstance(self._value, dict) else {}
        known = {
            child
            for part in self._lists.values()
            if isinstance(part, list)
            for child in part
            if isinstance(child, str)
        }
        self._roots = [name for name in self._lists if name not in known]
        if not known & self._lists.keys():
            self._roots, self._lists = [self._value], {}

    def bracketed(self) -> str:
        """Return the tree with brackets; raise PositionError if it is malformed."""
        if len(self._roots) != 1:
            raise PositionError("", "exactly one node must have no parent")
        return self._node(self._roots[0], 0)

    def _node(self, value: Any, height: int) -> str:
        """Return a node as text, given its name in an adjacency list or its data."""
        if isinstance(value, str) and value in self._lists:
            part = self._lists[value]
            is_leaf = isinstance(part, str)  # even if it is also a node's name
            return _labelled(value, part if is_leaf else self._node(part, height))
        self._count += 1
        if height > MAX_HEIGHT or self._count > _MAX_NODES:
            raise PositionError("", f"the tree has over {MAX_HEIGHT} levels or {_MAX_NODES} nodes")
        if isinstance(value, list):
            return self._inner([self._node(child, height + 1) for child in value])
        if not isinstance(value, dict):
            return str(value)
        if not value.keys() & {"children", "value"}:
            parts = [_labelled(name, self._node(each, height + 1)) for name, each in value.items()]
            return parts[0] if len(parts) == 1 and height == 0 else self._inner(parts)
        player = str(value.get("type") or value.get("player") or "").lower()
        if player in _CHANCE:
            raise PositionError(player, "chance nodes are not supported")
        children = [self._node(child, height + 1) for child in value.get("children") or ()]
        node = self._inner(children) if children else str(value.get("value"))
        name = str(value.get("name") or value.get("label") or "")
        tail = f" {player}" if player in _PLAYERS and height == 0 else ""
        return _labelled(name, node) + tail

    def _inner(self, children: Sequence[str]) -> str:
        return f"({' '.join(children)})"


def _labelled(name: object, node: str) -> str:
    """Return a labelled node.  Blanks, brackets, colons and commas in the label become `_`."""
    label = re.sub(r"[\s:()\[\],]+", "_", str(name))
    return f"{label}:{node}" if label else node


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
    children: list[ExplicitNode] = []
    node.children = children
    while (word := next(words, "")) != ")":
        if not word:
            raise PositionError("(", "a bracket is not closed")
        children.append(_read_node(words, height + 1, word))
    if not children:
        raise PositionError("()", "an inner node needs at least one child")
    return node


def _check_labels(node: ExplicitNode) -> None:
    """Raise PositionError if siblings have the same label, which would make moves ambiguous."""
    numbers = {str(number) for number, child in enumerate(node.children, 1) if not child.label}
    seen: set[str] = set()
    for child in node.children:
        label = child.label.lower()
        if label in seen:
            raise PositionError(child.label + ":", "is the label of two children of one node")
        if label in numbers:
            raise PositionError(child.label + ":", "is also the number of a child without a label")
        if label:
            seen.add(label)
        _check_labels(child)


def _leaf_value(word: str) -> Score:
    word = word.strip("'\"").translate(_MINUS)
    name = word.upper().lstrip("+").replace("INFINITY", "INF")
    if name in ("W", "L", "INF", "-INF"):
        return WIN if name in ("W", "INF") else -WIN
    if _FRACTION.fullmatch(word):
        raise PositionError(word, "must be a whole number: multiply all leaves by one factor")
    try:
        value = int(word) if len(word) < 12 and "_" not in word else MAX_SCORE + 1
    except ValueError:
        raise PositionError(word, "is not a bracket, a leaf or a label") from None
    if abs(value) >= MAX_SCORE:
        raise PositionError(word, f"a leaf must lie between {-MAX_SCORE} and {MAX_SCORE}")
    return value


class TreePosition(Position):
    """A node of a tree."""

    def __init__(self, game: Game, root: ExplicitNode, side: Side) -> None:
        self.game, self.side = game, side
        self._node = root
        self._path: list[ExplicitNode] = []
        _set_keys(root)

    @property
    def key(self) -> Key:  # type: ignore[override]  # computed when read
        return self._node.key ^ self.side

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
        labels = [self.move_text(move).lower() for move in moves]
        numbers = [str(move + 1) for move in moves]
        name = text.strip().lower()
        for names in (labels, numbers):
            if name in names:
                return names.index(name)
        raise MoveError(text, "is not a child of this node")

    def notes(self) -> list[str]:
        leaves = self._node.children
        count = len(leaves)
        if count < 4 or count & (count - 1) or any(leaf.children for leaf in leaves):
            return []
        return [f"One level of {count} leaves: brackets make more levels, as in ((3 12) (8 2))"]

    def node_label(self) -> str:
        return self._node.label


def _set_keys(node: ExplicitNode) -> None:
    """Set the keys of a node and of all nodes below it; equal subtrees have equal keys."""
    mixed = 7 if node.value is None else 2 * node.value + (1 << 40)
    for child in node.children:
        _set_keys(child)
        mixed = (mixed * 0x1F3D5B79A3C5E7 + child.key) % _PRIME
    for letter in node.label:
        mixed = (mixed * 0x5851F42D4C957F + ord(letter)) % _PRIME
    node.key = mixed * 0x9E3779B97F4A7 % _PRIME << 1


def _write(node: ExplicitNode) -> str:
    """Return the text of a tree."""
    label = node.label + ":" if node.label else ""
    if node.children:
        return f"{label}({' '.join(map(_write, node.children))})"
    return label + _RESULTS.get(node.value, str(node.value))


GAMES = [ExplicitTree()]
