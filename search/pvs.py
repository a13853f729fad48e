"""The tree search of all games: principal variation search over a kernel.

`search` is the function of one node.  Its contract is fail-soft: a returned score s is exact if
alpha < s < beta.  Otherwise it is a bound: the node is worth at most s if s <= alpha, and at least
s if s >= beta.  It calls itself through `search_child`, which is `search` itself unless
players may move twice in a row (_in_turn).  What a game knows comes from its kernel
(games/kernel.py), which also says which of these steps are taken, and at which depths.  In
brackets: pages of the Chess Programming Wiki, https://www.chessprogramming.org.

    1. count the node; apply the rules: finished, forced reply, repetition, a faster win
       elsewhere [Repetitions, Mate Distance Pruning]
    2. the transposition table has the answer, or at least the move to try first; without an
       entry, a shallower search [Transposition Table, Internal Iterative Reductions]
    3. the static evaluation; a node that is far above beta and close to the horizon will not
       fall below beta [Evaluation, Reverse Futility Pruning]
    4. if even passing keeps the score above beta, a move will [Null Move Pruning]
    5. the game's own pruning, threat-space search, and the search at the horizon [ProbCut,
       Quiescence Search]
    6. the successors: the first with the full window, the others with a null window above
       alpha, late ones reduced; those that beat alpha are searched again [Principal Variation
       Search, Late Move Reductions]
    7. store the result in the table [Transposition Table, "Replacement Strategies"]

The factor by which the number of nodes grows if a step is left out, summed over searches to the
depths of `bench` and one ply deeper (docs/lab has the matches):

    2. cutoffs by the table          chess 1.2    Othello 1.3
       the table's move first        chess 1.6    Othello 1.2
       internal iterative reduction  chess 1.1
    3. reverse futility              chess 1.4
       a bound in place of `static`  chess 1.005
       improving                     chess 0.95: more nodes with it, since it prunes less
    4. null move                     chess 1.01, four plies deeper 1.23
    5. ProbCut                       Othello 9
       late iterative reduction      Gomoku and Renju 1.07, at the depths 4 to 8 1.3
    6. reductions                    chess 2.7
       null windows                  chess 4.7    Othello 2.2, since open windows prune little

The state of a position is passed down as a tuple, which needs no undo; the kernel's
generator `successors` makes moves on a board around its `yield`.  The beta cutoff is there, too:
after a move that reaches beta the generator ends, and so does the loop over it.

Scores are for the side to move.  They are negated, and windows mirrored, from each ply
to the next; if the same player moves again (`extra_turn`) they are mirrored once more.
A win found `n` plies from the root scores WIN - n there; in the table it is counted from
its own node, so that it is valid wherever the node occurs again.

`count[UNPROVEN]` grows whenever something other than the rules decided (an evaluation,
a null move, a reduction, a shallow table entry).  If it is unchanged after a subtree, the
subtree's value is exact and final: the value enters the table as SOLVED, and at the root
the result is proven.  Chess has no use for this: whoever reads this file for chess can skip the
lines with `proves` and UNPROVEN.
"""

from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.entry import (
    BOUND_MASK,
    DEPTH_MASK,
    DEPTH_SHIFT,
    EXACT,
    LOWER,
    MOVE_MASK,
    MOVE_SHIFT,
    SCORE_BIAS,
    SCORE_SHIFT,
    SOLVED,
    UPPER,
    score_from_table,
    score_to_table,
)
from games.kernel import ALPHA, BEST, MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.kernel import Kernel
    from games.types import Check, Key, Marks, Move, NodeData, Score, SearchNode, State, Table

    # null_search((state, depth) after a null move, beta, ply): see _null_search.
    NullSearch = Callable[[tuple[State, int], Score, int], Score]

# Below every score, even that of an illegal position.
_NONE = -WIN - 1000

# Indices of Tree.count.
NODES, NEXT_CHECK, UNPROVEN, DEEPEST = range(4)


