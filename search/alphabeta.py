"""The general search: one alpha-beta for every game.

`AlphaBeta` searches one root move at a time; search/deepening.py drives it.  `visit` is the heart: a principal
variation search, fail-soft (the value it returns may lie outside its window and is then a bound), with these
steps, each of which works only where the game brings the knowledge for it:

    1. a finished game has its value; so has a position that the game's probe knows
    2. the table may know the answer, or at least the move to try first
    3. at depth 0 quiescence plays out the noisy moves, then the static evaluation speaks
    4. null move: if even passing keeps the score above beta, a move will
    5. moves in order: table move, the game's order, killers, history
    6. the first move with the full window, the others with a null window around alpha (late ones reduced);
       whatever beats alpha is searched again in full
    7. what was found goes to the table, to the killers and to the history

Scores are from the side to move.  A win found `n` plies from the root scores WIN - n there; in the table it
is counted from its own node, so that it holds wherever the node is met again.  A score is negated, and its window
turned round, from each ply to the next; where a player may move several times in a row (`alternates` is not set) a
reply by the same player is turned round once more.

`horizon` counts every place where something else than the rules decided (an evaluation, a null move, a
reduction, a shallow table entry).  Where a subtree left it unchanged, its value is exact and final: it enters the table
as SOLVED, and a root that is so is proven.
"""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.entry import (
    DEPTH_SHIFT, EXACT, LOWER, MOVE_MASK, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, SOLVED, UPPER, from_node, from_root)

INFINITY = WIN + 1
MAX_PLY = 240

# The first moves of a node are never reduced, nor is anything this close to the horizon.
_FULL_MOVES = 3
_REDUCE_FROM = 3
_NULL_FROM = 2

# Order of the moves of a node, above and below the game's own order (which stays within 2**20).
_TABLE_FIRST = 1 << 24
_KILLER = 1 << 21
_HISTORY_LIMIT = 1 << 20
_INDEX = (1 << 20) - 1


class AlphaBeta:
    """Searches the root moves of `position` (a private copy, left anywhere when `Stopped` passes)."""

    def __init__(self, position, context):
        self._table = table = context.table("alphabeta")
        self._lines = [[] for _ in range(MAX_PLY + 2)]
        self._reply, self._restart, self._counters = _build(position, context, table, self._lines)
        self._horizon = 0
        self._position = position

    def begin(self, depth):
        """A new iteration starts."""
        self._restart()
        self._horizon = self._counters()[2]

    def try_move(self, move, number, depth, alpha, beta):
        """The score of a root `move` for its mover, its reply searched `depth` plies deep (fail-soft)."""
        position = self._position
        position.make(move)
        score = -self._reply(depth, -beta, -alpha, 1, True)
        position.undo()
        return score

    def reply_line(self):
        """The principal variation after the move tried last, if its score lay inside the window."""
        return self._lines[1][:]

    def complete(self):
        """Was everything since begin() decided by the rules alone?"""
        return self._counters()[2] == self._horizon

    def nodes(self):
        """Positions visited."""
        return self._counters()[0]

    def seldepth(self):
        """The deepest ply visited since begin()."""
        return self._counters()[1]

    def hashfull(self):
        """How full the table is, in permille."""
        return self._table.hashfull()


