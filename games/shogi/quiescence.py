"""Quiescence search (games/quiescence.py), which plays captures and safe promotions."""

from __future__ import annotations

from games.ordering import MOVE_MASK
from games.quiescence import quiescence
from games.shogi.evaluation import judge_of, network_of
from games.shogi.movegen import EXCHANGED, ROYAL, move_tables
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
    make = position.rules.make
    unmake = position.rules.unmake
    generate, key_after = position.rules.captures, position.rules.key_after
    loses_material, judge = static_exchange(position), judge_of(position)
    movers = move_tables(position.geometry, useful=True)
    kings, network = position.kings, network_of(position.game)
    features, shift = network.features, network.bits
    count = tree.count

    def noisy_moves(state: State) -> list[int]:
        return generate(state[4], state[5] >> shift, movers)

    def play(state: State, moves: list[int], alpha: int, beta: int, ply: int) -> tuple[int, int]:
        """Return (best score, its move or -1) of standing pat, captures and promotions.

        Constants are written as numbers, as in games/shogi/successors.py.
        """
        key, static, _, _, side, acc, _ = state
        table = features[kings[0] << 7 | kings[1]]
        best = static
        best_move = -1
        pv_node = beta - alpha > 1
        if best > alpha:
            alpha = best
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
            change = start, to, piece, placed, captured
            new_acc, reply = judge(table, acc, side, change)
            # If the opponent will stand pat, the move need not be made.
            if reply >= -alpha:
                count[0] += 1
                if count[0] >= count[1]:
                    count[1] = tree.check(count[0])
                if -reply > best:
                    best = -reply
                continue
            # SEE comes last, since it is slower than the evaluation.
            exposed = EXCHANGED[captured] < EXCHANGED[piece] < ROYAL
            if exposed and loses_material(piece, start, to, side):
                continue
            new_key = key_after(key, side, change)
            make(side, change)
            child = new_key, reply, 0, False, side ^ 1, new_acc, 0
            score = -quiesce(child, -beta, -alpha, ply + 1)
            unmake(side, change)
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if pv_node:
                        tree.lines[ply] = [move] + tree.lines[ply + 1]
                    alpha = score
                    if score >= beta:
                        break
        return best, best_move

    quiesce = quiescence(tree, board, (KING, KING + WHITE), 7, noisy_moves, play)
    return quiesce
