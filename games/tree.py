"""Explicit game trees, as the lecture draws them: `(A:(3 5) B:(6 9)) min`.

An inner node is `( ... )` or `[...]` with its children; a leaf is an integer or `W` / `L`.
`NAME:` before a node labels it.  `max` or `min` after the last bracket says who moves at the
root.  Leaf values are for the maximiser, player 0.  A move is the index of a child; its text
is the child's label or, without a label, its number from 1.
"""

from __future__ import annotations

from collections import deque

from games.base import MAX_SCORE, WIN, Game, MoveError, Outcome, Position, PositionError
from games.options import ALGORITHM, TRACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.types import Key, Move, Options, Score, Side

LECTURE_TREE = "((((4 5) (3 2)) ((6 7) (8 9))) (((1 10) (2 11)) ((12 13) (14 14))))"

# Maximum depth of brackets.  The search of a deeper tree would exceed Python's recursion limit.
MAX_HEIGHT = 200

# Nested lists of Python or JSON, `[[3, 12], ["W", 4]]`, are trees, too.
_SIGNS = str.maketrans({"(": " ( ", ")": " ) ", "[": " ( ", "]": " ) ", ",": " "})

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
        self.children: list[ExplicitNode] = []
        self.value: Score | None = None


class ExplicitTree(Game):
    """Trees of numbers."""

    name = "tree"
    options = (TRACE, ALGORITHM)
    textbook = True
    alternates = True
    colours = ("Max", "Min")
    bench = ((None, 1), ("(((1 5 6) (8 3)) (L (1 W)))", 1))

    def start(self, options: Options) -> TreePosition:
        return self.parse(LECTURE_TREE, options)

    def parse(self, text: str, options: Options) -> TreePosition:
        words = text.translate(_SIGNS).split()
        side = 0
        if words and words[-1].lower() in ("max", "min"):
            side = int(words.pop().lower() == "min")
        return TreePosition(self, _read_tree(words), side)


def _read_tree(words: Sequence[str]) -> ExplicitNode:
    """Return the root of a tree given as words; each bracket is a word."""
    if not words:
        raise PositionError("", "the tree is empty")
    words_left = deque(words)
    root = _read_node(words_left, 0)
    if words_left:
        raise PositionError(words_left[0], "comes after the end of the tree")
    _check_labels(root)
    return root


def _read_node(words: deque[str], height: int) -> ExplicitNode:
    """Parse the node at the start of `words`, and remove its words.  height: levels above it."""
    label, word = "", words.popleft()
    if ":" in word:
        label, word = word.split(":", 1)
        if not label:
            raise PositionError(":", "a label needs a name")
        word = word or (words.popleft() if words else ")")
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
    while words and words[0] != ")":
        node.children.append(_read_node(words, height + 1))
    if not words:
        raise PositionError("(", "a bracket is not closed")
    words.popleft()
    if not node.children:
        raise PositionError("()", "an inner node needs at least one child")
    return node


def _check_labels(node: ExplicitNode) -> None:
    """Raise PositionError if siblings have the same label, which would make moves ambiguous."""
    seen: set[str] = set()
    for child in node.children:
        if child.label and child.label.lower() in seen:
            raise PositionError(child.label + ":", "is the label of two children of one node")
        if child.label.isascii() and child.label.isdigit() and len(child.label) < 8:
            index = int(child.label)
            if 1 <= index <= len(node.children) and not node.children[index - 1].label:
                raise PositionError(
                    child.label + ":", "is also the number of a child without a label"
                )
        seen.add(child.label.lower())
        _check_labels(child)


def _leaf_value(word: str) -> Score:
    letter = word.strip("'\"").upper()
    if letter in ("W", "L"):
        return WIN if letter == "W" else -WIN
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
        if abs(value) == WIN:
            return Outcome(0 if value > 0 else 1, f"the leaf is {'W' if value > 0 else 'L'}")
        winner = None if value == 0 else 0 if value > 0 else 1
        return Outcome(winner, f"the leaf is {value}", margin=value)

    def text(self) -> str:
        return _write(self._node) + (" min" if self.side else "")

    def move_text(self, move: Move) -> str:
        return self._node.children[move].label or str(move + 1)

    def parse_move(self, text: str) -> Move:
        name = text.strip()
        children = self._node.children
        for move, child in enumerate(children):
            if child.label and child.label.lower() == name.lower():
                return move
        if name.isascii() and name.isdigit() and len(name) < 8 and 1 <= int(name) <= len(children):
            return int(name) - 1
        raise MoveError(text, "is not a child of this node")

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
    value = node.value
    return label + ("W" if value == WIN else "L" if value == -WIN else str(value))


GAMES = [ExplicitTree()]
