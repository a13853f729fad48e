"""The exact endgame: from any position, the difference in discs that best play of both sides leads to.

`Solver.value` is a principal variation search, fail-soft, without any heuristic pruning unless it is asked for:

    1. the table: lower and upper bound of each position met, and whether they are proven
    2. stability: the opponent's discs that nobody can turn bound the value from above
    3. moves in order: table move, then fastest first (the fewer replies the better); where many squares are empty,
       corrected by the evaluation, unless a reply that the table knows decides at once
    4. null windows after the first move, those on the last squares by games/othello/last.py

A selective search believes the evaluation after the best move where it lies far outside a null window.  It costs a
tenth of the proof, which then has its value to begin from and its best moves in the table.

Where nothing is evaluated any more boards are bare lanes.

Values are differences in discs for the side to move, from -64 to 64, empty squares going to the winner.
"""
from __future__ import annotations

from games.ordering import reorder_for_helper
from games.entry import (
    CHOICE_MASK,
    CHOICE_SHIFT,
    MOST_SHIFT,
    PROVEN,
    VALUE_BIAS,
    VALUE_MASK,
)
from games.othello import last
from games.othello.lanes import (
    LANES,
    MOVING,
    OPP_FACTOR,
    OWN_FACTOR,
    PRIME,
    ROWS,
    bit_count,
    key_of,
)
from games.othello.last import LAST
from games.othello.squares import SQUARE_ORDER
from games.othello.stability import stable_count

WORST, BEST = -64, 64

# Empty squares: up to so many nothing is evaluated, or believed, and boards are bare; from so many on, after the move,
# replies are looked up; and moves are ordered by the evaluation after the best reply.
_BARE_TO = 11
_LOOK_UP_FROM = 10
_LOOK_AHEAD_FROM = 15

# Order of moves: each direction of a reply counts 1, each into a corner and each square to reply on this much beside.
# The evaluation after the move, in hundredths of a disc, is divided by so much as a direction then weighs.
_CORNER_REPLY, _REPLY = 2, 2
_EVALUATION, _DIRECTION, _DIRECTION_ALONE = 16, 8, 16
# To count the squares saves a tenth of the positions, but takes time: it is done from so many empty squares on, in
# searches that begin with at least so many.  Otherwise directions stand for them.
_COUNT_SQUARES_FROM, _COUNT_SQUARES_IN = 9, 17
_TABLE_FIRST = -1 << 20
# Helpers try moves in orders of their own while so many squares are empty after the move.
_SPREAD_FROM = 9
# Stable discs are counted where alpha is at least this, and two more for each empty square.
_STABILITY_FROM = 4
_CORNERS = LANES.moving[0] | LANES.moving[7] | LANES.moving[56] | LANES.moving[63]

# A selective search believes the evaluation if it lies at least so many hundredths of a disc outside the window:
# after the best move, and after the best reply to that.
_FAR, _FAR_AHEAD = 1100, 960


