"""The static evaluation, in centipawns for the side to move."""
from __future__ import annotations

_WORTH = (0, 100, 320, 330, 500, 950, 0)
# How much a step towards the middle of the board is worth, for each kind.
_CENTRE = (0, 3, 8, 4, 1, 2, 0)
_ADVANCE = 6


def _piece(piece, square):
    kind = piece & 7
    rank = 7 - (square >> 3) if piece >> 3 else square >> 3
    file = square & 7
    centre = min(file, 7 - file) + min(rank, 7 - rank)
    return _WORTH[kind] + _CENTRE[kind] * centre + (_ADVANCE * rank if kind == 1 else 0)


_VALUES = [[_piece(piece, square) for square in range(64)] if piece & 7 in range(1, 7) else None
           for piece in range(16)]


def evaluate(position):
    """Material and placement for the side to move."""
    white, black = (sum(_VALUES[piece][square] for square, piece in men.items()) for men in position.men)
    return black - white if position.side else white - black
