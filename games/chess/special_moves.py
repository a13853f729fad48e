"""Promotion, en passant and castling: more than a piece from square to square.

They are rare in a search, so it can afford a function call and a tuple for each.
"""
from __future__ import annotations

from games.chess.evaluation import network
from games.chess.tables import (
    BLACK,
    CASTLING,
    EN_PASSANT,
    KING,
    MOVE_MASK,
    PAWN,
    PAWN_ATTACKS,
    PIECE_KEYS,
    PROMOTION_SHIFT,
    castling_targets,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.movegen import History
    from games.chess.position import ChessPosition

    Made = tuple[int, int, int, int, int, int]
    Special = Callable[[int, int, int, int], Made]
    Restore = Callable[[int, int, int, int, int], None]
    EnPassantSquare = Callable[[int, int, int], int]
    HasMove = Callable[[int, int, int], bool]
    SpecialMoves = tuple[Special, Restore, EnPassantSquare, HasMove]


def special_moves(position: ChessPosition, history: History) -> SpecialMoves:
    """(special, restore, en_passant_square, has_move) for the position's board.

    history: of quiet moves.
    """
    board, pieces, kings = position.squares, position.pieces, position.kings
    captures, quiets, is_attacked = position.captures, position.quiets, position.is_attacked
    net, keys = network(), PIECE_KEYS

    def special(side: int, move: int, key: int, acc: int) -> Made:
        """Make a promotion, an en passant capture or castling on the board.

        Returns (accumulator, key, captured piece, its square, piece that moved, piece
        on the target square).  The rook takes the captured piece's place in castling.
        """
        own, enemy = pieces[side], pieces[side ^ 1]
        start, to = move & 63, move >> 6 & 63
        piece, count = board[start], len(own) + len(enemy)
        features = net.features[count]
        key ^= keys[piece][start]
        acc -= features[piece][start]
        if move & CASTLING:
            rook = board[to]
            king_to, rook_to = castling_targets(start, to)
            key ^= keys[rook][to] ^ keys[rook][rook_to] ^ keys[piece][king_to]
            acc += features[rook][rook_to] - features[rook][to] + features[piece][king_to]
            # In Chess960 a target may be one of the two squares left.
            del own[start], own[to]
            board[start] = board[to] = 0
            own[king_to] = board[king_to] = piece
            own[rook_to] = board[rook_to] = rook
            kings[side] = king_to
            return acc, key, rook, to, piece, piece
        square = to if not move & EN_PASSANT else to + 8 if side else to - 8
        captured = board[square]
        if captured:
            del enemy[square]
            board[square] = 0
            key ^= keys[captured][square]
            acc -= features[captured][square]
        kind = move >> PROMOTION_SHIFT & 7
        placed = kind + (BLACK if side else 0) if kind else piece
        del own[start]
        board[start] = 0
        own[to] = board[to] = placed
        acc, key = acc + features[placed][to], key ^ keys[placed][to]
        if captured and net.ends_phase[count]:
            acc = net.accumulate(board)
        return acc, key, captured, square, piece, placed

    def restore(side: int, move: int, captured: int, square: int, piece: int) -> None:
        """Take back what `special` did."""
        own = pieces[side]
        start, to = move & 63, move >> 6 & 63
        if move & CASTLING:
            king_to, rook_to = castling_targets(start, to)
            del own[king_to], own[rook_to]
            board[king_to] = board[rook_to] = 0
            own[start] = board[start] = piece
            own[to] = board[to] = captured
            kings[side] = start
            return
        del own[to]
        board[to] = 0
        own[start] = board[start] = piece
        if captured:
            pieces[side ^ 1][square] = board[square] = captured

    def en_passant_square(side: int, start: int, to: int) -> int:
        """The square that a double push passed over, if an enemy pawn attacks it; else -1."""
        if to - start == 16 or start - to == 16:
            square, pawn = start + to >> 1, PAWN if side else PAWN + BLACK
            for near in PAWN_ATTACKS[side][square]:
                if board[near] == pawn:
                    return square
        return -1

    def has_move(side: int, ep: int, occupancy: int) -> bool:
        """Is there a legal move other than castling?

        In Chess960 castling may be the only one: there the king need not move.
        """
        for move in captures(side, ep, occupancy) + quiets(side, history, occupancy):
            move &= MOVE_MASK
            _, _, captured, square, piece, _ = special(side, move, 0, 0)
            king = move >> 6 & 63 if piece & 7 == KING else kings[side]
            legal = not is_attacked(king, side ^ 1)
            restore(side, move, captured, square, piece)
            if legal:
                return True
        return False

    return special, restore, en_passant_square, has_move
