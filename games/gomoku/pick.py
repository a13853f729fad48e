"""The moves worth searching: replies that stop a threat, else the cells with the most charm."""
from __future__ import annotations

from itertools import compress

from games.gomoku.lines import FIRST
from games.gomoku.maps import cells_of

# How many quiet moves are searched, and the least charm of one.
WIDTH = 12
_LEAST_CHARM = 2
# For bytes.translate: 1 for so much charm, 0 for less.  Where that leaves enough cells the others need not be ranked.
_AT_LEAST = [bytes(int(charm >= least) for charm in range(256)) for least in (24, 16, 10, 6, _LEAST_CHARM)]
# Room for a cell beside its charm.
_SHIFT = 9
_CELL = (1 << _SHIFT) - 1


class Pick:
    """Chooses moves on a Field."""

    def __init__(self, field):
        self._field = field
        self._count, self._charm_mask = field.maps.cells, field.maps.charm_mask

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
            return [cell for cell in blocks if not field.forbidden(side, cell, packed)][:1]
        wins = field.threats(side, packed)
        if wins:
            return wins[:1]
        threats = field.threats(1 - side, packed)
        if threats:
            return self.defences(side, packed, threats)
        return self.quiet(side, packed)

    def quiet(self, side, packed, width=WIDTH):
        """The `width` cells with the most charm, fewer where there are fewer."""
        charm = (packed & self._charm_mask).to_bytes(self._count, "little")
        restricted = side == self._field.restricted
        for least in _AT_LEAST:
            kept = charm.translate(least)
            if self._count - kept.count(0) >= width and not restricted:
                break
        first = kept.find(1)
        cells = compress(range(first, self._count), kept[first:].rstrip(b"\0"))
        ranked = [charm[cell] << _SHIFT | cell for cell in cells]
        ranked.sort(reverse=True)
        if restricted:
            return self.permitted(side, packed, [entry & _CELL for entry in ranked])[:width]
        return [entry & _CELL for entry in ranked[:width]]

    def defences(self, side, packed, threats):
        """The moves of `side` after which the other player's `threats` are gone, then its own fours."""
        field = self._field
        near = -1
        for cell in threats:
            near &= self._ways(1 - side, cell)
        charm = packed & field.maps.charm_mask
        found = [cell for cell in _set_bits(near) if charm >> 8 * cell & 255 and self._stops(side, packed, cell)]
        found.sort(key=lambda cell: -(charm >> 8 * cell & 255))
        fours = packed >> field.maps.fours[side] & field.maps.lanes
        if fours:
            found += [cell for cell in cells_of(fours) if cell not in found]
        return self.permitted(side, packed, found)

    def _ways(self, player, cell):
        """The bits of the cells on the lines where a stone on `cell` makes a four for `player`, near enough to it."""
        bits, codes = 0, self._field.codes
        for line, index, near in self._field.board.rays[cell]:
            # A four on the cell needs three stones that are at most four away.
            stones = (codes[line] >> player & FIRST) << 8 >> 2 * index & 0x15555
            stones &= stones - 1
            if stones & stones - 1:
                bits |= near
        return bits

    def _stops(self, side, packed, cell):
        """Has the other player no open four and no two fours left after `cell`?"""
        field, maps, other = self._field, self._field.maps, 1 - side
        lanes = field.peek(side, cell, packed) >> maps.fours[other] & maps.twice
        if not lanes or other != field.restricted:
            return not lanes
        after = field.play(side, cell, packed)
        stopped = not field.threats(other, after)
        field.take_back(side, cell)
        return stopped

    def permitted(self, side, packed, cells):
        """Those of `cells` that Renju does not forbid."""
        field = self._field
        if side != field.restricted:
            return cells
        return [cell for cell in cells if not field.forbidden(side, cell, packed)]


def _set_bits(bits):
    """The numbers of the bits that are set."""
    cells = []
    while bits:
        low = bits & -bits
        cells.append(low.bit_length() - 1)
        bits ^= low
    return cells
