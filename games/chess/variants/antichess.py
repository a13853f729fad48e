"""Antichess: captures are forced, kings can be captured, and the side without a move wins.

Giveaway and Suicide are variants of Antichess.
"""

from __future__ import annotations

from games.attacks import Attacks
from games.base import WIN, Outcome, PositionError, Strength
from games.chess import NODES, START_FEN
from games.chess.evaluation import ChessNetwork
from games.chess.movegen import Generator
from games.chess.tables import (
    BISHOP,
    BLACK,
    COMMONER,
    EN_PASSANT,
    KING,
    KNIGHT,
    PROMOTION_SHIFT,
    QUEEN,
    ROOK,
    colours_of,
)
from games.chess.variants import Variant
from games.chess.variants.kernel import variant_kernel
from games.chess.variants.position import VariantPosition, plain_network
from games.kernel import NEVER
from games.looks import CHEQUERS, MEN, MOVE, Looks
from games.ordering import CAPTURES, MOVE_MASK, OCCUPANCY, QUIETS, SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.attacks import KingPosition
    from games.base import Position
    from games.chess.kernel import State
    from games.chess.ordering import LosesMaterial, MoveStages
    from games.chess.position import ChessPosition
    from games.kernel import Kernel
    from games.ordering import Picked, PieceHistory
    from games.types import Context, Tree

# Centipawns of PNBRQK, below 0 since it is better to have fewer pieces.
_VALUES = -110, -60, -130, -210, -170, -40
# After this number of forced captures beyond the horizon, a capture is searched only if no other
# capture is legal.
_MAX_LEVEL = 4
# Added to a promotion to a queen, each of these numbers makes it a promotion to another piece.
_OTHER_PROMOTIONS = [
    (kind << PROMOTION_SHIFT) - (QUEEN << PROMOTION_SHIFT) - SCORE
    for kind in (KNIGHT, BISHOP, ROOK, COMMONER)
]


def _with_promotions(moves: list[int]) -> list[int]:
    """Return the moves with underpromotions added, given moves that promote only to queens."""
    pawns = [move for move in moves if move >> PROMOTION_SHIFT & 7]
    return moves + [move + change for move in pawns for change in _OTHER_PROMOTIONS]


class AntichessGenerator(Generator):
    """The move generator: promotions without a capture count as quiet moves here."""

    def __init__(self, position: ChessPosition) -> None:
        super().__init__(position)
        board = position.squares
        captures_of_chess = self.captures
        quiets_of_chess = self.quiets

        def captures(side: int, ep: int, occupancy: int) -> list[int]:
            moves = [
                move
                for move in captures_of_chess(side, ep, occupancy)
                if board[move >> 6 & 63] or move & EN_PASSANT
            ]
            return _with_promotions(moves)

        def quiets(side: int, history: PieceHistory, occupancy: int) -> list[int]:
            moves = [
                move
                for move in quiets_of_chess(side, history, occupancy)
                if not move >> PROMOTION_SHIFT & 7
            ]
            queens = [
                move for move in captures_of_chess(side, -1, occupancy) if not board[move >> 6 & 63]
            ]
            return moves + _with_promotions(queens)

        def quiets_to(
            side: int, history: PieceHistory, occupancy: int, targets: list[int]
        ) -> list[int]:
            moves = quiets(side, history, occupancy)
            return [move for move in moves if targets[board[move & 63]] >> (move >> 6 & 63) & 1]

        self.captures = captures
        self.quiets = quiets
        self.quiets_to = quiets_to


class UncheckedAttacks(Attacks):
    """Chess's Attacks on a board without kings, where no attack forbids castling."""

    def __init__(self, position: KingPosition) -> None:
        super().__init__(position)
        self.is_attacked = lambda square, by: False


