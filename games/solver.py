"""The answers of a search (Lines), and root solvers, which find Lines with search/exact.py.

The values of a RootSolver are the game's own small ints (discs, stones left) for the side to
move.  The solver converts them to scores (games/base.py) when it makes Lines.
"""

from __future__ import annotations

from games.data import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from games.base import Position
    from games.types import Context, ExactSearch, Move, Score


# The share of the tables' megabytes that an exact solver takes; the tree search has the rest.
SOLVER_SHARE = 0.5


class BudgetSpent(Exception):
    """Raised by a solver that has used up its share of the search's budget."""


class Line(Fields):
    """One answer of a search.

    score: for the side to move at the root.  moves: the principal variation, at least its
    first move.  depth: in plies.  exact: is the score proven?  multipv: its rank, from 1 on.
    bound: "lower" or "upper" if the score is only a bound, else "".
    """

    score: Score
    moves: list[Move]
    depth: int
    exact: bool = False
    multipv: int = 1
    bound: str = ""


def book_line(position: Position, context: Context) -> Line | None:
    """Return the Line of a book move; None if there is none, or if no book is to be used.

    The move is the heaviest or, with the option Variety, a random one drawn by weight.  An
    analysis, a search for a mate and a search for several lines don't use a book.
    """
    options, limits = context.options, context.limits
    if not options.get("OwnBook") or options.get("UCI_AnalyseMode"):
        return None
    if limits.infinite or limits.mate or options.get("MultiPV", 1) > 1:
        return None
    entries = [entry for entry in position.book_moves(options) if entry[0] in context.root_moves]
    if not entries:
        return None
    move = entries[0][0]
    if options.get("Variety"):
        moves, weights = zip(*entries)
        move = context.random.choices(moves, weights)[0]
    return Line(position.evaluate(), [move], 1, exact=True)


class RootMove(Fields):
    """A root move and the bounds of its value for the mover: low <= value <= high."""

    move: Move
    low: int
    high: int

    def narrow(self, low: int, high: int) -> None:
        """Narrow the bounds to their intersection with low..high."""
        self.low, self.high = max(self.low, low), min(self.high, high)


class RootSolver:
    """The hooks of one exact search, which `Position.solve` passes to `context.exact_search`.

    moves: the RootMoves to choose from, likely good ones first, with their known bounds.
    root: the position in the form that play() and best_reply() use.
    helper: number of the helper that searches, which decides its order of the root moves
    (games/ordering.py); 0 in the main search.
    """

    moves: list[RootMove] = []
    root: Any = None
    helper = 0

    def lines(self, search: ExactSearch) -> Iterator[Line]:
        """Yield the Lines that `search` finds, later ones better than earlier ones.

        The last Lines are exact, unless the solver gives up or raises BudgetSpent.
        """
        raise NotImplementedError

    def given_up(self, search: ExactSearch) -> Iterator[Line]:
        """Yield the final Lines after BudgetSpent; may remove moves from context.root_moves."""
        return iter(())

    def value(self, move: Move, alpha: int, beta: int) -> int:
        """Return the fail-soft value of a root move, for the mover, in the window alpha, beta."""
        raise NotImplementedError

    def window(self, low: int, high: int) -> tuple[int, int]:
        """Return the next window to search, given that the best value lies in low..high.

        The window lies between low - 1 and high + 1, so that each result narrows the bounds.
        """
        raise NotImplementedError

    def play(self, state: Any, move: Move) -> Any:
        """Return the position after a move in `state`."""
        raise NotImplementedError

    def best_reply(self, state: Any, value: int) -> Move | None:
        """Return a move that keeps the exact value of `state`, None if the game is over."""
        raise NotImplementedError

    def nodes(self) -> int:
        """Return the number of positions visited in this search."""
        raise NotImplementedError
