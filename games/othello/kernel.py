"""The kernel of Othello's midgame for search/pvs.py.

A state is (key, unused, 0, False, discs of the side to move, discs of the other side,
number of empty squares).

The kernel adds multi-ProbCut (Buro 1997) to the tree search: shallow searches predict deep
ones.  The deep score is about `slope * shallow score + offset`, with errors whose spread is known.
If the prediction lies THRESHOLD spreads beyond a bound, the deep search is skipped.
scripts/lab/othello_probcut.py fits the numbers to searches of the engine.
"""

from __future__ import annotations

from functools import partial

from games.base import INFINITY
from games.data import Lazy
from games.grid import count_bits
from games.kernel import ALPHA, BETA, TABLE_MOVE, Kernel
from games.ordering import History
from games.othello.lanes import CELLS, FLIPS, FULL, MOVING, PASS, ROWS, STEP, key_of, ordered
from games.othello.patterns import CONSTANTS, evaluation, stage_of
from games.othello.shallow import final_difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.othello.lanes import Discs
    from games.othello.patterns import Evaluate
    from games.othello.position import OthelloPosition
    from games.types import NodeData, Score, State, Successor, Tree

    Fit = tuple[int, float, int, tuple[int, ...]]


THRESHOLD = 1.0

# {depth: (depth of the shallow search, slope, offset, spread of the errors by stage)}; offset and
# spreads in hundredths of a disc.
_FITS: dict[int, Fit] = {
    3: (1, 0.943, -42, (361, 303, 304, 295, 323, 360, 424, 458, 515, 515)),
    4: (2, 0.970, -11, (250, 238, 244, 259, 264, 372, 404, 461, 404, 404)),
    5: (1, 0.942, -33, (454, 391, 392, 394, 415, 447, 508, 549, 620, 620)),
    6: (2, 0.969, -11, (288, 279, 304, 335, 378, 440, 489, 523, 545, 545)),
    7: (3, 0.989, 22, (259, 245, 273, 299, 346, 416, 470, 507, 524, 524)),
    8: (4, 1.002, 28, (209, 213, 245, 265, 310, 386, 446, 485, 496, 496)),
}


def _cut(stage: int, depth: int) -> tuple[int, float, int, float]:
    """Return (shallow depth, slope, offset, margin) for a search of this depth.

    A depth without a fit uses the deepest fit of the same parity.  The plies from the fit's depth
    to this depth are added to the shallow depth.
    """
    fitted = max(known for known in _FITS if known <= depth and (depth - known) % 2 == 0)
    shallow, slope, offset, spreads = _FITS[fitted]
    return shallow + depth - fitted, slope, offset, THRESHOLD * spreads[stage]


# CUTS[empties][depth]: see _cut().
CUTS = [Lazy(partial(_cut, stage_of(empties))) for empties in range(CONSTANTS)]


DISC = 100  # the score of one disc

# At this depth or more, and in an open window at any depth, moves are ordered by the evaluation
# after them and by history; otherwise by history alone.
_EVALUATE_FROM = 3
_HISTORY_LIMIT = 1 << 12
_PROBCUT_FROM = 3
# Nodes with less depth than this and a null window are searched without the table.
_TABLE_FROM = 2


def final_score(own: Discs, opp: Discs, empties: int) -> Score:
    """Return the score of a finished game for `own`: empty squares count for the winner."""
    return DISC * final_difference(count_bits(own & ROWS) - count_bits(opp & ROWS), empties)


