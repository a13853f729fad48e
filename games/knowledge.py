"""The optional knowledge of a game beyond its rules, which makes the search stronger.

The search doesn't call methods that the game doesn't override (see `overrides` in games/base.py).
An unusual game may also override search_moves, moves_left and final_value of games/base.py, and
have a kernel for the tree search (games/kernel.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.solver import Line
    from games.types import Context, Move, Options, Score


class Knowledge:
    """The part of a Position that knows how to play well."""

    # ---- of any position -------------------------------------------------------------

    def evaluate(self) -> Score:
        """Return the static evaluation for the side to move: by default, the sum of its terms."""
        return sum(score for _, score in self.evaluation_terms())

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        """Return [(name, score for the side to move)]; the scores add up to evaluate().

        The list may be empty.
        """
        return []

    def order_moves(self, moves: Sequence[Move]) -> list[int]:
        """Return a score from -2**20 to 2**20 for each move; the highest are searched first.

        Called once per node, and once for the root's moves before the first iteration.
        By default the search keeps the order of legal_moves().
        """
        return [0] * len(moves)

    def noisy_moves(self) -> list[Move]:
        """Return the legal moves that quiescence searches (captures, promotions).

        In a game without captures, they are wins and forced replies.  They must be few, or the
        search doesn't end.  By default there is no quiescence.
        """
        return []

    def in_check(self) -> bool:
        """Must the side to move answer a threat?

        If so, the node is searched a ply deeper, and its moves are not reduced.
        """
        return False

    def null_allowed(self) -> bool:
        """May null move pruning play null_move()?  Not if zugzwang is likely, nor in check."""
        return False

    # ---- at the root -----------------------------------------------------------------

    solver_share = 0.0  # the share of the option Hash that `solve` uses for its own tables

    def solve(self, context: Context) -> Iterable[Line]:
        """Yield better and better Lines for the root, the last exact if possible.

        context: see search/context.py.

        The solver runs first.  If none of its Lines was exact, iterative deepening uses the
        remaining time.  It goes on from the depth of the last Line whose score is an estimate, not
        a bound.  If the solver has refuted that Line's move and removed it from context.root_moves,
        iterative deepening starts from depth 1.
        """
        return ()

    def book_moves(self, options: Options) -> list[tuple[Move, int]]:
        """Return [(move, weight)] from the opening book that the options name, heaviest first."""
        return []

    def known_results(self) -> dict[Move, tuple[Score, Score]]:
        """Return {move: (least, greatest possible score)} for moves whose scores are known."""
        return {}

    def features(self) -> Sequence[int]:
        """Return the features that scripts/learn learns from; () means the cells of board().

        Features are numbers from 0 to 63 that don't depend on the side to move.  All positions have
        the same number of features.
        """
        return ()
