"""The numbers that the chess search prunes and reduces by, in centipawns and plies.

docs/lab/chess.md tells which others were tried.
"""
from __future__ import annotations

from math import log

from games.base import MAX_SCORE

MAX_PLY = 120                   # deeper lines stand on their evaluation

# Reverse futility: this far above beta for each ply of depth, a node is given up as too good.
TOO_GOOD, TOO_GOOD_DEPTH = 75, 7
# Futility: quiet moves can't be expected to bring more than this.
FUTILE, FUTILE_STEP, FUTILE_DEPTH = 90, 85, 6
# Late move pruning: quiet moves tried at a node of depth 1, 2, ..., where the evaluation is improving or (first) not.
LATE = (0, 4, 8, 12, 20, 28, 40), (0, 8, 12, 20, 30, 44, 60)
NEVER = 999                     # more moves than any position has
# Captures that lose material are left out up to this depth.
BAD_DEPTH = 2
# Known endings are looked for when at most so many men more than in them stand at the root.
EXCHANGED = 8
# Delta: a capture can't be expected to bring more than its victim and this.
DELTA = 180

# Late moves are searched so many plies less deep: REDUCTIONS[depth][number of the move], the same from 63 on.
REDUCTIONS = [[int(0.55 + log(depth) * log(number) / 2.3) if depth and number else 0
               for number in range(64)] for depth in range(64)]
for _row in REDUCTIONS:
    _row += _row[-1:] * 192
# So much of a quiet move's history makes that a ply less, or more where it is below zero.
HISTORY_STEP = 3000


def quiet_limit(depth, node):
    """How many moves are tried before quiet ones are left out, by futility or late move pruning.

    node: see Kernel.successors in games/kernel.py.
    """
    alpha, _, beta, _, static, improving = node
    if depth <= FUTILE_DEPTH and static + FUTILE + FUTILE_STEP * depth <= alpha and -MAX_SCORE < beta < MAX_SCORE:
        return 1
    return LATE[improving][depth] if depth < len(LATE[0]) else NEVER
