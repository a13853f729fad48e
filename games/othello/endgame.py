"""The exact endgame: from any position, the difference in discs that best play of both sides leads to.

`Solver.value` is a principal variation search, fail-soft, without any heuristic pruning unless it is asked for:

    1. the table: lower and upper bound of each position met, and whether they are proven
    2. stability: the opponent's discs that nobody can turn bound the value from above
    3. enhanced transposition cutoff: a reply that the table knows may decide at once
    4. moves in order: table move, then fastest first (the fewer replies the better), corrected by the evaluation
       where enough squares are empty
    5. the last squares by games/othello/last.py

A selective search believes the evaluation after the best move where it lies far outside a null window.  It costs a
tenth of the proof, which then has its value to begin from and its best moves in the table.

Null windows on fewer than _NEAR squares are searched on bare lanes, without steps 3 and the evaluation.

Values are differences in discs for the side to move, from -64 to 64, empty squares going to the winner.
"""
from __future__ import annotations

from games.entry import CHOICE_MASK, CHOICE_SHIFT, MOST_SHIFT, PROVEN, VALUE_BIAS, VALUE_MASK
from games.othello import last
from games.othello.keys import OPP_FACTOR, OWN_FACTOR, PRIME, key_of
from games.othello.lanes import LANES, MOVING, ROWS
from games.othello.last import LAST
from games.othello.order import SQUARE_ORDER
from games.othello.popcount import bit_count
from games.othello.stability import stable_count

WORST, BEST = -64, 64

# Empty squares: below so many nothing is evaluated; from so many on, after the move, replies are looked up, and moves
# are ordered by the evaluation after the best reply.
_NEAR = 11
_LOOK_UP_FROM = 10
_LOOK_AHEAD_FROM = 15

# Order of moves: what a square to reply on counts, each direction of a reply, and each into a corner beside that; the
# evaluation after the move in hundredths of a disc is divided by _EVALUATION.  On bare lanes the same is 2, 1 and 2.
_REPLY, _DIRECTION, _CORNER_REPLY, _EVALUATION = 16, 8, 32, 16
# To count the squares saves a tenth of the positions, but takes time: it is done from so many empty squares on, in
# searches that begin with at least so many.  Otherwise directions stand for them, at _DIRECTIONS_ALONE each.
_COUNT_SQUARES_FROM, _COUNT_SQUARES_IN = 9, 17
_DIRECTIONS_ALONE = 16
_TABLE_FIRST = -1 << 20
# Stable discs are counted where alpha is at least this, and two more for each empty square.
_STABILITY_FROM = 4
_CORNERS = LANES.moving[0] | LANES.moving[7] | LANES.moving[56] | LANES.moving[63]

# A selective search believes the evaluation from so many empty squares on, if it lies at least so many hundredths of
# a disc outside the window: after the best move, and after the best reply to that.
_BELIEVE_FROM, _FAR, _FAR_AHEAD = 12, 1100, 960


class Solver:
    """A solver and its table.  One serves many searches, so that the interpreter's tracing pays."""

    def __init__(self, table, evaluate=None):
        """table: for its bounds.  evaluate(own, opp, empties): for the order of moves; None: do without."""
        self.table = table
        self._deep, self._begin, self.nodes = build(self.table, evaluate)

    def value(self, own, opp, alpha, beta, check, selective=False):
        """The value for the side with `own`, fail-soft against the window; if `selective`, only what it most likely is.

        check(nodes) is called now and then with the count of positions; what it raises passes.
        """
        own_squares, opp_squares = LANES.squares(own), LANES.squares(opp)
        taken = set(own_squares + opp_squares)
        squares = [square for square in SQUARE_ORDER if square not in taken]
        lead = len(own_squares) - len(opp_squares)
        left = len(squares)
        self._begin(check, left, selective)
        return self._deep(own, opp, squares, sum(1 << square for square in squares), left, alpha, beta, lead)

    def table_move(self, own, opp):
        """The best move known for a position; -1 where there is none."""
        key = key_of(own, opp)
        slot = key & self.table.mask
        return (self.table.data[slot] >> CHOICE_SHIFT & CHOICE_MASK) - 1 if self.table.keys[slot] == key else -1


