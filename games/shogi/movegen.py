"""Moves on a board that changes in place.

board: the piece on each square.  pieces: ({square: piece} of Black, of White).  hands[piece]:
the number of these pieces in hand.  occupied: a bitboard of all pieces.

Captures, quiet moves and drops are generated separately, since most nodes of a search end before a
quiet move is needed, and most moves are drops.  Moves are pseudo-legal: the king may be in check
after them.
"""

from __future__ import annotations

from functools import cache

from games.data import Lazy
from games.geometry import bitboard, slider
from games.ordering import SCORE
from games.shogi.tables import (
    BETTER,
    DROP,
    FROM_TO,
    FROM_TO_MASK,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
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
    from games.shogi.tables import ShogiGeometry

    Masks = Sequence[int]  # for each piece, a bitboard of target squares
    # (start, target square, piece before the move, piece after the move, captured piece)
    Change = tuple[int, int, int, int, int]
    # The moves of a piece on a square: (captures, promotions that lose nothing, other moves).  A
    # move is (target square, move plus ordering score).  The scores of captures lack the victims'
    # values.
    Entries = tuple[Sequence[tuple[int, int]], ...]
    # (mask, entries): entries[occupied & mask] are the piece's Entries.
    Mover = tuple[int, Lazy[int, Entries]]
    Movers = list[list[Mover]]

# EXCHANGED[piece]: the gain from capturing the piece, which leaves the board and enters the hand.
# ROYAL: the gain from capturing a king, which is more than any exchange can win.
EXCHANGED = [VALUE[piece] + VALUE[piece & 7] for piece in range(PIECES)]
ROYAL = EXCHANGED[KING]
# A capture scores VICTIM[captured piece] - ATTACKER[piece].  The capture of a king, which is
# possible only in quiescence, comes first.
VICTIM = [16 * value * SCORE for value in EXCHANGED]
ATTACKER = [value % ROYAL * SCORE for value in VALUE]
# PROMOTION[piece]: the bit of a promotion, plus an ordering score for the value that it gains.
PROMOTION = [
    PROMOTE + 16 * SCORE * max(VALUE[piece & 16 | piece & 7 | PROMOTED] - VALUE[piece], 0)
    for piece in range(PIECES)
]
_QUIET_PROMOTION = PROMOTE + 1000 * SCORE  # for pieces whose promotion isn't always better
NO_HISTORY = [[0] * 81 for _ in range(PIECES)]
ANYWHERE = [-1] * PIECES  # Masks that allow all squares


@cache
def move_tables(geometry: ShogiGeometry, useful: bool) -> Movers:
    """Return the Mover of each piece on each square.

    useful: leave out moves without promotion that are no better than the promotion.
    """
    places = geometry.places[:]
    for piece in range(PIECES) if useful else ():
        if BETTER[piece]:
            places[piece] = 0
        elif piece & 15 == LANCE:  # a lance that would have only one more move had better promote
            places[piece] = geometry.places[piece - LANCE + KNIGHT]
    starts = range(geometry.cells)
    return [[_mover(geometry, piece, at, own) for at in starts] for piece, own in enumerate(places)]


def _mover(geometry: ShogiGeometry, piece: int, start: int, places: int) -> Mover:
    """Return the Mover of a piece on a square.  places: where it may stay unpromoted."""
    mask, reaches = slider(geometry.rays[piece][start])
    promoting = geometry.promotions[piece][start]
    stays = places | ~promoting

    def entries(occupied: int) -> Entries:
        last, empty, _ = reaches[occupied]
        captures, promotions, quiets = [], [], []
        for to in geometry.leaps[piece][start] + last + empty:
            move = to << TO_SHIFT | start
            if promoting >> to & 1:
                captures.append((to, move + PROMOTION[piece] - ATTACKER[piece]))
                if BETTER[piece]:
                    promotions.append((to, move + PROMOTION[piece]))
                else:
                    quiets.append((to, move + _QUIET_PROMOTION))
            if stays >> to & 1:
                captures.append((to, move - ATTACKER[piece]))
                quiets.append((to, move))
        return [entry for entry in captures if entry[0] not in empty], promotions, quiets

    return mask, Lazy(entries)


class Rules:
    """The functions that find moves, and that make the Change of a move on the board."""

    def __init__(self, position: ShogiPosition) -> None:
        """Build the functions."""
        board = position.squares
        pieces = position.pieces
        kings = position.kings
        hands, geometry = position.in_hand, position.geometry
        is_attacked, attackers = position.attacks.is_attacked, position.attacks.attackers
        discovers_attack = position.attacks.discovers_attack
        keys, hand_keys, side_key = geometry.keys, geometry.hand_keys, geometry.side_key
        targets, places = geometry.targets, geometry.places
        king_leaps, squares = geometry.leaps[KING], range(geometry.cells)
        size = geometry.size
        files = [bitboard(squares[file::size]) for file in range(size)]

        def drop_mates(to: int, side: int) -> bool:
            """Does a pawn that `side` drops on `to`, in front of the enemy king, give mate?"""
            enemy, king = side ^ 1, kings[side ^ 1]
            royal = board[king]
            for at, _ in attackers(to, enemy):
                if at != king and not discovers_attack(king, at, to, side):
                    return False
            board[to], board[king] = PAWN + WHITE * side, 0
            mated = all(at in pieces[enemy] or is_attacked(at, side) for at in king_leaps[king])
            board[to], board[king] = 0, royal
            return mated

        def change_of(move: int, side: int) -> Change:
            """Return the change that a move of `side` makes."""
            start, to = FROM_TO[move & FROM_TO_MASK]
            piece = start - DROP + WHITE * side if start >= DROP else board[start]
            return start, to, piece, piece + PROMOTED if move & PROMOTE else piece, board[to]

        def key_after(key: int, side: int, change: Change) -> int:
            """Return the key after a change that is not yet made.  key: the key before it."""
            start, to, piece, placed, captured = change
            key ^= side_key ^ keys[placed][to]
            if start >= DROP:
                return key ^ hand_keys[piece][hands[piece] - 1]
            if captured:
                hand = captured & 7 | WHITE * side
                key ^= keys[captured][to] ^ hand_keys[hand][hands[hand]]
            return key ^ keys[piece][start]

        def make(side: int, change: Change) -> None:
            """Make a change on the board."""
            start, to, piece, placed, captured = change
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

        def unmake(side: int, change: Change) -> None:
            """Take back a change that make() made."""
            start, to, piece, _, captured = change
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

        def captures(side: int, occupied: int, movers: Movers) -> list[int]:
            """Return captures, and promotions that lose nothing, each plus its ordering score."""
            out: list[int] = []
            add, enemy = out.append, pieces[side ^ 1]
            for square, piece in pieces[side].items():
                mask, entries = movers[piece][square]
                capturing, promotions, _ = entries[occupied & mask]
                for to, move in capturing:
                    if to in enemy:
                        add(move + VICTIM[board[to]])
                for to, move in promotions:
                    if not board[to]:
                        add(move)
            return out

        def quiets(
            side: int, history: PieceHistory, occupied: int, movers: Movers, masks: Masks = ANYWHERE
        ) -> list[int]:
            """Return the board moves that captures() leaves out, each plus its history score.

            masks[piece]: a bitboard of the target squares that are wanted.
            """
            out: list[int] = []
            empty = ~occupied
            for square, piece in pieces[side].items():
                bits = targets[piece][square] & empty & masks[piece]
                if bits:
                    scores = history[piece]
                    mask, entries = movers[piece][square]
                    _, _, moves = entries[occupied & mask]
                    out += [scores[to] + move for to, move in moves if bits >> to & 1]
            return out

        def drops(side: int, history: PieceHistory, masks: Masks = ANYWHERE) -> list[int]:
            """Return the drops, each plus its history score.

            masks[piece]: a bitboard of the squares where a drop is wanted.

            The drops include pawn drops that give mate, which are illegal.
            """
            out: list[int] = []
            empty = [square for square in squares if not board[square]]
            pawn = PAWN + WHITE * side
            for piece in range(pawn, pawn + GOLD):
                if not hands[piece]:
                    continue
                scores, drop = history[piece], DROP + (piece & 7)
                bits = masks[piece] & places[piece]
                if piece == pawn:
                    for at, own in pieces[side].items():
                        if own == pawn:
                            bits &= ~files[at % size]
                out += [scores[to] + (to << TO_SHIFT | drop) for to in empty if bits >> to & 1]
            return out

        self.captures = captures
        self.quiets = quiets
        self.drops = drops
        self.drop_mates = drop_mates
        self.change_of, self.key_after = change_of, key_after
        self.make, self.unmake = make, unmake
