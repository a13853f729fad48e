"""The position of a variant: as in chess, except for the ends of the game and the evaluation."""

from __future__ import annotations

from games.base import Outcome
from games.chess.evaluation import ChessNetwork, network, zero_weights
from games.chess.position import ChessPosition
from games.chess.tables import DOUBLE_STEPS, ChessGeometry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.chess.evaluation import Value
    from games.geometry import Leaps
    from games.types import Options


def chess_network(value: Value) -> ChessNetwork:
    """Return chess's network with piece values added.

    value(kind, square): centipawns to add for a white piece.
    """
    return ChessNetwork(network().weights, value)


def plain_network(value: Value) -> ChessNetwork:
    """Return a network that only adds up piece values.

    value(kind, square): centipawns of a white piece.
    """
    return ChessNetwork(zero_weights(), value)


class VariantPosition(ChessPosition):
    """A position of a variant.  Subclasses override what differs from chess."""

    knows_endgames = False
    # The leaps that differ from chess: {KNIGHT or KING: leaps}.
    leaps: Mapping[int, Leaps] = {}
    # The ranks, from 0, from which White's pawns, and Black's, can advance two squares.
    double_steps: Sequence[Sequence[int]] = DOUBLE_STEPS
    # The reason for an Outcome by the variant's own rule.
    end_reason = ""

    def __init_subclass__(cls) -> None:
        if {"leaps", "double_steps"} & vars(cls).keys():
            cls.geometry = ChessGeometry(cls.leaps, cls.double_steps)

    def extra(self) -> int:
        """Return the part of the accumulator for checks given or pieces in hand."""
        return 0

    def accumulator(self, captures: int = 0) -> int:
        return super().accumulator(captures) + self.extra()

    # ---- the end of the game ---------------------------------------------------------

    def value_of_end(self, side: int) -> int | None:
        """Return the result by the variant's own rule for `side`, the side to move.

        1: a win, -1: a loss, 0: a draw; None while the game goes on.
        """
        return None

    def winning_move(self, side: int) -> int:
        """Return a move of `side` that wins at once by the variant's rule; -1 if none is found.

        The method must be fast, since the search calls it at every node.
        """
        return -1

    def ended(self) -> Outcome | None:
        """Return the Outcome of a game that has ended by the variant's own rule, else None."""
        value = self.value_of_end(self.side)
        if value is None:
            return None
        return Outcome((None, self.side, self.side ^ 1)[value], self.end_reason)

    def playable_moves(self) -> list[int]:
        return [] if self.value_of_end(self.side) is not None else super().playable_moves()

    def moves_to(self, to: int, letter: str) -> list[int]:
        return [] if self.value_of_end(self.side) is not None else super().moves_to(to, letter)

    def outcome(self) -> Outcome | None:
        return self.ended() or super().outcome()

    def decided(self) -> bool:
        if self.value_of_end(self.side):
            return True
        return not self.playable_moves() and self.outcome_without_moves().winner is not None

    def final_value(self) -> int | None:
        ended = self.ended()
        return super().final_value() if ended is None else self.value_of(ended)

    # ---- knowledge -------------------------------------------------------------------

    def evaluation_terms(self) -> list[tuple[str, int]]:
        net = self.network()
        board = net.score(super().accumulator(), self.side) - net.tempo
        whole = net.score(self.accumulator(), self.side)
        terms = [("Placement", board), ("Right to move", net.tempo)]
        return terms + ([("Variant", whole - board - net.tempo)] if self.extra() else [])

    def book_moves(self, options: Options) -> list[tuple[int, int]]:
        return []
