"""How Gomoku is searched: its kernel for search/pvs.py.

A state is (key, -, 0, False, side, packed value of the threat maps); of the board only
the codes of the lines change in place.  Most nodes are answered from the maps before
any move is made: five, the opponent's five, an open four or two fours at once.  Then
VCF is looked for, farther from the horizon VCT.

A node is "in check" where the opponent threatens an open four or two fours at once:
then the moves that stop them all are tried, and where those lose own fours.  Elsewhere
the moves are narrowed to the hottest candidates; where all of them lose colder ones are
tried until one does not.  That none does proves no loss: then the score is no worse
than -NEARLY_DECIDED.
"""

from __future__ import annotations

from itertools import chain, repeat

from games.base import MAX_SCORE, WIN
from games.gomoku.candidates import WIDTH, Candidates
from games.gomoku.maps import LANE, first_cell
from games.gomoku.network import (
    HALF,
    LINEAR_BIAS,
    MAX_STATIC,
    MODULUS,
    OTHER_FOUR,
    OTHER_FOUR_THREE,
    OTHER_THREES,
    OWN_FOUR,
    OWN_FOUR_THREE,
    OWN_THREES,
    SIGN,
    SIGN_BITS,
    THREAT,
    UNIT,
    VIEW_BITS,
    VIEW_MASK,
)
from games.gomoku.root import Ending
from games.gomoku.rules import NEARLY_DECIDED
from games.gomoku.vcf import VCF
from games.gomoku.vct import VCT
from games.kernel import ALPHA, BEST, BETA, TABLE_MOVE, Kernel
from games.ordering import History, Killers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from games.base import Position
    from games.gomoku.board import ThreatBoard
    from games.gomoku.maps import Packed
    from games.types import Node, Score, Side, Square, State, Successor, Tree

    # By ply: the cells where the opponent threatens to win.
    Threats = list[Sequence[Square]]
    RootReduction = Callable[[State, int, int], int]
    EarlyReturn = Callable[[State, int, Score, Score, int, bool], "Score | None"]
    Evaluate = Callable[[State, int], tuple[Score, bool]]
    ThreatSearch = Callable[[State, int, Score, Score, int, int], "Score | None"]
    Frontier = Callable[[State, int, Score, Score, int, Score, int], "Score | None"]
    Successors = Callable[[State, int, int, Node], Iterator[Successor]]

# How many fours a node may try: at the horizon, up to _REVERSE_FUTILITY_DEPTH from it
# (linked ones, both), and farther.
_FOURS_AT_LEAF, _FOURS_INSIDE, _FOURS_DEEP = 12, 40, 60
# From this depth on nodes look for a VCT; so many moves are tried for each ply of
# depth.
_VCT_FROM = 7
_VCT_TRIED = 3
# Futility: a ply from the horizon, no quiet move helps a node this far below alpha.
_FUTILITY_MARGIN = 40
# Reverse futility: at most so many plies from the horizon an evaluation this far above
# beta for each of them is trusted.
_REVERSE_FUTILITY_DEPTH, _REVERSE_FUTILITY_MARGIN = 3, 20
# Internal iterative reduction: from this depth on, where there is no table move.
_IIR_FROM = 3
# Late move reductions: not of the first moves of a node, nor this close to the horizon.
_FULL_MOVES = 2
_REDUCE_FROM = 3
# By depth, the last row for all larger ones, and by the place of a quiet move.  (Looked
# up, since PyPy would compile a path for each way through the conditions.)
_REDUCTIONS = [
    [
        0
        if depth < _REDUCE_FROM or place < _FULL_MOVES
        else 1 + (place > 3) + (place > 6 and depth > 4) + (place > 4 and depth > 6)
        for place in range(WIDTH)
    ]
    for depth in range(8)
]
# Where at most so many moves hold against a threat, and so many with own fours, they cost
# no depth.
_FORCED, _FORCED_WITH_FOURS = 2, 3
# Null move: tried this far from the horizon, and searched this much less deep.
_NULL_FROM, _NULL_REDUCTION = 2, 4
_NULL_KEY = 0x155555555555555
_MAX_PLY = 200
# Order of the moves of a node, above history.
_TABLE_BONUS, _KILLER_BONUS, _OLDER_KILLER_BONUS = 1 << 52, 1 << 51, 1 << 50
_HISTORY_LIMIT = 1 << 40
_PLACE = 50  # what a place in the order by heat counts in history


