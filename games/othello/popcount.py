"""Counting bits where ints have no bit_count (before CPython 3.10, and PyPy)."""
from __future__ import annotations

from games.othello.lanes import LANES

_BITS = (LANES.full.bit_length() + 7) // 8 * 8


def _repeat(pattern, width):
    return sum(pattern << shift for shift in range(0, _BITS, width))


_PAIRS, _NIBBLES, _BYTES = _repeat(0x5, 4), _repeat(0x3, 4), _repeat(0x0F, 8)


def _fold(lanes):
    """The number of bits set, below 255: sums of two, four, eight bits side by side, then all by casting out 255."""
    lanes -= (lanes >> 1) & _PAIRS
    lanes = (lanes & _NIBBLES) + ((lanes >> 2) & _NIBBLES)
    return ((lanes + (lanes >> 4)) & _BYTES) % 255


bit_count = getattr(int, "bit_count", _fold)
