"""Who attacks what: checks, pins and discovered checks on a board that changes in place."""
from __future__ import annotations

from games.chess.tables import (
    BISHOP, BLACK, EN_PASSANT, ENDS, KING, KNIGHT, LINE, PAWN, PAWN_HITS, PINNERS, QUEEN, RAYS, REACH, ROOK, STEPS)

_ROOK_RAYS, _BISHOP_RAYS = RAYS[ROOK], RAYS[BISHOP]
_KNIGHT_STEPS, _KING_STEPS = STEPS[KNIGHT], STEPS[KING]


def watchers(board):
    """The functions (attacked, shields, uncovers, illegal, checks) for this board, whose later changes they see."""

    def attacked(square, by):
        """Does side `by` attack the square?"""
        colour = BLACK if by else 0
        knight = KNIGHT + colour
        for near in _KNIGHT_STEPS[square]:
            if board[near] == knight:
                return True
        queen, slider = QUEEN + colour, ROOK + colour
        for ray in _ROOK_RAYS[square]:
            for near in ray:
                piece = board[near]
                if piece:
                    if piece == slider or piece == queen:
                        return True
                    break
        slider = BISHOP + colour
        for ray in _BISHOP_RAYS[square]:
            for near in ray:
                piece = board[near]
                if piece:
                    if piece == slider or piece == queen:
                        return True
                    break
        pawn = PAWN + colour
        for near in PAWN_HITS[by ^ 1][square]:
            if board[near] == pawn:
                return True
        king = KING + colour
        for near in _KING_STEPS[square]:
            if board[near] == king:
                return True
        return False

    def shields(king, side):
        """Where a man of `side` stops the check to its king, as bits: the checker and the squares before it.

        0 where two give check, and only the king can move.
        """
        colour = 0 if side else BLACK
        found, wanted = 0, KNIGHT + colour
        for near in _KNIGHT_STEPS[king]:
            if board[near] == wanted:
                found = 1 << near
        wanted = PAWN + colour
        for near in PAWN_HITS[side][king]:
            if board[near] == wanted:
                found = 1 << near
        queen = QUEEN + colour
        for rays, slider in ((_ROOK_RAYS, ROOK + colour), (_BISHOP_RAYS, BISHOP + colour)):
            for ray in rays[king]:
                way = 0
                for near in ray:
                    way |= 1 << near
                    piece = board[near]
                    if piece:
                        if piece == slider or piece == queen:
                            if found:
                                return 0
                            found = way
                        break
        return found

    def uncovers(king, start, to, side):
        """Does a man leave the king of `side` to a slider by going from `start`, on a line of the king, to `to`?

        As a pinned man of that side does, or one of the other that discovers a check.
        """
        for square in LINE[king][start]:
            if square == to:
                return False
            if board[square] and square != start:
                return PINNERS[side][king][start][board[square]]
        return False

    def illegal(king, start, to, side, in_check):
        """Does a plain move, not yet made, leave the king of `side` attacked?"""
        if not in_check and start != king:
            return uncovers(king, start, to, side)
        piece, taken = board[start], board[to]
        board[start], board[to] = 0, piece
        found = attacked(to if start == king else king, side ^ 1)
        board[start], board[to] = piece, taken
        return found

    def checks(king, move, arrived, side):
        """Does a move, not yet made unless promotion, en passant or castling, give check to the king of `side`?

        arrived: the man that stands there then.
        """
        if move >= EN_PASSANT:
            return attacked(king, side ^ 1)
        start, to = ENDS[move]
        if REACH[arrived][to][king]:
            for square in LINE[to][king]:
                if board[square]:
                    if square == king:
                        return True
                    break
            else:
                return True     # a knight's jump
        return uncovers(king, start, to, side)

    return attacked, shields, uncovers, illegal, checks
