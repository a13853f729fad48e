"""Zobrist keys: a position's key is the exclusive or of the keys of what is true of it, always below 2**62."""
from __future__ import annotations

from games.keys import random_numbers

_stream = random_numbers(20)

# PIECE[piece][square]; CASTLE[rights] of the four castling rights as bits; PASSANT[square behind the pawn, or -1].
PIECE = [[next(_stream) for _ in range(64)] for _ in range(16)]
_rights = [next(_stream) for _ in range(4)]
CASTLE = [0] * 16
for _bits in range(16):
    for _bit in range(4):
        if _bits >> _bit & 1:
            CASTLE[_bits] ^= _rights[_bit]
_files = [next(_stream) for _ in range(8)]
PASSANT = [_files[square & 7] for square in range(64)] + [0]
BLACK_TO_MOVE = next(_stream)
