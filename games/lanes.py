"""The hidden units of a small network, side by side in one int (SWAR).

Each unit has a lane of LANE bits.  Half of the lane's range is added to the unit, so that the
lane's top bit means "not negative", and one mask cuts all negative units to zero.  Units count
alternately positive and negative.  Since 2**LANE is -1 modulo 2**LANE + 1, a single remainder gives
the whole signed sum.  An example of two lanes of 16 bits, whose lower lane counts positive:

    units 5 and 3     8003 8005    top bits 8000 8000    mask 7fff 7fff    masked 0003 0005
                      0x30005 % 0x10001 = 2 = 5 - 3
    units 5 and -3    7ffd 8005    top bits 0000 8000    mask 0000 7fff    masked 0000 0005
                      0x00005 % 0x10001 = 5 = 5 - 0

A search keeps the sum of the lanes of all inputs, the accumulator, and updates it for each move.
Its hot loops repeat the code of Lanes.output(), to save the time of a call.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# The number of bits of a lane.
LANE = 16
# The top bit of a lane.
SIGN = LANE - 1
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
# The bias of a unit that never falls below zero.
LINEAR_BIAS = 1 << SIGN - 1
# Steps per centipawn; a step is the value 1 in a lane.  With more steps, the sum of all units would
# not fit into a lane.
STEPS = 3


class Lanes:
    """A network with `count` lanes; the first counts positive, the next negative, and so on.

    tempo: bonus for the side to move, in centipawns.
    bits: number of bits of all lanes together.  sign_bits: an int with the top bit of each lane.
    folds: (width in bits, mask) of two folds.  Each fold about halves the number of lanes before
        the division, which is the slowest step.  A lane may be added to the lane 2, 4, 6 ... places
        below, since 2**(2 * LANE) is 1 modulo MODULUS.
    """

    def __init__(self, count: int, tempo: int) -> None:
        self.bits, self.tempo = count * LANE, tempo
        self.sign_bits = sign_bits(count)
        self.folds = [
            (width, (1 << width) - 1) for width in (count // 4 * 2 * LANE, count // 8 * 2 * LANE)
        ]

    def score(self, accumulator: int, side: int) -> int:
        """Return an accumulator's score in centipawns for `side`, the side to move."""
        total = self.output(accumulator)
        return (-total if side else total) // STEPS + self.tempo

    def output(self, accumulator: int) -> int:
        """Return the signed sum of an accumulator's units for the first player, in steps."""
        # Spread a lane's top bit to a mask of the bits below it.
        active = accumulator & self.sign_bits
        value = accumulator & active - (active >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        return (value + HALF) % MODULUS - HALF


def sign_bits(count: int, width: int = LANE) -> int:
    """Return the int with the top bit of each of `count` lanes set; width: bits of a lane."""
    return packed([1 << width - 1] * count, width)


def packed(numbers: Sequence[int], width: int = LANE) -> int:
    """Return the int with these numbers in its lanes.  width: bits of a lane.

    A negative number borrows from the lane above.  Half of a lane's range, which an accumulator
    adds to each lane, makes all sums positive again.
    """
    return sum([number << width * lane for lane, number in enumerate(numbers)])
