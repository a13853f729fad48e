"""The endgame at the root: when to solve it, and what to report meanwhile.

First a shallow midgame search gives an answer, an order of moves and a guess of the
score.  With many empty squares, a selective solution improves the order and the guess.  Then null
windows around a draw find the winner, and windows around the guess find the exact disc
difference, move by move if several lines are requested.

Finding the winner takes a fraction of the positions that finding the difference takes.  With a
clock, the search for the winner therefore begins earlier, when more squares are empty.  If there is
no time to find the difference, a tree search follows.  It considers only a move that is proven not
to lose; if there is none, it considers only the moves that are not known to lose.
"""

from __future__ import annotations

from time import perf_counter

from games.othello.kernel import DISC
from games.othello.lanes import PASS, moves_of, play
from games.othello.patterns import evaluation
from games.othello.solver import BEST, WORST, EndgameSolver
from games.solver import SOLVER_SHARE, BudgetSpent, Line, RootMove, RootSolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from games.othello.lanes import Discs
    from games.othello.patterns import Evaluate
    from games.othello.position import OthelloPosition
    from games.types import Context, ExactSearch, Move

# A solution is expected to visit _FEW_POSITIONS positions with _FEW empty squares, and _GROWTH
# times as many for each further empty square.
_FEW = 14
_FEW_POSITIONS = 32_000
_GROWTH = 2.15
# A solution with at most this number of empty squares takes hardly any time.
_MIN_EMPTIES = 8
# The solver's speed is measured by solutions that take longer than this number of seconds.
_MEASURABLE = 0.05
# The solver starts if _START_SHARE of the time or of the nodes is expected to suffice; it gives up
# after _STOP_SHARE.
_START_SHARE, _STOP_SHARE = 0.5, 0.8
# Finding the winner takes about this share of the positions of a solution.
_WINNER_POSITIONS = 0.04
# A search for the winner gives up after the first of these shares of the time or, if about half of
# the time is expected to suffice, after the second.
_WINNER_STOP_SHARES = 0.5, 0.75
# Without any limit of time, nodes or depth, positions with up to this number of empty squares are
# solved.
_UNBOUNDED_FROM = 26

_PREVIEW_DEPTHS = (2, 4, 6, 8, 10)
# The preview may visit the share _PREVIEW_SHARE of the positions that a solution is expected to
# visit.  If only the winner is searched for, it may visit the share _WINNER_PREVIEW_SHARE of them.
_PREVIEW_SHARE, _WINNER_PREVIEW_SHARE = 0.025, 0.003
# A selective search runs if at least this number of squares are empty.  Otherwise the preview's
# guess suffices.
_SELECTIVE_FROM = 17
_HALF_WINDOW = 2  # half the width of the first window around the guess, in discs

# Othello has no mates, since discs are counted.  A search for a mate ends at this depth.
_DEPTH_WITHOUT_MATE = 8

_MEMORY, _TABLE = "othello.solver", "othello.solver table"


def solve(position: OthelloPosition, context: Context) -> Iterator[Line]:
    """Yield the Lines of a solution, the last ones exact; none if a solution is out of reach."""
    empties = position.empties
    if context.limits.mate is not None:
        context.depth_limit = min(context.depth_limit, _DEPTH_WITHOUT_MATE)
    elif within_reach(empties, context) or winner_within_reach(empties, context):
        yield from context.exact_search(EndgameRoot(position, context))


def expected_positions(empties: int) -> float:
    """Return the number of positions that a solution is expected to visit."""
    return _FEW_POSITIONS * _GROWTH ** (empties - _FEW)


def moves_to_solution(empties: int, seconds: float, memory: Mapping[str, Any]) -> int:
    """Return the player's expected moves until the endgame can be solved, plus two in reserve.

    The moves after the solution take hardly any time.  Two are added since the estimate may be
    wrong, and a busy machine may stall for half a second.
    seconds: time on the player's clock, assumed to be shared evenly among the moves.
    """
    in_reach = seconds * _START_SHARE * memory.get(_MEMORY, EndgameSolver).speed
    moves = 3
    while expected_positions(empties) * moves > in_reach and empties > _MIN_EMPTIES:
        moves, empties = moves + 1, empties - 2
    return moves


def within_reach(empties: int, context: Context) -> bool:
    """Do the limits of the search allow a solution?"""
    limits, seconds = context.limits, context.seconds_left()
    if limits.depth is not None and limits.depth < empties:
        return False
    if limits.nodes is not None and expected_positions(empties) > limits.nodes * _START_SHARE:
        return False
    if seconds is not None:
        return expected_positions(empties) < seconds * _START_SHARE * solver_of(context).speed
    return empties <= _UNBOUNDED_FROM or limits.depth is not None or limits.nodes is not None


def winner_within_reach(empties: int, context: Context) -> bool:
    """Is the time limited, and probably long enough to find the winner?"""
    seconds = context.seconds_left()
    if seconds is None or context.limits.depth is not None or context.options.get("MultiPV", 1) > 1:
        return False
    return expected_positions(empties) * _WINNER_POSITIONS < seconds * solver_of(context).speed


