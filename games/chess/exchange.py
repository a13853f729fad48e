"""Static exchange evaluation: what a capture wins when both sides go on capturing on its square."""
from __future__ import annotations

from games.chess.tables import BISHOP, BLACK, KING, KNIGHT, PAWN, PAWN_HITS, QUEEN, RAYS, ROOK, STEPS

# Centipawns by piece.
VALUE = (0, 100, 320, 330, 500, 950, 20000, 0) * 2
# Bishop and knight are worth the same here.
_EVEN = 20
_ALL_RAYS = RAYS[QUEEN]
_STRAIGHT = [{ray[0] for ray in RAYS[ROOK][square]} for square in range(64)]


def exchanger(board, attacked):
    """The functions (exchange, losing) for this board; attacked: of its move generators."""

    def line_of_attackers(to, ray, skip):
        """The men that attack `to` along `ray`, nearest first: each behind the ones before."""
        found = []
        mover = ROOK if ray[0] in _STRAIGHT[to] else BISHOP
        for square in ray:
            piece = board[square]
            if not piece or square == skip:
                continue
            kind = piece & 7
            if kind == mover or kind == QUEEN:
                found.append(piece)
                continue
            near = square == ray[0]
            if near and (kind == KING or kind == PAWN and mover == BISHOP and to in PAWN_HITS[piece >> 3][square]):
                found.append(piece)
                continue
            break
        return found

    def exchange(start, to, side):
        """Centipawns that `side` wins by capturing on `to` from `start`, both sides playing on as they like."""
        if not attacked(to, side ^ 1):
            return VALUE[board[to]]
        lines = [[board[square]] for square in STEPS[KNIGHT][to]
                 if board[square] & 7 == KNIGHT and square != start]
        for ray in _ALL_RAYS[to]:
            line = line_of_attackers(to, ray, start)
            if line:
                lines.append(line)
        gains = [VALUE[board[to]]]
        standing = VALUE[board[start]]
        mover = side ^ 1
        while True:
            # The least valuable attacker of the side whose turn it is.
            best = None
            for line in lines:
                if line and line[0] >> 3 == mover and (best is None or VALUE[line[0]] < VALUE[best[0]]):
                    best = line
            if best is None or (best[0] & 7 == KING and any(line and line[0] >> 3 != mover for line in lines)):
                break
            gains.append(standing - gains[-1])
            standing = VALUE[best.pop(0)]
            mover ^= 1
        for index in range(len(gains) - 1, 0, -1):
            gains[index - 1] = min(gains[index - 1], -gains[index])
        return gains[0]

    def losing(start, to, side):
        """Does `side` lose material by capturing a cheaper man on `to` from `start`?

        A man that a pawn guards brings at best that pawn too; only if that doesn't decide is the exchange played out.
        """
        loss = VALUE[board[start]] - VALUE[board[to]]
        if loss < _EVEN:
            return False
        if loss > VALUE[PAWN]:
            guard = PAWN if side else PAWN + BLACK
            for square in PAWN_HITS[side][to]:
                if board[square] == guard:
                    return True
        return exchange(start, to, side) < 0

    return exchange, losing
