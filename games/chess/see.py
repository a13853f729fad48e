"""Static exchange evaluation (SEE): does a capture lose material?"""

from __future__ import annotations

from games.chess.attacks import BISHOP_ATTACKS, ROOK_ATTACKS
from games.chess.tables import (
    BISHOP,
    BITS,
    BLACK,
    KING,
    KNIGHT,
    KNIGHT_LEAPS,
    PAWN,
    PAWN_ATTACKS,
    PIECE_VALUES,
    PSEUDO_ATTACKS,
    QUEEN,
    ROOK,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    LosesMaterial = Callable[[int, int, int, int], bool]

# Centipawns by piece; no exchange wins as much as the value of a king.
VALUE = (*PIECE_VALUES[:KING], 20000, 0) * 2
# A smaller loss counts as none: bishop and knight are equal here.
_EVEN = 20
_KING_ATTACKS = PSEUDO_ATTACKS[KING]


def static_exchange(board: list[int], kings: list[int]) -> LosesMaterial:
    """Return the function loses_material for this board and the kings' squares."""

    def least_valuable_attacker(to: int, by: int, occupied: int) -> int:
        """Return the square of the least valuable piece of `by` that attacks `to`, or -1.

        occupied: the pieces still there.  Those already captured stay on the board.
        """
        colour = BLACK if by else 0
        wanted = PAWN + colour
        for square in PAWN_ATTACKS[by ^ 1][to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        wanted = KNIGHT + colour
        for square in KNIGHT_LEAPS[to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        # Remember a queen, as a rook on the other lines would be cheaper.
        queen, queen_square = QUEEN + colour, -1
        wanted = BISHOP + colour
        mask, attacks = BISHOP_ATTACKS[to]
        for square in attacks[occupied & mask][0]:
            piece = board[square]
            if piece == wanted or piece == queen:
                if occupied & BITS[square]:
                    if piece == wanted:
                        return square
                    queen_square = square
        wanted = ROOK + colour
        mask, attacks = ROOK_ATTACKS[to]
        for square in attacks[occupied & mask][0]:
            piece = board[square]
            if piece == wanted or piece == queen:
                if occupied & BITS[square]:
                    if piece == wanted:
                        return square
                    queen_square = square
        if queen_square < 0:
            square = kings[by]
            if _KING_ATTACKS[square][to]:
                return square
        return queen_square

    def loses_material(start: int, to: int, side: int, occupancy: int) -> bool:
        """Does `side` lose material by a move, if both sides then capture on its square?

        occupancy: as of move generation.  Each side captures with its least valuable
        piece and stops when it is better off.
        """
        # The gain of the side to capture next once it recaptures.
        balance = VALUE[board[start]] - VALUE[board[to]]
        if balance < _EVEN:
            return False
        other = side ^ 1
        # More than a pawn is lost to a pawn, whatever follows: no need to play it out.
        if balance > VALUE[PAWN]:
            guard = PAWN + BLACK if other else PAWN
            for square in PAWN_ATTACKS[side][to]:
                if board[square] == guard:
                    return True
        occupied = (occupancy | occupancy >> 64) & ~BITS[start]
        lost, mover = False, other
        while True:
            square = least_valuable_attacker(to, mover, occupied)
            if square < 0:
                return lost
            piece = board[square]
            # A king can't capture a guarded piece.
            if piece & 7 == KING and least_valuable_attacker(to, mover ^ 1, occupied) >= 0:
                return lost
            lost = not lost
            balance = VALUE[piece] - balance
            # Even if recaptured, the side that captures is ahead.
            if balance < (not lost):
                return lost
            occupied ^= BITS[square]
            mover ^= 1

    return loses_material
