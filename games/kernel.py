"""What a game brings to the tree search of search/pvs.py when it wants speed: a kernel.

A kernel hands the position down the tree as a plain tuple, its *state*, instead of
keeping it in attributes.  A state begins with

    key         of the position, for the table
    static      the static evaluation for the side to move, where `carries_static`
    rule50      plies since the last irreversible move; 0 where the kernel does not `repeat`
    in_check    must the side to move answer a threat?  Such a root move is searched a ply
                deeper.

and goes on as the kernel likes.  What is too large for a tuple (a board) changes in
place: `successors` makes a move, yields, and takes it back.

Scores are those of games/base.py: from the side to move, WIN - n for a win n plies from
the root.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    from games.base import Position
    from games.types import Move, Node, Score, State, Successor

# What a node's list holds; see Kernel.successors.
ALPHA, BEST, BETA, TABLE_MOVE, STATIC, IMPROVING = range(6)

# A PyPy merge point:
#
#     for _ in MERGE_POINT:
#         pass
#
# PyPy compiles each path through the body of a loop apart, up to where the loop
# turns.  Behind dozens of branches there are thousands of paths, most of them too
# rare ever to be compiled.  Where an inner loop turns they merge: what follows is
# compiled once for all of them.  Between the parts of a body that branch much it
# makes PyPy 1.4 times as fast at chess.  CPython hardly sees it.
MERGE_POINT: tuple[None, ...] = (None,) * 8 if sys.implementation.name == "pypy" else ()

# No line is searched deeper, in any game.
MAX_PLY = 240


def _not_brought(*arguments: Any) -> NoReturn:
    """A hook that the facts of the kernel say is never called."""
    raise NotImplementedError


def _no_final_score(state: State, depth: int) -> None:
    return None


def _no_reduction(state: State, depth: int, number: int) -> int:
    return 0


def _same_score(move: Move, line: list[Move], score: Score, alpha: Score, beta: Score) -> Score:
    return score


def _not_complete(depth: int) -> bool:
    return False


class Kernel:
    """The facts and hooks of one search.  The search binds them once, at its start.

    A game's `kernel(position, context, tree)` makes it.  tree: what the hooks share
    with the search (Tree of search/pvs.py).  Hooks are functions, set on the object;
    the facts say which are called.
    """

    # ---- facts -----------------------------------------------------------------------

    merge_point = MERGE_POINT  # where paths through the loop over successors merge; () for nowhere
    carries_static = False  # a state holds its static evaluation: `evaluate` is not asked
    repeats = False  # positions may repeat: `tree.path` is kept, a repetition is a draw
    proves = False  # scores that no horizon has touched are marked: they are final
    path_dependent = False  # ... but for games whose outcomes depend on the moves before
    max_ply = MAX_PLY  # deeper lines stand on their evaluation
    pv_of_wins = False  # wins in the table are searched again in PV nodes, for their line
    static_from_table = True  # a better bound in the table stands in for the static evaluation

    # The depth from or up to which a step of the search is taken; None: it is not.
    pv_cutoff_depth: int | None = None  # the table ends PV nodes, too, up to this depth
    draw_from: int | None = None  # `drawn` is asked once rule50 is this large
    reverse_futility_depth: int | None = None  # reverse futility pruning, up to this depth, ...
    reverse_futility_margin = 0  # ... so far above beta for each ply
    null_move_from: int | None = None  # null move pruning
    iir_from: int | None = None  # internal iterative reduction where the table has no entry
    late_iir_from: int | None = None  # ... or, after step 5 and out of check, no move
    probcut_from: int | None = None  # `probcut` is asked from this depth on
    frontier_depth: int | None = None  # `frontier` is asked up to this depth

    # ---- required --------------------------------------------------------------------

    # root_state(): the state of the root as it stands, after the moves that `make`
    # made.
    root_state: Callable[[], State]

    # successors(state, depth, ply, node): a generator of (move, child, depth or
    # score, reduction), likely good moves first.
    #
    # The move is made on the board while the search looks at it.  The depth is what is
    # left for the child, extensions included; the reduction is by how much less it may be
    # searched first.  Where the kernel knows the score already it yields (move, None,
    # score, 0) with the score for the mover, and need not do so if that is not above
    # alpha.
    #
    # `node` is a list that the search keeps up to date: alpha, best score so far, beta,
    # the move of the table or -1, static evaluation, is the evaluation better than two
    # plies ago?  The generator may raise node[BEST].  After a move that reaches beta
    # (node[ALPHA] >= node[BETA]) it takes the move back, learns from it and ends.
    successors: Callable[[State, int, int, Node], Iterator[Successor]]

    # no_moves(state, ply): the score where `successors` had nothing to offer.
    no_moves: Callable[[State, int], Score] = _not_brought

    # evaluate(state, ply): (static evaluation, in check); not asked where
    # `carries_static`.
    evaluate: Callable[[State, int], tuple[Score, bool]] = _not_brought

    # ---- brought where the game has them ---------------------------------------------

    # early_return(state, depth, alpha, beta, ply, null_allowed): the score where no search
    # is needed (a finished game; a forced reply, which it searches itself by tree.visit),
    # else None.  Comes before the table.
    early_return: Callable[[State, int, Score, Score, int, bool], Score | None] | None = None

    # extra_turn(state): does the player of the last move have the next one, too?  None
    # instead of the hook: the players take turns.
    extra_turn: Callable[[State], bool] | None = None

    # drawn(state): is the game drawn by a rule that counts moves?  See `draw_from`.
    drawn: Callable[[State], bool] = _not_brought

    # null_move(state, depth, excess): (state, depth) after a null move; None where
    # zugzwang is likely.  See `null_move_from`.  excess: by how much the static
    # evaluation lies above beta.
    null_move: Callable[[State, int, Score], tuple[State, int] | None] = _not_brought

    # undo_null(): takes the null move back where it has changed a board.
    undo_null: Callable[[], None] | None = None

    # probcut(state, depth, alpha, beta, ply, table_depth): the score where something
    # cheaper than the successors tells it (ProbCut, threat-space search), else None.
    # table_depth: that of the table's entry, -1 where there is none.  See `probcut_from`.
    probcut: Callable[[State, int, Score, Score, int, int], Score | None] = _not_brought

    # frontier(state, depth, alpha, beta, ply, static, table_depth): the score where the
    # depth is used up, or soon will be; None to go on, for a ply at least.  See
    # `frontier_depth`.
    frontier: Callable[[State, int, Score, Score, int, Any, int], Score | None] = _not_brought

    # quiesce(state, alpha, beta, ply): the score after a move that leaves no depth.
    # None instead of the hook: such a position is visited like any other.
    quiesce: Callable[[State, Score, Score, int], Score] | None = None

    # ---- at the root -----------------------------------------------------------------

    # root_final(state, depth): the score where the move just made ends the game in a
    # way that the search does not see, else None.
    root_final: Callable[[State, int], Score | None] = staticmethod(_no_final_score)

    # root_reduction(state, depth, number): by how much less the root move that was made
    # may be searched first.
    root_reduction: Callable[[State, int, int], int] = staticmethod(_no_reduction)

    # root_score(move, line, score, alpha, beta): the score of a root move as it is
    # reported; may complete the line.
    root_score: Callable[[Move, list[Move], Score, Score, Score], Score] = staticmethod(_same_score)

    # complete(depth): did an iteration of this depth see all there is?  Not asked where
    # `proves`.
    complete: Callable[[int], bool] = staticmethod(_not_complete)

    @property
    def wants_static(self) -> bool:
        """Does the search need the static evaluation of every node?"""
        steps = self.reverse_futility_depth, self.null_move_from, self.late_iir_from
        return any(depth is not None for depth in steps)

    def __init__(self, position: Position) -> None:
        # make(move), undo(): of a board that the kernel keeps apart from the position,
        # if it does.
        self.make: Callable[[Move], object] = position.make
        self.undo: Callable[[], object] = position.undo
