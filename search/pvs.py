"""The tree search that all games think with: principal variation search over a kernel.

`visit` is fail-soft (the value it returns may lie outside its window and is then a
bound) and takes these steps; each asks only what the game's kernel (games/kernel.py)
knows:

    1. count the node; what the rules say: finished, forced reply, repetition, a faster win
       elsewhere
    2. the transposition table knows the answer, or at least the move to try first
    3. reverse futility: so far above beta, a node this close to the horizon will not fall
       below it
    4. null move: if even passing keeps the score above beta, a move will
    5. the game's shortcuts (ProbCut, threats); the horizon
    6. the successors: the first with the full window, the others with a null window around
       alpha, late ones reduced; what beats alpha is searched again
    7. what was found goes to the table

The state of a position is handed down as a tuple, which needs no undo; the kernel's
generator `successors` makes moves on a board around its `yield`.

Scores are from the side to move.  They are negated, and windows mirrored, from each ply
to the next; where the same player moves again (`plays_again`) they are mirrored once
more.  A win found `n` plies from the root scores WIN - n there; in the table it is
counted from its own node, so that it holds wherever the node is met again.

`count[UNPROVEN]` grows wherever something other than the rules decided (an
evaluation, a null move, a reduction, a shallow table entry).  Where a subtree left it
unchanged its value is exact and final: it enters the table as SOLVED, and a root that
is so is proven.
"""
from __future__ import annotations

from operator import attrgetter

