"""The last empty squares, played out as fast as it goes: no table, moves in an order known beforehand.

The order is by parity: squares in quadrants with an odd number of empties first, for who moves there first will
also move there last.  As it depends on the empty squares alone, it is kept for each set of them together with
everything that the loops need.

All values are gains: by how much the lead in discs of the side to move grows until the end of the game.  All searches
ask whether that is at least `need` (a null window), and are fail-soft.  Boards are bare lanes.
"""
from __future__ import annotations

from games.othello.lanes import LANES, ROWS, bit_count
from games.othello.squares import SQUARE_ORDER

# So many empty squares are played out here.
LAST = 6
# Below every gain.
NONE = -999
# Schedules that are kept, about 600 bytes each.
MOST_SCHEDULES = 50_000

# The quadrant of each square, as a bit.
_QUADRANT = [1 << (square >> 5 << 1 | square >> 2 & 1) for square in range(64)]


def parity_order(squares):
    """The squares of a list, those in quadrants with an odd number of them first."""
    odd = 0
    for square in squares:
        odd ^= _QUADRANT[square]
    return ([square for square in squares if odd & _QUADRANT[square]]
            + [square for square in squares if not odd & _QUADRANT[square]])


class Schedules(dict):
    """{set of empties (bit s: square s): ((step, flips, schedule of the others), ...)}; of two empties ((step, flips,
    step and flips of the other), ...)."""

    def __missing__(self, empties):
        return self._add(empties, [square for square in SQUARE_ORDER if empties >> square & 1])

    def _add(self, empties, squares):
        """squares: those of the set, likely good ones first."""
        step, flips = LANES.step, LANES.bare_flips
        ordered = parity_order(squares)
        if len(squares) == 2:
            schedule = [(step[one], flips[one], step[other], flips[other]) for one, other in (ordered, ordered[::-1])]
        else:
            schedule = []
            for square in ordered:
                rest = empties ^ 1 << square
                below = self.get(rest) or self._add(rest, [other for other in squares if other != square])
                schedule.append((step[square], flips[square], below))
        self[empties] = tuple(schedule)
        return self[empties]


def finished(lead, left):
    """The final difference: the squares left empty go to the winner."""
    return lead + left if lead > 0 else lead - left if lead else 0


def leftover(own, left):
    """What the side with `own` gains when nobody can move any more."""
    lead = 2 * bit_count(own & ROWS) - 64 + left
    return left if lead > 0 else -left if lead else 0


def build():
    """(search(own, opp, schedule, need), schedules, count(), trim()).

    search is for LAST empty squares; schedules has the schedule of each set of them.  count: positions visited so far.
    trim: to be called between two solutions, forgets the schedules once they have become many.
    """
    schedules = Schedules()
    nodes = 0

    def count():
        return nodes

    def trim():
        if len(schedules) > MOST_SCHEDULES:
            schedules.clear()

    def two(own, opp, schedule, need, passed=False):
        """The search with two empty squares: the other one is filled by the opponent, else by us, else by nobody."""
        nonlocal nodes
        nodes += 1
        best = NONE
        for step, flips, other_step, other_flips in schedule:
            key = (opp + (opp & step)) & own
            if key:
                nodes += 1
                turned, gained, value = flips[key]
                after, before = opp ^ turned, own | gained
                key = (before + (before & other_step)) & after
                if key:
                    value -= other_flips[key][2]
                else:
                    key = (after + (after & other_step)) & before
                    value += other_flips[key][2] if key else leftover(before, 1)
                if value > best:
                    if value >= need:
                        return value
                    best = value
        if best > NONE:
            return best
        if passed:
            return leftover(own, 2)
        return -two(opp, own, schedule, 1 - need, True)

    def level(left, below):
        """The search with `left` empty squares, three or more; below: the one with a square less."""

        def search(own, opp, schedule, need, passed=False):
            nonlocal nodes
            nodes += 1
            best = NONE
            for step, flips, rest in schedule:
                key = (opp + (opp & step)) & own
                if key:
                    turned, gained, swing = flips[key]
                    value = swing - below(opp ^ turned, own | gained, rest, swing - need + 1)
                    if value > best:
                        if value >= need:
                            return value
                        best = value
            if best > NONE:
                return best
            if passed:
                return leftover(own, left)
            return -search(opp, own, schedule, 1 - need, True)

        return search

    search = two
    for left in range(3, LAST + 1):
        search = level(left, search)

    return search, schedules, count, trim