def othello_kernel(
    position: OthelloPosition, tree: Tree, evaluate: Evaluate | None = None, probcut: bool = True
) -> Kernel:
    """Return the Kernel of a search from `position`.

    evaluate(own, opp, empties): the evaluation, by default the engine's own.
    """
    count, lines = tree.count, tree.lines
    evaluate = evaluate or evaluation().evaluate
    squares = ordered(FULL & ~(position.own | position.opp))
    history = History(_HISTORY_LIMIT, 64)
    scores, reward = history.scores, history.reward

    def root_state() -> State:
        own, opp = position.own, position.opp
        return key_of(own, opp), 0, 0, False, own, opp, position.empties

    def early_return(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score | None:
        """Return the score if no move is legal (a pass or the end) or the horizon is near."""
        _, _, _, _, own, opp, empties = state
        empty = FULL & ~(own | opp)
        legal = (opp + ((own << 1) & opp)) & empty
        if not legal:
            if (own + ((opp << 1) & own)) & empty:
                passed = key_of(opp, own), 0, 0, False, opp, own, empties
                score = -tree.search(passed, depth, -beta, -alpha, ply + 1, null_allowed)
                if alpha < score < beta:
                    lines[ply] = [PASS] + lines[ply + 1]
                return score
            return final_score(own, opp, empties)
        if depth < _TABLE_FROM:
            if not depth:
                return evaluate(own, opp, empties)
            if beta - alpha == 1:
                return best_leaf(own, opp, empties, legal, beta)
        return None

    def best_leaf(own: Discs, opp: Discs, empties: int, legal: Discs, beta: Score) -> Score:
        """Return the best evaluation after one move; stop at the first move that reaches beta."""
        best = -INFINITY
        empties_after = empties - 1
        own_bare, opp_bare = own & MOVING, opp & MOVING
        for square in squares:
            if legal & CELLS[square]:
                flipped, added, _ = FLIPS[square][(opp_bare + (opp_bare & STEP[square])) & own_bare]
                count[0] += 1
                if empties_after:
                    score = -evaluate(opp - flipped, own + added, empties_after)
                else:
                    score = final_score(own + added, opp - flipped, 0)
                if score > best:
                    best = score
                    if score >= beta:
                        break
        return best

    def multi_probcut(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, table_depth: int
    ) -> Score | None:
        """Return alpha or beta if multi-ProbCut predicts a score beyond it, else None."""
        _, _, _, _, own, opp, empties = state
        if beta - alpha > 1 or depth >= empties:
            return None
        shallow, slope, offset, margin = CUTS[empties][depth]
        search = tree.search
        static = evaluate(own, opp, empties)
        bound = int((beta + margin - offset) / slope)
        likely = static >= bound - margin
        if likely and search(state, shallow, bound - 1, bound, ply, False) >= bound:
            return beta
        bound = int((alpha - margin - offset) / slope)
        likely = static <= bound + margin
        if likely and search(state, shallow, bound, bound + 1, ply, False) <= bound:
            return alpha
        return None

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Iterator[Successor]:
        """Yield the moves, ordered by the evaluation after them and by history."""
        _, _, _, _, own, opp, empties = state
        empties_after = empties - 1
        legal = (opp + ((own << 1) & opp)) & FULL & ~(own | opp)
        first = node[TABLE_MOVE]
        open_window = node[BETA] - node[ALPHA] > 1
        judge, moves = depth >= _EVALUATE_FROM or open_window, []
        own_bare, opp_bare = own & MOVING, opp & MOVING
        for square in squares:
            if legal & CELLS[square]:
                flipped, added, _ = FLIPS[square][(opp_bare + (opp_bare & STEP[square])) & own_bare]
                child_own, child_opp = opp - flipped, own + added
                if square == first:
                    rank = -INFINITY
                elif judge:
                    rank = evaluate(child_own, child_opp, empties_after) - (scores[square] >> 4)
                else:
                    rank = -scores[square]
                moves.append((rank, square, child_own, child_opp))
        moves.sort()
        keyed = depth > _TABLE_FROM or open_window
        for _, square, child_own, child_opp in moves:
            key = key_of(child_own, child_opp) if keyed else 0
            yield square, (key, 0, 0, False, child_own, child_opp, empties_after), depth - 1, 0
            if node[ALPHA] >= node[BETA]:
                reward(square, depth)
                return

    kernel = Kernel(position)
    kernel.root_state = root_state
    kernel.successors = successors
    kernel.evaluate = lambda state, ply: (evaluate(*state[4:7]), False)
    kernel.early_return = early_return
    kernel.complete = lambda depth: depth >= position.empties
    kernel.merge_point = ()  # successors() has too few branches to need merge points
    if probcut:
        kernel.probcut, kernel.probcut_from = multi_probcut, _PROBCUT_FROM
    return kernel
