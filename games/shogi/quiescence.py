"""Quiescence search (games/quiescence.py), which plays captures, and promotions without loss."""

from __future__ import annotations

from games.lanes import HALF, MODULUS, SIGN, STEPS
from games.ordering import MOVE_MASK
from games.quiescence import quiescence
from games.shogi.evaluation import HAND, TEMPO, network_of
from games.shogi.movegen import EXCHANGED
from games.shogi.ordering import static_exchange
from games.shogi.tables import FROM_TO, FROM_TO_MASK, KING, PROMOTE, PROMOTED, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.quiescence import Quiesce
    from games.shogi.kernel import State
    from games.shogi.position import ShogiPosition
    from games.types import Tree

_DELTA_MARGIN = 260  # centipawns that a move may gain in addition to its capture and promotion


def make_quiesce(position: ShogiPosition, tree: Tree) -> Quiesce:
    """Return the kernel's `quiesce` (see games/kernel.py) for a search from `position`."""
    board = position.squares
    kings = position.kings
    hands = position.in_hand
    make = position.rules.make
    unmake = position.rules.unmake
    loses_material = static_exchange(position)
    generate, stays = position.rules.captures, position.geometry.useful_stays
    keys = position.geometry.keys
    hand_keys = position.geometry.hand_keys
    side_key = position.geometry.side_key
    net = network_of(position.game)
    features = net.features
    add_up = net.add_up
    score_of = net.score
    shift, sign_bits = net.occupied_shift, net.sign_bits
    (half, half_mask), (quarter, quarter_mask) = net.folds
    count = tree.count
    check = tree.check
    lines = tree.lines

    def noisy_moves(state: State) -> list[int]:
        return generate(state[4], state[5] >> shift, stays)

    def play(state: State, moves: list[int], alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """Return (best score, its move or -1) of standing pat, captures and promotions.

        Constants are written as numbers, as in games/shogi/successors.py.
        """
        key, static, _, _, side, acc, _ = state
        best = static
        best_move = -1
        pv_node = beta - alpha > 1
        if best > alpha:
            alpha = best
        opponent, null_key = side ^ 1, key ^ side_key
        table = features[kings[0] << 7 | kings[1]]
        for move in moves:
            move &= MOVE_MASK
            start, to = FROM_TO[move & FROM_TO_MASK]
            piece = placed = board[start]
            captured = board[to]
            gain = EXCHANGED[captured]
            if move & PROMOTE:
                placed += PROMOTED
                gain += 400
            # Delta pruning: even the material that the move wins, plus a margin, can't raise the
            # score above alpha.
            bound = static + gain + _DELTA_MARGIN
            if bound <= alpha:
                if bound > best:
                    best = bound
                continue
            new_key = null_key ^ keys[piece][start] ^ keys[placed][to]
            if captured:
                hand = captured & 7 | WHITE * side
                held = hands[hand]
                new_key ^= keys[captured][to] ^ hand_keys[hand][held]
            if piece & 15 == KING:
                make(side, start, to, piece, piece, captured)
                new_acc = add_up(position)
                reply = score_of(new_acc, opponent)
            else:
                new_acc = acc - table[piece][start] + table[placed][to]
                if captured:
                    row = table[HAND + hand]
                    new_acc += row[held + 1] - row[held] - table[captured][to]
                # Lanes.output(), written out here to save the time of a call.
                active = new_acc & sign_bits
                total = new_acc & active - (active >> SIGN)
                total = (total >> half) + (total & half_mask)
                total = ((total >> quarter) + (total & quarter_mask) + HALF) % MODULUS - HALF
                reply = (total if side else -total) // STEPS + TEMPO
                # If the opponent will stand pat, the move need not be made.
                if reply >= -alpha:
                    count[0] += 1
                    if count[0] >= count[1]:
                        count[1] = check(count[0])
                    if -reply > best:
                        best = -reply
                    continue
                # SEE comes last, since it is slower than the evaluation.
                if EXCHANGED[piece] > EXCHANGED[captured] and loses_material(
                    piece, start, to, side
                ):
                    continue
                make(side, start, to, piece, placed, captured)
            child = new_key, reply, 0, False, opponent, new_acc, 0
            score = -quiesce(child, -beta, -alpha, ply + 1)
            unmake(side, start, to, piece, captured)
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if pv_node:
                        lines[ply] = [move] + lines[ply + 1]
                    alpha = score
                    if score >= beta:
                        break
        return best, best_move

    quiesce = quiescence(tree, board, (KING, KING + WHITE), 7, noisy_moves, play)
    return quiesce
