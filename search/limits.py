"""The limits of a search."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.types import Move, Side

    Clocks = tuple[float | None, float | None]


class Limits:
    """The limits of one search; None (or False) for no limit.

    depth, nodes, mate: in plies, nodes and the winner's moves.  movetime: seconds.
    clocks: (seconds of player 0, of player 1).  increments: likewise.
    moves_to_go: moves until the next time control.  moves: the root moves to consider, None
    for all.
    infinite: don't answer before stop().
    ponder: don't answer before stop() or ponderhit(), which starts the clock.
    """

    __slots__ = (
        "depth",
        "nodes",
        "mate",
        "movetime",
        "clocks",
        "increments",
        "moves_to_go",
        "moves",
        "infinite",
        "ponder",
    )

    def __init__(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        movetime: float | None = None,
        clocks: Clocks = (None, None),
        increments: tuple[float, float] = (0.0, 0.0),
        moves_to_go: int | None = None,
        moves: Sequence[Move] | None = None,
        infinite: bool = False,
        ponder: bool = False,
    ) -> None:
        self.depth, self.nodes, self.mate, self.movetime = depth, nodes, mate, movetime
        self.clocks, self.increments, self.moves_to_go = clocks, increments, moves_to_go
        self.moves, self.infinite, self.ponder = moves, infinite, ponder

    def timed(self, side: Side) -> bool:
        """Does a clock limit the search of player `side`?"""
        return self.movetime is not None or self.clock_of(side) is not None

    def clock_of(self, side: Side) -> float | None:
        """Return the seconds left to `side`; the opponent's if only that clock is known."""
        own = self.clocks[side]
        return own if own is not None else self.clocks[1 - side]
