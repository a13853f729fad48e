"""The endgame at the root: whether to solve it now, and what is told on the way.

First a shallow midgame search gives an answer at all, an order of moves and a guess of the score.  Then a null window
around a draw says who wins, then windows around the guess find the exact difference, move by move if several
lines are wanted.
"""
from __future__ import annotations

from time import perf_counter

from games.base import Line
from games.othello import PASS
from games.othello.endgame import BEST, WORST, Solver
from games.othello.lanes import LANES
from games.othello.midgame import DISC, INFINITY, MidgameSearch
from games.othello.patterns import evaluation

# Positions that a solution visits: this many at _FEW empty squares, and _GROWTH times as many with each further one.
_FEW, _FEW_POSITIONS, _GROWTH = 14, 40_000, 2.15
# Positions a second until the first solution has measured it.
_SPEED = 400_000
# A solution is begun if it should take at most this share of the time, or of the nodes; given up past the other share.
_PROMISING, _PATIENCE = 0.5, 0.8
# Without any bound of time, nodes or depth it is begun from so many empty squares on.
_UNBOUNDED_FROM = 26

_PREVIEW_DEPTHS = (2, 4, 6, 8, 10)
_PREVIEW_SHARE = 0.06       # of the positions that the solution should visit
_HALF_WINDOW = 2            # discs around the guess

_MEMORY, _TABLE_SHARE = "othello.solver", 0.5


class _GivenUp(Exception):
    """Solving takes longer than hoped."""


def lines(position, context):
    """A generator of Lines, the last ones exact; ends early where the solution is out of reach."""
    if not within_reach(position.empties, context):
        return
    root = _Root(position, context)
    try:
        for line in root.lines():
            # The last look at the clock was at a count that depends on the speed.
            context.nodes = root.nodes()
            yield line
    except _GivenUp:
        return


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


def solver_of(context, evaluate=None):
    """The solver of this game; its `speed` is in positions a second.  evaluate: another evaluation than our own."""
    memory = context.memory
    if _MEMORY not in memory:
        solver = memory[_MEMORY] = Solver(context.megabytes * _TABLE_SHARE, evaluate or evaluation().evaluate)
        solver.speed = _SPEED
    return memory[_MEMORY]


class _Root:
    """One solution."""

    def __init__(self, position, context):
        self._own, self._opp, self._left = position.own, position.opp, position.empties
        self._context, self._moves = context, list(context.root_moves)
        self._core = MidgameSearch(position, context)
        self._solver = solver_of(context)
        self._before = self._solver.nodes()
        self._preview_nodes = 0
        self._begun = perf_counter()
        seconds = context.seconds_left()
        self._deadline = None if seconds is None else self._begun + seconds * _PATIENCE

    def lines(self):
        """The Lines of the preview, of who wins, and the exact ones."""
        guess = 0
        for line in self._preview():
            guess = line.score
            yield line
        self._preview_nodes = self._core.nodes()
        moves, wanted = self._moves[:], min(self._context.options.get("MultiPV", 1), len(self._moves))
        found = []
        sign, move = self._best(moves, -1, 1)
        if wanted == 1:
            bound = "lower" if sign > 0 else "upper" if sign < 0 else ""
            yield Line(sign * DISC, [move], self._left, bound=bound)
        low, high = (1, BEST) if sign > 0 else (WORST, -1) if sign < 0 else (-1, 1)
        while moves and len(found) < wanted:
            value, move = self._within(moves, min(max(guess // DISC, low), high), low, high)
            line = [move] + self._continuation(move, -value)
            found.append(Line(value * DISC, line, self._left, True, len(found) + 1))
            moves.remove(move)
            low, high = WORST, value
        self._measure()
        yield from found

    def nodes(self):
        """The positions visited so far, in the preview and in the solution."""
        return self._core.nodes() + self._solver.nodes() - self._before

    def _measure(self):
        seconds, nodes = perf_counter() - self._begun, self._solver.nodes() - self._before
        if seconds > 0.05:
            self._solver.speed = nodes / seconds

    def _check(self, nodes):
        if self._deadline is not None and perf_counter() > self._deadline:
            raise _GivenUp
        before = self._before - self._preview_nodes
        return self._context.check(nodes - before) + before

    # ---- the preview ------------------------------------------------------------------------------------

    def _preview(self):
        """Lines of a shallow search; leaves the moves in its order."""
        core, enough = self._core, expected_positions(self._left) * _PREVIEW_SHARE
        for depth in _PREVIEW_DEPTHS:
            if depth >= self._left or depth > 2 and core.nodes() > enough:
                return
            core.begin(depth)
            ranked = []
            best, line = -INFINITY, None
            for move in self._moves:
                score = best + 1
                if line is not None:
                    score = core.try_move(move, depth - 1, best, best + 1)
                if score > best:
                    score = core.try_move(move, depth - 1, best, INFINITY)
                if score > best:
                    best, line = score, Line(score, [move] + core.reply_line(), depth)
                ranked.append((-score, len(ranked), move))
            self._moves = [move for _, _, move in sorted(ranked)]
            yield line

    # ---- the solution -----------------------------------------------------------------------------------

    def _after(self, own, opp, move):
        """(own, opp) of the reply to a move."""
        if move == PASS:
            return opp, own
        turned, gained, _ = LANES.flips[move][(opp + (opp & LANES.step[move])) & own]
        return opp ^ turned, own | gained

    def _best(self, moves, alpha, beta):
        """(fail-soft value, move) of the best of `moves` within a window; puts the best in front."""
        best, choice = WORST - 1, moves[0]
        for move in moves:
            own, opp = self._after(self._own, self._opp, move)
            value = alpha + 1
            if best >= WORST and beta - alpha > 1:
                value = -self._solver.value(own, opp, -alpha - 1, -alpha, self._check)
            if value > alpha:
                value = -self._solver.value(own, opp, -beta, -alpha, self._check)
            if value > best:
                best = value
                if value > alpha:
                    choice, alpha = move, value
                    if value >= beta:
                        break
        moves.remove(choice)
        moves.insert(0, choice)
        return best, choice

    def _within(self, moves, guess, low, high):
        """(exact value, move) of the best of `moves`, known to lie in low..high."""
        half, alpha, beta = _HALF_WINDOW, guess - _HALF_WINDOW, guess + _HALF_WINDOW
        while True:
            alpha, beta = max(alpha, low - 1), min(beta, high + 1)
            value, move = self._best(moves, alpha, beta)
            half *= 2
            if value <= alpha and alpha >= low:
                alpha, beta = value - half, value + 1
            elif value >= beta and beta <= high:
                alpha, beta = value - 1, value + half
            else:
                return value, move

    def _continuation(self, move, value):
        """The line of best play after a root move; value: of the side that then moves."""
        own, opp = self._after(self._own, self._opp, move)
        line = []
        while True:
            choices = self._choices(own, opp)
            if not choices:
                return line
            for move in choices:
                after = self._after(own, opp, move)
                if len(choices) == 1 or self._solver.value(*after, -value - 1, 1 - value, self._check) == -value:
                    break
            line.append(move)
            (own, opp), value = after, -value

    def _choices(self, own, opp):
        """The legal moves, the one that the table holds best first."""
        moves = LANES.moves(own, opp)
        if not moves:
            return [PASS] if LANES.moves(opp, own) else []
        first = self._solver.table_move(own, opp)
        return sorted(moves, key=lambda move: move != first)
