"""The exact endgame solver: the disc difference with best play by both sides.

`EndgameSolver.value` is a principal variation search, fail-soft, without heuristic
pruning unless that is requested:

    1. the table: lower and upper bound of each position, and whether they are proven
    2. stability cutoff: the opponent's stable discs bound the value from above
    3. with many empty squares, enhanced transposition cutoff: a child's entry in the table may
       cause a cutoff.  Then the moves are ranked: the table's move first, then those that leave few
       replies.  With many empty squares, the evaluation counts in the rank, too
    4. null windows after the first move; the shallow solver searches the last squares

A selective search trusts the evaluation after the best move if it lies far outside a null
window.  Such a search takes a tenth of the time of the proof.  The proof then starts from the value
of the selective search and finds that search's best moves in the table.

Near the end of the game, the evaluation is no longer used, so boards lack the pattern lanes.

Values are disc differences for the side to move, from -64 to 64; empty squares go to the
winner.
"""

from __future__ import annotations

from games.entry import (
    CHECK_SHIFT,
    CHOICE_MASK,
    CHOICE_SHIFT,
    ENTRY_BITS,
    MAX_SHIFT,
    PROVEN,
    VALUE_BIAS,
    VALUE_MASK,
)
from games.grid import count_bits
from games.ordering import reorder_for_helper
from games.othello.lanes import (
    BARE_FLIPS,
    CELLS,
    FLIPS,
    FULL,
    MOVING,
    OPP_FACTOR,
    OWN_FACTOR,
    PRIME,
    ROWS,
    STEP,
    key_of,
    moves_of,
    ordered,
    play,
    stable_count,
)
from games.othello.shallow import MOVES, SHALLOW, final_difference, shallow_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.othello.lanes import Discs
    from games.othello.patterns import Evaluate
    from games.types import Check, Move, Square, Table

    # (rank, square, discs of the opponent, discs of the mover, change of the disc difference); the
    # discs are those after the move.  Low ranks come first.
    Ranked = tuple[int, Square, Discs, Discs, int]
    # search(own, opp, squares, free, alpha, beta, difference, cut_node): see endgame_search().
    Search = Callable[[Discs, Discs, list[Square], int, int, int, int, bool], int]
    # begin(check, empties, selective): prepares a search with `empties` empty squares at its root.
    Begin = Callable[[Check, int, bool], None]

WORST, BEST = -64, 64

# Numbers of empty squares.  Up to _BARE_TO, boards are bare (see lanes.py), and the evaluation
# is not used.  With at least _ETC_FROM after a move, children are looked up in the table.  With at
# least _LOOK_AHEAD_FROM after a move, moves are ordered by the evaluation after the best reply.
_BARE_TO = 10
_ETC_FROM = 8
_LOOK_AHEAD_FROM = 15

# Move ordering, lowest rank first.  The rank is a sum: 1 for each direction in which a reply flips
# discs, _REPLY for each square with a reply, _CORNER_REPLY for each direction of a reply in a
# corner.  If the evaluation after the move is added (hundredths of a disc, divided by _EVALUATION),
# the rank is first multiplied by a weight.
_CORNER_REPLY, _REPLY = 2, 3
_EVALUATION = 16
_RANK_WEIGHT = 8
_UNCOUNTED_RANK_WEIGHT = 16
# Counting the squares with a reply saves a tenth of the positions but takes time.  So they are
# counted only if at least _COUNT_SQUARES_FROM squares are empty, and at least _COUNT_SQUARES_IN
# were empty when the search began.  Otherwise the rank counts only the directions in which replies
# flip discs.  _CORNER_REPLY is added only if at least _CORNERS_FROM squares are empty.
_COUNT_SQUARES_FROM, _COUNT_SQUARES_IN = 8, 17
_CORNERS_FROM = 7
_TABLE_FIRST = -1 << 20
# With at least this number of empty squares after the move, each helper has its own move order.
_SPREAD_FROM = 9
# Stable discs are counted if alpha is at least this, plus two for each empty square.
_STABILITY_FROM = 4
_CORNERS = CELLS[0] | CELLS[7] | CELLS[56] | CELLS[63]

# A selective search cuts a node whose evaluation lies at least this far outside the window, in
# hundredths of a disc.  _FAR: the evaluation is made after the best move.  _FAR_AHEAD: it is made
# after the best reply to that move.
_FAR, _FAR_AHEAD = 1100, 960


