"""The Connect Four solver: Pons' benchmark, comparison with plain minimax, lines, limits."""

import pathlib
import random

import pytest
from conftest import play_on
from tables import rows

import search
from games import registry
from games.base import MAX_SCORE, WIN
from games.connect4.bits import threats_by_shifts, threats_by_tables
from games.connect4.solver import Connect4Solver, plies_to_end, to_engine
from games.solver import BudgetSpent
from search import context_of
from search.limits import Limits
from search.table import Tables
from search.think import think

DATA = pathlib.Path(__file__).parent / "data" / "connect4.txt"
GAME = registry.get("connect4")
NO_BOOK = {"OwnBook": False}


def after(moves):
    return play_on(GAME.start({}), list(moves))


def benchmark(name):
    """Return [(position, score)] of one of Pascal Pons' test sets (blog.gamesolver.org)."""
    rows_of_set = DATA.read_text().split(f"== {name}\n")[1].split("\n\n")[0].splitlines()
    return [(after(moves), int(score)) for moves, score in map(str.split, rows_of_set)]


def ask(pos, limits=None, **options):
    """Return the lines of a search without the book."""
    limits = limits or Limits()
    options = dict(NO_BOOK, **options)
    return search.ask(pos, limits, options).lines


def minimax(pos, known):
    """Return the exact score, as defined in solver.py, by plain minimax."""
    if pos.key in known:
        return known[pos.key]
    left = sum(row.count(".") for row in pos.board())
    if pos.outcome():
        return 0 if pos.outcome().winner is None else -(left // 2 + 1)
    best = -99
    for move in pos.legal_moves():
        pos.make(move)
        best = max(best, -minimax(pos, known))
        pos.undo()
    known[pos.key] = best
    return best


def late_positions(number, empty, seed):
    """Return random unfinished positions with at most `empty` empty cells."""
    rng, found = random.Random(seed), []
    while len(found) < number:
        pos = GAME.start({})
        while pos.legal_moves() and sum(row.count(".") for row in pos.board()) > empty:
            pos.make(rng.choice(pos.legal_moves()))
        if pos.legal_moves():
            found.append(pos)
    return found


@pytest.mark.parametrize(
    "name, max_nodes",
    [("L3_R1", 55), ("L2_R1", 460), ("L1_R1", 3300), ("L2_R2", 40000), ("L1_R2", 60000)],
)
def test_benchmark_positions_get_their_scores(name, max_nodes):
    positions = benchmark(name)[::3] if max_nodes < 10_000 else benchmark(name)
    solver = Connect4Solver(Tables(16).table)
    solver.begin()
    for pos, score in positions:
        assert solver.score(pos.stones, pos.mask) == score, pos.text()
    assert solver.nodes() / len(positions) <= max_nodes


def test_scores_bounds_and_best_moves_agree_with_plain_minimax():
    solver, known = Connect4Solver(Tables(1).table), {}
    for pos in late_positions(60, 11, seed=1):
        score = minimax(pos, known)
        assert solver.score(pos.stones, pos.mask) == score, pos.text()
        for alpha in range(-6, 7):
            bound = solver.bound(pos.stones, pos.mask, alpha)
            assert bound <= score if bound > alpha else score <= bound
        pos.make(solver.best_move(pos.stones, pos.mask, score))
        assert -minimax(pos, known) == score


def test_a_search_is_the_same_with_either_threat_finder(monkeypatch):
    scores, nodes = [], []
    for threats in (threats_by_tables(), threats_by_shifts):
        monkeypatch.setattr("games.connect4.solver.fastest_threats", lambda found=threats: found)
        solver = Connect4Solver(Tables(1).table)
        scores.append(
            [
                solver.score(pos.stones, pos.mask)
                for name in ("L2_R1", "L1_R1")
                for pos, _ in benchmark(name)[:25]
            ]
        )
        nodes.append(solver.nodes())
    assert scores[0] == scores[1] and nodes[0] == nodes[1] > 1000


def test_a_search_ends_at_its_node_limit():
    solver, position = Connect4Solver(Tables(1).table), after("4444")
    late, score = benchmark("L2_R1")[0]
    solver.bound(late.stones, late.mask, 0)
    before = solver.nodes()
    context = context_of(position, Limits(depth=1), {})
    solver.begin(context.budget(1.0, before, 777).check, before)
    with pytest.raises(BudgetSpent):
        solver.bound(position.stones, position.mask, 0)
    assert solver.nodes() == before + 777
    solver.begin(count=before + 777)
    bound = solver.bound(late.stones, late.mask, 1)
    assert score >= bound if bound > 1 else score <= bound
    assert solver.nodes() > before + 777


def test_scores_are_converted_to_plies_until_the_end():
    assert (
        plies_to_end(1, 42),
        plies_to_end(1, 41),
        plies_to_end(-1, 42),
        plies_to_end(0, 17),
    ) == (41, 41, 42, 17)
    assert (plies_to_end(21, 42), plies_to_end(4, 7), plies_to_end(-3, 7)) == (1, 1, 2)
    assert to_engine(0, 5) == 0
    assert to_engine(2, 9) > to_engine(1, 9) > MAX_SCORE > -MAX_SCORE > to_engine(-4, 9)


@pytest.mark.parametrize("name", ["L3_R1", "L2_R1", "L1_R1"])
def test_lines_are_played_to_the_end(name):
    for pos, score in benchmark(name)[:15]:
        left = sum(row.count(".") for row in pos.board())
        line = ask(pos)[0]
        assert line.exact and line.score == to_engine(score, left)
        end = GAME.parse(pos.text(), {})
        for move in line.moves:
            assert move in end.legal_moves()
            end.make(move)
        assert len(line.moves) == plies_to_end(score, left)
        assert end.outcome() is not None


def test_every_column_has_its_exact_score():
    known = {}
    for pos in late_positions(12, 11, seed=4):
        left = sum(row.count(".") for row in pos.board())
        lines = ask(pos, MultiPV=7)
        assert [line.multipv for line in lines] == list(range(1, len(pos.legal_moves()) + 1))
        assert sorted(line.moves[0] for line in lines) == sorted(pos.legal_moves())
        assert [line.score for line in lines] == sorted(
            (line.score for line in lines), reverse=True
        )
        for line in lines:
            pos.make(line.moves[0])
            assert line.score == to_engine(-minimax(pos, known), left)
            pos.undo()


def test_one_of_two_threats_is_blocked():
    lost = GAME.parse("7/7/7/7/o2x3/o1xxx1o o", {})
    for book in (True, False):
        assert ask(lost, Limits(depth=6), OwnBook=book)[0].moves[0] in (1, 5)


def test_unproven_positions_are_estimated():
    for pos in (GAME.start({}), after("44"), after("1726")):
        legal = pos.legal_moves()
        lines = ask(pos, Limits(nodes=3000))
        assert lines[0].moves[0] in legal and not lines[0].exact
        assert abs(lines[0].score) < MAX_SCORE


def test_a_depth_that_reaches_the_end_is_solved_exactly():
    # 27 cells are empty; a plain search to depth 27, without the solver, takes minutes.
    pos = after("512757754423454")
    for depth in (27, 42):
        line = ask(pos, Limits(depth=depth))[0]
        assert line.exact and line.score == -(WIN - 24)
    for pos, score in benchmark("L2_R1")[:10]:
        left = sum(row.count(".") for row in pos.board())
        lines = ask(pos, Limits(depth=left), MultiPV=2)
        assert lines[0].score == to_engine(score, left) and all(line.exact for line in lines)
        second = lines[1].moves[0]
        alone = ask(pos, Limits(depth=left, moves=[second]))[0]
        assert alone.moves[0] == second and alone.score == lines[1].score


@pytest.mark.parametrize(
    "moves, count, mate", rows("connect4_solver.a_search_for_a_mate_finds_it_or_ends")
)
def test_a_search_for_a_mate_finds_it_or_ends(moves, count, mate):
    for wanted in (1, 4):
        line = ask(after(moves), Limits(mate=count), MultiPV=wanted)[0]
        assert (line.score >= WIN - 2 * count + 1) == mate


@pytest.mark.parametrize(
    "moves", ["", "4442", "512757754423454", "5476421744243356", "33445", "334452"]
)
@pytest.mark.parametrize(
    "limits", [{"nodes": 1500}, {"nodes": 1}, {"depth": 3}, {"mate": 2}, {"movetime": 0.02}]
)
@pytest.mark.parametrize("book", [True, False])
def test_the_requested_number_of_lines_is_returned(moves, limits, book):
    pos = after(moves)
    lines = ask(pos, Limits(**limits), OwnBook=book, MultiPV=4)
    assert [line.multipv for line in lines] == [1, 2, 3, 4]
    assert len({line.moves[0] for line in lines}) == 4
    scores = [line.score for line in lines]
    assert scores == sorted(scores, reverse=True) and max(map(abs, scores)) < WIN


def test_a_win_at_once_is_one_ply_away():
    pos = after("54765462434547657")
    for book in (True, False):
        reports = []
        limits = Limits(nodes=1500)
        think(pos.copy(), context_of(pos, limits, {"OwnBook": book}), reports.append)
        assert {report.line.score for report in reports if report.line} == {WIN - 1}
