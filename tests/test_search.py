"""The general search, compared with plain minimax, and its promises about answers."""

import random
import re

import pytest
from conftest import load_game
from front_end import InProcessEngine
from graphs import late_traps, wild_tree
from tables import rows

from games import registry
from games.base import MAX_SCORE, WIN, Game, Outcome, Position
from games.solver import Line
from protocol.records.record import Start
from protocol.scores import winrate
from search import ask, context_of
from search.limits import Limits
from search.report import Result, mate_moves, wdl
from search.textbook import minimax
from search.think import think

load_game("kalah")

OPTIONS = {option.name: option.default for option in registry.options()}


def search(position, depth=None, general=False, report=lambda report: None, **keywords):
    """Return (Lines of a search of `position`, its Context).

    general: use the general search even if the game has its own.
    """
    options = {**OPTIONS, "OwnBook": False, **keywords.pop("options", {})}
    limits = Limits(depth=depth, **keywords)
    if general:
        position = without_shortcuts(position)
    context = context_of(position, limits, options, {}, 4)
    return think(position, context, report), context


def without_shortcuts(position):
    """Return the position without its solver and without methods that the search doesn't need."""
    kind = type(position)
    hidden = {"__slots__": (), "solve": Position.solve, "search_moves": Position.search_moves}
    position.__class__ = type(kind.__name__, (kind,), hidden)
    return position


def random_tree(dice, depth):
    if depth == 0 or dice.random() < 0.15:
        return dice.choice(["W", "L"] + [str(dice.randint(-9, 9)) for _ in range(12)])
    return "(" + " ".join(random_tree(dice, depth - 1) for _ in range(dice.randint(1, 4))) + ")"


@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax"])
def test_a_trace_names_each_node_once(algorithm):
    dice = random.Random("traces")
    for _ in range(20):
        text = f"({random_tree(dice, 4)} {random_tree(dice, 4)})"
        engine = InProcessEngine("uci", "tree").send(
            "setoption name Trace value true",
            f"setoption name Algorithm value {algorithm}",
            f"position fen {text}",
            "go",
        )
        engine.session.wait()
        lines = engine.output.splitlines()
        visited = [int(line.split()[3]) for line in lines if line.startswith("info string visit ")]
        pruned = [
            int(number)
            for line in lines
            if line.startswith("info string pruned")
            for number in line.split()[3:]
        ]
        assert sorted(visited + pruned) == list(range(len(re.findall(r"[(]|[^() ]+", text))))
        assert pruned == sorted(pruned) and (algorithm == "alphabeta" or not pruned)


def test_alpha_beta_finds_the_minimax_value_of_random_trees():
    dice = random.Random("trees")
    game = registry.get("tree")
    for _ in range(150):
        text = f"({random_tree(dice, 4)} {random_tree(dice, 4)}) {dice.choice(['max', 'min'])}"
        value, _ = minimax(game.parse(text, OPTIONS), prune=False)
        pruned, _ = minimax(game.parse(text, OPTIONS))
        assert pruned == value
        position = game.parse(text, OPTIONS)
        position.game = WithoutSolver(game)
        lines, _ = search(position, 12)
        expected = value if position.side == 0 else -value
        if abs(expected) == WIN:
            assert lines[0].score * expected > 0 and abs(lines[0].score) > MAX_SCORE, text
        else:
            assert lines[0].score == expected, text


class WithoutSolver:
    """The game of trees without its solver, so that the general search plays it."""

    textbook = False

    def __init__(self, game):
        self._game = game

    def __getattr__(self, name):
        return getattr(self._game, name)


def plain(position, depth):
    """Return a position's value by depth-limited negamax; any search must return the same value.

    Wins are scored by their distance.  A player may move twice in a row.  At the horizon the game's
    noisy moves, if any, are searched.
    """

    def value(depth, ply):
        found = position.final_value()
        if found is not None:
            return (
                found - ply if found > MAX_SCORE else found + ply if found < -MAX_SCORE else found
            )
        best, moves, side = -WIN, position.legal_moves(), position.side
        if depth <= 0:
            best, moves = (
                position.evaluate(),
                position.noisy_moves() if position.noisy_moves else [],
            )
        for move in moves:
            position.make(move)
            below = value(depth - 1, ply + 1)
            best = max(best, below if position.side == side else -below)
            position.undo()
        return best

    return value(depth, 0)


