"""Kernels: a game's fast interface to the tree search of search/pvs.py.

A kernel hands the position down the tree as a plain tuple, its *state*, instead of
keeping it in attributes.  A state begins with

    key         of the position, for the table
    static      the static evaluation for the side to move, if `carries_static`
    rule50      plies since the last irreversible move; 0 unless `repeats`
    in_check    must the side to move answer a threat?  After a root move that makes such a
                threat, the search goes a ply deeper.

and continues as the kernel likes.  Data that is too large for a tuple, such as a board, changes in
place: `successors` makes a move, yields, and takes it back.

Scores are for the side to move, as in games/base.py; a win n plies from the root is WIN - n.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from games.base import Position
    from games.types import Move, Score, State, Successors

# The fields of a node's list; see Kernel.successors.
ALPHA, BEST, BETA, TABLE_MOVE, STATIC, IMPROVING = range(6)

# A PyPy merge point:
#
#     for _ in MERGE_POINT:
#         pass
#
# PyPy compiles each path through a loop's body separately, up to the loop's end.  After
# dozens of branches there are thousands of paths, most of them too rare ever to be
# compiled.  At the end of an inner loop the paths merge, and the code after it is compiled once for
# all of them.  Merge points between the parts of a long body make PyPy 1.4 times as fast at chess;
# they cost CPython hardly anything.
MERGE_POINT: tuple[None, ...] = (None,) * 8 if sys.implementation.name == "pypy" else ()

# The deepest ply of any line, in any game.
MAX_PLY = 240
# A depth that no search reaches.  A step of the search is off if its least depth is NEVER, or its
# greatest depth -NEVER.
NEVER = 1000


def _unused_hook(*arguments: Any) -> NoReturn:
    """Stand in for a hook that the search of this kernel never calls."""
    raise NotImplementedError


class Kernel:
    """The facts and hooks of one search; the search binds them once, at its start.

    Game.kernel(position, context, tree) makes it; `tree` (search/pvs.py) is shared by the
    hooks and the search.  Hooks are functions, set as attributes; the facts say which of
    them are called.

    tree.count is [nodes visited, count at which to call tree.check, number of values that the rules
    don't prove, deepest ply]; the search keeps it up to date.  A hook that visits positions itself,
    such as `quiesce`, adds them to count[0], and sets count[1] = tree.check(count[0]) when count[0]
    reaches count[1].  If a kernel that `proves` leaves out moves, it adds one to count[2].
    """

    # ---- required -------------------------------------------------------------------------

    # root_state(): the current state of the root, after the moves that `make` made.
    root_state: Callable[[], State]

    # successors(state, depth, ply, node): a generator of (move, child, depth or
    # score, reduction), likely good moves first.
    #
    # The move stays on the board while the search examines it.  The depth is the child's,
    # extensions included; the reduction is the number of plies by which a first search may be
    # shallower.  If the kernel already knows a move's score for the mover, it yields (move, None,
    # score, 0), or raises node[BEST] to the score if it is not above alpha.
    #
    # `node` is a list that the search keeps up to date: alpha, best score so far, beta,
    # the table's move or -1, static evaluation, and whether the evaluation is better than two plies
    # ago.  After a move that reaches beta (node[ALPHA] >= node[BETA]), the generator takes the move
    # back, rewards it in the history and ends.
    successors: Successors

    # no_moves(state, ply): the score if `successors` neither yielded a move nor raised node[BEST].
    no_moves: Callable[[State, int], Score] = _unused_hook

    # early_return(state, depth, alpha, beta, ply, null_allowed): the score if the node needs no
    # search, else None.  Examples are a finished game and a forced reply, which the hook itself
    # searches by tree.search.  Called before the table is probed.
    early_return: Callable[[State, int, Score, Score, int, bool], Score | None] | None = None

    # ---- the static evaluation ------------------------------------------------------------

    # Does a state hold its static evaluation?  Then `evaluate` is not called.
    carries_static = False
    # Does every node need the static evaluation and in_check?  Steps 3 and 4 of pvs.py use them, as
    # does late_iir_from.
    wants_static = False
    # Does a score in the table replace a static evaluation that contradicts the score's bound?
    static_from_table = True
    # At this ply the search returns the static evaluation.
    max_ply = MAX_PLY

    # evaluate(state, ply): (static evaluation, in check); not called if `carries_static`.
    evaluate: Callable[[State, int], tuple[Score, bool]] = _unused_hook

    # ---- steps of the search, and the depths at which they are taken ----------------------

    # Depths are in plies.  A step is taken from the depth on if the name ends with _from, up to the
    # depth if the name ends with _depth.

    # Reverse futility pruning up to a depth, with a margin above beta for each ply of depth.
    reverse_futility_depth = -NEVER
    reverse_futility_margin = 0
    # Internal iterative reduction from this depth on, if the table has no entry.
    iir_from = NEVER
    # Null move pruning from this depth on.
    null_move_from = NEVER
    # `probcut` is called from this depth on.
    probcut_from = NEVER
    # `frontier` is called up to this depth.
    frontier_depth = -NEVER

    # null_move(state, depth, excess): (state, depth) after a null move; None if zugzwang is
    # likely.  See `null_move_from`.  excess: static evaluation minus beta.
    null_move: Callable[[State, int, Score], tuple[State, int] | None] = _unused_hook

    # probcut(state, depth, alpha, beta, ply, table_depth): the score if a cheaper method settles
    # the node (ProbCut, threat-space search); None to search the successors.
    # table_depth: depth of the table's entry, -1 without an entry.  See `probcut_from`.
    probcut: Callable[[State, int, Score, Score, int, int], Score | None] = _unused_hook

    # frontier(state, depth, alpha, beta, ply, static, table_depth): the score of a node with
    # little or no depth left; None to search the node, at least a ply deep.  See `frontier_depth`.
    frontier: Callable[[State, int, Score, Score, int, Any, int], Score | None] = _unused_hook

    # quiesce(state, alpha, beta, ply): the score of a node at which no depth is left.  If the hook
    # is None, the search visits the node like any other.
    quiesce: Callable[[State, Score, Score, int], Score] | None = None

    # ---- games whose positions repeat, or that count moves --------------------------------

    # May positions repeat?  Then `tree.path` is recorded, and a repetition is a draw.
    repeats = False
    # `drawn` is called if the counter of the fifty-move rule is at least this.
    draw_from = NEVER

    # drawn(state): is the game drawn by a rule that counts moves?  See `draw_from`.
    drawn: Callable[[State], bool] = _unused_hook

    # ---- the plain kernel of search/plain.py, which proves results and plays on a position

    # Are scores that don't depend on the horizon marked as final?
    proves = False
    # Do outcomes depend on earlier moves?  Then a proof holds only for its path.
    path_dependent = False

    # extra_turn(state): does the last mover move again?  If the hook is None, the players take
    # turns.
    extra_turn: Callable[[State], bool] | None = None

    # undo_null(): takes back a null move that has changed a board.
    undo_null: Callable[[], None] | None = None

    # ---- a kernel that searches for threats, such as Gomoku's -----------------------------

    # Does a PV node search a win from the table again, to find its line?
    pv_of_wins = False
    # Up to this depth, the table's score is used in PV nodes, too.
    pv_cutoff_depth = -NEVER
    # Internal iterative reduction after step 5 of pvs.py, from this depth on, if the side to move
    # is not in check and the table has no move.
    late_iir_from = NEVER

    # root_score(move, line, score, alpha, beta): the score to report for a root move.  It may
    # extend `line`, the principal variation after the move.
    root_score: Callable[[Move, list[Move], Score, Score, Score], Score] = staticmethod(
        lambda move, line, score, alpha, beta: score
    )

    # ---- for PyPy, in a kernel with few paths through its code, such as Othello's ---------

    merge_point = MERGE_POINT  # the merge point in the loop over successors; () for none

    # ---- at the root ----------------------------------------------------------------------

    # root_final(state, depth): the score if the root move that was just made ends the game in a way
    # that the search does not see, else None.
    root_final: Callable[[State, int], Score | None] = staticmethod(lambda state, depth: None)

    # root_reduction(state, depth, move_number): the plies to subtract from the depth of the first
    # search after the root move that was just made.
    root_reduction: Callable[[State, int, int], int] = staticmethod(lambda *root_move: 0)

    # complete(depth): has an iteration of this depth seen the whole tree?  Not called if
    # `proves`.
    complete: Callable[[int], bool] = staticmethod(lambda depth: False)

    def __init__(self, position: Position) -> None:
        # make(move) and undo() of the kernel's own board if it has one, else of the position.
        self.make: Callable[[Move], object] = position.make
        self.undo: Callable[[], object] = position.undo
