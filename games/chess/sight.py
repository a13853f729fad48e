"""What a rook or bishop sees on a board of given occupancy, computed once for each case and then looked up.

Only the squares that can hide others count (a line's last square can't), which keeps the cases at 4096 for a
rook and 512 for a bishop on its best square.  A queen looks with both pairs of eyes.
"""
from __future__ import annotations

from games.chess.tables import BISHOP, BITS, BLACK, QUEEN, RAYS, ROOK


class Sight(dict):
    """Occupancy of the squares that count -> (first man or last square of each ray, empty squares before them, both
    as bits)."""

    __slots__ = ("rays",)

    def __init__(self, rays):
        self.rays = rays

    def __missing__(self, occupied):
        ends, ways = [], []
        for ray in self.rays:
            for square in ray:
                if occupied >> square & 1:
                    break
                ways.append(square)
            else:
                ways.pop()
            ends.append(square)
        found = self[occupied] = tuple(ends), tuple(ways), sum([BITS[square] for square in ends + ways])
        return found


def _sights(kind):
    """For each square its (squares that count as bits, Sight)."""
    return [(sum(1 << square for ray in rays for square in ray[:-1]), Sight(rays)) for rays in RAYS[kind]]


_ROOKS, _BISHOPS = _sights(ROOK), _sights(BISHOP)

# SIGHTS[piece][square]: the (mask, Sight) pairs of a slider, None for other pieces.
SIGHTS = [None] * 16
for _colour in (0, BLACK):
    SIGHTS[ROOK + _colour] = [(sight,) for sight in _ROOKS]
    SIGHTS[BISHOP + _colour] = [(sight,) for sight in _BISHOPS]
    SIGHTS[QUEEN + _colour] = list(zip(_ROOKS, _BISHOPS))
