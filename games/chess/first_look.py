"""The order of a position's moves before any search: what a glance at each of them says."""
from __future__ import annotations

from games.chess.evaluation import network
from games.chess.exchange import VALUE, exchanger
from games.chess.tables import BLACK, CASTLING, PAWN, PROMOTION_SHIFT

_MOST = 1 << 19
# A mate that a move gives.  Whether the game ends is asked where the opponent has so few men that it may.
_MATE, _CORNERED = 1 << 15, 4


def order(position, moves):
    """A number for each of the moves, higher for better ones: the evaluation after it, less what can be captured then.

    It is the answer, too, where there is no time to search, so it sees mate and stalemate of an opponent with few men.
    Numbers are centipawns above -2**19.
    """
    board, side, net = position.board_squares, position.side, network()
    losing, whole = exchanger(board, position.kings), net.accumulate(board)
    seen = whole >> net.squares
    out = []
    for move in moves:
        start, to = move & 63, move >> 6 & 63
        piece, taken = board[start], board[to]
        after, lost = whole, 0
        if not move & CASTLING:
            kind = move >> PROMOTION_SHIFT & 7
            arrived = kind + (BLACK if side else 0) if kind else piece
            after += net.table[arrived][to] - net.table[piece][start] - (net.table[taken][to] if taken else 0)
            if losing(start, to, side, seen):
                lost = VALUE[arrived] - VALUE[taken]
            elif kind and position.attacked(to, side ^ 1):
                lost = VALUE[arrived] - VALUE[PAWN]
        final = _final(position, move) if len(position.men[side ^ 1]) <= _CORNERED else None
        out.append(_MOST + (-net.score(after, side ^ 1) - lost if final is None else final))
    return out


def _final(position, move):
    """The score of a move that ends the game; None of any other."""
    position.make(move)
    outcome = position.outcome()
    position.undo()
    return None if outcome is None else 0 if outcome.winner is None else _MATE
