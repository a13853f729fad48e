"""Minimax and alpha-beta as in a first lecture: child by child, from left to right.

There is no table and no move ordering, only one pass at full depth.  Values are for the
maximiser, player 0.  alpha is the value that the maximiser is already assured of, beta
the minimiser's.  Fail-soft: the value may lie outside the window.  Explicit trees are
searched this way, and scripts/tree draws the visited nodes.
"""

from __future__ import annotations

from games.base import INFINITY, WIN
from games.solver import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Position
    from games.types import Move, Score
    from search.context import Context

    Path = tuple[Move, ...]  # the moves that lead to a node
    # visit(path, alpha, beta): called on entry to a node.
    Visit = Callable[[Path, Score, Score], None]

# Nodes numbered between two checks of the clock.
_CHECK_EVERY = 256


def leaf_value(position: Position, depth: int | None) -> Score | None:
    """Return a leaf's value for the side to move; None if the search goes on below the node.

    depth: the plies left, None for no limit.
    """
    value = position.final_value()
    if value is None and not position.legal_moves():
        outcome = position.outcome()
        assert outcome is not None, "without a legal move the game is over"
        value = position.value_of(outcome)
    if value is None and depth == 0:
        value = position.evaluate()
    return value


def minimax(
    position: Position,
    depth: int | None = None,
    visit: Visit | None = None,
    prune: bool = True,
    null_windows: bool = False,
    moves: Sequence[Move] | None = None,
) -> tuple[Score, list[Move]]:
    """Return (value, principal variation) for the maximiser.

    depth: in plies, None for the whole tree.
    visit(path, alpha, beta) is called on entry to each node and may raise.
    prune: alpha-beta; False visits every node.  moves: the root moves to consider.
    null_windows: principal variation search (Marsland and Campbell, 1982), which takes fewer nodes.
    The first move of a node is searched with the full window.  The others are only tested for being
    better, with a null window of width 1; those that prove better are searched again.
    """
    path: list[Move] = []

    def child(move: Move, depth: int | None, alpha: Score, beta: Score) -> tuple[Score, list[Move]]:
        position.make(move)
        path.append(move)
        result = search(depth, alpha, beta, None)
        path.pop()
        position.undo()
        return result

    def search(
        depth: int | None, alpha: Score, beta: Score, moves: Sequence[Move] | None
    ) -> tuple[Score, list[Move]]:
        if visit is not None:
            visit(tuple(path), alpha, beta)
        maximises = position.side == 0
        value = leaf_value(position, depth)
        if value is not None:
            return (value if maximises else -value), []
        below = None if depth is None else depth - 1
        best = -INFINITY if maximises else INFINITY
        line: list[Move] = []
        for move in position.legal_moves() if moves is None else moves:
            window = alpha, beta
            if null_windows and line:
                window = (alpha, alpha + 1) if maximises else (beta - 1, beta)
            value, reply_line = child(move, below, *window)
            if window != (alpha, beta) and alpha < value < beta:
                value, reply_line = child(move, below, alpha, beta)  # better, so find its value
            if not line or (value > best if maximises else value < best):
                best, line = value, [move] + reply_line
            if prune:
                if maximises:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    break
        return best, line

    return search(depth, -INFINITY, INFINITY, moves)


class TextbookSearch:
    """The search of games that are explicit trees."""

    def __init__(self, position: Position, context: Context) -> None:
        self._position, self._context = position, context
        self._next_check = 0  # the node count at which to look at the clock
        self._nodes = self._deepest = 0

    def lines(self, count: int) -> list[Line]:
        """Return the best `count` Lines; the trace, if it is on, covers the first."""
        moves = list(self._context.root_moves)
        lines: list[Line] = []
        while moves and len(lines) < count:
            traced = not lines and bool(self._context.options.get("Trace"))
            lines.append(self._one(moves, traced))
            moves.remove(lines[-1].moves[0])
        return lines

    def counters(self) -> tuple[int, int, int]:
        """Return (nodes visited, deepest ply, 0 since there is no table)."""
        return self._nodes, self._deepest, 0

    def _one(self, moves: Sequence[Move], traced: bool) -> Line:
        """Return the best Line.

        traced: report each visit, with its window (None for an open end), and at the end the
        nodes that were not visited.
        """
        context = self._context
        seen: set[Path] = set()
        prune, tell = context.options.get("Algorithm") != "minimax", context.on_trace
        names = node_names(self._position, lambda: context.check(0)) if traced else {}

        def visit(path: Path, alpha: Score, beta: Score) -> None:
            self._nodes += 1
            self._deepest = max(self._deepest, len(path))
            if self._nodes >= self._next_check:
                self._next_check = context.check(self._nodes)
            if tell and names:
                seen.add(path)
                low = None if alpha == -INFINITY else alpha
                high = None if beta == INFINITY else beta
                tell(("visit", names[path], low, high))

        value, line = minimax(self._position, None, visit, prune, moves=moves)
        if tell and names:
            tell(("pruned", [name for path, name in names.items() if path not in seen]))
        score = value if self._position.side == 0 else -value
        if abs(score) == WIN:  # minimax() doesn't count the plies to a win, a Line's score does
            score = (WIN - len(line)) * (1 if score > 0 else -1)
        return Line(score, line, max(self._deepest, 1), exact=True)


def node_names(position: Position, check: Callable[[], object]) -> dict[Path, str]:
    """Return {moves that lead to a node: its label, else its number in level order, from 0}.

    In level order.  check: called for every _CHECK_EVERY nodes; it may raise.
    """
    labels: dict[Path, str] = {}

    def add(path: Path) -> None:
        labels[path] = position.node_label()
        if len(labels) % _CHECK_EVERY == 0:
            check()
        for move in position.legal_moves():
            position.make(move)
            add((*path, move))
            position.undo()

    add(())
    in_order = sorted(labels, key=len)  # stable: from left to right in each level
    return {path: labels[path] or str(number) for number, path in enumerate(in_order)}