from games.base import MAX_SCORE, WIN
from games.entry import (
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
from games.kernel import MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Position
    from games.kernel import Kernel
    from games.types import Check, Key, MakeKernel, Move, Node, Score, State, Table, Visit
    from search.context import Context

    # after_null(passed, beta, ply): see _null_search.
    AfterNull = Callable[[tuple[State, int] | None, Score, int], Score]

# Below every score, that of an illegal position too.
_NONE = -WIN - 1000

# Of Tree.count; `visit` has the numbers, since to look up a name costs time.
NODES, LIMIT, UNPROVEN, DEEPEST = range(4)

# What `build` binds of a Tree, and of a kernel.
_SHARED = attrgetter("count", "lines", "evals", "path", "base", "check", "table.keys", "table.data",
                     "table.mask")
_FACTS = attrgetter(
    "max_ply", "repeats", "proves", "carries_static", "path_dependent", "shows_wins",
    "cuts_open_to", "draw_from",
    "reverse_futility_margin", "reverse_futility_depth", "corrects_static", "null_move_from",
    "iir_from", "late_iir_from", "wants_static", "shortcut_from", "horizon_to")
_HOOKS = attrgetter(
    "successors", "no_moves", "assess", "settle", "drawn", "null_move", "shortcut", "horizon",
    "merge_point")


class Tree:
    """What a search and its kernel share.

    count: [nodes visited, node count at which to call check, what the rules did not prove,
        deepest ply].
    lines[ply]: the principal variation from there on.
    evals[ply]: the static evaluations on the way to the node.
    path: the keys of the game's positions and of those on the way to the node; the root's
        is path[base].
    visit(state, depth, alpha, beta, ply, null_allowed): the search itself, for kernels that
        search on their own.
    """

    visit: Visit

    def __init__(self, table: Table, check: Check) -> None:
        self.table, self.check = table, check
        self.count = [0, 0, 0, 0]
        self.lines: list[list[Move]] = [[] for _ in range(MAX_PLY + 2)]
        self.evals = [0] * (MAX_PLY + 2)
        self.path, self.base = [0] * (MAX_PLY + 2), 0


class TreeSearch:
    """The search below the root moves of a position.

    position: a private copy, left anywhere when `Stopped` passes.
    """

    def __init__(self, position: Position, kernel: MakeKernel, table: Table, context: Context,
                 check: Check | None = None) -> None:
        """kernel(position, context, tree): makes the Kernel.  check: see Context."""
        self._marks = context.helpers.marks(context)
        self._tree = Tree(table, check or context.check)
        self._kernel = kernel(position, context, self._tree)
        if self._marks is not None:
            self._kernel.successors = self._marks.deferring(self._kernel.successors)
        build(self._kernel, self._tree)
        self._make, self._undo = self._kernel.make, self._kernel.undo
        self._states: dict[Move, State] = {}            # after each root move
        self._line: list[Move] = []
        self._depth = self._unproven = 0

    def begin(self, depth: int) -> None:
        """A new iteration starts."""
        count = self._tree.count
        self._depth, self._unproven, count[DEEPEST] = depth, count[UNPROVEN], 0

    def try_move(self, move: Move, number: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The fail-soft score of a root move for its mover, its reply searched `depth` plies deep.

        number: which of the root moves it is, from 1; late ones may be reduced.
        """
        kernel = self._kernel
        self._make(move)
        state = self._states.get(move)
        if state is None:
            state = self._states[move] = kernel.root_state()
        depth += state[3]
        reduction = 0
        if number > 1 and beta - alpha == 1:
            reduction = kernel.root_reduction(state, depth, number)
        mark = None
        if self._marks is not None and number > 1:
            mark = self._marks.set(state[0], self._depth)
        score = self._reply(state, depth - reduction, alpha, beta)
        if reduction and score > alpha:
            score = self._reply(state, depth, alpha, beta)
        if self._marks is not None and mark is not None:
            self._marks.clear(mark)
        self._line = self._tree.lines[1][:] if beta - alpha > 1 else []
        self._undo()
        return kernel.root_score(move, self._line, score, alpha, beta)

    def busy(self, move: Move) -> bool:
        """Is another process just searching this root move?"""
        state = self._states.get(move)
        return (self._marks is not None and state is not None
                and self._marks.has(state[0], self._depth))

    def value(self, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of the position itself, `depth` plies deep (fail-soft)."""
        state, plays_again = self._kernel.root_state(), self._kernel.plays_again
        if plays_again is not None and plays_again(state):      # no move led here
            return -self._tree.visit(state, depth, -beta, -alpha, 0, False)
        return self._tree.visit(state, depth, alpha, beta, 0, False)

    def _reply(self, state: State, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of a root move that was made, for its mover."""
        tree, kernel = self._tree, self._kernel
        tree.lines[1] = []
        final = kernel.root_final(state, depth)
        if final is not None:
            return -final
        if depth > 0 or kernel.quiesce is None:
            return -tree.visit(state, depth, -beta, -alpha, 1, True)
        return -kernel.quiesce(state, -beta, -alpha, 1)

    def reply_line(self) -> list[Move]:
        """The principal variation after the move tried last, if its score lay inside the window."""
        return self._line

    def complete(self) -> bool:
        """Did the rules alone decide everything since begin()?"""
        if self._kernel.proves:
            return self._tree.count[UNPROVEN] == self._unproven
        return self._kernel.complete(self._depth)

    def nodes(self) -> int:
        """Positions visited."""
        return self._tree.count[NODES]

    def seldepth(self) -> int:
        """The deepest ply visited since begin()."""
        return self._tree.count[DEEPEST]

    def hashfull(self) -> int:
        """How full the table is, in permille."""
        return self._tree.table.hashfull()


def build(kernel: Kernel, tree: Tree) -> None:
    """Make tree.visit, the search over a kernel, with everything that it needs bound to locals."""
    count, lines, evals, path, base, check, keys, data, mask = _SHARED(tree)
    (max_ply, repeats, proves, carries_static, path_dependent, shows_wins, cuts_open_to, draw_from,
     reverse_futility_margin, reverse_futility_depth, corrects_static, null_move_from, iir_from,
     late_iir_from, wants_static, shortcut_from, horizon_to) = _FACTS(kernel)
    (successors, no_moves, assess, settle, drawn, null_move, shortcut, horizon,
     merge_point) = _HOOKS(kernel)

    def visit(state: State, depth: int, alpha: Score, beta: Score, ply: int,
              null_allowed: bool) -> Score:
        """The fail-soft score of `state` for its side to move, which may pass if null_allowed."""
        # 1. Counting, and what is known without a search.
        count[0] = visited = count[0] + 1
        if visited >= count[1]:
            count[1] = check(visited)
        open_window = beta - alpha > 1
        if open_window:
            lines[ply] = []
        if ply > count[3]:
            count[3] = ply
        if settle is not None:
            score: Score = settle(state, depth, alpha, beta, ply, null_allowed)
            if score is not None:
                return score
        key = state[0]
        if repeats:
            here, since = base + ply, state[2]
            path[here] = key
            if since > 3:
                oldest = here - since if since < here else 0
                if key in path[oldest:here - 3] and repeated(path, base + 1, oldest, here):
                    return 0
                if since >= draw_from and drawn(state):
                    return 0
        if beta > WIN - ply:            # no win from here would be faster
            beta = WIN - ply
            if alpha >= beta:
                return beta

        # 2. The table.
        slot = key & mask
        table_move, bound, table_depth = -1, 0, -1
        entry = data[slot]
        if entry and keys[slot] ^ entry == key:
            table_move = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
            table_depth, bound = entry >> DEPTH_SHIFT & SOLVED, entry & EXACT
            table_score = score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if open_window and shows_wins and not -MAX_SCORE <= score <= MAX_SCORE:
                depth, table_depth = max(depth, table_depth), -1    # search it as if it were new
            elif table_depth >= depth and (not open_window or depth <= cuts_open_to):
                if not -MAX_SCORE <= score <= MAX_SCORE:
                    score = score_from_table(score, ply)
                if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                    if proves and table_depth != SOLVED:
                        count[2] += 1
                    return score
        elif depth >= iir_from:
            depth -= 1      # without a move to try first the order is poor; next time there is one

        for _ in merge_point:       # with or without an entry: what follows is compiled once
            pass

        # 3. The static evaluation, and what it decides alone.
        if ply >= max_ply:
            count[2] += 1
            return state[1] if carries_static else assess(state, ply)[0]
        static, improving = None, True      # improving: since two plies ago
        if wants_static:
            static, in_check = (state[1], state[3]) if carries_static else assess(state, ply)
            evals[ply] = static
            # A search knows better than the evaluation, however shallow it was.
            if bound and corrects_static and -MAX_SCORE < table_score < MAX_SCORE and bound & (
                    LOWER if table_score > static else UPPER):
                static = table_score
            if not in_check:
                improving = ply < 2 or static > evals[ply - 2]
                if not open_window and -MAX_SCORE < beta < MAX_SCORE:
                    if depth <= reverse_futility_depth and static - reverse_futility_margin * (
                            depth - improving if depth > 0 else 0) >= beta:
                        return static
                    # 4. Null move.
                    if null_allowed and depth >= null_move_from and static >= beta:
                        score = after_null(null_move(state, depth, static - beta), beta, ply)
                        if score >= beta:
                            count[2] += 1
                            return score if score < MAX_SCORE else beta

        # 5. Shortcuts, and the horizon.
        if depth >= shortcut_from:
            score = shortcut(state, depth, alpha, beta, ply, table_depth)
            if score is not None:
                return score
        if depth <= horizon_to:
            score = horizon(state, depth, alpha, beta, ply, static, table_depth)
            if score is not None:
                count[2] += 1
                return score
            depth = max(depth, 1)
        if depth >= late_iir_from and table_move < 0 and not in_check:
            depth -= 1      # as above, but what cuts early was looked for at the full depth

        # 6. The successors.
        unproven = count[2]
        node: Node = [alpha, _NONE, beta, table_move, static, improving]
        old_alpha, best_move, scout = alpha, table_move, not open_window
        for move, child, new_depth, reduction in successors(state, depth, ply, node):
            for _ in merge_point:
                pass
            if child is None:
                score = new_depth       # the kernel knows it
            elif not scout:
                score = -reply(child, new_depth, -beta, -alpha, ply + 1, True)
            else:
                score = -reply(child, new_depth - reduction, -alpha - 1, -alpha, ply + 1, True)
                if reduction:
                    if score > alpha:
                        score = -reply(child, new_depth, -alpha - 1, -alpha, ply + 1, True)
                    elif proves:
                        count[2] += 1
                if open_window and alpha < score < beta:
                    score = -reply(child, new_depth, -beta, -alpha, ply + 1, True)
            scout = True
            if score > node[1]:
                node[1] = score
                if score > alpha:
                    node[0] = alpha = score
                    best_move = move
                    if open_window:
                        lines[ply] = [move] + lines[ply + 1]
        best: Score = node[1]
        if best == _NONE:
            return no_moves(state, ply)     # type: ignore[no-any-return]  # _HOOKS lost its type

        # 7. The table again.
        if proves:
            depth = min(depth, SOLVED - 1) if path_dependent or count[2] != unproven else SOLVED
            if (keys[slot] ^ data[slot] == key
                    and data[slot] >> DEPTH_SHIFT & SOLVED > depth):
                return best
        score = best if -MAX_SCORE <= best <= MAX_SCORE else score_to_table(best, ply)
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        entry = (score + SCORE_BIAS << SCORE_SHIFT | best_move + 1 << MOVE_SHIFT
                 | depth << DEPTH_SHIFT | bound)
        keys[slot] = key ^ entry
        data[slot] = entry
        return best

    tree.visit = reply = _in_turn(visit, kernel.plays_again)
    after_null = _null_search(kernel, reply)


def repeated(path: Sequence[Key], below: int, oldest: int, here: int) -> bool:
    """Does the position path[here] count as repeated, by those from path[oldest] on?

    Once below the root (from `below` on) is enough: what could be repeated will be.  A
    position of the game before must come for the third time, since the opponent may
    play on differently.
    """
    key = path[here]
    return key in path[max(oldest, below):here - 3] or path[oldest:here - 3].count(key) > 1


def _in_turn(visit: Visit, plays_again: Callable[[State], bool] | None) -> Visit:
    """`visit`, its score for the opponent of who moved last, even if that player moves again."""
    if plays_again is None:
        return visit

    def visit_in_turn(state: State, depth: int, alpha: Score, beta: Score, ply: int,
                      null_allowed: bool) -> Score:
        if plays_again(state):
            return -visit(state, depth, -beta, -alpha, ply, null_allowed)
        return visit(state, depth, alpha, beta, ply, null_allowed)

    return visit_in_turn


def _null_search(kernel: Kernel, reply: Visit) -> AfterNull:
    """after_null(passed, beta, ply): the score of the side that passed, in the window below beta.

    passed: what the kernel's null_move returned; where that is None the score is below
    all.
    """
    quiesce, undo_null = kernel.quiesce, kernel.undo_null

    def after_null(passed: tuple[State, int] | None, beta: Score, ply: int) -> Score:
        if passed is None:
            return _NONE
        child, new_depth = passed
        if new_depth > 0 or quiesce is None:
            score = -reply(child, new_depth, -beta, 1 - beta, ply + 1, False)
        else:
            score = -quiesce(child, -beta, 1 - beta, ply + 1)
        if undo_null is not None:
            undo_null()
        return score

    return after_null