def build(position: Position, tree: Tree) -> Kernel:
    """The Kernel of a search from `position`."""
    # A method of the positions of this folder alone.
    board: ThreatBoard = position.search_board()  # type: ignore[attr-defined]
    board.begin(tree.check, tree.count)
    vcf, candidates = VCF(board), Candidates(board)
    vct = VCT(board, vcf, candidates)
    plies = len(tree.lines)
    threats_at: Threats = [()] * plies

    kernel = Kernel(position)
    kernel.max_ply, kernel.pv_of_wins, kernel.pv_cutoff_depth = _MAX_PLY, True, 0
    kernel.static_from_table = False
    kernel.null_move_from, kernel.late_iir_from = _NULL_FROM, _IIR_FROM
    kernel.frontier_depth = _REVERSE_FUTILITY_DEPTH
    kernel.probcut_from = _REVERSE_FUTILITY_DEPTH + 1
    kernel.early_return, kernel.evaluate = _early_return(board, tree), _evaluate(board, threats_at)
    kernel.probcut = _threat_search(board, tree, vcf, vct)
    kernel.frontier = _frontier(board, tree, vcf, threats_at)
    kernel.successors = _successors(board, candidates, plies, threats_at)
    kernel.make, kernel.undo = board.make, board.undo
    kernel.root_score = Ending(board, vcf, vct, candidates).score

    def null_move(state: State, depth: int, excess: Score) -> tuple[State, int]:
        """The state after a pass, and its depth; below 0 no fours are tried."""
        passed = state[0] ^ _NULL_KEY, 0, 0, False, 1 - state[4], state[5]
        return passed, depth - _NULL_REDUCTION

    def no_moves(state: State, ply: int) -> Score:
        """Without a defence the game is lost; without a candidate it is drawn."""
        return ply + 4 - WIN if threats_at[ply] else 0

    def root_state() -> State:
        return board.key, 0, 0, False, board.side, board.packed

    def root_final(state: State, depth: int) -> Score | None:
        """The root move made five."""
        return 1 - WIN if board.won(state[5]) else None

    kernel.null_move, kernel.no_moves = null_move, no_moves
    kernel.root_state, kernel.root_final = root_state, root_final
    kernel.root_reduction = _root_reduction(board, candidates)
    return kernel


def _root_reduction(board: ThreatBoard, candidates: Candidates) -> RootReduction:
    """`root_reduction` of the kernel: colder moves first show that they are worth the depth.

    Their evaluation must lie above the best score so far, as it does where all of the
    hottest moves have disappointed.
    """
    side, keys = board.side, board.lines.keys
    cold = {board.key ^ keys[side][move] for move in candidates.cold(side, board.packed)}

    def root_reduction(state: State, depth: int, number: int) -> int:
        return depth if state[0] in cold else 0

    return root_reduction


