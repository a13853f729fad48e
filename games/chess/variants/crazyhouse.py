"""Crazyhouse: a captured piece changes sides, and may be dropped on an empty square as a move."""

from __future__ import annotations

import sys

from games.base import Strength
from games.chess.evaluation import ChessNetwork, network
from games.chess.movegen import Generator
from games.chess.tables import BLACK, DROP, FROM_TO, PAWN, PLANNED, PROMOTION_SHIFT, QUEEN, ROOK
from games.chess.variants import Variant
from games.chess.variants.hands import (
    HAND,
    MARK,
    MARKS,
    HandNetwork,
    HandPosition,
    drops,
    read_hands,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.chess.moves import Plan
    from games.types import Options, Side

# By kind: centipawns by which a piece on the board is worth less than in chess.  Captured pieces
# come back from the hand, so nobody is ahead by a queen for long.
_LESS = 0, 0, 80, 90, 190, 380, 0


class CrazyhouseGenerator(Generator):
    """The move generator: drops are quiet moves."""

    def __init__(self, position: CrazyhousePosition) -> None:
        super().__init__(position)
        board = position.squares

        def plan(side: int, moves: list[int]) -> list[int]:
            """Return the moves, with PLANNED set in captures and in moves of promoted pieces."""
            promoted = position.promoted
            return [
                move | PLANNED if board[move >> 6 & 63] or promoted >> (move & 63) & 1 else move
                for move in moves
            ]

        self.adapt(plan)
        quiets, quiets_to = self.quiets, self.quiets_to
        self.quiets = lambda side, history, occupancy: (
            quiets(side, history, occupancy) + drops(position, side, history)
        )
        self.quiets_to = lambda side, history, occupancy, targets: (
            quiets_to(side, history, occupancy, targets) + drops(position, side, history, targets)
        )


class CrazyhousePosition(HandPosition):
    """A position of Crazyhouse."""

    generator_class = CrazyhouseGenerator  # type: ignore[assignment]  # for this class only
    draw_from = sys.maxsize  # Crazyhouse has no fifty-move rule

    @staticmethod
    def make_network() -> ChessNetwork:
        return HandNetwork(network().weights, lambda kind, square: -_LESS[kind])

    def plan(self, side: int, move: int) -> Plan:
        """Return the Plan of a special move: captures fill the hand, drops come from it.

        The marks of promoted pieces move with the pieces.
        """
        promoted, hands = self.promoted, self.hand_counts
        start, to = FROM_TO[move]
        kind = move >> PROMOTION_SHIFT & 7
        own = BLACK * side
        if move & DROP == DROP:
            piece = kind + own
            count = HAND + hands[piece]
            return (((piece, count),), ((piece, count - 1), (piece, to))), piece, 0
        (gone, new), placed, captured = super().plan(side, move)
        if captured:
            mine = (PAWN if promoted >> to & 1 else captured & 7) + own
            gone += ((mine, HAND + hands[mine]),)
            new += ((mine, HAND + hands[mine] + 1),)
        gone += tuple((MARK, MARKS + at) for at in (start, to) if promoted >> at & 1)
        if kind or promoted >> start & 1:
            new += ((MARK, MARKS + to),)
        return (gone, new), placed, captured

    # ---- the end of the game ---------------------------------------------------------

    def repetitions(self) -> int:
        """Return the number of earlier occurrences of this position.

        Occurrences before a capture count, too, since drops may reverse a capture.
        """
        return [entry[-1] for entry in self.undo_stack[-2::-2]].count(self.key)

    def can_win(self, side: int) -> bool:
        """Is there material for a mate by either side?  Captured pieces may change sides."""
        hands = [piece & 7 for piece, count in enumerate(self.hand_counts) for _ in range(count)]
        kinds = hands + [piece & 7 for own in self.pieces for piece in own.values()]
        return len(kinds) > 3 or self.promoted > 0 or bool({PAWN, ROOK, QUEEN} & {*kinds})


class Crazyhouse(Variant):
    """Crazyhouse."""

    name = "crazyhouse"
    title = "Crazyhouse"
    # With drops, even a search of depth 1 takes long.
    strength = Strength((3000, 326_700), (0.8, 0.66, 0.55, 0.44, 0.34))
    position_class = CrazyhousePosition

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        board, rest = super().arrange(rows, side, rights).split(" ", 1)
        return f"{board}[{hands}] {rest}"

    def parse(self, text: str, options: Options) -> CrazyhousePosition:
        """Return the position of a FEN with the hands as `[QNp]` or `/QNp` after the board."""
        plain, counts, promoted = read_hands(text)
        position = super().parse(plain, options)
        assert isinstance(position, CrazyhousePosition)
        position.set_hands(counts, promoted)
        return position


GAMES = [Crazyhouse()]
