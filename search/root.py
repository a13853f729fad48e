"""Iterative deepening, which finds a best move within a budget.

    the game's solver -> depth 1, 2, 3, ... until the budget is spent or the score is proven
    -> a choice among good moves, if the options ask for one

Each depth searches the root moves with a principal variation search inside an
aspiration window; with MultiPV the best move is then left out and the other moves are searched
again.  search/pvs.py searches the tree below the root.  At a first reading, follow _deepen(),
_aspiration() and _search_moves().

If other processes search the same position (search/threads), each takes over what another process
has finished (`_take_over`): an iteration is not searched twice, a proven result ends the search,
and when time runs out the deepest finished iteration is the answer.
"""

from __future__ import annotations

from time import perf_counter

from games.base import INFINITY, MAX_SCORE, WIN, overrides
from games.kernel import MAX_PLY
from games.ordering import reorder_for_helper
from games.solver import Line
from search import interpreter
from search.context import Iteration
from search.lecture import chosen_techniques, negamax_lines, tree_lines
from search.limits import FAR, FINAL_DEPTH, Stopped
from search.report import Report
from search.root_moves import best_root_move
from search.variety import Chooser, varies
from search.wdl import mate_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from games.base import Position
    from games.types import Move, Score
    from search.context import Context
    from search.pvs import TreeSearch

# The aspiration window: _WINDOW is half its initial width around the last score, _GROWTH the factor
# by which it grows if the score falls outside, _WINDOW_FROM the first depth that uses it.
_WINDOW = 30
_GROWTH = 4
_WINDOW_FROM = 4

# Factors for the planned time: _STABLE with a stable best move, _UNSTABLE with one that changes
# _OFTEN times (see RootSearch._changes), _FALLING with a score that falls by more than _FALL.
# (Together with the clock's other rules they gain 89 Elo at chess over an equal share of the clock
# for each move: docs/lab/chess.md.)
_STABLE, _UNSTABLE, _FALLING = 0.7, 1.6, 1.4
_OFTEN, _FALL = 1.5, 40
# With a single legal move, _FORCED is the factor for the planned time from depth _FORCED_FROM on:
# further depths only improve the score and the expected reply.
_FORCED, _FORCED_FROM = 0.1, 5

# A search for mate in N goes on for this many plies beyond the mate's length before it gives up,
# since reductions may hide the mate at lower depths.
_MATE_MARGIN = 4


def think(position: Position, context: Context, report: Callable[[Report], None]) -> list[Line]:
    """Search `position` (a private copy) within `context`; return its Lines, best first.

    report(Report) is called for each new answer.  There must be at least one root move.
    If the game is drawn but can continue, since nobody has claimed the draw, the answer is a
    good move with the score 0.
    """
    try:
        search = RootSearch(position, context, report)
        seconds = context.watch.deadlines.hard_deadline - perf_counter()
        return interpreter.run(search.run, seconds)  # with the interpreter tuned for a search
    finally:
        context.watch.on_tick = None  # otherwise the context would refer to the whole search


class _TakenOver(Exception):
    """Raised between two root moves if another process has finished the iteration."""


def _root_moves(position: Position, context: Context) -> list[Move]:
    """Return the root moves: the front end's, else those that the game thinks worth searching.

    If these are fewer than the lines requested, all other moves follow.
    """
    moves = list(context.root_moves)
    if overrides(position, "search_moves") and context.limits.moves is None:
        narrowed = [move for move in position.search_moves() if move in set(moves)]
        if len(narrowed) >= context.options.get("MultiPV", 1):
            return narrowed
        return narrowed + [move for move in moves if move not in narrowed]
    return moves


