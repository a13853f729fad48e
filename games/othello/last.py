"""The last empty squares, played out as fast as it goes: no table, moves in an order known beforehand.

The order is by parity: squares in quadrants with an odd number of empties first, for who moves there first will
also move there last.  As it depends on the empty squares alone, it is kept for each set of them together with
everything that the loops need.

All values are differences in discs for the side to move.  `lead` is that difference before the move.
"""
from __future__ import annotations

from games.othello.lanes import LANES
from games.othello.order import SQUARE_ORDER

# Below every value.
NONE = -99
# Schedules that are kept, about 600 bytes each.
MOST_SCHEDULES = 50_000

_RANK = {square: rank for rank, square in enumerate(SQUARE_ORDER)}


def quadrant(square):
    """The bit of the quadrant of a square."""
    return 1 << (square >> 5) * 2 + ((square & 7) >> 2)


def parity_order(empties):
    """The squares of a set (bit s: square s), those in quadrants with an odd number of them first."""
    squares = [square for square in range(64) if empties >> square & 1]
    odd = 0
    for square in squares:
        odd ^= quadrant(square)
    return sorted(squares, key=lambda square: (not odd & quadrant(square), _RANK[square]))


class Schedules(dict):
    """{set of empties: ((step, flips, the other empties), ...)}; of two empties (step, flips, step, flips)."""

    def __missing__(self, empties):
        squares = parity_order(empties)
        step, flips = LANES.step, LANES.flips
        if len(squares) == 2:
            a, b = squares
            schedule = (step[a], flips[a], step[b], flips[b])
        else:
            schedule = tuple((step[square], flips[square], empties ^ 1 << square) for square in squares)
        self[empties] = schedule
        return schedule


def finished(lead, left):
    """The final difference: the squares left empty go to the winner."""
    return lead + left if lead > 0 else lead - left if lead else 0


def build():
    """(solve(own, opp, empties, left, alpha, beta, lead), count(), trim()).

    solve is for 4 or more empty squares.  count: positions visited so far.  trim: to be called between two
    solutions, forgets the schedules once they have become many.
    """
    schedules = Schedules()
    nodes = 0

    def trim():
        if len(schedules) > MOST_SCHEDULES:
            schedules.clear()

    def last_two(own, opp, empties, alpha, beta, lead, passed=False):
        nonlocal nodes
        nodes += 1
        step_a, flips_a, step_b, flips_b = schedules[empties]
        best = NONE
        # Each of the two squares: play it, then the other one is filled by the opponent, else by us, else by nobody.
        turned, gained, swing = flips_a[(opp + step_a) & own]
        if swing:
            nodes += 1
            after, before = opp ^ turned, own | gained
            best = lead + swing
            swing = flips_b[(before + step_b) & after][2]
            if swing:
                best -= swing
            else:
                swing = flips_b[(after + step_b) & before][2]
                best += swing if swing else 1 if best > 0 else -1
            if best >= beta:
                return best
        turned, gained, swing = flips_b[(opp + step_b) & own]
        if swing:
            nodes += 1
            after, before = opp ^ turned, own | gained
            value = lead + swing
            swing = flips_a[(before + step_a) & after][2]
            if swing:
                value -= swing
            else:
                swing = flips_a[(after + step_a) & before][2]
                value += swing if swing else 1 if value > 0 else -1
            return value if value > best else best
        if best > NONE:
            return best
        if passed:
            return finished(lead, 2)
        return -last_two(opp, own, empties, -beta, -alpha, -lead, True)

    def last_three(own, opp, empties, alpha, beta, lead, passed=False):
        nonlocal nodes
        nodes += 1
        best = NONE
        for step, flips, rest in schedules[empties]:
            turned, gained, swing = flips[(opp + step) & own]
            if swing:
                value = -last_two(opp ^ turned, own | gained, rest, -beta, -alpha, -lead - swing)
                if value > best:
                    if value >= beta:
                        return value
                    best = value
                    if value > alpha:
                        alpha = value
        if best > NONE:
            return best
        if passed:
            return finished(lead, 3)
        return -last_three(opp, own, empties, -beta, -alpha, -lead, True)

    def more(own, opp, empties, left, alpha, beta, lead, passed=False):
        """Four empties or more."""
        nonlocal nodes
        nodes += 1
        best = NONE
        for step, flips, rest in schedules[empties]:
            turned, gained, swing = flips[(opp + step) & own]
            if swing:
                if left > 4:
                    value = -more(opp ^ turned, own | gained, rest, left - 1, -beta, -alpha, -lead - swing)
                else:
                    value = -last_three(opp ^ turned, own | gained, rest, -beta, -alpha, -lead - swing)
                if value > best:
                    if value >= beta:
                        return value
                    best = value
                    if value > alpha:
                        alpha = value
        if best > NONE:
            return best
        if passed:
            return finished(lead, left)
        return -more(opp, own, empties, left, -beta, -alpha, -lead, True)

    return more, lambda: nodes, trim
