"""Iterative deepening over a tree with given values: windows, the end of the search, repetitions at the root."""

import pytest
from conftest import play_on
from graphs import Graph

from games import registry
from games.base import INFINITY, MAX_SCORE, WIN
from search import context_of
from search.context import Context
from search.limits import Deadlines, Limits, Stopped
from search.think import think

CHESS = registry.get("chess")


class GivenValues:
    """A fail-hard stand-in for the search below the root, with given values at each depth."""

    reply_line = []

    def __init__(self, values):
        self.values, self.asked, self.depth = values, [], 0

    def begin(self, depth):
        self.depth = depth

    def try_move(self, move, number, depth, alpha, beta):
        if number == 1:
            self.asked.append((self.depth, alpha, beta))
        value = self.values[self.depth - 1] if move == self.best else -INFINITY
        return max(alpha, min(beta, value))

    def busy(self, *move):
        return False

    complete = busy

    def counters(self):
        return len(self.asked), self.depth, 0


def deepen(values, **limits):
    """Return (GivenValues, Lines by depth) of a search.

    values: the values of the best move at depth 1, 2, 3, ...
    """
    position, search = CHESS.start({}), GivenValues(values)
    limits, lines = Limits(depth=len(values), **limits), {}
    context = Context(Deadlines(limits, 0), {}, {}, 1, position.legal_moves()[:3])
    search.best = context.root_moves[0]
    context.tree_search = lambda position: search
    think(position, context, lambda report: lines.setdefault(report.line.depth, report.line))
    return search, lines


@pytest.mark.parametrize(
    "values",
    [
        [10] * 9,
        [10, 20, 30, 40, 50, 60, 70, 80],
        [0, 0, 0, 0, 500, -500, 9000, -9000],
        [5, 5, 5, 5, MAX_SCORE - 1, 5, 5, 5, 5],
        [7, 7, 7, 7, 38, 7, -24, 7, 8],
        [3, 3, 3, 3, 3, WIN - 20, 3, 20 - WIN],
    ],
)
def test_aspiration_returns_the_exact_score_for_any_previous_score(values):
    search, lines = deepen(values)
    assert [lines[depth].score for depth in sorted(lines)] == values


def test_the_first_window_is_narrow_and_around_the_last_score():
    search, _ = deepen([0, 0, 0, 0, 5, 900, 905, 905])
    first = {}
    for depth, alpha, beta in search.asked:
        first.setdefault(depth, (alpha, beta))
    assert all(first[depth] == (-INFINITY, INFINITY) for depth in (1, 2, 3))
    for depth, guess in ((4, 0), (5, 0), (6, 5), (7, 900), (8, 905)):
        alpha, beta = first[depth]
        assert guess - 100 < alpha < guess < beta < guess + 100
    assert len([depth for depth, _, _ in search.asked if depth in (4, 5, 7, 8)]) == 4, (
        "searched once if the window fits"
    )


@pytest.mark.parametrize("leap", [900, -900])
def test_a_failed_window_grows_towards_the_score(leap):
    search, lines = deepen([0, 0, 0, 0, 0, leap])
    windows = [(alpha, beta) for depth, alpha, beta in search.asked if depth == 6]
    assert lines[6].score == leap and 2 <= len(windows) <= 5
    for (alpha, beta), (next_alpha, next_beta) in zip(windows, windows[1:]):
        assert next_alpha < alpha if leap < 0 else next_beta > beta


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mate_is_final_once_the_depth_leaves_no_room_for_a_shorter_one(sign):
    mates = [0, 0, WIN - 11, WIN - 9, WIN - 9, WIN - 9, WIN - 5, WIN - 5, WIN - 3]
    _, lines = deepen([sign * value for value in mates])
    assert 8 not in lines and lines[7].score == lines[9].score == sign * (WIN - 5)


def test_a_search_for_mate_ends_when_it_finds_the_mate():
    _, lines = deepen([0, 0, 0, WIN - 9, WIN - 7, WIN - 5, WIN - 5], mate=4)
    assert max(lines) == 5


