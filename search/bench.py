"""The benchmark of the search, and perft, the standard test of move generation.

The benchmark searches fixed positions of all games to fixed depths, each with a fresh memory.
Its node count is the signature of the search: it is the same on every machine, interpreter
and run, and any change to search, move ordering or evaluation changes it.

Perft is the number of move sequences of a given length.  Only the rules of movement count: a
draw with legal moves left (repetition, fifty moves, lack of material) does not end a sequence.
"""

from __future__ import annotations

from games import registry
from search import context_of
from search.limits import Limits
from search.table import release
from search.think import think

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Game, Position
    from games.types import Move, Options
    from search.context import Context
    from search.report import Report

MEGABYTES = 16


def bench(
    context: Context, report: Callable[[Game, str, int], None], depth: int | None = None
) -> int:
    """Search the bench positions of all built-in games; return the total number of nodes.

    report(game, position text, nodes) is called after each position.
    depth: in plies; by default each position has a depth of its own (Game.bench).
    context: its `check` ends the benchmark by raising Stopped.
    """
    options = {option.name: option.default for option in registry.options()}
    total = 0
    for game in map(registry.get, registry.built_in()):
        for text, own_depth in game.bench:
            position = game.position(text, options)
            text_before = position.text()
            nodes = _search(position, options, depth or own_depth, context)
            total += nodes
            report(game, text_before, nodes)
    return total


def _search(position: Position, options: Options, depth: int, outer: Context) -> int:
    """Search one position; return the number of nodes.  Raise Stopped if bench() is stopped."""
    reports: list[Report] = []
    options = {**options, "OwnBook": False}
    context = context_of(position, Limits(depth=depth), options, None, MEGABYTES)
    context.watch.look = lambda seconds: outer.check(0)
    try:
        think(position, context, reports.append)
    finally:
        release(context.memory)
    if outer.watch.stop_requested:
        outer.check(0)
    return reports[-1].nodes


def perft(position: Position, depth: int, check: Callable[[int], object] | None = None) -> int:
    """Return the number of leaves at exactly `depth` plies.

    check(leaves) is called after each inner node with the number of leaves below that node.  It may
    raise an exception to end the count.
    """
    if depth <= 0:
        return 1
    moves = position.playable_moves()
    if depth == 1:
        return len(moves)
    leaves = sum(leaves for _, leaves in divide(position, depth, check))
    if check is not None:
        check(leaves)
    return leaves


def divide(
    position: Position, depth: int, check: Callable[[int], object] | None = None
) -> list[tuple[Move, int]]:
    """Return [(root move, number of leaves below it)]; the leaves are at `depth` plies (>= 1)."""
    counts = []
    for move in position.playable_moves():
        position.make(move)
        counts.append((move, perft(position, depth - 1, check)))
        position.undo()
    return counts
