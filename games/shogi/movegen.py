"""Moves on a board that changes in place.

board: the piece on each square.  pieces: ({square: piece} of Black, that of White).  hands[piece]:
the number of these pieces in hand.  occupied: a bitboard of all pieces.

Captures, quiet moves and drops are generated separately, since most nodes of a search end before a
quiet move is needed, and most moves are drops.  Moves are pseudo-legal: the king may be in check
after them.
"""

from __future__ import annotations

from games.ordering import SCORE
from games.shogi.tables import (
    BETTER,
    DROP,
    FROM_TO,
    FROM_TO_MASK,
    GOLD,
    KING,
    KNIGHT,
    PAWN,
    PIECES,
    PROMOTE,
    PROMOTED,
    TO_SHIFT,
    VALUE,
    WHITE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.ordering import PieceHistory
    from games.shogi.position import ShogiPosition

    Masks = Sequence[int]  # for each piece, a bitboard of squares to go to

# EXCHANGED[piece]: the gain from capturing the piece, which leaves the board and enters the hand.
EXCHANGED = [VALUE[piece] + VALUE[piece & 7] for piece in range(PIECES)]
# A capture scores VICTIM[captured piece] - ATTACKER[piece].  The capture of a king, which is
# possible only in quiescence, comes first.
VICTIM = [16 * value * SCORE for value in EXCHANGED]
ATTACKER = [value % 20000 * SCORE for value in VALUE]
# PROMOTION[piece]: the bit of a promotion, plus an ordering score for the value that it gains.
PROMOTION = [
    PROMOTE + 16 * SCORE * max(VALUE[piece & 16 | piece & 7 | PROMOTED] - VALUE[piece], 0)
    for piece in range(PIECES)
]
_QUIET_PROMOTION = PROMOTE + 1000 * SCORE  # for pieces whose promotion isn't always better
NO_HISTORY = [[0] * 81 for _ in range(PIECES)]


class Rules:
    """The functions that find and make the moves on a board."""

    def __init__(self, position: ShogiPosition) -> None:
        """Build the functions."""
        board = position.squares
        pieces = position.pieces
        kings = position.kings
        hands, geometry = position.in_hand, position.geometry
        is_attacked, attackers = position.attacks.is_attacked, position.attacks.attackers
        discovers_attack = position.attacks.discovers_attack
        leaps = geometry.leaps
        sliders = geometry.sliders
        targets = geometry.targets
        promotions = geometry.promotions
        size = geometry.size
        squares = range(geometry.cells)
        king_leaps, geometry_drops = leaps[KING], geometry.drops

        def drop_mates(to: int, side: int) -> bool:
            """Does a pawn that `side` drops on `to`, in front of the enemy king, give mate?"""
            enemy, king = side ^ 1, kings[side ^ 1]
            royal = board[king]
            for at, _ in attackers(to, enemy):
                if at != king and not discovers_attack(king, at, to, side):
                    return False
            board[to], board[king] = PAWN + WHITE * side, 0
            mated = all(
                board[at] and board[at] >> 4 == enemy or is_attacked(at, side)
                for at in king_leaps[king]
            )
            board[to], board[king] = 0, royal
            return mated

        def parts(side: int, move: int) -> tuple[int, int, int, int]:
            """Return (start, target square, piece before the move, piece after the move)."""
            start, to = FROM_TO[move & FROM_TO_MASK]
            piece = start - DROP + WHITE * side if start >= DROP else board[start]
            return start, to, piece, piece + PROMOTED if move & PROMOTE else piece

        def make(side: int, start: int, to: int, piece: int, placed: int, captured: int) -> None:
            """Make a move on the board; see parts()."""
            own = pieces[side]
            if start >= DROP:
                hands[piece] -= 1
            else:
                del own[start]
                board[start] = 0
                if captured:
                    del pieces[side ^ 1][to]
                    hands[captured & 7 | WHITE * side] += 1
                if piece & 15 == KING:
                    kings[side] = to
            own[to] = board[to] = placed

        def unmake(side: int, start: int, to: int, piece: int, captured: int) -> None:
            """Take back a move that make() made."""
            own = pieces[side]
            del own[to]
            board[to] = 0
            if start >= DROP:
                hands[piece] += 1
                return
            own[start] = board[start] = piece
            if captured:
                pieces[side ^ 1][to] = board[to] = captured
                hands[captured & 7 | WHITE * side] -= 1
            if piece & 15 == KING:
                kings[side] = start

        def captures(side: int, occupied: int, stays: Masks) -> list[int]:
            """Return captures, and promotions that lose nothing, each plus its ordering score.

            stays[piece]: the squares to which a piece that may promote also moves unpromoted.
            """
            out: list[int] = []
            add, enemy = out.append, pieces[side ^ 1]
            for square, piece in pieces[side].items():
                promoting = promotions[piece][square]
                tos = leaps[piece][square]
                slider = sliders[piece][square]
                if slider:
                    mask, slides = slider
                    last, empty, _ = slides[occupied & mask]
                    tos = tos + last + empty if promoting else tos + last
                for to in tos:
                    if to in enemy:
                        move = VICTIM[board[to]] - ATTACKER[piece] + (to << TO_SHIFT | square)
                        if not promoting >> to & 1:
                            add(move)
                            continue
                        add(move + PROMOTION[piece])
                        if stays[piece] >> to & 1:
                            add(move)
                    elif promoting >> to & 1 and BETTER[piece] and not board[to]:
                        add(PROMOTION[piece] + (to << TO_SHIFT | square))
            return out

        def quiets(
            side: int,
            history: PieceHistory,
            occupied: int,
            stays: Masks,
            wanted: Masks | None = None,
        ) -> list[int]:
            """Return the board moves that captures() leaves out, each plus history[piece][to].

            wanted[piece]: a bitboard of the squares to go to; by default all.
            """
            out: list[int] = []
            for square, piece in pieces[side].items():
                bits = targets[piece][square]
                if wanted:
                    bits &= wanted[piece]
                    if not bits:
                        continue
                scores, promoting = history[piece], promotions[piece][square]
                reached, slider = leaps[piece][square], sliders[piece][square]
                if slider:
                    mask, slides = slider
                    last, empty, _ = slides[occupied & mask]
                    reached = reached + last + empty
                tos: Sequence[int] = reached
                if promoting and not BETTER[piece]:
                    out += [
                        scores[to] + _QUIET_PROMOTION + (to << TO_SHIFT | square)
                        for to in reached
                        if not board[to] and (bits & promoting) >> to & 1
                    ]
                if promoting:
                    bits &= stays[piece] | ~promoting
                if promoting or wanted:
                    tos = [to for to in reached if bits >> to & 1]
                out += [scores[to] + (to << TO_SHIFT | square) for to in tos if not board[to]]
            return out

        def drops(side: int, history: PieceHistory, wanted: Masks | None = None) -> list[int]:
            """Return the drops, each plus history[piece][to].

            wanted[piece]: a bitboard of the squares to drop it on; by default all.  The drops
            include pawn drops that give mate, which are illegal.
            """
            out: list[int] = []
            empty = [square for square in squares if not board[square]]
            for piece in range(PAWN + WHITE * side, GOLD + WHITE * side + 1):
                if not hands[piece]:
                    continue
                scores = history[piece]
                drop = DROP + (piece & 7)
                tos = empty
                if wanted:
                    bits = wanted[piece]
                    tos = [to for to in tos if bits >> to & 1]
                if piece & 7 <= KNIGHT:
                    fits = geometry_drops[piece]
                    tos = [to for to in tos if fits[to]]
                    if piece & 7 == PAWN:
                        files = {at % size for at, own in pieces[side].items() if own == piece}
                        tos = [to for to in tos if to % size not in files]
                out += [scores[to] + (to << TO_SHIFT | drop) for to in tos]
            return out

        self.captures = captures
        self.quiets = quiets
        self.drops = drops
        self.drop_mates, self.parts = drop_mates, parts
        self.make, self.unmake = make, unmake
