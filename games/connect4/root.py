"""Thinking about a Connect Four position: the book, then the solver, as the generator that `solve` owes.

Each root move has a bound on either side, and null windows close in on the best of them: where the time or the
nodes are limited first whether it wins, draws or loses, then in how many plies.  A depth that does not reach the end
of the game asks for an estimate, unless the book knows the scores; a mate in N is the first question where it is asked.
"""
from __future__ import annotations

from time import perf_counter

from games.base import Line
from games.connect4.bits import BOARD, COLUMN_MASKS, count_bits, has_four, winning_cells
from games.connect4.scores import least_winning_within, plies_to_end, to_engine
from games.connect4.solver import Solver, next_window, ordered_columns

# What of the time and the nodes may pass without a proof before the estimating search takes over.
_SHARE = 0.8
# Once all scores are known, lines are completed for at most this share of the time, and within so many nodes where a
# depth is asked for: then the book has known the scores.
_LINES_SHARE = 0.5
_LINES_NODES = 200_000
# Where there is no mate as short as was asked for, a search of at most this depth still chooses a move.
_DEPTH_WITHOUT_MATE = 6
# The solver's share of the megabytes; the rest is the estimating search's.
_TABLE_SHARE = 0.5


# In a hurry each move is first given so many nodes: one of them may be known from the search before this one.
_FIRST_NODES = 1000


class _GiveUp(Exception):
    """The solver has used its share without finding out who wins."""


class _Unanswered(Exception):
    """A question about one move has used its nodes."""


class _Move:
    """A root move: its column, and the bounds of its score."""

    __slots__ = ("column", "low", "high")

    def __init__(self, column, low, high):
        self.column, self.low, self.high = column, low, high


