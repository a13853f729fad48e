"""What a search is given: its budget, its memory, and how it learns that it has to stop.

A position's `solve` and a game's `kernel` are handed a `Context`.

`solve(context)` is a generator.  It yields `Line`s (games/base.py), each at least as
good an answer as the one before; the search reports them.  It may give up by returning,
and before that narrow `context.root_moves` to those that it could not refute, or lower
`context.depth_limit` where what was asked for can't be found.  If its last line was
exact the search is over, else iterative deepening uses the time that is left.
`context.seconds_left()` tells how much that is, `context.budget(share)` rations it.
Before each line it sets `context.nodes` to its exact count, so that the same search
reports the same nodes at any speed.

`context.tree_search(position)` is the search of search/pvs.py, for a look ahead.
`context.exact_search(solver)` is the root of an exact search (search/exact.py), for
solvers that prove the values of the root moves.

Solvers count their nodes themselves and call `limit = context.check(nodes)` as soon as
their count has reached the last `limit` (the first time at once).  `check` raises
`Stopped` when the search has to end: let it pass.  The position is a private copy, so
nothing needs to be taken back then.
"""

from __future__ import annotations

from search.helpers import Helpers
from search.table import Tables
from search.watch import FAR, Budget, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random
    from typing import Any

    from games.base import Game, Line, Position
    from games.kernel import Kernel
    from games.solver import RootSolver
    from games.types import Check, MakeKernel, Move, Options, Table, Tree
    from search.clock import Clock
    from search.limits import Limits
    from search.pvs import TreeSearch


class Context:
    """What one search is given.

    When to stop (search/watch.py):
    watch: its Watch, with the Limits and the Clock.  depth_limit: of iterative deepening.

    What is remembered (search/table.py):
    memory: a dict that lives as long as the game does.  A game keeps there what later
        searches can use (its keys begin with the game's name).  Cleared by a new game, by
        `Clear Hash` and when `Hash` changes.
    megabytes: what all tables of the game may take together.
    table(name, ...): a table that earlier searches of the game filled, or a new one:
        Tables.table.

    Who helps (search/helpers.py):
    helpers: its Helpers.

    options: {name: value} of all options.  root_moves: the moves to choose from.
    random: set by whoever sets options that ask for choices.
    on_trace: called with the events of a traced tree search.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        options: Options | None = None,
        memory: dict[str, Any] | None = None,
        megabytes: float = 16,
        root_moves: list[Move] | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        self.helpers = helpers or Helpers()
        self.watch = Watch(limits, clock, self.helpers)
        self.depth_limit = limits.depth or FAR
        self.memory: dict[str, Any] = {} if memory is None else memory
        self.table: Callable[..., Table] = Tables(megabytes, self.memory).table
        self.options: Mapping[str, Any] = {} if options is None else options
        self.root_moves: list[Move] = [] if root_moves is None else root_moves
        self.random: Random
        self.on_trace: Callable[[tuple[Any, ...]], None] | None = None

    @property
    def limits(self) -> Limits:
        """What the search was asked for."""
        return self.watch.limits

    def check(self, nodes: int) -> int:
        """Watch.check."""
        return self.watch.check(nodes)

    @property
    def nodes(self) -> int:
        """Visited in this phase of the search; solvers set it to their exact count."""
        return self.watch.nodes

    @nodes.setter
    def nodes(self, count: int) -> None:
        self.watch.nodes = count

    def seconds_left(self) -> float | None:
        """Seconds until the search should have its answer; None where there is no such time."""
        return self.watch.clock.seconds_left()

    def budget(self, share: float, nodes: int = 0) -> Budget:
        """This share (0 to 1) of the time and the nodes that are left.

        nodes: what the solver that asks has counted so far.
        """
        return Budget(self.watch, share, nodes)

    def tree_search(
        self,
        position: Position,
        kernel: MakeKernel | None = None,
        table: Table | None = None,
        check: Check | None = None,
    ) -> TreeSearch:
        """The search of search/pvs.py below the root moves of `position`.

        In its game's table, with its kernel and within this budget, unless others are
        named: kernel(position, context, tree), table, check(nodes).
        """
        from search.pvs import TreeSearch

        return TreeSearch(
            position, kernel or kernel_of, table or self.search_table(position.game), self, check
        )

    def search_table(self, game: Game) -> Table:
        """The table of the main search: what the game's solver leaves of the megabytes."""
        return self.table("search", 1.0 - game.solver_share)

    def exact_search(self, solver: RootSolver) -> Iterator[Line]:
        """The Lines of search/exact.py with a game's RootSolver: what `solve` may return."""
        from search.exact import ExactSearch

        return ExactSearch(solver, self).lines()


def kernel_of(position: Position, context: Context, tree: Tree) -> Kernel:
    """The Kernel that searches `position`: its game's own, or the plain one.

    The plain one, too, where the position evaluates by a file of weights.
    """
    kernel = None if position.learned else position.game.kernel(position, context, tree)
    if kernel is None:
        from search import plain

        kernel = plain.build(position, tree)
    return kernel
