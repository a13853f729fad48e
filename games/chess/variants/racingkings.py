"""Racing Kings: the first king on the last rank wins, and no move may give check."""

from __future__ import annotations

from games.base import Outcome, PositionError, Strength
from games.chess import NODES
from games.chess.evaluation import ChessNetwork, zero_weights
from games.chess.movegen import Generator
from games.chess.tables import BLACK, FROM_TO, KING, KING_LEAPS, PAWN, PSEUDO_ATTACKS, RAY_THROUGH
from games.chess.variants import Variant
from games.chess.variants.position import VariantPosition
from games.looks import CHEQUERS, MEN, MOVE, Looks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

_LAST_RANK = range(56, 64)
# Centipawns, learned by scripts/lab/variant_terms.py.  _VALUES: of each kind of piece (PNBRQK).
# _RACE: of a king on each rank.  What other pieces gain: _CENTRE for each file nearer the centre,
# _RANK for each rank higher.
_VALUES = 0, 135, 242, 520, 716, 0
_RACE = 0, -122, 121, 375, 622, 934, 1206, 3000
_CENTRE, _RANK = 25, 9


def _value(kind: int, square: int) -> float:
    file, rank = square & 7, square >> 3
    if kind == KING:
        return _RACE[rank]
    return _VALUES[kind - 1] + _CENTRE * min(file, 7 - file) + _RANK * rank


class RacingNetwork(ChessNetwork):
    """A network that doesn't turn the board for Black, since both sides race the same way."""

    turn = 0


class RacingGenerator(Generator):
    """The move generator: moves that give check are left out."""

    def __init__(self, position: ChessPosition) -> None:
        super().__init__(position)
        board = position.squares
        kings = position.kings
        gives_check = position.attacks.gives_check

        def silent(side: int, moves: list[int]) -> list[int]:
            king = kings[side ^ 1]
            rays, out = RAY_THROUGH[king], []
            for entry in moves:
                start, to = FROM_TO[entry & 4095]
                piece = board[start]
                near = PSEUDO_ATTACKS[piece][to][king] or rays[start]
                # Captures of the king are kept: quiescence search needs them to refute illegal
                # moves.
                if to == king or not (near and gives_check(king, start, to, piece, side)):
                    out.append(entry)
            return out

        self.adapt(silent)


class RacingPosition(VariantPosition):
    """A position of Racing Kings."""

    generator_class = RacingGenerator
    end_reason = "king on the last rank"

    def barred_moves(self) -> list[tuple[int, str]]:
        return [(move, "neither king may be in check") for move, _ in super().barred_moves()]

    @staticmethod
    def make_network() -> ChessNetwork:
        return RacingNetwork(zero_weights(), _value)

    def validate(self) -> None:
        super().validate()
        if self.in_check():
            raise PositionError(self.text(), "no king may be in check in Racing Kings")

    def ended(self) -> Outcome | None:
        ended = super().ended()
        if ended is not None and ended.winner is None:
            return Outcome(None, "both kings on the last rank")
        return ended

    def value_of_end(self, side: int) -> int | None:
        white, black = (king in _LAST_RANK for king in self.kings)
        if not (white or black):
            return None
        if white and black:
            return 0
        if side and white and self._can_follow():
            return None
        return 1 if black == side else -1

    def _can_follow(self) -> bool:
        """Can Black, who is to move, also reach the last rank with the king, and so draw?"""
        return any(
            to in _LAST_RANK
            and not (self.squares[to] and self.squares[to] & BLACK)
            and not self.attacks.is_attacked(to, 0)
            for to in KING_LEAPS[self.kings[1]]
        )

    def can_win(self, side: int) -> bool:
        return True


class RacingKings(Variant):
    """Racing Kings."""

    name = "racingkings"
    title = "Racing Kings"
    strength = Strength(NODES, (1.42, 1.05, 0.72, 0.45, 0.24))
    start_text = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
    symmetries = ()
    looks = Looks(MEN, CHEQUERS, MOVE, marked=[f"{file}8" for file in "abcdefgh"])
    position_class = RacingPosition

    def check_board(self, board: list[int], text: str) -> None:
        super().check_board(board, text)
        if PAWN in board or PAWN + BLACK in board:
            raise PositionError(text, "there are no pawns in Racing Kings")


GAMES = [RacingKings()]
