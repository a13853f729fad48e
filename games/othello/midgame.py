"""The midgame search: alpha-beta on lanes, in place of the general one.

It follows search/alphabeta.py (principal variation search, fail-soft, table, ordering), with the board as plain
ints that need no undo, and with Buro's multi-ProbCut in place of null move and reductions: where a shallow
search says that the deep one will almost surely fall outside the window, it is believed.
"""
from __future__ import annotations

from games.entry import (
    DEPTH_MASK, DEPTH_SHIFT, EXACT, LOWER, MOVE_MASK, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, UPPER)
from games.othello import PASS
from games.othello.keys import key_of
from games.othello.lanes import LANES
from games.othello.order import SQUARE_ORDER
from games.othello.patterns import evaluation
from games.othello.probcut import CUTS

INFINITY = 1 << 20
DISC = 100                  # the score of one disc

# From this depth on moves are ordered by the evaluation after them; below by the number of replies.
_EVALUATE_FROM = 3
_HISTORY_LIMIT = 1 << 12
_PROBCUT_FROM = 3

# Where the memory of a game keeps the search, and the share of the megabytes that its table takes.
_MEMORY, _TABLE, _SHARE = "othello.midgame", "othello.midgame table", 0.5


def final_score(own, opp, empties):
    """The score of a finished game for the side with `own`: empty squares count for the winner."""
    lead = disc_count(own) - disc_count(opp)
    return DISC * (lead + empties if lead > 0 else lead - empties if lead else 0)


def disc_count(lanes):
    """How many discs `lanes` holds."""
    return len(LANES.squares(lanes))


class MidgameSearch:
    """The core that iterative deepening drives; its methods are those of search/alphabeta.py's AlphaBeta.

    nodes(): positions visited since it was made.
    """

    def __init__(self, position, context, evaluate=None, probcut=True):
        """evaluate(own, opp, empties): another evaluation than the engine's own."""
        memory, table = context.memory, context.table(_TABLE, _SHARE)
        self._table = table
        if _MEMORY not in memory:
            # Made once for all searches of a game: the table is worth keeping, and so are PyPy's traces.
            memory[_MEMORY] = build(table, evaluate or evaluation().evaluate, probcut)
        self._search, begin, self.nodes = memory[_MEMORY]
        begin(context.check, position.own | position.opp)
        self._own, self._opp, self._empties = position.own, position.opp, position.empties
        self._depth, self._line = 0, []

    def begin(self, depth):
        """A new iteration starts."""
        self._depth = depth

    def try_move(self, move, number, depth, alpha, beta):
        """The score of a root `move` for its mover, its reply searched `depth` plies deep (fail-soft)."""
        own, opp, empties = self._own, self._opp, self._empties
        if move == PASS:
            own, opp = opp, own
        else:
            turned, gained, _ = LANES.flips[move][(opp + (opp & LANES.step[move])) & own]
            own, opp, empties = opp ^ turned, own | gained, empties - 1
        score, self._line = self._search(own, opp, empties, depth, -beta, -alpha)
        return -score

    def reply_line(self):
        """The principal variation after the move tried last, if its score lay inside the window."""
        return self._line

    def complete(self):
        """Did every line of the iteration reach the end of the game?"""
        return self._depth >= self._empties

    def seldepth(self):
        """The deepest ply visited since begin()."""
        return min(self._depth, self._empties)

    def hashfull(self):
        """How full the table is, in permille."""
        return self._table.hashfull()