@pytest.mark.parametrize(
    "name, plies, depth", rows("search.fixed_depth_gives_the_value_of_plain_negamax")
)
def test_fixed_depth_gives_the_value_of_plain_negamax(name, plies, depth):
    dice = random.Random(f"{name} {plies}")
    tried = 0
    while tried < 8:
        position = registry.get(name).start(OPTIONS)
        for _ in range(plies):
            moves = position.legal_moves()
            if moves:
                position.make(dice.choice(moves))
        if not position.legal_moves():
            continue
        tried += 1
        expected = plain(position, depth)
        lines, _ = search(position, depth, general=True)
        if abs(expected) > MAX_SCORE or lines[0].depth == depth:
            assert lines[0].score == expected, position.text()


# ---- a player who moves twice ----------------------------------------------------------------------------


def souths_margin(position, known):
    """Return South's margin with best play, by the rules alone.

    known: {text of a position: its margin}, the results so far.
    """
    outcome, text = position.outcome(), position.text()
    if outcome is not None:
        return outcome.margin
    if text not in known:
        margins = []
        for move in position.legal_moves():
            position.make(move)
            margins.append(souths_margin(position, known))
            position.undo()
        known[text] = max(margins) if position.side == 0 else min(margins)
    return known[text]


def late_kalah(count):
    """Return positions of random games of Kalah with few seeds left in the houses."""
    dice, found = random.Random("late"), []
    while len(found) < count:
        position = registry.get("kalah").start(OPTIONS)
        while position.legal_moves() and 48 - position.pits[6] - position.pits[13] > 8:
            position.make(dice.choice(position.legal_moves()))
        if len(position.legal_moves()) > 1:
            found.append(position.text())
    return found


@pytest.mark.parametrize("text", ["0,0,0,1,1,0,14,2,1,1,0,2,1,25 n", *late_kalah(12)])
def test_kalah_to_the_end_gives_the_value_of_plain_minimax(text):
    position = registry.get("kalah").parse(text, OPTIONS)
    sign, known = 1 - 2 * position.side, {}
    margin = souths_margin(position, known)
    lines, _ = search(position, 40, options={"MultiPV": 2})
    assert lines[0].score == 100 * sign * margin
    for line in lines:
        position = registry.get("kalah").parse(text, OPTIONS)
        position.make(line.moves[0])
        assert line.score == 100 * sign * souths_margin(position, known)


def test_the_best_move_is_found_although_players_may_move_again():
    position = registry.get("kalah").parse("0,0,0,1,1,0,14,2,1,1,0,2,1,25 n", OPTIONS)
    lines, _ = search(position, 40)
    assert lines[0].score == 1600 and position.move_text(lines[0].moves[0]) in ("1", "5", "6")


class Runs(Game):
    """A random game: the side to move, noisy moves and results are random for each position."""

    name = "runs"

    def __init__(self, seed, ends):
        self.seed, self.ends = seed, ends


class RunsPosition(Position):
    """A position, identified by the moves so far."""

    def __init__(self, game):
        self.game, self.path = game, ()
        self._look()

    def _look(self):
        dice = random.Random(f"{self.game.seed} {self.path}")
        self.key, self.side = dice.getrandbits(62), dice.randrange(2)
        self._width, self._value = dice.randint(1, 4), dice.randint(-99, 99)
        self._over = len(self.path) >= 3 and dice.random() < self.game.ends or len(self.path) == 12
        self._winner = dice.randrange(2)

    def legal_moves(self):
        return [] if self._over else list(range(self._width))

    def noisy_moves(self):
        return [move for move in self.legal_moves() if (self.key >> move) % 3 == 0]

    def make(self, move):
        self.path += (move,)
        self._look()

    def undo(self):
        self.path = self.path[:-1]
        self._look()

    def outcome(self):
        return Outcome(self._winner, "drawn by lot") if self._over else None

    def evaluate(self):
        return self._value


@pytest.mark.parametrize("ends", [0.0, 0.3])
def test_windows_quiescence_and_mates_follow_the_side_to_move(ends):
    for seed in range(12):
        expected = plain(RunsPosition(Runs(seed, ends)), 4)
        lines, _ = search(RunsPosition(Runs(seed, ends)), 4)
        if abs(expected) > MAX_SCORE or lines[0].depth == 4:
            assert lines[0].score == expected, seed


class Zugzwang(RunsPosition):
    """A position that allows null moves, though passing loses at once."""

    noisy_moves = Position.noisy_moves

    def null_allowed(self):
        return True

    def null_move(self):
        return 99

    def make(self, move):
        opponent = 1 - self.side
        super().make(move)
        if move == self.null_move():
            self._winner, self._over, self.side = opponent, True, opponent


