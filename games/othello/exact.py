"""The endgame at the root: whether to solve it now, and what is told on the way.

First a shallow midgame search gives an answer at all, an order of moves and a guess of the score.  With many empty
squares a selective solution makes both better.  Then null windows beside a draw say who wins, then windows around
the guess find the exact difference, move by move if several lines are wanted.

Who wins is found in a fraction of the positions that the difference takes, so on the clock it is asked for from more
empty squares on.  Where that is all that can be had, the search that follows is bound to the winning move, or at
least kept from the moves that lose.
"""
from __future__ import annotations

from games.ordering import reorder_for_helper
from games.base import GiveUp, Line
from games.othello.endgame import BEST, WORST, Solver
from games.othello.kernel import DISC, INFINITY
from games.othello.lanes import LANES
from games.othello.patterns import evaluation
from games.othello.squares import PASS
from games.root_moves import best_root_move

# Positions that a solution visits: this many at _FEW empty squares, and _GROWTH times as many with each further one.
_FEW, _FEW_POSITIONS, _GROWTH = 14, 40_000, 2.15
# Positions a second until the first solution has measured it, which takes so many seconds at least.
_SPEED, _MEASURABLE = 400_000, 0.05
# A solution is begun if it should take at most this share of the time, or of the nodes; given up past the other share.
_PROMISING, _PATIENCE = 0.5, 0.8
# To tell the winner takes about this share of the positions.  It is tried if it may be told in the time there is, and
# given up past the first share of it, or past the second one where half of the time should do.
_WINNER_SHARE, _WINNER_PATIENCE = 0.04, (0.5, 0.75)
# Without any bound of time, nodes or depth it is begun from so many empty squares on.
_UNBOUNDED_FROM = 26

_PREVIEW_DEPTHS = (2, 4, 6, 8, 10)
# Of the positions that the solution should visit, and of those where only the winner may be found.
_PREVIEW_SHARE, _WINNER_PREVIEW_SHARE = 0.02, 0.0024
_SELECTIVE_FROM = 17        # empty squares; with fewer the guess of the preview will do
_HALF_WINDOW = 2            # discs around the guess

# Discs are counted here: there is no mate to find, and a search for one is over at this depth.
_DEPTH_WITHOUT_MATE = 8

_MEMORY, _TABLE, _SHARE = "othello.solver", "othello.solver table", 0.5


def lines(position, context):
    """A generator of Lines, the last ones exact; ends early where the solution is out of reach."""
    if context.limits.mate is not None:
        context.depth_limit = min(context.depth_limit, _DEPTH_WITHOUT_MATE)
        return
    if not (within_reach(position.empties, context) or winner_within_reach(position.empties, context)):
        return
    root = _Root(position, context)
    try:
        for line in root.lines():
            # The last look at the clock was at a count that depends on the speed.
            context.nodes = root.nodes()
            yield line
    except GiveUp:
        context.root_moves = root.not_refuted()


def expected_positions(empties):
    """How many positions a solution may be expected to visit."""
    return _FEW_POSITIONS * _GROWTH ** (empties - _FEW)


def within_reach(empties, context):
    """Do the bounds of the search allow for a solution?"""
    limits, seconds = context.limits, context.seconds_left()
    if limits.depth is not None and limits.depth < empties:
        return False
    if limits.nodes is not None and expected_positions(empties) > limits.nodes * _PROMISING:
        return False
    if seconds is not None:
        return expected_positions(empties) < seconds * _PROMISING * solver_of(context).speed
    return empties <= _UNBOUNDED_FROM or limits.depth is not None or limits.nodes is not None


def winner_within_reach(empties, context):
    """Is there a clock, and may it leave the time to find out who wins?"""
    seconds = context.seconds_left()
    if seconds is None or context.limits.depth is not None or context.options.get("MultiPV", 1) > 1:
        return False
    return expected_positions(empties) * _WINNER_SHARE < seconds * solver_of(context).speed


def solver_of(context, evaluate=None):
    """The solver of this game; its `speed` is in positions a second.  evaluate: another evaluation than our own."""
    memory = context.memory
    if _MEMORY not in memory:
        solver = memory[_MEMORY] = Solver(context.table(_TABLE, _SHARE), evaluate or evaluation().evaluate,
                                          context.number)
        solver.speed = _SPEED
    return memory[_MEMORY]