def solver_of(context: Context, evaluate: Evaluate | None = None) -> EndgameSolver:
    """Return the solver in the game's memory; its `speed` is in positions per second.

    evaluate: the evaluation of a new solver, by default the engine's own.
    """
    memory = context.memory
    if _MEMORY not in memory:
        table = context.table(_TABLE, SOLVER_SHARE, packed=True)
        evaluate = evaluate or evaluation().evaluate
        memory[_MEMORY] = EndgameSolver(table, evaluate, context.helpers.number)
    solver: EndgameSolver = memory[_MEMORY]
    return solver


class EndgameRoot(RootSolver):
    """One exact search of an endgame.

    Values are disc differences.  A state is the lanes of both sides.
    """

    def __init__(self, position: OthelloPosition, context: Context) -> None:
        self.root, self.helper = (position.own, position.opp), context.helpers.number
        self.moves = _unknown(context.root_moves)
        self._position = position
        self._empties = position.empties
        self._context = context
        self._selective = False
        self._guess = 0
        self._half = _HALF_WINDOW
        self._solver = solver_of(context)
        self._before, self._begun = self._solver.nodes(), perf_counter()
        self._whole = within_reach(self._empties, context)
        early = winner_within_reach(self._empties + 1, context)
        self._budget = context.budget(_STOP_SHARE if self._whole else _WINNER_STOP_SHARES[early])

    def lines(self, search: ExactSearch) -> Iterator[Line]:
        """Yield the Lines of a shallow search, then one with the proven winner, then exact ones."""
        self._search = search
        depths = [depth for depth in _PREVIEW_DEPTHS if depth < self._empties]
        share = _PREVIEW_SHARE if self._whole else _WINNER_PREVIEW_SHARE
        max_nodes = expected_positions(self._empties) * share
        for line in search.preview(self._position, depths, max_nodes):
            self._guess = line.score // DISC
            yield line
        if self._whole and self._empties >= _SELECTIVE_FROM:
            self._guess_selectively(search)
        for alpha in (-1, 0) if self._guess < 0 else (0, -1):
            search.search_window(self.moves, alpha, alpha + 1)
        best, most = search.bounds(self.moves)
        winner = (best.low > 0) - (most < 0)
        bound = ("", "lower", "upper")[winner]
        if search.line_count == 1:
            yield Line(winner * DISC, [best.move], self._empties, bound=bound)
        if winner >= 0:
            self._budget.allow(_STOP_SHARE)
        elif not self._whole:
            return
        for _ in range(search.line_count):
            self._half = _HALF_WINDOW
            for _ in search.best():
                pass
        lines = [
            Line(move.low * DISC, search.variation(move), self._empties, True, rank)
            for rank, move in enumerate(search.best_moves, 1)
        ]
        self._measure()
        yield from lines

    def given_up(self, search: ExactSearch) -> Iterator[Line]:
        """Narrow the root moves for the tree search; yield no Lines.

        If a move is proven not to lose, only the best such move is kept.  Otherwise the moves that
        are not known to lose are kept or, if all lose, all moves.
        """
        best, _ = search.bounds(self.moves)
        kept = [move for move in self.moves if move.high >= 0] if best.low < 0 else [best]
        self._context.root_moves = [move.move for move in kept or self.moves]
        return iter(())

    def nodes(self) -> int:
        return self._solver.nodes() - self._before

    def value(self, move: Move, alpha: int, beta: int) -> int:
        return -self._solver.value(
            *self.play(self.root, move), -beta, -alpha, self._check, self._selective
        )

    def window(self, low: int, high: int) -> tuple[int, int]:
        """Return a window around the guess within the bounds, twice as wide with each call."""
        guess, half = min(max(self._guess, low), high), self._half
        self._half *= 2
        return max(guess - half, low - 1), min(guess + half, high + 1)

    def play(self, state: tuple[Discs, Discs], move: Move) -> tuple[Discs, Discs]:
        return play(*state, move)

    def best_reply(self, state: tuple[Discs, Discs], value: int) -> Move | None:
        own, opp = state
        choices = moves_of(own, opp)
        if not choices:
            return PASS if moves_of(opp, own) else None
        first = self._solver.table_move(own, opp)
        choices.sort(key=lambda move: move != first)
        for move in choices[:-1]:
            child = play(own, opp, move)
            if self._solver.value(*child, -value - 1, 1 - value, self._check) == -value:
                return move
        return choices[-1]

    def _guess_selectively(self, search: ExactSearch) -> None:
        """Improve the guess and the order of moves by a selective search, which proves nothing."""
        likely, self._selective = _unknown([move.move for move in self.moves]), True
        for _ in search.find_best(likely):
            pass
        best, _ = search.bounds(likely)
        self._guess, self._selective = best.low, False
        self.moves.sort(key=lambda move: move.move != best.move)

    def _check(self, nodes: int) -> int:
        """Call Context.check() with the search's own nodes; raise BudgetSpent if the time is spent.

        nodes: the solver's node count, which includes its earlier runs but not the preview search.
        The budget's node limit isn't checked, since the count at each call depends on the speed.
        """
        if self._budget.spent(0):
            self._measure()
            raise BudgetSpent
        before = self._before - self._search.preview_nodes
        return self._context.check(nodes - before) + before

    def _measure(self) -> None:
        seconds = perf_counter() - self._begun
        if seconds > _MEASURABLE:
            self._solver.speed = self.nodes() / seconds


def _unknown(moves: list[Move]) -> list[RootMove]:
    """Return RootMoves with the widest bounds."""
    return [RootMove(move, WORST, BEST) for move in moves]