def test_a_pass_gives_the_turn_to_the_opponent():
    for seed in range(12):
        expected = plain(Zugzwang(Runs(seed, 0.0)), 5)
        lines, _ = search(Zugzwang(Runs(seed, 0.0)), 5)
        assert lines[0].score == expected, seed


def test_mates_are_counted_in_moves_of_the_winner():
    south = registry.get("kalah").start(OPTIONS)
    line = [2, 5, 12, 0]  # South's third house earns a further move
    assert mate_moves(WIN - 4, south, line) == 3
    assert mate_moves(4 - WIN, south, line) == -1
    # The mate comes four plies after the end of the line; in these plies the sides alternate.
    assert mate_moves(WIN - 8, south, line) == 5
    assert mate_moves(100, south, line) is None
    assert south.text() == registry.get("kalah").start(OPTIONS).text()
    cross = registry.get("tictactoe").start(OPTIONS)
    assert [mate_moves(WIN - plies, cross, [4]) for plies in (1, 3, 5)] == [1, 2, 3]


def test_the_ponder_move_is_the_opponents():
    position = registry.get("kalah").start(OPTIONS)
    lines, _ = search(position, 3)
    line = lines[0]
    line.moves = [2, 5]
    assert Result([line], registry.get("kalah").start(OPTIONS)).answer == line.moves[:1]
    line.moves = [0, 12]
    assert Result([line], registry.get("kalah").start(OPTIONS)).answer[1:] == [12]


# ---- promises of a search --------------------------------------------------------------------------------


def test_tictactoe_is_a_draw_and_the_search_ends_once_it_is_proven():
    lines, context = search(registry.get("tictactoe").start(OPTIONS))
    assert lines[0].score == 0
    assert lines[0].depth <= 9 and len(lines[0].moves) == 9


def test_lines_of_a_stopped_search_begin_with_different_moves():
    changed = False  # did an unfinished iteration promote a move?
    for nodes in range(300, 2000, 100):
        position = registry.get("chess").parse(
            "r3r1k1/5pp1/p1p4p/2Pp4/8/q1NQP1BP/5PP1/4K2R b K -", OPTIONS
        )
        lines, _ = search(position, options={"MultiPV": 3}, nodes=nodes)
        assert [line.multipv for line in lines] == [1, 2, 3]
        assert len({line.moves[0] for line in lines}) == 3
        changed = changed or lines[0].depth > lines[1].depth
    assert changed


@pytest.mark.parametrize("multipv, expected", [(1, ["c2"]), (2, ["c2", "a1"]), (3, ["c3", "c2"])])
def test_a_solver_that_gives_up_narrows_the_root_moves(multipv, expected):
    """Only moves that the solver did not refute are searched, unless more lines are requested."""
    position = registry.get("tictactoe").parse("xx1/oo1/3 x", OPTIONS)
    unrefuted = [position.parse_move(text) for text in ("a1", "c2")]

    def give_up(self, context):
        context.root_moves = unrefuted
        yield from ()

    position.__class__ = type("Solved", (type(position),), {"__slots__": (), "solve": give_up})
    lines, _ = search(position, options={"MultiPV": multipv})
    assert [position.move_text(line.moves[0]) for line in lines][:2] == expected
    assert len(lines) == multipv


@pytest.mark.parametrize("refuted, depths", [(False, [4, 5, 6]), (True, [4, 1, 2, 3, 4, 5, 6])])
def test_deepening_continues_from_a_solvers_estimate_unless_its_move_is_refuted(refuted, depths):
    position, found = registry.get("othello").start(OPTIONS), []

    def give_up(self, context):
        first = context.root_moves[0]
        yield Line(0, [first], 4)
        if refuted:
            context.root_moves = [move for move in context.root_moves if move != first]

    position.__class__ = type("Previewed", (type(position),), {"__slots__": (), "solve": give_up})
    first = position.legal_moves()[0]
    lines, _ = search(position, 6, report=lambda told: told.line and found.append(told.line.depth))
    assert found == depths and (lines[0].moves[0] == first) <= (not refuted)


def test_a_search_within_a_node_limit_returns_a_move():
    for nodes in (1, 2, 17, 1000):
        lines, context = search(registry.get("connect4").start(OPTIONS), nodes=nodes, general=True)
        assert lines and lines[0].moves
        assert context.watch.earlier_nodes + context.watch.nodes <= nodes


