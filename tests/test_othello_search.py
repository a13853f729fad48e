"""The exact solver, the midgame search and the evaluation of Othello."""

import itertools
import random

import pytest
from conftest import play_on
from tables import rows

from games import registry
from games.othello import root
from games.othello.kernel import othello_kernel
from games.othello.lanes import (
    BARE_FLIPS,
    FULL,
    MOVING,
    PASS,
    PATTERNS,
    STEP,
    SYMMETRIES,
    moves_of,
    play,
    spread,
    squares_in,
    stable_count,
    transformed,
)
from games.othello.patterns import evaluation, indices
from games.othello.solver import EndgameSolver
from search import context_of
from search import limits as limits_module
from search.limits import Limits
from search.pvs import Tree, TreeSearch
from search.table import Table
from search.think import think

OTHELLO = registry.get("othello")

# FFO test positions: text, exact difference, best moves.
FFO = rows("othello_search.ffo")

# A position of a random game with 17 empty squares: text, exact difference.
SEVENTEEN = "--OO-X--OOOOOX-XXXXXOOXOXXXOXXO-XXOOXO--XXOXO----OXX-X--OOOOOOX- O", 28
# A position whose evaluation exceeds the largest possible win.
BEYOND = "XXXXXXXXXXXXXXXXXXOXXXXXXXXOXXXXOOOOOXXX----OOOX----X-OX-------- X", 64


def without_probcut(position):
    """Return a search of a position by the game's kernel, but without ProbCut."""
    tree = Tree(Table(1), context_of(position, Limits(), {}, {}, 1).check)
    return TreeSearch(othello_kernel(position, tree, probcut=False), tree, None)


def analyse(position, multipv=1, **limits):
    """Return (Lines, Reports) of a search."""
    bounds, reports = Limits(**limits), []
    context = context_of(position, bounds, {"MultiPV": multipv}, {}, 8)
    return think(position, context, reports.append), reports


def random_position(rng, empties):
    """Return a position of random play with this number of empty squares and a legal move."""
    while True:
        position = OTHELLO.start({})
        while position.empties > empties and position.legal_moves():
            position.make(rng.choice(position.legal_moves()))
        if position.empties == empties and position.legal_moves():
            return position


def minimax(own, opp, known, passed=False):
    """Return the final disc difference for the side whose discs are `own`, by full search."""
    value = known.get((own, opp))
    if value is None:
        value = -65
        empty = FULL & ~(own | opp)
        for square in EMPTY_SQUARES[empty]:
            key = (opp + (opp & STEP[square])) & own
            if key:
                flipped, gained, _ = BARE_FLIPS[square][key]
                value = max(value, -minimax(opp - flipped, own + gained, known))
        if value < -64:
            if passed:
                mine, others = len(squares_in(own)), len(squares_in(opp))
                lead, left = mine - others, 64 - mine - others
                return lead + left if lead > 0 else lead - left if lead else 0
            value = -minimax(opp, own, known, True)
        known[own, opp] = value
    return value


class EmptySquares(dict):
    def __missing__(self, empty):
        self[empty] = squares_in(empty)
        return self[empty]


EMPTY_SQUARES = EmptySquares()


def symmetric(position, symmetry):
    """Return the same position, turned or mirrored."""
    cells = ["-"] * 64
    for square, cell in enumerate("".join(position.board())):
        cells[transformed(square, symmetry)] = cell
    return OTHELLO.parse("".join(cells) + " " + position.text()[-1], {})


SOLVER = EndgameSolver(Table(4, packed=True))


def solve(position, alpha=-64, beta=64, solver=SOLVER, selective=False):
    return solver.value(
        position.own, position.opp, alpha, beta, lambda nodes: nodes + 1000, selective
    )


@pytest.mark.parametrize("empties", range(1, 9))
def test_the_solver_is_right_close_to_the_end(empties):
    rng = random.Random(empties)
    for _ in range(40 - 4 * empties):
        position = random_position(rng, empties)
        value = minimax(position.own & MOVING, position.opp & MOVING, {})
        assert solve(position) == value
        low, high = solve(position, value - 3, value - 1), solve(position, value + 1, value + 3)
        assert value - 1 <= low <= value <= high <= value + 1


