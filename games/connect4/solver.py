"""The exact solver of Connect Four: the value of a position with perfect play.

The method is Pascal Pons' (blog.gamesolver.org): alpha-beta with null windows and a table of
bounds.  Moves that lose at once are left out; the others are ordered by the threats that they make.
Two things are added to the method (null_window_search(), below): an entry holds both bounds, and
the table is probed for a refuting move before any move is searched.

Scores are Pons', too: 0 for a draw; 1 if the side to move wins with its last stone, 2 with
the stone before that, and so on; negative if it loses.
"""

from __future__ import annotations

from games.base import WIN
from games.connect4.bits import (
    BOARD,
    BOTTOM_ROW,
    CENTRE_FIRST,
    COLUMN_MASKS,
    fastest_threats,
    landing_cell,
    mirrored,
    ordered_columns,
    play,
    score_range,
    winning_cells,
)
from games.entry import KEY_SHIFT
from games.entry import PACKED_BIAS as BIAS
from games.entry import PACKED_MASK as SCORE_MASK
from games.entry import PACKED_SHIFT as SCORE_BITS
from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.connect4.bits import Cells
    from games.types import Check, Marks, Score, Table

UNLIMITED = 1 << 60

# With at least this number of empty cells, a position and its mirror image share one entry.  With
# fewer, a search hardly ever visits both.
MIRROR_FROM = 31
# Positions with at least this number of empty cells go into the large table.  Most positions have
# fewer empty cells.  They go into a table of SMALL_MEGABYTES, which fits into the processor's
# cache.  This makes the search a third faster on PyPy.
LARGE_FROM = 11
SMALL_MEGABYTES = 0.5

# A move to sort is one int; the best move is the smallest.  Its fields, from the low bits up: the
# threats after the move (bits.py); from _PLACE_SHIFT on, the place of the column in the order from
# the centre; above it, _NO_THREAT - _ONE_THREAT * (number of new threats).
_PLACE_SHIFT = 49
_ONE_THREAT = 8 << _PLACE_SHIFT
_NO_THREAT = 64 * _ONE_THREAT
_NO_MOVE = 2 * _NO_THREAT  # larger than every move

# At nodes with at least this number of empty cells, if all moves are expected to fail, a process
# avoids the moves that other processes are searching.
_TOGETHER_FROM = 16
_QUESTION_SHIFT = 50  # a mark is a position's key and, from this bit on, alpha
_NEVER = 99


class Connect4Solver:
    """A solver with tables of its own, for any number of positions one after the other.

    table: makes tables, like Context.table.  share: the large table's share of the option Hash.
    marks: shared by the processes that solve together; None if there is only one.
    large, small: its tables.

    bound(own, mask, alpha): returns a bound on the score of a position whose game is not over.  A
    result above alpha is a lower bound, any other an upper bound.

    begin(new_check, count=0): counts nodes from `count` on, and calls new_check(nodes) from now on.
    The check returns the node count at which to call it again, or raises to end the search.  By
    default, the check never ends the search.

    nodes(): returns the node count.
    """

    def __init__(
        self, table: Callable[..., Table], share: float = 1.0, marks: Marks | None = None
    ) -> None:
        self.large = table("connect4 large", share, packed=True)
        self.small = table("connect4 small", 0.0, packed=True, extra=SMALL_MEGABYTES)
        self.bound, self.begin, self.nodes = null_window_search(self.large, self.small, marks)
        self.begin()

    def score(self, own: Cells, mask: Cells) -> int:
        """Return the exact score of a position whose game is not over."""
        low, high = score_range(count_bits(BOARD ^ mask))
        while low < high:
            alpha = next_window(low, high)
            bound = self.bound(own, mask, alpha)
            if bound > alpha:
                low = bound
            else:
                high = bound
        return low

    def best_move(self, own: Cells, mask: Cells, score: int) -> int:
        """Return a column whose move keeps the exact score of the position."""
        for column in ordered_columns(own, mask):
            if self.move_bound(own, mask, column, score - 1) >= score:
                return column
        raise ValueError(f"no move from own {own}, mask {mask} has the score {score}")

    def move_bound(self, own: Cells, mask: Cells, column: int, alpha: int) -> int:
        """Return a bound on the score of the move in `column`, for its mover; see bound()."""
        if winning_cells(own, mask) & landing_cell(mask, column):
            return count_bits(BOARD ^ mask) + 1 >> 1
        return -self.bound(*play(own, mask, column), ~alpha)


