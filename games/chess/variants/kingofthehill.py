"""King of the Hill: a king on one of the four squares in the centre wins, too."""

from __future__ import annotations

from games.chess.evaluation import ChessNetwork
from games.chess.tables import KING, KING_LEAPS
from games.chess.variants import Variant
from games.chess.variants.position import VariantPosition, chess_network
from games.looks import CHEQUERS, MEN, MOVE, Looks

# The squares d4, e4, d5 and e5.
_HILL = 27, 28, 35, 36
# By square: a king's steps onto the hill.
_STEPS = [[to for to in leaps if to in _HILL] for leaps in KING_LEAPS]
# Value of a king in centipawns, by its distance from the hill in moves; learned by
# scripts/lab/variant_terms.py.
_WAY = 2000, 300, 96, 0


def _value(kind: int, square: int) -> float:
    file, rank = square & 7, square >> 3
    distance = max(3 - file, file - 4, 3 - rank, rank - 4, 0)
    return _WAY[distance] if kind == KING else 0


class HillPosition(VariantPosition):
    """A position of King of the Hill."""

    end_reason = "king in the centre"

    @staticmethod
    def make_network() -> ChessNetwork:
        return chess_network(_value)

    def winning_move(self, side: int) -> int:
        """Return a legal move of the king onto the hill; -1 if there is none."""
        start = self.kings[side]
        for to in _STEPS[start]:
            move = to << 6 | start
            piece = self.squares[to]
            if (not piece or piece >> 3 != side) and self.mover.is_legal(side, move):
                return move
        return -1

    def value_of_end(self, side: int) -> int | None:
        kings = self.kings
        return -1 if kings[side ^ 1] in _HILL else 1 if kings[side] in _HILL else None

    def can_win(self, side: int) -> bool:
        return True


class KingOfTheHill(Variant):
    """King of the Hill."""

    name = "kingofthehill"
    title = "King of the Hill"
    looks = Looks(MEN, CHEQUERS, MOVE, rights="KQkq", marked=("d4", "e4", "d5", "e5"))
    position_class = HillPosition


GAMES = [KingOfTheHill()]
