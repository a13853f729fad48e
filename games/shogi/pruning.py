"""The pruning and reductions of the shogi search: margins in centipawns, depths in plies."""

from __future__ import annotations

from math import log

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import NodeData

MAX_PLY = 120  # lines end at this ply, with the static evaluation
NO_LIMIT = 999  # more moves than any position has
IIR_FROM, NULL_MOVE_FROM = 4, 2
# Reverse futility pruning: up to this depth, a node is cut if its evaluation exceeds beta by the
# margin times the depth.
REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_DEPTH = 110, 7
# Futility pruning: up to this depth, quiet moves are not expected to gain more than the base plus
# the step times the depth.
_FUTILITY_BASE, _FUTILITY_STEP, _FUTILITY_DEPTH = 120, 160, 4
# Late move pruning: after this number of moves, by depth, quiet moves are pruned.  The first tuple
# applies if the evaluation is not improving, the second if it is.
_LATE_MOVE_COUNTS = (0, 6, 10, 16, 26, 38, 54), (0, 10, 16, 26, 40, 60, 80)
SEE_PRUNING_DEPTH = 2  # up to this depth, moves that lose material are pruned
NEAR_DEPTH = 3  # up to this depth, pieces other than pawns are dropped only near the kings
DELTA_MARGIN = 260  # a capture is not expected to gain more than its victim plus this
EXTENDED_CHECKS = 4  # checks are extended only among this number of a node's first moves
# Below this depth the table isn't probed for a child that its evaluation alone would cut.
KNOWN_CHILD_DEPTH = 2
# A side whose checks repeat a position loses; the score stays below that of a mate.
PERPETUAL = 20_000
REPETITION_PLIES = 24  # a search looks this far back for a repetition

# Late move reductions: REDUCTIONS[depth][move number] in 1024ths of a ply.
PLY_SHIFT = 10
_PLY = 1 << PLY_SHIFT
REDUCTIONS = [
    [
        int(_PLY * (0.45 + log(depth) * log(number) / 1.95)) if depth and number else 0
        for number in range(64)
    ]
    for depth in range(64)
]
for _row in REDUCTIONS:
    _row += _row[-1:] * 600  # a position has at most 593 moves
NOT_IMPROVING_REDUCTION, PV_REDUCTION, CAPTURE_REDUCTION = (
    int(share * _PLY) for share in (0.8, -0.55, -0.27)
)
# The reduction of a quiet move is one ply less for each HISTORY_PER_PLY of its history score.
HISTORY_PER_PLY = 2850


def null_reduction(depth: int, excess: int) -> int:
    """Return the depth reduction of a null move; excess: static evaluation minus beta."""
    return int(3.0 + depth / 2.9 + min(3.0, excess / 350))


def move_count_limit(depth: int, node: NodeData) -> int:
    """Return the number of moves to try before quiet moves are pruned, NO_LIMIT for no pruning.

    1 means futility pruning.  node: see Kernel.successors in games/kernel.py.
    """
    alpha, _, beta, _, static, improving = node
    if (
        depth <= _FUTILITY_DEPTH
        and -MAX_SCORE < beta < MAX_SCORE
        and static + _FUTILITY_BASE + _FUTILITY_STEP * depth <= alpha
    ):
        return 1
    counts = _LATE_MOVE_COUNTS[improving]
    return counts[depth] if depth < len(counts) else NO_LIMIT
