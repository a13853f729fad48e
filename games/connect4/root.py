"""The exact search of Connect Four at the root: the book, then the solver.

Each root move has a lower and an upper bound.  They begin as the book's bounds, and null windows
narrow them until the best move is known.  If time or nodes are limited, the first windows find out
whether the position is won, drawn or lost.  Later windows find out in how many plies.

If the requested depth doesn't reach the end of the game, the tree search gives an estimate,
unless the book knows the scores.  If the book knows only that a move wins, a quicker win
within that depth is searched for.  A search for a mate in N first looks for a win in N moves.
"""

from __future__ import annotations

from games.connect4 import book
from games.connect4.bits import BOARD, has_four, play, score_range
from games.connect4.solver import (
    UNLIMITED,
    Connect4Solver,
    least_winning_within,
    next_window,
    plies_to_end,
    to_engine,
)
from games.grid import count_bits
from games.solver import SOLVER_SHARE, Line, RootMove, RootSolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.connect4.bits import Cells
    from games.connect4.position import Connect4Position
    from games.types import Context, ExactSearch, Move

# The solver gives up after this share of the time or nodes; the rest is for the tree search.
_SHARE = 0.8
# Once all scores are known, lines are completed with at most this share of the remaining time and
# nodes.
_LINES_SHARE = 0.5
# Maximum number of nodes to complete a line whose score is known from the book, if the requested
# depth doesn't reach the end of the game.
_LINES_NODES = 200_000
# Once a position is known to be won, wins within these numbers of plies are searched for first.
_QUICK_WINS = (3, 7, 11)
# If there is no mate of the requested length, the tree search chooses a move, up to this depth.
_DEPTH_WITHOUT_MATE = 6


