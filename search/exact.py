"""The root of an exact search: which moves are best, and their values.

Each root move has bounds on its value.  Window searches narrow these bounds until the best
move's lower bound reaches the highest upper bound of all moves.  With MultiPV the search is
repeated for the second best move among the other moves, and so on.  The game's solver chooses the
windows and their order (games/solver.py).
"""

from __future__ import annotations

from games.base import INFINITY
from games.ordering import reorder_for_helper
from games.solver import BudgetSpent, Line
from search.root_moves import better_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from games.base import Position
    from games.solver import RootMove, RootSolver
    from games.types import Move, Score
    from search.context import Context
    from search.pvs import TreeSearch


class ExactSearch:
    """One exact search.

    solver: the game's RootSolver.  moves: its root moves.  line_count: number of Lines requested.
    best_moves: the best moves found so far, whose values are known exactly; best first.
    """

    def __init__(self, solver: RootSolver, context: Context) -> None:
        self.solver = solver
        self.context = context
        self.moves = solver.moves
        self.line_count = min(context.options.get("MultiPV", 1), len(self.moves))
        self.best_moves: list[RootMove] = []
        self.preview_nodes = 0

    def lines(self) -> Iterator[Line]:
        """Yield the Lines of the search; store the exact node count in context.watch before each.

        Otherwise a Line would have the node count of the last clock check, which depends on the
        machine's speed.
        """
        for line in self._until_given_up():
            self.context.watch.nodes = self.nodes()
            yield line
        self.context.watch.nodes = self.nodes()

    def _until_given_up(self) -> Iterator[Line]:
        try:
            yield from self.solver.lines(self)
        except BudgetSpent:
            yield from self.solver.given_up(self)

    def nodes(self) -> int:
        """Return the number of positions visited so far, by the preview and the solver."""
        return self.preview_nodes + self.solver.nodes()

    # ---- a look ahead ----------------------------------------------------------------

    def preview(
        self, position: Position, depths: Iterable[int], max_nodes: float
    ) -> Iterator[Line]:
        """Search at shallow depths, yield a Line for each, and sort the moves by their scores.

        depths: in rising order.  max_nodes: no new depth begins after this many nodes.
        """
        core = self.context.tree_search(position)
        for depth in depths:
            if self.preview_nodes > max_nodes:
                return
            yield self._shallow_search(core, depth)

    def _shallow_search(self, core: TreeSearch, depth: int) -> Line:
        """Search the moves to `depth` and sort them by score; return the best one's Line."""
        scores: dict[RootMove, Score] = {}

        def search_move(move: RootMove, number: int, alpha: Score, beta: Score) -> Score:
            scores[move] = core.try_move(move.move, number, depth - 1, alpha, beta)
            return scores[move]

        core.begin(depth)
        best = Line(-INFINITY, [], depth)
        for move, score, _ in better_moves(self.moves, -INFINITY, INFINITY, search_move):
            best = Line(score, [move.move, *core.reply_line], depth)
        self.preview_nodes, *_ = core.counters()
        self.moves.sort(key=lambda move: -scores[move])
        return best

    # ---- finding the best move -------------------------------------------------------

    @staticmethod
    def bounds(moves: list[RootMove]) -> tuple[RootMove, int]:
        """Return (move with the highest lower bound, highest upper bound of any move).

        If several moves share the highest lower bound, return the one with the highest upper bound.
        """
        return max(moves, key=lambda move: (move.low, move.high)), max(move.high for move in moves)

    def best(self) -> Iterator[RootMove]:
        """Find the best of the moves that are not in `best_moves`, and add it to them.

        While searching, yield the move with the highest lower bound, each time that this move or
        its bound changes.
        """
        best = yield from self.find_best(
            [move for move in self.moves if move not in self.best_moves]
        )
        self.best_moves.append(best)

    def find_best(self, moves: list[RootMove]) -> Generator[RootMove, None, RootMove]:
        """Narrow the bounds until the best of `moves` is known exactly, and return it.

        While searching, yield the leading moves as best() does.
        """
        reported = None
        while True:
            leader, high = self.bounds(moves)
            # Don't report a lower bound below 0 before all moves are known to lose.
            if (leader, leader.low) != reported and (leader.low >= 0 or high < 0):
                reported = leader, leader.low
                yield leader
            if leader.low >= high:
                return leader
            self.search_window(moves, *self.solver.window(leader.low, high))

    def search_window(self, moves: list[RootMove], alpha: int, beta: int) -> None:
        """Search the moves that may exceed alpha, until one reaches beta.

        Does nothing if a move is already known to reach beta.
        """
        if any(move.low >= beta for move in moves):
            return
        open_moves = sorted(
            (move for move in moves if move.high > alpha), key=lambda move: -move.high
        )
        if self.solver.helper:
            reorder_for_helper(open_moves, self.solver.helper)
        for _ in better_moves(open_moves, alpha, beta, self._value):
            pass  # _value() narrows the bounds

    def _value(self, move: RootMove, number: int, alpha: int, beta: int) -> int:
        """Return a move's value in a window: from its bounds if they decide, else by a search."""
        if move.low >= min(beta, move.high):
            return move.low
        if move.high <= alpha:
            return move.high
        value: int = self.solver.value(move.move, alpha, beta)
        move.narrow(value if value > alpha else move.low, value if value < beta else move.high)
        return value

    # ---- the line --------------------------------------------------------------------

    def variation(self, move: RootMove) -> list[Move]:
        """Return `move`, whose value is known, and the best moves of both sides after it.

        The line leads to the end of the game, unless the solver gives up on the way.
        """
        solver, line = self.solver, [move.move]
        state, value = solver.play(solver.root, move.move), -move.low
        try:
            reply = solver.best_reply(state, value)
            while reply is not None:
                line.append(reply)
                state, value = solver.play(state, reply), -value
                reply = solver.best_reply(state, value)
        except BudgetSpent:
            pass  # the line is correct but incomplete
        return line
