"""What tells positions apart in the tables of Othello's searches."""
from __future__ import annotations

from games.othello.lanes import ROWS

OWN_FACTOR, OPP_FACTOR = 0x1B9096A0E7D80069, 0x1C963CFEAFAE5A3B
# No Mersenne prime: modulo one of those, bits that lie 61 apart count the same.
PRIME = (1 << 61) - 31


def key_of(own, opp):
    """A number below 2**61 that tells the discs of the side to move and of the other side.

    An unused slot of a table passes for the position with the key 0: the one that might have it is not worth a test.
    """
    return ((own & ROWS) * OWN_FACTOR + (opp & ROWS) * OPP_FACTOR) % PRIME
