"""What a game brings to the tree search of search/pvs.py when it wants speed: a kernel.

A kernel hands the position down the tree as a plain tuple, its *state*, instead of keeping it in attributes.  A state
begins with

    key         of the position, for the table
    static      the static evaluation for the side to move, where `carries_static`
    since       plies since the last irreversible move; 0 where the kernel does not `repeat`
    in_check    must the side to move answer a threat?  Such a root move is searched a ply deeper.

and goes on as the kernel likes.  What is too large for a tuple (a board) changes in place: `successors` makes a move,
yields, and takes it back.

Scores are those of games/base.py: from the side to move, WIN - n for a win n plies from the root.
"""
from __future__ import annotations

from games.junction import JUNCTION

# What a node's list holds; see Kernel.successors.
ALPHA, BEST, BETA, FIRST, STATIC, IMPROVING = range(6)

_NEVER = 1000


class Kernel:
    """The facts and hooks of one search.  The search binds them once, at its start; it never calls a hook left None.

    A game's `kernel(position, context, tree)` makes it.  tree: the Tree of search/pvs.py, which the hooks share.
    """

    # ---- facts ------------------------------------------------------------------------------------------

    junction = JUNCTION     # where paths through the loop over successors meet, for PyPy (games/junction.py); or ()
    carries_static = False  # a state holds its static evaluation: `assess` need not be asked
    repeats = False         # positions may repeat: `tree.path` is kept, and a repetition is a draw
    proves = False          # scores that no horizon has touched are told apart: they are final
    path_dependent = False  # ... but for games whose outcomes depend on the moves before
    max_ply = 240           # deeper lines stand on their evaluation
    shows_wins = False      # decided games are searched again in an open window, for the line that shows it
    cuts_open_to = -_NEVER  # up to this depth the table may answer in an open window, too
    corrects = True         # the table's score stands in for the static evaluation where it is a better bound
    draw_from = _NEVER      # `drawn` is asked once `since` is this large
    reverse_margin = 0      # reverse futility pruning: so far above beta for each ply of depth, ...
    reverse_depth = -1      # ... up to this depth
    null_from = _NEVER      # null move pruning: from this depth on
    reduce_from = _NEVER    # internal iterative reduction where the table has no entry: from this depth on
    reduce_late_from = _NEVER   # ... or, after step 5 and out of check, where the table has no move: from this depth on
    shortcut_from = _NEVER  # `shortcut` is asked from this depth on
    horizon_to = -_NEVER    # `horizon` is asked up to this depth

    # ---- owed -------------------------------------------------------------------------------------------

    # root_state(): the state of the root as it stands, after the moves that `make` made.
    root_state = None

    # successors(state, depth, ply, node): a generator of (move, child, new depth, reduction), likely good moves first.
    #
    # The move is made on the board while the search looks at it.  new depth is what is left for the child, extensions
    # included; reduction is by how much less it may be searched first.  Where the kernel knows the score already it
    # yields (move, None, score, 0) with the score for the mover, and need not do so if that is not above alpha.
    #
    # `node` is a list that the search keeps up to date: alpha, best score so far, beta, the move of the table or -1,
    # static evaluation, is the evaluation better than two plies ago?  The generator may raise node[BEST].  After a
    # move that reaches beta (node[ALPHA] >= node[BETA]) it takes the move back, learns from it and ends.
    successors = None

    # no_moves(state, ply): the score where `successors` had nothing to offer.
    no_moves = None

    # assess(state, ply): (static evaluation, in check).
    assess = None

    # ---- brought where the game has them ------------------------------------------------------------------

    # settle(state, depth, alpha, beta, ply, null_ok): the score where no search is needed (a finished game; a forced
    # reply, which it searches itself by tree.visit), else None.  Comes before the table.
    settle = None

    # plays_again(state): does the player of the last move have the next one, too?  None where players take turns.
    plays_again = None

    # drawn(state): is the game drawn by a rule that counts moves?
    drawn = None

    # null_move(state, depth, excess): (state, depth) after a null move; None where zugzwang is likely.
    # excess: by how much the static evaluation lies above beta.  undo_null(): where a board has changed.
    null_move = undo_null = None

    # shortcut(state, depth, alpha, beta, ply, known): the score where the game has a cheaper way to it (ProbCut,
    # threats), else None.  known: the depth of the table's entry, -1 where there is none.
    shortcut = None

    # horizon(state, depth, alpha, beta, ply, static, known): the score where the depth is used up, or soon will be;
    # None to go on, for a ply at least.
    horizon = None

    # quiesce(state, alpha, beta, ply): the score after a move that leaves no depth, in place of a visit.
    quiesce = None

    # ---- at the root ------------------------------------------------------------------------------------

    # make(move), undo(): for a board that the kernel keeps apart from the position.
    make = undo = None

    # root_final(state, depth): the score where the move just made ends the game in a way that the search does not see.
    root_final = None

    # root_reduction(state, depth, number): by how much less the root move that was made may be searched first.
    root_reduction = None

    # root_score(move, line, score, alpha, beta): the score of a root move as it is told; may complete the line.
    root_score = None

    # complete(depth): did an iteration of this depth see all there is?  Else `proves` tells.
    complete = None
