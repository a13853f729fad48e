"""Suicide: Antichess by the rules of FICS; if no move is left, the side with fewer pieces wins."""

from __future__ import annotations

from games.chess.variants.antichess import Antichess, AntichessPosition


class SuicidePosition(AntichessPosition):
    """A position of Suicide."""

    def value_without_moves(self, side: int) -> int:
        own, other = len(self.pieces[side]), len(self.pieces[side ^ 1])
        return (own < other) - (own > other)


class Suicide(Antichess):
    """Suicide chess."""

    name = "suicide"
    title = "Suicide"
    position_class = SuicidePosition


GAMES = [Suicide()]
