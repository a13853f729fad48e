"""The solver's search: does a position of Connect Four score more than alpha?"""
from __future__ import annotations

from games.ordering import reorder_for_helper
from games.connect4.bits import BOARD, BOTTOM_ROW, CENTRE_FIRST, COLUMN_MASKS, mirrored
from games.connect4.scores import FAR_FROM, MIRROR_FROM
from games.entry import KEY_SHIFT, PACKED_BIAS as BIAS, PACKED_MASK as SCORE_MASK, PACKED_SHIFT as SCORE_BITS

# Helpers try so many moves in the common order: one of those refutes most positions that can be refuted.
_KEPT = 3


def build(far, near, check, threats, number=0):
    """(search, restart, nodes): the search over two tables, and functions that set and read its node count.

    far, near: a packed table each, for the bounds found with many and with few empty cells.
    check(nodes) gives the node count of the next call; once the count has been set it is called at the next node.
    threats: as in threats.py.  number: of the helper that searches (games/ordering.py), 0 for none.

    search(mine, mask, my_wins, their_wins, alpha, left):

        mine, mask              cells of the side to move, all stones (bits.py)
        my_wins, their_wins     cells that complete four for either side; cells not empty don't matter
        left                    empty cells
        precondition            the side to move can't complete four at once
        result r                r > alpha:  the score is at least r
                                r <= alpha: the score is at most r
    """
    far, far_slots, near, near_slots = far.data, far.slots, near.data, near.slots
    columns = [COLUMN_MASKS[column] for column in CENTRE_FIRST]
    nodes = limit = 0

    def search(mine, mask, my_wins, their_wins, alpha, left):
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        # A threat has to be answered; two of them, or one below another, can't be.
        landing = mask + BOTTOM_ROW
        forced = landing & their_wins
        if forced and (forced & forced - 1 or forced & their_wins >> 1):
            return -(left >> 1)
        # Nor may a stone be put below one.
        moves = landing & BOARD & ~(their_wins >> 1)
        if not moves:
            return -(left >> 1)
        if left <= 2:
            return 0
        # What the number of stones left allows at all.
        low, high = -(left - 2 >> 1), left - 1 >> 1
        if low > alpha:
            return low
        if high <= alpha:
            return high
        # What an earlier visit found.
        key = mine + mask
        if left >= MIRROR_FROM:
            image = mirrored(key)
            if image < key:
                key = image
        if left >= FAR_FROM:
            table, slot = far, key % far_slots
        else:
            table, slot = near, key % near_slots
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
        # An answer to a threat has no rivals to be sorted among.
        if forced:
            wins = threats(mine, forced, my_wins)
            score = -search(mine ^ mask, mask | forced, their_wins, wins, ~alpha, left - 1)
            if score > alpha:
                low = score
            else:
                high = score
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return score
        # The moves by the number of threats that they add, the centre first.
        theirs, unthreatened = mine ^ mask, BOARD & ~(mask | my_wins)
        key_below, replies_stored = theirs + mask, left > FAR_FROM
        found, order = [], []
        for column in columns:
            cell = moves & column
            if not cell:
                continue
            if replies_stored:
                # Does the table refute the position by this move?
                key_after = key_below + cell
                if left > MIRROR_FROM:
                    image = mirrored(key_after)
                    if image < key_after:
                        key_after = image
                entry = far[key_after % far_slots]
                if entry >> KEY_SHIFT == key_after:
                    bound = BIAS - (entry >> SCORE_BITS & SCORE_MASK)
                    if bound > alpha:
                        return bound
            wins = threats(mine, cell, my_wins)
            # Two threats at once, or one above another, win with the next stone.
            now = landing + cell & wins
            if now and (now & now - 1 or now & wins >> 1):
                return left - 1 >> 1
            # Small numbers are sorted faster than tuples: the place in `found`, less 8 for each new threat.
            place = len(found)
            new = wins & unthreatened
            while new:
                new &= new - 1
                place -= 8
            order.append(place)
            found.append((cell, wins))
        order.sort()
        if number and replies_stored:
            reorder_for_helper(order, number, _KEPT)
        best = -BIAS
        for place in order:
            cell, wins = found[place & 7]
            score = -search(theirs, mask | cell, their_wins, wins, ~alpha, left - 1)
            if score > best:
                best = score
                if score > alpha:
                    table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | score + BIAS
                    return score
        table[slot] = key << KEY_SHIFT | best + BIAS << SCORE_BITS | low + BIAS
        return best

    def restart(count):
        nonlocal nodes, limit
        nodes, limit = count, 0

    return search, restart, lambda: nodes
