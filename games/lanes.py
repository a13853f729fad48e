"""The hidden units of a small network, side by side in one int (SWAR).

Each unit has a lane of LANE bits.  Half of a lane's range is added to it, so that its top bit means
"not negative": one mask cuts all negative units to zero.  Units count positive and negative in
turn.  Since 2**LANE is -1 modulo 2**LANE + 1, a single remainder gives the whole signed sum.
games/chess/evaluation.py has an example.

A search keeps the sum of the lanes of all inputs and updates it for each move.  Its hot loops write
Lanes.output() out, to save the time of a call.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LANE = 16  # bits
SIGN = LANE - 1  # the top bit of a lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
LINEAR_BIAS = 1 << SIGN - 1  # bias of a unit that never falls below zero


class Lanes:
    """Constants of `count` lanes; the first counts positive, the next negative, and so on.

    bits: their width.  sign_bits: the top bit of each.
    folds: (width in bits, mask) of two folds.  Each about halves the number of lanes before the
        division, which is the slowest step: a lane may be added to the lane 2, 4, 6 ... places
        below, since 2**(2 * LANE) is 1 modulo MODULUS.
    """

    def __init__(self, count: int) -> None:
        self.bits = count * LANE
        self.sign_bits = sum(1 << lane * LANE + SIGN for lane in range(count))
        self.folds = [
            (width, (1 << width) - 1) for width in (count // 4 * 2 * LANE, count // 8 * 2 * LANE)
        ]

    def output(self, accumulator: int) -> int:
        """Return the signed sum of the units of an accumulator."""
        # Spread a lane's top bit to a mask of the bits below it.
        active = accumulator & self.sign_bits
        value = accumulator & active - (active >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        return (value + HALF) % MODULUS - HALF


def packed(numbers: Sequence[int]) -> int:
    """Return the int with these numbers in its lanes.

    A negative number borrows from the lane above.  Half of a lane's range, which an accumulator
    adds to each lane, makes all sums positive again.
    """
    return sum([number << LANE * lane for lane, number in enumerate(numbers)])