def _build(position, context, table, lines):
    """(reply, restart, counters): the search, with everything it needs bound to locals (attribute access costs a quarter)."""
    game = position.game
    make, undo, evaluate, final_value = position.make, position.undo, position.evaluate, position.final_value
    moves_of = position.search_moves or position.legal_moves
    narrow = position.search_moves is not None
    noisy_moves, order_moves, probe = position.noisy_moves, position.order_moves, position.probe
    make_null, in_check = position.make_null, position.in_check
    undo_null = position.undo_null if make_null else None
    null_allowed = position.null_allowed if make_null else None
    reductions, repetition = game.reductions, game.repetition
    check = context.check
    keys, data, mask = table.keys, table.data, table.mask
    killers = [[-1, -1] for _ in range(MAX_PLY + 2)]
    history = ({}, {})
    nodes = deepest = horizon = 0
    limit = 0                       # the node count at which the context is asked next
    movers = [position.side] * (MAX_PLY + 2)    # at each ply of the line that is searched

    def ordered(moves, first, ply):
        """The moves as a list, best first: table move, the game's order, killers, history."""
        order = order_moves(moves) if order_moves else None
        seen = history[position.side]
        killer_a, killer_b = killers[ply]
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

    def remember(move, depth, ply):
        """A move that cut off is tried early in its siblings and cousins."""
        killer = killers[ply]
        if killer[0] != move:
            killer[1] = killer[0]
            killer[0] = move
        seen = history[position.side]
        seen[move] = seen.get(move, 0) + depth * depth
        if seen[move] > _HISTORY_LIMIT:
            for other in seen:
                seen[other] >>= 1

    def quiesce(alpha, beta, ply):
        """The evaluation, once no capture or the like is pending.

        Standing pat is allowed even under a threat, so its value is never taken for a proof.
        """
        nonlocal nodes, deepest, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        if ply > deepest:
            deepest = ply
        lines[ply] = []
        value = final_value()
        if value is not None:
            return from_root(value, ply)
        best = evaluate()
        if best >= beta or ply >= MAX_PLY:
            return best
        alpha = max(alpha, best)
        for move in ordered(noisy_moves(), -1, ply):
            make(move)
            score = -calm_reply(-beta, -alpha, ply + 1)
            undo()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    lines[ply] = [move] + lines[ply + 1]
                    if score >= beta:
                        break
        return best

    def visit_in_turn(depth, alpha, beta, ply, null_ok):
        """`visit` for the opponent of who moved at the ply above, where the same player may move again."""
        side = movers[ply] = position.side
        if side != movers[ply - 1]:
            return visit(depth, alpha, beta, ply, null_ok)
        return -visit(depth, -beta, -alpha, ply, null_ok)

    def quiesce_in_turn(alpha, beta, ply):
        """`quiesce` likewise."""
        side = movers[ply] = position.side
        if side != movers[ply - 1]:
            return quiesce(alpha, beta, ply)
        return -quiesce(-beta, -alpha, ply)

    def visit(depth, alpha, beta, ply, null_ok):
        """The fail-soft value of the position for the side to move, `depth` plies deep."""
        nonlocal nodes, deepest, horizon, limit
        in_danger = in_check is not None and in_check()
        if in_danger and ply < MAX_PLY // 2:
            depth += 1
        if depth <= 0 and noisy_moves is not None:
            horizon += 1
            return quiesce(alpha, beta, ply)

        # 1. Counting, and what is known without a search.
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        if ply > deepest:
            deepest = ply
        lines[ply] = []
        value = final_value()
        if value is not None:
            return from_root(value, ply)
        if probe is not None:
            value = probe(alpha, beta, depth)
            if value is not None:
                return from_root(value, ply)
        if ply >= MAX_PLY:
            horizon += 1
            return evaluate()

        # 2. The table.
        horizon_before = horizon
        key = position.key
        slot = key & mask
        first = -1
        pv_node = beta - alpha > 1
        if keys[slot] == key:
            entry = data[slot]
            first = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
            known = entry >> DEPTH_SHIFT & SOLVED
            if known >= depth and not pv_node:
                score = from_root((entry >> SCORE_SHIFT) - SCORE_BIAS, ply)
                if (entry & LOWER and score >= beta) or (entry & UPPER and score <= alpha):
                    if known != SOLVED:
                        horizon += 1
                    return score

        # 3. The horizon.
        if depth <= 0:
            horizon += 1
            return evaluate()

        # 4. Null move.
        if (null_ok and make_null is not None and depth >= _NULL_FROM and not pv_node
                and -MAX_SCORE < beta < MAX_SCORE and null_allowed() and evaluate() >= beta):
            make_null()
            score = -reply(depth - 3 - depth // 6, -beta, 1 - beta, ply + 1, False)
            undo_null()
            if beta <= score:
                horizon += 1
                return min(score, MAX_SCORE)

        # 5. and 6. The moves.
        moves = moves_of()
        if not moves:
            return from_root(position.value_of(position.outcome()), ply)
        if narrow:
            horizon += 1        # moves were left out on the game's word: nothing below is proven by the rules alone
        best, best_move, floor = -INFINITY, -1, alpha
        for index, move in enumerate(ordered(moves, first, ply) if len(moves) > 1 else moves):
            make(move)
            if index == 0:
                score = -reply(depth - 1, -beta, -alpha, ply + 1, True)
            else:
                less = 0
                if reductions and index >= _FULL_MOVES and depth >= _REDUCE_FROM and not in_danger:
                    less = 1 if index < 10 or depth < 6 else 2
                score = -reply(depth - 1 - less, -alpha - 1, -alpha, ply + 1, True)
                if less and score > alpha:
                    score = -reply(depth - 1, -alpha - 1, -alpha, ply + 1, True)
                elif less:
                    horizon += 1
                if alpha < score < beta and pv_node:
                    score = -reply(depth - 1, -beta, -alpha, ply + 1, True)
            undo()
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    lines[ply] = [move] + lines[ply + 1]
                    if score >= beta:
                        remember(move, depth, ply)
                        break

        # 7. The table again.
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        stored = SOLVED if horizon == horizon_before and not repetition else min(depth, SOLVED - 1)
        if keys[slot] != key or (data[slot] >> DEPTH_SHIFT & SOLVED) <= stored:
            keys[slot] = key
            data[slot] = ((from_node(best, ply) + SCORE_BIAS) << SCORE_SHIFT
                          | (best_move + 1 if bound & LOWER else first + 1) << MOVE_SHIFT | stored << DEPTH_SHIFT | bound)
        return best

    def restart():
        """A new iteration."""
        nonlocal deepest
        deepest = 0

    def counters():
        """Positions visited, the deepest ply since restart(), and `horizon`."""
        return nodes, deepest, horizon

    reply, calm_reply = (visit, quiesce) if game.alternates else (visit_in_turn, quiesce_in_turn)
    return reply, restart, counters
