"""Iterative deepening, which finds a best move within a budget.

    the game's solver -> depth 1, 2, 3, ... until the budget is spent or the score is proven

Each depth searches the root moves with a principal variation search inside an
aspiration window; with MultiPV the best move is then left out and the other moves are searched
again.  search/pvs.py searches the tree below the root.  At a first reading, follow _deepen(),
_aspiration() and _search_moves().

If other processes search the same position (search/threads), each takes over what another process
has finished (`_take_over`): an iteration is not searched twice, a proven result ends the search,
and when time runs out the deepest finished iteration is the answer.
"""

from __future__ import annotations

from games.base import INFINITY, MAX_SCORE, WIN, overrides
from games.kernel import MAX_PLY
from games.ordering import reorder_for_helper
from games.solver import Line
from search.context import Iteration
from search.limits import FAR, Stopped
from search.report import mate_moves
from search.root_moves import better_moves, root_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from games.types import Move, Score
    from search.context import Context
    from search.pvs import TreeSearch
    from search.think import SearchAnswer

# The aspiration window around the last score.  _WINDOW: half of its initial width.  _GROWTH: the
# factor by which it grows if the score falls outside.  _WINDOW_FROM: the first depth that uses it.
_WINDOW = 30
_GROWTH = 4
_WINDOW_FROM = 4

# Factors for the planned time: _STABLE if the best move is stable, _UNSTABLE if it has changed
# _OFTEN times (see RootSearch._changes).  If the score fell by more than _FALL, either factor is
# multiplied by _FALLING.
# (Together with the clock's other rules they gain 89 Elo at chess over an equal share of the clock
# for each move: docs/lab/chess.md.)
_STABLE = 0.7
_UNSTABLE = 1.6
_FALLING = 1.4
_OFTEN, _FALL = 1.5, 40
# With a single legal move, _FORCED is the factor for the planned time from depth _FORCED_FROM on:
# further depths only improve the score and the expected reply.
_FORCED, _FORCED_FROM = 0.1, 5

# A search for mate in N goes on for this many plies beyond the mate's length before it gives up,
# since reductions may hide the mate at lower depths.
_MATE_MARGIN = 4


def deepen(position: Position, context: Context, answer: SearchAnswer) -> None:
    """Fill in the answer, by the game's solver or by iterative deepening."""
    RootSearch(position, context, answer).run()


class _TakenOver(Exception):
    """Raised between two root moves if another process has finished the iteration."""


def last_depth(position: Position, context: Context) -> int:
    """Return the last depth to search."""
    depth = min(context.depth_limit, position.game.max_plies or MAX_PLY, MAX_PLY)
    mate = context.limits.mate
    return min(depth, 2 * mate + _MATE_MARGIN) if mate else depth


