"""Move generation on a board that changes in place.

board: a list of 64 pieces.  pieces: (White's {square: piece}, Black's {square: piece}).
occupancy: a bitboard of the white pieces and, 64 bits above it, the bitboard of the black pieces.

Captures and quiet moves are generated separately, because most nodes of a search end before
a quiet move is needed.  Moves are pseudo-legal: games/attacks.py finds out whether a move
leaves the mover's king in check.
"""

from __future__ import annotations

from games.chess.tables import (
    BISHOP,
    BITS,
    BLACK,
    CASTLING,
    EN_PASSANT,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    PLAIN_MOVE,
    PROMOTION_SHIFT,
    QUEEN,
    ROOK,
    SLIDER_ATTACKS,
)
from games.ordering import SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.position import ChessPosition
    from games.ordering import PieceHistory

    # A castling move: (right, square of the king, square of the rook, a bitboard of the squares
    # that must be empty, the squares that the king crosses).
    CastlingMove = tuple[int, int, int, int, tuple[int, ...]]

# MVV-LVA (most valuable victim, least valuable attacker): a capture scores VICTIM[captured piece] -
# ATTACKER[piece].  The capture of a king, possible only in quiescence, comes before all others.
VICTIM = [score * 16 * SCORE for score in (0, 1, 3, 3, 5, 9, 64, 3)] * 2
ATTACKER = [score * SCORE for score in (0, 1, 2, 3, 4, 5, 6, 6)] * 2
_QUEEN_PROMOTION = (QUEEN << PROMOTION_SHIFT) + 8 * 16 * SCORE
# Knights come first, since only they have moves that a queen lacks.
_UNDERPROMOTIONS = tuple(
    (kind << PROMOTION_SHIFT) - penalty * SCORE
    for kind, penalty in ((KNIGHT, 1 << 14), (ROOK, 1 << 15), (BISHOP, 1 << 15))
)

# For each side: (pawn, rank from which it promotes, offset of a step ahead).
_PAWNS = (PAWN, 6, 8), (PAWN + BLACK, 1, -8)