class Root(RootSolver):
    """One exact search of a position.  Values are scores of solver.py; a state is (own, mask)."""

    root: tuple[Cells, Cells]

    def __init__(self, position: Connect4Position, context: Context) -> None:
        self.root = position.stones, position.mask
        self._position, self._context = position, context
        self._empties = count_bits(BOARD ^ position.mask)
        self._solver = Connect4Solver(context.table, SOLVER_SHARE, context.helpers.marks(context))
        self._book = book.load() if context.options.get("OwnBook", True) else book.EMPTY
        columns = set(context.root_moves)
        self.moves, self._book_move = bounded_moves(*self.root, columns, self._book)
        # The moves to report first: those with exact scores, best first, or a single move that
        # keeps the result (win, draw or loss).
        self._front: list[RootMove] = []
        self._budget = context.budget(_SHARE)
        self._solver.begin(self._budget.check)
        depth = context.limits.depth
        # May the game go on beyond the requested depth?
        self._shallow = depth is not None and depth < self._empties

    def lines(self, search: ExactSearch) -> Iterator[Line]:
        """Yield better and better Lines; the last is exact unless the solver gives up."""
        depth, mate = self._context.limits.depth, self._context.limits.mate
        if depth and self._shallow and not self._all_known(search):
            if search.line_count == 1 and self.moves[0].low > 0:
                yield from self._quick_win(depth, search)
            return
        yield from self._standing(search)
        if mate:
            yield from self._quick_win(2 * mate - 1, search)
        else:
            yield from self._best_lines(search.line_count, search)

    def given_up(self, search: ExactSearch) -> Iterator[Line]:
        """Yield the current Lines if a move is known to keep the result.

        Otherwise yield none, and narrow the root moves for the tree search.
        """
        if self._front:
            yield from self._standing(search, final=True)
        else:
            self._context.root_moves = _most_promising(self.moves)

    def _quick_win(self, plies: int, search: ExactSearch) -> Iterator[Line]:
        """Yield the exact Line of the quickest win if it takes at most `plies`.

        Otherwise yield a win of any length that the book knows.  If the book knows none, leave the
        answer to a shallow tree search.
        """
        min_score = least_winning_within(plies, self._empties)
        best, most = search.bounds(self.moves)
        while best.low < min_score <= most:
            search.search_window(self.moves, min_score - 1, min_score)
            best, most = search.bounds(self.moves)
        if best.low >= min_score:
            yield from self._best_lines(1, search)
        elif self.moves[0].low > 0:
            yield from self._standing(search, final=True)
        else:
            self._context.depth_limit = min(self._context.depth_limit, _DEPTH_WITHOUT_MATE)

    def _best_lines(self, count: int, search: ExactSearch) -> Iterator[Line]:
        """Yield the exact Lines of the best `count` moves, and Lines with bounds for the others."""
        for rank in range(count):
            for best in search.best():
                if rank == 0:
                    # In a lost position, play the book's move until the longest resistance is
                    # known.
                    self._front = [best if best.low >= 0 else self._book_move or best]
                    # The solver's answer is better than an estimate by the tree search, so the
                    # solver may now use all of the time.
                    self._budget.allow(1.0)
                    yield from self._standing(search)
            self._front = search.best_moves
            if search.line_count > 1:
                yield from self._standing(search)
        # Report all lines together, so that time can't run out between two of them.
        lines = []
        for rank, move in enumerate(search.best_moves, 1):
            nodes, most = self.nodes(), _LINES_NODES if self._shallow else UNLIMITED
            budget = self._context.budget(_LINES_SHARE / count, nodes, most)
            self._solver.begin(budget.check, nodes)
            variation = search.variation(move)
            score, plies = to_engine(move.low, self._empties), plies_to_end(move.low, self._empties)
            lines.append(Line(score, variation, plies, exact=True, multipv=rank))
        yield from lines
        yield from self._standing(search, final=True)[count:]

    # ---- preliminary results ---------------------------------------------------------

    def _all_known(self, search: ExactSearch) -> bool:
        """Is every score that will be reported known already?"""
        if search.line_count > 1:
            return all(move.low == move.high for move in self.moves)
        return self.moves[0].low == max(move.high for move in self.moves)

    def _standing(self, search: ExactSearch, final: bool = False) -> list[Line]:
        """Return a Line for each move to report: first the moves in _front, then others by score.

        final: are these the last Lines of the search?
        """
        lines = [self._bound_line(move, final) for move in self._front]
        if lines and lines[0].score < 0:  # all moves lose: show the latest possible end
            most = max(move.high for move in self.moves)
            first = self._front[0]
            lines[0] = self._bound_line(RootMove(first.move, first.low, most), final)
        others = [move for move in self.moves if move not in self._front]
        estimates = [self._probable_line(move, final) for move in others]
        lines += sorted(estimates, key=lambda line: -line.score)
        for rank, line in enumerate(lines):
            line.multipv = rank + 1
            if rank:  # an estimate must not exceed the score of the line before it
                line.score = min(line.score, lines[rank - 1].score)
        return lines[: search.line_count]

    def _probable_line(self, move: RootMove, final: bool) -> Line:
        """Return the Line of a move, scored by its bounds.

        If the bounds leave the winner open, the score is an evaluation, at most 0 if the move
        can't win.
        """
        if move.low >= 0 or move.high < 0:
            return self._bound_line(move, final)
        self._position.make(move.move)
        score = -self._position.evaluate()
        self._position.undo()
        return Line(score if move.high else min(score, 0), [move.move], 1, final)

    def _bound_line(self, move: RootMove, final: bool) -> Line:
        """Return the Line of a move whose bounds say whether it loses.

        The score assumes the latest end of the game that the bounds allow.
        """
        value, bound = (move.low, "lower") if move.low >= 0 else (move.high, "upper")
        depth = plies_to_end(value, self._empties) if final else 1
        bound = bound if move.low < move.high else ""
        return Line(to_engine(value, self._empties), [move.move], depth, final, bound=bound)

    # ---- the score -------------------------------------------------------------------

    def window(self, low: int, high: int) -> tuple[int, int]:
        """Return the next null window.

        If time or nodes are limited, the first windows find the winner, which takes a third to
        half of the nodes.  The next ones look for quick wins, which take few nodes.
        """
        alpha = next_window(low, high)
        if self._budget.bounded and low <= 0 <= high:
            alpha = 0 if high > 0 else -1
        elif self._budget.bounded and low > 0:
            quick = (least_winning_within(plies, self._empties) for plies in _QUICK_WINS)
            alpha = next((min_score - 1 for min_score in quick if low < min_score <= high), alpha)
        return alpha, alpha + 1

    def value(self, move: Move, alpha: int, beta: int) -> int:
        return self._solver.move_bound(*self.root, move, alpha)

    def nodes(self) -> int:
        return self._solver.nodes()

    # ---- the line --------------------------------------------------------------------

    def play(self, state: tuple[int, int], move: Move) -> tuple[int, int]:
        return play(*state, move)

    def best_reply(self, state: tuple[int, int], value: int) -> Move | None:
        """Return a column that keeps the score, from the book or else from the solver."""
        own, mask = state
        if mask == BOARD or has_four(own ^ mask):
            return None
        column = self._book.best_move(own, mask, value)
        return self._solver.best_move(own, mask, value) if column is None else column


def bounded_moves(
    own: int, mask: int, columns: set[Move], opening: book.Book
) -> tuple[list[RootMove], RootMove | None]:
    """Return (the RootMoves of `columns`, the RootMove of the book or None).

    RootMoves with the highest lower bounds come first, the book's move before its equals.
    opening: the book, from which the moves' bounds come.  The upper bounds are lowered to the
    book's score.  If the book knows only the winner, the other moves' lower bounds are ignored.
    Another move may win, too, but the book has no replies after it, so the engine might then miss
    the win.
    """
    unknown = score_range(count_bits(BOARD ^ mask))
    moves = [
        RootMove(column, *(bounds or unknown))
        for column, bounds in opening.move_bounds(own, mask, 1).items()
        if column in columns
    ]
    low, high, column = opening.entry(own, mask) or (*unknown, None)
    book_move = next((move for move in moves if move.move == column), None)
    for move in moves:
        if move is book_move:
            move.low = max(move.low, low)
        elif book_move is not None and low < high and move.low < high:
            # The book knows only the winner, and this move doesn't win at once.
            move.low = unknown[0]
        move.high = min(move.high, high)
    return sorted(moves, key=lambda move: (-move.low, move is not book_move)), book_move


def _most_promising(moves: list[RootMove]) -> list[Move]:
    """Return the moves that may win; if there are none, those that may draw; if none, all."""
    results = [max(min(move.high, 1), -1) for move in moves]  # 1: a win, 0: a draw, -1: a loss
    return [move.move for move, result in zip(moves, results) if result == max(results)]
