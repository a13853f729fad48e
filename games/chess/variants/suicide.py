"""Suicide: Antichess as FICS has it; the side with fewer pieces wins if no move is left."""

from __future__ import annotations

from games.chess.variants.antichess import Antichess, AntichessPosition


class SuicidePosition(AntichessPosition):
    """A position: without a legal move, the side with fewer pieces wins."""

    def value_without_moves(self, side: int) -> int:
        own, other = len(self.pieces[side]), len(self.pieces[side ^ 1])
        return (own < other) - (own > other)


class Suicide(Antichess):
    """Suicide chess."""

    name = "suicide"
    title = "Suicide"
    position_class = SuicidePosition


GAMES = [Suicide()]
