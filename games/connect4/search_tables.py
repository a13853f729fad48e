"""The null-window search of the solver, for CPython: threats come from tables that fill as they are asked.

The same algorithm, node for node, as search_shifts.py, which is 1.6 times faster on PyPy and 1.6 times slower on
CPython (docs/strength-connect4.md).
"""
from __future__ import annotations

from games.connect4.bits import (BOARD, BOTTOM_ROW, CENTRE_FIRST, COLUMN_MASKS, COLUMNS, HEIGHT, ROWS, count_bits,
                                 mirrored, winning_cells)
from games.connect4.scores import FAR_FROM, MIRROR_FROM
from games.entry import KEY_SHIFT, PACKED_BIAS as BIAS, PACKED_MASK as SCORE_MASK, PACKED_SHIFT as SCORE_BITS

_STRAIGHT, _DIAGONAL = ((1, 0), (0, 1)), ((1, 1), (1, -1))


class _Threats(dict):
    """{own stones on the lines through a cell: the cells that complete four once the cell is own too}."""

    __slots__ = ("_cell",)

    def __init__(self, cell):
        super().__init__()
        self._cell = cell

    def __missing__(self, stones):
        self[stones] = found = winning_cells(stones | self._cell, 0)
        return found


def _neighbours(column, row, directions):
    """The cells that share a line of four with a cell in the given directions."""
    cells = 0
    for across, up in directions:
        for distance in (-3, -2, -1, 1, 2, 3):
            x, y = column + distance * across, row + distance * up
            if 0 <= x < COLUMNS and 0 <= y < ROWS:
                cells |= 1 << x * HEIGHT + y
    return cells


def _threat_tables():
    """{cell: (straight neighbours, their table, diagonal neighbours, their table)}."""
    tables = {}
    for column in range(COLUMNS):
        for row in range(ROWS):
            cell = 1 << column * HEIGHT + row
            tables[cell] = (_neighbours(column, row, _STRAIGHT), _Threats(cell),
                            _neighbours(column, row, _DIAGONAL), _Threats(cell))
    return tables


def build(far, near, check):
    """search(mine, mask, my_wins, their_wins, alpha, left) and two functions that set and read its node count.

    far, near: the words of a packed table each, for the bounds found with many and with few empty cells.
    check(nodes) gives the node count of the next call; once the count has been set it is called at the next node.
    See solver.py for what search() means.
    """
    far_slots, near_slots = len(far), len(near)
    lines = _threat_tables()
    columns = [COLUMN_MASKS[column] for column in CENTRE_FIRST]
    count = count_bits
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
            key = min(key, mirrored(key))
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
            straight, by_straight, diagonal, by_diagonal = lines[forced]
            wins = my_wins | by_straight[mine & straight] | by_diagonal[mine & diagonal]
            score = -search(mine ^ mask, mask | forced, their_wins, wins, ~alpha, left - 1)
            if score > alpha:
                low = score
            else:
                high = score
            table[slot] = key << KEY_SHIFT | high + BIAS << SCORE_BITS | low + BIAS
            return score
        # The moves by the number of threats that they leave, the centre first.
        theirs, empty = mine ^ mask, BOARD ^ mask
        key_below, replies_stored = theirs + mask, left > FAR_FROM
        ordered, place = [], -1
        for column in columns:
            place += 1
            cell = moves & column
            if cell:
                if replies_stored:
                    # Does the table refute the position by this move?
                    key_after = key_below + cell
                    if left > MIRROR_FROM:
                        key_after = min(key_after, mirrored(key_after))
                    entry = far[key_after % far_slots]
                    if entry >> KEY_SHIFT == key_after:
                        bound = BIAS - (entry >> SCORE_BITS & SCORE_MASK)
                        if bound > alpha:
                            return bound
                straight, by_straight, diagonal, by_diagonal = lines[cell]
                wins = my_wins | by_straight[mine & straight] | by_diagonal[mine & diagonal]
                threats = count(wins & empty)
                if threats > 1:
                    # Two threats at once, or one above another, win with the next stone.
                    now = (mask | cell) + BOTTOM_ROW & wins
                    if now & now - 1 or now & wins >> 1:
                        return left - 1 >> 1
                ordered.append((place - (threats << 3), cell, wins))
        ordered.sort()
        best = -BIAS
        for _, cell, wins in ordered:
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