class _Root:
    """One solution."""

    def __init__(self, position, context):
        self._own, self._opp, self._left = position.own, position.opp, position.empties
        self._context, self._moves = context, list(context.root_moves)
        self._wanted = min(context.options.get("MultiPV", 1), len(self._moves))
        self._lost, self._winning = set(), None
        self._core = context.tree_search(position)
        self._solver = solver_of(context)
        self._before = self._solver.nodes()
        self._whole = within_reach(self._left, context)
        early = winner_within_reach(self._left + 1, context)
        self._budget = context.budget(_PATIENCE if self._whole else _WINNER_PATIENCE[early])

    def lines(self):
        """The Lines of the preview, of who wins, and the exact ones."""
        guess = 0
        for line in self._preview():
            guess = line.score // DISC
            yield line
        if self._whole and self._left >= _SELECTIVE_FROM:
            guess = self._within(self._moves, guess, WORST, BEST, selective=True)
        moves, found = self._moves[:], []
        sign = self._winner(moves, guess)
        if self._wanted == 1:
            yield Line(sign * DISC, moves[:1], self._left, bound=("", "lower", "upper")[sign])
        if sign >= 0:
            self._winning = moves[0]
            self._budget.allow(_PATIENCE)
        elif not self._whole:
            return
        low, high = ((-1, 1), (1, BEST), (WORST, -1))[sign]
        while moves and len(found) < self._wanted:
            value = self._within(moves, guess, low, high)
            line = moves[:1] + self._continuation(*self._after(moves.pop(0)), -value)
            found.append(Line(value * DISC, line, self._left, True, len(found) + 1))
            low, high = WORST, value
        self._measure()
        yield from found

    def nodes(self):
        """The positions visited so far, in the preview and in the solution."""
        return self._core.nodes() + self._solver.nodes() - self._before

    def not_refuted(self):
        """The moves still worth a search: the one that does not lose, if it is known, else those not known to lose."""
        if self._winning is not None:
            return [self._winning]
        return [move for move in self._moves if move not in self._lost] or self._moves

    def _check(self, nodes):
        """What the solver asks now and then, counting without the preview: gives up when its time is over.

        Nodes are no reason to give up: at which one it asks depends on the speed.
        """
        if self._budget.spent(0):
            self._measure()
            raise GiveUp
        before = self._before - self._core.nodes()
        return self._context.check(nodes - before) + before

    def _measure(self):
        seconds = self._budget.elapsed()
        if seconds > _MEASURABLE:
            self._solver.speed = (self._solver.nodes() - self._before) / seconds

    # ---- the preview ------------------------------------------------------------------------------------

    def _preview(self):
        """Lines of a shallow search; leaves the moves in its order."""
        enough = expected_positions(self._left) * (_PREVIEW_SHARE if self._whole else _WINNER_PREVIEW_SHARE)
        for depth in _PREVIEW_DEPTHS:
            if depth >= self._left or depth > 2 and self._core.nodes() > enough:
                return
            yield self._glance(depth)

    def _glance(self, depth):
        """The Line of the shallow search at `depth`."""
        core, scores, line = self._core, {}, []
        core.begin(depth)

        def ask(move, number, alpha, beta):
            scores[move] = core.try_move(move, number, depth - 1, alpha, beta)
            if alpha < scores[move] < beta:
                line[:] = [move] + core.reply_line()
            return scores[move]

        score, _ = best_root_move(self._moves, -INFINITY, INFINITY, ask)
        self._moves.sort(key=lambda move: -scores[move])
        return Line(score, line, depth)

    # ---- the solution -----------------------------------------------------------------------------------

    def _after(self, move):
        """(own, opp) of the reply to a move."""
        return LANES.after(self._own, self._opp, move)

    def _ask(self, move, number, alpha, beta):
        """What a move is proven to be worth, fail-soft."""
        value = -self._solver.value(*self._after(move), -beta, -alpha, self._check)
        if value < min(beta, 0):
            self._lost.add(move)
        return value

    def _ask_likely(self, move, number, alpha, beta):
        """What a move is most likely worth."""
        return -self._solver.value(*self._after(move), -beta, -alpha, self._check, True)

    def _winner(self, moves, guess):
        """1, 0 or -1 for a win, a draw or a loss, the likelier answer asked for first; puts the best move in front."""
        low, high = WORST, BEST
        for alpha in (-1, 0) if guess < 0 else (0, -1):
            if low <= alpha < high:
                value = _best(moves, alpha, alpha + 1, self._ask, self._context.number)
                low, high = (value, high) if value > alpha else (low, value)
        return 1 if low > 0 else -1 if high < 0 else 0

    def _within(self, moves, guess, low, high, selective=False):
        """The exact value (`selective`: a likely one), within low..high, of the best of `moves`; puts that in front."""
        ask = self._ask_likely if selective else self._ask
        guess, half, direction = min(max(guess, low), high), _HALF_WINDOW, 0
        alpha, beta = guess - half, guess + half
        while True:
            alpha, beta = max(alpha, low - 1), min(beta, high + 1)
            value = _best(moves, alpha, beta, ask, self._context.number)
            half *= 2
            # Two selective searches may contradict each other: no window is moved to where another came from.
            if value <= alpha and alpha >= low and direction <= 0:
                direction, alpha, beta = -1, value - half, value + 1
            elif value >= beta and beta <= high and direction >= 0:
                direction, alpha, beta = 1, value - 1, value + half
            else:
                return value

    def _continuation(self, own, opp, value):
        """The line of best play; value: of the side with `own`, which is to move."""
        line = []
        while True:
            choices = LANES.moves(own, opp)
            if not choices:
                if not LANES.moves(opp, own):
                    return line
                choices = [PASS]
            first = self._solver.table_move(own, opp)
            for move in sorted(choices, key=lambda move: move != first):
                after = LANES.after(own, opp, move)
                if len(choices) == 1 or self._solver.value(*after, -value - 1, 1 - value, self._check) == -value:
                    break
            line.append(move)
            (own, opp), value = after, -value


def _best(moves, alpha, beta, ask, number):
    """The value, fail-soft, of the best of `moves`, which is put in front.  number: as in games/ordering.py."""
    if number:
        reorder_for_helper(moves, number)
    value, choice = best_root_move(moves, alpha, beta, ask)
    moves.remove(choice)
    moves.insert(0, choice)
    return value