class Tree:
    """The data shared by a search and its kernel.

    count: [nodes visited, node count at which to call check, number of values not proven by
        the rules, deepest ply].
    lines[ply]: the principal variation from that ply on.
    evals[ply]: the static evaluations on the way to the node.
    path: the keys of the game's positions and of those on the way to the node; the root's
        is path[base].
    search(state, depth, alpha, beta, ply, null_allowed): the search itself, for kernels that
        search on their own.
    """

    search: SearchNode

    def __init__(self, table: Table, check: Check) -> None:
        self.table, self.check = table, check
        self.count = [0, 0, 0, 0]
        self.lines: list[list[Move]] = [[] for _ in range(MAX_PLY + 2)]
        self.evals = [0] * (MAX_PLY + 2)
        self.path, self.base = [0] * (MAX_PLY + 2), 0

    def set_path(self, keys: Sequence[Key]) -> None:
        """Begin the path with the keys of the game's positions, the root's last.

        Before them come three keys that no position has, since the search for a repetition skips
        the last three positions even if fewer were played.
        """
        self.base = len(keys) + 2
        self.path[:] = [-1, -1, -1, *keys] + [0] * (MAX_PLY + 2)


class TreeSearch:
    """The search below the root moves of a kernel's position.

    tree: the Tree that the kernel shares with the search.
    marks: the positions that other processes are searching now (ABDADA); None for one process.
    reply_line: the principal variation after the last move tried; empty in a null window.
    """

    def __init__(self, kernel: Kernel, tree: Tree, marks: Marks | None) -> None:
        self._kernel = kernel
        self._tree = tree
        self._marks = marks
        if marks is not None:
            kernel.successors = marks.deferring(kernel.successors)
        bind_search(kernel, tree)
        self._states: dict[Move, State] = {}  # {root move: state after it}
        self.reply_line: list[Move] = []
        self._depth = self._unproven = 0

    def begin(self, depth: int) -> None:
        """Start the iteration of this depth."""
        count = self._tree.count
        self._depth = depth
        self._unproven = count[UNPROVEN]
        count[DEEPEST] = 0

    def try_move(self, move: Move, number: int, depth: int, alpha: Score, beta: Score) -> Score:
        """Return a root move's fail-soft score for its mover.  The replies are searched to `depth`.

        number: the move's place among the root moves, from 1; late ones may be reduced.
        """
        self._kernel.make(move)
        state = self._states.get(move)
        if state is None:
            state = self._states[move] = self._kernel.root_state()
        if self._marks is None or number == 1:
            score = self._reduced(state, number, depth, alpha, beta)
        else:
            mark = self._marks.set(state[0], self._depth)
            score = self._reduced(state, number, depth, alpha, beta)
            self._marks.clear(mark)
        self.reply_line = self._tree.lines[1][:] if beta - alpha > 1 else []
        self._kernel.undo()
        return self._kernel.root_score(move, self.reply_line, score, alpha, beta)

    def _reduced(self, state: State, number: int, depth: int, alpha: Score, beta: Score) -> Score:
        """Return the score of a root move that was made; search a late move shallower first."""
        depth += state[3]  # one ply more if in check
        if number > 1 and beta - alpha == 1:
            reduction = self._kernel.root_reduction(state, depth, number)
            if reduction:
                score = self._reply(state, depth - reduction, alpha, beta)
                if score <= alpha:
                    return score
        return self._reply(state, depth, alpha, beta)

    def busy(self, move: Move) -> bool:
        """Is another process searching this root move now?"""
        if self._marks is None or move not in self._states:
            return False
        return self._marks.has(self._states[move][0], self._depth)

    def _reply(self, state: State, depth: int, alpha: Score, beta: Score) -> Score:
        """Return the score of a root move that was made, for its mover."""
        tree, kernel = self._tree, self._kernel
        tree.lines[1] = []
        final = kernel.root_final(state, depth)
        if final is not None:
            return -final
        if depth > 0 or kernel.quiesce is None:
            return -tree.search(state, depth, -beta, -alpha, 1, True)
        return -kernel.quiesce(state, -beta, -alpha, 1)

    def complete(self) -> bool:
        """Are all scores since begin() decided by the rules, none by the evaluation?"""
        if self._kernel.proves:
            return self._tree.count[UNPROVEN] == self._unproven
        return self._kernel.complete(self._depth)

    def counters(self) -> tuple[int, int, int]:
        """Return (positions visited, deepest ply since begin(), permille of the table in use)."""
        count = self._tree.count
        return count[NODES], count[DEEPEST], self._tree.table.hashfull()