class RootSearch:
    """One search from the root."""

    def __init__(self, position: Position, context: Context, answer: SearchAnswer) -> None:
        self.position = position
        self.context = context
        self.answer = answer
        self.moves = root_moves(position, context, answer.line_count)
        # _partial: the best Line of a depth that is not finished.
        # _depth, _deepest: the last finished depth, and the last depth to search.  Until
        # deepening begins, both are FAR, which exceeds every depth: then a result of another
        # process is adopted only if it is final.
        # _final: is the result expected to stay the same at greater depths?
        # _changes: number of changes of the best move, halved at each depth.
        # _time_factor: the factor for the planned time, updated after each depth.
        self._partial: Line | None = None
        self._depth = self._deepest = FAR
        self._final = False
        self._changes = 0.0
        self._time_factor = 1.0

    # ---- the whole search ------------------------------------------------------------

    def run(self) -> None:
        """Search, and fill the answer."""
        try:
            self.context.helpers.start(self.position, self.context)
            depth = self._solve()
            if not self._final:
                self._deepen(depth)
            complete = self._final or self._depth >= self._deepest
        except Stopped:
            taken_over = self._take_over()
            if not taken_over:
                self._keep_partial()
            complete = taken_over and self._final
        if complete:
            self.answer.reach(self.context.limits.depth_to_report())
        self.answer.set_any(self.moves[0])

    def _solve(self) -> int:
        """Run the game's solver, if it has one; return the depth from which deepening goes on.

        Each of its Lines is the answer so far.  If the last one is exact, the result is final.
        The solver isn't run if one of several lines will be chosen after the search (is_choice).
        """
        if self.answer.is_choice or not overrides(self.position, "solve"):
            return 0
        estimate: Line | None = None
        for line in self.position.solve(self.context):
            if line.multipv == 1 and not (line.exact or line.bound):
                estimate = line
            self.answer.take(line)
            self._final = line.exact
        if self._final:
            self._publish(self.answer.lines[0].depth)
        self.context.watch.next_phase()
        # The solver has removed refuted moves from context.root_moves.
        not_refuted = set(self.context.root_moves)
        open_moves = [move for move in self.moves if move in not_refuted]
        if len(open_moves) >= self.answer.line_count:
            self.moves = open_moves
        return estimate.depth if estimate is not None and estimate.moves[0] in self.moves else 0

    def _deepen(self, depth: int) -> None:
        """Search deeper than `depth` until the time is spent or the result is final."""
        search, answer = self.context.tree_search(self.position), self.answer
        answer.counters = search.counters
        self._order_moves()
        self._deepest = last_depth(self.position, self.context)
        self._depth = depth
        while self._depth < self._deepest and not self._final:
            before = answer.lines[0] if answer.lines else None
            self._iterate(search)
            self._time_factor = self._factor_after(before, answer.lines[0])
            if self.context.watch.deadlines.spent(self._time_factor):
                return

    def _iterate(self, search: TreeSearch) -> None:
        """Search the next depth and make its lines the answer.

        Stop if another process has finished this depth in the meantime.
        """
        depth = self._depth + 1
        search.begin(depth)
        self._partial = None
        try:
            lines = self._best_lines(search, depth)
        except _TakenOver:
            return
        self.answer.set(lines)
        self._depth = depth
        self._final = self._is_final(search, depth)
        self._publish(depth)

    def _publish(self, depth: int) -> None:
        """Publish a finished iteration to the other processes."""
        final = self._final or depth >= self._deepest
        self.context.helpers.finished(Iteration(self.answer.lines, depth, final))

    def _take_over(self) -> bool:
        """Return whether another process's iteration is deeper or final; if so, make it the answer.

        The next iteration searches the first moves of these lines first.
        """
        iteration = self.context.helpers.best
        if iteration is None:
            return False
        deeper = iteration.depth > self._depth and all(
            line.moves[0] in self.moves for line in iteration.lines
        )
        if not (iteration.final or deeper):
            return False
        self.answer.set(iteration.lines)
        self._put_first(iteration.lines)
        self._final = iteration.final
        self._depth = min(iteration.depth + self.context.helpers.lead, self._deepest - 1)
        return True

    def _best_lines(self, search: TreeSearch, depth: int) -> list[Line]:
        """Return the requested number of lines at `depth`, best first.

        Each is searched without the first moves of the better lines.
        """
        lines: list[Line] = []
        moves = self.moves[:]
        while moves and len(lines) < self.answer.candidates:
            if lines and self.context.watch.deadlines.spent(self._time_factor):
                raise Stopped  # the best line is known; the others get no extra time
            known = self.answer.lines[len(lines) :]
            guess = known[0].score if known else None
            line = self._aspiration(search, moves, depth, guess)
            lines.append(line)
            moves = [move for move in moves if move != line.moves[0]]
        lines.sort(key=lambda line: -line.score)
        self._put_first(lines)
        return lines

    def _put_first(self, lines: list[Line]) -> None:
        """Move the first moves of these lines to the front, for the next depth."""
        first = [line.moves[0] for line in lines]
        self.moves = first + [move for move in self.moves if move not in first]

    # ---- one depth -------------------------------------------------------------------

    def _aspiration(
        self, search: TreeSearch, moves: list[Move], depth: int, guess: Score | None
    ) -> Line:
        """Search with a narrow window around `guess`; widen it while the score falls outside.

        Without this window chess takes 1.17 times as many nodes, Othello 0.97 times.
        """
        width = _WINDOW
        alpha, beta = -INFINITY, INFINITY
        if guess is not None and depth >= _WINDOW_FROM and abs(guess) < MAX_SCORE:
            alpha, beta = guess - width, guess + width
        while True:
            line = self._search_moves(search, moves, depth, alpha, beta)
            if alpha < line.score < beta:
                return line
            width *= _GROWTH
            if line.score <= alpha:
                alpha = max(line.score - width, -INFINITY)
            else:
                beta = min(line.score + width, INFINITY)
            if width > MAX_SCORE or abs(line.score) > MAX_SCORE:
                alpha, beta = -INFINITY, INFINITY

    def _search_moves(
        self, search: TreeSearch, moves: list[Move], depth: int, alpha: Score, beta: Score
    ) -> Line:
        """Search the root moves by principal variation search; move the best ones to the front."""

        def search_move(move: Move, number: int, low: Score, high: Score) -> Score:
            if self._take_over():
                raise _TakenOver
            self.answer.current = (move, number)
            return search.try_move(move, number, depth - 1, low, high)

        best = Line(alpha, [], depth)
        for move, score, exact in better_moves(moves, alpha, beta, search_move, search.busy):
            best = Line(score, [move] + (search.reply_line if exact else []), depth)
            if score > alpha:
                moves.remove(move)
                moves.insert(0, move)
                if len(moves) == len(self.moves):  # searching for the first line, not a later one
                    self._partial = best
        return best

    # ---- when to stop ----------------------------------------------------------------

    def _is_final(self, search: TreeSearch, depth: int) -> bool:
        """Is the result expected to stay the same at every greater depth?"""
        limits, lines = self.context.limits, self.answer.lines
        if search.complete():
            return True
        if limits.mate:
            mate = mate_moves(lines[0].score, self.position, lines[0].moves)
            if mate is not None and 0 < mate <= limits.mate:
                return True
        # A deeper search hardly ever shortens a mate that lies within the depth.
        return all(abs(line.score) > MAX_SCORE and WIN - abs(line.score) <= depth for line in lines)

    def _factor_after(self, before: Line | None, best: Line) -> float:
        """Return the factor for the planned time.

        It is larger while the best move changes or the score falls.
        """
        self._changes *= 0.5
        if len(self.moves) == 1 and best.depth >= _FORCED_FROM:
            return _FORCED
        if before is None:
            return 1.0
        if before.moves[0] != best.moves[0]:
            self._changes += 1.0
        factor = _STABLE + (_UNSTABLE - _STABLE) * min(self._changes, _OFTEN) / _OFTEN
        return factor * _FALLING if best.score < before.score - _FALL else factor

    def _keep_partial(self) -> None:
        """Use a better move that the interrupted depth has found.

        Report the answer again, with the final node count and time.
        """
        partial, lines = self._partial, self.answer.lines
        if partial is not None and (not lines or partial.moves[0] != lines[0].moves[0]):
            other_lines = [line for line in lines if line.moves[0] != partial.moves[0]]
            if partial.score < -MAX_SCORE:  # a move not searched yet may be better
                partial.bound = "lower"
            else:  # no other move is better, so cap the others' earlier scores at this move's score
                for line in other_lines:
                    line.score = min(line.score, partial.score)
            lines = ([partial] + other_lines)[: max(1, len(lines))]
        self.answer.set(lines)

    def _order_moves(self) -> None:
        """Order the moves before any search: the solver's move, then the game's own order."""
        position = self.position
        if overrides(position, "order_moves"):
            order = dict(zip(self.moves, position.order_moves(self.moves)))
            self.moves.sort(key=lambda move: -order[move])
        if self.answer.lines:
            best = self.answer.lines[0].moves[0]
            self.moves.sort(key=lambda move: move != best)
        if self.context.helpers.number:
            reorder_for_helper(self.moves, self.context.helpers.number)
