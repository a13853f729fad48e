"""The solver's search: does a position of Connect Four score more than alpha?"""

from __future__ import annotations

from games.connect4.bits import BOARD, BOTTOM_ROW, CENTRE_FIRST, COLUMN_MASKS, mirrored
from games.entry import KEY_SHIFT
from games.entry import PACKED_BIAS as BIAS
from games.entry import PACKED_MASK as SCORE_MASK
from games.entry import PACKED_SHIFT as SCORE_BITS
from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.connect4.bits import Cells, FindThreats
    from games.types import Check, Marks, Table

    # search(own, mask, own_threats, opp_threats, alpha, empties): see build().
    Search = Callable[[Cells, Cells, Cells, Cells, int, int], int]

# From this number of empty cells on a position and its mirror image share one entry; with
# fewer they hardly ever meet.
MIRROR_FROM = 31
# From this number of empty cells on a position goes into the large table.  Later ones, the
# bulk of all, go into one of SMALL_MEGABYTES, which stays in the processor's cache: that
# makes the search a third faster on PyPy.
LARGE_FROM = 11
SMALL_MEGABYTES = 0.5

# A move to sort is one int: the threats that it leaves (bits.py); from _PLACE_SHIFT on the
# place of its column, the centre first; above that _NO_THREAT minus _ONE_THREAT for each
# new threat, so that the best is the smallest.
_PLACE_SHIFT = 49
_ONE_THREAT = 8 << _PLACE_SHIFT
_NO_THREAT = 64 * _ONE_THREAT
_NO_MOVE = 2 * _NO_THREAT  # comes last

# From this number of empty cells on, processes that search together avoid each other's
# moves if all moves are expected to fail.
_TOGETHER_FROM = 16
_QUESTION_SHIFT = 50  # above a position's key
_NEVER = 99


def build(
    large: Table, small: Table, check: Check, threats: FindThreats, marks: Marks | None
) -> tuple[Search, Callable[[int], None], Callable[[int, int], None], Callable[[], int]]:
    """Return (search, set_nodes, expect, nodes): the search, and access to its node count.

    large, small: packed tables for bounds found with many and with few empty cells.
    check(nodes): returns the node count of its next call; after set_nodes it is called at
    the next node.
    marks: shared by the processes that search together; None if there is only one.
    expect(alpha, empties): announces the window of the next search.  Distant wins and losses
    are rare, so above 0 usually all moves fail, and below 0 one does better; in the
    positions below it alternates.

    search(own, mask, own_threats, opp_threats, alpha, empties):

        own, mask       cells of the side to move, all stones (bits.py)
        own_threats,    cells that complete four for either side; occupied ones don't matter
        their_threats
        left            empty cells
        precondition    the side to move can't complete four at once
        result r        r > alpha:  the score is at least r
                        r <= alpha: the score is at most r
    """
    large_data, large_slots = large.data, large.slots
    small_data, small_slots = small.data, small.slots
    masks = [COLUMN_MASKS[column] for column in CENTRE_FIRST]
    columns = [(_NO_THREAT | place << _PLACE_SHIFT, mask) for place, mask in enumerate(masks)]
    nodes = limit = 0
    together_from = _NEVER if marks is None else _TOGETHER_FROM
    if marks is not None:  # search_unmarked needs them
        words, mark_slots = marks.words, marks.slots
    all_fail_at = 0  # where `empties` is odd (1) or even (0)

    def search(
        own: Cells, mask: Cells, own_threats: Cells, opp_threats: Cells, alpha: int, empties: int
    ) -> int:
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        # A threat must be answered; two of them, or one above another, can't be.
        landing = mask + BOTTOM_ROW
        forced = landing & opp_threats
        if forced and (forced & forced - 1 or forced & opp_threats >> 1):
            return -(empties >> 1)
        # Nor may a stone be placed below a threat.
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
        # The answer to a threat is the only move: nothing to sort.
        if forced:
            wins = threats(own, forced, own_threats)
            score = -search(own ^ mask, mask | forced, opp_threats, wins, ~alpha, empties - 1)
            if score > alpha:
                low = score
            else:
                high = score
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return score
        # The moves by the number of threats that they add, the centre first.  Each is an int,
        # and the list begins with one: PyPy compiles a separate path for each kind of list,
        # and the empty list is a kind of its own.
        opp, unthreatened = own ^ mask, BOARD & ~(mask | own_threats)
        key_below, replies_stored = opp + mask, empties > LARGE_FROM
        order = [_NO_MOVE]
        for rank, column in columns:
            cell = moves & column
            if not cell:
                continue
            if replies_stored:
                # Does the table refute the position by this move?
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
            # Two threats at once, or one above another, win with the next stone.
            now = landing + cell & wins
            if now and (now & now - 1 or now & wins >> 1):
                return empties - 1 >> 1
            order.append(rank - count_bits(wins & unthreatened) * _ONE_THREAT | wins)
        order.sort()
        order.pop()
        if empties >= together_from and empties & 1 == all_fail_at:
            best = search_unmarked(order, moves, opp, mask, opp_threats, alpha, empties)
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
        order: list[int],
        moves: Cells,
        opp: Cells,
        mask: Cells,
        opp_threats: Cells,
        alpha: int,
        empties: int,
    ) -> int:
        """Return the best score of the `moves`, searched in this order until one beats alpha.

        Mark the move that is searched; moves that another process has marked come last
        (search/threads/abdada.py).
        """
        best, count = -BIAS, len(order)
        question = opp + mask ^ alpha + BIAS << _QUESTION_SHIFT
        for place, ranked in enumerate(order):
            cell = moves & masks[ranked >> _PLACE_SHIFT & 7]
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

    def expect(alpha: int, empties: int) -> None:
        nonlocal all_fail_at
        all_fail_at = empties + (alpha < 0) & 1

    def set_nodes(count: int) -> None:
        nonlocal nodes, limit
        nodes, limit = count, 0

    return search, set_nodes, expect, lambda: nodes
