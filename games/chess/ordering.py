"""Move ordering: exchanges, the stages of picking (see games/ordering.py), and root moves.

Captures are ordered by the scores that games/chess/movegen.py gives them (MVV-LVA).  Static
exchange evaluation (SEE) says whether a capture loses material; games/chess/successors.py then
postpones it.  Killers and counter-moves are stored as piece << 6 | target.
"""

from __future__ import annotations

from games.chess.tables import (
    BISHOP,
    BISHOP_ATTACKS,
    BITS,
    BLACK,
    CASTLING,
    COMMONER,
    EN_PASSANT,
    FROM_TO,
    KING,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    PIECE_VALUES,
    PROMOTION_SHIFT,
    QUEEN,
    ROOK,
    ROOK_ATTACKS,
    is_castling,
)
from games.ordering import CHECK_MASK, MOVE_MASK, OCCUPANCY, QuietOrder, picker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.chess.kernel import State
    from games.chess.position import ChessPosition
    from games.ordering import NextStage, Picked, PieceHistory

    UpdateHistory = Callable[[int, int, int, list[int]], None]
    MoveStages = tuple[NextStage, UpdateHistory]
    LosesMaterial = Callable[[int, int, int, int], bool]

# Centipawns by piece; a king is worth more than any exchange can win.
VALUE = (*PIECE_VALUES[:KING], 20000, *PIECE_VALUES[COMMONER:]) * 2
# A loss below this doesn't count, so that bishop and knight are equal.
_EVEN = 20
# _SLIDERS[side]: (piece, the squares that it attacks from each square), the cheaper piece first.
_SLIDERS = [
    ((BISHOP + colour, BISHOP_ATTACKS), (ROOK + colour, ROOK_ATTACKS)) for colour in (0, BLACK)
]


