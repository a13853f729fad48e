"""Zobrist keys: a position's key is the exclusive or of the keys of what is true of it.

Each thing that may be true (a piece of this kind on that cell, that many seeds in this
house, the second player's turn) has a random number below 2**62, the same on every
machine and in every run:

    PIECES = [zobrist(1, CELLS), zobrist(2, CELLS)]     # PIECES[player][cell]
    TURN, = zobrist(3, 1)

    key = PIECES[0][4] ^ PIECES[1][30] ^ TURN           # two pieces, the second to move

A move changes few of these facts, so `make` may keep the key up to date: `key ^= fact`
both adds it and takes it away.  In a search of a billion positions one pair or so
shares a key by chance; no search minds.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.types import Key

_FULL = (1 << 64) - 1


def random_numbers(seed: int) -> Iterator[int]:
    """An endless stream of 62-bit numbers: splitmix64 (Steele, Lea, Flood 2014), cut down."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _FULL
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & _FULL
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _FULL
        yield (mixed ^ (mixed >> 31)) >> 2


def zobrist(seed: int, count: int) -> list[Key]:
    """`count` keys below 2**62, always the same for one seed (a number below 2**64).

    Lists of one game that must differ take different seeds.
    """
    stream = random_numbers(seed)
    return [next(stream) for _ in range(count)]
