"""Move ordering: exchanges, killers, counter-moves and history, and root moves.

The history of a move is stored by its piece and target square, as a multiple of SCORE so that move
generation can add it to the move.  Killers and counter-moves are stored as piece << 7 | target.
"""

from __future__ import annotations

from games.data import Lazy
from games.geometry import bitboard
from games.shogi.evaluation import network_of
from games.shogi.movegen import EXCHANGED, SCORE
from games.shogi.tables import (
    DROP,
    FROM_TO,
    FROM_TO_MASK,
    KING,
    KNIGHT,
    MOVE_MASK,
    PAWN,
    PIECES,
    PROMOTED,
    TO_SHIFT,
    WHITE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.shogi.movegen import History
    from games.shogi.position import ShogiPosition

    LosesMaterial = Callable[[int, int, int, int], bool]

_NEAR_DEPTH = 3  # up to this depth, pieces other than pawns are dropped only near the kings
_EVEN = 60  # a loss below this doesn't count
_HISTORY_LIMIT = 1 << 13  # history scores lie between -limit and limit
# A move that causes a cutoff gets a bonus of _BONUS times depth squared.  The quiet moves tried
# before it lose _MALUS times that bonus.
_BONUS, _MAX_BONUS, _MALUS = 17, 1400, 1.25
# Added to the history of the first killer, the second killer and the counter-move.
_KILLER_1, _KILLER_2, _COUNTER_MOVE = (bonus * SCORE for bonus in (1 << 16, 1 << 15, 1 << 14))
_ROOT_OFFSET = 1 << 19  # added to the scores of root moves, to make them positive


def static_exchange(position: ShogiPosition) -> LosesMaterial:
    """Return loses_material(piece, start, to, side) for the board of a position."""
    board, geometry = position.squares, position.geometry
    jumps, jumpers = geometry.jumps, geometry.jumpers
    black, white = geometry.lines

    def loses_material(piece: int, start: int, to: int, side: int) -> bool:
        """Does `side` lose material by a move, if both sides then capture on its target square?

        Each side captures with its least valuable piece, and stops if another capture would lose
        more.  What captures bring into the hand counts.  start: the square that the piece leaves,
        or one off the board.
        """
        balance = EXCHANGED[piece] - EXCHANGED[board[to]]
        if balance < _EVEN:
            return False
        attackers: tuple[list[int], list[int]] = [], []
        for (near, far, first, rest), (near_white, far_white, _, _) in zip(black[to], white[to]):
            reach = near, near_white
            for at in (first, *rest):
                other = board[at]
                if other and at != start:
                    if not reach[other >> 4][other]:
                        break
                    attackers[other >> 4].append(EXCHANGED[other])
                reach = far, far_white
        for by in (0, 1):
            values = attackers[by]
            for at in jumps[by][to]:
                if jumpers[by][board[at]] and at != start:
                    values.append(EXCHANGED[KNIGHT])
            values.sort(reverse=True)
        lost, mover = False, side ^ 1
        while attackers[mover]:
            value = attackers[mover].pop()
            # A king can't capture a piece that is protected.
            if value >= EXCHANGED[KING] and attackers[mover ^ 1]:
                return lost
            lost = not lost
            balance = value - balance
            # Stop if the side that just captured stays ahead even if its piece is captured next.
            if balance < (not lost):
                return lost
            mover ^= 1
        return lost

    return loses_material


def new_history() -> History:
    """Return a history in which no move has caused a cutoff."""
    return [[0] * 81 for _ in range(PIECES)]


class Stages:
    """The functions that generate the moves of one stage of successors.py, best first.

    captures(side, occupied, mask): captures, and promotions that lose nothing.
    quiets(side, ply, previous, occupied, mask, depth): the other moves; in check, those that may
        end it.  At low depths, most pieces are dropped only near the kings.
    quiet_checks(side, occupied, tried): those that may give a direct check, except `tried`.
    update_history(depth, ply, previous, side, tried): rewards the last of the quiet moves tried,
        which caused a cutoff, and penalises the others.

    mask: -1, or in check the squares where a piece may end it.
    """

    def __init__(self, position: ShogiPosition, history: History, plies: int) -> None:
        """Build the functions.  plies: number of plies for which killers are stored."""
        rules, board, kings = position.rules, position.squares, position.kings
        geometry, stays = position.geometry, position.rules.useful_stays
        killers = [[0, 0] for _ in range(plies)]
        counter_moves = [0] * (PIECES << 7)  # by previous move: the last reply that cut

        def near(pair: int) -> list[int]:
            """Return the masks of drops near the kings, whose squares are a << 7 | b."""
            zone = bitboard(
                square
                for square in range(geometry.cells)
                if any(geometry.distance(square, king) <= 2 for king in (pair >> 7, pair & 127))
            )
            return [-1 if piece & 7 == PAWN else zone for piece in range(PIECES)]

        def checking(king: int) -> tuple[list[int], list[int]]:
            """Return the masks of moves and of drops that may check a king on the square."""
            direct = [geometry.targets[piece ^ WHITE][king] for piece in range(PIECES)]
            direct[KING] = direct[KING + WHITE] = 0
            return [direct[piece] | direct[piece | PROMOTED] for piece in range(PIECES)], direct

        near_masks, check_masks = Lazy(near), Lazy(checking)

        def captures(side: int, occupied: int, mask: int) -> list[int]:
            moves = rules.captures(side, occupied, stays)
            moves.sort(reverse=True)
            if mask == -1:
                return moves
            king = kings[side]
            return [
                move for move in moves if move & 127 == king or mask >> (move >> TO_SHIFT & 127) & 1
            ]

        def quiets(
            side: int, ply: int, previous: int, occupied: int, mask: int, depth: int
        ) -> list[int]:
            one, two = killers[ply]
            three = counter_moves[previous]
            # Raise three history scores for a moment: that is cheaper than examining every move.
            history[one >> 7][one & 127] += _KILLER_1
            history[two >> 7][two & 127] += _KILLER_2
            history[three >> 7][three & 127] += _COUNTER_MOVE
            wanted = to_drop = None
            if mask != -1:
                wanted = to_drop = [mask] * PIECES
                wanted[KING] = wanted[KING + WHITE] = -1
            elif depth <= _NEAR_DEPTH:
                to_drop = near_masks[kings[0] << 7 | kings[1]]
            moves = rules.quiets(side, history, occupied, stays, wanted)
            moves += rules.drops(side, history, to_drop)
            history[one >> 7][one & 127] -= _KILLER_1
            history[two >> 7][two & 127] -= _KILLER_2
            history[three >> 7][three & 127] -= _COUNTER_MOVE
            moves.sort(reverse=True)
            return moves

        def quiet_checks(side: int, occupied: int, tried: list[int]) -> list[int]:
            moving, dropping = check_masks[kings[side ^ 1]]
            moves = rules.quiets(side, history, occupied, stays, moving)
            moves += rules.drops(side, history, dropping)
            moves.sort(reverse=True)
            return [move for move in moves if move & MOVE_MASK not in tried]

        def update_history(
            depth: int, ply: int, previous: int, side: int, tried: list[int]
        ) -> None:
            entries = []
            for move in tried:
                start, to = FROM_TO[move & FROM_TO_MASK]
                piece = start - DROP + WHITE * side if start >= DROP else board[start]
                entries.append(piece << 7 | to)
            best, killer = entries[-1], killers[ply]
            if killer[0] != best:
                killer[1] = killer[0]
                killer[0] = best
            counter_moves[previous] = best
            bonus = min(depth * depth * _BONUS, _MAX_BONUS)
            malus = int(_MALUS * bonus)
            for entry in entries:
                scores = history[entry >> 7]
                old = scores[entry & 127] >> 20
                change = bonus if entry == best else -malus
                # "Gravity": the larger the history, the less it grows.
                scores[entry & 127] = old + change - old * abs(change) // _HISTORY_LIMIT << 20

        self.captures, self.quiets = captures, quiets
        self.quiet_checks, self.update_history = quiet_checks, update_history


def root_scores(position: ShogiPosition, moves: Sequence[int]) -> list[int]:
    """Return a positive number for each root move, higher for better ones, without a search.

    It is the evaluation after the move minus what the opponent can then capture.
    """
    net, loses_material = network_of(position.game), static_exchange(position)
    side, out = position.side, []
    for move in moves:
        start, to = FROM_TO[move & FROM_TO_MASK]
        piece = start - DROP + WHITE * side if start >= DROP else position.squares[start]
        loses = loses_material(piece, start, to, side)
        loss = EXCHANGED[piece] - EXCHANGED[position.squares[to]] if loses else 0
        position.make(move)
        acc = net.add_up(position.pieces, position.kings, position.in_hand)
        out.append(_ROOT_OFFSET - net.score(acc, position.side) - loss)
        position.undo()
    return out
