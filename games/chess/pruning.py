"""What the chess search prunes and reduces by: margins in centipawns, depths in plies.

docs/lab/chess.md lists the other values that were tried.
"""
from __future__ import annotations

from math import log

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Node

MAX_PLY = 120                   # deeper lines are cut at their evaluation
NO_LIMIT = 999                  # more moves than any position has

# Reverse futility pruning: so far above beta for each ply of depth a node is cut.
REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_DEPTH = 75, 7
# Futility pruning: quiet moves are not expected to gain more than this.
FUTILITY_BASE, FUTILITY_STEP, FUTILITY_DEPTH = 90, 85, 6
# Late move pruning: how many moves are tried before the quiet ones are pruned, by
# depth; first where the evaluation is not improving, then where it is.
LATE_MOVE_COUNTS = (0, 4, 8, 12, 20, 28, 40), (0, 8, 12, 20, 30, 44, 60)
# Captures that lose material by SEE are pruned up to this depth.
SEE_PRUNING_DEPTH = 2
# Delta pruning: a capture is not expected to gain more than its victim and this.
DELTA_MARGIN = 180

# Late move reductions: REDUCTIONS[depth][move number], the same from 63 on.
REDUCTIONS = [[int(0.55 + log(depth) * log(number) / 2.3) if depth and number else 0
               for number in range(64)] for depth in range(64)]
for _row in REDUCTIONS:
    _row += _row[-1:] * 192
# A quiet move's history changes its reduction by a ply for each multiple of this.
HISTORY_PER_PLY = 3000


def move_count_limit(depth: int, node: Node) -> int:
    """How many moves are tried before the quiet ones are pruned.

    By futility pruning the first, else by late move pruning.  node: see
    Kernel.successors in games/kernel.py.
    """
    alpha, _, beta, _, static, improving = node
    if depth <= FUTILITY_DEPTH and -MAX_SCORE < beta < MAX_SCORE and (
            static + FUTILITY_BASE + FUTILITY_STEP * depth <= alpha):
        return 1
    counts = LATE_MOVE_COUNTS[improving]
    return counts[depth] if depth < len(counts) else NO_LIMIT
