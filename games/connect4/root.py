"""Thinking about a Connect Four position: the book, then the solver, as the generator that `solve` owes.

Each root move has a bound on either side, and null windows close in on the best of them: where the time or the
nodes are limited first whether it wins, draws or loses, then in how many plies.  A depth that does not reach the end
of the game asks for an estimate, unless the book knows the scores; a mate in N is the first question where it is asked.
"""
from __future__ import annotations

from games.base import GiveUp, Line
from games.connect4 import book
from games.connect4.bits import BOARD, count_bits, has_four, play
from games.connect4.root_moves import all_known, bounded_moves, most_promising
from games.connect4.scores import least_winning_within, plies_to_end, to_engine
from games.connect4.solver import UNLIMITED, OutOfNodes, Solver, next_window

# What of the time and the nodes may pass without a proof before the estimating search takes over.
_SHARE = 0.8
# Once all scores are known, lines are completed with at most this share of what is left, and within so many nodes where
# a depth is asked for: then the book has known the scores.
_LINES_SHARE = 0.5
_LINES_NODES = 200_000
# In a hurry each move is first given so many nodes: one of them may be known from the search before this one.
_FIRST_NODES = 1000
# Where there is no mate as short as was asked for, a search of at most this depth still chooses a move.
_DEPTH_WITHOUT_MATE = 6
# The solver's share of the megabytes; the rest is the estimating search's.
_TABLE_SHARE = 0.5


