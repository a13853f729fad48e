"""Negamax on a Position alone: the step between textbook.py and pvs.py.

One function searches with alpha-beta; TECHNIQUES lists what it may use in addition.  `table`
and `killers` are exact: they find the same value in fewer nodes.  The others leave out what
probably doesn't matter, so their values may differ.  search/pvs.py applies the same ideas, and
faster ones, to kernels.  The option Algorithm lets the engine play by this search (lecture.py).

All wins are worth the same here, however many moves they take.
"""

from __future__ import annotations

from collections import defaultdict

from games.base import INFINITY, MAX_SCORE
from games.entry import EXACT, LOWER, UPPER
from search.limits import FAR
from search.textbook import leaf_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from games.base import Position
    from games.types import Check, Key, Move, Score

# Number of entries of the table, which take about 50 megabytes.
_SLOTS = 1 << 18
# A null move is searched this many plies shallower than other moves.
_NULL_REDUCTION = 2
# Late move reductions: from depth _REDUCE_FROM on, moves after the first _FULL_MOVES are searched a
# ply shallower.
_FULL_MOVES, _REDUCE_FROM = 3, 3


class Negamax:
    """A search of `position`, which it changes and restores.

    techniques: those of TECHNIQUES (games/options.py) that it uses.
    check: see Check in games/types.py.
    nodes: positions visited.  lines[ply]: the principal variation from that ply on.
    """

    def __init__(
        self, position: Position, techniques: Collection[str] = (), check: Check = lambda nodes: FAR
    ) -> None:
        self._position = position
        self._techniques = frozenset(techniques)
        self._check, self._next_check = check, 0
        self.nodes = 0
        self.lines: defaultdict[int, list[Move]] = defaultdict(list)
        # {slot: (key, depth, bound, score, best move)}: a new entry replaces the old one.
        self._table: dict[int, tuple[Key, int, int, Score, Move]] = {}
        self._killers: defaultdict[int, list[Move]] = defaultdict(list)
        self._passed = False  # was the last move a null move?

    def value(
        self, depth: int, alpha: Score = -INFINITY, beta: Score = INFINITY, ply: int = 0
    ) -> Score:
        """Return the value for the side to move, `depth` plies deep.

        Fail-soft: a value of at most alpha is an upper bound, a value of at least beta a lower
        bound.
        """
        position = self._position
        techniques = self._techniques
        old_alpha = alpha
        after_pass, self._passed = self._passed, False
        depth = max(depth, 0)
        if self.nodes >= self._next_check:
            self._next_check = self._check(self.nodes)
        self.nodes += 1
        self.lines[ply] = []
        # The game is over, or the horizon is reached.
        quiet_end = depth == 0 and "quiescence" in techniques
        end = leaf_value(position, None if quiet_end else depth)
        if end is not None:
            return end

        # Table: an earlier visit at the same depth has the answer, or at least the best move.
        # (pvs.py also uses deeper visits.  Their values may differ from the value at this depth,
        # and here a table must not change any value.)
        key, table_move = position.key, -1
        entry = self._table.get(key % _SLOTS) if "table" in techniques else None
        if entry is not None and entry[0] == key:
            _, table_depth, bound, score, table_move = entry
            enough = score >= beta if bound == LOWER else score <= alpha
            if table_depth == depth and (bound == EXACT or enough):
                return score

        # Null move: if even passing reaches beta, some move will.  Two passes in a row would only
        # lose depth, and a win found after a pass is not a proven win.
        if "null-move" in techniques and not after_pass and depth >= 2 and beta < MAX_SCORE:
            passing = position.null_move() if position.null_allowed() else None
            if passing is not None and position.judge().evaluate() >= beta:
                self._passed = True
                score = self.child(passing, depth - 1 - _NULL_REDUCTION, beta - 1, beta, ply)
                if score >= beta:
                    return min(score, MAX_SCORE)

        # Quiescence: no depth is left.  Only captures are searched, and the side to move may
        # instead accept the evaluation (stand pat).
        best, best_move = -INFINITY, table_move
        if quiet_end:
            best, moves = position.judge().evaluate(), position.noisy_moves()
            alpha = max(alpha, best)
            if best >= beta:
                return best
        else:
            moves = position.legal_moves()

        # Late move reductions: late moves are first searched a ply shallower, in a null window, to
        # see whether they beat alpha.  Those that do are searched again in full.
        reduces = "reductions" in techniques and depth >= _REDUCE_FROM and not position.in_check()
        for index, move in enumerate(self._ordered(moves, table_move, ply)):
            reduced = reduces and index >= _FULL_MOVES
            if reduced:
                score = self.child(move, depth - 2, alpha, alpha + 1, ply)
            if not reduced or score > alpha:
                score = self.child(move, depth - 1, alpha, beta, ply)
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    self.lines[ply] = [move, *self.lines[ply + 1]]
            if alpha >= beta:  # a cutoff: the opponent won't allow this position
                self._killers[ply] = [move, *self._killers[ply][:1]]
                break

        if "table" in techniques:
            bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
            self._table[key % _SLOTS] = key, depth, bound, best, best_move
        return best

    def child(self, move: Move, depth: int, alpha: Score, beta: Score, ply: int) -> Score:
        """Return the value after a move made at `ply`, for its mover, who may move again."""
        position, side = self._position, self._position.side
        position.make(move)
        if position.side == side:
            score = self.value(depth, alpha, beta, ply + 1)
        else:
            score = -self.value(depth, -beta, -alpha, ply + 1)
        position.undo()
        return score

    def _ordered(self, moves: Sequence[Move], table_move: Move, ply: int) -> Sequence[Move]:
        """Return the moves: the table's move, killers of this ply, then the game's order."""
        first = [table_move, *(self._killers[ply] if "killers" in self._techniques else ())]
        return sorted(moves, key=lambda move: first.index(move) if move in first else len(first))
