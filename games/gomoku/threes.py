"""Wins by continuous threats: every move makes a four, an open three or the like, until fours alone win.

The attacker's moves must leave the threat of a five, or of an open four or two fours at once.  Against a five there
is one reply; against the other threats the defender tries every move that stops them all, and its own fours,
which the attacker must answer.  What is found is proven: no other reply could have held.

This is the threat-space idea of Allis, van den Herik and Huntjens (Go-Moku Solved by New Search Techniques, 1996),
searched as an and-or tree with all defences instead of several at once.
"""
from __future__ import annotations

from games.gomoku.maps import LANE, cells_of, first_cell

# Fours that a node of the attacker may try before it turns to threes.
_FOURS = 15
_MOST_KNOWN = 1 << 16


class Threes:
    """Searches chains of threats on a Field whose search has begun.

    cut: did a bound end the last search before all chains were tried?
    """

    def __init__(self, field, fours, pick):
        self.cut = False
        self._tries = 0
        self._field, self._fours, self._pick = field, fours, pick
        self._lost, self._won = {}, {}
        self._stop_at = 0

    def win(self, side, packed, key, longest, budget):
        """The moves of a won line, both players', up to the five; None where none is found.

        longest: how many moves the attacker has before fours must decide.  budget: how many moves may be tried.
        """
        if len(self._lost) > _MOST_KNOWN:
            self._lost.clear()
            self._won.clear()
        self._stop_at = self._tries + budget
        for left in range(1, longest + 1):
            self.cut = False
            line = self._attack(side, packed, key, left)
            if line or not self.cut or self._tries >= self._stop_at:
                return line
        return None

    def _attack(self, side, packed, key, left):
        """The line that wins for `side`, to move, with `left` threats to make; None if none is found."""
        if key in self._won:
            return self._won[key]
        if self._lost.get(key, -1) >= left or self._tries >= self._stop_at:
            self.cut = True
            return None
        line = self._fours.win(side, packed, key, _FOURS)
        if line is None and left == 0:
            self.cut = True
        elif line is None:
            for move in self._options(side, packed):
                reply = self._try(side, move, packed, key, left)
                if reply:
                    line = [move] + reply
                    break
        if line:
            self._won[key] = line
        elif self._tries < self._stop_at:
            self._lost[key] = left
        return line

    def _options(self, side, packed):
        """The moves that may make a threat, best first."""
        maps, pick = self._field.maps, self._pick
        blocks = packed >> maps.fives[1 - side] & maps.lanes
        if blocks:
            block = first_cell(blocks)
            return [] if blocks >> LANE * (block + 1) else pick.permitted(side, packed, [block])
        cells = cells_of((packed >> maps.fours[side] | packed >> maps.threes[side]) & maps.lanes)
        charm = packed & maps.charm_mask
        cells.sort(key=lambda cell: -(charm >> 8 * cell & 255))
        return pick.permitted(side, packed, cells)

    def _try(self, side, move, packed, key, left):
        """What follows the attacker's `move` if it wins, else None."""
        field = self._field
        self._tries += 1
        self._count()
        line = self._defend(side, field.play(side, move, packed), key ^ field.board.keys[side][move], left)
        field.take_back(side, move)
        return line

    def _defend(self, side, packed, key, left):
        """The longest line among the defender's replies if `side` wins against all, else None."""
        field, maps, other = self._field, self._field.maps, 1 - side
        if packed >> maps.fives[other] & maps.lanes:
            return None
        made = packed >> maps.fives[side] & maps.lanes
        if made:
            reply = first_cell(made)
            rest = made >> LANE * (reply + 1)
            if rest:
                return [reply, reply + 1 + first_cell(rest)]
            if field.forbidden(other, reply, packed):
                return [field.elsewhere(reply, packed), reply]
            replies = [reply]
        else:
            threats = field.threats(side, packed)
            if not threats:
                return None
            replies = self._pick.defences(other, packed, threats) or [field.any_of(other, threats, packed)]
        longest = None
        for reply in replies:
            self._count()
            line = self._attack(side, field.play(other, reply, packed), key ^ field.board.keys[other][reply], left - 1)
            field.take_back(other, reply)
            if line is None:
                return None
            if longest is None or len(line) >= len(longest):
                longest = [reply] + line
        return longest

    def _count(self):
        count = self._field.count
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = self._field.check(count[0])
