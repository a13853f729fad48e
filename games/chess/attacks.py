"""Attacks on a board: those of sliders, attacks on the king, pins and discovered checks."""

from __future__ import annotations

from functools import partial

from games.chess.tables import (
    BISHOP,
    BISHOP_RAYS,
    BLACK,
    EN_PASSANT,
    FROM_TO,
    KING,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    PINNERS,
    QUEEN,
    RAY_THROUGH,
    ROOK,
    ROOK_RAYS,
    bitboard,
)
from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

    # A slider's attacks: (the last square of each ray, the empty squares before the last ones, a
    # bitboard of all these squares).
    Reach = tuple[tuple[int, ...], tuple[int, ...], int]
    SliderAttacks = Lazy[int, Reach]  # for one square: {occupied relevant squares: Reach}


def _reach(rays: tuple[tuple[int, ...], ...], occupied: int) -> Reach:
    """Return the Reach of a rook or bishop along its rays, given a bitboard of occupied squares."""
    last, empty = [], []
    for ray in rays:
        for square in ray:
            if occupied >> square & 1:
                break
            empty.append(square)
        else:
            empty.pop()
        last.append(square)
    return tuple(last), tuple(empty), bitboard(last + empty)


def _slider_attacks(rays: list[tuple[tuple[int, ...], ...]]) -> list[tuple[int, SliderAttacks]]:
    """Return (mask of the relevant squares, SliderAttacks) for each square.

    As with magic bitboards, a square is relevant if a piece on it can hide other squares.  The last
    square of a ray is not relevant, so a rook has at most 4096 cases, a bishop 512.
    """
    return [
        (bitboard(square for ray in found for square in ray[:-1]), Lazy(partial(_reach, found)))
        for found in rays
    ]


# SLIDER_ATTACKS[piece][square]: (mask, attacks) pairs; attacks[occupied & mask] is the Reach.
# A queen has the pairs of rook and bishop; pieces other than sliders have no pairs.
ROOK_ATTACKS, BISHOP_ATTACKS = _slider_attacks(ROOK_RAYS), _slider_attacks(BISHOP_RAYS)
SLIDER_ATTACKS: list[list[tuple[tuple[int, SliderAttacks], ...]]] = [
    [],
    [],
    [],
    [(found,) for found in BISHOP_ATTACKS],
    [(found,) for found in ROOK_ATTACKS],
    list(zip(ROOK_ATTACKS, BISHOP_ATTACKS)),
    [],
    [],
] * 2


class Attacks:
    """The functions that find attacks on a board; the board may change between calls."""

    __slots__ = ("is_attacked", "check_mask", "discovers_attack", "illegal", "gives_check")

    def __init__(self, position: ChessPosition) -> None:
        """Build the functions."""
        board, tables = position.squares, position.tables
        knight_leaps, king_leaps = tables.leaps[KNIGHT], tables.leaps[KING]
        pseudo_attacks = tables.pseudo_attacks

        def is_attacked(square: int, by: int) -> bool:
            """Does side `by` attack the square?"""
            colour = BLACK if by else 0
            knight = KNIGHT + colour
            for near in knight_leaps[square]:
                if board[near] == knight:
                    return True
            queen = QUEEN + colour
            for rays, slider in ((ROOK_RAYS, ROOK + colour), (BISHOP_RAYS, BISHOP + colour)):
                for ray in rays[square]:
                    for near in ray:
                        piece = board[near]
                        if piece:
                            if piece == slider or piece == queen:
                                return True
                            break
            # A pawn attacks the square if an enemy pawn on the square would attack the pawn.
            pawn = PAWN + colour
            for near in PAWN_ATTACKS[by ^ 1][square]:
                if board[near] == pawn:
                    return True
            king = KING + colour
            for near in king_leaps[square]:
                if board[near] == king:
                    return True
            return False

        def check_mask(king: int, side: int) -> int:
            """Return the squares where a piece of `side` ends the check to its king, as a bitboard.

            They are the checker's square and the squares between checker and king.  In double
            check, when only the king can move, the result is 0.
            """
            colour = 0 if side else BLACK
            mask, checker = 0, KNIGHT + colour
            for near in knight_leaps[king]:
                if board[near] == checker:
                    mask = 1 << near
            checker = PAWN + colour
            for near in PAWN_ATTACKS[side][king]:
                if board[near] == checker:
                    mask = 1 << near
            queen = QUEEN + colour
            for rays, slider in ((ROOK_RAYS, ROOK + colour), (BISHOP_RAYS, BISHOP + colour)):
                for ray in rays[king]:
                    line = 0
                    for near in ray:
                        line |= 1 << near
                        piece = board[near]
                        if piece:
                            if piece == slider or piece == queen:
                                if mask:
                                    return 0
                                mask = line
                            break
            return mask

        def discovers_attack(king: int, start: int, to: int, side: int) -> bool:
            """Does a move from `start` to `to` let an enemy slider attack the king of `side`?

            A piece of `side` that does so was pinned; an enemy piece that does so discovers check.
            `start` must share a line with the king.
            """
            for square in RAY_THROUGH[king][start]:
                if square == to:
                    return False
                if board[square] and square != start:
                    return PINNERS[side][king][start][board[square]]
            return False

        def illegal(king: int, start: int, to: int, side: int, in_check: bool) -> bool:
            """Does a plain move, not yet made, leave the king of `side` attacked?"""
            if not in_check and start != king:
                return discovers_attack(king, start, to, side)
            piece, captured = board[start], board[to]
            board[start], board[to] = 0, piece
            found = is_attacked(to if start == king else king, side ^ 1)
            board[start], board[to] = piece, captured
            return found

        def gives_check(king: int, move: int, placed: int, side: int) -> bool:
            """Does a move give check to the king of `side`?

            Call it before a plain move is made, but after a promotion, an en passant capture or
            castling is made.
            placed: the piece on the target square after the move.
            """
            if move >= EN_PASSANT:
                return is_attacked(king, side ^ 1)
            start, to = FROM_TO[move]
            if pseudo_attacks[placed][to][king]:
                for square in RAY_THROUGH[to][king]:
                    if board[square]:
                        if square == king:
                            return True
                        break
                else:
                    return True  # a knight: no line joins the two squares
            return discovers_attack(king, start, to, side)

        self.is_attacked = is_attacked
        self.check_mask = check_mask
        self.illegal = illegal
        self.discovers_attack, self.gives_check = discovers_attack, gives_check
