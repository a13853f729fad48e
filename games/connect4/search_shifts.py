"""The null-window search of the solver, for PyPy: threats are computed by shifts, moves sorted by insertion.

The same algorithm, node for node, as search_tables.py.
"""
from __future__ import annotations

from games.connect4.bits import BOARD, BOTTOM_ROW, CENTRE_FIRST, COLUMN_MASKS, lines_of_three
from games.connect4.scores import FAR_FROM, MIRROR_FROM
from games.entry import KEY_SHIFT, PACKED_BIAS as BIAS, PACKED_MASK as SCORE_MASK, PACKED_SHIFT as SCORE_BITS


def _smaller_mirror(key):
    """The smaller of a key and the key of the mirror image."""
    image = ((key & 127) << 42 | (key >> 7 & 127) << 35 | (key >> 14 & 127) << 28 | (key >> 21 & 127) << 21
             | (key >> 28 & 127) << 14 | (key >> 35 & 127) << 7 | key >> 42)
    return image if image < key else key


def build(far, near, check):
    """search(mine, mask, my_wins, their_wins, alpha, left) and two functions that set and read its node count.

    far, near: the words of a packed table each, for the bounds found with many and with few empty cells.
    check(nodes) gives the node count of the next call; once the count has been set it is called at the next node.
    See solver.py for what search() means.
    """
    far_slots, near_slots = len(far), len(near)
    columns = [COLUMN_MASKS[column] for column in CENTRE_FIRST]
    nodes = limit = 0

    def search(mine, mask, my_wins, their_wins, alpha, left):
        nonlocal nodes, limit
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        # A threat has to be answered; two of them, or one below another, can't be.
        moves = mask + BOTTOM_ROW & BOARD
        forced = moves & their_wins
        if forced and (forced & forced - 1 or forced & their_wins >> 1):
            return -(left >> 1)
        # Nor may a stone be put below one.
        moves &= ~(their_wins >> 1)
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
            key = _smaller_mirror(key)
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
            wins = lines_of_three(mine | forced) & BOARD
            score = -search(mine ^ mask, mask | forced, their_wins, wins, ~alpha, left - 1)
            if score > alpha:
                low = score
            else:
                high = score
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return score
        # The moves by the number of threats that they leave, the centre first: r ranks, c cells, w wins.
        theirs, empty = mine ^ mask, BOARD ^ mask
        key_below, replies_stored = theirs + mask, left > FAR_FROM
        r0 = r1 = r2 = r3 = r4 = r5 = -1
        c0 = c1 = c2 = c3 = c4 = c5 = c6 = 0
        w0 = w1 = w2 = w3 = w4 = w5 = w6 = 0
        for column in columns:
            cell = moves & column
            if not cell:
                continue
            if replies_stored:
                # Does the table refute the position by this move?
                key_after = key_below + cell
                if left > MIRROR_FROM:
                    key_after = _smaller_mirror(key_after)
                entry = far[key_after % far_slots]
                if entry >> KEY_SHIFT == key_after:
                    bound = BIAS - (entry >> SCORE_BITS & SCORE_MASK)
                    if bound > alpha:
                        return bound
            rest = wins = lines_of_three(mine | cell) & empty
            rank = 0
            while rest:
                rest &= rest - 1
                rank += 1
            if rank > 1:
                # Two threats at once, or one above another, win with the next stone.
                now = (mask | cell) + BOTTOM_ROW & wins
                if now & now - 1 or now & wins >> 1:
                    return left - 1 >> 1
            if rank > r0:
                c6, c5, c4, c3, c2, c1, c0 = c5, c4, c3, c2, c1, c0, cell
                w6, w5, w4, w3, w2, w1, w0 = w5, w4, w3, w2, w1, w0, wins
                r5, r4, r3, r2, r1, r0 = r4, r3, r2, r1, r0, rank
            elif rank > r1:
                c6, c5, c4, c3, c2, c1 = c5, c4, c3, c2, c1, cell
                w6, w5, w4, w3, w2, w1 = w5, w4, w3, w2, w1, wins
                r5, r4, r3, r2, r1 = r4, r3, r2, r1, rank
            elif rank > r2:
                c6, c5, c4, c3, c2 = c5, c4, c3, c2, cell
                w6, w5, w4, w3, w2 = w5, w4, w3, w2, wins
                r5, r4, r3, r2 = r4, r3, r2, rank
            elif rank > r3:
                c6, c5, c4, c3 = c5, c4, c3, cell
                w6, w5, w4, w3 = w5, w4, w3, wins
                r5, r4, r3 = r4, r3, rank
            elif rank > r4:
                c6, c5, c4 = c5, c4, cell
                w6, w5, w4 = w5, w4, wins
                r5, r4 = r4, rank
            elif rank > r5:
                c6, c5, w6, w5, r5 = c5, cell, w5, wins, rank
            else:
                c6, w6 = cell, wins
        best = -BIAS
        while c0:
            score = -search(theirs, mask | c0, their_wins, w0, ~alpha, left - 1)
            if score > best:
                best = score
                if score > alpha:
                    table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | score + BIAS
                    return score
            c0, c1, c2, c3, c4, c5, c6 = c1, c2, c3, c4, c5, c6, 0
            w0, w1, w2, w3, w4, w5 = w1, w2, w3, w4, w5, w6
        table[slot] = key << KEY_SHIFT | best + BIAS << SCORE_BITS | low + BIAS
        return best

    def restart(count):
        nonlocal nodes, limit
        nodes, limit = count, 0

    return search, restart, lambda: nodes
