"""The search: independent of every protocol and of every particular game.

In reading order:

    textbook            minimax and alpha-beta as in a first lecture
    limits, clock       the limits of a search, and its time
    table               the transposition table
    pvs                 the one tree search, over a kernel; plain: the default kernel
    root, root_moves    iterative deepening, and its loop over the root moves
    variety, wdl        choices other than the best move; what a score means for the result
    context, watch      the data and the helpers of a search; when it has to stop
    exact               the root of exact searches
    session             what front ends can do
    job, worker         searches and how they answer; the thread that does them
    warm_up             preparations for the first search of a game
    interpreter, faults     settings of Python for a search; reports of bugs
    perft, bench        the leaf counts of the rules, the signature of the search
    threads/            several processes that search the same position

`ask` is a search in one call, for programs without a front end.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.base import Line, Position
    from games.types import Move, Options
    from search.context import Context
    from search.job import Report
    from search.limits import Limits


class Answer:
    """The result of a search.

    lines: its Lines, best first.  nodes: visited in all its phases.
    """

    def __init__(self, lines: list[Line], nodes: int) -> None:
        self.lines, self.nodes = lines, nodes

    @property
    def score(self) -> int:
        """Return the score of the best line, for the side to move."""
        return self.lines[0].score

    @property
    def move(self) -> Move:
        """Return the best move."""
        return self.lines[0].moves[0]


def ask(
    position: Position,
    limits: Limits,
    options: Options | None = None,
    memory: dict[str, Any] | None = None,
    megabytes: float = 16.0,
    report: Callable[[Report], None] | None = None,
) -> Answer:
    """Search a position that is not over, and leave it unchanged.

    memory: the dict that searches share (search/context.py); a new one by default.
    report(Report): called for each new answer.
    """
    from search.root import think

    private = None if position.learned else position.copy()
    if private is None:
        private = position.game.parse(position.text(), options or {})
    nodes = 0

    def on_report(found: Report) -> None:
        nonlocal nodes
        nodes = found.nodes
        if report is not None:
            report(found)

    lines = think(private, context_of(private, limits, options, memory, megabytes), on_report)
    return Answer(lines, nodes)


def context_of(
    position: Position,
    limits: Limits,
    options: Options | None = None,
    memory: dict[str, Any] | None = None,
    megabytes: float = 16.0,
) -> Context:
    """Return the Context of a search of `position` within `limits`, whose clock starts now."""
    from search.clock import Clock
    from search.context import Context

    legal = position.legal_moves()
    moves = [move for move in legal if limits.moves is None or move in limits.moves]
    return Context(limits, Clock(limits, position.side), options, memory, megabytes, moves or legal)