def test_a_much_too_small_table_does_not_change_the_value():
    crowded, position = (
        EndgameSolver(Table(1 / 64, packed=True)),
        random_position(random.Random(6), 12),
    )
    value = solve(position)
    assert solve(position, solver=crowded) == value
    assert crowded.nodes() > 5 * crowded.table.slots


@pytest.mark.parametrize("text, difference, best", FFO)
def test_ffo_positions_are_solved_exactly(text, difference, best):
    lines, reports = analyse(OTHELLO.parse(text, {}), depth=60)
    assert lines[0].score == 100 * difference and lines[0].exact
    assert OTHELLO.parse(text, {}).move_text(lines[0].moves[0]) in best.split()
    assert any(report.line and report.line.bound for report in reports) or difference == 0


def test_a_selective_search_proves_nothing():
    text, difference = SEVENTEEN
    position = OTHELLO.parse(text, {})
    solver, proof = (
        EndgameSolver(Table(8, packed=True), evaluation().evaluate),
        EndgameSolver(Table(8, packed=True), evaluation().evaluate),
    )
    solve(position, solver=solver, selective=True)
    likely = solver.nodes()
    assert solve(position, solver=solver) == solve(position, solver=proof) == difference
    assert likely < proof.nodes()
    assert analyse(symmetric(position, 3), depth=17)[0][0].score == 100 * difference


def test_an_estimate_is_limited_to_a_wipe_out():
    line = analyse(OTHELLO.parse(BEYOND[0], {}), depth=17)[0][0]
    assert line.exact and line.score == 100 * BEYOND[1]


def test_the_solver_searches_only_its_window():
    """The window from -64 to -63 only asks whether any disc survives, so it needs few nodes."""
    position, visited = random_position(random.Random(5), 10), []
    for low, high in ((-64, 64), (-64, -63), (-70, -63)):
        solver = EndgameSolver(Table(4, packed=True))
        assert solve(position, low, high, solver) > -64
        visited.append(solver.nodes())
    whole, narrow, beyond = visited
    assert narrow * 10 < whole and beyond == narrow


def test_exact_lines_lead_to_the_end_of_the_game():
    position = OTHELLO.parse(FFO[5][0], {})
    lines, _ = analyse(OTHELLO.parse(FFO[5][0], {}), multipv=3, depth=20)
    assert [(line.score, line.multipv) for line in lines] == [(800, 1), (400, 2), (400, 3)]
    assert all(line.exact for line in lines)
    for line in lines:
        after = OTHELLO.parse(FFO[5][0], {})
        for move in line.moves:
            assert move in after.legal_moves()
            after.make(move)
        assert after.outcome().margin * (-1 if position.side else 1) == line.score // 100


