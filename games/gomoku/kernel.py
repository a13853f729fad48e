"""The kernel of Gomoku for search/pvs.py.

A state is (key, unused, 0, False, side, packed value of the threat maps).  The codes of the board's
lines change in place.  The maps decide most nodes before a move is made: if a side can make five,
or if the side to move can make an open four or two fours at once.  Other nodes look for a VCF
(threats.py).

A node is "in check" if the opponent threatens an open four or two fours at once.  Then the
moves that stop all these threats are tried and, if they lose, the fours of the side to move.  At
other nodes only the likeliest candidates are tried; if all of these lose, further candidates are
tried until one doesn't lose.  If all lose, the loss is still unproven, and the score is no worse
than -NEARLY_DECIDED.
"""

from __future__ import annotations

from itertools import chain, repeat

from games.base import MAX_SCORE, WIN
from games.gomoku.board import FULL_WIDTH, WIDTH
from games.gomoku.maps import first_cell
from games.gomoku.root import RootScores
from games.gomoku.rules import NEARLY_DECIDED
from games.gomoku.threats import VCF
from games.kernel import ALPHA, BEST, BETA, TABLE_MOVE, Kernel
from games.ordering import History, Killers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.base import Position
    from games.gomoku.board import ThreatBoard
    from games.types import NodeData, Score, Square, State, Successor, Tree

# The number of fours that a VCF search at a node may try.  Up to _FRONTIER plies from the horizon,
# the number is _LINKED_FOURS, and only chains in which each four makes the next one possible are
# tried.  Farther from the horizon, the number is _FOURS.
_FRONTIER = 3
_LINKED_FOURS, _FOURS = 40, 60
# Futility: one ply from the horizon, quiet moves are not expected to gain this much.
_FUTILITY_MARGIN = 40
# Reverse futility: up to _REVERSE_FUTILITY_DEPTH, an evaluation is trusted if it exceeds beta by
# _REVERSE_FUTILITY_MARGIN for each ply of depth.
_REVERSE_FUTILITY_DEPTH, _REVERSE_FUTILITY_MARGIN = 12, 25
# Internal iterative reduction begins at this depth, if the table has no move.
_IIR_FROM = 3
# The reductions of quiet moves in the order of search: at the depths 1 and 2, 3 and 4, 5 and 6, and
# at all larger ones; each row has WIDTH entries.  (It is a table because PyPy would compile each
# path through conditions separately.)
_REDUCTIONS = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2),
    (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3),
    (0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 4, 4),
)
# Replies to a threat cost no depth if there are few: at most _FORCED moves that stop the threat,
# and at most _FORCED_WITH_FOURS moves if the fours of the side to move are counted, too.
_FORCED, _FORCED_WITH_FOURS = 2, 6
# The null move is tried from depth _NULL_FROM on, and searched _NULL_REDUCTION plies less deep.
_NULL_FROM, _NULL_REDUCTION = 2, 4
_NULL_KEY = 0x155555555555555
_MAX_PLY = 200
_HISTORY_LIMIT = 1 << 40
# The lowest ordering score of the table's move and the killers, above all history scores.
_FIRST_RANK = 1 << 50
_PLACE = 50  # history score that counts as much as one rank in the order by policy


