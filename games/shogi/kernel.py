"""The kernel of shogi for search/pvs.py.

The state of a position is

    (key, static evaluation, plies to look back for a repetition, in check, side,
     accumulator of the evaluation, previous move as piece << 7 | target square)

The board, the pieces of each side, the kings' squares and the hands change in place.
"""

from __future__ import annotations

from games.base import WIN
from games.kernel import Kernel
from games.shogi import quiescence, successors
from games.shogi.evaluation import network_of
from games.shogi.ordering import new_history
from games.shogi.pruning import (
    IIR_FROM,
    MAX_PLY,
    NULL_MOVE_FROM,
    PLY_SHIFT,
    REDUCTIONS,
    REPETITION_PLIES,
    REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
    null_reduction,
)
from games.shogi.tables import TO_SHIFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.shogi.position import ShogiPosition
    from games.types import Context, Tree

    State = tuple[int, int, int, bool, int, int, int]
    Quiesce = Callable[[State, int, int, int], int]


def _checked(position: ShogiPosition, tree: Tree) -> list[bool]:
    """Return whether the side to move was in check, by index of the search's path."""
    checked = [False] * len(tree.path)
    moves = [entry[0] for entry in position.undo_stack[-REPETITION_PLIES:]]
    for back in range(1, len(moves) + 1):
        position.undo()
        checked[tree.base - back] = position.in_check()
    for move in moves:
        position.make(move)
    return checked


def build(position: ShogiPosition, context: Context, tree: Tree) -> Kernel:
    """Return the Kernel of a search from `position`, whose board it changes in place.

    context, tree: see Game.kernel.
    """
    position.sort_pieces()  # so that the search doesn't depend on the position's history
    # The path begins with three keys that no position has, since the search for a repetition skips
    # the last three positions even if fewer were played.  Then come the keys of the game.
    tree.base = len(position.undo_stack) + 3
    tree.path[:] = [-1] * 3 + [entry[-1] for entry in position.undo_stack]
    tree.path += [position.key] + [0] * (MAX_PLY + 2)
    net, side_key = network_of(position.game), position.geometry.side_key
    history = context.memory.setdefault("shogi.history", new_history())
    mate = context.limits.mate  # a requested mate must be proven: nothing is pruned

    def root_state() -> State:
        """Return the state of the current position."""
        acc = net.add_up(position.pieces, position.kings, position.in_hand)
        played, previous = len(position.undo_stack), 0
        if played:
            to = position.undo_stack[-1][0] >> TO_SHIFT & 127
            previous = position.squares[to] << 7 | to
        return (
            position.key,
            net.score(acc, position.side),
            min(played, REPETITION_PLIES),
            position.in_check(),
            position.side,
            acc,
            previous,
        )

    def null_move(state: State, depth: int, excess: int) -> tuple[State, int]:
        """Return the state after a null move, and the depth at which to search it."""
        key, _, _, _, side, acc, _ = state
        passed = key ^ side_key, net.score(acc, side ^ 1), 0, False, side ^ 1, acc, 0
        return passed, depth - null_reduction(depth, excess)

    def no_moves(state: State, ply: int) -> int:
        """Return the score of a side that has no legal move: it has lost."""
        return ply - WIN

    def root_final(state: State, depth: int) -> int | None:
        """Return the value of a fourth occurrence, or of a mate that quiescence misses."""
        repeated = position.repetitions() >= 3
        if repeated or depth <= 0 and not position.playable_moves():
            outcome = position.outcome()
            if outcome is not None:
                value = position.value_of(outcome)
                return value + (value < 0) - (value > 0)  # a ply from the root
        return None

    def root_reduction(state: State, depth: int, number: int) -> int:
        """Return the reduction of a root move: half of REDUCTIONS for late quiet moves, else 0."""
        captured = position.undo_stack[-1][2]
        if depth <= 2 or number <= 4 or state[3] or captured:
            return 0
        return REDUCTIONS[min(depth + 1, 63)][min(number - 1, 63)] >> PLY_SHIFT + 1

    kernel = Kernel(position)
    kernel.quiesce = quiesce = quiescence.build(position, tree)
    checked = _checked(position, tree)
    kernel.successors = successors.build(
        position, tree, history, quiesce, checked, mate is not None
    )
    kernel.root_state, kernel.null_move, kernel.no_moves = root_state, null_move, no_moves
    # Nodes two plies later compare their evaluation with the root's.
    _, tree.evals[0], *_ = root_state()
    kernel.carries_static = kernel.wants_static = True
    kernel.max_ply, kernel.repeats = MAX_PLY, True
    kernel.root_final = root_final
    if mate is not None:
        plies = 2 * mate - 1
        kernel.complete = lambda depth: depth >= plies
    else:
        kernel.root_reduction = root_reduction
        kernel.reverse_futility_margin = REVERSE_FUTILITY_MARGIN
        kernel.reverse_futility_depth = REVERSE_FUTILITY_DEPTH
        kernel.iir_from, kernel.null_move_from = IIR_FROM, NULL_MOVE_FROM
    return kernel
