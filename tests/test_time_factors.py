"""Time management: more time while the best move changes, less once it is stable.  Time is simulated."""

import pytest
from graphs import Graph

from search import context_of
from search.context import Context
from search.limits import Deadlines, Limits
from search.think import think

OPTIONS = {"MultiPV": 1}
DEPTHS = 40


def two_lines(first, second=lambda depth: 0):
    """Return a game with two moves, after which no choice is left.

    first(depth), second(depth): the score of each of the two moves at a depth.
    """
    nodes = [((1, 2), 0)]
    for depth in range(1, DEPTHS + 10):
        for score in (first(depth), second(depth)):
            nodes.append(((len(nodes) + 2,), score if depth % 2 == 0 else -score))
    return Graph(nodes + [((), 0), ((), 0)])


CALM = two_lines(lambda depth: 10)
WAVERING = two_lines(lambda depth: 20 if depth % 2 else -20)
SETTLING = two_lines(lambda depth: 20 if depth % 2 or depth > 7 else -20)
FALLING = two_lines(lambda depth: 5000 - 60 * depth, lambda depth: -5000)
RISING = two_lines(lambda depth: 60 * depth, lambda depth: -5000)
# The root's only legal move leads to the root of CALM.
FORCED = Graph(
    [((1,), 0)] + [(tuple(to + 1 for to in targets), score) for targets, score in CALM.nodes]
)


class RecordingDeadlines(Deadlines):
    """A clock without limit that records the time factor after each depth."""

    def __init__(self, limits):
        super().__init__(limits, 0)
        self.factors = []

    def spent(self, factor=1.0):
        self.factors.append(factor)
        return False


def factors(game):
    """Return the factor for the planned time after each depth, from 1 on."""
    limits = Limits(depth=14)
    clock, position = RecordingDeadlines(limits), game.at(0)
    think(position, Context(clock, OPTIONS, {}, 1, position.legal_moves()), lambda report: None)
    return clock.factors


def later_factors(game):
    """Return the factors from depth 2 on: depth 1 has nothing to compare with."""
    return factors(game)[1:]


def test_the_first_depth_has_the_planned_time():
    assert [factors(game)[0] for game in (CALM, WAVERING, FALLING)] == [1, 1, 1]


def test_a_stable_search_saves_time():
    assert max(later_factors(CALM)) < 1 and len(set(later_factors(CALM))) == 1
    assert later_factors(RISING) == later_factors(CALM)


def test_a_changing_best_move_takes_more_time():
    assert min(later_factors(WAVERING)) > max(later_factors(CALM))
    assert max(later_factors(WAVERING)) > 1.2


def test_best_move_changes_decay():
    course = later_factors(SETTLING)
    assert course[:6] == later_factors(WAVERING)[:6]
    later = course[7:]
    assert later[0] < course[5] and later == sorted(later, reverse=True) and len(set(later)) > 2
    assert later[-1] < 1


def test_a_falling_score_takes_more_time():
    assert min(later_factors(FALLING)) > 1.2 * max(later_factors(CALM))


def seconds_taken(game, monkeypatch, **limits):
    """Return the seconds of a search in which only evaluations take time, 0.01 s each."""
    now = [1000.0]
    monkeypatch.setattr("search.limits.perf_counter", lambda: now[0])
    position, limits = game.at(0), Limits(**limits)
    evaluate = position.evaluate

    def slow():
        now[0] += 0.01
        return evaluate()

    position.evaluate = slow
    context = context_of(position, limits, OPTIONS, {}, 1)
    think(position, context, lambda report: None)
    return now[0] - 1000.0


def test_an_unstable_search_uses_more_of_the_same_clock(monkeypatch):
    calm, wavering, falling = (
        seconds_taken(game, monkeypatch, clocks=(10.0, None)) for game in (CALM, WAVERING, FALLING)
    )
    assert 1.2 * calm < falling and 1.2 * falling < wavering < 10


@pytest.mark.parametrize("game", [CALM, WAVERING, FALLING, FORCED])
def test_a_fixed_time_per_move_is_used_completely(game, monkeypatch):
    assert seconds_taken(game, monkeypatch, movetime=0.5) == pytest.approx(0.5, abs=0.02)
