"""Pruning and reductions of a search with quiescence: margins in centipawns, depths in plies.

Chess and shogi share them; each game has its own margins.  docs/lab/chess.md lists the other values
that were tested.
"""

from __future__ import annotations

from math import log

from games.base import MAX_SCORE
from games.data import Fields
from games.ordering import SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.kernel import Kernel
    from games.types import Key, NodeData, Table, Tree

    StaysAbove = Callable[[int, int, bool, Key, Sequence[Key]], bool]

# Lines end at this ply, with the static evaluation.
LAST_PLY = 120
# More moves than any position has.
NO_LIMIT = 999

# Internal iterative reduction and null move pruning are used from these depths on.
_IIR_FROM, _NULL_MOVE_FROM = 4, 2
# Reverse futility pruning: up to this depth, a node is cut if its evaluation exceeds beta by a
# margin times the depth.
_REVERSE_FUTILITY_DEPTH = 7
# Futility pruning: up to this depth, quiet moves are not expected to gain more than a base plus a
# step times the depth.
_FUTILITY_DEPTH = 4
SEE_PRUNING_DEPTH = 2  # up to this depth, moves that lose material are pruned

# Reductions are in 1024ths of a ply.  Depths and move numbers above 63 count as 63.
PLY_SHIFT = 10
_PLY = 1 << PLY_SHIFT
# Added to the reduction: for quiet moves if the evaluation is not improving; for all moves in PV
# nodes and in check; for captures.
_NOT_IMPROVING, _PV, _CAPTURE = (int(share * _PLY) for share in (0.8, -0.55, -0.27))
# EXTRA_REDUCTIONS[in a PV node or in check?][improving?]: the sum of these terms that applies to
# quiet moves, and the sum that applies to captures.
EXTRA_REDUCTIONS = [[(pv + _NOT_IMPROVING, pv + _CAPTURE), (pv, pv + _CAPTURE)] for pv in (0, _PV)]
# The history score for which a quiet move is reduced by one part (a 1024th of a ply) less.  A score
# of 2850 makes a whole ply.
HISTORY_PER_PART = 2850 * SCORE >> PLY_SHIFT
# From this depth on, a child with an entry in the table is searched, even if its evaluation alone
# would cut it.  Below this depth the table isn't probed for children: an entry is hardly ever in
# the processor's cache, so probing is slow.
_KNOWN_CHILD_DEPTH = 2


class Pruning(Fields):
    """The pruning of one game, by its margins.

    reverse_futility: the margin per ply.  futility: (base, step per ply).
    late_moves: by depth, the number of moves after which late move pruning prunes quiet moves.
        The first tuple applies if the evaluation is not improving, the second if it is.
    null_move: the excess of the evaluation over beta that reduces a null move by another ply.
    reduction: the constant part, in plies, of a late move's reduction.
    reductions[depth][move number]: late move reductions.
    """

    reverse_futility: int
    futility: tuple[int, int]
    late_moves: tuple[Sequence[int], Sequence[int]]
    null_move: int
    reduction: float

    def __post_init__(self) -> None:
        """Build the table of reductions."""
        logs = [log(max(number, 1)) for number in range(64)]
        self.reductions = [
            [int(_PLY * (self.reduction + row * column / 1.95)) for column in logs] for row in logs
        ]
        for row in self.reductions:
            row += row[-1:] * 600  # a position of shogi has up to 593 moves

    def null_reduction(self, depth: int, excess: int) -> int:
        """Return the depth reduction of a null move; excess: static evaluation minus beta."""
        return int(3.0 + depth / 2.9 + min(3.0, excess / self.null_move))

    def move_count_limit(self, depth: int, node: NodeData) -> int:
        """Return the number of moves to try before quiet moves are pruned, NO_LIMIT for no pruning.

        1 means futility pruning, any other number late move pruning.
        node: see Kernel.successors in games/kernel.py.
        """
        alpha, _, beta, _, static, improving = node
        base, step = self.futility
        if (
            depth <= _FUTILITY_DEPTH
            and -MAX_SCORE < beta < MAX_SCORE
            and static + base + step * depth <= alpha
        ):
            return 1
        counts = self.late_moves[improving]
        return counts[depth] if depth < len(counts) else NO_LIMIT

    def stays_above(self, table: Table) -> StaysAbove:
        """Return a function that says whether reverse futility cuts a child without a visit."""
        table_keys = table.keys
        table_data = table.data
        slot_mask = table.mask
        margin = self.reverse_futility

        def stays_above(
            depth: int, surplus: int, improving: bool, key: Key, earlier_keys: Sequence[Key]
        ) -> bool:
            """Does reverse futility cut a child of this remaining depth, without a visit?

            surplus: its evaluation minus its beta.  improving: is the evaluation higher than two
            plies before?  A child that the table may know, or that repeats a position, is not cut.
            """
            return (
                depth <= _REVERSE_FUTILITY_DEPTH
                and surplus >= margin * (depth - improving)
                and (
                    depth < _KNOWN_CHILD_DEPTH
                    or key != table_keys[key & slot_mask] ^ table_data[key & slot_mask]
                )
                and key not in earlier_keys
            )

        return stays_above

    def give_to(
        self, kernel: Kernel, tree: Tree, mate: int | None, captured: Callable[[], object]
    ) -> None:
        """Set the depths and margins of a kernel's pruning, and the root's evaluation in `tree`.

        kernel: one whose hooks are set.  mate: the search is for a mate in this number of moves and
        prunes nothing, since it must prove the mate; None for any other search.
        captured(): is the root move that was made last a capture?
        """

        def root_reduction(state: tuple[int, int, int, bool], depth: int, number: int) -> int:
            """Return half of the usual reduction for a late quiet move, else 0."""
            if depth <= 2 or number <= 4 or state[3] or captured():
                return 0
            return self.reductions[min(depth + 1, 63)][min(number - 1, 63)] >> PLY_SHIFT + 1

        # Nodes two plies later compare their evaluation with the root's.  The root isn't visited,
        # so its evaluation is stored here.
        tree.evals[0] = kernel.root_state()[1]
        kernel.carries_static = kernel.wants_static = kernel.repeats = True
        kernel.max_ply = LAST_PLY
        if mate is not None:
            # A search with a horizon proves nothing.  But a search for a mate in N prunes nothing,
            # so it has seen every line once it is deep enough.
            plies = 2 * mate - 1
            kernel.complete = lambda depth: depth >= plies
            return
        kernel.root_reduction = root_reduction
        kernel.reverse_futility_margin = self.reverse_futility
        kernel.reverse_futility_depth = _REVERSE_FUTILITY_DEPTH
        kernel.iir_from, kernel.null_move_from = _IIR_FROM, _NULL_MOVE_FROM