class Generator:
    """The functions that generate the moves on a board; the board may change between calls."""

    def __init__(self, position: ChessPosition) -> None:
        """Build the functions."""
        board, pieces = position.squares, position.pieces
        castling, is_attacked = position.castling.moves, position.attacks.is_attacked
        leaps, leaper_attacks = position.geometry.leaps, position.geometry.leaper_attacks
        quiet_targets, pushes = position.geometry.quiet_targets, position.geometry.pushes

        def captures(side: int, ep: int, occupancy: int) -> list[int]:
            """Return captures and promotions to a queen, each plus its ordering score.

            ep: the en passant square, -1 if there is none.
            """
            out: list[int] = []
            add = out.append
            enemy = pieces[side ^ 1]
            pawn, seventh, ahead = _PAWNS[side]
            enemy_bits = occupancy if side else occupancy >> 64
            occupied = occupancy | occupancy >> 64
            for square, piece in pieces[side].items():
                attacks = leaper_attacks[piece]
                if attacks:
                    if not attacks[square] & enemy_bits:
                        continue
                    plain = PLAIN_MOVE[square]
                    score = ATTACKER[piece]
                    if piece == pawn and square >> 3 == seventh:
                        score -= _QUEEN_PROMOTION
                        if not board[square + ahead]:
                            add(_QUEEN_PROMOTION + plain[square + ahead])
                    for to in leaps[piece][square]:
                        if to in enemy:
                            add(VICTIM[board[to]] - score + plain[to])
                else:
                    for mask, slider_attacks in SLIDER_ATTACKS[piece][square]:
                        last, _, bits = slider_attacks[occupied & mask]
                        if bits & enemy_bits:
                            plain = PLAIN_MOVE[square]
                            for to in last:
                                if to in enemy:
                                    add(VICTIM[board[to]] - ATTACKER[piece] + plain[to])
            if ep >= 0:
                for square in PAWN_ATTACKS[side ^ 1][ep]:
                    if board[square] == pawn:
                        add(VICTIM[PAWN] - ATTACKER[PAWN] + (EN_PASSANT | ep << 6 | square))
            return out

        def quiets(side: int, history: PieceHistory, occupancy: int) -> list[int]:
            """Return the moves that captures() leaves out, except castling.

            They are quiet moves and underpromotions.  The score of each is history[piece][to].
            """
            out: list[int] = []
            add = out.append
            occupied = occupancy | occupancy >> 64
            pawn, seventh, _ = _PAWNS[side]
            for square, piece in pieces[side].items():
                scores, plain = history[piece], PLAIN_MOVE[square]
                sliders = SLIDER_ATTACKS[piece]
                if sliders:
                    for mask, slider_attacks in sliders[square]:
                        last, empty, _ = slider_attacks[occupied & mask]
                        for to in empty:
                            add(scores[to] + plain[to])
                        # If a ray ends at the edge of the board, its last square may be empty, too.
                        for to in last:
                            if not board[to]:
                                add(scores[to] + plain[to])
                elif piece != pawn:
                    for to in leaps[piece][square]:
                        if not board[to]:
                            add(scores[to] + plain[to])
                elif square >> 3 == seventh:
                    out += underpromotions(side, square)
                else:
                    for to in pushes[side][square]:
                        if board[to]:
                            break
                        add(scores[to] + plain[to])
            return out

        def quiets_to(
            side: int, history: PieceHistory, occupancy: int, targets: list[int]
        ) -> list[int]:
            """Return the moves of quiets() to the squares in the bitboard targets[piece]."""
            out: list[int] = []
            add = out.append
            occupied = occupancy | occupancy >> 64
            pawn, seventh, _ = _PAWNS[side]
            for square, piece in pieces[side].items():
                wanted = targets[piece] & quiet_targets[piece][square]
                if not wanted:
                    continue
                scores, plain = history[piece], PLAIN_MOVE[square]
                sliders = SLIDER_ATTACKS[piece]
                if sliders:
                    for mask, slider_attacks in sliders[square]:
                        left = slider_attacks[occupied & mask][2] & wanted & ~occupied
                        while left:
                            to = (left & -left).bit_length() - 1
                            add(scores[to] + plain[to])
                            left &= left - 1
                elif piece != pawn:
                    for to in leaps[piece][square]:
                        if wanted & BITS[to] and not board[to]:
                            add(scores[to] + plain[to])
                elif square >> 3 == seventh:
                    out += underpromotions(side, square, wanted)
                else:
                    for to in pushes[side][square]:
                        if board[to]:
                            break
                        if wanted & BITS[to]:
                            add(scores[to] + plain[to])
            return out

        def underpromotions(side: int, square: int, wanted: int = -1) -> list[int]:
            ahead = square + _PAWNS[side][2]
            targets = [to for to in PAWN_ATTACKS[side][square] if to in pieces[side ^ 1]]
            if not board[ahead]:
                targets.append(ahead)
            return [
                promotion + (to << 6 | square)
                for to in targets
                if wanted >> to & 1
                for promotion in _UNDERPROMOTIONS
            ]

        def castling_moves(side: int, rights: int, occupancy: int) -> list[int]:
            """Return the castling moves of a king that is not in check and crosses no attack."""
            out = []
            occupied = occupancy | occupancy >> 64
            opponent = side ^ 1
            for right, king, rook, empty, way in castling[side]:
                if not rights & right or occupied & empty:
                    continue
                # The king moves before the rook, so attacks that the rook still blocks don't count.
                royal = board[king]
                board[king] = 0
                if not any([is_attacked(square, opponent) for square in way]):
                    out.append(CASTLING | rook << 6 | king)
                board[king] = royal
            return out

        self.captures, self.quiets = captures, quiets
        self.quiets_to, self.castling_moves = quiets_to, castling_moves

    def adapt(self, change: Callable[[int, list[int]], list[int]]) -> None:
        """Replace the generated moves by those that change(side, moves) returns.

        Castling moves, which are generated apart, stay as they are.
        """
        captures = self.captures
        quiets = self.quiets
        quiets_to = self.quiets_to
        self.captures = lambda side, ep, occupancy: change(side, captures(side, ep, occupancy))
        self.quiets = lambda side, history, occupancy: change(
            side, quiets(side, history, occupancy)
        )
        self.quiets_to = lambda side, history, occupancy, targets: change(
            side, quiets_to(side, history, occupancy, targets)
        )
