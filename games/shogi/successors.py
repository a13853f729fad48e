"""The successors of a node of the shogi search: each move is pruned, cut, postponed or made.

As in chess, the picker of games/ordering.py chooses the next stage, whose moves
games/shogi/ordering.py generates and sorts.  `successors` tries the table's move first; it
prunes, reduces and makes the moves.  search/pvs.py has the windows and the table.

    limit       quiet moves are pruned from this number of moves on (1: futility pruning)
    child_beta  beta of a child, which is -alpha

In the hot loop, constants are written as numbers: node[0] and node[1] are ALPHA and BEST of
games/kernel.py, count[0] is the node count, count[1] the node count at the next check of the
limits.
"""

from __future__ import annotations

from games.base import MAX_SCORE
from games.kernel import MERGE_POINT
from games.ordering import BAD_CAPTURES, CAPTURES, DONE, MOVE_MASK, QUIETS, TABLE_MOVE
from games.pruning import (
    EXTRA_REDUCTIONS,
    HISTORY_PER_PART,
    LAST_PLY,
    NO_LIMIT,
    PLY_SHIFT,
    SEE_PRUNING_DEPTH,
    Pruning,
)
from games.shogi.evaluation import judge_of, network_of
from games.shogi.movegen import EXCHANGED, ROYAL
from games.shogi.ordering import move_stages, static_exchange
from games.shogi.tables import BETTER, DROP, FROM_TO, FROM_TO_MASK, PAWN, PROMOTE, PROMOTED, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.ordering import Picked, PieceHistory
    from games.quiescence import Quiesce
    from games.shogi.kernel import State
    from games.shogi.position import ShogiPosition
    from games.types import Moves, NodeData, Successors, Tree


PRUNING = Pruning(
    reverse_futility=110,
    futility=(120, 160),
    late_moves=((0, 6, 10, 16, 26, 38, 54), (0, 10, 16, 26, 40, 60, 80)),
    null_move=350,
    reduction=0.45,
)
# If a node reduces its late moves, it extends checks only among its first _EXTENDED_CHECKS moves.
_EXTENDED_CHECKS = 4
# A side that gives perpetual check loses by this score, which is below that of any mate.
_PERPETUAL = 20_000
REPETITION_PLIES = 24  # a search looks back this number of plies for a repetition


