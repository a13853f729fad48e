"""The main search of chess, in place of search/alphabeta.py: the door between the general driver and tree.py.

Scores inside are those of scores.py; here a mate in n becomes WIN - n.
"""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.chess.evaluation import network
from games.chess.history import new_history
from games.chess.margins import REDUCTIONS
from games.chess.scores import INFINITY, MATE, MATED_SOON
from games.chess.tree import build


class ChessSearch:
    """The door of search/context.py: searches one root move after the other."""

    def __init__(self, position, context):
        memory = context.memory
        if "chess.history" not in memory:
            memory["chess.history"] = new_history()
        self._table = context.table("chess.table")
        self._position, self._network = position, network()
        self._mate, self._depth = context.limits.mate, 0
        self._visit, self._quiesce, self._has_move, self._lines, self._counters = build(
            position, context, self._table, memory["chess.history"])

    def begin(self, depth):
        """A new iteration starts."""
        self._depth = depth
        self._counters(anew=True)

    def try_move(self, move, number, depth, alpha, beta):
        """The score of a root move, the `number`th, for its mover, the replies searched `depth` plies deep (fail-soft)."""
        position, alpha, beta = self._position, _inward(alpha), _inward(beta)
        position.make(move)
        gives = position.in_check()
        deeper, less = depth + gives, 0
        if (beta - alpha == 1 and deeper > 2 and number > 4 and not gives and self._mate is None
                and not position.past[-1][1]):
            less = REDUCTIONS[min(deeper + 1, 63)][min(number - 1, 63)] // 2
        accumulator = self._network.accumulate(position.board_squares)
        score = self._reply(move, max(deeper - less, 0), alpha, beta, gives, accumulator)
        if less and score > alpha:
            score = self._reply(move, deeper, alpha, beta, gives, accumulator)
        position.undo()
        return _outward(score)

    def _reply(self, move, depth, alpha, beta, in_check, accumulator):
        """The score of a root move that was made, for its mover."""
        position = self._position
        self._lines[1] = []
        seen = accumulator >> self._network.squares
        if position.fifty >= 8 and position.repetitions() >= 2 or not depth and not (
                self._has_move(position.side, position.ep, seen) or position.legal_moves()):
            return 0
        total = self._network.sum_up(accumulator)
        if not depth:
            return -self._quiesce(position.side, -beta, -alpha, 1, position.key, accumulator, position.ep, total)
        to = move >> 6 & 63
        return -self._visit(position.side, depth, -beta, -alpha, 1, position.key, accumulator, position.rights,
                            position.ep, position.fifty, in_check, position.board_squares[to] << 6 | to, True, total)

    def reply_line(self):
        """The principal variation after the move tried last."""
        return self._lines[1][:]

    def nodes(self):
        """Positions visited."""
        return self._counters()[0]

    def seldepth(self):
        """The deepest ply visited since begin()."""
        return self._counters()[1]

    def complete(self):
        """A search with horizon proves nothing, but one for a mate in N prunes nothing and sees all of them."""
        return self._mate is not None and self._depth >= 2 * self._mate - 1

    def hashfull(self):
        """How full the table is, in permille."""
        return self._table.hashfull()


def _inward(score):
    if score > MAX_SCORE:
        return min(score - WIN + MATE, INFINITY)
    if score < -MAX_SCORE:
        return max(score + WIN - MATE, -INFINITY)
    return max(-MATED_SOON, min(MATED_SOON, score))


def _outward(score):
    if score > MATED_SOON:
        return score - MATE + WIN
    if score < -MATED_SOON:
        return score + MATE - WIN
    return score