def gomoku_kernel(position: Position, tree: Tree) -> Kernel:
    """Return the Kernel of a search from `position`."""
    # Only the positions of this package have this method.
    board: ThreatBoard = position.search_board()  # type: ignore[attr-defined]
    board.begin(tree.check, tree.count)
    vcf = VCF(board)
    zobrist = board.lines.keys
    maps = board.maps
    lines = tree.lines
    fours = maps.fours
    fives = maps.fives
    lanes = maps.lanes
    twice = maps.twice
    # By ply: the cells where the opponent threatens to win.
    threats_at: list[Sequence[Square]] = [()] * len(lines)
    killers = Killers(len(lines))
    histories = [History(_HISTORY_LIMIT, maps.cells) for _ in range(2)]
    # The keys of the positions to which late root moves lead: all but the first WIDTH moves.
    root_moves = board.moves(board.side, board.packed, FULL_WIDTH)
    first_moves = board.moves(board.side, board.packed)
    late_keys = {board.key ^ zobrist[board.side][move] for move in root_moves[len(first_moves) :]}

    def early_return(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score | None:
        """Return the score if the maps decide the node, maybe after forced moves, else None."""
        side, packed = state[4], state[5]
        opponent = 1 - side
        if packed >> fives[0]:  # the maps of both players' fives are in the top bits
            # A five wins at once.
            made = packed >> fives[side] & lanes
            if made:
                lines[ply] = [first_cell(made)]
                return WIN - ply - 1
            # The opponent's five must be blocked, which costs no depth.
            made = packed >> fives[opponent] & lanes
            block, five = board.reply_to_five(opponent, made, packed)
            if five is not None:
                return ply + 2 - WIN
            # Limit the plies here, since forced replies never reach the search's own limit.
            if ply >= _MAX_PLY:
                return 0
            key = state[0] ^ zobrist[side][block]
            child = key, 0, 0, False, opponent, board.play(side, block, packed)
            score = -tree.search(child, depth, -beta, -alpha, ply + 1, null_allowed)
            board.take_back(side, block)
            if alpha < score < beta:
                lines[ply] = [block] + lines[ply + 1]
            return score
        # An open four or two fours at once win, unless Renju forbids them.
        made = packed >> fours[side] & twice
        if made and (side != board.restricted or board.threats(side, packed)):
            return WIN - ply - 3
        # Mate distance pruning: from here, no win takes fewer than 5 plies, no loss fewer than 4.
        if alpha >= WIN - ply - 5:
            return WIN - ply - 5
        if beta <= ply + 4 - WIN:
            return ply + 4 - WIN
        return None

    def evaluate(state: State, ply: int) -> tuple[Score, bool]:
        """Return (evaluation, does the opponent threaten to win?), and store the threats."""
        side, packed = state[4], state[5]
        facts, threats = board.facts(side, packed)
        threats_at[ply] = threats
        return maps.network.score(packed, side, facts), bool(threats)

    def threat_search(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, table_depth: int
    ) -> Score | None:
        """Return the score if a VCF wins, else None."""
        side, packed = state[4], state[5]
        # If the table has an entry of at least this depth, the threat search has already failed.
        if table_depth >= depth or not packed >> fours[side] & lanes:
            return None
        if depth > _FRONTIER:
            chain = vcf.win(side, packed, state[0], _FOURS)
        else:
            chain = vcf.linked(side, packed, state[0], _LINKED_FOURS)
        if not chain:
            return None
        lines[ply] = chain
        return WIN - ply - len(chain)

    def frontier(
        state: State,
        depth: int,
        alpha: Score,
        beta: Score,
        ply: int,
        static: Score,
        table_depth: int,
    ) -> Score | None:
        """Return the score from a VCF, the evaluation or futility; None to search on.

        If the opponent threatens to win, an evaluation above alpha is not trusted, and the
        defences are searched.
        """
        score = threat_search(state, depth, alpha, beta, ply, table_depth)
        if score is not None:
            return score
        threats = threats_at[ply]
        if depth <= 0:
            return None if threats and static > alpha else static
        hopeless = static + _FUTILITY_MARGIN <= alpha
        if hopeless and depth == 1 and not threats and beta - alpha == 1:
            return static + _FUTILITY_MARGIN
        return None

    def last_resort(
        state: State, ply: int, node: NodeData, tried: Sequence[Square]
    ) -> Iterator[tuple[Square, int]]:
        """Yield (move, 0) for further moves until one doesn't lose; 0 is the reduction."""
        if node[BEST] < -MAX_SCORE:
            if threats_at[ply]:
                moves = board.other_fours(state[4], state[5], tried)
            else:
                moves = board.quiet(state[4], state[5], FULL_WIDTH)[WIDTH:]
            for move in moves:
                if node[BEST] < -MAX_SCORE:
                    yield move, 0

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Iterator[Successor]:
        """Yield the moves worth trying, and reward one that causes a cutoff."""
        key, _, _, _, side, packed = state
        threats = threats_at[ply]
        opponent = 1 - side
        first = node[TABLE_MOVE]
        new_depth = depth - 1
        reductions: Iterable[int] = repeat(0)
        if threats:
            # First the moves that stop the threats.  Fours of `side` follow only if all these moves
            # lose, since there may be many fours.
            moves = board.stops(side, packed, threats)
            if len(moves) <= _FORCED:
                own = board.other_fours(side, packed, moves)
                if len(moves) + len(own) <= _FORCED_WITH_FOURS:
                    new_depth = depth
                moves = moves or own
        else:
            # The likeliest cells, with reductions for late ones.
            moves, reductions = board.quiet(side, packed), _REDUCTIONS[min((depth - 1) // 2, 3)]
        if len(moves) > 1:
            seen, (killer, older) = histories[side].scores, killers.at[ply]
            order = {move: seen[move] - _PLACE * index for index, move in enumerate(moves)}
            for rank, move in enumerate((older, killer, first), _FIRST_RANK):
                if move in order:
                    order[move] = rank
            moves.sort(key=order.__getitem__, reverse=True)
        last_moves = last_resort(state, ply, node, moves)
        for move, reduction in chain(zip(moves, reductions), last_moves):
            child = key ^ zobrist[side][move], 0, 0, False, opponent, board.play(side, move, packed)
            yield move, child, new_depth, reduction
            board.take_back(side, move)
            if node[ALPHA] >= node[BETA]:
                histories[side].reward(move, depth)
                killers.reward(move, ply)
                break
        # The loss is not proven, since moves that were not tried might not lose.
        if moves and not threats and node[BEST] < -MAX_SCORE:
            node[BEST] = ply - NEARLY_DECIDED

    def null_move(state: State, depth: int, excess: Score) -> tuple[State, int]:
        """Return the state after a pass, and the depth at which to search it; it may be below 0."""
        passed = state[0] ^ _NULL_KEY, 0, 0, False, 1 - state[4], state[5]
        return passed, depth - _NULL_REDUCTION

    kernel = Kernel(position)
    kernel.max_ply = _MAX_PLY
    kernel.pv_of_wins = True
    kernel.pv_cutoff_depth = 0
    kernel.static_from_table, kernel.wants_static = False, True
    kernel.null_move_from, kernel.late_iir_from = _NULL_FROM, _IIR_FROM
    kernel.reverse_futility_depth = _REVERSE_FUTILITY_DEPTH
    kernel.reverse_futility_margin = _REVERSE_FUTILITY_MARGIN
    kernel.frontier_depth, kernel.probcut_from = _FRONTIER, _FRONTIER + 1
    kernel.early_return = early_return
    kernel.evaluate = evaluate
    kernel.frontier = frontier
    kernel.probcut, kernel.successors = threat_search, successors
    kernel.null_move = null_move
    # If there is no move to try, the game is lost if the opponent threatens to win, else drawn.
    kernel.no_moves = lambda state, ply: ply + 4 - WIN if threats_at[ply] else 0
    kernel.make, kernel.undo = board.make, board.undo
    kernel.root_state = lambda: (board.key, 0, 0, False, board.side, board.packed)
    kernel.root_final = lambda state, depth: 1 - WIN if board.won(state[5]) else None
    # Late root moves are first searched at depth 0.  They are searched deeper only if their
    # evaluation beats the best score, that is, if all likelier moves have bad scores.
    kernel.root_reduction = lambda state, depth, number: depth if state[0] in late_keys else 0
    kernel.root_score = RootScores(board, vcf).score
    return kernel
