"""The moves worth searching: replies that stop a threat, else the cells with the most charm."""
from __future__ import annotations

from games.gomoku.maps import LANE, LANE_MASK

# How many quiet moves are searched, and the least charm of one.
WIDTH = 12
_LEAST_CHARM = 2
# Room for a cell beside its charm.
_SHIFT = 9
_CELL = (1 << _SHIFT) - 1


class Pick:
    """Chooses moves on a Field."""

    def __init__(self, field):
        self._field = field
        self._bytes = field.maps.cells

    def moves(self, side, packed):
        """The moves worth searching for `side`, best first; empty where nothing can come of any.

        A five or the block of one comes alone.  Against an open four or two fours at once only the moves that
        stop them all and own fours are tried; where that leaves none the game is lost.
        """
        field = self._field
        own = field.fives(side, packed)
        if own:
            return own[:1]
        blocks = field.fives(1 - side, packed)
        if blocks:
            return [cell for cell in blocks if not field.forbidden(side, cell)][:1]
        wins = field.threats(side, packed)
        if wins:
            return wins[:1]
        threats = field.threats(1 - side, packed)
        if threats:
            return self.defences(side, packed, threats)
        return self.quiet(side, packed)

    def quiet(self, side, packed, width=WIDTH):
        """The `width` cells with the most charm, fewer where there are fewer."""
        charm = (packed & self._field.maps.charm_mask).to_bytes(self._bytes, "little")
        ranked = [value << _SHIFT | cell for cell, value in enumerate(charm) if value >= _LEAST_CHARM]
        ranked.sort(reverse=True)
        if side == self._field.restricted:
            return self.permitted(side, packed, [entry & _CELL for entry in ranked])[:width]
        return [entry & _CELL for entry in ranked[:width]]

    def defences(self, side, packed, threats):
        """The moves of `side` after which the other player's `threats` are gone, then its own fours."""
        field = self._field
        near = -1
        for cell in threats:
            near &= field.board.stars[cell]
        charm = packed & field.maps.charm_mask
        found = [cell for cell in self._set_bits(near) if charm >> 8 * cell & 255 and self._stops(side, packed, cell)]
        found.sort(key=lambda cell: -(charm >> 8 * cell & 255))
        found += [cell for cell in field.fours(side, packed) if cell not in found]
        return self.permitted(side, packed, found)

    def _stops(self, side, packed, cell):
        """Has the other player no open four and no two fours left after `cell`?"""
        field = self._field
        after = field.play(side, cell, packed)
        stopped = not field.threats(1 - side, after)
        field.take_back(side, cell)
        return stopped

    def permitted(self, side, packed, cells):
        """Those of `cells` that Renju does not forbid; only cells with two threes or fours can be."""
        field, maps = self._field, self._field.maps
        if side != field.restricted:
            return cells
        suspects = (packed >> maps.fours[side] | packed >> maps.threes[side]) & maps.twice
        return [cell for cell in cells
                if not suspects >> LANE * cell & LANE_MASK or not field.forbidden(side, cell)]

    @staticmethod
    def _set_bits(bits):
        cells = []
        while bits:
            low = bits & -bits
            cells.append(low.bit_length() - 1)
            bits ^= low
        return cells