class Root:
    """One search by the solver.  position: as games/connect4/position.py has it."""

    def __init__(self, position, context):
        self.position, self.context = position, context
        self.mine, self.mask = position.stones, position.mask
        self.left = count_bits(BOARD ^ self.mask)
        self.solver = _solver(context)
        self.book = _book(context)
        self._safe = None               # a move that doesn't lose, or the best one where all of them do
        self._book_move = None          # what the book plays here
        self._started = perf_counter()
        self._seconds = context.seconds_left()
        self._deadline = None
        self._most_nodes = int(context.node_limit * _SHARE)
        self._question_ends = None      # the node count at which a question about one move is put off
        self._hurried = self._seconds is not None or context.limits.nodes is not None
        depth = context.limits.depth
        self._shallow = depth is not None and depth < self.left     # the end of the game is out of its reach
        self._found = []                # the moves whose scores are exact, best first

    def lines(self):
        """Better and better Lines; the last one is exact, or the solver had to give up."""
        for line in self._proven_or_estimated():
            # The last look at the clock was at a count that depends on the speed.
            self.context.nodes = self.solver.nodes()
            yield line
        self.context.nodes = self.solver.nodes()

    def _proven_or_estimated(self):
        self.solver.begin(self._budget)
        self._allow(_SHARE)
        moves, mate = self._bounded_moves(), self.context.limits.mate
        wanted = min(self.context.options.get("MultiPV", 1), len(moves))
        if self._shallow and not _all_known(moves, wanted):
            if wanted == 1 and moves[0].low > 0:
                yield self._bound_line(moves[0], final=True)
            return
        yield from self._standing(moves, wanted)
        try:
            if mate and not self._wins_in(mate, moves):
                self.context.depth_limit = min(self.context.depth_limit, _DEPTH_WITHOUT_MATE)
                return
            yield from self._best_lines(moves, wanted)
        except _GiveUp:
            if self._safe is None:
                self.context.root_moves = _most_promising(moves)
            else:
                # An estimate must not talk the search out of a move that is known to be sound.
                yield from self._standing(moves, wanted, final=True)

    def _wins_in(self, count, moves):
        """Does one of the moves win within `count` moves of the winner?"""
        least = least_winning_within(2 * count - 1, self.left)
        while max(move.low for move in moves) < least:
            if max(move.high for move in moves) < least:
                return False
            self._ask(moves, least - 1)
        return True

    def _best_lines(self, moves, wanted):
        """The Lines of all `wanted` moves; of the best alone where a mate was asked for, and found."""
        found, waiting = self._found, moves[:]
        for rank in range(1 if self.context.limits.mate else wanted):
            for best in self._close_in(waiting):
                if rank == 0:
                    # A lost position is played as the book has it until it is known where resistance is longest.
                    self._keep(best if best.low >= 0 else self._book_move or best)
                    yield from self._standing(moves, wanted)
            waiting.remove(best)
            found.append(best)
            if wanted > 1:
                yield from self._standing(moves, wanted)
        lines = []          # told together: where the time ends before the last one, all stand as they were
        for rank, move in enumerate(found):
            self._allow(_LINES_SHARE / len(found))
            lines.append(Line(to_engine(move.low, self.left), self._variation(move),
                              plies_to_end(move.low, self.left), exact=True, multipv=rank + 1))
        yield from lines
        yield from self._standing(moves, wanted, final=True, told=len(found))

    # ---- what is known on the way -----------------------------------------------------------------------

    def _standing(self, moves, wanted, final=False, told=0):
        """A Line for each of `wanted` moves: those known exactly, the one to play, the others by what is known.

        final: the search ends with them.  told: so many of the first are left out.
        """
        first = self._found + [move for move in (self._safe,) if move is not None and move not in self._found]
        lines = [self._bound_line(move, final) for move in first]
        if len(lines) < wanted:
            sound = self.position.search_moves()
            others = [self._probable_line(move, final) for move in moves if move not in first]
            lines += sorted(others, key=lambda line: (line.moves[0] not in sound, -line.score))
        for rank, line in enumerate(lines[:wanted]):
            line.multipv = rank + 1
            if rank:        # no better than the one in front of it, whatever an estimate says
                line.score = min(line.score, lines[rank - 1].score)
        return lines[told:wanted]

    def _probable_line(self, move, final):
        """The Line of a move by its bounds, or by an estimate within them where they don't tell who wins."""
        if move.low >= 0 or move.high < 0:
            return self._bound_line(move, final)
        position = self.position
        position.make(move.column)
        score = -position.evaluate()
        position.undo()
        return Line(score if move.high else min(score, 0), [move.column], 1, final)

    def _keep(self, move):
        """From here on there is an answer worth more than an estimate, and worth all the time to improve it."""
        if self._safe is None:
            self._allow(1.0, self._started)
            self._most_nodes = self.context.node_limit
        self._safe = move

    def _bound_line(self, move, final):
        """What is known of a move that doesn't lose, or of one that does: the end of the game at its latest.

        final: the search ends with it.
        """
        score, bound = (move.low, "lower") if move.low >= 0 else (move.high, "upper")
        if move.low == move.high:
            bound = ""
        return Line(to_engine(score, self.left), [move.column], plies_to_end(score, self.left) if final else 1, final,
                    bound=bound)

    # ---- the budget -------------------------------------------------------------------------------------

    def _allow(self, share, start=None):
        """The solver may take this share of the time that the search has in all, from `start` (now)."""
        if self._seconds is not None:
            self._deadline = (perf_counter() if start is None else start) + self._seconds * share

    def _budget(self, nodes):
        """Called by the solver now and then: the search's own limits, and the solver's share of them."""
        if nodes >= self._most_nodes:
            raise _GiveUp
        following = self.context.check(nodes)
        if self._deadline is not None and perf_counter() > self._deadline:
            raise _GiveUp
        following = min(following, self._most_nodes)
        if self._question_ends is None:
            return following
        if nodes >= self._question_ends:
            raise _Unanswered
        return min(following, self._question_ends)

    # ---- the score --------------------------------------------------------------------------------------

    def _bounded_moves(self):
        """The root moves with what the book says of them, likely good ones first."""
        allowed = set(self.context.root_moves)
        columns = [column for column in ordered_columns(self.mine, self.mask) if column in allowed]
        low, high = -(self.left >> 1), self.left + 1 >> 1
        winning = winning_cells(self.mine, self.mask)
        moves = [_Move(column, high if winning & play(self.mine, self.mask, column)[1] else low, high)
                 for column in columns]
        if self.book is not None:
            for move in moves:
                self._trust_book_replies(move)
            self._trust_book_move(moves)
        return sorted(moves, key=lambda move: -move.low)

    def _trust_book_replies(self, move):
        """What the book says of the position after a move."""
        if move.low == move.high:
            return
        bounds = self.book.bounds(*play(self.mine, self.mask, move.column))
        if bounds is not None:
            move.low, move.high = max(move.low, -bounds[1]), min(move.high, -bounds[0])

    def _trust_book_move(self, moves):
        """The book's entry for the position itself: no move is better than the one that it names.

        That one comes first.  Where only the winner is known the book goes on behind it alone, and what it says
        for other moves is left aside: after those the opponent's next mistake might be hard to see.
        """
        entry = self.book.entry(self.mine, self.mask)
        if entry is None:
            return
        low, high, column = entry
        for move in moves:
            move.high = min(move.high, high)
            if move.column == column:
                self._book_move = move
                move.low = max(move.low, low)
            elif low < high:
                move.low = -(self.left >> 1)
        moves.sort(key=lambda move: move.column != column)

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
        if self._hurried and low <= 0 < high:
            return 0
        if self._hurried and low < 0 <= high:
            return -1
        return next_window(low, high)

    def _ask(self, moves, alpha):
        """Is one of the moves worth more than alpha?"""
        waiting = sorted((move for move in moves if move.high > alpha), key=lambda move: -move.high)
        for most_nodes in (_FIRST_NODES, None) if self._hurried else (None,):
            unanswered = []
            for move in waiting:
                bound = self._answer(move, alpha, most_nodes)
                if bound is None:
                    unanswered.append(move)
                elif bound > alpha:
                    move.low = max(move.low, bound)
                    return
                else:
                    move.high = min(move.high, bound)
            waiting = unanswered

    def _answer(self, move, alpha, most_nodes):
        """A bound of a move's score, above alpha or not; None if so many nodes don't tell."""
        if most_nodes:
            self._question_ends = self.solver.nodes() + most_nodes
            self.solver.shorten()
        try:
            return self.solver.move_bound(self.mine, self.mask, move.column, alpha)
        except _Unanswered:
            return None
        finally:
            self._question_ends = None

    # ---- the line ---------------------------------------------------------------------------------------

    def _variation(self, move):
        """The moves of both sides at their best; to the end of the game unless time runs out on the way."""
        columns = [move.column]
        mine, mask = play(self.mine, self.mask, move.column)
        score = -move.low
        if self._shallow:
            self._most_nodes = self.solver.nodes() + _LINES_NODES
            self.solver.shorten()
        try:
            while mask != BOARD and not has_four(mine ^ mask):
                column = self._keeping(mine, mask, score)
                columns.append(column)
                mine, mask = play(mine, mask, column)
                score = -score
        except _GiveUp:
            pass
        return columns

    def _keeping(self, mine, mask, score):
        """A column that keeps the score; the book's where it knows one."""
        if self.book is not None:
            column = self.book.keeping(mine, mask, score)
            if column is not None:
                return column
        return self.solver.best_move(mine, mask, score)


def _all_known(moves, wanted):
    """Are the scores of the best `wanted` moves known already?"""
    if wanted > 1:
        return all(move.low == move.high for move in moves)
    return moves[0].low == max(move.high for move in moves)


def _most_promising(moves):
    """The columns of the moves that may still win; where there is none, of those that may draw; else of all."""
    for least in (1, 0):
        columns = [move.column for move in moves if move.high >= least]
        if columns:
            return columns
    return [move.column for move in moves]


def play(mine, mask, column):
    """(mine, mask) for the other side after a stone in `column`."""
    cell = mask + (1 << 7 * column) & COLUMN_MASKS[column]
    return mine ^ mask, mask | cell


def _solver(context):
    """The solver of this game, with the table that earlier searches filled."""
    solver = context.memory.get("connect4 solver")
    if solver is None:
        solver = context.memory["connect4 solver"] = Solver(context.table, _TABLE_SHARE)
    return solver


def _book(context):
    if not context.options.get("OwnBook", True):
        return None
    from games.connect4 import book

    return book.load()
