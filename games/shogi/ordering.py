"""Move ordering: exchanges, the stages of picking (see games/ordering.py), and root moves.

Captures are ordered by the scores that games/shogi/movegen.py gives them.  Killers and
counter-moves are stored as piece << 7 | target.
"""

from __future__ import annotations

from games.data import Lazy
from games.geometry import bitboard
from games.ordering import CHECK_MASK, MOVE_MASK, OCCUPANCY, QUIETS_TRIED, QuietOrder, picker
from games.shogi.evaluation import judge_of, network_of
from games.shogi.movegen import ANYWHERE, EXCHANGED, move_tables
from games.shogi.tables import KING, KNIGHT, PAWN, PIECES, PROMOTED, TO_SHIFT, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.ordering import NextStage, Picked, PieceHistory
    from games.shogi.kernel import State
    from games.shogi.movegen import Masks
    from games.shogi.position import ShogiPosition
    from games.shogi.tables import ShogiGeometry

# At nodes of at most this depth, pieces other than pawns are dropped only near the kings.  Shogi's
# Picked has a fifth item for this: the node's depth, or NO_LIMIT if all drops are wanted.
_NEAR_DEPTH = 3
# A loss below this, in centipawns, doesn't count.
_EVEN = 60
# Added to the scores of root moves, to make them positive.
_ROOT_OFFSET = 1 << 19


def static_exchange(position: ShogiPosition) -> Callable[[int, int, int, int], bool]:
    """Return loses_material(piece, start, to, side) for the board of a position."""
    board, geometry = position.squares, position.geometry
    jumps, jumpers = geometry.jumps, geometry.jumpers
    black, white = geometry.lines

    def loses_material(piece: int, start: int, to: int, side: int) -> bool:
        """Does `side` lose material by a move, if both sides then capture on its target square?

        Each side captures with its least valuable piece, and stops if another capture would lose
        more.  Captured pieces also count for the hand that they enter.  start: the square that the
        piece leaves; for a drop, a square off the board.
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
        for by, values in enumerate(attackers):
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


def check_masks(geometry: ShogiGeometry, king: int) -> list[int]:
    """Return, for each piece, a bitboard of the squares from which it may check a king.

    For kings they are the squares next to it, which the rules forbid.
    """
    return [geometry.targets[piece ^ WHITE][king] for piece in range(PIECES)]


def move_stages(
    position: ShogiPosition, history: PieceHistory, plies: int
) -> tuple[NextStage, Callable[[int, int, int, int, list[int]], None]]:
    """Return the functions (next_stage, update_history) for one search.

    plies: number of plies for which killers are stored.
    update_history(depth, ply, previous, side, tried): see QuietOrder.reward(); tried: quiet moves.
    """
    rules, kings = position.rules, position.kings
    geometry, movers = position.geometry, move_tables(position.geometry, useful=True)
    check_mask, shift = position.attacks.check_mask, network_of(position.game).bits
    order = QuietOrder(history, 7, plies)

    def near(pair: int) -> list[int]:
        """Return each piece's mask of drops near a king.  pair: the kings' squares, a << 7 | b."""
        both, cells = (pair >> 7, pair & 127), range(geometry.cells)
        zone = bitboard({at for at in cells for king in both if geometry.distance(at, king) <= 2})
        return [-1 if piece & 7 == PAWN else zone for piece in range(PIECES)]

    def checking(king: int) -> tuple[list[int], list[int]]:
        """Return the masks of moves and of drops that may check a king on the square."""
        direct = check_masks(geometry, king)
        return [direct[piece] | direct[piece | PROMOTED] for piece in range(PIECES)], direct

    near_masks, masks_of_checks = Lazy(near), Lazy(checking)

    def captures(state: State, picked: Picked) -> list[int]:
        _, _, _, in_check, side, acc, _ = state
        picked[OCCUPANCY] = occupied = acc >> shift
        moves = sorted(rules.captures(side, occupied, movers), reverse=True)
        if in_check:
            king = kings[side]
            picked[CHECK_MASK] = mask = check_mask(king, side)
            moves = [
                move for move in moves if move & 127 == king or mask >> (move >> TO_SHIFT & 127) & 1
            ]
        return moves

    def moves_and_drops(side: int, occupied: int, moving: Masks, dropping: Masks) -> list[int]:
        moves = rules.quiets(side, history, occupied, movers, moving)
        return moves + rules.drops(side, history, dropping)

    def quiets(state: State, ply: int, picked: Picked) -> list[int]:
        _, _, _, in_check, side, _, previous = state
        _, _, occupied, mask, depth = picked
        moving = dropping = ANYWHERE
        if in_check:
            moving = dropping = [mask] * PIECES
            moving[KING] = moving[KING + WHITE] = -1  # the king may go to any square
        elif depth <= _NEAR_DEPTH:
            dropping = near_masks[kings[0] << 7 | kings[1]]
        return order.ordered(ply, previous, moves_and_drops, side, occupied, moving, dropping)

    def quiet_checks(state: State, ply: int, picked: Picked) -> list[int]:
        side, tried = state[4], picked[QUIETS_TRIED]
        moves = moves_and_drops(side, picked[OCCUPANCY], *masks_of_checks[kings[side ^ 1]])
        return [move for move in sorted(moves, reverse=True) if move & MOVE_MASK not in tried]

    def update_history(depth: int, ply: int, previous: int, side: int, tried: list[int]) -> None:
        changes = [rules.change_of(move, side) for move in tried]
        order.reward(depth, ply, previous, [piece << 7 | to for _, to, piece, _, _ in changes])

    return picker(captures, quiets, quiet_checks), update_history


def root_scores(position: ShogiPosition, moves: Sequence[int]) -> list[int]:
    """Return a positive number for each root move, higher for better ones, without a search.

    It is the evaluation after the move minus what the opponent can then capture.
    """
    rules, side, out = position.rules, position.side, []
    loses_material, judge = static_exchange(position), judge_of(position)
    net, (black_king, white_king) = network_of(position.game), position.kings
    table, acc = net.features[black_king << 7 | white_king], net.add_up(position)
    for move in moves:
        change = start, to, piece, _, captured = rules.change_of(move, side)
        loses = loses_material(piece, start, to, side)
        loss = EXCHANGED[piece] - EXCHANGED[captured] if loses else 0
        _, reply = judge(table, acc, side, change)
        out.append(_ROOT_OFFSET - reply - loss)
    return out
