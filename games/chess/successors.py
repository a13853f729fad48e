"""The successors of a node of the chess search: moves are pruned, reduced, postponed and made.

The search of a node has three parts.  The picker of games/ordering.py chooses the next stage, whose
moves games/chess/ordering.py generates and sorts.  The code here tries the table's move first; it
prunes, reduces and makes moves.  search/pvs.py has the windows and the table.  An entry
of a stage has the move in its low 20 bits (`entry & MOVE_MASK`), and its ordering score above.

    limit       quiet moves are pruned from this number of moves on (1: futility pruning)
    child_beta  beta of a child, which is -alpha
    DROP        the lowest move that drops a piece; only Crazyhouse has such moves

In the hot loop, constants are written as numbers: node[0] and node[1] are ALPHA and BEST of
games/kernel.py, count[0] is the node count, count[1] the node count at the next check of the
limits, and a move from 4096 on is special: castling, en passant or promotion.  The empty loops over
MERGE_POINT help PyPy (games/kernel.py).

Factors such as "1.4 times as many nodes" were measured like those in search/pvs.py.
"""

from __future__ import annotations

from games.base import MAX_SCORE
from games.chess.ordering import VALUE
from games.chess.position import FIFTY_MOVES
from games.chess.tables import (
    DROP,
    EN_PASSANT,
    EN_PASSANT_KEYS,
    FROM_TO,
    PIECE_KEYS,
    RAY_THROUGH,
    SIDE_KEY,
)
from games.kernel import MERGE_POINT
from games.lanes import HALF, MODULUS, SIGN, STEPS
from games.ordering import BAD_CAPTURES, CAPTURES, DONE, MOVE_MASK, OCCUPANCY, QUIETS, TABLE_MOVE
from games.pruning import (
    EXTRA_REDUCTIONS,
    HISTORY_PER_PART,
    LAST_PLY,
    NO_LIMIT,
    PLY_SHIFT,
    SEE_PRUNING_DEPTH,
    Pruning,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.chess.kernel import EndgameScore, Special, State
    from games.chess.position import ChessPosition
    from games.ordering import Picked, PieceHistory
    from games.quiescence import Quiesce
    from games.types import Moves, NodeData, Successors, Tree


PRUNING = Pruning(
    reverse_futility=41,
    futility=(42, 96),
    late_moves=((0, 4, 8, 12, 20, 28, 40), (0, 8, 12, 20, 30, 44, 60)),
    null_move=163,
    reduction=0.48,
)
# At nodes with late move reductions, a check is extended only if it is one of the first
# _EXTENDED_CHECKS moves.
_EXTENDED_CHECKS = 3


def make_successors(
    position: ChessPosition,
    tree: Tree,
    history: PieceHistory,
    special: Special,
    quiesce: Quiesce,
    endgame_score: EndgameScore | None,
    exact: bool,
) -> Successors:
    """Return the kernel's `successors`, see games/kernel.py.

    exact: prune nothing, so that a mate can be proven.
    """
    board = position.squares
    kings = position.kings
    make = position.mover.make
    unmake = position.mover.unmake
    white, black = position.pieces
    is_attacked, illegal = position.attacks.is_attacked, position.attacks.illegal
    checks_king = position.attacks.gives_check
    loses_material, pseudo_attacks = position.exchange(), position.geometry.attacks
    net, accumulator = position.network(), position.accumulator
    features_of = net.features
    sign_bits = net.sign_bits
    tempo = net.tempo
    (half_lanes, half_mask), (quarter_lanes, quarter_mask) = net.folds
    next_stage, update_history = position.stages(history, LAST_PLY + 2)
    count = tree.count
    check = tree.check
    evals = tree.evals
    path = tree.path
    base = tree.base
    stays_above = PRUNING.stays_above(tree.table)
    cuts_unmade = position.cuts_unmade and endgame_score is None and not exact
    move_count_limit, reductions_of = PRUNING.move_count_limit, PRUNING.reductions

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Moves:
        """Yield moves as Kernel.successors of games/kernel.py describes."""
        key, _, rule50, in_check, side, acc, rights, ep, previous = state
        alpha, _, beta, table_move, static, improving = node
        pv_node = beta - alpha > 1
        opponent, null_key = side ^ 1, key ^ SIDE_KEY ^ EN_PASSANT_KEYS[ep]
        king, enemy_king = kings[side], kings[opponent]
        pieces_left = len(white) + len(black)
        # The Tables that apply now and after a capture.
        features = features_of[pieces_left]
        features_then = features_of[pieces_left - 1]
        acc_then = acc if features_then is features else 0  # 0 until it is computed
        king_rays, enemy_king_rays = RAY_THROUGH[king], RAY_THROUGH[enemy_king]
        prune_none = pv_node or in_check or exact
        quiet_reduction, capture_reduction = EXTRA_REDUCTIONS[prune_none][improving]
        move_count = 0
        stage = TABLE_MOVE
        limit = NO_LIMIT
        reductions = None
        pruned = False
        quiets_tried: list[int] = []
        bad_captures: list[int] = []
        picked: Picked = [quiets_tried, bad_captures, 0, -1]
        # May the evaluation cut a child before its move is made?  Not if the fifty-move rule may
        # end the game.
        may_cut = cuts_unmade and rule50 < FIFTY_MOVES - 1
        cut_child, child_beta = may_cut and not pv_node and alpha < MAX_SCORE, -alpha
        # A child is improving if its evaluation is higher than that of this node's parent.
        here, static_before_child = base + ply, evals[ply - 1]
        # The keys of the earlier positions that a move might repeat.
        earlier_keys = path[here - rule50 if rule50 < here else 0 : here - 2] if rule50 > 2 else ()
        queue: Sequence[int] = () if table_move < 0 else (table_move,)
        while True:
            for entry in queue:
                move = entry & MOVE_MASK
                if move == table_move and stage:  # tried in the first stage
                    continue
                start, to = FROM_TO[move]
                piece, captured = board[start], board[to]
                # Castling doesn't count as quiet, so it isn't pruned.
                quiet = not captured and move < 4096
                # 1. Futility pruning (if limit is 1) and late move pruning, unless each earlier
                #    move lets the opponent mate.  Quiet moves that give check follow in the stage
                #    CHECKS.  Without this pruning, the search visits 1.4 times as many nodes.
                if move_count >= limit and (quiet or move >= DROP) and node[1] > -MAX_SCORE:
                    pruned = True
                    break
                #    SEE pruning: close to the horizon, skip captures that lose material, unless
                #    they may give check.  Without it, the search visits 1.04 times as many nodes.
                if (
                    stage == BAD_CAPTURES
                    and depth <= SEE_PRUNING_DEPTH
                    and not prune_none
                    and node[1] > -MAX_SCORE
                    and not pseudo_attacks[piece][to][enemy_king]
                ):
                    continue

                # 2. Skip illegal moves; compute the accumulator and the key after the move.  Only a
                #    special move must be made on the board for this.
                if move < 4096:
                    if (in_check or king_rays[start] or start == king) and illegal(
                        king, start, to, side, in_check
                    ):
                        continue
                    keys = PIECE_KEYS[piece]
                    new_key = null_key ^ keys[start] ^ keys[to]
                    placed = piece
                    if captured:
                        if not acc_then:
                            acc_then = accumulator(1)
                        weights = features_then[piece]
                        new_acc = (
                            acc_then - weights[start] + weights[to] - features_then[captured][to]
                        )
                        new_key ^= PIECE_KEYS[captured][to]
                    else:
                        weights = features[piece]
                        new_acc = acc - weights[start] + weights[to]
                else:
                    new_acc, new_key, captured, placed = special(side, move, null_key, acc)
                    if move < DROP and is_attacked(kings[side], opponent):
                        unmake(side, move, captured)
                        continue
                move_count += 1
                if quiet:
                    quiets_tried.append(move)
                # 3. Does the move give a direct or a discovered check?  (En passant, castling and
                #    drops are on the board already, so the attack on the king is seen there.)
                if move >= EN_PASSANT:
                    gives_check = is_attacked(enemy_king, side)
                else:
                    gives_check = (
                        pseudo_attacks[placed][to][enemy_king] or enemy_king_rays[start] != ()
                    ) and checks_king(enemy_king, start, to, placed, side)

                # 4. Late move reductions, smaller for moves with a good history.  Without
                #    reductions, the search visits 2.7 times as many nodes.
                reduction = 0
                if reductions is not None and move_count > 2 and not gives_check:
                    reduction = (
                        reductions[move_count]
                        + (
                            quiet_reduction - history[piece][to] // HISTORY_PER_PART
                            if quiet
                            else (quiet_reduction if move >= DROP else capture_reduction)
                        )
                        >> PLY_SHIFT
                    )
                    if not 0 <= reduction <= depth - 2:
                        reduction = 0 if reduction < 0 else depth - 2

                # 5. Cut the child by its evaluation alone, if standing pat or reverse futility
                #    allows it.  Most children are cut here, and their moves are never made: a cut
                #    takes a quarter of the time of a visit.  This step costs 10 % more nodes, but
                #    the search visits 12.5 % more nodes per second.  The evaluation is
                #    Lanes.output(), written out here.
                for _ in MERGE_POINT:
                    pass
                active = new_acc & sign_bits
                total = new_acc & active - (active >> SIGN)
                total = (total >> half_lanes) + (total & half_mask)
                total = ((total >> quarter_lanes) + (total & quarter_mask) + HALF) % MODULUS - HALF
                child_static = (total if side else -total) // STEPS + tempo
                if (
                    child_static >= child_beta
                    and cut_child
                    and not gives_check
                    and (
                        depth == 1
                        or stays_above(
                            depth - 1 - reduction,
                            child_static - child_beta,
                            child_static > static_before_child,
                            new_key,
                            earlier_keys,
                        )
                    )
                ):
                    count[0] = visited = count[0] + 1
                    if visited >= count[1]:
                        count[1] = check(visited)
                    if move >= 4096:
                        unmake(side, move, captured)
                    if -child_static > node[1]:
                        node[1] = -child_static
                    continue
                # 6. Postpone captures that lose material.  (SEE comes after the evaluation, since
                #    it is slower.)
                if (
                    stage == CAPTURES
                    and move < 4096
                    and VALUE[piece] > VALUE[captured]
                    and loses_material(start, to, side, picked[OCCUPANCY])
                ):
                    move_count -= 1
                    bad_captures.append(move)
                    continue

                # 7. Make the move, search it, take it back.  (A special move is on the board
                #    already, so `make` only updates key, clock and rights.)
                for _ in MERGE_POINT:
                    pass
                new_key, new_rule50, new_rights, new_ep = make(
                    side, move, placed, captured, rule50, rights, new_key
                )
                if endgame_score is not None:
                    child_static = endgame_score(opponent, child_static)
                child = (
                    new_key,
                    child_static,
                    new_rule50,
                    gives_check,
                    opponent,
                    new_acc,
                    new_rights,
                    new_ep,
                    placed << 6 | to,
                )
                if depth > 1 or gives_check:
                    # Extend a check by a ply, unless it comes late or loses material.  Other checks
                    # get a depth of at least 1, since quiescence searches no evasions.
                    # Extensions cost 6 % more nodes, but gained 24 Elo (interval: -14 to +62).
                    extended = (
                        gives_check
                        and stage != BAD_CAPTURES
                        and (reductions is None or move_count <= _EXTENDED_CHECKS)
                    )
                    yield move, child, depth if extended else max(depth - 1, 1), reduction
                else:
                    score = -quiesce(child, -beta, child_beta, ply + 1)
                    # If a move fails low in a null window, the search needs only its score.
                    if pv_node or score > alpha:
                        yield move, None, score, 0
                    elif score > node[1]:
                        node[1] = score
                unmake(side, move, captured)
                alpha = node[0]
                if alpha >= beta:
                    if quiet:
                        update_history(depth, ply, previous, quiets_tried)
                    return
                # The next child is searched in a null window, even in a PV node.
                cut_child, child_beta = may_cut and alpha < MAX_SCORE, -alpha

            if stage == CAPTURES:  # from here on, moves are late enough to be reduced and pruned
                reductions = reductions_of[min(depth, 63)] if depth > 2 and not exact else None
                limit = NO_LIMIT if prune_none else move_count_limit(depth, node)
                pruned = move_count >= limit and node[1] > -MAX_SCORE
            elif stage == QUIETS:
                # Futility pruning takes this bound as the score of the moves that it pruned.
                if pruned and limit == 1 and node[1] < static:
                    node[1] = static
                # The quiet moves that may give check are not pruned.
                limit = NO_LIMIT
            stage, queue = next_stage(stage, state, ply, pruned, picked)
            if stage == DONE:
                return

    return successors
