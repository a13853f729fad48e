"""Moves that are more than from one square to another: promotion, en passant, castling.

Rare in a search, so a function call and a tuple for each do no harm there.
"""
from __future__ import annotations

from games.chess.evaluation import network
from games.chess.keys import PIECE
from games.chess.tables import (
    BLACK, CASTLING, EN_PASSANT, KING, MOVE_MASK, PAWN, PAWN_HITS, PROMOTION_SHIFT, castling_targets)


def rare_moves(position, history):
    """The functions (special, restore, passed, has_move) for this position's board.

    history: of quiet moves.
    """
    board, men, kings = position.board_squares, position.men, position.kings
    table, numbers = network().table, PIECE
    captures, quiets, attacked = position.captures, position.quiets, position.attacked

    def special(side, move, key, acc):
        """Make a promotion, an en passant capture or castling on the board.

        Returns (accumulator, key, captured piece, its square, piece that moved, piece that arrived).
        """
        own, foes = men[side], men[side ^ 1]
        start, to = move & 63, move >> 6 & 63
        piece = board[start]
        key ^= numbers[piece][start]
        acc -= table[piece][start]
        if move & CASTLING:
            rook = board[to]
            king_to, rook_to = castling_targets(start, to)
            key ^= numbers[rook][to] ^ numbers[rook][rook_to] ^ numbers[piece][king_to]
            acc += table[rook][rook_to] - table[rook][to] + table[piece][king_to]
            del own[start], own[to]
            board[start] = board[to] = 0
            own[king_to] = board[king_to] = piece
            own[rook_to] = board[rook_to] = rook
            kings[side] = king_to
            return acc, key, rook, to, piece, piece
        square = to if not move & EN_PASSANT else to + 8 if side else to - 8
        taken = board[square]
        if taken:
            del foes[square]
            board[square] = 0
            key ^= numbers[taken][square]
            acc -= table[taken][square]
        kind = move >> PROMOTION_SHIFT & 7
        after = kind + (BLACK if side else 0) if kind else piece
        del own[start]
        board[start] = 0
        own[to] = board[to] = after
        return acc + table[after][to], key ^ numbers[after][to], taken, square, piece, after

    def restore(side, move, taken, square, piece):
        """Take back what `special` did."""
        own = men[side]
        start, to = move & 63, move >> 6 & 63
        if move & CASTLING:
            king_to, rook_to = castling_targets(start, to)
            del own[king_to], own[rook_to]
            board[king_to] = board[rook_to] = 0
            own[start] = board[start] = piece
            own[to] = board[to] = taken
            kings[side] = start
            return
        del own[to]
        board[to] = 0
        own[start] = board[start] = piece
        if taken:
            men[side ^ 1][square] = board[square] = taken

    def passed(side, start, to):
        """The square that a pawn of `side` passed over, if it could be captured there en passant, else -1."""
        if to - start == 16 or start - to == 16:
            square, foe = start + to >> 1, PAWN if side else PAWN + BLACK
            for near in PAWN_HITS[side][square]:
                if board[near] == foe:
                    return square
        return -1

    def has_move(side, ep, seen):
        """Is there any legal move but castling?  (That may be the only one in Chess960, where no king need move.)"""
        for move in captures(side, ep, seen) + quiets(side, history, seen):
            move &= MOVE_MASK
            _, _, taken, square, piece, _ = special(side, move, 0, 0)
            king = move >> 6 & 63 if piece & 7 == KING else kings[side]
            safe = not attacked(king, side ^ 1)
            restore(side, move, taken, square, piece)
            if safe:
                return True
        return False

    return special, restore, passed, has_move
