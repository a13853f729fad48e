"""The types of moves, scores and states, and other types that searches and games share.

They are for type checkers alone: no file imports this one at run time, only under
`if TYPE_CHECKING:`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Protocol

if TYPE_CHECKING:
    from typing_extensions import TypeAlias, Unpack

    from search.context import Context as Context
    from search.exact import ExactSearch as ExactSearch
    from search.limits import Budget as Budget
    from search.limits import Limits as Limits
    from search.pvs import Tree as Tree
    from search.session import Session as Session
    from search.table import Table as Table
    from search.threads.abdada import Marks as Marks

# A number from 0 to 2**20 - 1, whose meaning only the game knows.
Move: TypeAlias = int
# A score for the side to move; WIN - n is a win n plies away.
Score: TypeAlias = int
# The key of a position, below 2**62.
Key: TypeAlias = int
# A player, 0 or 1; player 0 moves first.
Side: TypeAlias = int
# The number of a cell of the board; each game numbers its cells in its own way.
Square: TypeAlias = int
# A cell of the board as (column, row), both from 0.
Cell: TypeAlias = tuple[int, int]
# The rows of a board, rank 1 first; see Position.board().
Board: TypeAlias = Sequence[Sequence[str]]
# {name of an option: its value}.
Options: TypeAlias = Mapping[str, Any]
# How many more moves the side to move may make: (number of those worth thinking time, maximum).
MovesLeft: TypeAlias = tuple[float, int]

# A state: the key, the static evaluation, the plies since the last irreversible move, whether the
# side to move is in check (see games/kernel.py), and whatever else the game's kernel needs.
State: TypeAlias = "tuple[Key, Score, int, bool, Unpack[tuple[Any, ...]]]"
# The data of a node for its successors: ALPHA, BEST, BETA, TABLE_MOVE, STATIC, IMPROVING of
# games/kernel.py.
NodeData: TypeAlias = "list[Any]"
# (move, state after it, its depth, reduction), or (move, None, its score for the
# mover, 0).
Successor: TypeAlias = tuple[Move, Optional[State], int, int]
# search(state, depth, alpha, beta, ply, null_allowed): the score of a node, fail-soft.
SearchNode: TypeAlias = Callable[[State, int, Score, Score, int, bool], Score]
# check(nodes visited): returns the count at which to call it again, or raises Stopped or
# BudgetSpent.
Check: TypeAlias = Callable[[int], int]


Moves: TypeAlias = Iterator[Successor]  # what Kernel.successors yields
Successors: TypeAlias = Callable[[State, int, int, NodeData], Moves]


class Judge(Protocol):
    """An evaluator of a position: the position itself, or learned weights."""

    def evaluate(self) -> Score: ...

    def evaluation_terms(self) -> list[tuple[str, Score]]: ...

    def make(self, move: Move, /) -> None: ...

    def undo(self) -> None: ...
