"""The output of a search: Reports of its progress, and its Result."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Position
    from games.solver import Line
    from games.types import Move

    OnReport = Callable[["Report", Position], None]
    OnDone = Callable[["Result"], None]


class Report:
    """A report of a running search.

    line: the Line found; None for a report of progress alone.
    seconds: since the start.  seldepth: at least the line's depth.
    hashfull: permille of the table in use.
    current: the root move being searched, as (move, number from 1), or None.
    """

    def __init__(
        self,
        line: Line | None,
        nodes: int,
        seconds: float,
        seldepth: int = 0,
        hashfull: int = 0,
        current: tuple[Move, int] | None = None,
    ) -> None:
        self.line = line
        self.nodes = nodes
        self.seconds = seconds
        self.seldepth = seldepth if line is None else max(seldepth, line.depth)
        self.hashfull, self.current = hashfull, current

    @property
    def speed(self) -> int:
        """Return the number of nodes per second."""
        return round(self.nodes / max(self.seconds, 0.001))


class Result:
    """The result of a search.

    lines: Lines, best first; empty if the game is over.
    position: a copy of the one searched.
    nodes: number visited in all phases of the search; 0 if the caller doesn't pass it.
    """

    def __init__(self, lines: list[Line], position: Position, nodes: int = 0) -> None:
        self.lines = lines
        self.position = position
        self.nodes = nodes

    @property
    def best_move(self) -> Move:
        """Return the best move of a game that is not over."""
        return self.lines[0].moves[0]

    @property
    def move(self) -> Move | None:
        """Return the best move, None if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def ponder(self) -> Move | None:
        """Return the opponent's expected reply.

        None if it is unknown or the same player moves again.
        """
        moves = self.lines[0].moves[:2] if self.lines else []
        if len(moves) < 2:
            return None
        side = self.position.side
        self.position.make(moves[0])
        replies = self.position.side != side
        self.position.undo()
        return moves[1] if replies else None
