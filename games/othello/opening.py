"""Opening moves between which there is little to choose."""
from __future__ import annotations

from games.othello.kernel import DISC, INFINITY, build
from games.othello.lanes import LANES

# The first plies of the game, the depth to which each move is looked at, and what may be given away by a choice.
_PLIES = 12
_DEPTH = 6
_MARGIN = DISC
_START_EMPTIES = 60
_TABLE_MEGABYTES = 1


def near_equal(position, context):
    """The moves that a shallow search finds at most a disc worse than the best; none after the opening."""
    moves = LANES.moves(position.own, position.opp)
    if position.empties <= _START_EMPTIES - _PLIES or not moves:
        return []
    table = context.table("othello.opening", 0.0, extra=_TABLE_MEGABYTES)
    table.clear()           # so that the choice does not depend on what was searched before
    core = context.tree_search(position, _without_probcut, table, _unlimited)
    scores = [core.try_move(move, 1, _DEPTH - 1, -INFINITY, INFINITY) for move in moves]
    return [move for move, score in zip(moves, scores) if score >= max(scores) - _MARGIN]


def _unlimited(nodes):
    return nodes + (1 << 30)


def _without_probcut(position, context, tree):
    return build(position, tree, probcut=False)
