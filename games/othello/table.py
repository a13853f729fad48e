"""A transposition table: two words an entry, in arrays that keep to their size."""
from __future__ import annotations

from array import array

from games.othello.lanes import ROWS

ENTRY_BYTES = 16
# Far from a power of two: modulo a prime beside one of those, bits that lie 61 apart would count the same.
PRIME = 0x1B9096A0E7D80081
_SHIFT = ROWS.bit_length()


def key_of(own, opp):
    """A number below 2**61 that tells the discs of the side to move and of the other side."""
    return ((own & ROWS) << _SHIFT | opp & ROWS) % PRIME


class Table:
    """keys[slot] and data[slot] with slot = key & mask; the newest entry stays.

    The key 0 marks a free slot: the one position that might have it is not worth a test.
    """

    def __init__(self, megabytes):
        """megabytes: an upper bound of its size."""
        slots = 1 << 10
        while slots * 2 * ENTRY_BYTES <= megabytes * (1 << 20):
            slots *= 2
        self.mask = slots - 1
        self.keys = array("Q", bytes(8 * slots))
        self.data = array("Q", bytes(8 * slots))

    def hashfull(self):
        """How full it is, in permille, from a sample."""
        sample = self.keys[:1000]
        return 1000 - sample.count(0)