class RootSearch:
    """One search from the root."""

    def __init__(
        self, position: Position, context: Context, report: Callable[[Report], None]
    ) -> None:
        self.position, self.context, self._on_report = position, context, report
        self.moves = _root_moves(position, context)
        self._line_count: int = context.options.get("MultiPV", 1)  # number of lines to report
        self.lines: list[Line] = []  # the answer so far, best Line first
        self._partial: Line | None = None  # best Line of a depth that is not finished
        self._search: TreeSearch | None = None
        self._current: tuple[Move, int] | None = None
        # The last finished depth, and the last depth to search.  Both are FAR until deepening
        # begins, so that only a final result of another process is taken over before that.
        self._depth = self._deepest = FAR
        self._final = False  # is the result expected to stay the same at greater depths?
        self._preview: Line | None = None  # the solver's last estimate; deepening goes on from it
        self._changes = 0.0  # changes of the best move, halved at each depth
        self._time_factor = 1.0  # scales the planned time; updated after each depth
        self._chooser = Chooser(position, context) if varies(position, context.options) else None
        self._techniques = chosen_techniques(context.options)  # None for the engine's own search
        # Computed before the search: if it is stopped, its moves stay on `position`.
        self._static, self._drawn = position.evaluate(), position.outcome() is not None
        # About once a second, report the move being searched.
        context.watch.on_tick = lambda nodes: self._report(None, self._current)

    # ---- the whole way ---------------------------------------------------------------

    def run(self) -> list[Line]:
        """Return the Lines, best first."""
        if self._chooser is not None:
            watch = self.context.watch
            watch.node_limit = min(watch.node_limit, self._chooser.nodes)
        try:
            self.context.helpers.start(self.context)
            if not self._solve():
                self._deepen()
            if self._chooser is None and (self._final or self._depth >= self._deepest):
                self._reach_depth()
        except Stopped:
            if not self._take_over():
                self._keep_partial()
        if not self.lines:
            self._answer([Line(self._static, [self.moves[0]], 1)])
        if self._chooser is not None:
            self._answer([self._chooser.choose(self.lines)])
        return [self._adjusted(line) for line in self.lines]

    def _solve(self) -> bool:
        """Run the game's solver or a search of lecture.py; return whether its answer is final.

        Return False if the game has no solver, or if its solver may not choose the move.
        """
        position, context = self.position, self.context
        if position.game.textbook:
            return self._take(tree_lines(position, context))
        if self._techniques is not None:
            depth, count = self._last_depth(), self._candidate_count()
            self._take(negamax_lines(position, context, self._techniques, count, depth))
            return True
        if self._chooser is not None or not overrides(position, "solve"):
            return False
        return self._take(position.solve(context))

    def _take(self, lines: Iterable[Line]) -> bool:
        """Take each of a solver's Lines as the answer so far; return whether the last is exact."""
        exact = False
        for line in lines:
            if line.multipv == 1:
                self.lines = []
                if not (line.exact or line.bound):
                    self._preview = line
            self.lines.append(line)
            if line.multipv <= self._line_count:
                self._report(line)
            exact = line.exact
        self._final = exact
        if exact:
            self._publish(self.lines[0].depth)
        self.context.watch.next_phase()
        # The solver has removed refuted moves from context.root_moves.
        not_refuted = set(self.context.root_moves)
        open_moves = [move for move in self.moves if move in not_refuted]
        if len(open_moves) >= self._line_count:
            self.moves = open_moves
        return exact

    def _reach_depth(self) -> None:
        """Report the final lines again at the requested depth: some front ends wait for it."""
        limits = self.context.limits
        asked = limits.depth or (FINAL_DEPTH if limits.infinite else 0)
        if limits.mate or self.lines[0].depth >= asked:
            return
        for line in self.lines[: self._line_count]:
            self._report(Line(line.score, line.moves, asked, line.exact, line.multipv, line.bound))

    def _deepen(self) -> None:
        """Search deeper and deeper until the time is spent or the result is final."""
        search = self._search = self.context.tree_search(self.position)
        self._order_moves()
        self._deepest, line_count = self._last_depth(), self._candidate_count()
        preview = self._preview
        known = preview is not None and preview.moves[0] in self.moves
        self._depth = preview.depth if preview is not None and known else 0
        while self._depth < self._deepest and not self._final:
            before = self.lines[0] if self.lines else None
            self._iterate(search, line_count)
            self._time_factor = self._factor_after(before, self.lines[0])
            if self.context.watch.deadlines.spent(self._time_factor):
                return

    def _last_depth(self) -> int:
        """Return the last depth to search."""
        depth = min(self.context.depth_limit, self.position.game.max_plies or MAX_PLY, MAX_PLY)
        mate = self.context.limits.mate
        return min(depth, 2 * mate + _MATE_MARGIN) if mate else depth

    def _candidate_count(self) -> int:
        """Return the number of lines to search: those to report, or those to choose a move from."""
        candidates = 1 if self._chooser is None else self._chooser.candidates
        return max(self._line_count, candidates)

    def _iterate(self, search: TreeSearch, line_count: int) -> None:
        """Search the next depth and make its lines the answer.

        Stop if another process has finished this depth in the meantime.
        """
        depth = self._depth + 1
        search.begin(depth)
        self._partial = None
        try:
            lines = self._best_lines(search, depth, line_count)
        except _TakenOver:
            return
        self._answer(lines)
        self._depth = depth
        self._final = self._is_final(search, depth)
        self._publish(depth)

    def _publish(self, depth: int) -> None:
        """Publish a finished iteration to the other processes."""
        final = self._final or depth >= self._deepest
        self.context.helpers.finished(Iteration(self.lines, depth, final))

    def _take_over(self) -> bool:
        """Return whether another process's iteration is deeper or final; if so, make it the answer.

        The next iteration begins with the first moves of its lines.
        """
        iteration = self.context.helpers.best()
        if iteration is None:
            return False
        deeper = iteration.depth > self._depth and all(
            line.moves[0] in self.moves for line in iteration.lines
        )
        if not (iteration.final or deeper):
            return False
        self._answer(iteration.lines)
        self._put_first(iteration.lines)
        self._final = iteration.final
        self._depth = min(iteration.depth + self.context.helpers.lead, self._deepest - 1)
        return True

    def _best_lines(self, search: TreeSearch, depth: int, line_count: int) -> list[Line]:
        """Return the best `line_count` lines at `depth`, best first.

        Each is searched without the first moves of the better lines.
        """
        lines: list[Line] = []
        moves = self.moves[:]
        while moves and len(lines) < line_count:
            if lines and self.context.watch.deadlines.spent(self._time_factor):
                raise Stopped  # the best line is known; the others get no extra time
            guess = self.lines[len(lines)].score if len(self.lines) > len(lines) else None
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
        best = Line(alpha, [], depth)

        def search_move(move: Move, number: int, low: Score, high: Score) -> Score:
            if self._take_over():
                raise _TakenOver
            self._current = (move, number)
            return search.try_move(move, number, depth - 1, low, high)

        def on_better(move: Move, score: Score, exact: bool) -> None:
            nonlocal best
            best = Line(score, [move] + (search.reply_line() if exact else []), depth)
            if score > alpha:
                moves.remove(move)
                moves.insert(0, move)
                if len(moves) == len(self.moves):  # not in the search for a second line
                    self._partial = best

        best_root_move(moves, alpha, beta, search_move, on_better, search.busy)
        return best

    # ---- when to stop ----------------------------------------------------------------

    def _is_final(self, search: TreeSearch, depth: int) -> bool:
        """Is the result expected to stay the same at every greater depth?"""
        limits, lines = self.context.limits, self.lines
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

    # ---- reports ---------------------------------------------------------------------

    def _answer(self, lines: list[Line]) -> None:
        """Make `lines` the answer so far, best first, and report those that are to be shown."""
        self.lines = lines
        for rank, line in enumerate(lines, 1):
            line.multipv = rank
        for line in lines[: self._line_count]:
            self._report(line)

    def _keep_partial(self) -> None:
        """Use a better move that the interrupted depth has found.

        Report the answer again, with the final node count and time.
        """
        partial, lines = self._partial, self.lines
        if partial is not None and (not lines or partial.moves[0] != lines[0].moves[0]):
            other_lines = [line for line in lines if line.moves[0] != partial.moves[0]]
            if partial.score < -MAX_SCORE:  # a move not searched yet may be better
                partial.bound = "lower"
            else:  # no other move is better, so cap the scores of the earlier depth
                for line in other_lines:
                    line.score = min(line.score, partial.score)
            lines = ([partial] + other_lines)[: max(1, len(lines))]
        self._answer(lines)

    def _report(self, line: Line | None, current: tuple[Move, int] | None = None) -> None:
        search, context = self._search, self.context
        nodes, seldepth, hashfull = 0, len(line.moves) if line else 0, 0
        if search:
            nodes, seldepth, hashfull = search.counters()
        watch, shown = context.watch, None if line is None else self._adjusted(line)
        nodes = watch.earlier_nodes + max(watch.nodes, nodes) + context.helpers.nodes()
        self._on_report(
            Report(shown, nodes, watch.deadlines.elapsed(), seldepth, hashfull, current)
        )

    def _adjusted(self, line: Line) -> Line:
        """Return a line as it is reported: 0 in a drawn game, estimates clamped to best_score."""
        score, bound, limit = line.score, line.bound, self.position.game.best_score
        if self._drawn:
            score, bound = 0, ""
        elif abs(score) <= MAX_SCORE:  # an estimate, not a proven score
            score = max(-limit, min(score, limit))
        return Line(score, line.moves, line.depth, line.exact, line.multipv, bound)

    def _order_moves(self) -> None:
        """Order the moves before any search: the solver's move, then the game's own order."""
        position = self.position
        if overrides(position, "order_moves"):
            order = dict(zip(self.moves, position.order_moves(self.moves)))
            self.moves.sort(key=lambda move: -order[move])
        if self.lines:
            best = self.lines[0].moves[0]
            self.moves.sort(key=lambda move: move != best)
        if self.context.helpers.number:
            reorder_for_helper(self.moves, self.context.helpers.number)
