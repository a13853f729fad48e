"""How chess is searched: its kernel for search/pvs.py.

A state is (key, static evaluation, plies since a capture or pawn move, in check, side, accumulator of the
evaluation, castling rights, en passant square or -1, previous move as piece << 6 | square).  The board, the pieces
of each side and the kings' squares change in place.
"""
from __future__ import annotations

from games.base import WIN
from games.chess import quiescence, successors
from games.chess.endings import MOST_MEN, known_score
from games.chess.evaluation import SIDE_BITS, network
from games.chess.history import new_history
from games.chess.keys import BLACK_TO_MOVE as TURN_KEY, PASSANT as PASSANT_KEY
from games.chess.margins import EXCHANGED, MAX_PLY, REDUCTIONS, TOO_GOOD, TOO_GOOD_DEPTH
from games.chess.position import FIFTY
from games.chess.rare import rare_moves
from games.kernel import Kernel

_NET = network()
_PIECES = (1 << SIDE_BITS) - 16         # of one side's material: all but the pawns
PIECES_OF = _PIECES << _NET.top, _PIECES << _NET.top + SIDE_BITS


def build(position, context, tree):
    """The Kernel of a search from `position`, whose board it changes in place.  tree: of search/pvs.py."""
    position.sort_men()         # a search does not depend on how its position arose
    # The keys on the way here, behind three that no position has: repetitions are looked for from three plies back.
    tree.base = len(position.past) + 3
    tree.path[:] = [-1] * 3 + [entry[5] for entry in position.past] + [position.key] + [0] * (MAX_PLY + 1)
    history = context.memory.setdefault("chess.history", new_history())
    exact = context.limits.mate is not None     # a proof is wanted: nothing is pruned
    known = _endings(position.men, position.kings)
    rare = rare_moves(position, history)
    kernel = Kernel(position)
    kernel.quiesce = quiescence.build(position, tree, rare, known)
    kernel.successors = successors.build(position, tree, history, rare, kernel.quiesce, known, exact)
    kernel.root_state, kernel.null_move = _states(position, known)
    kernel.assess, kernel.carries_static, kernel.no_moves = _assess, True, _no_moves
    kernel.max_ply, kernel.repeats, kernel.draw_from = MAX_PLY, True, FIFTY
    kernel.drawn, kernel.root_final = _draws(position, rare[-1])
    if exact:
        # A search with a horizon proves nothing, but one for a mate in N prunes nothing and sees all of them.
        kernel.complete = lambda depth: depth >= 2 * context.limits.mate - 1
    else:
        kernel.complete = lambda depth: False
        kernel.root_reduction = _root_reduction(position)
        kernel.reverse_futility_margin, kernel.reverse_futility_depth = TOO_GOOD, TOO_GOOD_DEPTH
        kernel.iir_from, kernel.null_move_from = 4, 2
    return kernel


def _endings(men, kings):
    """known(side, score): the score corrected by what is known of endings; None where none is within reach."""
    if len(men[0]) + len(men[1]) > MOST_MEN + EXCHANGED:
        return None

    def known(side, score):
        return known_score(men, kings, side, score) if len(men[0]) + len(men[1]) <= MOST_MEN else score

    return known


def _states(position, known):
    """(root_state, null_move) for a search from `position`."""
    board = position.board_squares

    def root_state():
        """The state of the position as it stands."""
        side, acc, past = position.side, _NET.accumulate(board), position.past
        static = _NET.score(acc, side)
        if known is not None:
            static = known(side, static)
        prior = 0
        if past:
            to = past[-1][0] >> 6 & 63
            prior = board[to] << 6 | to
        return (position.key, static, position.fifty, position.in_check(), side, acc, position.rights, position.ep,
                prior)

    def null_move(state, depth, excess):
        """The state after a pass, and the depth left; None where only pawns could move: zugzwang is likely."""
        key, _, _, _, side, acc, rights, ep, _ = state
        if not acc & PIECES_OF[side]:
            return None
        other = side ^ 1
        static = _NET.score(acc, other)
        if known is not None:
            static = known(other, static)
        turned = key ^ TURN_KEY ^ PASSANT_KEY[ep]
        return (turned, static, 0, False, other, acc, rights, -1, 0), depth - 3 - depth // 3 - (excess > 150)

    return root_state, null_move


def _draws(position, has_move):
    """(drawn, root_final) for a search from `position`."""

    def drawn(state):
        """Is it a draw by the rule of fifty moves?"""
        return not state[3] or has_move(state[4], state[7], state[5] >> _NET.squares)

    def root_final(state, depth):
        """0 for a repetition, and for stalemate where quiescence would not see it."""
        if position.fifty >= 8 and position.repetitions() >= 2:
            return 0
        if depth > 0 or has_move(state[4], state[7], state[5] >> _NET.squares) or position.unchecked_legal_moves():
            return None
        return 0

    return drawn, root_final


def _root_reduction(position):
    def root_reduction(state, depth, number):
        """Late quiet moves are reduced half as much as in the tree."""
        if depth <= 2 or number <= 4 or state[3] or position.past[-1][1]:
            return 0
        return REDUCTIONS[min(depth + 1, 63)][min(number - 1, 63)] // 2

    return root_reduction


def _no_moves(state, ply):
    """Checkmate or stalemate."""
    return ply - WIN if state[3] else 0


def _assess(state, ply):
    return state[1], state[3]
