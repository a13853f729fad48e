"""What moves, scores and states are, and what a search hands to a game: for type checkers.

Nothing imports this file at run time.  Files that need it import it under `if
TYPE_CHECKING:`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Optional, Protocol

if TYPE_CHECKING:
    from typing_extensions import TypeAlias, Unpack

    from games.base import Game, Line, Position
    from games.kernel import Kernel
    from games.solver import RootMove, RootSolver

Move: TypeAlias = int           # at least 0, below 2**20; its meaning is the game's own business
Score: TypeAlias = int          # for the side to move; WIN - n is a win n plies off
Key: TypeAlias = int            # of a position, below 2**62
Side: TypeAlias = int           # a player: 0 moves first, 1
Square: TypeAlias = int         # a cell of the board, numbered as the game likes
Cell: TypeAlias = tuple[int, int]                   # the same as (column, row), both from 0
Board: TypeAlias = Sequence[Sequence[str]]          # rows, rank 1 first: Position.board
Options: TypeAlias = Mapping[str, Any]              # {name of an option: its value}
# Moves of the side to move: (how many more are worth thinking time, the most there may be).
MovesLeft: TypeAlias = tuple[float, int]

# What games/kernel.py says a state begins with: key, static evaluation, plies since the
# last irreversible move, in check; and whatever the game's kernel needs.
State: TypeAlias = "tuple[Key, Score, int, bool, Unpack[tuple[Any, ...]]]"
# A node's list: ALPHA, BEST, BETA, TABLE_MOVE, STATIC, IMPROVING of games/kernel.py.
Node: TypeAlias = "list[Any]"
# (move, state behind it, its depth, reduction), or (move, None, its score for the
# mover, 0).
Successor: TypeAlias = tuple[Move, Optional[State], int, int]
# visit(state, depth, alpha, beta, ply, null_allowed): the score of a node, fail-soft.
Visit: TypeAlias = Callable[[State, int, Score, Score, int, bool], Score]
# check(nodes visited): the count at which to call it again; it raises what ends the
# search.
Check: TypeAlias = Callable[[int], int]
# kernel(position, context, tree): the Kernel that searches a position.
MakeKernel: TypeAlias = "Callable[[Position, Context, Tree], Kernel]"


class Words(Protocol):
    """64-bit words: a part of a transposition table."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Table(Protocol):
    """A transposition table (search/table.py)."""

    slots: int
    mask: int

    @property
    def keys(self) -> Words: ...
    @property
    def data(self) -> Words: ...

    def clear(self) -> None: ...
    def hashfull(self) -> int: ...


class Tree(Protocol):
    """What a search and its kernel share (search/pvs.py)."""

    table: Table
    check: Check
    count: list[int]
    lines: list[list[Move]]
    evals: list[Score]
    path: list[Key]
    base: int
    visit: Visit


class Limits(Protocol):
    """What a search was asked for (search/limits.py)."""

    @property
    def depth(self) -> int | None: ...
    @property
    def nodes(self) -> int | None: ...
    @property
    def mate(self) -> int | None: ...
    @property
    def moves(self) -> Sequence[Move] | None: ...
    @property
    def infinite(self) -> bool: ...


class Budget(Protocol):
    """A share of a search for a solver (search/budget.py)."""

    @property
    def bounded(self) -> bool: ...
    def allow(self, share: float) -> None: ...
    def elapsed(self) -> float: ...
    def spent(self, nodes: int) -> bool: ...
    def check(self, nodes: int) -> int: ...


class TreeSearch(Protocol):
    """The search below the root moves of a position (search/pvs.py)."""

    def begin(self, depth: int) -> None: ...
    def try_move(self, move: Move, number: int, depth: int, alpha: Score, beta: Score) -> Score: ...
    def value(self, depth: int, alpha: Score, beta: Score) -> Score: ...
    def reply_line(self) -> list[Move]: ...
    def complete(self) -> bool: ...
    def nodes(self) -> int: ...


class ExactSearch(Protocol):
    """The root of an exact search (search/exact.py)."""

    @property
    def wanted(self) -> int: ...
    @property
    def found(self) -> list[RootMove]: ...
    @property
    def preview_nodes(self) -> int: ...

    def preview(self, position: Position, depths: Iterable[int],
                most_nodes: float) -> Iterator[Line]: ...
    def search_window(self, moves: list[RootMove], alpha: int, beta: int) -> None: ...
    def bounds(self, moves: list[RootMove]) -> tuple[RootMove, int]: ...
    def find_best(self, moves: list[RootMove]) -> Iterator[RootMove]: ...
    def best(self) -> Iterator[RootMove]: ...
    def variation(self, move: RootMove) -> list[Move]: ...


class Marks(Protocol):
    """What the processes of a team are searching now (search/threads/abdada.py)."""

    @property
    def words(self) -> Words: ...
    @property
    def slots(self) -> int: ...


class Context(Protocol):
    """The budget, memory and options of one search (search/context.py)."""

    @property
    def limits(self) -> Limits: ...
    @property
    def options(self) -> Options: ...
    memory: dict[str, Any]
    root_moves: list[Move]
    nodes: int
    depth_limit: int
    number: int
    random: Random

    def check(self, nodes: int, /) -> int: ...
    def seconds_left(self) -> float | None: ...
    def budget(self, share: float, nodes: int = 0) -> Budget: ...
    def marks(self) -> Marks | None: ...
    def table(self, name: str, share: float = 1.0, packed: bool = False,
              extra: float = 0.0) -> Table: ...
    def tree_search(self, position: Position, kernel: MakeKernel | None = None,
                    table: Table | None = None, check: Check | None = None) -> TreeSearch: ...
    def exact_search(self, solver: RootSolver) -> Iterator[Line]: ...


Moves: TypeAlias = Iterator[Successor]              # what Kernel.successors yields
Games: TypeAlias = "Sequence[Game]"                 # the GAMES of a module
