"""The kernel of shogi for search/pvs.py.

The state of a position is

    (key, static evaluation, plies to look back for a repetition, in check, side,
     accumulator of the evaluation, previous move as piece << 7 | target square)

The board, the pieces of each side, the kings' squares and the hands change in place.
"""

from __future__ import annotations

from games.base import WIN
from games.kernel import Kernel
from games.shogi.evaluation import network_of
from games.shogi.quiescence import make_quiesce
from games.shogi.successors import PRUNING, REPETITION_PLIES, make_successors
from games.shogi.tables import PIECES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.shogi.position import ShogiPosition
    from games.types import Context, Tree

    State = tuple[int, int, int, bool, int, int, int]


def shogi_kernel(position: ShogiPosition, context: Context, tree: Tree) -> Kernel:
    """Return the Kernel of a search from `position`, whose board it changes in place.

    context, tree: see Game.kernel.
    """
    position.sort_pieces()  # so that the search doesn't depend on the position's history
    tree.set_path([key for _, key in position.undo_stack] + [position.key])
    net, side_key = network_of(position.game), position.geometry.side_key
    history = context.memory.setdefault("shogi.history", [[0] * 81 for _ in range(PIECES)])
    mate = context.limits.mate  # a requested mate must be proven, so nothing is pruned

    def root_state() -> State:
        """Return the state of the current position."""
        acc = net.add_up(position)
        change = position.undo_stack[-1][0] if position.undo_stack else None
        previous = change[3] << 7 | change[1] if change else 0
        static, in_check = net.score(acc, position.side), position.in_check()
        plies_back = min(len(position.undo_stack), REPETITION_PLIES)
        return position.key, static, plies_back, in_check, position.side, acc, previous

    def null_move(state: State, depth: int, excess: int) -> tuple[State, int]:
        """Return the state after a null move, and the depth at which to search it."""
        key, _, _, _, side, acc, _ = state
        passed = key ^ side_key, net.score(acc, side ^ 1), 0, False, side ^ 1, acc, 0
        return passed, depth - PRUNING.null_reduction(depth, excess)

    def root_final(state: State, depth: int) -> int | None:
        """Return the value if repetition or, at depth 0, mate has ended the game; else None."""
        outcome = position.outcome() if depth <= 0 or position.repetitions() >= 3 else None
        if outcome is None:
            return None
        value = position.value_of(outcome)
        return value + (value < 0) - (value > 0)  # as if the game ended at ply 1

    def captured() -> bool:
        change, _ = position.undo_stack[-1]
        return change is not None and change[4] > 0

    kernel = Kernel(position)
    kernel.quiesce = quiesce = make_quiesce(position, tree)
    kernel.successors = make_successors(position, tree, history, quiesce, mate is not None)
    kernel.root_state = root_state
    kernel.null_move = null_move
    kernel.root_final = root_final
    kernel.no_moves = lambda state, ply: ply - WIN  # a side without a move has lost
    PRUNING.give_to(kernel, tree, mate, captured)
    return kernel
