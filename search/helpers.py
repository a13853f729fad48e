"""Who helps a search: nobody, unless `Threads` asks for other processes (search/threads)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Line
    from games.types import Move
    from search.context import Context
    from search.threads.abdada import Marks


class Iteration:
    """What another process found: the `lines` of an iteration, best first.

    final: nothing is left to be found out.
    """

    def __init__(self, lines: list[Line], depth: int, final: bool) -> None:
        self.lines, self.depth, self.final = lines, depth, final


class Overtaken(Exception):
    """Another process has finished the iteration `found`."""

    def __init__(self, found: Iteration) -> None:
        super().__init__()
        self.found = found


class Helpers:
    """The helpers of a search that has none.

    number: of the helper whose search this is; 0: it is the search itself.
    """

    number = 0

    # ---- all along the search --------------------------------------------------------

    def start(self, context: Context) -> None:
        """Have them search, too."""

    def stop(self) -> None:
        """Have them stop."""

    def ponderhit(self, seconds_left: float | None) -> None:
        """The expected move was played, and this time is left; None for no limit."""

    def nodes(self) -> int:
        """How many nodes they have visited."""
        return 0

    def end_search(self, nodes: int) -> bool:
        """Asked at each look at the clock, after so many nodes: does what they found end it?"""
        return False

    def marks(self, context: Context) -> Marks | None:
        """What the processes are searching; None where there is but one."""
        return None

    # ---- iterative deepening ---------------------------------------------------------

    def best(self) -> Iteration | None:
        """The best Iteration of theirs so far, None where there is none."""
        return None

    def sound(self, moves: Sequence[Move]) -> Iteration | None:
        """The same, if it is final or its moves are among those considered here."""
        found = self.best()
        if found is None or found.final or all(line.moves[0] in moves for line in found.lines):
            return found
        return None

    def check_overtaken(self, depth: int, moves: Sequence[Move]) -> None:
        """Raise Overtaken where one of them has finished this iteration, or a later one."""
        found = self.sound(moves)
        if found is not None and found.depth >= depth:
            raise Overtaken(found)

    def common_start(self, depth: int, moves: Sequence[Move]) -> Iteration | None:
        """The iteration before `depth` that all begin this one from; None for the own one."""
        return None

    def next_depth(self, depth: int, deepest: int) -> int:
        """Which iteration comes next, from `depth` on: a later one where helpers do that one."""
        return depth

    def finished(self, lines: list[Line], depth: int, final: bool) -> None:
        """An iteration has come to these lines.  final: nothing is left to be found out."""