def next_window(low: int, high: int) -> int:
    """Return alpha of the next null window for a score that lies in low..high.

    It is the middle, or a value farther from 0.  Windows far from 0 find the quick wins.  They are
    cheap, since they ask only for wins or losses within few stones.
    """
    middle = (low + high) // 2
    if middle <= 0:
        return min(middle, -(-2 * low // 3))
    return max(middle, 2 * high // 3)


# ---- the search: is the score of a position above alpha? ----------------------------


def null_window_search(
    large: Table, small: Table, marks: Marks | None
) -> tuple[Callable[[Cells, Cells, int], int], Callable[..., None], Callable[[], int]]:
    """Return the functions (bound, begin, nodes) of a Connect4Solver.

    large, small: packed tables for bounds found with many and with few empty cells.
    marks: shared by the processes that search together; None if there is only one.

    search(own, mask, own_threats, opp_threats, alpha, empties):

        own, mask       cells of the side to move, all stones (bits.py)
        own_threats,    cells that complete four for either side; occupied cells don't matter
        opp_threats
        alpha           the question is whether the score is higher than this
        empties         number of empty cells
        precondition    the side to move can't complete four at once
        result r        r > alpha:  the score is at least r
                        r <= alpha: the score is at most r
    """
    threats = fastest_threats()
    large_data, large_slots = large.data, large.slots
    small_data, small_slots = small.data, small.slots
    masks = [COLUMN_MASKS[column] for column in CENTRE_FIRST]
    columns = [(_NO_THREAT | place << _PLACE_SHIFT, mask) for place, mask in enumerate(masks)]
    nodes = limit = 0
    check: Check
    together_from = _NEVER if marks is None else _TOGETHER_FROM
    if marks is not None:  # only search_unmarked() uses these; without marks it isn't called
        words, mark_slots = marks.words, marks.slots
    all_fail_at = 0  # parity of `empties` (1: odd) at which all moves are expected to fail

    def search(
        own: Cells, mask: Cells, own_threats: Cells, opp_threats: Cells, alpha: int, empties: int
    ) -> int:
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        # A threat must be blocked.  If there are two, or another right above it, the game is lost.
        landing = mask + BOTTOM_ROW
        forced = landing & opp_threats
        if forced and (forced & forced - 1 or forced & opp_threats >> 1):
            return -(empties >> 1)
        # A stone below a threat would let the opponent complete it.
        moves = landing & BOARD & ~(opp_threats >> 1)
        if not moves:
            return -(empties >> 1)
        if empties <= 2:
            return 0
        # The bounds that the number of remaining stones allows.
        low, high = -(empties - 2 >> 1), empties - 1 >> 1
        if low > alpha:
            return low
        if high <= alpha:
            return high
        # The bounds that an earlier visit found.
        key = own + mask
        if empties >= MIRROR_FROM:
            image = mirrored(key)
            if image < key:
                key = image
        if empties >= LARGE_FROM:
            table, slot = large_data, key % large_slots
        else:
            table, slot = small_data, key % small_slots
        entry = table[slot]
        if entry >> KEY_SHIFT == key:
            bound = (entry & SCORE_MASK) - BIAS
            if bound > alpha:
                return bound
            low = bound
            bound = (entry >> SCORE_BITS & SCORE_MASK) - BIAS
            if bound <= alpha:
                return bound
            high = bound
        # If a threat must be blocked, no other move is searched, so there is nothing to sort.
        if forced:
            wins = threats(own, forced, own_threats)
            score = -search(own ^ mask, mask | forced, opp_threats, wins, ~alpha, empties - 1)
            if score > alpha:
                low = score
            else:
                high = score
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return score
        # Order the moves by the number of threats that they add, then from the centre.  The list
        # begins with _NO_MOVE because PyPy compiles a separate path for empty lists.
        opp, unthreatened = own ^ mask, BOARD & ~(mask | own_threats)
        key_below, replies_stored = opp + mask, empties > LARGE_FROM
        order = [_NO_MOVE]
        for rank, column in columns:
            cell = moves & column
            if not cell:
                continue
            if replies_stored:
                # Does the table know that this move beats alpha?
                key_after = key_below + cell
                if empties > MIRROR_FROM:
                    image = mirrored(key_after)
                    if image < key_after:
                        key_after = image
                entry = large_data[key_after % large_slots]
                if entry >> KEY_SHIFT == key_after:
                    bound = BIAS - (entry >> SCORE_BITS & SCORE_MASK)
                    if bound > alpha:
                        return bound
            wins = threats(own, cell, own_threats)
            # The mover wins with the next stone if two threats can be completed now, or one
            # that has another right above it.
            now = landing + cell & wins
            if now and (now & now - 1 or now & wins >> 1):
                return empties - 1 >> 1
            order.append(rank - count_bits(wins & unthreatened) * _ONE_THREAT | wins)
        order.sort()
        order.pop()
        if empties >= together_from and empties & 1 == all_fail_at:
            best = search_unmarked(order, opp, mask, opp_threats, alpha, empties)
            if best > alpha:
                low = best
            else:
                high = best
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return best
        best = -BIAS
        for ranked in order:
            cell = moves & masks[ranked >> _PLACE_SHIFT & 7]
            score = -search(opp, mask | cell, opp_threats, ranked & BOARD, ~alpha, empties - 1)
            if score > best:
                best = score
                if score > alpha:
                    table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | score + BIAS
                    return score
        table[slot] = key << KEY_SHIFT | best + BIAS << SCORE_BITS | low + BIAS
        return best

    def search_unmarked(
        order: list[int], opp: Cells, mask: Cells, opp_threats: Cells, alpha: int, empties: int
    ) -> int:
        """Return the best score of the moves in `order`; stop when one beats alpha.

        The move being searched is marked, and moves that another process has marked come last
        (search/threads/abdada.py).
        """
        best, count = -BIAS, len(order)
        question = opp + mask ^ alpha + BIAS << _QUESTION_SHIFT
        for place, ranked in enumerate(order):
            cell = mask + BOTTOM_ROW & masks[ranked >> _PLACE_SHIFT & 7]
            mark = question + cell
            slot = mark % mark_slots
            if 0 < place < count and words[slot] == mark:
                order.append(ranked)
                continue
            words[slot] = mark
            score = -search(opp, mask | cell, opp_threats, ranked & BOARD, ~alpha, empties - 1)
            words[slot] = 0
            if score > best:
                best = score
                if score > alpha:
                    break
        return best

    def bound(own: Cells, mask: Cells, alpha: int) -> int:
        nonlocal all_fail_at
        empties = count_bits(BOARD ^ mask)
        own_wins = winning_cells(own, mask)
        if own_wins & mask + BOTTOM_ROW:
            return empties + 1 >> 1
        if not empties:
            return 0
        # Predict the nodes where all moves fail.  Distant wins and losses are rare: if alpha >= 0,
        # all root moves usually fail; if alpha < 0, one of them usually succeeds.  The prediction
        # alternates from ply to ply.
        all_fail_at = empties + (alpha < 0) & 1
        return search(own, mask, own_wins, winning_cells(own ^ mask, mask), alpha, empties)

    def begin(new_check: Check = lambda nodes: UNLIMITED, count: int = 0) -> None:
        nonlocal check, nodes, limit
        check, nodes, limit = new_check, count, 0

    return bound, begin, lambda: nodes


# ---- scores -------------------------------------------------------------------------


def plies_to_end(score: int, empties: int) -> int:
    """Return the plies to the end of a game with this score; empties: empty cells now."""
    if score > 0:
        return 2 * (empties + 1 >> 1) + 1 - 2 * score
    if score < 0:
        return 2 * (empties >> 1) + 2 + 2 * score
    return empties


def least_winning_within(plies: int, empties: int) -> int:
    """Return the least score of a win within `plies` plies; empties: empty cells now."""
    return max(1, (empties + 1 >> 1) - (plies - 1 >> 1))


def to_engine(score: int, empties: int) -> Score:
    """Return the solver's score as a score of games/base.py; empties: empty cells now."""
    if score == 0:
        return 0
    value = WIN - plies_to_end(score, empties)
    return value if score > 0 else -value
