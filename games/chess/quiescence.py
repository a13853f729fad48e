"""Quiescence search: captures and promotions to a queen are played out before evaluation."""

from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.chess.ordering import VALUE
from games.chess.tables import EN_PASSANT_KEYS, FROM_TO, KING, PIECE_KEYS, SIDE_KEY
from games.entry import (
    DEPTH_MASK,
    DEPTH_SHIFT,
    EXACT,
    LOWER,
    MOVE_SHIFT,
    SCORE_BIAS,
    SCORE_SHIFT,
    UPPER,
)
from games.lanes import HALF, MODULUS, SIGN, STEPS
from games.ordering import MOVE_MASK
from games.pruning import MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.kernel import EndgameScore, Quiesce, Special, State
    from games.chess.position import ChessPosition
    from games.types import Tree

ILLEGAL = WIN + 500  # score of a side that can capture the king
_DELTA_MARGIN = 180  # a capture is not expected to gain more than its victim plus this


def make_quiesce(
    position: ChessPosition,
    tree: Tree,
    special: Special,
    endgame_score: EndgameScore | None,
    adapt: Callable[[Quiesce], Quiesce] | None = None,
) -> Quiesce:
    """Return the kernel's `quiesce` (see games/kernel.py) for a search from `position`.

    adapt(quiesce): returns the variant's function of one node, made from that of chess.
    """
    board, pieces = position.squares, position.pieces
    white, black = pieces
    captures = position.generator.captures
    make = position.mover.make
    unmake = position.mover.unmake
    loses_material = position.exchange()
    net, add_up = position.network(), position.add_up
    features_of, occupancy_shift = net.features, net.occupancy_shift
    sign_bits, tempo = net.sign_bits, net.tempo
    (half_lanes, half_mask), (quarter_lanes, quarter_mask) = net.folds
    count = tree.count
    check = tree.check
    lines = tree.lines
    table_keys, table_data = tree.table.keys, tree.table.data
    slot_mask = tree.table.mask

    def quiesce(state: State, alpha: int, beta: int, ply: int) -> int:
        """Return the fail-soft score after captures and promotions are played out.

        Moves are pseudo-legal here: if a move leaves the king in check, the reply captures the
        king.  Captures leave the castling rights in the key unchanged, which does no harm.
        Constants are written as numbers, as in games/chess/successors.py.
        """
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = check(count[0])
        key, best, _, _, side, acc, _, ep, _ = state
        # Stand pat: the side to move need not capture.
        if best >= beta:
            return best
        pv_node = beta - alpha > 1
        if pv_node:
            lines[ply] = []
        # Any entry of the table is deep enough here.
        slot = key & slot_mask
        entry = table_data[slot]
        if entry and not pv_node and table_keys[slot] ^ entry == key:
            score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if -MAX_SCORE < score < MAX_SCORE:
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        occupancy = acc >> occupancy_shift
        moves = captures(side, ep, occupancy)
        if not moves:
            return best
        moves.sort(reverse=True)
        # If a king can be captured, that capture comes first.
        if board[moves[0] >> 6 & 63] & 7 == KING:
            return ILLEGAL - ply
        if ply > count[3]:
            count[3] = ply
        if ply > MAX_PLY:
            return best
        static = best
        floor = alpha
        best_move = -1
        if best > alpha:
            alpha = best
        opponent, pieces_left = side ^ 1, len(white) + len(black)
        features = features_of[pieces_left - 1]  # the Table that applies after a capture
        acc_then = acc if features is features_of[pieces_left] else 0  # 0 until it is computed
        null_key = key ^ SIDE_KEY ^ EN_PASSANT_KEYS[ep]
        for move in moves:
            move &= MOVE_MASK
            start, to = FROM_TO[move]
            piece, captured = board[start], board[to]
            if move < 4096:  # a plain move
                # Delta pruning: the victim's value and a margin can't raise the score to alpha.
                bound = static + VALUE[captured] + _DELTA_MARGIN
                if bound <= alpha:
                    if bound > best:
                        best = bound
                    continue
                keys = PIECE_KEYS[piece]
                if not acc_then:
                    acc_then = add_up(pieces, features)
                new_acc = (
                    acc_then - features[piece][start] + features[piece][to] - features[captured][to]
                )
                # Lanes.score(), written out here to save the time of a call.
                active = new_acc & sign_bits
                total = new_acc & active - (active >> SIGN)
                total = (total >> half_lanes) + (total & half_mask)
                total = ((total >> quarter_lanes) + (total & quarter_mask) + HALF) % MODULUS - HALF
                reply = (total if side else -total) // STEPS + tempo
                # If the opponent will stand pat, the move need not be made.
                if reply >= -alpha and endgame_score is None:
                    count[0] += 1
                    if count[0] >= count[1]:
                        count[1] = check(count[0])
                    if -reply > best:
                        best = -reply
                    continue
                # SEE comes last, since it is slower than the evaluation.
                if VALUE[piece] > VALUE[captured] and loses_material(start, to, side, occupancy):
                    continue
                new_key = null_key ^ keys[start] ^ keys[to] ^ PIECE_KEYS[captured][to]
                square = to
                make(side, move, piece, captured, 0, 0, new_key)
            else:
                new_acc, new_key, captured, square, piece, _ = special(side, move, null_key, acc)
                reply = net.score(new_acc, opponent)
            if endgame_score is not None:
                reply = endgame_score(opponent, reply)
            child = new_key, reply, 0, False, opponent, new_acc, 0, -1, 0
            score = -visit(child, -beta, -alpha, ply + 1)
            unmake(side, move, piece, captured, square)
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if pv_node:
                        lines[ply] = [move] + lines[ply + 1]
                    alpha = score
                    if score >= beta:
                        break
        # Don't replace entries of deeper searches.
        if -MAX_SCORE < best < MAX_SCORE and (
            table_keys[slot] ^ table_data[slot] == key
            or not table_data[slot] >> DEPTH_SHIFT & DEPTH_MASK
        ):
            entry = (
                best + SCORE_BIAS << SCORE_SHIFT
                | best_move + 1 << MOVE_SHIFT
                | (LOWER if best >= beta else EXACT if best > floor else UPPER)
            )
            table_keys[slot] = key ^ entry
            table_data[slot] = entry
        return best

    visit = quiesce if adapt is None else adapt(quiesce)
    return visit
