"""Static exchange evaluation: does a capture lose material when both sides go on capturing on its square?"""
from __future__ import annotations

from games.chess.sight import SIGHTS
from games.chess.tables import BISHOP, BITS, BLACK, KING, KNIGHT, PAWN, PAWN_HITS, QUEEN, REACH, ROOK, STEPS

# Centipawns by piece.
VALUE = (0, 100, 320, 330, 500, 950, 20000, 0) * 2
# Bishop and knight are worth the same here.
_EVEN = 20
_DIAGONAL, _STRAIGHT = SIGHTS[BISHOP], SIGHTS[ROOK]
_KNIGHT_STEPS, _KING_REACH = STEPS[KNIGHT], REACH[KING]


def exchanger(board, kings):
    """The function `losing` for this board and the kings' squares."""

    def cheapest(to, by, occupied):
        """The square of the least valuable man of side `by` that attacks `to` on these occupied squares; -1: none."""
        colour = BLACK if by else 0
        wanted = PAWN + colour
        for square in PAWN_HITS[by ^ 1][to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        wanted = KNIGHT + colour
        for square in _KNIGHT_STEPS[to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        queen, dear = QUEEN + colour, -1
        wanted = BISHOP + colour
        mask, sight = _DIAGONAL[to][0]
        for square in sight[occupied & mask][0]:
            piece = board[square]
            if piece == wanted or piece == queen:
                if occupied & BITS[square]:
                    if piece == wanted:
                        return square
                    dear = square
        wanted = ROOK + colour
        mask, sight = _STRAIGHT[to][0]
        for square in sight[occupied & mask][0]:
            piece = board[square]
            if piece == wanted or piece == queen:
                if occupied & BITS[square]:
                    if piece == wanted:
                        return square
                    dear = square
        if dear < 0:
            square = kings[by]
            if _KING_REACH[square][to]:
                return square
        return dear

    def losing(start, to, side, seen):
        """Does `side` lose material by moving from `start` to `to`, if both sides then capture there as they like?

        seen: the men's squares as move generation has them.  A man that a pawn guards brings at best that pawn too;
        only if that doesn't decide is the exchange played out, by the side whose turn it is, until one of them is
        better off to stop.
        """
        balance = VALUE[board[start]] - VALUE[board[to]]        # what the side to capture has won by it, if it can
        if balance < _EVEN:
            return False
        other = side ^ 1
        if balance > VALUE[PAWN]:
            guard = PAWN + BLACK if other else PAWN
            for square in PAWN_HITS[side][to]:
                if board[square] == guard:
                    return True
        occupied = (seen | seen >> 64) & ~BITS[start]
        lost, mover = False, other
        while True:
            square = cheapest(to, mover, occupied)
            if square < 0:
                return lost
            piece = board[square]
            if piece & 7 == KING and cheapest(to, mover ^ 1, occupied) >= 0:
                return lost
            lost = not lost
            balance = VALUE[piece] - balance
            if balance < (not lost):
                return lost
            occupied ^= BITS[square]
            mover ^= 1

    return losing