def test_a_solver_short_of_time_excludes_only_losing_moves(monkeypatch):
    ticks = itertools.count()
    # The budget is checked every 200 nodes, and each check takes a second.
    monkeypatch.setattr(limits_module, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(limits_module.Watch, "check", lambda self, nodes: nodes + 200)
    rng, left_out, whole = random.Random(8), 0, 0
    for _ in range(6):
        position = random_position(rng, 12)
        limits = Limits(movetime=100)
        context = context_of(position, limits, {}, {}, 1)
        root.solver_of(context).speed = 100
        lines = list(root.solve(position, context))
        values = {}
        for move in position.legal_moves():
            position.make(move)
            values[move] = -solve(position)
            position.undo()
        best = max(values.values())
        left = context.root_moves
        assert (
            all(values[move] < 0 for move in values if move not in left)
            or len(left) == 1
            and values[left[0]] >= 0
        )
        assert left and (not lines[-1].exact or lines[-1].score == 100 * best)
        left_out += len(values) - len(left)
        whole += lines[-1].exact
    assert left_out and whole


def test_symmetric_positions_have_symmetric_values():
    rng = random.Random(3)
    for _ in range(6):
        position, middle = random_position(rng, 9), random_position(rng, 30)
        value = solve(position)
        score = evaluation().evaluate(middle.own, middle.opp, 30)
        for symmetry in range(SYMMETRIES):
            assert solve(symmetric(position, symmetry)) == value
            other = symmetric(middle, symmetry)
            assert evaluation().evaluate(other.own, other.opp, 30) == score


def test_the_forced_pass_is_part_of_the_line():
    position = OTHELLO.parse("XXXXXXXX" * 7 + "XXXXXXO- O", {})
    lines, _ = analyse(position, depth=4)
    assert lines[0].moves == [PASS, 63] and lines[0].score == -6400 and lines[0].exact


def test_a_wipe_out_is_found():
    position = play_on(OTHELLO.start({}), "e6 f4 e3 f6 g5 d6 e7 f5")
    lines, _ = analyse(position, depth=3)
    assert lines[0].score == 6400


def test_pattern_indices_are_the_base_3_codes_of_their_squares():
    rng = random.Random(12)
    for empties in (50, 30, 10):
        position = random_position(rng, empties)
        own, opp = squares_in(position.own), squares_in(position.opp)
        assert [
            sum(
                3**place * ((square in own) + 2 * (square in opp))
                for place, square in enumerate(pattern)
            )
            for _, pattern in PATTERNS
        ] == list(indices(position.own, position.opp))


def test_midgame_search_is_exact_without_probcut():
    rng = random.Random(9)
    evaluate = evaluation().evaluate

    def negamax(own, opp, empties, depth):
        moves = moves_of(own, opp)
        if not moves and moves_of(opp, own):
            return -negamax(opp, own, empties, depth)
        if not depth:
            return evaluate(own, opp, empties)
        scores = []
        for move in moves:
            scores.append(-negamax(*play(own, opp, move), empties - 1, depth - 1))
        return max(scores)

    for empties in (20, 35, 50):
        position = random_position(rng, empties)
        core = without_probcut(position)
        for depth in (1, 2, 3, 4):
            core.begin(depth)
            scores = [
                core.try_move(move, 1, depth - 1, -(10**6), 10**6)
                for move in position.legal_moves()
            ]
            assert max(scores) == negamax(position.own, position.opp, empties, depth)


@pytest.mark.parametrize(
    "text, move",
    [
        ("-OOO-----XOXX-X-O-XOXX--XXXXXX---XXXXX----XXXX------X-X-----X--- O", "a5"),
        ("---O------OO-------OOOOOOO-OOO--OOOOXOO-OOXXOO--OOXOOO---XXXO--- X", "f8"),
    ],
)
def test_a_pass_in_the_midgame_is_part_of_the_line(text, move):
    position = OTHELLO.parse(text, {})
    core = without_probcut(position)
    core.begin(5)
    core.try_move(position.parse_move(move), 1, 4, -(10**6), 10**6)
    line = core.reply_line
    assert line[0] == PASS and len(line) > 4
    position.make(position.parse_move(move))
    for reply in line:
        assert reply in position.legal_moves()
        position.make(reply)


def test_a_small_tree_is_searched_to_any_depth():
    """If one side has few discs left, iterations go deeper than ProbCut's table."""
    text = "------------------O------X-----------------X--------O-----O----- X"
    lines, reports = analyse(OTHELLO.parse(text, {}))
    assert lines[0].depth > 40 and reports[-1].line is not None


def test_stable_discs_are_never_turned():
    rng = random.Random(12)
    for _ in range(20):
        position = random_position(rng, 16)
        own, opp = position.own, position.opp
        claimed = stable_count(opp, own)
        kept = set(squares_in(opp))
        for _ in range(30):
            copy = OTHELLO.parse(position.text(), {})
            while copy.legal_moves():
                copy.make(rng.choice(copy.legal_moves()))
            kept &= set(squares_in(copy.discs()[position.side ^ 1]))
        assert claimed <= len(kept)
    assert stable_count(spread(range(16)), spread([20])) == 16


@pytest.mark.parametrize("empties", [60, 26, 20])
def test_a_search_for_a_mate_in_othello_ends_soon(empties):
    position = random_position(random.Random(empties), empties)
    lines, reports = analyse(position, mate=12)
    assert lines[0].moves[0] in position.legal_moves()
    assert reports[-1].nodes < 50_000


def test_all_lines_are_reported_if_solving_is_given_up():
    position = random_position(random.Random(4), 18)
    for nodes in (20_000, 60_000):
        lines, _ = analyse(position, multipv=4, nodes=nodes)
        assert [line.multipv for line in lines] == [1, 2, 3, 4]