def make_successors(
    position: ShogiPosition, tree: Tree, history: PieceHistory, quiesce: Quiesce, exact: bool
) -> Successors:
    """Return the kernel's `successors`, see games/kernel.py.

    exact: prune nothing, so that a mate can be proven.
    """
    board = position.squares
    kings = position.kings
    make = position.rules.make
    unmake = position.rules.unmake
    drop_mates, key_after = position.rules.drop_mates, position.rules.key_after
    loses_material, judge = static_exchange(position), judge_of(position)
    illegal, checks_king = position.attacks.illegal, position.attacks.gives_check
    attacks = position.geometry.attacks
    features = network_of(position.game).features
    through = position.geometry.through
    next_stage, update_history = move_stages(position, history, LAST_PLY + 2)
    count = tree.count
    path = tree.path
    checked = [False] * len(path)  # by index of the path: was the side to move in check?
    for back, check in enumerate(position.checks_back(REPETITION_PLIES + 1)):
        checked[tree.base - back] = check
    stays_above = PRUNING.stays_above(tree.table)
    move_count_limit, reductions_of = PRUNING.move_count_limit, PRUNING.reductions

    def score_of_repetition(new_key: int, here: int, gives_check: bool, ply: int) -> int:
        """Return the score of a repeated position: a side that gave check with each move loses.

        here: the index of the node in the path; the new position is at here + 1.
        """
        earlier = here - 3
        while path[earlier] != new_key:
            earlier -= 2
        checked[here + 1] = gives_check
        if all(checked[earlier + 2 : here + 2 : 2]):
            return ply - _PERPETUAL
        return _PERPETUAL - ply if all(checked[earlier + 1 : here + 1 : 2]) else 0

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Moves:
        """Yield moves as Kernel.successors of games/kernel.py describes."""
        key, _, rule50, in_check, side, acc, previous = state
        alpha, _, beta, table_move, static, improving = node
        pv_node = beta - alpha > 1
        opponent = side ^ 1
        colour = WHITE * side
        table = features[kings[0] << 7 | kings[1]]
        king, enemy_king = kings[side], kings[opponent]
        king_rays, enemy_king_rays = through[king], through[enemy_king]
        prune_none = pv_node or in_check or exact
        see_pruning = depth <= SEE_PRUNING_DEPTH and not prune_none
        quiet_reduction, capture_reduction = EXTRA_REDUCTIONS[prune_none][improving]
        move_count = 0
        stage = TABLE_MOVE
        limit = NO_LIMIT
        reductions = None
        pruned = False
        quiets_tried: list[int] = []
        bad_captures: list[int] = []
        picked: Picked = [quiets_tried, bad_captures, 0, -1, NO_LIMIT if prune_none else depth]
        cut_child, child_beta = not pv_node and not exact and alpha < MAX_SCORE, -alpha
        # A child is improving if its evaluation is higher than that of this node's parent.
        here, static_before_child = tree.base + ply, tree.evals[ply - 1]
        checked[here] = in_check
        new_rule50 = rule50 + 1 if rule50 < REPETITION_PLIES else rule50
        # The keys of the earlier positions that a move might repeat.
        earlier_keys = path[here - rule50 : here - 2] if rule50 > 2 else ()
        queue: Sequence[int] = () if table_move < 0 else (table_move,)
        while True:
            for entry in queue:
                move = entry & MOVE_MASK
                if move == table_move and stage:
                    continue
                start, to = FROM_TO[move & FROM_TO_MASK]
                drop, captured = start >= DROP, board[to]
                piece = placed = start - DROP + colour if drop else board[start]
                if move & PROMOTE:
                    placed += PROMOTED
                quiet = not captured and not (move & PROMOTE and BETTER[piece])
                # 1. Futility pruning (a limit of 1) and late move pruning, unless each earlier
                # move lets the opponent mate.  Quiet moves that give check follow in the stage
                # CHECKS.
                if move_count >= limit and quiet and node[1] > -MAX_SCORE:
                    pruned = True
                    break

                # 2. Skip illegal moves.
                exposed = in_check or king_rays[start] or start == king
                if exposed and not drop and illegal(king, start, to, side, in_check):
                    continue
                # 3. Does the move give a direct or a discovered check?
                may_check = attacks[placed][to][enemy_king] or enemy_king_rays[start] != ()
                gives_check = may_check and checks_king(enemy_king, start, to, placed, side)
                if gives_check:
                    if start == DROP + PAWN and drop_mates(to, side):
                        continue
                # SEE pruning: close to the horizon, skip moves that lose material.
                elif see_pruning and stage >= QUIETS and node[1] > -MAX_SCORE:
                    if stage == BAD_CAPTURES or loses_material(piece, start, to, side):
                        continue
                move_count += 1
                if quiet:
                    quiets_tried.append(move)
                change = start, to, piece, placed, captured
                new_key = key_after(key, side, change)
                if (gives_check or in_check) and new_key in earlier_keys:
                    yield move, None, score_of_repetition(new_key, here, gives_check, ply), 0
                    alpha = node[0]
                    if alpha >= beta:
                        return
                    cut_child, child_beta = cut_child and alpha < MAX_SCORE, -alpha
                    continue

                # 4. Late move reductions, smaller for moves with a good history.
                reduction = 0
                if reductions is not None and move_count > 2 and not gives_check:
                    more = capture_reduction
                    if quiet:
                        more = quiet_reduction - history[piece][to] // HISTORY_PER_PART
                    reduction = reductions[move_count] + more >> PLY_SHIFT
                    if not 0 <= reduction <= depth - 2:
                        reduction = 0 if reduction < 0 else depth - 2

                # 5. Cut the child by its evaluation alone, if standing pat or reverse futility
                #    allows it, so most moves are never made.  A child that the table may know, or
                #    that repeats a position, is not cut.
                for _ in MERGE_POINT:
                    pass
                new_acc, child_static = judge(table, acc, side, change)
                excess = child_static - child_beta
                if excess >= 0 and cut_child and not gives_check:
                    improves, reduced = child_static > static_before_child, depth - 1 - reduction
                    if depth == 1 or stays_above(reduced, excess, improves, new_key, earlier_keys):
                        count[0] = visited = count[0] + 1
                        if visited >= count[1]:
                            count[1] = tree.check(visited)
                        if -child_static > node[1]:
                            node[1] = -child_static
                        continue
                # 6. Postpone captures that lose material.
                risky = stage == CAPTURES and EXCHANGED[captured] < EXCHANGED[piece] < ROYAL
                if risky and loses_material(piece, start, to, side):
                    move_count -= 1
                    bad_captures.append(move)
                    continue

                # 7. Make the move, search it, take it back.
                for _ in MERGE_POINT:
                    pass
                make(side, change)
                last = placed << 7 | to
                child = new_key, child_static, new_rule50, gives_check, opponent, new_acc, last
                if depth > 1 or gives_check:
                    # Extend a check by a ply, unless it comes late or loses material.  Other checks
                    # get a depth of at least 1, since quiescence searches no evasions.
                    early = reductions is None or move_count <= _EXTENDED_CHECKS
                    extended = gives_check and early and stage != BAD_CAPTURES
                    yield move, child, depth if extended else max(depth - 1, 1), reduction
                else:
                    score = -quiesce(child, -beta, child_beta, ply + 1)
                    # If a move fails low in a null window, the search needs only its score.
                    if pv_node or score > alpha:
                        yield move, None, score, 0
                    elif score > node[1]:
                        node[1] = score
                unmake(side, change)
                alpha = node[0]
                if alpha >= beta:
                    if quiet:
                        update_history(depth, ply, previous, side, quiets_tried)
                    return
                cut_child, child_beta = cut_child and alpha < MAX_SCORE, -alpha

            if stage == CAPTURES:  # from here on, moves are late enough to be reduced and pruned
                reductions = reductions_of[min(depth, 63)] if depth > 2 and not exact else None
                limit = NO_LIMIT if prune_none else move_count_limit(depth, node)
                pruned = move_count >= limit and node[1] > -MAX_SCORE
            elif stage == QUIETS:
                if pruned and limit == 1 and node[1] < static:
                    # Futility pruning takes this bound as the score of the moves that it pruned.
                    node[1] = static
                limit = NO_LIMIT
            stage, queue = next_stage(stage, state, ply, pruned, picked)
            if stage == DONE:
                return

    return successors
