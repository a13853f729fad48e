"""Knightmate: the king leaps as a knight; commoners (N), which step as kings do, replace the knights."""

from games.chess.tables import KING, KING_LEAPS, KNIGHT, KNIGHT_LEAPS
from games.chess.variants import Variant
from games.chess.variants.position import VariantPosition


class KnightmatePosition(VariantPosition):
    leaps = {KING: KNIGHT_LEAPS, KNIGHT: KING_LEAPS}

    def can_win(self, side):
        return len(self.pieces[side]) > 1


class Knightmate(Variant):
    name = "knightmate"
    title = "Knightmate"
    position_class = KnightmatePosition


GAMES = [Knightmate()]
