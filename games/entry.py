"""The layouts of transposition table entries, which searches and solvers use in place.

    SCORED      for a search with a horizon
                two words per slot: key ^ data, and the data: score | move | depth | bound
    INTERVAL    for an exact search that stores moves
                one word per slot: key | proven | move | greatest value | least value
    PACKED      for an exact search that stores no moves
                one word per slot: key | greatest value | least value

An entry that was never written is 0.  search/table.py allocates the words.
If a slot has two words, a search reads the data once, and checks with the first word whether
the data belongs to the key.
"""

from __future__ import annotations

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Score

# The kinds of bounds.  LOWER: the value is at least the score.  UPPER: the value is at most the
# score.  EXACT: the value is the score.
LOWER, UPPER = 1, 2
EXACT = BOUND_MASK = LOWER | UPPER

# SCORED, from the lowest bits up: bound, depth, move (0: no move; games in which 0 is a move store
# move + 1), score + SCORE_BIAS.
_DEPTH_BITS, _MOVE_BITS = 9, 21
DEPTH_SHIFT, DEPTH_MASK = 2, (1 << _DEPTH_BITS) - 1
MOVE_SHIFT, MOVE_MASK = DEPTH_SHIFT + _DEPTH_BITS, (1 << _MOVE_BITS) - 1
SCORE_SHIFT, SCORE_BIAS = MOVE_SHIFT + _MOVE_BITS, 1 << 30
SOLVED = DEPTH_MASK  # depth of a score that doesn't depend on the horizon

# INTERVAL, from the lowest bits up: the least and the greatest possible value (+ VALUE_BIAS),
# move + 1 (0: no move), whether the value is proven, key >> CHECK_SHIFT.  These keys are below
# 2**61; in a table of 2**CHECK_SHIFT slots or more, the slot implies the key's low bits.
VALUE_BIAS, VALUE_MASK = 64, 255
MAX_SHIFT = 8
CHOICE_SHIFT = 16
CHOICE_MASK = 127
PROVEN = 1 << 23
ENTRY_BITS, CHECK_SHIFT = 24, 22

# PACKED, from the lowest bits up: the least and the greatest possible value (+ PACKED_BIAS), key.
PACKED_BIAS, PACKED_MASK = 22, 63
PACKED_SHIFT, KEY_SHIFT = 6, 12


def score_from_table(score: Score, ply: int) -> Score:
    """Convert a table's score to the search's, which counts the plies to a win from the root.

    The table counts them from the node: a win n plies from a node at `ply` is n + ply plies from
    the root.
    """
    if score > MAX_SCORE:
        return score - ply
    if score < -MAX_SCORE:
        return score + ply
    return score


def score_to_table(score: Score, ply: int) -> Score:
    """Convert a search's score to the table's, which counts the plies to a win from the node."""
    return score_from_table(score, -ply)
