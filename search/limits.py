"""What a search was asked for."""
from __future__ import annotations


class Limits:
    """The bounds of one search; None (or False) where there is no such bound.

    depth, nodes, mate: in plies, nodes and the winner's moves.  movetime: seconds.
    clocks: (seconds of player 0, of player 1), increments: likewise, moves_to_go: moves until more time comes.
    moves: the root moves to consider, or None for all.
    infinite: don't answer before stop().  ponder: nor before stop() or ponderhit(), which starts the clock.
    """

    __slots__ = ("depth", "nodes", "mate", "movetime", "clocks", "increments", "moves_to_go", "moves",
                 "infinite", "ponder")

    def __init__(self, depth=None, nodes=None, mate=None, movetime=None, clocks=(None, None),
                 increments=(0.0, 0.0), moves_to_go=None, moves=None, infinite=False, ponder=False):
        self.depth, self.nodes, self.mate, self.movetime = depth, nodes, mate, movetime
        self.clocks, self.increments, self.moves_to_go = clocks, increments, moves_to_go
        self.moves, self.infinite, self.ponder = moves, infinite, ponder

    def timed(self, side):
        """Does a clock bound the search of player `side`?"""
        return self.movetime is not None or self.clock_of(side) is not None

    def clock_of(self, side):
        """Seconds left to player `side`; where only the other clock was told, it stands for both."""
        return self.clocks[side] if self.clocks[side] is not None else self.clocks[1 - side]
