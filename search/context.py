"""The context of a search: its budget, its memory, and the check that ends it.

A position's `solve` and a game's `kernel` receive a `Context`.

`solve(context)` is a generator.  It yields `Line`s (games/solver.py), each at least as
good an answer as the one before; the search reports them.  If the last line is exact, the search
is over; otherwise iterative deepening uses the remaining time.  For this case, `solve` may remove
the moves that it has refuted from `context.root_moves`.  It may also lower `context.depth_limit`
if deeper searches can't find the requested result.
`context.seconds_left()` returns the remaining time; `context.budget(share)` returns a Budget, which
is a share of the remaining time and nodes.  Before each line the solver sets `context.watch.nodes`
to its exact count, so that the same search reports the same nodes at any speed.

`context.tree_search(position)` returns the search of search/pvs.py, for shallow searches.
`context.exact_search(solver)` runs an exact search (search/exact.py), for solvers that prove
the values of the root moves.

Solvers count their own nodes and call `limit = context.check(nodes)` at the start, and again
as soon as the count reaches `limit`.  `check` raises `Stopped` when the search has to end:
don't catch this exception.  The position is a private copy, so the moves made on it needn't be
undone.
"""

from __future__ import annotations

from games.data import Fields
from search.limits import FAR, Budget, Watch
from search.table import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random
    from typing import Any

    from games.base import Position
    from games.kernel import Kernel
    from games.solver import Line, RootSolver
    from games.types import Check, Move, Options, Table
    from search.limits import Deadlines
    from search.pvs import Tree, TreeSearch
    from search.threads.abdada import Marks


class Iteration(Fields):
    """A finished iteration, as processes send it to each other.

    lines: best first.  depth: in plies.  final: the result can't change any more.
    """

    lines: list[Line]
    depth: int
    final: bool


class Helpers:
    """The interface to a search's helper processes.  This base class is for a search without any.

    number: the number of the helper that runs this search, 0 for the main search.
    lead: number of depths that this process skips when it takes over another process's iteration.
    best: the best Iteration that another process has finished, None before the first.
    """

    number = lead = 0
    best: Iteration | None = None

    def start(self, position: Position, context: Context) -> None:
        """Start the helpers' search of a position."""

    def stop(self) -> None:
        """End the helpers' search."""

    def ponderhit(self, seconds_left: float | None) -> None:
        """Tell the helpers that the expected move was played.  seconds_left: None for no limit."""

    def nodes(self) -> int:
        """Return the number of nodes that the helpers have visited."""
        return 0

    def end_search(self, nodes: int) -> bool:
        """Return whether the result of another process ends the search.

        Called at each check of the clock.  nodes: the search's own count.
        """
        return self.best is not None and self.best.final

    def marks(self, context: Context) -> Marks | None:
        """Return the Marks that all processes of this search share; None if there is only one."""
        return None

    def finished(self, iteration: Iteration) -> None:
        """Publish an iteration of this search."""


class Context:
    """The context of one search.

    Time (search/limits.py):
    limits: its Limits.  depth_limit: the last depth of iterative deepening.
    watch: its Watch, with its Deadlines.  check(nodes): Watch.check().

    Memory (search/table.py):
    memory: a dict that lives as long as the game does.  A game stores there what later
        searches can use (its keys begin with the game's name).  Cleared by a new game, by
        `Clear Hash` and when `Hash` changes.
    megabytes: the limit for all tables of the game together.
    table(name, ...): returns the table that earlier searches of the game filled, or a new one
        (Tables.table).

    Other processes:
    helpers: its Helpers.  setup: what the helpers need to set up the position with its history
        (GameInProgress.for_others).

    options: {name: value} of all options.  root_moves: the moves to choose from.
    random: the source of random choices; required if the options ask for any.
    on_trace(event): called if the option Trace is set (lecture.tree_lines).
    """

    def __init__(
        self,
        deadlines: Deadlines,
        options: Options | None = None,
        memory: dict[str, Any] | None = None,
        megabytes: float = 16,
        root_moves: list[Move] | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        self.helpers = helpers or Helpers()
        self.watch = Watch(deadlines, self.helpers)
        self.check: Check = self.watch.check
        self.limits = deadlines.limits
        self.depth_limit = self.limits.depth or FAR
        self.memory: dict[str, Any] = {} if memory is None else memory
        self.table: Callable[..., Table] = Tables(megabytes, self.memory).table
        self.options: Mapping[str, Any] = {} if options is None else options
        self.root_moves: list[Move] = [] if root_moves is None else root_moves
        self.setup: Mapping[str, Any] = {}
        self.random: Random
        self.on_trace: Callable[[tuple[Any, ...]], None] | None = None

    def seconds_left(self) -> float | None:
        """Return the seconds until the search should answer; None for no limit."""
        return self.watch.deadlines.seconds_left()

    def budget(self, share: float, nodes: int = 0, most: int = FAR) -> Budget:
        """Return a Budget of this share (0 to 1) of the remaining time and nodes.

        nodes: the calling solver's count so far.  most: maximum number of further nodes.
        """
        return Budget(self.watch, share, nodes, most)

    def tree_search(self, position: Position) -> TreeSearch:
        """Return the search of search/pvs.py below the root moves of `position`."""
        from search.pvs import Tree, TreeSearch

        tree = Tree(self.search_table(position), self.check)
        return TreeSearch(kernel_of(position, self, tree), tree, self.helpers.marks(self))

    def search_table(self, position: Position) -> Table:
        """Return the table of the tree search, which gets the megabytes that the solver leaves."""
        return self.table("search", 1.0 - position.solver_share)

    def exact_search(self, solver: RootSolver) -> Iterator[Line]:
        """Return the Lines of an exact search with a game's RootSolver, for `solve` to yield."""
        from search.exact import ExactSearch

        return ExactSearch(solver, self).lines()


def kernel_of(position: Position, context: Context, tree: Tree) -> Kernel:
    """Return the Kernel that searches `position`: its game's own, or the plain one.

    The plain one is also used if a weights file evaluates the position.
    """
    judge = position.judge()
    kernel = position.game.kernel(position, context, tree) if judge is position else None
    if kernel is None:
        from search.plain import plain_kernel

        kernel = plain_kernel(position, tree, judge)
    return kernel
