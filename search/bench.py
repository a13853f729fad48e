"""The benchmark: fixed positions of all games at fixed depths, each with a fresh memory.

Its node count is the signature of the search: the same on every machine, interpreter and run, and changed by
every change of search, ordering or evaluation.
"""
from __future__ import annotations

from games import registry
from search.clock import Clock
from search.context import Context
from search.root import think
from search.limits import Limits
from search.table import release

MEGABYTES = 16


def positions():
    """[(game, position text or None, depth)] of the built-in games."""
    return [(game, text, depth) for game in map(registry.get, registry.built_in()) for text, depth in game.bench]


def bench(context, tell, depth=None):
    """Total nodes over all positions, each to its own depth or to `depth`.

    tell(game, position text, nodes) comes after each.  context: where to learn that it has to stop.
    """
    options = {option.name: option.default for option in registry.options()}
    total = 0
    for game, text, own_depth in positions():
        position = game.start(options) if text is None else game.parse(text, options)
        shown = position.text()
        nodes = _search(position, options, depth or own_depth, context)
        total += nodes
        tell(game, shown, nodes)
    return total


def _search(position, options, depth, outer):
    """Nodes of one search, which stops when the outer context does."""
    limits = Limits(depth=depth)
    options = dict(options, OwnBook=False)
    context = _Inner(limits, Clock(limits, position.side), options, {}, MEGABYTES, position.legal_moves())
    context.outer = outer
    nodes = [0]

    def report(told):
        nodes[0] = max(nodes[0], told.nodes)

    try:
        think(position, context, report)
    finally:
        release(context.memory)
    if outer.stop_requested:
        outer.check(0)
    return nodes[0]


class _Inner(Context):
    """A search inside the benchmark: stopped with it."""

    def check(self, nodes):
        self.stop_requested = self.outer.stop_requested
        return super().check(nodes)
