"""The kernel of draughts for search/pvs.py, on the states of rules.py.

Captures are forced.  A node with a single move is searched a ply deeper.  Quiescence searches all
captures.  If the side to move has none but the opponent threatens to capture, quiescence tries
quiet moves, since the evaluation can't see the loss.
"""

from __future__ import annotations

from math import log

from games.base import INFINITY, MAX_SCORE, WIN
from games.draughts.draws import DRAWS, KINGS, all_pieces, drawn
from games.draughts.rules import ENDS, KING, LOSE
from games.kernel import ALPHA, BEST, BETA, MAX_PLY, STATIC, TABLE_MOVE, Kernel
from games.ordering import History, Killers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.draughts.position import DraughtsPosition
    from games.draughts.rules import State, Step
    from games.types import Context, NodeData, Score, Successor, Tree

_HISTORY_LIMIT = 1 << 14
# The difference between two ranks of moves, larger than any difference of history scores.
_RANK = 4 * _HISTORY_LIMIT
# Futility: up to _FUTILITY_DEPTH, a node skips most moves if its evaluation plus (depth + 1) *
# _FUTILITY_MARGIN doesn't exceed alpha.  It still tries the first move and moves that crown a man.
# Only games without flying kings use futility.
_FUTILITY_DEPTH, _FUTILITY_MARGIN = 3, 60
# ProbCut: if a shallower search exceeds beta by this margin per ply, the full search should reach
# beta, too.
_PROBCUT_MARGIN = 10
# The first _FULL_MOVES moves of a node are not reduced, nor are moves at depths below _REDUCE_FROM.
_FULL_MOVES, _REDUCE_FROM = 3, 3
# _REDUCTIONS[depth][number of the move], in plies.
_REDUCTIONS = [
    [int(0.6 + log(max(depth, 1)) * log(max(number, 1)) / 2.4) for number in range(128)]
    for depth in range(64)
]


def draughts_kernel(position: DraughtsPosition, context: Context, tree: Tree) -> Kernel:
    """Return the Kernel of a search from `position`."""
    game, rules = position.game, position.rules
    captures = rules.captures
    quiets = rules.quiets
    after = rules.after
    can_capture = rules.can_capture
    judge = rules.judge.evaluate
    count = tree.count
    histories = context.memory.setdefault(
        f"draughts {game.columns}", [History(_HISTORY_LIMIT, ENDS + 1) for _ in "WB"]
    )
    killers = Killers(MAX_PLY + 2)
    captures_at: list[list[Step]] = [[] for _ in range(MAX_PLY + 2)]
    king_wins, blocked = game.goal == KING, 1 if game.goal == LOSE else -1
    futility_depth = -1 if game.flying else _FUTILITY_DEPTH
    rules_of_draws, diagonal = DRAWS[game.draws], rules.board.diagonal
    tree.set_path([*(entry[0][0] for entry in position.stack), position.key])

    def quiesce(state: State, alpha: Score, beta: Score, ply: int, dodges: bool = True) -> Score:
        """Return the fail-soft score after captures are played out.

        dodges: if the other side threatens to capture, try quiet moves, too?
        """
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = tree.check(count[0])
        if beta - alpha > 1:
            tree.lines[ply] = []
        if king_wins and state[8]:
            return ply - WIN
        steps = captures(state)
        if not steps:
            score = judge(state)
            if score <= alpha or not dodges or not can_capture(state):
                return score if rules.can_move(state) else blocked * (WIN - ply)
            steps = quiets(state)
        elif ply > count[3]:
            count[3] = ply
        best = blocked * (WIN - ply) if not steps else -INFINITY
        for step in steps:
            score = -quiesce(after(state, step), -beta, -alpha, ply + 1, step[1] > 0)
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        return best

    def evaluate(state: State, ply: int) -> tuple[Score, bool]:
        """Return (static evaluation, must the side to move capture?); store its captures.

        If it must capture, the evaluation is 0, since only the position after the capture counts.
        """
        steps = captures_at[ply] = captures(state)
        return (0, True) if steps else (judge(state), False)

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Iterator[Successor]:
        """Yield moves as Kernel.successors of games/kernel.py describes."""
        history, forced = histories[state[4]], captures_at[ply]
        steps = forced or quiets(state)
        beta, pv_node = node[BETA], node[BETA] - node[ALPHA] > 1
        if len(steps) == 1:
            depth += 1
        else:
            scores, (first, second) = history.scores, killers.at[ply]
            ranks = {node[TABLE_MOVE]: -3 * _RANK, first: -2 * _RANK, second: -_RANK}
            # Captures earn no history scores.  So, after the table's move, they usually keep the
            # order in which rules.py finds them.
            steps = sorted(steps, key=lambda step: ranks.get(step[0], 0) - scores[step[0] & ENDS])
            hope = node[STATIC] + _FUTILITY_MARGIN * (depth + 1)
            if depth <= futility_depth and hope <= node[ALPHA] and not (forced or pv_node):
                node[BEST] = hope
                steps = [step for step in steps if step[2] or step is steps[0]]
        reductions = _REDUCTIONS[min(depth, 63)] if depth >= _REDUCE_FROM and not forced else None
        for number, step in enumerate(steps, 1):
            child = after(state, step)
            if depth > 1:
                reduction = 0
                if reductions is not None and number > _FULL_MOVES:
                    reduction = max(min(reductions[number] - pv_node, depth - 2), 0)
                yield step[0], child, depth - 1, reduction
            else:
                score = -quiesce(child, -beta, -node[ALPHA], ply + 1)
                if score > node[ALPHA]:
                    yield step[0], None, score, 0
                elif score > node[BEST]:
                    node[BEST] = score
            if node[ALPHA] >= beta:
                if not forced:
                    killers.reward(step[0], ply)
                    history.reward(step[0], depth)
                return

    def probcut(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, table_depth: int
    ) -> Score | None:
        """Return a score if a shallower search scores far above beta, else None."""
        if beta - alpha > 1 or captures_at[ply] or abs(beta) > MAX_SCORE:
            return None
        margin = _PROBCUT_MARGIN * depth
        bound = beta + margin
        score = tree.search(state, depth * 2 // 5, bound - 1, bound, ply, False)
        return score - margin if score >= bound else None

    kernel = Kernel(position)
    kernel.root_state = lambda: position.state
    kernel.successors = successors
    kernel.evaluate = evaluate
    kernel.quiesce = quiesce
    if king_wins:  # the other side has won if it has a king
        kernel.early_return = lambda state, depth, alpha, beta, ply, null_allowed: (
            ply - WIN if state[8] else None
        )
    kernel.root_final = lambda state, depth: 0 if position.draw_reason() else None
    kernel.no_moves = lambda state, ply: blocked * (WIN - ply)
    kernel.max_ply = MAX_PLY - 60  # quiescence goes on beyond this ply while there are captures
    kernel.repeats = True
    kernel.drawn = lambda state: (
        drawn(rules_of_draws, all_pieces(state, diagonal), (state[2], 0)) != ""
    )
    kernel.draw_from = min([rule[1] for rule in rules_of_draws if rule[2] == KINGS] or [INFINITY])
    kernel.root_reduction = lambda state, depth, number: int(depth > 3 and number > 3)
    kernel.wants_static = True
    kernel.reverse_futility_depth, kernel.reverse_futility_margin = 3, 60
    kernel.iir_from = 4
    kernel.probcut, kernel.probcut_from = probcut, 4
    tree.evals[0] = evaluate(position.state, 0)[0]
    return kernel
