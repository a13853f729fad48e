"""Horde: White has 36 pawns and no king; White wins by mate, Black by capturing everything."""

from __future__ import annotations

from games.base import Strength
from games.chess import NODES
from games.chess.evaluation import ChessNetwork, read_network
from games.chess.tables import BISHOP, BLACK, KING, PAWN, QUEEN
from games.chess.variants import Variant
from games.chess.variants.position import VariantPosition
from games.looks import CHEQUERS, MEN, MOVE, Looks


class HordePosition(VariantPosition):
    """A position of Horde."""

    double_steps = (0, 1), (6,)
    end_reason = "the horde is captured"

    @staticmethod
    def make_network() -> ChessNetwork:
        return read_network("chess/variants/horde.bin")

    def can_win(self, side: int) -> bool:
        white, black = map(_Men, self.pieces)
        return bool(side) or _horde_mates(white, black)

    def value_of_end(self, side: int) -> int | None:
        return None if self.pieces[0] else 1 if side else -1


class _Men:
    """The numbers of a side's pieces: in total, by kind, and bishops by their squares' colour."""

    def __init__(self, pieces: dict[int, int]) -> None:
        kinds = [piece & 7 for piece in pieces.values()]
        self.all = len(kinds)
        self.pawns, self.knights, self.bishops, self.rooks, self.queens = (
            kinds.count(kind) for kind in range(PAWN, QUEEN + 1)
        )
        bishops = [square for square, piece in pieces.items() if piece & 7 == BISHOP]
        self.light = sum((square ^ square >> 3) & 1 for square in bishops)
        self.dark = self.bishops - self.light


def _horde_mates(horde: _Men, black: _Men) -> bool:
    """Could the horde mate with the help of Black's own pieces?

    The cases are those of github.com/stevepapazis/horde-insufficient-material-tests.
    """
    count = horde.all - horde.bishops + min(horde.dark, 2) + min(horde.light, 2)
    # The number of Black's bishops on squares of the colour that the horde's bishop can't reach.
    other = black.dark if horde.light else black.light
    not_same = black.all - black.bishops + other
    if count >= 4 or count >= 2 and (horde.pawns or horde.queens):
        return True
    if count >= 2 and horde.rooks:
        return not (count == 2 and horde.rooks == horde.bishops == 1 and not_same == 1)
    if count == 1:
        return black.all > 1 and _one_mates(horde, black, other)
    if count == 2:
        return black.all > 1 and _two_mate(horde, black, other, not_same)
    pair = horde.light and horde.dark
    return count == 3 and bool(horde.knights > 1 or pair or black.all > 1)


def _one_mates(horde: _Men, black: _Men, other: int) -> bool:
    by_queen = bool(black.pawns or black.rooks or max(black.light, black.dark) > 1)
    kinds = sum(map(bool, (black.pawns, black.knights, black.bishops, black.rooks)))
    by_knight = (
        black.all > 3
        and (black.knights > 1 or black.pawns > 1 or kinds > 1)
        and all(one < 2 or black.all - one > 2 for one in (black.dark, black.light))
    )
    if horde.queens:
        return by_queen
    if horde.rooks:
        return black.pawns > 1 or sum(map(bool, (black.pawns, black.knights, black.rooks))) > 1
    if horde.bishops:
        return other + black.pawns > 1
    return by_queen and bool(horde.pawns) or by_knight


def _two_mate(horde: _Men, black: _Men, other: int, not_same: int) -> bool:
    if horde.knights == 2:
        return bool(black.pawns or black.bishops or black.knights)
    if horde.light and horde.dark:
        return bool(black.pawns or black.bishops or black.knights and (black.rooks or black.queens))
    if horde.knights:
        return bool(black.pawns or other) or not_same > 2
    return black.pawns + black.knights + other > 1


class Horde(Variant):
    """Horde: White's 36 pawns, without a king, against Black's usual pieces."""

    name = "horde"
    title = "Horde"
    strength = Strength(NODES, (3.0, 0.95, 0.59, 0.38, 0.27))
    start_text = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
    symmetries = ()
    looks = Looks(MEN, CHEQUERS, MOVE, rights="kq")
    position_class = HordePosition

    def check_board(self, board: list[int], text: str) -> None:
        """Raise PositionError if White has a king; accept white pawns on the first rank."""
        from games.base import PositionError
        from games.chess.fen import check_kings, check_pawns

        if KING in board:
            raise PositionError(text, "White has the horde, so it can't have a king")
        check_kings(board, text, (KING + BLACK,))
        check_pawns(board, text, range(56, 64))
        if PAWN + BLACK in board[:8]:
            raise PositionError(text, "a black pawn can't stand on the first rank")


GAMES = [Horde()]
