"""The kernel of chess for search/pvs.py.

The state of a position is

    (key, static evaluation, plies since a capture or pawn move, in check, side,
     accumulator of the evaluation, castling rights, en passant square or -1,
     previous move as piece << 6 | target square)

The board, the pieces of each side and the kings' squares change in place.
"""

from __future__ import annotations

from functools import partial

from games.base import WIN
from games.chess.endgames import MAX_PIECES, known_score
from games.chess.evaluation import SIDE_BITS
from games.chess.moves import key_change
from games.chess.quiescence import make_quiesce
from games.chess.successors import PRUNING, make_successors
from games.chess.tables import EN_PASSANT_KEYS, SIDE_KEY
from games.kernel import Kernel
from games.ordering import MOVE_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.position import ChessPosition
    from games.quiescence import Quiesce
    from games.types import Context, Tree

    State = tuple[int, int, int, bool, int, int, int, int, int]
    # endgame_score(side to move, evaluation): the endgame's known score, else the evaluation.
    EndgameScore = Callable[[int, int], int]
    # special(side, move, key, accumulator): defined in chess_kernel() below.
    Special = Callable[[int, int, int, int], tuple[int, int, int, int]]

# Known endgames are checked if the root has at most this many pieces more than MAX_PIECES.
_CAPTURES_TO_ENDGAME = 8


def chess_kernel(
    position: ChessPosition,
    context: Context,
    tree: Tree,
    adapt: Callable[[Quiesce], Quiesce] = lambda quiesce: quiesce,
) -> Kernel:
    """Return the Kernel of a search from `position`, whose board it changes in place.

    context, tree: see Game.kernel.
    adapt(quiesce): returns the variant's quiescence search, given chess's.
    """
    position.sort_pieces()  # so that the search doesn't depend on the position's history
    tree.set_path([key for *_, key in position.undo_stack] + [position.key])
    history = context.memory.setdefault("chess.history", [[0] * 64 for _ in range(16)])
    mate = context.limits.mate  # a requested mate must be proven, so nothing is pruned
    pieces = position.pieces
    kings = position.kings
    captures, quiets = position.generator.captures, position.generator.quiets
    is_legal, make_special = position.mover.is_legal, position.mover.special
    net = position.network()
    # Mask of the counts of White's pieces other than pawns, in an accumulator.
    non_pawns = (1 << SIDE_BITS) - 16 << net.material_shift
    non_pawn_material = non_pawns, non_pawns << SIDE_BITS

    # Known endgames are looked for only if some lines may lead to them.
    is_near_endgame = sum(map(len, pieces)) <= MAX_PIECES + _CAPTURES_TO_ENDGAME
    endgame_score: EndgameScore | None = None
    if position.knows_endgames and is_near_endgame:
        endgame_score = partial(known_score, pieces, kings)

    def judge(side: int, acc: int) -> int:
        """Return the static evaluation for `side`, the side to move."""
        static = net.score(acc, side)
        return static if endgame_score is None else endgame_score(side, static)

    def special(side: int, move: int, key: int, acc: int) -> tuple[int, int, int, int]:
        """Make a special move (castling, en passant, promotion) on the board by Mover.special().

        Returns (accumulator, key, captured piece, piece on the target square).  key, acc: the key
        and the accumulator before the move.
        """
        features = net.table(pieces)
        changed, placed, captured = make_special(side, move)
        gone, new = changed  # (piece, square) pairs that disappeared or appeared
        key ^= key_change(changed)
        features_then = net.table(pieces)
        if features_then is not features:  # the capture leads to another phase of the network
            return position.accumulator(), key, captured, placed
        for piece_then, at in new:
            acc += features[piece_then][at]
        for piece_then, at in gone:
            acc -= features[piece_then][at]
        return acc, key, captured, placed

    def root_state() -> State:
        """Return the state of the current position."""
        side, acc = position.side, position.accumulator()
        static = judge(side, acc)
        previous = 0
        if position.undo_stack:
            last_move, _, placed, *_ = position.undo_stack[-1]
            previous = placed << 6 | last_move >> 6 & 63
        rule50, in_check = position.halfmove_clock, position.in_check()
        rights, ep = position.rights, position.ep
        return position.key, static, rule50, in_check, side, acc, rights, ep, previous

    def null_move(state: State, depth: int, excess: int) -> tuple[State, int] | None:
        """Return the state after a null move, and the depth at which to search it.

        None if the side to move has only king and pawns, since zugzwang is likely then.  excess:
        see Kernel.null_move.
        """
        key, _, _, _, side, acc, rights, ep, _ = state
        if not acc & non_pawn_material[side]:
            return None
        opponent = side ^ 1
        null_key = key ^ SIDE_KEY ^ EN_PASSANT_KEYS[ep]
        passed = null_key, judge(opponent, acc), 0, False, opponent, acc, rights, -1, 0
        return passed, depth - PRUNING.null_reduction(depth, excess)

    def drawn(state: State) -> bool:
        """Is the position drawn by the fifty-move rule?  It isn't if the last move mates."""
        _, _, _, in_check, side, acc, _, ep, _ = state
        occupancy = acc >> net.occupancy_shift
        return not in_check or any(
            is_legal(side, move & MOVE_MASK)
            for move in captures(side, ep, occupancy) + quiets(side, history, occupancy)
        )

    def root_final(state: State, depth: int) -> int | None:
        """Return 0 for a threefold repetition or, at depth 0, for a stalemate; else None.

        Quiescence would miss the stalemate.
        """
        if position.halfmove_clock >= 8 and position.repetitions() >= 2:
            return 0
        return None if depth > 0 or position.playable_moves() else 0

    kernel = Kernel(position)
    kernel.quiesce = quiesce = make_quiesce(position, tree, special, endgame_score, adapt)
    kernel.successors = make_successors(
        position, tree, history, special, quiesce, endgame_score, mate is not None
    )
    kernel.root_state = root_state
    kernel.null_move = null_move
    kernel.no_moves = lambda state, ply: ply - WIN if state[3] else 0  # checkmate or stalemate
    kernel.drawn = drawn
    kernel.root_final = root_final
    kernel.draw_from = position.draw_from
    PRUNING.give_to(kernel, tree, mate, lambda: position.undo_stack[-1][1])
    return kernel
