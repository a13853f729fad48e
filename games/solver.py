"""What a game brings to the exact search of search/exact.py: a solver of its root moves.

The values here are the game's own small ints (discs, stones left), from the side that
moves; the solver turns them into the scores of games/base.py when it makes Lines.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from games.base import Line
    from games.types import ExactSearch, Move


class RootMove:
    """A move at the root, and the bounds of its value for the mover: low <= value <= high."""

    __slots__ = ("move", "low", "high")

    def __init__(self, move: Move, low: int, high: int) -> None:
        self.move, self.low, self.high = move, low, high

    def narrow(self, low: int, high: int) -> None:
        """The value is known to lie in low..high, too."""
        self.low, self.high = max(self.low, low), min(self.high, high)


class RootSolver:
    """The hooks of one exact search; `Position.solve` hands it to `context.exact_search`.

    moves: the RootMoves to choose from, likely good ones first, with what is known of
    them.
    root: the position as play() and best_reply() have it.
    number: of the helper whose root moves are to be reordered (games/ordering.py), 0
    for none.
    """

    moves: list[RootMove] = []
    root: Any = None
    number = 0

    def lines(self, search: ExactSearch) -> Iterator[Line]:
        """Ask `search` what this game wants to know, and yield better and better Lines.

        The last ones are exact, unless the solver ends early or raises GiveUp.
        """
        raise NotImplementedError

    def given_up(self, search: ExactSearch) -> Iterator[Line]:
        """The last Lines of a search that raised GiveUp; may narrow context.root_moves."""
        return iter(())

    def value(self, move: Move, alpha: int, beta: int) -> int:
        """The value of a root move, fail-soft against the window."""
        raise NotImplementedError

    def window(self, low: int, high: int) -> tuple[int, int]:
        """The next window to ask for, where the best value lies in low..high.

        At least low - 1 and at most high + 1, so that each answer narrows the bounds.
        """
        raise NotImplementedError

    def cheap_bounds(self, moves: list[RootMove], alpha: int) -> None:
        """Narrow the bounds of `moves` as far as that is cheap, before they are searched."""

    def play(self, state: Any, move: Move) -> Any:
        """The position after a move in `state`."""
        raise NotImplementedError

    def best_reply(self, state: Any, value: int) -> Move | None:
        """A move that keeps the exact value of `state`; None where the game is over."""
        raise NotImplementedError

    def nodes(self) -> int:
        """Positions visited in this search."""
        raise NotImplementedError