class AntichessPosition(VariantPosition):
    """A position of Antichess."""

    cuts_unmade = False
    generator_class = AntichessGenerator
    end_reason = "no pieces left"

    @staticmethod
    def make_network() -> ChessNetwork:
        return plain_network(lambda kind, square: _VALUES[kind - 1])

    def captures(self) -> list[int]:
        """Return the captures; if there are any, one must be made."""
        captures = self.generator.captures(self.side, self.ep, self.occupancy())
        return [move & MOVE_MASK for move in captures]

    def _pseudo_legal_moves(self) -> list[int]:
        return self.captures() or super()._pseudo_legal_moves()

    def barred_moves(self) -> list[tuple[int, str]]:
        captures = self.captures()
        moves = super()._pseudo_legal_moves() if captures else []
        return [(move, "a capture is forced") for move in moves if move not in captures]

    def value_of_end(self, side: int) -> int | None:
        return 1 if not self.pieces[side] else None if self.pieces[side ^ 1] else -1

    def value_without_moves(self, side: int) -> int:
        """Return the result for `side`, which has no legal move: 1 win, 0 draw, -1 loss."""
        return 1

    def outcome_without_moves(self) -> Outcome:
        winner = None, self.side, self.side ^ 1
        return Outcome(winner[self.value_without_moves(self.side)], "no moves left")

    def can_win(self, side: int) -> bool:
        """Could `side` win?  Bishops on squares of different colours never meet."""
        own, other = self.pieces[side], self.pieces[side ^ 1]
        kinds = {piece & 7 for men in self.pieces for piece in men.values()}
        if not own or not other:
            return not own
        if kinds == {BISHOP}:
            return colours_of(own, BISHOP) <= colours_of(other, BISHOP)
        if kinds == {KNIGHT} and len(own) == len(other) == 1:
            meet = colours_of(own, KNIGHT) == colours_of(other, KNIGHT)
            return (self.side == side) == meet
        return True

    def exchange(self) -> LosesMaterial:
        return lambda start, to, side, occupancy: False

    def stages(self, history: PieceHistory, plies: int) -> MoveStages:
        next_of_chess, update_history = super().stages(history, plies)
        forced = self.generator.captures

        def next_stage(
            stage: int, state: State, ply: int, pruned: bool, picked: Picked
        ) -> tuple[int, Sequence[int]]:
            if stage == CAPTURES and forced(state[4], state[7], picked[OCCUPANCY]):
                return QUIETS, ()
            # No move gives check.
            return next_of_chess(stage, state, ply, pruned and stage < QUIETS, picked)

        return next_stage, update_history


class Antichess(Variant):
    """Antichess."""

    name = "antichess"
    title = "Antichess"
    strength = Strength(NODES, (0.67, 0.54, 0.43, 0.34, 0.26))
    start_text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    looks = Looks(MEN, CHEQUERS, MOVE)
    position_class: type[AntichessPosition] = AntichessPosition

    def check_board(self, board: list[int], text: str) -> None:
        """Replace kings with commoners.

        Raise PositionError if the board is empty or a pawn is misplaced.
        """
        from games.chess.fen import check_pawns

        check_pawns(board, text)
        if not any(board):
            raise PositionError(text, "the board is empty")
        for square, piece in enumerate(board):
            if piece & 7 == KING:
                board[square] = COMMONER + (piece & BLACK)

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        assert isinstance(position, AntichessPosition)
        forced, shift = position.generator.captures, position.network().occupancy_shift

        level = [0]  # the number of forced captures made beyond the horizon

        def quiesce(state: State, alpha: int, beta: int, ply: int) -> int:
            level[0] += 1
            score = tree.search(state, 0, alpha, beta, ply, False)
            level[0] -= 1
            return score

        def frontier(
            state: State, depth: int, alpha: int, beta: int, ply: int, static: int, table_depth: int
        ) -> int | None:
            """Return the evaluation, or None to search on because a capture is forced.

            Beyond _MAX_LEVEL, a capture is searched only if no other capture is legal.
            """
            count = len(forced(state[4], state[7], state[5] >> shift))
            return None if count == 1 or count and level[0] <= _MAX_LEVEL else state[1]

        kernel = variant_kernel(position, context, tree, lambda chess: quiesce)
        kernel.frontier, kernel.frontier_depth = frontier, 0
        kernel.no_moves = lambda state, ply: position.value_without_moves(state[4]) * (WIN - ply)
        kernel.reverse_futility_depth, kernel.null_move_from = -NEVER, NEVER
        return kernel


class GiveawayPosition(AntichessPosition):
    """A position of Giveaway."""

    castles = COMMONER
    attacks_class = UncheckedAttacks


class Giveaway(Antichess):
    """Giveaway chess, ICC's wild 26: Antichess with castling, even through attacked squares."""

    name = "giveaway"
    title = "Giveaway"
    start_text = START_FEN
    looks = Looks(MEN, CHEQUERS, MOVE, rights="KQkq")
    position_class = GiveawayPosition


class SuicidePosition(AntichessPosition):
    """A position of Suicide."""

    def value_without_moves(self, side: int) -> int:
        own, other = len(self.pieces[side]), len(self.pieces[side ^ 1])
        return (own < other) - (own > other)


class Suicide(Antichess):
    """Suicide chess by FICS's rules: if a side can't move, the side with fewer pieces wins."""

    name = "suicide"
    title = "Suicide"
    position_class = SuicidePosition


GAMES = [Antichess(), Giveaway(), Suicide()]
