"""Zobrist keys: a position's key is the exclusive or of the keys of what is true of it, always below 2**62.

Each thing that may be true (a man of this kind on that cell, that many seeds in this house, the second player's turn)
has a number drawn by lot, the same on every machine and in every run:

    MEN = [zobrist(1, CELLS), zobrist(2, CELLS)]        # MEN[player][cell]
    TURN, = zobrist(3, 1)

    key = MEN[0][4] ^ MEN[1][30] ^ TURN                 # two men, the second player to move

A move changes few of these facts, so `make` may keep the key up to date: `key ^= fact` both adds it and takes it away.
Two positions out of a billion share a key about once in ten runs of a search; no search minds.
"""
from __future__ import annotations

_FULL = (1 << 64) - 1


def numbers(seed):
    """An endless stream of 62-bit numbers: splitmix64 (Steele, Lea, Flood 2014), cut down."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _FULL
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & _FULL
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _FULL
        yield (mixed ^ (mixed >> 31)) >> 2


def zobrist(seed, count):
    """`count` keys below 2**62, always the same for one seed (a number below 2**64).

    Lists of one game that are told apart take seeds of their own.
    """
    stream = numbers(seed)
    return [next(stream) for _ in range(count)]