def bind_search(kernel: Kernel, tree: Tree) -> None:
    """Set tree.search to the search over a kernel."""
    # Local names for what most nodes need: attribute look-ups cost time.
    count = tree.count
    lines = tree.lines
    evals = tree.evals
    path = tree.path
    base = tree.base
    keys = tree.table.keys
    data = tree.table.data
    mask = tree.table.mask
    check = tree.check
    # The game's properties, and the depth limits of the search's steps (games/kernel.py).
    max_ply = kernel.max_ply
    repeats = kernel.repeats
    draw_from = kernel.draw_from
    proves, path_dependent = kernel.proves, kernel.path_dependent
    pv_of_wins, pv_cutoff_depth = kernel.pv_of_wins, kernel.pv_cutoff_depth
    carries_static, static_from_table = kernel.carries_static, kernel.static_from_table
    wants_static = kernel.wants_static
    reverse_futility_depth = kernel.reverse_futility_depth
    reverse_futility_margin = kernel.reverse_futility_margin
    null_move_from, probcut_from = kernel.null_move_from, kernel.probcut_from
    iir_from, late_iir_from = kernel.iir_from, kernel.late_iir_from
    frontier_depth = kernel.frontier_depth
    # The kernel's functions.
    early_return = kernel.early_return
    evaluate = kernel.evaluate
    frontier = kernel.frontier
    successors = kernel.successors
    merge_point = kernel.merge_point

    def search(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score:
        """Return the fail-soft score of `state` for its side to move.

        state: (key, static evaluation, rule50, in check, ...), see games/kernel.py.
        null_allowed: False after a null move, since two in a row would only lose depth.
        """
        # 1. The node count, and what the rules decide without a search.
        count[NODES] = visited = count[NODES] + 1
        if visited >= count[NEXT_CHECK]:
            count[NEXT_CHECK] = check(visited)
        pv_node = beta - alpha > 1
        if pv_node:
            lines[ply] = []
        if ply > count[DEEPEST]:
            count[DEEPEST] = ply
        if early_return is not None:
            early_score = early_return(state, depth, alpha, beta, ply, null_allowed)
            if early_score is not None:
                return early_score
        key = state[0]
        if repeats:
            here, rule50 = base + ply, state[2]
            path[here] = key
            if rule50 > 3:  # a position can't recur in fewer than four plies
                oldest = here - rule50 if rule50 < here else 0
                if key in path[oldest : here - 3] and repeated(path, base + 1, oldest, here):
                    return 0
                if rule50 >= draw_from and kernel.drawn(state):
                    return 0
        # Mate distance pruning: a win from here scores at most WIN - ply.  (It saves nodes only if
        # a win was found, so it saves none at the depths of `bench`.)
        if beta > WIN - ply:
            beta = WIN - ply
            if alpha >= beta:
                return beta

        # 2. The table.  An entry at least as deep as this search replaces the search if its score
        #    is exact, or a lower bound of at least beta, or an upper bound of at most alpha.  In PV
        #    nodes this is done only up to pv_cutoff_depth, since the line to be shown would end
        #    here.  Otherwise the entry's move is tried first.
        slot = key & mask
        table_move = -1
        bound = 0
        table_depth = -1
        table_score = 0
        entry = data[slot]
        if entry and keys[slot] ^ entry == key:
            table_move = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
            table_depth, bound = entry >> DEPTH_SHIFT & DEPTH_MASK, entry & BOUND_MASK
            table_score = score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if pv_node and pv_of_wins and not -MAX_SCORE <= score <= MAX_SCORE:
                # To get the line of a win, ignore its table entry and search the win again at the
                # depth where it was found.
                depth, table_depth = max(depth, table_depth), -1
            elif table_depth >= depth and (not pv_node or depth <= pv_cutoff_depth):
                if not -MAX_SCORE <= score <= MAX_SCORE:
                    score = score_from_table(score, ply)
                if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                    if proves and table_depth != SOLVED:
                        count[UNPROVEN] += 1
                    return score
        elif depth >= iir_from:
            # Internal iterative reduction: without a move to try first the order is poor; a
            # shallower search finds one for the next time.
            depth -= 1

        # Without this loop, PyPy would compile the code below twice: for nodes with an entry, and
        # for nodes without one (games/kernel.py).
        for _ in merge_point:
            pass

        # 3. The static evaluation, and what it alone decides.
        if ply >= max_ply:
            count[UNPROVEN] += 1
            return state[1] if carries_static else evaluate(state, ply)[0]
        # improving: is the evaluation higher than two plies ago, when the same side was to move?
        # If so, late moves are pruned and reduced less, and nodes above beta cut sooner.
        static = None
        in_check = False
        improving = True
        if wants_static:
            static, in_check = (state[1], state[3]) if carries_static else evaluate(state, ply)
            evals[ply] = static
            # A stored score, even of a shallow search, is better than the static evaluation: use it
            # if it is exact, or a lower bound above `static`, or an upper bound below `static`.
            if (
                bound
                and static_from_table
                and -MAX_SCORE < table_score < MAX_SCORE
                and bound & (LOWER if table_score > static else UPPER)
            ):
                static = table_score
            if not in_check:
                improving = ply < 2 or static > evals[ply - 2]
                if not pv_node and -MAX_SCORE < beta < MAX_SCORE:
                    # Reverse futility: a score this far above beta will hardly fall below beta in
                    # the few plies that are left; if improving, the margin counts one ply less.
                    # This cutoff isn't counted as UNPROVEN: no kernel that proves scores uses it.
                    if (
                        depth <= reverse_futility_depth
                        and static
                        - reverse_futility_margin * (depth - improving if depth > 0 else 0)
                        >= beta
                    ):
                        return static
                    # 4. Null move: if even a pass fails high, some move will.  The exception is
                    #    zugzwang, in which every move spoils the position; the kernel returns
                    #    None if zugzwang is likely.  A win found after a pass isn't proven, so
                    #    its score is clamped to beta.
                    if null_allowed and depth >= null_move_from and static >= beta:
                        passed = kernel.null_move(state, depth, static - beta)
                        if passed is not None and (score := null_search(passed, beta, ply)) >= beta:
                            count[UNPROVEN] += 1
                            return score if score < MAX_SCORE else beta

        # 5. The game's knowledge: far from the horizon, cheaper ways to a cutoff; close to it, a
        #    replacement for the search (threats in Gomoku, the evaluation in other games).
        if depth >= probcut_from:
            cutoff = kernel.probcut(state, depth, alpha, beta, ply, table_depth)
            if cutoff is not None:
                return cutoff
        if depth <= frontier_depth:
            horizon_score = frontier(state, depth, alpha, beta, ply, static, table_depth)
            if horizon_score is not None:
                count[UNPROVEN] += 1
                return horizon_score
            depth = max(depth, 1)
        if depth >= late_iir_from and table_move < 0 and not in_check:
            # Internal iterative reduction as in step 2, after the early cutoffs were tried at
            # the full depth.
            depth -= 1

        # 6. The successors.  The first is expected to be the best and searched in the whole
        #    window.  The others are only tested for beating alpha: (a) in a null window, with late
        #    moves at a reduced depth.  (b) A reduced move that beats alpha is searched again at the
        #    full depth.  (c) In a PV node, a move that still beats alpha is searched again in the
        #    whole window.
        unproven = count[UNPROVEN]
        # `successors` reads this list between its yields, and may raise its BEST itself.
        node: NodeData = [alpha, _NONE, beta, table_move, static, improving]
        old_alpha, best_move = alpha, table_move
        null_window = not pv_node  # is the next child searched in a null window?
        for move, child, depth_or_score, reduction in successors(state, depth, ply, node):
            for _ in merge_point:
                pass
            if child is None:  # the kernel knows the score
                score = depth_or_score
            elif not null_window:  # the first child of a PV node
                score = -search_child(child, depth_or_score, -beta, -alpha, ply + 1, True)
            else:
                score = -search_child(  # (a) in a null window
                    child, depth_or_score - reduction, -alpha - 1, -alpha, ply + 1, True
                )
                if reduction:
                    if score > alpha:  # (b) again, at the full depth
                        score = -search_child(
                            child, depth_or_score, -alpha - 1, -alpha, ply + 1, True
                        )
                    elif proves:
                        count[UNPROVEN] += 1
                if pv_node and alpha < score < beta:  # (c) again, in the whole window
                    score = -search_child(child, depth_or_score, -beta, -alpha, ply + 1, True)
            null_window = True
            if score > node[BEST]:
                node[BEST] = score
                if score > alpha:
                    node[ALPHA] = alpha = score  # if alpha reaches beta, `successors` ends
                    best_move = move
                    if pv_node:
                        lines[ply] = [move] + lines[ply + 1]
        best: Score = node[BEST]
        if best == _NONE:
            return kernel.no_moves(state, ply)

        # 7. Store in the table, in place of any other entry: the latest result is needed soonest.
        #    But if scores can be proven, a proven or deeper entry of this position stays.
        #    The key is stored as key ^ entry (Hyatt and Mann's lockless hashing), so an entry that
        #    two processes wrote at once, half each, fits no key.
        if proves:
            if not path_dependent and count[UNPROVEN] == unproven:
                depth = SOLVED
            else:
                depth, entry = min(depth, SOLVED - 1), data[slot]
                if entry >> DEPTH_SHIFT & DEPTH_MASK > depth and keys[slot] ^ entry == key:
                    return best
        score = best if -MAX_SCORE <= best <= MAX_SCORE else score_to_table(best, ply)
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        entry = (
            score + SCORE_BIAS << SCORE_SHIFT
            | best_move + 1 << MOVE_SHIFT
            | depth << DEPTH_SHIFT
            | bound
        )
        keys[slot] = key ^ entry
        data[slot] = entry
        return best

    tree.search = search_child = _in_turn(search, kernel.extra_turn)
    null_search = _null_search(kernel, search_child)


def repeated(path: Sequence[Key], below_root: int, oldest: int, here: int) -> bool:
    """Is path[here] a repetition, looking back to path[oldest]?

    One repetition below the root (from path[below_root] on) is enough: a player who could repeat
    once can do so again.  A position from before the root must occur for the third time, since the
    opponent may deviate.
    """
    key = path[here]
    return key in path[max(oldest, below_root) : here - 3] or path[oldest : here - 3].count(key) > 1


def _in_turn(search: SearchNode, extra_turn: Callable[[State], bool] | None) -> SearchNode:
    """Return search() with windows and scores for the opponent of the last mover.

    The windows and scores of search() are for the side to move.  After an extra turn the side to
    move is the last mover itself, so they have to be mirrored.
    """
    if extra_turn is None:
        return search

    def search_in_turn(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score:
        if extra_turn(state):
            return -search(state, depth, -beta, -alpha, ply, null_allowed)
        return search(state, depth, alpha, beta, ply, null_allowed)

    return search_in_turn


def _null_search(kernel: Kernel, search_child: SearchNode) -> NullSearch:
    """Return null_search(passed, beta, ply), which scores a pass in the null window below beta.

    passed: (state, depth) from the kernel's null_move.  null_search takes the null move back.
    """
    quiesce, undo_null = kernel.quiesce, kernel.undo_null

    def null_search(passed: tuple[State, int], beta: Score, ply: int) -> Score:
        child, new_depth = passed
        if new_depth > 0 or quiesce is None:
            score = -search_child(child, new_depth, -beta, 1 - beta, ply + 1, False)
        else:
            score = -quiesce(child, -beta, 1 - beta, ply + 1)
        if undo_null is not None:
            undo_null()
        return score

    return null_search
