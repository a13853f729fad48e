"""The pruning and reductions of the chess search: margins in centipawns, depths in plies.

docs/lab/chess.md lists the other values that were tested.
"""

from __future__ import annotations

from math import log

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import NodeData

MAX_PLY = 120  # lines end at this ply, with the static evaluation
NO_LIMIT = 999  # more moves than any position has

# Internal iterative reduction and null move pruning are used from these depths on.
IIR_FROM, NULL_MOVE_FROM = 4, 2
# Reverse futility pruning: up to this depth, a node is cut if its evaluation exceeds beta by the
# margin times the depth.
REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_DEPTH = 41, 7
# Futility pruning: up to this depth, quiet moves are not expected to gain more than the base plus
# the step times the depth.
FUTILITY_BASE = 42
FUTILITY_STEP = 96
FUTILITY_DEPTH = 4
# Late move pruning: after this number of moves, by depth, quiet moves are pruned.  The first tuple
# applies if the evaluation is not improving, the second if it is.
LATE_MOVE_COUNTS = (0, 4, 8, 12, 20, 28, 40), (0, 8, 12, 20, 30, 44, 60)
# Captures that lose material by SEE are pruned up to this depth.
SEE_PRUNING_DEPTH = 2
# Delta pruning: a capture is not expected to gain more than its victim plus this.
DELTA_MARGIN = 180

# Late move reductions: REDUCTIONS[depth][move number] in 1024ths of a ply.  From 63 on, depth and
# move number make no difference.
PLY_SHIFT = 10
_PLY = 1 << PLY_SHIFT
REDUCTIONS = [
    [
        int(_PLY * (0.48 + log(depth) * log(number) / 1.95)) if depth and number else 0
        for number in range(64)
    ]
    for depth in range(64)
]
for _row in REDUCTIONS:
    _row += _row[-1:] * 448  # enough for 512 moves: Crazyhouse has positions with 300
# Added to the reduction.  NOT_IMPROVING_REDUCTION: for quiet moves if the evaluation is not
# improving.  PV_REDUCTION: for all moves in PV nodes and in check.  CAPTURE_REDUCTION: for
# captures.
NOT_IMPROVING_REDUCTION, PV_REDUCTION, CAPTURE_REDUCTION = (
    int(share * _PLY) for share in (0.8, -0.55, -0.27)
)
# From this depth on, a child with an entry in the table is searched, even if its evaluation alone
# would cut it.  Below this depth the table isn't probed for children: an entry is hardly ever in
# the processor's cache, so probing is slow.
KNOWN_CHILD_DEPTH = 2
# Checks are extended only among the first EXTENDED_CHECKS moves of a node.
EXTENDED_CHECKS = 3
# The reduction of a quiet move is one ply less for each HISTORY_PER_PLY of its history score.
HISTORY_PER_PLY = 2850


def null_reduction(depth: int, excess: int) -> int:
    """Return the depth reduction of a null move.

    excess: margin by which the static evaluation exceeds beta.
    """
    return int(3.0 + depth / 2.9 + min(3.0, excess / 163))


def move_count_limit(depth: int, node: NodeData) -> int:
    """Return the number of moves to try before quiet moves are pruned, NO_LIMIT for no pruning.

    1 means futility pruning, any other number late move pruning.
    node: see Kernel.successors in games/kernel.py.
    """
    alpha, _, beta, _, static, improving = node
    if (
        depth <= FUTILITY_DEPTH
        and -MAX_SCORE < beta < MAX_SCORE
        and (static + FUTILITY_BASE + FUTILITY_STEP * depth <= alpha)
    ):
        return 1
    counts = LATE_MOVE_COUNTS[improving]
    return counts[depth] if depth < len(counts) else NO_LIMIT
