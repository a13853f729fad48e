"""How Othello's midgame is searched: its kernel for search/pvs.py.

A state is (key, -, 0, False, lanes of the side to move, lanes of the other side, empty squares).  Beside the general
search it has Buro's multi-ProbCut: where a shallow search says that the deep one will almost surely fall outside the
window, it is believed.
"""
from __future__ import annotations

from games.kernel import ALPHA, BETA, TABLE_MOVE, Kernel
from games.ordering import History
from games.othello.lanes import LANES, key_of
from games.othello.last import finished
from games.othello.patterns import evaluation
from games.othello.probcut import CUTS
from games.othello.squares import PASS, SQUARE_ORDER

DISC = 100                  # the score of one disc
INFINITY = 1 << 20          # beyond every score

# From this depth on moves are ordered by the evaluation after them; below by history alone.
_EVALUATE_FROM = 3
_HISTORY_LIMIT = 1 << 12
_PROBCUT_FROM = 3
# Nodes less deep are settled without the table.
_TABLE_FROM = 2


def final_score(own, opp, empties):
    """The score of a finished game for the side with `own`: empty squares count for the winner."""
    return DISC * finished(disc_count(own) - disc_count(opp), empties)


def disc_count(lanes):
    """How many discs `lanes` holds."""
    return len(LANES.squares(lanes))


def build(position, tree, evaluate=None, probcut=True):
    """The Kernel of a search from `position`.

    evaluate(own, opp, empties): another evaluation than the engine's own.
    """
    step, flips, full, moving = LANES.step, LANES.flips, LANES.full, LANES.moving
    count, lines = tree.count, tree.lines
    evaluate = evaluate or evaluation().evaluate
    occupied = position.own | position.opp
    squares = [square for square in SQUARE_ORDER if not occupied & moving[square]]
    history = History(_HISTORY_LIMIT, 64)
    scores, reward = history.scores, history.reward
    ends_at = [0] * len(lines)      # where the discs that a move turns end, by ply: of the node being searched

    def root_state():
        own, opp = position.own, position.opp
        return key_of(own, opp), 0, 0, False, own, opp, position.empties

    def settle(state, depth, alpha, beta, ply, null_ok):
        """The score of a pass, of the end of the game, and near the horizon."""
        own, opp, empties = state[4], state[5], state[6]
        empty = full & ~(own | opp)
        ends = (opp + ((own << 1) & opp)) & empty
        if not ends:
            if (own + ((opp << 1) & own)) & empty:
                passed = key_of(opp, own), 0, 0, False, opp, own, empties
                score = -tree.visit(passed, depth, -beta, -alpha, ply + 1, null_ok)
                if alpha < score < beta:
                    lines[ply] = [PASS] + lines[ply + 1]
                return score
            return final_score(own, opp, empties)
        if depth < _TABLE_FROM:
            if not depth:
                return evaluate(own, opp, empties)
            if beta - alpha == 1:
                return best_leaf(own, opp, empties, ends, beta)
        ends_at[ply] = ends
        return None

    def best_leaf(own, opp, empties, ends, beta):
        """The best evaluation after one move, or the first that reaches beta."""
        best = -INFINITY
        left = empties - 1
        for square in squares:
            if ends & moving[square]:
                turned, gained, _ = flips[square][(opp + (opp & step[square])) & own]
                count[0] += 1
                if left:
                    score = -evaluate(opp ^ turned, own | gained, left)
                else:
                    score = final_score(own | gained, opp ^ turned, 0)
                if score > best:
                    best = score
                    if score >= beta:
                        break
        return best

    def shortcut(state, depth, alpha, beta, ply, known):
        """Multi-ProbCut."""
        own, opp, empties = state[4], state[5], state[6]
        if beta - alpha > 1 or depth >= empties:
            return None
        shallow, slope, offset, margin = CUTS[empties][depth]
        static = evaluate(own, opp, empties)
        bound = int((beta + margin - offset) / slope)
        if static >= bound - margin and tree.visit(state, shallow, bound - 1, bound, ply, False) >= bound:
            return beta
        bound = int((alpha - margin - offset) / slope)
        if static <= bound + margin and tree.visit(state, shallow, bound, bound + 1, ply, False) <= bound:
            return alpha
        return None

    def successors(state, depth, ply, node):
        """The moves, ordered by the evaluation after them and by history."""
        own, opp, left = state[4], state[5], state[6] - 1
        ends, first, open_window = ends_at[ply], node[TABLE_MOVE], node[BETA] - node[ALPHA] > 1
        judge, moves = depth >= _EVALUATE_FROM or open_window, []
        for square in squares:
            if ends & moving[square]:
                turned, gained, _ = flips[square][(opp + (opp & step[square])) & own]
                after, before = opp ^ turned, own | gained
                if square == first:
                    rank = -INFINITY
                elif judge:
                    rank = evaluate(after, before, left) - (scores[square] >> 4)
                else:
                    rank = -scores[square]
                moves.append((rank, square, after, before))
        moves.sort()
        keyed = depth > _TABLE_FROM or open_window
        for _, square, after, before in moves:
            yield square, (key_of(after, before) if keyed else 0, 0, 0, False, after, before, left), depth - 1, 0
            if node[ALPHA] >= node[BETA]:
                reward(square, depth)
                return

    def assess(state, ply):
        return evaluate(state[4], state[5], state[6]), False

    def complete(depth):
        """Did every line reach the end of the game?"""
        return depth >= position.empties

    kernel = Kernel(position)
    kernel.root_state, kernel.successors, kernel.assess = root_state, successors, assess
    kernel.settle, kernel.complete = settle, complete
    kernel.merge_point = ()        # few paths lead through these successors
    if probcut:
        kernel.shortcut, kernel.shortcut_from = shortcut, _PROBCUT_FROM
    return kernel
