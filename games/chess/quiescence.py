"""Quiescence search (games/quiescence.py): captures and promotions to a queen are played out."""

from __future__ import annotations

from games.chess.ordering import VALUE
from games.chess.tables import BLACK, EN_PASSANT_KEYS, FROM_TO, KING, PIECE_KEYS, SIDE_KEY
from games.lanes import HALF, MODULUS, SIGN, STEPS
from games.ordering import MOVE_MASK
from games.quiescence import quiescence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.kernel import EndgameScore, Special, State
    from games.chess.position import ChessPosition
    from games.quiescence import Quiesce
    from games.types import Tree

_DELTA_MARGIN = 180  # centipawns that a capture may gain in addition to the captured piece


def make_quiesce(
    position: ChessPosition,
    tree: Tree,
    special: Special,
    endgame_score: EndgameScore | None,
    adapt: Callable[[Quiesce], Quiesce],
) -> Quiesce:
    """Return the kernel's `quiesce` (see games/kernel.py) for a search from `position`.

    adapt(quiesce): returns the variant's quiescence search, given chess's.
    """
    board, pieces = position.squares, position.pieces
    white, black = pieces
    captures = position.generator.captures
    make = position.mover.make
    unmake = position.mover.unmake
    loses_material = position.exchange()
    net, accumulator = position.network(), position.accumulator
    features_of, occupancy_shift = net.features, net.occupancy_shift
    sign_bits, tempo = net.sign_bits, net.tempo
    (half_lanes, half_mask), (quarter_lanes, quarter_mask) = net.folds
    count = tree.count
    check = tree.check
    lines = tree.lines

    def noisy_moves(state: State) -> list[int]:
        return captures(state[4], state[7], state[5] >> occupancy_shift)

    def play(state: State, moves: list[int], alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """Return (best score, its move or -1) of standing pat, captures and promotions.

        Captures leave the castling rights in the key unchanged, which does no harm.
        Constants are written as numbers, as in games/chess/successors.py.
        """
        key, static, _, _, side, acc, _, ep, _ = state
        best = static
        best_move = -1
        pv_node = beta - alpha > 1
        if best > alpha:
            alpha = best
        opponent, pieces_left = side ^ 1, len(white) + len(black)
        # The Table that applies after a capture.
        features = features_of[pieces_left - 1]
        # The accumulator with this Table; 0 until it is computed.
        acc_then = acc if features is features_of[pieces_left] else 0
        null_key = key ^ SIDE_KEY ^ EN_PASSANT_KEYS[ep]
        for move in moves:
            move &= MOVE_MASK
            start, to = FROM_TO[move]
            piece, captured = board[start], board[to]
            if move < 4096:
                # Delta pruning of a plain move: even with the victim's value and a margin, the
                # score doesn't exceed alpha.
                bound = static + VALUE[captured] + _DELTA_MARGIN
                if bound <= alpha:
                    if bound > best:
                        best = bound
                    continue
                keys = PIECE_KEYS[piece]
                if not acc_then:
                    acc_then = accumulator(1)
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
                if VALUE[piece] > VALUE[captured] and loses_material(
                    start, to, side, acc >> occupancy_shift
                ):
                    continue
                new_key = null_key ^ keys[start] ^ keys[to] ^ PIECE_KEYS[captured][to]
                make(side, move, piece, captured, 0, 0, new_key)
            else:
                new_acc, new_key, captured, _ = special(side, move, null_key, acc)
                reply = net.score(new_acc, opponent)
            if endgame_score is not None:
                reply = endgame_score(opponent, reply)
            child = new_key, reply, 0, False, opponent, new_acc, 0, -1, 0
            score = -visit(child, -beta, -alpha, ply + 1)
            unmake(side, move, captured)
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

    visit = adapt(quiescence(tree, board, (KING, KING + BLACK), 6, noisy_moves, play))
    return visit
