"""The root of an exact search, with a solver that knows all values but returns random bounds."""

from __future__ import annotations

import random

import pytest

from games.solver import BudgetSpent, Line, RootMove, RootSolver
from search.context import Context
from search.limits import Deadlines, Limits

WORST, BEST = -20, 20


class Guesses(RootSolver):
    """A solver that knows each move's value, but answers with a random valid bound."""

    def __init__(self, values, rng, width, most_asked=10**6):
        self.values, self.rng, self.width, self.left = values, rng, width, most_asked
        self.moves = [RootMove(move, WORST, BEST) for move in values]
        self.asked = []

    def lines(self, search):
        for _ in range(search.line_count):
            for leader in search.best():
                assert leader.low <= self.values[leader.move] <= leader.high
        for rank, move in enumerate(search.best_moves, 1):
            yield Line(move.low, search.variation(move), 1, True, rank)

    def given_up(self, search):
        yield Line(0, [search.bounds(self.moves)[0].move], 1)

    def window(self, low, high):
        alpha = self.rng.randint(low - 1, high - 1)
        return alpha, min(
            alpha + self.rng.randint(1, self.width), high + 1
        ) if alpha >= low else alpha + 2

    def value(self, move, alpha, beta):
        self.left -= 1
        if self.left < 0:
            raise BudgetSpent
        self.asked.append((move, alpha, beta))
        value = self.values[move]
        if value >= beta:
            return self.rng.randint(beta, value)
        return self.rng.randint(value, alpha) if value <= alpha else value

    def play(self, state, move):
        return (state or 0) + 1

    def best_reply(self, state, value):
        return None if state == 3 else state

    def nodes(self):
        return len(self.asked)


def search(solver, multipv):
    limits = Limits()
    context = Context(Deadlines(limits, 0), {"MultiPV": multipv})
    return list(context.exact_search(solver)), context


@pytest.mark.parametrize("width", [1, 2, 9])
def test_the_best_moves_are_found_with_their_values(width):
    rng = random.Random(width)
    for _ in range(300):
        values = {move: rng.randint(WORST, BEST) for move in range(rng.randint(1, 9))}
        solver = Guesses(values, rng, width)
        wanted = rng.randint(1, 4)
        lines, context = search(solver, wanted)
        assert [line.score for line in lines] == sorted(values.values(), reverse=True)[:wanted]
        assert all(values[line.moves[0]] == line.score for line in lines)
        assert all(line.moves[1:] == [1, 2] for line in lines)
        assert context.watch.nodes == len(solver.asked)


def test_a_solver_is_never_asked_the_same_question_twice():
    rng = random.Random(7)
    for _ in range(300):
        values = {move: rng.randint(WORST, BEST) for move in range(6)}
        solver = Guesses(values, rng, 5)
        search(solver, 3)
        assert len(set(solver.asked)) == len(solver.asked)


def test_a_solver_that_gives_up_keeps_its_last_line():
    rng = random.Random(8)
    for most_asked in range(12):
        values = {move: rng.randint(WORST, BEST) for move in range(6)}
        lines, context = search(Guesses(values, rng, 3, most_asked), 6)
        assert len(lines) == 1 and lines[0].score == 0 and context.watch.nodes == most_asked
