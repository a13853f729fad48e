"""Geometry of the board: squares, pieces, and which squares a piece reaches from where.

Squares are 0..63, a1 = 0, b1 = 1, h8 = 63.  Pieces are a kind (1..6) plus 8 for Black; 0 is an empty square.

A move is an int:   bits 0-5   from
                    bits 6-11  to; castling goes from the king's to the rook's square
                    bits 12-14 the kind that a pawn becomes, else 0
                    bit  15    en passant
                    bit  16    castling
"""
from __future__ import annotations

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
BLACK = 8                       # added to a kind
LETTERS = ".PNBRQK..pnbrqk"     # of a piece

PROMOTION_SHIFT = 12
EN_PASSANT = 1 << 15
CASTLING = 1 << 16
SPECIAL = 0x1F << 12            # any of these: more than from one square to another
MOVE_MASK = (1 << 20) - 1       # what move generation puts above these bits is an ordering score

_ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


# ENDS[move]: (from, to).  FROM[a][b]: the move from a to b.  CPython looks them up faster than it works them out.
ENDS = [(square, to) for to in range(64) for square in range(64)] * (2 * CASTLING >> 12)
FROM = [[to << 6 | square for to in range(64)] for square in range(64)]


def _walk(square, step, limit=7):
    """The squares from `square` (left out) in direction `step`, nearest first."""
    out = []
    file, rank = square & 7, square >> 3
    while len(out) < limit:
        file, rank = file + step[0], rank + step[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        out.append(rank * 8 + file)
    return tuple(out)


def _rays(steps):
    return [tuple(ray for ray in (_walk(square, step) for step in steps) if ray) for square in range(64)]


def _steps(steps):
    return [tuple(to for step in steps for to in _walk(square, step, 1)) for square in range(64)]


# RAYS[piece][square]: a slider's rays.  STEPS[piece][square]: targets of knight and king.
_BISHOP_RAYS, _ROOK_RAYS = _rays(_DIAGONAL), _rays(_ORTHOGONAL)
_QUEEN_RAYS = [straight + slanted for straight, slanted in zip(_ROOK_RAYS, _BISHOP_RAYS)]
_KNIGHT_STEPS, _KING_STEPS = _steps(_JUMPS), _steps(_ORTHOGONAL + _DIAGONAL)
RAYS = [None] * 16
STEPS = [None] * 16
for _colour in (0, BLACK):
    RAYS[BISHOP + _colour], RAYS[ROOK + _colour], RAYS[QUEEN + _colour] = _BISHOP_RAYS, _ROOK_RAYS, _QUEEN_RAYS
    STEPS[KNIGHT + _colour], STEPS[KING + _colour] = _KNIGHT_STEPS, _KING_STEPS

# PAWN_HITS[side][square]: what a pawn of `side` on `square` attacks.
PAWN_HITS = (_steps(((-1, 1), (1, 1))), _steps(((-1, -1), (1, -1))))

# TARGETS[piece][square]: what king, knight or pawn attack from there, as bits; of a pawn about to be promoted all
# squares.  None for sliders.
TARGETS = [None] * 16


BITS = [1 << square for square in range(64)]


def _bits(squares):
    return sum([BITS[square] for square in squares])


for _colour in (0, BLACK):
    TARGETS[KNIGHT + _colour] = [_bits(near) for near in _KNIGHT_STEPS]
    TARGETS[KING + _colour] = [_bits(near) for near in _KING_STEPS]
    _last_but_one = 1 if _colour else 6
    TARGETS[PAWN + _colour] = [(1 << 64) - 1 if square >> 3 == _last_but_one else _bits(hits)
                               for square, hits in enumerate(PAWN_HITS[_colour >> 3])]

# LINE[a][b]: the whole ray from a through b, nearest first; empty where no queen's line joins them.
# PINNERS[side][a][b]: indexed by a piece: is it a slider of the other side that moves along this line?
LINE = [[()] * 64 for _ in range(64)]
_NOBODY = (False,) * 16
PINNERS = tuple([[_NOBODY] * 64 for _ in range(64)] for _ in range(2))


def _sliders(side, kinds):
    foes = [kind + (0 if side else BLACK) for kind in kinds]
    return tuple(piece in foes for piece in range(16))


def _fill_lines():
    for rays, kind in ((_ROOK_RAYS, ROOK), (_BISHOP_RAYS, BISHOP)):
        masks = [_sliders(side, (kind, QUEEN)) for side in range(2)]
        for square in range(64):
            for ray in rays[square]:
                for to in ray:
                    LINE[square][to] = ray
                    PINNERS[0][square][to], PINNERS[1][square][to] = masks


_fill_lines()

# REACH[piece][square]: indexed by a target: could the piece attack it from there on an empty board?
REACH = [None] * 16


def _fill_reach():
    for side in range(2):
        pawn = [tuple(to in hits for to in range(64)) for hits in PAWN_HITS[side]]
        REACH[PAWN + BLACK * side] = pawn
        for kind in (KNIGHT, KING):
            piece = kind + BLACK * side
            REACH[piece] = REACH[kind] or [tuple(to in near for to in range(64)) for near in STEPS[piece]]
        for kind in (BISHOP, ROOK, QUEEN):
            piece = kind + BLACK * side
            REACH[piece] = REACH[kind] or [
                tuple(any(to in ray for ray in rays) for to in range(64)) for rays in RAYS[piece]]


_fill_reach()


# WAYS[piece][square]: where a quiet move could lead from there on an empty board (or an underpromotion), as bits.
WAYS = TARGETS[:]
# CHECKING[king][piece]: from where the piece would attack a king there on an empty board (a king never does), as bits;
# of a pawn its squares of promotion too.
CHECKING = []


def _fill_ways():
    for kind in (BISHOP, ROOK, QUEEN):
        WAYS[kind] = WAYS[kind + BLACK] = [_bits(to for ray in rays for to in ray) for rays in RAYS[kind]]
    for side, ahead, first in ((0, 8, 1), (1, -8, 6)):
        ways = WAYS[PAWN + BLACK * side] = []
        for square in range(64):
            twice = (square + 2 * ahead,) if square >> 3 == first else ()
            promoted = PAWN_HITS[side][square] if square >> 3 == 7 - first else ()
            ways.append(_bits(twice + promoted + ((square + ahead,) if 0 <= square + ahead < 64 else ())))
    for king in range(64):
        goals = [WAYS[piece][king] if WAYS[piece] and piece & 7 != KING else 0 for piece in range(16)]
        goals[PAWN] = _bits(PAWN_HITS[1][king]) | 0xFF << 56
        goals[PAWN + BLACK] = _bits(PAWN_HITS[0][king]) | 0xFF
        CHECKING.append(goals)


_fill_ways()


def castling_targets(king, rook):
    """Where king and rook stand after castling: (c or g, d or f) of their rank."""
    rank = king & 56
    return (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)


def name(square):
    """The name of a square: 0 is a1."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]
