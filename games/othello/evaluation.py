"""A hand-set evaluation: mobility, corners and the squares beside them."""
from __future__ import annotations

from games.othello.lanes import NARROW

_FULL = NARROW.full
_CORNERS = ((0, (1, 8, 9)), (7, (6, 15, 14)), (56, (57, 48, 49)), (63, (62, 55, 54)))

# Hundredths of a disc.
_MOBILITY = 60          # a move, counted once for each direction in which it turns discs
_CORNER = 900
_BESIDE = (-150, -150, -400)    # the two edge squares and the diagonal one beside an empty corner
_DISC_AT_END = 100


def terms(own, opp):
    """[(name, score)] for the side with the discs `own` (narrow lanes)."""
    empty = _FULL ^ own ^ opp
    moves = bin((opp + ((own << 1) & opp)) & empty).count("1")
    replies = bin((own + ((opp << 1) & own)) & empty).count("1")
    corners = beside = 0
    for corner, neighbours in _CORNERS:
        mask = NARROW.masks[corner]
        if not empty & mask:
            corners += _CORNER if own & mask else -_CORNER
            continue
        for square, value in zip(neighbours, _BESIDE):
            mask = NARROW.masks[square]
            beside += value if own & mask else -value if opp & mask else 0
    result = [("mobility", (moves - replies) * _MOBILITY), ("corners", corners), ("beside corners", beside)]
    if not moves and not replies:
        result = [("discs", (len(NARROW.squares(own)) - len(NARROW.squares(opp))) * _DISC_AT_END)]
    return result