class Root:
    """One search by the solver.  position: as games/connect4/position.py has it."""

    def __init__(self, position, context):
        self.position, self.context = position, context
        self.mine, self.mask = position.stones, position.mask
        self.left = count_bits(BOARD ^ self.mask)
        self.solver = _solver(context)
        self.book = book.load() if context.options.get("OwnBook", True) else None
        self.moves, self._book_move = bounded_moves(self.mine, self.mask, set(context.root_moves), self.book)
        self._wanted = min(context.options.get("MultiPV", 1), len(self.moves))
        self._front = []                # the moves to play: those known exactly, best first, or one that is sound
        self._budget = context.budget(_SHARE)
        depth = context.limits.depth
        self._shallow = depth is not None and depth < self.left     # the end of the game is out of its reach

    def lines(self):
        """Better and better Lines; the last one is exact, or the solver had to give up."""
        self.solver.begin(lambda nodes: self._budget.check(nodes))
        for line in self._proven_or_estimated():
            # The last look at the clock was at a count that depends on the speed.
            self.context.nodes = self.solver.nodes()
            yield line
        self.context.nodes = self.solver.nodes()

    def _proven_or_estimated(self):
        if self._shallow and not all_known(self.moves, self._wanted):
            if self._wanted == 1 and self.moves[0].low > 0:
                yield self._bound_line(self.moves[0], final=True)
            return
        yield from self._standing()
        mate = self.context.limits.mate
        try:
            if mate and not self._wins_in(mate):
                self.context.depth_limit = min(self.context.depth_limit, _DEPTH_WITHOUT_MATE)
            else:
                yield from self._best_lines(1 if mate else self._wanted)
        except GiveUp:
            if self._front:
                # An estimate must not talk the search out of a move that is known to be sound.
                yield from self._standing(final=True)
            else:
                self.context.root_moves = most_promising(self.moves)

    def _best_lines(self, number):
        """The Lines of the best `number` moves, and what is known of the others that are wanted."""
        found, waiting = [], self.moves[:]
        for rank in range(number):
            for best in self._close_in(waiting):
                if rank == 0:
                    # A lost position is played as the book has it until it is known where resistance is longest.
                    self._front = [best if best.low >= 0 else self._book_move or best]
                    # There is an answer worth more than an estimate, and worth all the time to improve it.
                    self._budget.allow(1.0)
                    yield from self._standing()
            waiting.remove(best)
            found.append(best)
            self._front = found
            if self._wanted > 1:
                yield from self._standing()
        lines = []          # told together: where the time ends before the last one, all stand as they were
        for rank, move in enumerate(found):
            self._budget = self.context.budget(_LINES_SHARE / number, self.solver.nodes())
            lines.append(Line(to_engine(move.low, self.left), self._variation(move),
                              plies_to_end(move.low, self.left), exact=True, multipv=rank + 1))
        yield from lines
        yield from self._standing(final=True)[number:]

    # ---- what is known on the way -----------------------------------------------------------------------

    def _standing(self, final=False):
        """A Line for each wanted move: those to play, then the others by what is known.

        final: the search ends with them.
        """
        lines = [self._bound_line(move, final) for move in self._front]
        if len(lines) < self._wanted:
            sound = self.position.search_moves()
            others = [self._probable_line(move, final) for move in self.moves if move not in self._front]
            lines += sorted(others, key=lambda line: (line.moves[0] not in sound, -line.score))
        for rank, line in enumerate(lines):
            line.multipv = rank + 1
            if rank:        # no better than the one in front of it, whatever an estimate says
                line.score = min(line.score, lines[rank - 1].score)
        return lines[:self._wanted]

    def _probable_line(self, move, final):
        """The Line of a move by its bounds, or by an estimate within them where they don't tell who wins."""
        if move.low >= 0 or move.high < 0:
            return self._bound_line(move, final)
        self.position.make(move.column)
        score = -self.position.evaluate()
        self.position.undo()
        return Line(score if move.high else min(score, 0), [move.column], 1, final)

    def _bound_line(self, move, final):
        """What is known of a move that doesn't lose, or of one that does: the end of the game at its latest."""
        score, bound = (move.low, "lower") if move.low >= 0 else (move.high, "upper")
        return Line(to_engine(score, self.left), [move.column], plies_to_end(score, self.left) if final else 1, final,
                    bound=bound if move.low < move.high else "")

    # ---- the score --------------------------------------------------------------------------------------

    def _wins_in(self, count):
        """Does one of the moves win within `count` moves of the winner?"""
        least = least_winning_within(2 * count - 1, self.left)
        while max(move.low for move in self.moves) < least:
            if max(move.high for move in self.moves) < least:
                return False
            self._ask(self.moves, least - 1)
        return True

    def _close_in(self, moves):
        """Narrow the bounds until the best of `moves` is known exactly; yields it each time it looks better."""
        shown = None
        while True:
            leader = max(moves, key=lambda move: move.low)
            low, high = leader.low, max(move.high for move in moves)
            # Before it is known that all moves lose, a bound below 0 says nothing.
            if (leader, low) != shown and (low >= 0 or high < 0):
                shown = leader, low
                yield leader
            if low == high:
                return
            self._ask(moves, self._window(low, high))

    def _window(self, low, high):
        """The alpha to ask next.  In a hurry who wins comes first: that takes half of the nodes, or a third."""
        if self._budget.bounded and low <= 0 < high:
            return 0
        if self._budget.bounded and low < 0 <= high:
            return -1
        return next_window(low, high)

    def _ask(self, moves, alpha):
        """Is one of the moves worth more than alpha?  In a hurry with few nodes each, then with as many as it takes."""
        for most_nodes in (_FIRST_NODES, UNLIMITED) if self._budget.bounded else (UNLIMITED,):
            for move in sorted((move for move in moves if move.high > alpha), key=lambda move: -move.high):
                try:
                    with self.solver.within(most_nodes):
                        bound = self.solver.move_bound(self.mine, self.mask, move.column, alpha)
                except OutOfNodes:
                    continue
                if bound > alpha:
                    move.narrow(bound, move.high)
                    return
                move.narrow(move.low, bound)

    # ---- the line ---------------------------------------------------------------------------------------

    def _variation(self, move):
        """The moves of both sides at their best; to the end of the game unless the budget ends on the way."""
        columns = [move.column]
        mine, mask = play(self.mine, self.mask, move.column)
        score = -move.low
        try:
            with self.solver.within(_LINES_NODES if self._shallow else UNLIMITED):
                while mask != BOARD and not has_four(mine ^ mask):
                    columns.append(self._keeping(mine, mask, score))
                    mine, mask = play(mine, mask, columns[-1])
                    score = -score
        except (GiveUp, OutOfNodes):
            pass        # the line is right as far as it goes
        return columns

    def _keeping(self, mine, mask, score):
        """A column that keeps the score; the book's where it knows one."""
        column = self.book.keeping(mine, mask, score) if self.book is not None else None
        return self.solver.best_move(mine, mask, score) if column is None else column


def _solver(context):
    """The solver of this game, with the table that earlier searches filled."""
    solver = context.memory.get("connect4 solver")
    if solver is None:
        solver = context.memory["connect4 solver"] = Solver(context.table, _TABLE_SHARE, number=context.number)
    return solver