def build(table, evaluate, probcut):
    """(search, begin, count), with everything bound to locals.

    search(own, opp, empties, depth, alpha, beta): (score, line).  begin(check, occupied): before the first search of
    a root with these squares `occupied`.  count(): positions visited since then.
    """
    step, flips, full, moving = LANES.step, LANES.flips, LANES.full, LANES.moving
    keys, data, mask = table.keys, table.data, table.mask
    squares, history, check = SQUARE_ORDER, [0] * 64, None
    nodes, limit = 0, 0

    def begin(new_check, occupied):
        nonlocal squares, check, nodes, limit
        squares = [square for square in SQUARE_ORDER if not occupied & moving[square]]
        check, nodes, limit = new_check, 0, 0
        history[:] = [0] * 64

    def count():
        return nodes

    def leaf_moves(own, opp, empties, ends, beta):
        """The best evaluation after one move, or the first that reaches beta."""
        nonlocal nodes
        best = -INFINITY
        left = empties - 1
        for square in squares:
            if ends & moving[square]:
                turned, gained, _ = flips[square][(opp + (opp & step[square])) & own]
                nodes += 1
                if left:
                    score = -evaluate(opp ^ turned, own | gained, left)
                else:
                    score = final_score(own | gained, opp ^ turned, 0)
                if score > best:
                    best = score
                    if score >= beta:
                        break
        return best

    def ordered(own, opp, empties, ends, depth, first):
        """[(rank, square, own and opp of the reply)], most promising first."""
        moves = []
        left = empties - 1
        for square in squares:
            if ends & moving[square]:
                turned, gained, _ = flips[square][(opp + (opp & step[square])) & own]
                after, before = opp ^ turned, own | gained
                if square == first:
                    rank = -INFINITY
                elif depth >= _EVALUATE_FROM:
                    rank = evaluate(after, before, left) - (history[square] >> 4)
                else:
                    rank = -history[square]
                moves.append((rank, square, after, before))
        moves.sort()
        return moves

    def remember(square, depth):
        history[square] += depth * depth
        if history[square] > _HISTORY_LIMIT:
            for other in range(64):
                history[other] >>= 1

    def null_window(own, opp, empties, depth, beta):
        """The fail-soft score against the window (beta - 1, beta)."""
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)

        # 1. The moves; where there is none, a pass or the end.
        empty = full & ~(own | opp)
        ends = (opp + ((own << 1) & opp)) & empty
        if not ends:
            if (own + ((opp << 1) & own)) & empty:
                return -null_window(opp, own, empties, depth, 1 - beta)
            return final_score(own, opp, empties)
        if depth <= 1:
            return leaf_moves(own, opp, empties, ends, beta) if depth else evaluate(own, opp, empties)

        # 2. The table.
        key = key_of(own, opp)
        slot = key & mask
        first = -1
        if keys[slot] == key:
            entry = data[slot]
            first = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
            if entry >> DEPTH_SHIFT & DEPTH_MASK >= depth:
                score = (entry >> SCORE_SHIFT) - SCORE_BIAS
                if entry & LOWER and score >= beta or entry & UPPER and score < beta:
                    return score

        # 3. Multi-ProbCut.
        if probcut and _PROBCUT_FROM <= depth < empties:
            shallow, slope, offset, margin = CUTS[empties][depth]
            static = evaluate(own, opp, empties)
            bound = int((beta + margin - offset) / slope)
            if static >= bound - margin and null_window(own, opp, empties, shallow, bound) >= bound:
                return beta
            bound = int((beta - 1 - margin - offset) / slope)
            if static <= bound + margin and null_window(own, opp, empties, shallow, bound + 1) <= bound:
                return beta - 1

        # 4. The moves in order.
        best, best_move = -INFINITY, -1
        for _, square, after, before in ordered(own, opp, empties, ends, depth, first):
            score = -null_window(after, before, empties - 1, depth - 1, 1 - beta)
            if score > best:
                best = score
                if score >= beta:
                    best_move = square
                    remember(square, depth)
                    break

        # 5. The table again.
        bound = LOWER if best >= beta else UPPER
        keys[slot] = key
        data[slot] = ((best + SCORE_BIAS) << SCORE_SHIFT | depth << DEPTH_SHIFT
                      | (best_move if best_move >= 0 else first) + 1 << MOVE_SHIFT | bound)
        return best

    def open_window(own, opp, empties, depth, alpha, beta):
        """(fail-soft score, principal variation) inside a wider window."""
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        empty = full & ~(own | opp)
        ends = (opp + ((own << 1) & opp)) & empty
        if not ends:
            if (own + ((opp << 1) & own)) & empty:
                score, line = open_window(opp, own, empties, depth, -beta, -alpha)
                return -score, [PASS] + line
            return final_score(own, opp, empties), []
        if not depth:
            return evaluate(own, opp, empties), []
        key = key_of(own, opp)
        slot = key & mask
        first = (data[slot] >> MOVE_SHIFT & MOVE_MASK) - 1 if keys[slot] == key else -1
        best, best_move, floor, line = -INFINITY, -1, alpha, []
        for _, square, after, before in ordered(own, opp, empties, ends, max(depth, _EVALUATE_FROM), first):
            reply = []
            score = alpha + 1
            if best > -INFINITY:
                score = -null_window(after, before, empties - 1, depth - 1, -alpha)
            if best == -INFINITY or alpha < score < beta:
                score, reply = open_window(after, before, empties - 1, depth - 1, -beta, -alpha)
                score = -score
            if score > best:
                best, best_move = score, square
                if score > alpha:
                    alpha, line = score, [square] + reply
                    if score >= beta:
                        remember(square, depth)
                        break
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        keys[slot] = key
        data[slot] = ((best + SCORE_BIAS) << SCORE_SHIFT | depth << DEPTH_SHIFT
                      | (best_move if bound & LOWER else first) + 1 << MOVE_SHIFT | bound)
        return best, line

    def search(own, opp, empties, depth, alpha, beta):
        """(fail-soft score, principal variation) for the side with `own`."""
        if beta - alpha == 1:
            return null_window(own, opp, empties, depth, beta), []
        return open_window(own, opp, empties, depth, alpha, beta)

    return search, begin, count
