"""Wins by continuous fours: every move makes a four, which leaves the other player one reply.

The chains are searched depth first.  A chain ends in five, in an open four or in two fours at once; where the
reply makes a four itself, the next move must block it and make a four again.
"""
from __future__ import annotations

from games.gomoku.maps import LANE, LANE_MASK, cells_of, first_cell

# The most fours in a chain; longer ones hardly ever exist where no shorter does.
_LONGEST = 24
_MOST_KNOWN = 1 << 17


class Fours:
    """Searches chains of fours on a Field whose search has begun."""

    def __init__(self, field):
        self._left = 0
        self._linked = False
        self._lost, self._fruitless = {}, set()
        self._attack = self._build(field)

    def win(self, side, packed, key, budget, longest=_LONGEST):
        """The moves of a won chain, both players', up to the five; None where none is found.

        budget: how many fours may be tried.  longest: how many fours the chain may have.
        """
        if len(self._lost) > _MOST_KNOWN:
            self._lost.clear()
        self._left, self._linked = budget, False
        return self._attack(side, packed, key, longest, 0)

    def linked(self, side, packed, key, budget):
        """As win(), but each four must be one that those before it have made possible: fewer chains, soon tried."""
        if key in self._fruitless:
            return None
        self._left, self._linked = budget, True
        line = self._attack(side, packed, key, _LONGEST, 0)
        if line is None and self._left >= 0:
            if len(self._fruitless) > _MOST_KNOWN:
                self._fruitless.clear()
            self._fruitless.add(key)
        return line

    def shortest(self, side, packed, key, budget):
        """As win(), with the fewest fours that do, as far as the budget for all lengths together goes."""
        best, longest = None, _LONGEST
        while longest > 0 and budget > 0:
            line = self.win(side, packed, key, budget, longest)
            budget = self._left
            if line is None:
                break
            best, longest = line, len(line) // 2 - 1
        return best

    def exhausted(self):
        """Did the budget end the last search before all chains were tried?"""
        return self._left < 0

    def _build(self, field):
        maps, keys, play, take_back = field.maps, field.board.keys, field.play, field.take_back
        forbidden, restricted = field.forbidden, field.restricted
        lanes, fives, fours = maps.lanes, maps.fives, maps.fours
        count, check = field.count, field.check

        def attack(side, packed, key, left, before):
            """The rest of a chain that wins for `side`, to move, with `left` fours; None if none is found.

            before: the fours that could be made before the last one, which linked() leaves alone.
            """
            made = packed >> fives[side] & lanes
            if made:
                return [first_cell(made)]
            blocks = packed >> fives[1 - side] & lanes
            options = packed >> fours[side] & lanes
            if not options:
                return None
            if left <= 0 or not blocks and self._lost.get(key, -1) >= left:
                return None
            if blocks:
                block = first_cell(blocks)
                if blocks >> LANE * (block + 1) or not options >> LANE * block & LANE_MASK:
                    return None                 # two fives to block, or the block makes no four
                moves = [block]
            else:
                fresh = options & ~before
                moves = cells_of(fresh & maps.twice) if side != restricted else ()
                moves = moves or cells_of(fresh)
            if self._linked:
                before = options
            for move in moves:
                if side == restricted and forbidden(side, move, packed):
                    continue
                self._left -= 1
                if self._left < 0:
                    return None
                line = after_four(side, move, play(side, move, packed), key ^ keys[side][move], left, before)
                take_back(side, move)
                if line:
                    return [move] + line
            if not blocks and not self._linked and self._left >= 0:
                self._lost[key] = left
            return None

        def after_four(side, move, packed, key, left, before):
            """What follows the four just made by `side`: the reply, and the win after it."""
            other = 1 - side
            count[0] += 2
            if count[0] >= count[1]:
                count[1] = check(count[0])
            made = packed >> fives[side] & lanes
            reply = first_cell(made)
            if other == restricted and forbidden(other, reply, packed):
                return [field.elsewhere(reply, packed), reply]
            rest = made >> LANE * (reply + 1)
            if rest:
                return [reply, reply + 1 + first_cell(rest)]
            line = attack(side, play(other, reply, packed), key ^ keys[other][reply], left - 1, before)
            take_back(other, reply)
            return [reply] + line if line else None

        return attack