class Solver:
    """A solver and its table.  One serves many searches, so that the interpreter's tracing pays."""

    def __init__(self, table, evaluate=None, number=0):
        """table: for its bounds.  evaluate(own, opp, empties): for the order of moves; None: do without.

        number: of the helper that it belongs to (games/ordering.py), 0 for none.
        """
        self.table = table
        self._search, self._begin, self.nodes = build(table, evaluate, number)

    def value(self, own, opp, alpha, beta, check, selective=False):
        """The value for the side with `own`, fail-soft against the window; if `selective`, only what it most likely is.

        check(nodes) is called now and then with the count of positions; what it raises passes.
        """
        # There is nothing to prove beyond a board of one colour.
        if alpha >= BEST:
            return BEST
        if beta <= WORST:
            return WORST
        own_squares, opp_squares = LANES.squares(own), LANES.squares(opp)
        taken = set(own_squares + opp_squares)
        squares = [square for square in SQUARE_ORDER if square not in taken]
        if len(squares) < _BARE_TO:
            own, opp = own & MOVING, opp & MOVING
        self._begin(check, len(squares), selective)
        return self._search(own, opp, squares, sum(1 << square for square in squares), max(alpha, WORST),
                            min(beta, BEST), len(own_squares) - len(opp_squares), True)

    def table_move(self, own, opp):
        """The best move known for a position; -1 where there is none."""
        key = key_of(own, opp)
        slot = key & self.table.mask
        entry, mark = self.table.data[slot], self.table.keys[slot]
        return (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1 if (mark ^ entry if self.table.shared else mark) == key else -1


def _after_best_move(own, opp, empties, evaluate):
    """The best evaluation after one move."""
    scores = [-evaluate(*LANES.after(own, opp, move), empties - 1) for move in LANES.moves(own, opp)]
    return max(scores) if scores else evaluate(own, opp, empties)


def build_judge(table, evaluate):
    """The function that ranks moves finer where many squares are empty."""
    keys, data, slots, shared = table.keys, table.data, table.mask, table.shared

    def judge(moves, left, alpha, beta, proven, direction):
        """Rank moves by the evaluation, too, or find that one look decides: a value then, else None.

        left: after the move.  proven: the mark of entries that may be believed, 0 in a selective search.  direction:
        what a direction weighs beside the evaluation; 0 where the order is not worth that.
        """
        for _, _, after, before, _ in moves:
            key = key_of(after, before)
            slot = key & slots
            entry = data[slot] if shared or keys[slot] == key else 0
            if entry and entry & proven == proven and not (shared and keys[slot] ^ entry != key):
                value = VALUE_BIAS - (entry >> MOST_SHIFT & VALUE_MASK)
                if value >= beta:
                    return value
        if left < _BARE_TO or not direction or not evaluate:
            return None
        ahead = left >= _LOOK_AHEAD_FROM
        prospect = WORST * 100
        for number, (rank, square, after, before, swing) in enumerate(moves):
            score = _after_best_move(after, before, left, evaluate) if ahead else evaluate(after, before, left)
            prospect = max(prospect, -score)
            moves[number] = rank * direction + score // _EVALUATION, square, after, before, swing
        if not proven and beta - alpha == 1:
            far = _FAR_AHEAD if ahead else _FAR
            if prospect >= beta * 100 + far:
                return beta
            if prospect <= alpha * 100 - far:
                return alpha
        return None

    return judge


def build(table, evaluate, number):
    """(search, begin(check, left, selective), count()): the search, with everything it needs bound to locals."""
    moving, step, full = LANES.moving, LANES.step, LANES.full
    flips, bare_flips = LANES.flips, LANES.bare_flips
    keys, data, slots, shared = table.keys, table.data, table.mask, table.shared
    rows, own_factor, opp_factor, prime = ROWS, OWN_FACTOR, OPP_FACTOR, PRIME       # key_of, written out below
    judge = build_judge(table, evaluate)
    solve_last, schedules, count_last, trim_last = last.build()
    nodes, limit, check = 0, 0, None
    proven = PROVEN         # the mark of entries made now; 0 in a selective search
    counting = False        # are the squares to reply on counted?

    def begin(new_check, left, selective):
        nonlocal check, limit, proven, counting
        check, limit, counting = new_check, 0, left >= _COUNT_SQUARES_IN
        proven = 0 if selective else PROVEN
        trim_last()

    def count():
        return nodes + count_last()

    def search(own, opp, squares, empties, alpha, beta, lead, cut):
        """The value of a position, fail-soft; squares and empties: the empty squares as list and as set.

        cut: is a null window expected to be refuted?  Where every move must be searched anyway, the finer order of
        moves is not worth its time.
        """
        nonlocal nodes, limit
        left, null_window = len(squares), beta - alpha == 1
        if left <= LAST:
            if left == LAST and null_window:
                return lead + solve_last(own, opp, schedules[empties], beta - lead)
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
            return -search(opp, own, squares, empties, -beta, -alpha, -lead, not cut)

        # 1. The table.
        key = ((own & rows) * own_factor + (opp & rows) * opp_factor) % prime
        slot = key & slots
        low, high, first = WORST, BEST, -1
        entry = data[slot] if shared or keys[slot] == key else 0
        if entry and not (shared and keys[slot] ^ entry != key):
            first = (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1
            if entry & proven == proven:
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

        # 3. The moves, ranked.
        mark, turning, finely = PROVEN, bare_flips, cut or not null_window
        if left > _BARE_TO:
            mark, turning, finely = proven, flips, finely or left > _LOOK_AHEAD_FROM or not proven
        elif left == _BARE_TO:
            own, opp = own & MOVING, opp & MOVING
        masks = [moving[square] for square in squares] if counting and finely and left >= _COUNT_SQUARES_FROM else ()
        moves, corners = [], empty & _CORNERS
        for square in squares:
            where = moving[square]
            if ends & where:
                turned, gained, swing = turning[square][(opp + (opp & step[square])) & own]
                after, before = opp ^ turned, own | gained
                if square == first:
                    rank = _TABLE_FIRST
                else:
                    replies = (before + ((after << 1) & before)) & (empty ^ where)
                    rank = bit_count(replies)
                    if corners:
                        rank += _CORNER_REPLY * bit_count(replies & corners)
                    for mask in masks:
                        if replies & mask:
                            rank += _REPLY
                moves.append((rank, square, after, before, swing))
        left -= 1
        if left >= _LOOK_UP_FROM:
            direction = (_DIRECTION if masks else _DIRECTION_ALONE) if finely else 0
            value = judge(moves, left, alpha, beta, proven, direction)
            if value is not None:
                return value
        moves.sort()
        if number and left >= _SPREAD_FROM and not cut:
            reorder_for_helper(moves, number)

        # 4. Search: the first move with the whole window, then null windows that ask whether another is better.
        best, best_move, floor = -BEST - 1, first, alpha
        at_last = left == LAST and null_window
        for _, square, after, before, swing in moves:
            ahead, rest = lead + swing, empties ^ 1 << square
            if at_last:
                value = ahead - solve_last(after, before, schedules[rest], ahead + 1 - beta)
            else:
                others = squares[:]
                others.remove(square)
                if null_window or best < WORST:
                    value = -search(after, before, others, rest, -beta, -alpha, -ahead, not cut)
                    cut = False     # the best move was no refutation: now the others must be refuted
                else:
                    value = -search(after, before, others, rest, -alpha - 1, -alpha, -ahead, True)
                    if alpha < value < beta:
                        value = -search(after, before, others, rest, -beta, -value, -ahead, True)
            if value > best:
                best = value
                if value > alpha:
                    alpha, best_move = value, square
                    if value >= beta:
                        break

        # 5. The table again.
        if best >= beta:
            if best > low:
                low = best
        elif best > floor:
            low = high = best
        elif best < high:
            high = best
        entry = mark | best_move + 1 << CHOICE_SHIFT | (high + VALUE_BIAS) << MOST_SHIFT | low + VALUE_BIAS
        keys[slot] = key ^ entry if shared else key
        data[slot] = entry
        return best

    return search, begin, count
