"""The kernel of every game that has none of its own.

It makes and undoes moves on the game's Position.  A state is (key, 0, 0, in check, does the
last mover move again?).
"""

from __future__ import annotations

from operator import itemgetter

from games.base import overrides
from games.entry import score_from_table
from games.kernel import ALPHA, BETA, MAX_PLY, TABLE_MOVE, Kernel
from games.ordering import History, Killers
from search.pvs import DEEPEST, NEXT_CHECK, NODES, UNPROVEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.base import Position
    from games.types import Judge, Move, NodeData, Score, State, Successor, Tree

# Index in a state: does the last mover move again?
_EXTRA_TURN = 4

# Late move reductions: from depth _REDUCE_FROM on, moves after the first _FULL_MOVES are searched a
# ply shallower.  From depth _FAR on, moves after the first _VERY_LATE are searched two plies
# shallower.
_FULL_MOVES, _REDUCE_FROM = 3, 3
_VERY_LATE, _FAR = 10, 6
_NULL_MOVE_FROM = 2
# Checks are extended up to this ply, so that a series of checks ends before MAX_PLY.
_LAST_EXTENSION = MAX_PLY // 2 - 1

# Maximum number of plies of quiescence search with a learned evaluation, since such an evaluation
# hardly ever becomes stable.
_LEARNED_REACH = 4

# Ranks of the table's move and of killers.  They exceed the ranks of all other moves, which are
# sums of the game's own order (within 2**20) and a history score.
_TABLE_FIRST = 1 << 24
_KILLER = 1 << 21
_HISTORY_LIMIT = 1 << 20


def plain_kernel(position: Position, tree: Tree, judge: Judge) -> Kernel:
    """Return the Kernel of a search from `position`, which it changes in place.

    judge: the object that evaluates the position, see Position.judge().
    """
    game = position.game
    count = tree.count
    lines = tree.lines
    check = tree.check
    make, undo = judge.make, judge.undo
    final_value, evaluate = position.final_value, judge.evaluate
    selective, has_checks = overrides(position, "search_moves"), overrides(position, "in_check")
    orders, quiesces = overrides(position, "order_moves"), overrides(position, "noisy_moves")
    moves_of = position.search_moves if selective else position.legal_moves
    noisy_moves, order_moves = position.noisy_moves, position.order_moves
    in_check, reductions = position.in_check, game.reductions
    killers, histories = Killers(MAX_PLY + 2), (History(_HISTORY_LIMIT), History(_HISTORY_LIMIT))

    root_side = position.side  # stored now, since root_state() is called after a root move was made
    reach = MAX_PLY if judge is position else _LEARNED_REACH

    def root_state() -> State:
        return position.key, 0, 0, has_checks and in_check(), position.side == root_side

    def ordered(moves: Sequence[Move], first: Move, ply: int) -> list[Move]:
        """Return the moves, best first: table move, killers, the game's order and history."""
        # A History without a size keeps its scores in a dict.
        history: dict[Move, int] = histories[position.side].scores  # type: ignore[assignment]
        ranks = {move: history.get(move, 0) for move in moves}
        if orders:
            for move, rank in zip(moves, order_moves(moves)):
                ranks[move] += rank
        killer_a, killer_b = killers.at[ply]
        for move, rank in (first, _TABLE_FIRST), (killer_a, _KILLER), (killer_b, _KILLER):
            if move in ranks:
                ranks[move] += rank
        return sorted(moves, key=ranks.__getitem__, reverse=True)

    def early_return(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score | None:
        """Return the score of a finished game, None if the game goes on."""
        value = final_value()
        # final_value() counts the plies to a win from this node, as the table does; the search
        # counts them from the root.
        return None if value is None else score_from_table(value, ply)

    def no_moves(state: State, ply: int) -> Score:
        """Return the score of a game that has ended because no move is legal."""
        outcome = position.outcome()
        assert outcome is not None, "without a legal move the game is over"
        return score_from_table(position.value_of(outcome), ply)

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Iterator[Successor]:
        """Yield the moves worth searching; late ones are reduced if the game allows that."""
        moves = moves_of()
        if selective:
            count[UNPROVEN] += 1  # the game omits some moves, so the score isn't proven
        side = position.side
        reduce = reductions and depth >= _REDUCE_FROM and not state[3]
        if len(moves) > 1:
            moves = ordered(moves, node[TABLE_MOVE], ply)
        for index, move in enumerate(moves):
            reduction = 0
            if reduce and index >= _FULL_MOVES:
                reduction = 1 if index < _VERY_LATE or depth < _FAR else 2
            make(move)
            gives_check = has_checks and ply <= _LAST_EXTENSION and in_check()
            child = position.key, 0, 0, gives_check, position.side == side
            new_depth = depth - 1 + gives_check
            if new_depth > 0 or not quiesces:
                yield move, child, new_depth, reduction
            else:
                yield move, None, -quiesce(child, -node[BETA], -node[ALPHA], ply + 1), 0
            undo()
            if node[ALPHA] >= node[BETA]:
                killers.reward(move, ply)
                histories[side].reward(move, depth)
                return

    def quiesce(
        state: State, alpha: Score, beta: Score, ply: int, last_ply: int | None = None
    ) -> Score:
        """Return the fail-soft score of a search of the noisy moves alone, up to `last_ply`.

        Standing pat is allowed even under a threat, so the score never counts as a proof.
        """
        if last_ply is None:
            last_ply = min(ply + reach, MAX_PLY)
        if state[_EXTRA_TURN]:
            return -quiesce((*state[:4], False), -beta, -alpha, ply, last_ply)
        count[NODES] += 1
        count[UNPROVEN] += 1
        if count[NODES] >= count[NEXT_CHECK]:
            count[NEXT_CHECK] = check(count[NODES])
        if ply > count[DEEPEST]:
            count[DEEPEST] = ply
        lines[ply] = []
        value = final_value()
        if value is not None:
            return score_from_table(value, ply)
        best = evaluate()
        if best >= beta or ply >= last_ply:
            return best
        alpha = max(alpha, best)
        side = position.side
        for move in ordered(noisy_moves(), -1, ply):
            make(move)
            child = position.key, 0, 0, False, position.side == side
            score = -quiesce(child, -beta, -alpha, ply + 1, last_ply)
            undo()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    lines[ply] = [move] + lines[ply + 1]
                    if score >= beta:
                        break
        return best

    def null_move(state: State, depth: int, excess: Score) -> tuple[State, int] | None:
        move = position.null_move() if position.null_allowed() else None
        if move is None:
            return None
        make(move)
        reduction = 2 + depth // 6
        return (position.key, 0, 0, False, False), depth - 1 - reduction

    kernel = Kernel(position)
    kernel.make, kernel.undo = make, undo
    kernel.root_state = root_state
    kernel.successors = successors
    kernel.no_moves = no_moves
    kernel.early_return = early_return
    kernel.evaluate = lambda state, ply: (evaluate(), state[3])
    kernel.frontier_depth = 0
    kernel.frontier = lambda state, depth, alpha, beta, ply, static, table_depth: (
        evaluate() if static is None else static
    )
    kernel.proves, kernel.path_dependent = True, game.repetition
    if not game.alternates:
        kernel.extra_turn = itemgetter(_EXTRA_TURN)
    if quiesces:
        kernel.quiesce = quiesce
    if overrides(position, "null_allowed"):
        kernel.null_move, kernel.undo_null = null_move, undo
        kernel.null_move_from, kernel.wants_static = _NULL_MOVE_FROM, True
    return kernel