@pytest.mark.parametrize("second, bound", [(8 - WIN, "lower"), (50, "")])
def test_the_score_of_an_unfinished_depth_is_a_bound_if_the_game_seems_lost(second, bound):
    """A move that was not searched may be better."""
    search, tried = GivenValues([]), []

    def try_move(move, number, depth, alpha, beta):
        if search.depth == 1:
            return 10 - number
        if number == 3:
            raise Stopped
        tried.append(move)
        return max(alpha, min(beta, [6 - WIN, second][number - 1]))

    search.try_move = try_move
    position, limits = CHESS.start({}), Limits(depth=2)
    context = Context(Deadlines(limits, 0), {}, {}, 1, position.legal_moves()[:3])
    context.tree_search = lambda position: search
    best = think(position, context, lambda report: None)[0]
    assert (best.moves[0], best.score, best.bound) == (tried[1], second, bound)


def test_no_line_scores_above_the_best_move_of_an_unfinished_depth():
    """Lines of the previous depth are capped at the best score of the interrupted depth."""
    search, tried = GivenValues([]), []

    def try_move(move, number, depth, alpha, beta):
        if search.depth == 1:
            return max(alpha, min(beta, 10 - number))
        if number == 3:
            raise Stopped
        tried.append(move)
        return max(alpha, min(beta, [-30, 5][number - 1]))

    search.try_move = try_move
    position, limits = CHESS.start({}), Limits(depth=2)
    options, moves = {"MultiPV": 2}, position.legal_moves()[:3]
    context = Context(Deadlines(limits, 0), options, {}, 1, moves)
    context.tree_search = lambda position: search
    lines = think(position, context, lambda report: None)
    assert [(line.moves[0], line.score) for line in lines] == [(tried[1], 5), (tried[0], 5)]


# After four of these plies the start position occurs for the second time.
SHUFFLED = "g7h8 b1b3 h8g7 b3b1 g7h8 b1b3 h8g7"


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("moves, draws", [(SHUFFLED, True), ("g7h8 b1b3 h8g7", False)])
def test_a_root_move_to_the_third_occurrence_is_a_draw(moves, draws, depth):
    position = play_on(CHESS.parse("8/6k1/8/8/8/8/8/KQ6 b - - 0 1", {}), moves)
    limits = Limits(depth=depth)
    context = Context(
        Deadlines(limits, 0), {"OwnBook": False}, {}, 1, [position.parse_move("b3b1")]
    )
    score = think(position, context, lambda report: None)[0].score
    assert score == 0 if draws else score > 500


def test_later_lines_get_no_extra_time():
    position = CHESS.start({})
    limits = Limits(clocks=(300.0, 300.0), depth=20)
    context = context_of(position, limits, {"MultiPV": 9, "OwnBook": False}, {}, 1)
    asked, iterations, tree_search = [], [], context.tree_search

    def counted(position):
        search = tree_search(position)
        begin = search.begin
        search.begin = lambda depth: (iterations.append(depth), begin(depth))
        return search

    def spent(stretch=1.0):
        asked.append((iterations[-1], stretch))
        return iterations[-1] == 3 and [depth for depth, _ in asked].count(3) == 3

    context.tree_search, context.watch.deadlines.spent = counted, spent
    lines = think(position, context, lambda report: None)
    assert iterations == [1, 2, 3] and len(lines) == 9
    assert [depth for depth, _ in asked].count(3) == 3, (
        "the search ends before the fourth of nine lines"
    )
    assert {line.depth for line in lines} <= {2, 3}


# ---- time: more while the best move changes, less once it is stable ------------------------------


OPTIONS = {"MultiPV": 1}
DEPTHS = 40


def two_lines(first, second=lambda depth: 0):
    """Return a game with two moves, after which no choice is left.

    first(depth), second(depth): the scores of the first and of the second move at a depth.
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
# The root has one legal move, which leads to the root of the graph CALM.
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


def test_the_time_factor_after_depth_1_is_1():
    assert [factors(game)[0] for game in (CALM, WAVERING, FALLING)] == [1, 1, 1]


def test_a_stable_search_saves_time():
    assert max(later_factors(CALM)) < 1 and len(set(later_factors(CALM))) == 1
    assert later_factors(RISING) == later_factors(CALM)


def test_a_changing_best_move_takes_more_time():
    assert min(later_factors(WAVERING)) > max(later_factors(CALM))
    assert max(later_factors(WAVERING)) > 1.2


def test_the_count_of_best_move_changes_decays():
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