def build(table, evaluate):
    """(deep, begin(check, left, selective), count()): the search, with everything it needs bound to locals."""
    moving, step, full = LANES.moving, LANES.step, LANES.full
    flips, bare_flips = LANES.flips, LANES.bare_flips
    keys, data, slots = table.keys, table.data, table.mask
    rows, own_factor, opp_factor, prime = ROWS, OWN_FACTOR, OPP_FACTOR, PRIME       # key_of, written out below
    solve_last, schedules, count_last, trim_last = last.build()
    nodes, limit, check = 0, 0, None
    proven = PROVEN        # the mark of entries made now; 0 in a selective search
    counting = False        # are the squares to reply on counted?

    def begin(new_check, left, selective):
        nonlocal check, limit, proven, counting
        check, limit, counting = new_check, 0, left >= _COUNT_SQUARES_IN
        proven = 0 if selective else PROVEN
        trim_last()

    def count():
        return nodes + count_last()

    def look_ahead(own, opp, empties):
        """The best evaluation after one move."""
        ends = (opp + ((own << 1) & opp)) & full & ~(own | opp)
        best = None
        for square in SQUARE_ORDER:
            if ends & moving[square]:
                turned, gained, _ = flips[square][(opp + (opp & step[square])) & own]
                value = -evaluate(opp ^ turned, own | gained, empties - 1)
                if best is None or value > best:
                    best = value
        return evaluate(own, opp, empties) if best is None else best

    def near(own, opp, squares, empties, left, beta, lead, cut):
        """A null window, on bare lanes, where so few squares are empty that nothing is evaluated."""
        nonlocal nodes, limit
        if left == LAST:
            return lead + solve_last(own, opp, schedules[empties], beta - lead)
        nodes += 1
        if nodes >= limit:
            total = nodes + count_last()
            limit = nodes + max(1, (check(total) - total) // 16)
        empty = full & ~(own | opp)
        ends = (opp + ((own << 1) & opp)) & empty
        if not ends:
            if not (own + ((opp << 1) & own)) & empty:
                return last.finished(lead, left)
            return -near(opp, own, squares, empties, left, 1 - beta, -lead, not cut)

        # 1. The table; so far down nothing was believed, proven or not.
        key = ((own & rows) * own_factor + (opp & rows) * opp_factor) % prime
        slot = key & slots
        low, high, first = WORST, BEST, -1
        if keys[slot] == key:
            entry = data[slot]
            low, high = (entry & VALUE_MASK) - VALUE_BIAS, (entry >> MOST_SHIFT & VALUE_MASK) - VALUE_BIAS
            first = (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1
            if low >= beta or low == high:
                return low
            if high < beta:
                return high

        # 2. Discs of the opponent that nobody can turn bound the value from above.
        if beta > _STABILITY_FROM + 2 * left and opp & _CORNERS:
            value = BEST - 2 * stable_count(opp, own)
            if value < beta:
                return value

        # 3. The moves, ranked.
        moves, corners = [], empty & _CORNERS
        masks = [moving[square] for square in squares] if cut and counting and left >= _COUNT_SQUARES_FROM else ()
        for square in squares:
            where = moving[square]
            if ends & where:
                turned, gained, swing = bare_flips[square][(opp + (opp & step[square])) & own]
                after, before = opp ^ turned, own | gained
                if square == first:
                    rank = _TABLE_FIRST
                else:
                    replies = (before + ((after << 1) & before)) & (empty ^ where)
                    rank = bit_count(replies)
                    if corners:
                        rank += 2 * bit_count(replies & corners)
                    for mask in masks:
                        if replies & mask:
                            rank += 2
                moves.append((rank, square, after, before, swing))
        moves.sort()

        # 4. Search.
        left -= 1
        best, best_move = -BEST - 1, first
        for _, square, after, before, swing in moves:
            if left == LAST:
                ahead = lead + swing
                value = ahead - solve_last(after, before, schedules[empties ^ 1 << square], ahead + 1 - beta)
            else:
                others = squares[:]
                others.remove(square)
                value = -near(after, before, others, empties ^ 1 << square, left, 1 - beta, -lead - swing, not cut)
                cut = False
            if value > best:
                best = value
                if value >= beta:
                    best_move = square
                    break

        # 5. The table again.
        if best >= beta:
            if best > low:
                low = best
        elif best < high:
            high = best
        keys[slot] = key
        data[slot] = PROVEN | best_move + 1 << CHOICE_SHIFT | (high + VALUE_BIAS) << MOST_SHIFT | low + VALUE_BIAS
        return best

    def deep(own, opp, squares, empties, left, alpha, beta, lead, cut=True):
        """The value of a position; squares and empties: the empty squares as list and as set, `left` in number.

        cut: is a null window expected to be refuted?  Where every move must be searched anyway, the finer order of
        moves is not worth its time.
        """
        nonlocal nodes, limit
        # There is nothing to prove beyond a board of one colour.
        if alpha >= BEST:
            return BEST
        if beta <= WORST:
            return WORST
        if beta > BEST:
            beta = BEST
        if beta - alpha == 1 and LAST <= left < _NEAR:
            return near(own & MOVING, opp & MOVING, squares, empties, left, beta, lead, cut)
        if not left:
            return lead
        nodes += 1
        if nodes >= limit:
            total = nodes + count_last()
            limit = nodes + max(1, (check(total) - total) // 16)
        empty = full & ~(own | opp)
        ends = (opp + ((own << 1) & opp)) & empty
        if not ends:
            if not (own + ((opp << 1) & own)) & empty:
                return last.finished(lead, left)
            return -deep(opp, own, squares, empties, left, -beta, -alpha, -lead, not cut)

        # 1. The table.
        key = ((own & rows) * own_factor + (opp & rows) * opp_factor) % prime
        slot = key & slots
        low, high, first = WORST, BEST, -1
        if keys[slot] == key:
            entry = data[slot]
            first = (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1
            if not proven or entry & proven:
                low, high = (entry & VALUE_MASK) - VALUE_BIAS, (entry >> MOST_SHIFT & VALUE_MASK) - VALUE_BIAS
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high

        # 2. Discs of the opponent that nobody can turn bound the value from above.
        if alpha >= _STABILITY_FROM + 2 * left and opp & _CORNERS:
            value = BEST - 2 * stable_count(opp, own)
            if value <= alpha:
                return value

        # 3. and 4. The moves, ranked; a reply known to the table may end it here.
        left -= 1
        moves, prospect = [], WORST * 100
        finely = cut or left >= _LOOK_AHEAD_FROM or not proven or beta - alpha > 1
        masks = [moving[square] for square in squares] if counting and finely else ()
        for square in squares:
            where = moving[square]
            if ends & where:
                turned, gained, swing = flips[square][(opp + (opp & step[square])) & own]
                after, before = opp ^ turned, own | gained
                if left >= _LOOK_UP_FROM:
                    reply_key = ((after & rows) * own_factor + (before & rows) * opp_factor) % prime
                    if keys[reply_key & slots] == reply_key and (not proven or data[reply_key & slots] & proven):
                        value = VALUE_BIAS - (data[reply_key & slots] >> MOST_SHIFT & VALUE_MASK)
                        if value >= beta:
                            return value
                replies = (before + ((after << 1) & before)) & (empty ^ where)
                rank = bit_count(replies & _CORNERS) * _CORNER_REPLY
                rank += bit_count(replies) * (_DIRECTION if masks else _DIRECTIONS_ALONE)
                for mask in masks:
                    if replies & mask:
                        rank += _REPLY
                if left >= _NEAR and evaluate and finely:
                    judged = (look_ahead if left >= _LOOK_AHEAD_FROM else evaluate)(after, before, left)
                    if judged < -prospect:
                        prospect = -judged
                    rank += judged // _EVALUATION
                moves.append((_TABLE_FIRST if square == first else rank, square, after, before, swing))
        if not proven and beta - alpha == 1 and left >= _BELIEVE_FROM - 1 and evaluate:
            far = _FAR_AHEAD if left >= _LOOK_AHEAD_FROM else _FAR
            if prospect >= beta * 100 + far:
                return beta
            if prospect <= alpha * 100 - far:
                return alpha
        moves.sort()

        # 5. Principal variation search.
        best, best_move, floor = -BEST - 1, first, alpha
        for _, square, after, before, swing in moves:
            rest, ahead = empties ^ 1 << square, lead + swing
            others = squares[:]
            others.remove(square)
            if best < WORST or beta - alpha == 1:
                value = -deep(after, before, others, rest, left, -beta, -alpha, -ahead, not cut)
                cut = False     # the best move was no refutation: now the others must be refuted
            else:
                value = -deep(after, before, others, rest, left, -alpha - 1, -alpha, -ahead)
                if alpha < value < beta:
                    value = -deep(after, before, others, rest, left, -beta, -value, -ahead)
            if value > best:
                best = value
                if value > alpha:
                    alpha, best_move = value, square
                    if value >= beta:
                        break

        # 6. The table again.
        if best >= beta:
            low = max(low, best)
        elif best <= floor:
            high = min(high, best)
        else:
            low = high = best
        keys[slot] = key
        data[slot] = proven | best_move + 1 << CHOICE_SHIFT | (high + VALUE_BIAS) << MOST_SHIFT | low + VALUE_BIAS
        return best

    return deep, begin, count