@pytest.mark.parametrize(
    "name, text, depth", rows("search.the_frequency_of_clock_checks_changes_no_report")
)
def test_the_frequency_of_clock_checks_changes_no_report(name, text, depth, monkeypatch):
    game = registry.get(name)
    lines = []
    for interval in (0.0, 1000.0):
        monkeypatch.setattr("search.limits.CHECK_INTERVAL", interval)
        position, reports = game.parse(text, OPTIONS) if text else game.start(OPTIONS), []
        search(position, depth, report=reports.append, options={"OwnBook": True})
        lines.append([(report.nodes, report.line.moves) for report in reports if report.line])
    assert lines[0] and lines[0] == lines[1]


def lines_by_depth(position, depth, multipv=1):
    """Return {depth: [(score, moves)]} of a search's reports."""
    lines = {}

    def keep(report):
        if report.line is not None:
            lines.setdefault(report.line.depth, []).append(report.line)

    search(position, depth, report=keep, options={"MultiPV": multipv})
    return {depth: [(line.score, line.moves) for line in lines] for depth, lines in lines.items()}


def values_at(position, depth):
    """Return the depth-limited value of each move, best first."""
    values = []
    for move in position.legal_moves():
        position.make(move)
        values.append(-plain(position, depth - 1))
        position.undo()
    return sorted(values, reverse=True)


def test_a_score_outside_its_window_is_searched_again():
    dice = random.Random("leaps")
    for _ in range(40):
        game = wild_tree(dice, 9)
        for depth, lines in lines_by_depth(game.at(0), 8, multipv=2).items():
            values = values_at(game.at(0), depth)
            assert [score for score, _ in lines] == values[:2], (depth, game.nodes)
            for score, moves in lines:
                leaf = game.at(0)
                for move in moves:
                    assert move in leaf.legal_moves()
                    leaf.make(move)
                assert len(moves) == depth
                assert leaf.evaluate() == (score if leaf.side == 0 else -score)


def test_late_moves_that_fail_high_are_searched_again_at_full_depth():
    found = lines_by_depth(late_traps(16).at(0), 13)
    assert [found[depth][0][0] for depth in range(5, 14, 2)] == [100] * 5


def test_a_search_stopped_at_once_reports_the_score_of_the_side_to_move():
    position = registry.get("chess").parse("7k/8/6K1/8/8/8/8/R7 b - - 0 1", dict(OPTIONS))
    score = position.evaluate()
    assert score < -500 and search(position, nodes=1)[0][0].score == score


def test_the_games_order_of_moves_decides_between_equal_root_moves():
    position = without_shortcuts(registry.get("tictactoe").start(OPTIONS))
    kind = type(position)
    hooks = {
        "__slots__": (),
        "evaluate": lambda self: 0,
        "order_moves": lambda self, moves: [move == 5 for move in moves],
    }
    position.__class__ = type(kind.__name__, (kind,), hooks)
    lines, _ = search(position, 1)
    assert lines[0].moves == [5]


def test_a_plugins_own_kernel_proves_what_the_plain_kernel_proves():
    found = []
    for name in ("nim", "fastnim"):
        load_game(name)
        line = ask(registry.get(name).start({}), Limits(depth=14), {}, None, 1).lines[0]
        found.append(line.score)
    assert found[0] == found[1] > MAX_SCORE


# ---- win, draw and loss in permille --------------------------------------------------------------


SCORES = [-WIN, -MAX_SCORE, -100000] + list(range(-3000, 3001, 7)) + [100000, MAX_SCORE, WIN]


@pytest.mark.parametrize("scale", [1, 150, 200, 2000])
def test_win_draw_and_loss_chances_add_up_and_follow_the_score(scale):
    chances = [wdl(score, scale) for score in SCORES]
    assert all(sum(three) == 1000 and min(three) >= 0 for three in chances)
    assert [three[0] for three in chances] == sorted(three[0] for three in chances)
    assert [three[2] for three in chances] == sorted((three[2] for three in chances), reverse=True)


def test_both_sides_get_mirrored_chances():
    for score in SCORES:
        assert wdl(score, 200) == wdl(-score, 200)[::-1]


def test_proven_results_are_certain():
    assert wdl(WIN - 3, 200) == (1000, 0, 0) and wdl(3 - WIN, 200) == (0, 0, 1000)
    win, draw, loss = wdl(0, 200)
    assert win == loss < draw


def test_the_same_lead_in_othello_wins_more_surely_with_fewer_empty_squares():
    position, shares = Start("othello").position(), []
    while position.outcome() is None:
        shares.append(winrate(400, position))
        position.make(position.legal_moves()[0])
    assert shares == sorted(shares) and shares[0] < 0.6 and shares[-1] > 0.75
