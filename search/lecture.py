"""Adapters through which the engine plays by the searches of textbook.py and negamax.py.

Explicit trees are searched whole by textbook.py.  In every other game the option Algorithm can
choose negamax.py.  The option's value `negamax` means alpha-beta alone; each name in TECHNIQUES
adds a technique to those before it.
"""

from __future__ import annotations

from games.base import INFINITY, MAX_SCORE, WIN
from games.options import TECHNIQUES
from games.solver import Line
from search.limits import Stopped
from search.negamax import Negamax
from search.root import last_depth
from search.textbook import minimax

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.base import Position
    from games.types import Move, Options, Score
    from search.context import Context
    from search.textbook import Path
    from search.think import SearchAnswer

# node_names() checks the clock each time it has named this many nodes.
_CHECK_EVERY = 256


def chosen_techniques(options: Options) -> Sequence[str] | None:
    """Return the techniques that the option Algorithm chooses; None for the engine's own search."""
    algorithm, names = options.get("Algorithm"), ("negamax", *TECHNIQUES)
    return TECHNIQUES[: names.index(algorithm)] if algorithm in names else None


def search_tree(position: Position, context: Context, answer: SearchAnswer) -> None:
    """Search an explicit tree by textbook.py, and fill the answer."""
    _follow(tree_lines(position, context), context, answer)


def deepen_by_negamax(position: Position, context: Context, answer: SearchAnswer) -> None:
    """Search deeper and deeper with the techniques that the options choose; fill the answer."""
    _follow(negamax_lines(position, context, answer.candidates), context, answer)


def _follow(lines: Iterator[Line], context: Context, answer: SearchAnswer) -> None:
    """Make each line the answer; when stopped, report the latest lines with the final counts."""
    try:
        for line in lines:
            answer.take(line)
        answer.reach(context.limits.depth_to_report())
    except Stopped:
        answer.set(answer.lines)
    answer.set_any(context.root_moves[0])


# ---- explicit trees ------------------------------------------------------------------


def tree_lines(position: Position, context: Context) -> Iterator[Line]:
    """Yield the best Lines of an explicit tree, as many as MultiPV says.

    With the option Trace, the search for the first Line passes events to context.on_trace:
    ("visit", node, alpha, beta) at each visit, with None for an infinite bound, and
    ("pruned", unvisited nodes) at the end.
    """
    moves, options = list(context.root_moves), context.options
    tell = context.on_trace if options.get("Trace") else None
    names = node_names(position, lambda: context.check(0)) if tell else {}
    unseen = dict(names)
    nodes = deepest = next_check = 0

    def visit(path: Path, alpha: Score, beta: Score) -> None:
        nonlocal nodes, deepest, next_check
        nodes, deepest = nodes + 1, max(deepest, len(path))
        if nodes >= next_check:
            next_check = context.check(nodes)
        if tell and rank == 1:
            unseen.pop(path, None)
            low, high = (None if abs(bound) == INFINITY else bound for bound in (alpha, beta))
            tell(("visit", names[path], low, high))

    for rank in range(1, min(options.get("MultiPV", 1), len(moves)) + 1):
        prune = options.get("Algorithm") != "minimax"
        value, line = minimax(position, None, visit, prune, moves=moves)
        if tell and rank == 1:
            tell(("pruned", list(unseen.values())))
        score = _with_plies(value if position.side == 0 else -value, len(line))
        context.watch.nodes = nodes
        yield Line(score, line, max(deepest, 1), exact=True, multipv=rank)
        moves.remove(line[0])


def node_names(position: Position, check: Callable[[], object]) -> dict[Path, str]:
    """Return {moves that lead to a node: its label, or its number in level order from 0}.

    The dict is in level order.  check(): called once per _CHECK_EVERY nodes; it may raise.
    """
    labels: dict[Path, str] = {}

    def visit(path: Path, alpha: Score, beta: Score) -> None:
        labels[path] = position.node_label()
        if len(labels) % _CHECK_EVERY == 0:
            check()

    minimax(position, None, visit, prune=False)
    in_order = sorted(labels, key=len)  # a stable sort: each level stays in order, left to right
    return {path: labels[path] or str(number) for number, path in enumerate(in_order)}


# ---- negamax -------------------------------------------------------------------------


def negamax_lines(position: Position, context: Context, count: int) -> Iterator[Line]:
    """Yield the best `count` Lines of depth 1, of depth 2 and so on, until the game is decided.

    Raises Stopped if the time is spent before the last depth is reached.
    """
    techniques = chosen_techniques(context.options) or ()
    search, moves = Negamax(position, techniques, context.check), list(context.root_moves)
    for depth in range(1, last_depth(position, context) + 1):
        lines: list[Line] = []
        for rank in range(1, min(count, len(moves)) + 1):
            lines.append(_best_line(search, moves[rank - 1 :], depth, rank))
            moves.remove(lines[-1].moves[0])
            moves.insert(rank - 1, lines[-1].moves[0])
        context.watch.nodes = search.nodes
        yield from lines
        if abs(lines[0].score) > MAX_SCORE:
            return
        if context.watch.deadlines.spent():
            raise Stopped


def _best_line(search: Negamax, moves: Sequence[Move], depth: int, rank: int) -> Line:
    """Return the Line of the best of `moves` at `depth`.  rank: the Line's `multipv`."""
    best, line = -INFINITY, [moves[0]]
    for move in moves:
        score = search.child(move, depth - 1, best, INFINITY, 0)
        if score > best:
            best, line = score, [move, *search.lines[1]]
    return Line(_with_plies(best, depth), line, depth, multipv=rank)


def _with_plies(value: Score, plies: int) -> Score:
    """Return a searched value as a Line's score: WIN - n for a win in n plies."""
    if abs(value) != WIN:
        return value
    return value - plies if value > 0 else value + plies
