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

from time import perf_counter

from search import interpreter
from search.budget import Budget
from search.table import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random
    from typing import Any

    from games.base import Game, Line, Position
    from games.kernel import Kernel
    from games.solver import RootSolver
    from games.types import Check, MakeKernel, Move, Options, Table, Tree
    from games.types import Context as AnyContext
    from search.clock import Clock
    from search.limits import Limits
    from search.pvs import TreeSearch
    from search.threads.abdada import Marks
    from search.threads.progress import Iteration

# Seconds between two looks at the clock and the stop flag.
CHECK_INTERVAL = 0.002
# When fewer than this many of them are left before the deadline, looks come more often.
_CLOSE = 2
_FIRST_CHECK = 16
_FAR = 1 << 60


class Stopped(Exception):
    """The search has to end now."""


class Context:
    """The budget, memory and options of one search.

    limits: the Limits of the search.  clock: its Clock.
    options: {name: value} of all options.
    memory: a dict that lives as long as the game does.  A game keeps there what later
        searches can use (its keys begin with the game's name).  Cleared by a new game, by
        `Clear Hash` and when `Hash` changes.
    megabytes: what all tables of the game may take together.
    root_moves: the moves to choose from.
    table(name, ...): a table that earlier searches of the game filled, or a new one:
        Tables.table of search/table.py.
    """

    def __init__(self, limits: Limits, clock: Clock, options: Options | None = None,
                 memory: dict[str, Any] | None = None, megabytes: float = 16,
                 root_moves: list[Move] | None = None) -> None:
        self.limits, self.clock = limits, clock
        self.options: Mapping[str, Any] = {} if options is None else options
        self.memory: dict[str, Any] = {} if memory is None else memory
        self.table: Callable[..., Table] = Tables(megabytes, self.memory).table
        self.root_moves: list[Move] = [] if root_moves is None else root_moves
        self.stop_requested = False
        self.nodes = 0                  # as of the last check, in this phase of the search
        self.earlier_nodes = 0          # of the phases before
        self.node_limit = limits.nodes or _FAR
        self.depth_limit = limits.depth or _FAR     # of iterative deepening, in plies
        self.random: Random             # set by whoever sets options that ask for choices
        self.longest_gap = 0.0          # seconds between two looks at the clock, at worst
        # Called with the node count about once a second.
        self.on_tick: Callable[[int], None] | None = None
        # Called with the events of a traced tree search.
        self.on_trace: Callable[[tuple[Any, ...]], None] | None = None
        self.number = 0                 # of a helper's search; 0 is the search itself
        self.deepest = _FAR             # the last iteration, once there are such
        self._interval = _FIRST_CHECK
        self._hurries = False           # is the deadline close?
        self._last = perf_counter()
        self._next_tick = self._last + 1.0

    def postpone(self, seconds: float) -> None:
        """Start the time so much later: another search had to finish first."""
        self.clock.begin(self.clock.started + seconds)
        self._last += seconds
        self._next_tick += seconds

    def check(self, nodes: int) -> int:
        """Look at the stop flag, the node limit and the clock; the node count of the next look.

        The distance to the next look follows the measured speed, so that looks come
        about every CHECK_INTERVAL seconds whatever a node costs.  It has no influence
        on what a search finds.
        """
        now = perf_counter()
        passed = now - self._last
        self._last = now
        if passed > self.longest_gap and self.nodes:    # not the first: it loads and makes tables
            self.longest_gap = passed
        if (self.stop_requested or nodes >= self.node_limit
                or now >= self.clock.hard_deadline):
            self.nodes = max(nodes, self.nodes)
            raise Stopped
        done, self.nodes = nodes - self.nodes, nodes
        if passed < CHECK_INTERVAL / 2 and done >= self._interval:
            self._interval = min(self._interval * 2, 1 << 16)
        elif passed > CHECK_INTERVAL * 2:
            self._interval = max(self._interval // 2, 1)
        if now >= self._next_tick:
            self._next_tick = now + 1.0
            if self.on_tick is not None:
                self.on_tick(nodes)
        following = nodes + self._interval
        left = self.clock.hard_deadline - now
        if not self._hurries and interpreter.is_close(left, left + now - self.clock.started):
            self._hurries = True
            interpreter.avoid_pauses()
        if left < CHECK_INTERVAL * _CLOSE:
            sooner = max(int(done * left / max(passed, 1e-9) / 2), 1)
            following = min(following, nodes + sooner)
        return min(following, self.node_limit)

    def next_phase(self) -> None:
        """Begin a phase that counts its nodes from 0 (the main search after the solver)."""
        self.earlier_nodes += self.nodes
        self.node_limit -= self.nodes
        self.nodes, self._interval = 0, _FIRST_CHECK

    # ---- helpers, where there are any (search/threads) ------------------------------------------

    def start_helpers(self) -> None:
        """Have the helpers search, too."""

    def stop_helpers(self) -> None:
        """Have the helpers stop."""

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs."""
        self.clock.ponderhit()

    def marks(self) -> Marks | None:
        """What the processes are searching; None where there is but one."""
        return None

    def found(self) -> Iteration | None:
        """The best Iteration of the helpers so far, None where there is none."""
        return None

    def nodes_of_helpers(self) -> int:
        """How many nodes they have visited."""
        return 0

    def next_depth(self, depth: int, deepest: int) -> int:
        """Which iteration comes next, from `depth` on: a later one where helpers do that one."""
        return depth

    def finished(self, lines: list[Line], depth: int, final: bool) -> None:
        """An iteration has come to these lines.  final: nothing is left to be found out."""

    def seconds_left(self) -> float | None:
        """Seconds until the search should have its answer; None where there is no such time."""
        return self.clock.seconds_left()

    def budget(self, share: float, nodes: int = 0) -> Budget:
        """This share (0 to 1) of the time and the nodes that are left.

        nodes: what the solver that asks has counted so far.
        """
        return Budget(self, share, nodes)

    def tree_search(self, position: Position, kernel: MakeKernel | None = None,
                    table: Table | None = None, check: Check | None = None) -> TreeSearch:
        """The search of search/pvs.py below the root moves of `position`.

        In its game's table, with its kernel and within this budget, unless others are
        named: kernel(position, context, tree), table, check(nodes).
        """
        from search.pvs import TreeSearch

        return TreeSearch(position, kernel or kernel_of,
                          table or self.search_table(position.game), self, check)

    def search_table(self, game: Game) -> Table:
        """The table of the main search: what the game's solver leaves of the megabytes."""
        return self.table("search", 1.0 - game.solver_share)

    def exact_search(self, solver: RootSolver) -> Iterator[Line]:
        """The Lines of search/exact.py with a game's RootSolver: what `solve` may return."""
        from search.exact import ExactSearch

        return ExactSearch(solver, self).lines()


def kernel_of(position: Position, context: AnyContext, tree: Tree) -> Kernel:
    """The Kernel that searches `position`: its game's own, or the plain one.

    The plain one, too, where the position evaluates by a file of weights.
    """
    kernel = None if position.learned else position.game.kernel(position, context, tree)
    if kernel is None:
        from search import plain

        kernel = plain.build(position, tree)
    return kernel
