"""Atomic chess: at a capture both pieces explode, and so do all pieces around them except pawns."""

from __future__ import annotations

from games.attacks import Attacks
from games.base import PositionError, Strength
from games.chess import NODES
from games.chess.evaluation import ChessNetwork, read_network
from games.chess.movegen import Generator
from games.chess.tables import (
    BISHOP,
    BLACK,
    EN_PASSANT,
    FROM_TO,
    KING,
    KING_LEAPS,
    KNIGHT,
    NOWHERE,
    PAWN,
    PLANNED,
    PSEUDO_ATTACKS,
    ROOK,
    colours_of,
)
from games.chess.variants import Variant
from games.chess.variants.position import VariantPosition
from games.looks import CHEQUERS, MEN, MOVE, Looks
from games.ordering import MOVE_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.attacks import KingPosition
    from games.chess.moves import Plan
    from games.chess.position import ChessPosition

_NEXT_TO = PSEUDO_ATTACKS[KING]
_KING = 4000  # centipawns of a king: boards without one of the kings are evaluated, too


class AtomicAttacks(Attacks):
    """Chess's Attacks, but a king next to the enemy king is safe."""

    def __init__(self, position: KingPosition) -> None:
        super().__init__(position)
        board, kings = position.squares, position.kings
        attacked = self.is_attacked
        illegal_in_chess = self.illegal
        checks_in_chess = self.gives_check

        def is_attacked(square: int, by: int) -> bool:
            """Is a king on the square attacked, or has it exploded?"""
            king = kings[by]
            if king == NOWHERE or square == NOWHERE:
                return square == NOWHERE
            return not _NEXT_TO[square][king] and attacked(square, by)

        def illegal(king: int, start: int, to: int, side: int, in_check: bool) -> bool:
            if _NEXT_TO[to if start == king else king][kings[side ^ 1]]:
                return False
            return illegal_in_chess(king, start, to, side, in_check)

        def gives_check(king: int, start: int, to: int, placed: int, by: int) -> bool:
            if placed & 7 != KING:
                return not _NEXT_TO[kings[by]][king] and checks_in_chess(
                    king, start, to, placed, by
                )
            if _NEXT_TO[to][king]:
                return False
            # The king may have left a square next to the enemy king.  There it kept the enemy king
            # safe from all checks.
            board[start], board[to] = 0, placed
            checked = attacked(king, by)
            board[start], board[to] = placed, 0
            return checked

        self.is_attacked = is_attacked
        self.illegal = illegal
        self.gives_check = gives_check


class AtomicGenerator(Generator):
    """The move generator: no piece may capture next to its own king."""

    def __init__(self, position: ChessPosition) -> None:
        super().__init__(position)
        board, kings = position.squares, position.kings

        def explosive(side: int, moves: list[int]) -> list[int]:
            near, out = _NEXT_TO[kings[side]], []
            for move in moves:
                to = move >> 6 & 63
                if not (board[to] or move & EN_PASSANT):
                    out.append(move)
                elif kings[side] != NOWHERE and not near[to]:
                    out.append(move | PLANNED)
            return out

        self.adapt(explosive)


class AtomicPosition(VariantPosition):
    """A position of Atomic chess."""

    attacks_class, generator_class = AtomicAttacks, AtomicGenerator
    end_reason = "the king exploded"

    def validate(self) -> None:
        if NOWHERE not in self.kings:
            super().validate()

    def barred_moves(self) -> list[tuple[int, str]]:
        reason = "the player's own king would explode or be in check"
        return [(move, reason) for move, _ in super().barred_moves()]

    def plan(self, side: int, move: int) -> Plan:
        """Return the Plan of a special move; a capture also removes the pieces around it."""
        changes, placed, captured = super().plan(side, move)
        if captured:
            board, (start, to) = self.squares, FROM_TO[move]
            around = [at for at in KING_LEAPS[to] if board[at] & 7 > PAWN and at != start]
            changes = (*changes[0], *((board[at], at) for at in around)), ()
        return changes, placed, captured

    @staticmethod
    def make_network() -> ChessNetwork:
        return read_network(
            "chess/variants/atomic.bin", lambda kind, square: _KING if kind == KING else 0
        )

    def value_of_end(self, side: int) -> int | None:
        if NOWHERE not in self.kings:
            return None
        return -1 if self.kings[side] == NOWHERE else 1

    def winning_move(self, side: int) -> int:
        """Return a capture that explodes the enemy king; -1 if there is none."""
        board = self.squares
        is_attacked = self.attacks.is_attacked
        enemy = BLACK * (side ^ 1)
        for square in KING_LEAPS[self.kings[side ^ 1]]:
            piece = board[square]
            if piece and piece & BLACK == enemy and is_attacked(square, side):
                captures = self.generator.captures(side, -1, self.occupancy())
                return next(move & MOVE_MASK for move in captures if move >> 6 & 63 == square)
        return -1

    def can_win(self, side: int) -> bool:
        """Could `side` mate the enemy king, or explode it by capturing a piece next to it?"""
        own, other = self.pieces[side], self.pieces[side ^ 1]
        if self.kings[side ^ 1] == NOWHERE or len(own) == 1:
            return self.kings[side ^ 1] == NOWHERE
        kinds = [piece & 7 for men in self.pieces for piece in men.values() if piece & 7 != KING]
        if len(other) > 1:  # bishops on squares of different colours never meet
            return {*kinds} != {BISHOP} or bool(colours_of(own, BISHOP) & colours_of(other, BISHOP))
        if {*kinds} <= {KNIGHT}:
            return len(kinds) > 2
        return len(kinds) > 1 or kinds[0] not in (BISHOP, ROOK)


class Atomic(Variant):
    """Atomic chess."""

    name = "atomic"
    title = "Atomic"
    strength = Strength(NODES, (1.55, 0.99, 0.76, 0.59, 0.44))
    position_class = AtomicPosition
    looks = Looks(MEN, CHEQUERS, MOVE, rights="KQkq", explodes=True)

    def check_board(self, board: list[int], text: str) -> None:
        """Accept a board on which one of the kings has exploded."""
        from games.chess.fen import check_pawns

        check_pawns(board, text)
        kings = board.count(KING), board.count(KING + BLACK)
        if max(kings) > 1 or not any(kings):
            raise PositionError(text, "each side must have one king, unless one has exploded")


GAMES = [Atomic()]