class EndgameSolver:
    """A solver and its table.  It serves many searches, so a tracing JIT compiles the code once.

    speed: positions per second, which the caller measures.
    """

    speed = 320_000.0

    def __init__(self, table: Table, evaluate: Evaluate | None = None, helper: int = 0) -> None:
        """Make a solver.

        table: a packed Table for bounds.  evaluate: orders moves; None for no evaluation.
        helper: number of the helper (games/ordering.py), 0 in the main search.
        """
        self.table = table
        self._search, self._begin, self.nodes = endgame_search(table, evaluate, helper)

    def value(
        self, own: Discs, opp: Discs, alpha: int, beta: int, check: Check, selective: bool = False
    ) -> int:
        """Return the fail-soft value for the side with `own`, the side to move.

        selective: search for the likeliest value, without a proof.
        check(nodes): see Check in games/types.py; its exceptions pass through.
        """
        squares = ordered(FULL & ~(own | opp))
        if len(squares) < _BARE_TO:
            own, opp = own & MOVING, opp & MOVING
        self._begin(check, len(squares), selective)
        free = sum(1 << square for square in squares)
        lead = count_bits(own & ROWS) - count_bits(opp & ROWS)
        # No value lies outside WORST..BEST, the values of a board in one colour.
        alpha, beta = max(alpha, WORST), min(beta, BEST)
        return self._search(own, opp, squares, free, alpha, beta, lead, True)

    def table_move(self, own: Discs, opp: Discs) -> Move:
        """Return the move of a position's entry in the table, -1 if there is none."""
        key = key_of(own, opp)
        entry = self.table.data[key % self.table.slots]
        if entry >> ENTRY_BITS != key >> CHECK_SHIFT:
            return -1
        return (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1


def _after_best_move(own: Discs, opp: Discs, empties: int, evaluate: Evaluate) -> int:
    """Return the best evaluation after one move, for the side with `own`."""
    scores = [-evaluate(*play(own, opp, move), empties - 1) for move in moves_of(own, opp)]
    return max(scores) if scores else evaluate(own, opp, empties)


def endgame_search(
    table: Table, evaluate: Evaluate | None, helper: int
) -> tuple[Search, Begin, Callable[[], int]]:
    """Return (search, begin, count), closures: their variables are faster than attributes."""
    moving = CELLS
    step = STEP
    full = FULL
    flips, bare_flips = FLIPS, BARE_FLIPS
    data, slots = table.data, table.slots
    # The constants of key_of(), whose formula search() repeats.
    rows = ROWS
    own_factor = OWN_FACTOR
    opp_factor = OPP_FACTOR
    prime = PRIME
    solve_shallow, count_shallow = shallow_search()
    check: Check
    # proven: the mark of new entries, 0 in a selective search.  counting: do the squares where the
    # opponent can reply count in the order of moves?
    nodes = 0
    limit = 0
    proven = PROVEN
    counting = False

    def begin(new_check: Check, empties: int, selective: bool) -> None:
        nonlocal check, limit, proven, counting
        check = new_check
        limit = 0
        counting = empties >= _COUNT_SQUARES_IN
        proven = 0 if selective else PROVEN

    def count() -> int:
        return nodes + count_shallow()

    def add_evaluation(
        moves: list[Ranked], empties: int, alpha: int, beta: int, proven: int, rank_weight: int
    ) -> int | None:
        """Add the evaluation to the ranks; return a bound if table or evaluation causes a cutoff.

        empties: empty squares after the move.  proven: the mark of entries that may be trusted,
        0 in a selective search.  rank_weight: factor for the rank without the evaluation; 0
        if the evaluation would cost more than it saves, so that it is left out.
        """
        for _, _, child_own, child_opp, _ in moves:
            key = key_of(child_own, child_opp)
            entry = data[key % slots]
            if entry & proven == proven and entry >> ENTRY_BITS == key >> CHECK_SHIFT:
                value = VALUE_BIAS - (entry >> MAX_SHIFT & VALUE_MASK)
                if value >= beta:
                    return value
        if empties < _BARE_TO or not rank_weight or not evaluate:
            return None
        ahead = empties >= _LOOK_AHEAD_FROM
        prospect = WORST * 100
        for index, (rank, square, child_own, child_opp, change) in enumerate(moves):
            if ahead:
                score = _after_best_move(child_own, child_opp, empties, evaluate)
            else:
                score = evaluate(child_own, child_opp, empties)
            prospect = max(prospect, -score)
            rank = rank * rank_weight + score // _EVALUATION
            moves[index] = rank, square, child_own, child_opp, change
        if not proven and beta - alpha == 1:
            far = _FAR_AHEAD if ahead else _FAR
            if prospect >= beta * 100 + far:
                return beta
            if prospect <= alpha * 100 - far:
                return alpha
        return None

    def search(
        own: Discs,
        opp: Discs,
        squares: list[Square],
        free: int,
        alpha: int,
        beta: int,
        difference: int,
        cut_node: bool,
    ) -> int:
        """Return the fail-soft value of a position.

        squares, free: the empty squares as a list, and as a set of bits.  difference: discs of
        `own` minus those of `opp`.  cut_node: is a cutoff expected?  If not, a fine ranking of the
        moves would cost more time than it saves.
        """
        nonlocal nodes, limit
        empties, null_window = len(squares), beta - alpha == 1
        if empties == SHALLOW and null_window:
            return difference + solve_shallow(own, opp, MOVES[free], beta - difference)
        if not empties:
            return difference
        nodes += 1
        if nodes >= limit:
            limit = nodes + max(1, (check(count()) - count()) // 16)
        empty = full & ~(own | opp)
        legal = (opp + ((own << 1) & opp)) & empty
        if not legal:
            if not (own + ((opp << 1) & own)) & empty:
                return final_difference(difference, empties)
            return -search(opp, own, squares, free, -beta, -alpha, -difference, not cut_node)

        # 1. The table.
        key = ((own & rows) * own_factor + (opp & rows) * opp_factor) % prime
        slot, check_bits = key % slots, key >> CHECK_SHIFT
        low = WORST
        high = BEST
        first = -1
        entry = data[slot]
        if entry >> ENTRY_BITS == check_bits:
            first = (entry >> CHOICE_SHIFT & CHOICE_MASK) - 1
            if entry & proven == proven:
                low = (entry & VALUE_MASK) - VALUE_BIAS
                high = (entry >> MAX_SHIFT & VALUE_MASK) - VALUE_BIAS
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high

        # 2. The opponent's stable discs bound the value from above.
        if alpha >= _STABILITY_FROM + 2 * empties and opp & _CORNERS:
            value = BEST - 2 * stable_count(opp, own)
            if value <= alpha:
                return value

        # 3. The moves, ranked.
        mark = PROVEN
        flips_here = bare_flips
        finely = cut_node or not null_window
        own_bare, opp_bare = own, opp
        if empties >= _BARE_TO:
            own_bare, opp_bare = own & MOVING, opp & MOVING
            if empties > _BARE_TO:
                mark, flips_here = proven, flips
                finely = finely or empties > _LOOK_AHEAD_FROM or not proven
            else:
                own, opp = own_bare, opp_bare
        masks = []
        if counting and finely and empties >= _COUNT_SQUARES_FROM:
            masks = [moving[square] for square in squares]
        moves: list[Ranked] = []
        corners = empty & _CORNERS if empties >= _CORNERS_FROM else 0
        for square in squares:
            where = moving[square]
            if legal & where:
                flipped, added, change = flips_here[square][
                    (opp_bare + (opp_bare & step[square])) & own_bare
                ]
                child_own, child_opp = opp - flipped, own + added
                if square == first:
                    rank = _TABLE_FIRST
                else:
                    replies = (child_opp + ((child_own << 1) & child_opp)) & (empty ^ where)
                    rank = count_bits(replies)
                    if corners:
                        rank += _CORNER_REPLY * count_bits(replies & corners)
                    if masks:
                        for mask in masks:
                            if replies & mask:
                                rank += _REPLY
                moves.append((rank, square, child_own, child_opp, change))
        empties -= 1
        if empties >= _ETC_FROM:
            rank_weight = (_RANK_WEIGHT if masks else _UNCOUNTED_RANK_WEIGHT) if finely else 0
            known = add_evaluation(moves, empties, alpha, beta, proven, rank_weight)
            if known is not None:
                return known
        moves.sort()
        if helper and empties >= _SPREAD_FROM and not cut_node:
            reorder_for_helper(moves, helper)

        # 4. Search: the first move with the whole window, the others with null windows.
        best = -BEST - 1
        best_move = first
        floor = alpha
        to_shallow = empties == SHALLOW and null_window
        for _, square, child_own, child_opp, change in moves:
            after, next_free = difference + change, free ^ 1 << square
            if to_shallow:
                value = after - solve_shallow(
                    child_own, child_opp, MOVES[next_free], after + 1 - beta
                )
            else:
                others = squares[:]
                others.remove(square)
                if null_window or best < WORST:
                    value = -search(
                        child_own, child_opp, others, next_free, -beta, -alpha, -after, not cut_node
                    )
                    # The first move caused no cutoff, so the other moves probably cause none
                    # either.
                    cut_node = False
                else:
                    value = -search(
                        child_own, child_opp, others, next_free, -alpha - 1, -alpha, -after, True
                    )
                    if alpha < value < beta:
                        value = -search(
                            child_own, child_opp, others, next_free, -beta, -value, -after, True
                        )
            if value > best:
                best = value
                if value > alpha:
                    alpha, best_move = value, square
                    if value >= beta:
                        break

        # 5. Store the bounds in the table.
        if best >= beta:
            low = best if best > low else low
        elif best > floor:
            low = high = best
        elif best < high:
            high = best
        bounds = (high + VALUE_BIAS) << MAX_SHIFT | low + VALUE_BIAS
        data[slot] = check_bits << ENTRY_BITS | mark | best_move + 1 << CHOICE_SHIFT | bounds
        return best

    return search, begin, count
