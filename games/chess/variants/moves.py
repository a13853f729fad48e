"""Moves that change more than chess's do: special moves of the variants, made by a list of changes.

A change is a piece on a square, which disappears or appears.  Beyond the board stand the pieces
in hand: `count` of a piece are the piece on the square HAND + count.  MARK is a piece that only
marks what stands on a square as promoted.
"""

from __future__ import annotations

from games.chess.moves import Mover
from games.chess.tables import (
    BITS,
    CASTLING_KEYS,
    COMMONER,
    EN_PASSANT,
    KING,
    NOWHERE,
    PIECE_KEYS,
)
from games.keys import zobrist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.moves import Changes, Placed
    from games.chess.variants.position import ChangingPosition

    # The changes, the piece on the target square after the move, the captured piece, its square.
    Plan = tuple[Changes, int, int, int]

# A move with this bit is made by a plan.
PLANNED = EN_PASSANT
HAND, MARK = 64, COMMONER
MAX_HAND = 64
for _piece, _keys in enumerate(PIECE_KEYS):  # none for an empty hand
    _keys += [0, *zobrist(40 + _piece, MAX_HAND)]


class ChangingMover(Mover):
    """The moves on the board: those with the bit PLANNED as the position plans them."""

    def __init__(self, position: ChangingPosition) -> None:
        super().__init__(position)
        board, pieces, kings, hands = (
            position.squares,
            position.pieces,
            position.kings,
            position.hand_counts,
        )
        kept, made, plan = position.castling.kept, position.made, position.plan
        special_in_chess, unmake_in_chess = self.special, self.unmake
        make_in_chess, changes_in_chess = self.make, self.changes

        def exchange(gone: Placed, new: Placed) -> None:
            for piece, at in gone:
                if piece == MARK:
                    position.promoted ^= BITS[at]
                elif at < HAND:
                    board[at] = 0
                    del pieces[piece >> 3][at]
                    if piece & 7 == KING:
                        kings[piece >> 3] = NOWHERE
            for piece, at in new:
                if piece == MARK:
                    position.promoted ^= BITS[at]
                elif at < HAND:
                    pieces[piece >> 3][at] = board[at] = piece
                    if piece & 7 == KING:
                        kings[piece >> 3] = at
                else:
                    hands[piece] = at - HAND

        def special(side: int, move: int) -> tuple[int, int, int]:
            if not move & PLANNED:
                return special_in_chess(side, move)
            changed, placed, captured, square = plan(side, move)
            made.append(changed)
            exchange(*changed)
            return placed, captured, square

        def unmake(side: int, move: int, piece: int, captured: int, square: int) -> None:
            if not move & PLANNED:
                unmake_in_chess(side, move, piece, captured, square)
                return
            gone, new = made.pop()
            exchange(new, gone)

        def changes(move: int, piece: int, placed: int, captured: int, square: int) -> Changes:
            if move & PLANNED:
                return made[-1]
            return changes_in_chess(move, piece, placed, captured, square)

        def make(
            side: int, move: int, placed: int, captured: int, clock: int, rights: int, key: int
        ) -> tuple[int, int, int, int]:
            found = make_in_chess(side, move, placed, captured, clock, rights, key)
            if not move & PLANNED:
                return found
            key, _, left, ep = found
            before = left
            for piece, at in made[-1][0] if left else ():
                if at < HAND and piece != MARK:
                    left &= kept[at]
            key ^= CASTLING_KEYS[before] ^ CASTLING_KEYS[left]
            return key, clock + 1 if position.reversible(move, placed, captured) else 0, left, ep

        self.special, self.unmake, self.changes, self.make = special, unmake, changes, make
