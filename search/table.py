"""The transposition table: what earlier visits of a position found out.

Two 64-bit words an entry in two arrays, so that `Hash` megabytes are that many megabytes on every interpreter
(a dict of tuples takes about 250 bytes an entry on CPython, sixteen times as much).

    keys:  the position's key
    data:  score + 2**30  31 bits | move + 1  21 bits | depth  9 bits | bound  2 bits

An empty entry has data 0.  The last write to a slot stays, except that a deeper entry of the same position does.
"""
from __future__ import annotations

from array import array

BYTES_AN_ENTRY = 16

UPPER, LOWER, EXACT = 1, 2, 3          # score is at most, at least, exactly the value
DEPTH_BITS, MOVE_BITS = 9, 21
SOLVED = (1 << DEPTH_BITS) - 1         # depth of a score that no horizon has touched
SCORE_BIAS = 1 << 30

MOVE_SHIFT = 2 + DEPTH_BITS
SCORE_SHIFT = MOVE_SHIFT + MOVE_BITS
MOVE_MASK = (1 << MOVE_BITS) - 1


_FEWEST = 1 << 14
_SLOTS_A_NODE = 8


def pack(score, move, depth, bound):
    """The data word of an entry; move None where there is none."""
    return ((score + SCORE_BIAS) << SCORE_SHIFT | (0 if move is None else move + 1) << MOVE_SHIFT
            | depth << 2 | bound)


def unpack(data):
    """(score, move or None, depth, bound) of a data word."""
    move = (data >> MOVE_SHIFT & MOVE_MASK) - 1
    return (data >> SCORE_SHIFT) - SCORE_BIAS, None if move < 0 else move, data >> 2 & SOLVED, data & 3


class Table:
    """A table of at most `megabytes`; a power of two of entries, so that a slot is found by a mask.

    It begins small and grows with the nodes searched: a short search needs no megabytes cleared for it.
    """

    def __init__(self, megabytes):
        self._most = _FEWEST
        while self._most * 2 * BYTES_AN_ENTRY <= megabytes << 20:
            self._most *= 2
        self.mask = _FEWEST - 1
        self.keys = array("q", bytes(8 * _FEWEST))
        self.data = array("q", bytes(8 * _FEWEST))

    def make_room(self, nodes):
        """Grow until there are several slots for each of `nodes`, or Hash is reached.

        The arrays are doubled by appending them to themselves: each entry then stands where the longer mask
        looks for it, and once more where nobody will.
        """
        while self.mask + 1 < self._most and self.mask < nodes * _SLOTS_A_NODE:
            self.keys *= 2
            self.data *= 2
            self.mask = self.mask * 2 + 1

    def store(self, key, data):
        """Write an entry, unless a deeper one of the same position is there."""
        slot = key & self.mask
        if self.keys[slot] != key or (self.data[slot] >> 2 & SOLVED) <= (data >> 2 & SOLVED):
            self.keys[slot] = key
            self.data[slot] = data

    def probe(self, key):
        """The data word of a position, 0 where there is none."""
        slot = key & self.mask
        return self.data[slot] if self.keys[slot] == key else 0

    def hashfull(self):
        """Used entries in permille, from a sample of a thousand."""
        sample = min(1000, self.mask + 1)
        return sum(1 for slot in range(sample) if self.data[slot]) * 1000 // sample
