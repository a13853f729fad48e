"""Making and unmaking chess moves, for the position and the search alike.

The board, the pieces of each side and the kings' squares change in place.  A move that is
more than a piece going from square to square (a promotion, en passant, castling) is
*special* and made in two steps: `special` changes the board, so that a search can examine
it, and `make` does the rest.  For a plain move `make` does both.
"""

from __future__ import annotations

from games.chess.tables import (
    BLACK,
    CASTLING,
    CASTLING_KEYS,
    EN_PASSANT,
    EN_PASSANT_KEYS,
    FROM_TO,
    KING,
    PAWN,
    PAWN_ATTACKS,
    PIECE_KEYS,
    PROMOTION_SHIFT,
    ROOK,
    castling_targets,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

    Placed = tuple[tuple[int, int], ...]  # (piece, square) of each
    Changes = tuple[Placed, Placed]  # those that disappear, those that appear


class Mover:
    """The functions that make moves on the board of a position.

    special(side, move): make a special move on the board; return (piece now on the target
        square, captured piece, its square).
    make(side, move, placed, captured, clock, rights, key): make a plain move on the board;
        for any move, return (key, halfmove clock, castling rights, en passant square) after it.
        placed: the piece on the target square after the move.  key: that of the pieces and of
        the side after the move, with the rights before it and without en passant.
    unmake(side, move, piece, captured, square): undo both.
    changes(move, piece, placed, captured, square): return the pieces that disappear and those that
        appear by a special move, each as (piece, square); for the key and the evaluation.
    is_legal(side, move): does a pseudo-legal move leave the king of `side` unattacked?
    en_passant_square(side, passed): the square that a pawn of `side` passed over if a
        capture there is legal, else -1.
    """

    __slots__ = ("special", "make", "unmake", "is_legal", "en_passant_square", "changes")

    def __init__(self, position: ChessPosition) -> None:
        """Build the functions."""
        board, pieces, kings = position.squares, position.pieces, position.kings
        kept = position.castling.kept
        is_attacked, illegal = position.attacks.is_attacked, position.attacks.illegal

        def special(side: int, move: int) -> tuple[int, int, int]:
            own = pieces[side]
            start, to = FROM_TO[move]
            piece = own.pop(start)
            board[start] = 0
            if move & CASTLING:
                king_to, rook_to = castling_targets(start, to)
                rook = own.pop(to)  # in Chess960 a target may be one of the squares left
                board[to] = 0
                own[king_to] = board[king_to] = piece
                own[rook_to] = board[rook_to] = rook
                kings[side] = king_to
                return piece, 0, to
            square = to if not move & EN_PASSANT else to + 8 if side else to - 8
            captured = board[square]
            if captured:
                board[square] = 0
                del pieces[side ^ 1][square]
            kind = move >> PROMOTION_SHIFT & 7
            if kind:
                piece = kind + (BLACK if side else 0)
            own[to] = board[to] = piece
            return piece, captured, square

        def unmake(side: int, move: int, piece: int, captured: int, square: int) -> None:
            own = pieces[side]
            start, to = FROM_TO[move]
            if move & CASTLING:
                king_to, rook_to = castling_targets(start, to)
                rook = board[rook_to]
                del own[king_to], own[rook_to]
                board[king_to] = board[rook_to] = 0
                own[start] = board[start] = piece
                own[to] = board[to] = rook
                kings[side] = start
                return
            del own[to]
            board[to] = 0
            own[start] = board[start] = piece
            if captured:
                pieces[side ^ 1][square] = board[square] = captured
            if piece & 7 == KING:
                kings[side] = start

        def is_legal(side: int, move: int) -> bool:
            if move & CASTLING:
                return True  # castling is generated only if it is legal
            start, to = FROM_TO[move]
            if move < 4096:
                return not illegal(kings[side], start, to, side, True)
            piece = board[start]
            _, captured, square = self.special(side, move)
            legal = not is_attacked(kings[side], side ^ 1)
            self.unmake(side, move, piece, captured, square)
            return legal

        def en_passant_square(side: int, passed: int) -> int:
            pawn = PAWN if side else PAWN + BLACK
            for near in PAWN_ATTACKS[side][passed]:
                if board[near] == pawn and 15 < passed < 48:  # not behind a pawn from rank 1
                    if self.is_legal(side ^ 1, EN_PASSANT | passed << 6 | near):
                        return passed
            return -1

        def make(
            side: int, move: int, placed: int, captured: int, clock: int, rights: int, key: int
        ) -> tuple[int, int, int, int]:
            start, to = FROM_TO[move]
            kind, ep = placed & 7, -1
            kept_rights = rights & kept[start] & kept[to]
            if kept_rights != rights:
                key ^= CASTLING_KEYS[rights] ^ CASTLING_KEYS[kept_rights]
            if move >= 4096:  # a special move: only castling can be reversed
                return key, clock + 1 if move & CASTLING else 0, kept_rights, ep
            own = pieces[side]
            del own[start]
            board[start] = 0
            own[to] = board[to] = placed
            if captured:
                del pieces[side ^ 1][to]
            if kind == PAWN:
                if to - start == 16 or start - to == 16:
                    ep = en_passant_square(side, start + to >> 1)
                    key ^= EN_PASSANT_KEYS[ep]
                return key, 0, kept_rights, ep
            if kind == KING:
                kings[side] = to
            return key, 0 if captured else clock + 1, kept_rights, ep

        self.special, self.unmake, self.make = special, unmake, make
        self.is_legal, self.en_passant_square = is_legal, en_passant_square
        self.changes = changes


def changes(move: int, piece: int, placed: int, captured: int, square: int) -> Changes:
    """Return the changes by a special move of chess: see Mover."""
    start, to = FROM_TO[move]
    if move & CASTLING:
        king_to, rook_to = castling_targets(start, to)
        rook = ROOK + (piece & BLACK)
        return ((piece, start), (rook, to)), ((piece, king_to), (rook, rook_to))
    gone = ((piece, start), (captured, square)) if captured else ((piece, start),)
    return gone, ((placed, to),)


def key_change(changed: Changes) -> int:
    """Return the change (exclusive or) of the pieces' part of a key."""
    change = 0
    for pairs in changed:
        for piece, square in pairs:
            change ^= PIECE_KEYS[piece][square]
    return change