def static_exchange(position: ChessPosition) -> LosesMaterial:
    """Return the function loses_material() for the board of a position."""
    board, kings = position.squares, position.kings
    geometry = position.geometry
    knight_leaps, king_attacks = geometry.leaps[KNIGHT], geometry.attacks[KING]

    def least_valuable_attacker(to: int, by: int, occupied: int) -> int:
        """Return the square of the least valuable piece of `by` that attacks `to`, or -1.

        occupied: a bitboard of the pieces that are not captured yet.  Captured pieces are still on
        `board`.
        """
        colour = BLACK if by else 0
        wanted = PAWN + colour
        for square in PAWN_ATTACKS[by ^ 1][to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        wanted = KNIGHT + colour
        for square in knight_leaps[to]:
            if board[square] == wanted and occupied & BITS[square]:
                return square
        # Remember a queen but look further, since a rook on another line would be cheaper.
        queen, queen_square = QUEEN + colour, -1
        for wanted, lines in _SLIDERS[by]:
            mask, attacks = lines[to]
            for square in attacks[occupied & mask][0]:
                piece = board[square]
                if piece == wanted or piece == queen:
                    if occupied & BITS[square]:
                        if piece == wanted:
                            return square
                        queen_square = square
        if queen_square < 0:
            square = kings[by]
            if king_attacks[square][to]:
                return square
        return queen_square

    def loses_material(start: int, to: int, side: int, occupancy: int) -> bool:
        """Does `side` lose material by a move, if both sides then capture on its target square?

        occupancy: in the form of games/chess/movegen.py.  Each side captures with its least
        valuable piece, and stops if another capture would lose more.
        """
        # The gain of the side that captures next, in centipawns, if nobody captures after it.
        balance = VALUE[board[start]] - VALUE[board[to]]
        if balance < _EVEN:
            return False
        other = side ^ 1
        # If a pawn can capture, `side` loses more than the pawn that it may then win back.
        if balance > VALUE[PAWN]:
            guard = PAWN + BLACK if other else PAWN
            for square in PAWN_ATTACKS[side][to]:
                if board[square] == guard:
                    return True
        occupied = (occupancy | occupancy >> 64) & ~BITS[start]
        lost, turn = False, other
        while True:
            square = least_valuable_attacker(to, turn, occupied)
            if square < 0:
                return lost
            piece = board[square]
            # A king can't capture a piece that is protected.
            if piece & 7 == KING and least_valuable_attacker(to, turn ^ 1, occupied) >= 0:
                return lost
            lost = not lost
            balance = VALUE[piece] - balance
            # Stop if the side that just captured stays ahead even if its piece is captured next.
            if balance < (not lost):
                return lost
            occupied ^= BITS[square]
            turn ^= 1

    return loses_material


# Added to the scores of root moves, to make them positive.
_ROOT_OFFSET = 1 << 19
# _MATE_SCORE: the score of a root move that wins the game.  _FEW_PIECES: chess looks for mate and
# stalemate only if the opponent has at most this many pieces.
_MATE_SCORE, _FEW_PIECES = 1 << 15, 4


def move_stages(position: ChessPosition, history: PieceHistory, plies: int) -> MoveStages:
    """Return the functions (next_stage, update_history) for one search.

    plies: number of plies for which killers are stored.
    update_history(depth, ply, previous, tried): see QuietOrder.reward(); tried: quiet moves.
    """
    generator = position.generator
    generate_quiets, generate_quiets_to = generator.quiets, generator.quiets_to
    generate_captures, castling_moves = generator.captures, generator.castling_moves
    board, kings = position.squares, position.kings
    occupancy_shift = position.network().occupancy_shift
    check_mask, check_squares = position.attacks.check_mask, position.geometry.check_squares
    order = QuietOrder(history, 6, plies)
    ordered, reward = order.ordered, order.reward

    def captures(state: State, picked: Picked) -> list[int]:
        _, _, _, in_check, side, acc, _, ep, _ = state
        picked[OCCUPANCY] = occupancy = acc >> occupancy_shift
        moves = generate_captures(side, ep, occupancy)
        moves.sort(reverse=True)
        if in_check:
            king = kings[side]
            picked[CHECK_MASK] = mask = check_mask(king, side)
            # The king may escape by capturing any piece; en passant may remove the checking pawn.
            moves = [
                move
                for move in moves
                if move & 63 == king or move & EN_PASSANT or mask >> (move >> 6 & 63) & 1
            ]
        return moves

    def quiets(state: State, ply: int, picked: Picked) -> list[int]:
        _, _, _, in_check, side, _, rights, _, previous = state
        if in_check:
            targets = [picked[CHECK_MASK]] * 16
            targets[KING] = targets[KING + BLACK] = -1  # the king may go to any square
            return ordered(
                ply, previous, generate_quiets_to, side, history, picked[OCCUPANCY], targets
            )
        moves = ordered(ply, previous, generate_quiets, side, history, picked[OCCUPANCY])
        return moves + castling_moves(side, rights, picked[OCCUPANCY]) if rights else moves

    def quiet_checks(state: State, ply: int, picked: Picked) -> list[int]:
        _, _, _, _, side, _, rights, _, previous = state
        tried, _, occupancy, _ = picked
        targets = check_squares[kings[side ^ 1]]
        moves = ordered(ply, previous, generate_quiets_to, side, history, occupancy, targets)
        moves = [move for move in moves if move & MOVE_MASK not in tried]
        # Castling isn't pruned with the quiet moves, so it follows here.
        return moves + castling_moves(side, rights, occupancy) if rights else moves

    def update_history(depth: int, ply: int, previous: int, tried: list[int]) -> None:
        entries = [board[move & 63] << 6 | move >> 6 & 63 for move in tried]
        reward(depth, ply, previous, entries)

    return picker(captures, quiets, quiet_checks), update_history


def root_scores(position: ChessPosition, moves: Sequence[int]) -> list[int]:
    """Return a positive number for each root move, higher for better ones, without a search.

    The number is the evaluation after the move minus the material that the opponent can then win,
    in centipawns, plus 2**19.  A move that ends the game is scored by the result, since the move
    with the highest number is played if there is no time to search.  Chess looks for such moves
    only if the opponent has few pieces; variants always do.
    """
    net = position.network()
    pieces = position.pieces
    side = position.side
    loses_material, occupancy = position.exchange(), position.occupancy()
    ends = not position.knows_endgames or len(pieces[side ^ 1]) <= _FEW_PIECES

    def judged() -> int:
        return -net.score(position.accumulator(), side ^ 1)

    unmoved, out = judged(), []  # castling is scored with the evaluation before the move
    for move in moves:
        loss = 0 if move & CASTLING else _loss(position, move, loses_material, occupancy)
        position.make(move)
        outcome = position.outcome() if ends else None
        if outcome is None:
            score = unmoved if is_castling(move) else judged() - loss
        else:
            score = max(-_MATE_SCORE, min(-position.value_of(outcome), _MATE_SCORE))
        out.append(_ROOT_OFFSET + score)
        position.undo()
    return out


def _loss(position: ChessPosition, move: int, loses_material: LosesMaterial, occupancy: int) -> int:
    """Return the material that the opponent can win by capturing the piece that `move` moves."""
    board = position.squares
    side = position.side
    start, to = FROM_TO[move]
    kind = move >> PROMOTION_SHIFT & 7
    placed = kind or board[start]
    if loses_material(start, to, side, occupancy):
        return VALUE[placed] - VALUE[board[to]]
    if kind and position.attacks.is_attacked(to, side ^ 1):
        return VALUE[placed] - VALUE[PAWN]
    return 0
