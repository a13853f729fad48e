"""One search from its start to its answer: runs the function that the options choose, and reports.

A search is a function search(position, context, answer) that fills the SearchAnswer and returns
when it is complete or has to stop.  The searches are in root.py and lecture.py.  levels.py can add
a choice among the lines, or replace the search by one that overlooks replies, as a person does.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter

from games.base import MAX_SCORE
from games.solver import Line
from search import interpreter
from search.lecture import chosen_techniques, deepen_by_negamax, search_tree
from search.levels import choose_among, level_of, overlook, varies
from search.report import Report
from search.root import deepen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Position
    from games.types import Move, Options
    from search.context import Context

    Search = Callable[[Position, Context, "SearchAnswer"], None]


def chosen_search(position: Position, options: Options) -> Search:
    """Return the search that the game and the options ask for."""
    search: Search = deepen
    if position.game.textbook:
        search = search_tree
    elif chosen_techniques(options) is not None:
        search = deepen_by_negamax
    if not varies(position, options):
        return search
    if search is deepen and level_of(position.game, options) < 0:
        return overlook
    return partial(choose_among, search)


def think(
    position: Position,
    context: Context,
    report: Callable[[Report], None],
    search: Search | None = None,
) -> list[Line]:
    """Search `position` (a private copy) within `context`; return its Lines, best first.

    search: by default the one that the context's options ask for.
    report(Report) is called for each new answer.  There must be at least one root move.
    If the game is drawn but can continue, since nobody has claimed the draw, the answer is a
    good move with the score 0.
    """
    answer = SearchAnswer(position, context, report)
    search = search or chosen_search(position, context.options)
    # About once a second, report the move being searched.
    context.watch.on_tick = answer.report
    try:
        seconds = context.watch.deadlines.hard_deadline - perf_counter()
        interpreter.run(partial(search, position, context, answer), seconds)
    finally:
        context.helpers.stop()
        context.watch.on_tick = None  # so that the context doesn't keep the whole search alive
    return answer.final()


class SearchAnswer:
    """The answer of a search so far, and the reports of it.

    lines: best Line first.
    line_count: the number of lines to report.  candidates: the number of lines to search.
    is_choice: is the answer picked from the lines after the search?  It may not be the best line.
    current: the root move being searched, as (move, number from 1), or None.
    counters: returns (nodes, seldepth, hashfull) of the search in progress.
    """

    def __init__(
        self, position: Position, context: Context, on_report: Callable[[Report], None]
    ) -> None:
        self.lines: list[Line] = []
        self.line_count: int = context.options.get("MultiPV", 1)
        self.candidates, self.is_choice = self.line_count, False
        self.current: tuple[Move, int] | None = None
        self.counters: Callable[[], tuple[int, int, int]] | None = None
        self._context, self._on_report = context, on_report
        self._limit, self._drawn = position.game.scores.best, position.outcome() is not None
        # Computed before the search: a stopped search leaves its moves on `position`.
        self._static = position.judge().evaluate()

    def take(self, line: Line) -> None:
        """Add a line to the answer; a line with multipv 1 begins a new answer."""
        if line.multipv == 1:
            self.lines = []
        self.lines.append(line)
        if line.multipv <= self.line_count:
            self.report(line)

    def set(self, lines: list[Line]) -> None:
        """Make `lines` the answer, best first, and report those that are to be shown."""
        self.lines = lines
        for rank, line in enumerate(lines, 1):
            line.multipv = rank
        for line in lines[: self.line_count]:
            self.report(line)

    def set_any(self, move: Move) -> None:
        """Answer with `move`, whatever it is worth, if there is no answer yet."""
        if not self.lines:
            self.set([Line(self._static, [move], 1)])

    def reach(self, depth: int) -> None:
        """Report the final lines again as lines of this depth, which some front ends wait for.

        Do nothing if they have this depth already, or if one of them will be chosen (is_choice).
        """
        if self.is_choice or self.lines[0].depth >= depth:
            return
        for line in self.lines[: self.line_count]:
            self.report(Line(line.score, line.moves, depth, line.exact, line.multipv, line.bound))

    def report(self, line: Line | None = None) -> None:
        """Report a line; by default only the progress."""
        context = self._context
        nodes = 0
        seldepth = len(line.moves) if line else 0
        hashfull = 0
        if self.counters is not None:
            nodes, seldepth, hashfull = self.counters()
        watch, shown = context.watch, None if line is None else self._shown(line)
        nodes = watch.earlier_nodes + max(watch.nodes, nodes) + context.helpers.nodes()
        seconds, current = watch.deadlines.elapsed(), None if line else self.current
        self._on_report(Report(shown, nodes, seconds, seldepth, hashfull, current))

    def _shown(self, line: Line) -> Line:
        """Return a line as reported: score 0 in a drawn game, estimates clamped to scores.best."""
        score, bound = line.score, line.bound
        if self._drawn:
            score, bound = 0, ""
        elif abs(score) <= MAX_SCORE:  # an estimate, not a proven score
            score = max(-self._limit, min(score, self._limit))
        return Line(score, line.moves, line.depth, line.exact, line.multipv, bound)

    def final(self) -> list[Line]:
        """Return the lines as they were reported."""
        return [self._shown(line) for line in self.lines]
