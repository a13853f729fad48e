"""The endgame at the root: whether to solve it now, and what is told on the way.

First a shallow midgame search gives an answer at all, an order of moves and a guess of the score.  With many empty
squares a selective solution makes both better.  Then null windows beside a draw say who wins, then windows around
the guess find the exact difference, move by move if several lines are wanted.

Who wins is found in a fraction of the positions that the difference takes, so on the clock it is asked for from more
empty squares on.  Where that is all that can be had, the search that follows is bound to the winning move, or at
least kept from the moves that lose.
"""
from __future__ import annotations

from time import perf_counter

from games.base import Line
from games.othello import PASS
from games.othello.endgame import BEST, WORST, Solver
from games.othello.lanes import LANES
from games.othello.kernel import DISC, INFINITY
from games.othello.patterns import evaluation

# Positions that a solution visits: this many at _FEW empty squares, and _GROWTH times as many with each further one.
_FEW, _FEW_POSITIONS, _GROWTH = 14, 40_000, 2.15
# Positions a second until the first solution has measured it.
_SPEED = 400_000
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


class _GivenUp(Exception):
    """Solving takes longer than hoped."""


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
    except _GivenUp:
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
        solver = memory[_MEMORY] = Solver(context.table(_TABLE, _SHARE), evaluate or evaluation().evaluate)
        solver.speed = _SPEED
    return memory[_MEMORY]


class _Root:
    """One solution."""

    def __init__(self, position, context):
        self._own, self._opp, self._left = position.own, position.opp, position.empties
        self._context, self._moves = context, list(context.root_moves)
        self._lost, self._winning = set(), None
        self._core = context.tree_search(position)
        self._solver = solver_of(context)
        self._before = self._solver.nodes()
        self._begun = perf_counter()
        seconds = context.seconds_left()
        self._whole, self._seconds = within_reach(self._left, context), seconds
        early = winner_within_reach(self._left + 1, context)
        self._give_up_after(_PATIENCE if self._whole else _WINNER_PATIENCE[early])

    def lines(self):
        """The Lines of the preview, of who wins, and the exact ones."""
        guess = 0
        for line in self._preview():
            guess = line.score
            yield line
        if self._whole and self._left >= _SELECTIVE_FROM:
            guess = self._within(self._moves, guess // DISC, WORST, BEST, selective=True)[0] * DISC
        moves, wanted = self._moves[:], min(self._context.options.get("MultiPV", 1), len(self._moves))
        found = []
        sign, move = self._winner(moves, guess)
        if wanted == 1:
            bound = "lower" if sign > 0 else "upper" if sign < 0 else ""
            yield Line(sign * DISC, [move], self._left, bound=bound)
        if sign >= 0:
            self._winning = move
            self._give_up_after(_PATIENCE)
        elif not self._whole:
            raise _GivenUp
        low, high = (1, BEST) if sign > 0 else (WORST, -1) if sign < 0 else (-1, 1)
        while moves and len(found) < wanted:
            value, move = self._within(moves, guess // DISC, low, high)
            line = [move] + self._continuation(move, -value)
            found.append(Line(value * DISC, line, self._left, True, len(found) + 1))
            moves.remove(move)
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

    def _give_up_after(self, share):
        self._deadline = None if self._seconds is None else self._begun + self._seconds * share

    def _measure(self):
        seconds, nodes = perf_counter() - self._begun, self._solver.nodes() - self._before
        if seconds > 0.05:
            self._solver.speed = nodes / seconds

    def _check(self, nodes):
        if self._deadline is not None and perf_counter() > self._deadline:
            self._measure()
            raise _GivenUp
        before = self._before - self._core.nodes()
        return self._context.check(nodes - before) + before

    # ---- the preview ------------------------------------------------------------------------------------

    def _preview(self):
        """Lines of a shallow search; leaves the moves in its order."""
        core = self._core
        enough = expected_positions(self._left) * (_PREVIEW_SHARE if self._whole else _WINNER_PREVIEW_SHARE)
        for depth in _PREVIEW_DEPTHS:
            if depth >= self._left or depth > 2 and core.nodes() > enough:
                return
            core.begin(depth)
            ranked = []
            best, line = -INFINITY, None
            for number, move in enumerate(self._moves, 1):
                score = best + 1
                if line is not None:
                    score = core.try_move(move, number, depth - 1, best, best + 1)
                if score > best:
                    score = core.try_move(move, number, depth - 1, best, INFINITY)
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

    def _best(self, moves, alpha, beta, selective=False):
        """(fail-soft value, move) of the best of `moves` within a window; puts the best in front."""
        best, choice = WORST - 1, moves[0]
        for move in moves:
            own, opp = self._after(self._own, self._opp, move)
            value = alpha + 1
            if best >= WORST and beta - alpha > 1:
                value = -self._solver.value(own, opp, -alpha - 1, -alpha, self._check, selective)
            if value > alpha:
                value = -self._solver.value(own, opp, -beta, -alpha, self._check, selective)
            if value > best:
                best = value
                if value > alpha:
                    choice, alpha = move, value
                    if value >= beta:
                        break
            if value < 0 and value <= alpha and not selective:
                self._lost.add(move)
        moves.remove(choice)
        moves.insert(0, choice)
        return best, choice

    def _winner(self, moves, guess):
        """(1, 0 or -1 for a win, a draw or a loss, move), the likelier answer asked for first."""
        if guess < 0:
            value, move = self._best(moves, -1, 0)
            if value < 0:
                return -1, move
            value, better = self._best(moves, 0, 1)
            return (1, better) if value > 0 else (0, move)
        value, move = self._best(moves, 0, 1)
        if value > 0:
            return 1, move
        if value < 0:
            return -1, move
        value, move = self._best(moves, -1, 0)
        return (-1 if value < 0 else 0), move

    def _within(self, moves, guess, low, high, selective=False):
        """(exact value, move) of the best of `moves`, known to lie in low..high; if `selective`, likely ones."""
        guess, half, direction = min(max(guess, low), high), _HALF_WINDOW, 0
        alpha, beta = guess - half, guess + half
        while True:
            alpha, beta = max(alpha, low - 1), min(beta, high + 1)
            value, move = self._best(moves, alpha, beta, selective)
            half *= 2
            # Two selective searches may contradict each other: no window is moved to where another came from.
            if value <= alpha and alpha >= low and direction <= 0:
                direction, alpha, beta = -1, value - half, value + 1
            elif value >= beta and beta <= high and direction >= 0:
                direction, alpha, beta = 1, value - 1, value + half
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
