"""Zobrist keys: a position's key is the exclusive or of the keys of what is true of it, always below 2**62."""
from __future__ import annotations


def _numbers(seed):
    """An endless stream of 62-bit numbers: splitmix64 (Steele, Lea, Flood 2014), cut down."""
    full = (1 << 64) - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & full
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & full
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & full
        yield (mixed ^ (mixed >> 31)) >> 2


_stream = _numbers(20)

# PIECE[piece][square]; CASTLE[rights] of the four castling rights as bits; PASSANT[square behind the pawn].
PIECE = [[next(_stream) for _ in range(64)] for _ in range(16)]
_rights = [next(_stream) for _ in range(4)]
CASTLE = [0] * 16
for _bits in range(16):
    for _bit in range(4):
        if _bits >> _bit & 1:
            CASTLE[_bits] ^= _rights[_bit]
_files = [next(_stream) for _ in range(8)]
PASSANT = [_files[square & 7] for square in range(64)]
BLACK_TO_MOVE = next(_stream)
