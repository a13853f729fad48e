"""A transposition table: two words an entry, in arrays that keep to their size."""
from __future__ import annotations

from array import array

from games.othello.lanes import ROWS

ENTRY_BYTES = 16
OWN_FACTOR, OPP_FACTOR = 0x1B9096A0E7D80069, 0x1C963CFEAFAE5A3B
# No Mersenne prime: modulo one of those, bits that lie 61 apart count the same.
PRIME = (1 << 61) - 31


def key_of(own, opp):
    """A number below 2**61 that tells the discs of the side to move and of the other side."""
    return ((own & ROWS) * OWN_FACTOR + (opp & ROWS) * OPP_FACTOR) % PRIME


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
