"""Zobrist keys: the key of a position is the exclusive or of the keys of its features.

A feature is, for example, a piece of some kind on a cell, a count of seeds in a house, or the
second player to move.  Each has a random number below 2**62, the same on every machine and in every
run:

    PIECES = [zobrist(1, CELLS), zobrist(2, CELLS)]     # PIECES[player][cell]
    TURN, = zobrist(3, 1)

    key = PIECES[0][4] ^ PIECES[1][30] ^ TURN           # two pieces, the second to move

A move changes few features, so `make` can update the key: `key ^= feature` adds a feature, and also
removes it.  Among three billion positions about one pair shares a key by chance, which is
too rare to affect a search.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.types import Key

_FULL = (1 << 64) - 1


def random_numbers(seed: int) -> Iterator[int]:
    """Yield 62-bit numbers without end: splitmix64 (Steele, Lea, Flood 2014), shortened."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _FULL
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & _FULL
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _FULL
        yield (mixed ^ (mixed >> 31)) >> 2


def zobrist(seed: int, count: int) -> list[Key]:
    """Return `count` keys below 2**62, always the same for a seed (a number below 2**64).

    If a game needs several lists, it uses a different seed for each.
    """
    stream = random_numbers(seed)
    return [next(stream) for _ in range(count)]
