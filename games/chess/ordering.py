"""Move ordering: exchanges, the stages of picking, killers, counter-moves, history, root moves.

Moves are picked in stages, each generated only if the stage before it caused no cutoff: the table's
move, captures, quiet moves (or, if quiet moves are pruned, those that give check), captures that
lose material.  Static exchange evaluation (SEE) says whether a capture does.

The history of a move is stored by its piece and target square, as a multiple of SCORE so
that move generation can add it to the move.  Killers and counter-moves are stored as
piece << 6 | target.
"""

from __future__ import annotations

from games.chess.movegen import SCORE, evasion_targets, evasions, without
from games.chess.tables import (
    BISHOP,
    BISHOP_ATTACKS,
    BITS,
    BLACK,
    CASTLING,
    COMMONER,
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from games.chess.kernel import State
    from games.chess.movegen import History
    from games.chess.position import ChessPosition

    # What is known of a node's moves: [quiet moves that were tried, captures that lose material,
    # occupancy, check mask or None].  Its successors fill the two lists, next_stage() the rest.
    Picked = list[Any]
    # next_stage(stage, state, ply, pruned, picked): see move_stages().
    NextStage = Callable[[int, State, int, bool, Picked], tuple[int, Sequence[int]]]
    UpdateHistory = Callable[[int, int, int, list[int]], None]
    MoveStages = tuple[NextStage, UpdateHistory]
    LosesMaterial = Callable[[int, int, int, int], bool]

# The stages.  CHECKS: quiet moves that may give check, if the other quiet moves are pruned.
TABLE_MOVE, CAPTURES, QUIETS, CHECKS, BAD_CAPTURES, DONE = range(6)
# Indices of Picked.
QUIETS_TRIED, LOSING, OCCUPANCY, CHECK_MASK = range(4)

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
        # Remember a queen but look further: a rook on another line would be cheaper.
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
        # The material won by the side to capture next, if it recaptures.
        balance = VALUE[board[start]] - VALUE[board[to]]
        if balance < _EVEN:
            return False
        other = side ^ 1
        # If a pawn recaptures, more than a pawn is lost whatever follows.
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


_HISTORY_LIMIT = 1 << 13  # history scores lie between -limit and limit
# A move that causes a cutoff gets a bonus of _BONUS times depth squared.  The quiet moves tried
# before it lose _MALUS times that bonus.
_BONUS, _MAX_BONUS = 17, 1400
_MALUS = 1.25
# Added to the history of the first killer, the second killer and the counter-move.
_KILLER_1, _KILLER_2, _COUNTER_MOVE = (bonus * SCORE for bonus in (1 << 16, 1 << 15, 1 << 14))

# Added to the scores of root moves, to make them positive.
_ROOT_OFFSET = 1 << 19
# _MATE_SCORE: the score of a root move that wins the game.  _FEW_PIECES: chess looks for mate and
# stalemate only if the opponent has at most this many pieces.
_MATE_SCORE, _FEW_PIECES = 1 << 15, 4


def new_history() -> History:
    """Return a history in which no move has caused a cutoff."""
    return [[0] * 64 for _ in range(16)]


def move_stages(position: ChessPosition, history: History, plies: int) -> MoveStages:
    """Return the functions (next_stage, update_history) for one search.

    plies: number of plies for which killers are stored.
    """
    generate_captures, generate_quiets = position.generator.captures, position.generator.quiets
    generate_quiets_to, castling_moves = (
        position.generator.quiets_to,
        position.generator.castling_moves,
    )
    board, kings = position.squares, position.kings
    occupancy_shift = position.network().occupancy_shift
    check_mask, check_squares = position.attacks.check_mask, position.geometry.check_squares
    killers = [[0, 0] for _ in range(plies)]
    counter_moves = [0] * 1024  # by previous move: the last reply that caused a cutoff

    def ordered_quiets(
        side: int, ply: int, previous: int, occupancy: int, targets: list[int] | None = None
    ) -> list[int]:
        """Return the quiet moves, by default to all squares, else to those in targets[piece].

        The killers come first, then the counter-move, then the others by history.
        """
        one, two = killers[ply]
        three = counter_moves[previous]
        # Raise three history scores for a moment: that is cheaper than examining every move.
        history[one >> 6][one & 63] += _KILLER_1
        history[two >> 6][two & 63] += _KILLER_2
        history[three >> 6][three & 63] += _COUNTER_MOVE
        if targets:
            moves = generate_quiets_to(side, history, occupancy, targets)
        else:
            moves = generate_quiets(side, history, occupancy)
        history[one >> 6][one & 63] -= _KILLER_1
        history[two >> 6][two & 63] -= _KILLER_2
        history[three >> 6][three & 63] -= _COUNTER_MOVE
        moves.sort(reverse=True)
        return moves

    def next_stage(
        stage: int, state: State, ply: int, pruned: bool, picked: Picked
    ) -> tuple[int, Sequence[int]]:
        """Return the stage after `stage`, and its moves, best first; DONE after the last.

        pruned: are quiet moves pruned?  Then only those that may give a direct check are picked.
        In check, only moves that may end the check are.
        """
        _, _, _, in_check, side, acc, rights, ep, previous = state
        if stage == TABLE_MOVE:
            picked[OCCUPANCY] = occupancy = acc >> occupancy_shift
            moves = generate_captures(side, ep, occupancy)
            moves.sort(reverse=True)
            if in_check:
                king = kings[side]
                picked[CHECK_MASK] = mask = check_mask(king, side)
                moves = evasions(moves, king, mask)
            return CAPTURES, moves
        _, losing, occupancy, mask = picked
        if stage == CAPTURES:
            if pruned:
                return QUIETS, ()
            if mask is not None:
                targets = evasion_targets(mask)
                return QUIETS, ordered_quiets(side, ply, previous, occupancy, targets)
            moves = ordered_quiets(side, ply, previous, occupancy)
            return QUIETS, moves + castling_moves(side, rights, occupancy) if rights else moves
        if stage == QUIETS and pruned:
            targets = check_squares[kings[side ^ 1]]
            moves = ordered_quiets(side, ply, previous, occupancy, targets)
            moves = without(moves, picked[QUIETS_TRIED])
            return CHECKS, moves + castling_moves(side, rights, occupancy) if rights else moves
        return (BAD_CAPTURES, losing) if losing and stage < BAD_CAPTURES else (DONE, ())

    def update_history(depth: int, ply: int, previous: int, tried: list[int]) -> None:
        """Reward the last of the quiet moves tried, which caused a cutoff; penalise the others."""
        entries = [board[move & 63] << 6 | move >> 6 & 63 for move in tried]
        best, killer = entries[-1], killers[ply]
        if killer[0] != best:
            killer[1] = killer[0]
            killer[0] = best
        counter_moves[previous] = best
        bonus = min(depth * depth * _BONUS, _MAX_BONUS)
        malus = int(_MALUS * bonus)
        for entry in entries:
            scores = history[entry >> 6]
            old = scores[entry & 63] >> 20
            change = bonus if entry == best else -malus
            # "Gravity": the larger the history, the less it grows.
            scores[entry & 63] = old + change - old * abs(change) // _HISTORY_LIMIT << 20

    return next_stage, update_history


def root_scores(position: ChessPosition, moves: Sequence[int]) -> list[int]:
    """Return a positive number for each root move, higher for better ones, without a search.

    It is the evaluation after the move minus what the opponent can then capture, in
    centipawns plus 2**19.  If there is no time to search, the move with the highest number is
    played.  So a move that ends the game is scored by the result.  Chess looks for such moves only
    if the opponent has few pieces; variants always do.
    """
    net = position.network()
    pieces = position.pieces
    side = position.side
    loses_material, occupancy = position.exchange(), position.occupancy()
    ends = not position.knows_endgames or len(pieces[side ^ 1]) <= _FEW_PIECES

    def judged() -> int:
        return -net.score(position.add_up(pieces, net.table(pieces)), side ^ 1)

    unmoved, out = judged(), []  # castling is scored with the evaluation before the move
    for move in moves:
        loss = 0 if move & CASTLING else _loss(position, move, loses_material, occupancy)
        position.make(move)
        outcome = position.outcome() if ends else None
        if outcome is None:
            score = unmoved if is_castling(move) else judged() - loss
        else:
            score = -_MATE_SCORE if outcome.winner == position.side else _MATE_SCORE
            score = 0 if outcome.winner is None else score
        out.append(_ROOT_OFFSET + score)
        position.undo()
    return out


def _loss(position: ChessPosition, move: int, loses_material: LosesMaterial, occupancy: int) -> int:
    """Return the material that the opponent can win by capturing the piece that `move` moves."""
    board = position.squares
    side = position.side
    (start, to) = FROM_TO[move]
    kind = move >> PROMOTION_SHIFT & 7
    placed = kind or board[start]
    if loses_material(start, to, side, occupancy):
        return VALUE[placed] - VALUE[board[to]]
    if kind and position.attacks.is_attacked(to, side ^ 1):
        return VALUE[placed] - VALUE[PAWN]
    return 0
