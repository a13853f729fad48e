"""The kernel of every game that brings none of its own: it makes and undoes moves on the position of games/base.py.

A state is (key, 0, 0, in check, does the player of the last move play again?).
"""
from __future__ import annotations

from operator import itemgetter

from games.base import brings
from games.entry import score_from_table
from games.kernel import ALPHA, BETA, TABLE_MOVE, Kernel
from games.ordering import History, Killers
from search.pvs import DEEPEST, LIMIT, MAX_PLY, NODES, UNPROVEN

# The first moves of a node are never reduced, nor is anything this close to the horizon.
_FULL_MOVES = 3
_REDUCE_FROM = 3
_NULL_FROM = 2

# Order of the moves of a node, above and below the game's own order (which stays within 2**20).
_TABLE_FIRST = 1 << 24
_KILLER = 1 << 21
_HISTORY_LIMIT = 1 << 20
_INDEX = (1 << 20) - 1


def build(position, tree):
    """The Kernel of a search from `position`, which it changes in place."""
    game, count, lines, check = position.game, tree.count, tree.lines, tree.check
    make, undo, final_value, evaluate = position.make, position.undo, position.final_value, position.evaluate
    narrow, danger = brings(position, "search_moves"), brings(position, "in_check")
    orders, probes = brings(position, "order_moves"), brings(position, "probe")
    quiet = not brings(position, "noisy_moves")
    moves_of = position.search_moves if narrow else position.legal_moves
    noisy_moves, order_moves, probe = position.noisy_moves, position.order_moves, position.probe
    in_check, reductions = position.in_check, game.reductions
    killers, histories = Killers(MAX_PLY + 2), (History(_HISTORY_LIMIT), History(_HISTORY_LIMIT))

    root_side = position.side

    def root_state():
        return position.key, 0, 0, danger and in_check(), position.side == root_side

    def ordered(moves, first, ply):
        """The moves as a list, best first: table move, the game's order, killers, history."""
        order = order_moves(moves) if orders else None
        seen = histories[position.side].scores
        killer_a, killer_b = killers.at[ply]
        ranked = []
        for index, move in enumerate(moves):
            rank = seen.get(move, 0) if order is None else order[index] + seen.get(move, 0)
            if move == first:
                rank += _TABLE_FIRST
            elif move == killer_a or move == killer_b:
                rank += _KILLER
            ranked.append(rank << 40 | (_INDEX - index) << 20 | move)
        ranked.sort(reverse=True)
        return [entry & _INDEX for entry in ranked]

    def settle(state, depth, alpha, beta, ply, null_ok):
        """The value of a finished game, or what the game's probe knows."""
        value = final_value()
        if value is None and probes:
            value = probe(alpha, beta, depth)
        return None if value is None else score_from_table(value, ply)

    def no_moves(state, ply):
        """The value of a finished game."""
        return score_from_table(position.value_of(position.outcome()), ply)

    def assess(state, ply):
        return evaluate(), state[3]

    def horizon(state, depth, alpha, beta, ply, static, known):
        return evaluate() if static is None else static

    def successors(state, depth, ply, node):
        """The moves that are worth searching, late ones reduced where the game allows it."""
        moves = moves_of()
        if narrow:
            count[UNPROVEN] += 1    # moves were left out on the game's word: the rules alone prove nothing below
        side = position.side
        reduce = reductions and depth >= _REDUCE_FROM and not state[3]
        for index, move in enumerate(ordered(moves, node[TABLE_MOVE], ply) if len(moves) > 1 else moves):
            reduction = 0
            if reduce and index >= _FULL_MOVES:
                reduction = 1 if index < 10 or depth < 6 else 2
            make(move)
            gives = danger and ply < MAX_PLY // 2 and in_check()
            child, left = (position.key, 0, 0, gives, position.side == side), depth - 1 + gives
            if left > 0 or quiet:
                yield move, child, left, reduction
            else:
                yield move, None, -quiesce(child, -node[BETA], -node[ALPHA], ply + 1), 0
            undo()
            if node[ALPHA] >= node[BETA]:
                killers.reward(move, ply)
                histories[side].reward(move, depth)
                return

    def quiesce(state, alpha, beta, ply):
        """The evaluation, once no capture or the like is pending.

        Standing pat is allowed even under a threat, so its value is never taken for a proof.
        """
        if state[4]:
            return -quiesce(state[:4] + (False,), -beta, -alpha, ply)
        count[NODES] += 1
        count[UNPROVEN] += 1
        if count[NODES] >= count[LIMIT]:
            count[LIMIT] = check(count[NODES])
        if ply > count[DEEPEST]:
            count[DEEPEST] = ply
        lines[ply] = []
        value = final_value()
        if value is not None:
            return score_from_table(value, ply)
        best = evaluate()
        if best >= beta or ply >= MAX_PLY:
            return best
        alpha = max(alpha, best)
        side = position.side
        for move in ordered(noisy_moves(), -1, ply):
            make(move)
            child = position.key, 0, 0, False, position.side == side
            score = -quiesce(child, -beta, -alpha, ply + 1)
            undo()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    lines[ply] = [move] + lines[ply + 1]
                    if score >= beta:
                        break
        return best

    def null_move(state, depth, excess):
        if not position.null_allowed():
            return None
        position.make_null()
        return (position.key, 0, 0, False, False), depth - 3 - depth // 6

    kernel = Kernel(position)
    kernel.root_state, kernel.successors, kernel.no_moves = root_state, successors, no_moves
    kernel.settle, kernel.assess, kernel.horizon, kernel.horizon_to = settle, assess, horizon, 0
    kernel.proves, kernel.path_dependent = True, game.repetition
    if not game.alternates:
        kernel.plays_again = itemgetter(4)
    if not quiet:
        kernel.quiesce = quiesce
    if brings(position, "make_null"):
        kernel.null_move, kernel.undo_null, kernel.null_move_from = null_move, position.undo_null, _NULL_FROM
    return kernel