def _early_return(board: ThreatBoard, tree: Tree) -> EarlyReturn:
    """`early_return` of the kernel: what the maps decide, if need be by a forced move."""
    play, take_back, zobrist = board.play, board.take_back, board.lines.keys
    maps, forbidden, threats_of = board.maps, board.forbidden, board.threats
    restricted, lines = board.restricted, tree.lines
    fives, fours, lanes, twice = maps.fives, maps.fours, maps.lanes, maps.twice

    def early_return(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score | None:
        side, packed = state[4], state[5]
        opponent = 1 - side
        # Five at once wins.
        made = packed >> fives[side] & lanes
        if made:
            lines[ply] = [first_cell(made)]
            return WIN - ply - 1
        # The opponent's five must be blocked, which costs no depth; two can't be.
        made = packed >> fives[opponent] & lanes
        if made:
            block = first_cell(made)
            if made >> LANE * (block + 1) or side == restricted and forbidden(side, block, packed):
                return ply + 2 - WIN
            # The search would never see this limit: forced replies come first.
            if ply >= _MAX_PLY:
                return 0
            key = state[0] ^ zobrist[side][block]
            child = key, 0, 0, False, opponent, play(side, block, packed)
            score = -tree.visit(child, depth, -beta, -alpha, ply + 1, null_allowed)
            take_back(side, block)
            if alpha < score < beta:
                lines[ply] = [block] + lines[ply + 1]
            return score
        # An open four or two fours at once win, unless Renju forbids them.
        made = packed >> fours[side] & twice
        if made and (side != restricted or threats_of(side, packed)):
            return WIN - ply - 3
        # A shorter win is known already, or no loss here could be a longer one.
        if alpha >= WIN - ply - 5:
            return WIN - ply - 5
        if beta <= ply + 4 - WIN:
            return ply + 4 - WIN
        return None

    return early_return


def _evaluate(board: ThreatBoard, threats_at: Threats) -> Evaluate:
    """`evaluate` of the kernel, which also fills `threats_at`."""
    maps, threats_of, all_facts = board.maps, board.threats, board.maps.network.facts
    # Both players' threes, and fours, are looked at together: player 1's lanes lie above.
    first_threes, fours_above = maps.threes[0], maps.fours[0] - maps.threes[0]
    above = LANE * maps.cells
    both, sevens, eights = (mask << above | mask for mask in (maps.lanes, maps.sevens, maps.eights))
    lanes = [maps.lanes, maps.lanes << above]
    twice = [maps.twice, maps.twice << above]
    two_threes = twice[:]
    if board.restricted >= 0:
        two_threes[board.restricted] = 0  # Renju forbids them
    views = (1 << 2 * VIEW_BITS) - 1

    def evaluate(state: State, ply: int) -> tuple[Score, bool]:
        side, packed = state[4], state[5]
        opponent = 1 - side
        threats: Sequence[Square] = ()
        # ThreatBoard.evaluate(), written out: this runs at every node.
        facts = 0
        made = packed >> first_threes
        threes, fours = made & both, made >> fours_above & both
        if fours:
            if fours & twice[opponent]:
                threats = threats_of(opponent, packed)
                if threats:
                    facts = THREAT
            if fours & lanes[side]:
                facts |= OWN_FOUR
            if fours & lanes[opponent]:
                facts |= OTHER_FOUR
            crossings = fours + sevens & threes + sevens & eights
            if crossings:
                if crossings & lanes[side]:
                    facts |= OWN_FOUR_THREE
                if crossings & lanes[opponent]:
                    facts |= OTHER_FOUR_THREE
        if threes & two_threes[side]:
            facts |= OWN_THREES
        if threes & two_threes[opponent]:
            facts |= OTHER_THREES
        threats_at[ply] = threats
        view = ((packed & views) >> VIEW_BITS if side else packed & VIEW_MASK) + all_facts[facts]
        active = view & SIGN_BITS
        score = (view & active - (active >> SIGN)) % MODULUS
        if score > HALF:
            score -= MODULUS
        score = (score + LINEAR_BIAS) // UNIT
        if not -MAX_STATIC <= score <= MAX_STATIC:
            score = MAX_STATIC if score > 0 else -MAX_STATIC
        return score, bool(threats)

    return evaluate


def _threat_search(board: ThreatBoard, tree: Tree, vcf: VCF, vct: VCT) -> ThreatSearch:
    """`probcut` of the kernel: a VCF, farther from the horizon a VCT."""
    maps, lines = board.maps, tree.lines
    fours, threes, lanes = maps.fours, maps.threes, maps.lanes

    def threat_search(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, table_depth: int
    ) -> Score | None:
        # A node that the table knows as deep as it is now has been tried in vain.
        if table_depth >= depth:
            return None
        key, side, packed = state[0], state[4], state[5]
        chain, made = None, packed >> fours[side] & lanes
        if made:
            chain = vcf.win(side, packed, key, _FOURS_DEEP)
        if not chain and depth >= _VCT_FROM and (made or packed >> threes[side] & lanes):
            chain = vct.win(side, packed, key, depth, _VCT_TRIED * depth)
        if not chain:
            return None
        lines[ply] = chain
        return WIN - ply - len(chain)

    return threat_search


def _frontier(board: ThreatBoard, tree: Tree, vcf: VCF, threats_at: Threats) -> Frontier:
    """`frontier` of the kernel: reverse futility, a VCF, the evaluation, futility.

    Where the opponent threatens to win an evaluation above alpha is not believed: the
    defences are tried.
    """
    fours, lanes, lines = board.maps.fours, board.maps.lanes, tree.lines

    def frontier(
        state: State,
        depth: int,
        alpha: Score,
        beta: Score,
        ply: int,
        static: Score,
        table_depth: int,
    ) -> Score | None:
        threats = threats_at[ply]
        null_window = beta - alpha == 1
        if not threats and (depth <= 0 or null_window and -MAX_SCORE < beta < MAX_SCORE):
            trusted = static - _REVERSE_FUTILITY_MARGIN * depth if depth > 0 else static
            if trusted >= beta:
                return trusted
        if table_depth < depth:
            side, packed = state[4], state[5]
            if packed >> fours[side] & lanes:
                budget = _FOURS_INSIDE if depth > 0 else _FOURS_AT_LEAF
                chain = vcf.linked(side, packed, state[0], budget)
                if chain:
                    lines[ply] = chain
                    return WIN - ply - len(chain)
        if depth <= 0:
            return None if threats and static > alpha else static
        hopeless = static + _FUTILITY_MARGIN <= alpha
        if hopeless and depth == 1 and not threats and null_window:
            return static + _FUTILITY_MARGIN
        return None

    return frontier


def _successors(
    board: ThreatBoard, candidates: Candidates, plies: int, threats_at: Threats
) -> Successors:
    """`successors` of the kernel, with what it learns: killers and history."""
    play, take_back, zobrist = board.play, board.take_back, board.lines.keys
    stops, fours, quiet, colder = (
        candidates.stops,
        candidates.fours,
        candidates.quiet,
        candidates.colder,
    )
    killers = Killers(plies)
    histories = [History(_HISTORY_LIMIT, board.maps.cells) for _ in range(2)]

    def last_resort(
        side: Side, packed: Packed, tried: Sequence[Square], threats: Sequence[Square], node: Node
    ) -> Iterator[tuple[Square, int]]:
        """(move, 0) for moves that are tried only until one of all does not lose."""
        if node[BEST] < -MAX_SCORE:
            for move in fours(side, packed, tried) if threats else colder(side, packed):
                yield move, 0
                if node[BEST] >= -MAX_SCORE:
                    return

    def successors(state: State, depth: int, ply: int, node: Node) -> Iterator[Successor]:
        key, side, packed = state[0], state[4], state[5]
        threats, opponent, first = threats_at[ply], 1 - side, node[TABLE_MOVE]
        new_depth = depth - 1
        reductions: Iterable[int] = repeat(0)
        if threats:
            # What stops them; own fours as a last resort, as there may be many.
            moves = stops(side, packed, threats)
            if len(moves) <= _FORCED:
                own = fours(side, packed, moves)
                if len(moves) + len(own) <= _FORCED_WITH_FOURS:
                    new_depth = depth
                moves = moves or own
        else:
            # The hottest cells, late ones reduced.
            moves, reductions = quiet(side, packed), _REDUCTIONS[min(depth, 7)]
        if len(moves) > 1:
            seen, (killer, older) = histories[side].scores, killers.at[ply]
            order = {move: seen[move] - _PLACE * index for index, move in enumerate(moves)}
            for move, bonus in (
                (older, _OLDER_KILLER_BONUS),
                (killer, _KILLER_BONUS),
                (first, _TABLE_BONUS),
            ):
                if move in order:
                    order[move] = bonus
            moves.sort(key=order.__getitem__, reverse=True)
        rest = last_resort(side, packed, moves, threats, node)
        for move, reduction in chain(zip(moves, reductions), rest):
            child = key ^ zobrist[side][move], 0, 0, False, opponent, play(side, move, packed)
            yield move, child, new_depth, reduction
            take_back(side, move)
            if node[ALPHA] >= node[BETA]:
                histories[side].reward(move, depth)
                killers.reward(move, ply)
                break
        # The moves that were not tried might have held.
        if moves and not threats and node[BEST] < -MAX_SCORE:
            node[BEST] = ply - NEARLY_DECIDED

    return successors
