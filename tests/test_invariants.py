"""Invariants of every search core, whatever it prunes and in whatever order it searches.

Windows: a returned value above the window is a lower bound of the true value, a value below it is an
upper bound, and a value inside it is exact.
Memory: it doesn't matter which earlier searches shared the table, how deep they were, or how they ended.
Lines: they are legal to their end and lead to their score.
"""
# Started early by scripts/test, since it is slow.

import random

import pytest
from graphs import ladder, one_ply_on
from tables import rows

from games import registry
from games.base import MAX_SCORE, WIN
from search import context_of
from search.limits import Limits
from search.session import Session
from search.think import think

OPTIONS = {option.name: option.default for option in registry.options()}


def given(position, memory, multipv=1, **limits):
    return context_of(
        position, Limits(**limits), dict(OPTIONS, OwnBook=False, MultiPV=multipv), memory, 2
    )


def search(position, memory=None, multipv=1, on_report=None, **limits):
    """Return the Lines of a search of a copy of the position; on_report(Report) receives every report."""
    copy = position.game.parse(position.text(), OPTIONS)
    context = given(copy, {} if memory is None else memory, multipv, **limits)
    return think(copy, context, on_report or (lambda report: None))


class Windows:
    """A search core that searches one root move in a window.

    Tests use a core only through this class, which calls the core's methods.
    """

    def __init__(self, position, memory, depth, **limits):
        context = given(position, memory, depth=depth, **limits)
        self._core = context.tree_search(position)
        self._core.begin(depth)
        self._depth = depth

    def value(self, move, alpha, beta):
        """Return the fail-soft score of a move for its mover."""
        return self._core.try_move(move, 1, self._depth - 1, alpha, beta)


def check_windows(position, memory, depth, truth, unit=1):
    """Check windows around, below and above each move's true value.  truth: {move: value}."""
    windows = Windows(position, memory, depth)
    for move, value in truth.items():
        for low, high in ((-9, -5), (-1, 0), (5, 9), (0, 1), (-1, 1), (-2, -1), (1, 2), (-9, 9)):
            alpha, beta = value + low * unit, value + high * unit
            if unit > 1 and high - low == 1:
                beta = alpha + 1
            found = windows.value(move, alpha, beta)
            if found <= alpha:
                assert value <= found, (position.text(), move, alpha, beta)
            elif found >= beta:
                assert found <= value, (position.text(), move, alpha, beta)
            else:
                assert found == value, (position.text(), move, alpha, beta)


def plain(position, known):
    """Return the exact value for the side to move, by full search.

    The plies to a win are counted from the position.
    """
    key = position.text()
    if key not in known:
        value = position.final_value()
        if value is None and not position.legal_moves():
            value = position.value_of(position.outcome())
        if value is None:
            value = max(true_moves(position, known).values())
        known[key] = value
    return known[key]


def true_moves(position, known):
    """Return {move: exact value for its mover}."""
    found = {}
    for move in position.legal_moves():
        position.make(move)
        found[move] = -one_ply_on(plain(position, known))
        position.undo()
    return found


# ---- the general search, on graphs whose nodes occur at several plies ------------------------

LADDERS = [ladder(random.Random(f"ladder {number}"), 16) for number in range(60)]


def true_targets(game, node, values):
    return {target: -one_ply_on(values[target]) for target in game.nodes[node][0]}


def test_graphs_are_searched_to_their_exact_value_and_line():
    for game in LADDERS:
        values, position, reports = game.values(), game.at(0), []
        line = search(position, depth=20, on_report=reports.append)[0]
        assert line.score == values[0], game.nodes
        check_line(position, line)


def test_a_stored_value_is_right_at_another_ply():
    for game in LADDERS[:30]:
        values, memory = game.values(), {}
        for node in list(range(14)) + list(range(13, -1, -1)):
            if game.nodes[node][0]:
                assert search(game.at(node), memory, depth=20)[0].score == values[node], (
                    node,
                    game.nodes,
                )


def test_scores_in_every_window_are_right_for_graphs():
    for game in LADDERS[:30]:
        values, memory = game.values(), {}
        search(game.at(0), memory, depth=20)
        for node in (5, 2, 0, 1, 3):
            if game.nodes[node][0]:
                check_windows(game.at(node), memory, 20, true_targets(game, node, values))


def test_each_line_of_a_graph_has_its_own_move_and_value():
    for game in LADDERS[30:]:
        values, memory = game.values(), {}
        for node in (0, 1, 4):
            targets = game.nodes[node][0]
            if targets:
                lines = search(game.at(node), memory, multipv=9, depth=20)
                truth = true_targets(game, node, values)
                assert {line.moves[0]: line.score for line in lines} == truth, (node, game.nodes)
                assert [line.score for line in lines] == sorted(truth.values(), reverse=True)


def test_a_search_of_a_graph_can_be_stopped_at_any_node():
    for game in LADDERS[:3]:
        values, nodes = game.values(), []
        search(game.at(0), depth=20, on_report=lambda report: nodes.append(report.nodes))
        for stop in range(1, min(nodes[-1], 120)):
            memory = {}
            check_legal(game.at(0), search(game.at(0), memory, nodes=stop)[0])
            assert search(game.at(0), memory, depth=20)[0].score == values[0], (stop, game.nodes)


# In these games a line ends in a quiet position whose evaluation is the score of the line.  In
# other games the score may come from the table.
SCORED_BY_LEAF = {"chess", "othello", "flipello", "connect4", "tictactoe"}


# ---- lines ------------------------------------------------------------------------------------------------


def check_legal(position, line):
    """Check that a line is legal to its end; return the position there."""
    copy = position.game.parse(position.text(), OPTIONS)
    for move in line.moves:
        assert move in copy.legal_moves(), (position.text(), line.moves)
        copy.make(move)
    return copy


def check_line(position, line):
    """Check that a line is legal and that a win or loss comes at the ply that its score names."""
    copy = check_legal(position, line)
    if abs(line.score) > MAX_SCORE and not line.bound:
        assert len(line.moves) == WIN - abs(line.score), (position.text(), line.moves)
        assert copy.outcome().winner == (position.side if line.score > 0 else 1 - position.side)
    return copy


def positions_after(name, plies, count, seed):
    """Return unfinished positions of random play, `plies` plies from the start."""
    dice, found = random.Random(f"{name} {seed}"), []
    while len(found) < count:
        position = registry.get(name).start(OPTIONS)
        for _ in range(plies):
            moves = position.legal_moves()
            if not moves:
                break
            position.make(dice.choice(moves))
        if position.legal_moves() and position.outcome() is None:
            found.append(position.game.parse(position.text(), OPTIONS))
    return found


@pytest.mark.parametrize(
    "name, plies, depth", [("tictactoe", 3, 9), ("connect4", 33, 9), ("othello", 53, 12)]
)
def test_scores_in_every_window_are_right_for_solved_games(name, plies, depth):
    known, memory = {}, {}
    unit = registry.get(name).margin_unit
    for position in positions_after(name, plies, 8, "windows"):
        check_windows(position, memory, depth, true_moves(position, known), unit)
        for move in position.legal_moves():
            position.make(move)
            if position.legal_moves():
                check_windows(position, memory, depth, true_moves(position, known), unit)
            position.undo()


@pytest.mark.parametrize(
    "name, plies, bound",
    [("tictactoe", 2, {"depth": 9}), ("connect4", 32, {}), ("othello", 53, {"depth": 12})],
)
def test_scores_stay_exact_if_one_memory_is_reused_through_a_game(name, plies, bound):
    known = {}
    for position in positions_after(name, plies, 5, "played"):
        memory = {}
        while position.outcome() is None:
            truth = true_moves(position, known)
            lines = search(position, memory, multipv=2, **bound)
            best = sorted(truth.values(), reverse=True)
            assert [line.score for line in lines] == best[:2], position.text()
            assert all(truth[line.moves[0]] == line.score for line in lines)
            check_line(position, lines[0])
            position.make(lines[0].moves[0])


@pytest.mark.parametrize("name", registry.built_in())
def test_lines_of_every_depth_are_legal_and_lead_to_their_score(name):
    game = registry.get(name)
    plies = 3 if name == "tictactoe" else 6
    (position,) = (
        positions_after(name, plies, 1, "lines") if name != "tree" else [game.start(OPTIONS)]
    )
    memory = {}
    for _ in range(2):
        reports = []
        search(position, memory, multipv=2, on_report=reports.append, depth=4)
        for line in [report.line for report in reports if report.line]:
            check_leaf(position, line)
        moves = reports[-1].line.moves
        position.make(moves[0])
        if position.outcome() is not None:
            break


def check_leaf(position, line):
    """Check that the score is the value of the position at the end of the line."""
    leaf = check_line(position, line)
    value = leaf.final_value()
    if value is None and not leaf.legal_moves():
        value = leaf.value_of(leaf.outcome())
    if abs(line.score) <= MAX_SCORE and (value is not None or position.game.name in SCORED_BY_LEAF):
        if value is None:
            value = leaf.evaluate()
        assert line.score == (value if leaf.side == position.side else -value), (
            position.text(),
            line.moves,
        )


# ---- chess: mates, which are proven if nothing is pruned -------------------------------------


def mate_within(position, plies, known):
    """Return the value of a mate that can be forced within `plies`, 0 if there is none."""
    key = position.text(), plies
    if key not in known:
        moves = position.legal_moves()
        if not moves:
            value = -WIN if position.in_check() else 0
        elif not plies:
            value = 0
        else:
            values = []
            for move in moves:
                position.make(move)
                values.append(-one_ply_on(mate_within(position, plies - 1, known)))
                position.undo()
            value = max(values)
        known[key] = value
    return known[key]


MATES = [
    "k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
    "7k/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/5k2/4q3/6K1 b - - 0 1",
    "1k6/8/2K5/8/8/3p4/3P4/7R b - - 0 1",
]


@pytest.mark.parametrize("fen", MATES)
def test_scores_in_every_window_are_right_for_mates(fen):
    """All these searches for a mate share their memory, although they begin at different plies."""
    known, memory, game = {}, {}, registry.get("chess")
    line = search(game.parse(fen, OPTIONS), memory, mate=2)[0]
    claims = 0
    for played in (2, 1, 0):
        position = game.parse(fen, OPTIONS)
        for move in line.moves[:played]:
            position.make(move)
        truth = {}
        for move in position.legal_moves():
            position.make(move)
            truth[move] = -one_ply_on(mate_within(position, 3, known))
            position.undo()
        windows = Windows(position, memory, 4, mate=2)
        for move, value in truth.items():
            for plies in (1, 2, 3, 4, 5, 7):
                for alpha in (WIN - plies - 1, plies - WIN):
                    found = windows.value(move, alpha, alpha + 1)
                    if found > MAX_SCORE and found > alpha:
                        assert value >= found or WIN - found > 4, (
                            position.text(),
                            position.move_text(move),
                        )
                        claims += 1
                    elif found < -MAX_SCORE:
                        assert value <= found if found <= alpha else value >= found, (
                            position.text(),
                            move,
                        )
                        claims += 1
                    if plies <= 4 and alpha > 0:
                        assert (found > alpha) == (value > alpha), (
                            position.text(),
                            position.move_text(move),
                        )
    assert claims


# ---- Gomoku: a reported win is a win ---------------------------------------------------------


@pytest.mark.parametrize("name, text, plies", rows("gomoku_threats.puzzles")[::15])
def test_a_win_of_five_in_a_row_is_reported_correctly_after_a_stopped_search(name, text, plies):
    """If several lines are requested, the tree search answers, not the solver, even in lost positions."""
    game, memory, depth, wins = registry.get(name), {}, plies, 0
    for nodes in (1, 2, 3, 5, 8, 13, 21, 60, 150):
        search(game.parse(text, OPTIONS), memory, multipv=2, nodes=nodes)
    for played in (2, 1, 0, 1, 2):
        position = game.parse(text, OPTIONS)
        for move in search(position, {}, depth=1)[0].moves[:played]:
            position.make(move)
        lines, fresh = (
            search(position, kept, multipv=2, depth=min(depth, 6)) for kept in (memory, {})
        )
        for line in lines:
            check_line(position, line)
            wins += played == 0 and line.score > MAX_SCORE
        if abs(fresh[0].score) > MAX_SCORE:
            assert lines[0].score == fresh[0].score, position.text()
    assert wins


# ---- searches through a session: unchanged arguments, no leftovers of a stopped search -------

BUSY = [
    ("chess", {"depth": 4}),
    ("othello", {"depth": 4}),
    ("connect4", {"depth": 4}),
    ("gomoku", {"depth": 3}),
    ("renju", {"depth": 3}),
    ("tictactoe", {"depth": 9}),
]


def facts(session):
    position = session.position
    return position.text(), position.key, position.legal_moves(), list(session.moves)


@pytest.mark.parametrize("name, limits", BUSY)
def test_a_search_does_not_change_its_arguments(name, limits):
    session, shown = Session(name), []
    for position in positions_after(name, 4, 1, "handed"):
        session.setup(position.text())
        session.play(session.position.legal_moves()[0])
        moves = session.position.legal_moves()[:3]
        wanted, values = Limits(moves=moves, **limits), dict(session.values)
        before = facts(session)
        session.start(
            wanted, lambda report, seen: shown.append((seen.text(), seen.key)), lambda result: None
        )
        assert session.wait(60)
        assert facts(session) == before and session.values == values
        assert wanted.moves is moves and moves == before[2][:3]
        assert set(shown) == {before[:2]}


@pytest.mark.parametrize("name, limits", BUSY)
def test_only_requested_moves_are_reported(name, limits):
    session, lines = Session(name), []
    session.set_option("MultiPV", "2")
    moves = session.position.legal_moves()[1:4]
    session.start(
        Limits(moves=moves, **limits),
        lambda report, seen: lines.append(report.line),
        lambda result: None,
    )
    assert session.wait(60)
    assert {line.moves[0] for line in lines if line} <= set(moves)
    by_depth = {}
    for line in filter(None, lines):
        by_depth.setdefault(line.depth, {})[line.multipv] = line.moves[0]
    assert all(len(set(lines.values())) == len(lines) for lines in by_depth.values())
    assert any(len(lines) == 2 for lines in by_depth.values())


@pytest.mark.parametrize(
    "name, text, moves, bound, score",
    [
        ("chess", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "", {"mate": 3}, WIN - 5),
        ("tictactoe", None, "", {"depth": 9}, 0),
        ("connect4", None, "1233722555341451114725221333", {}, 14 - WIN),
        (
            "othello",
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
            "",
            {"depth": 14},
            1800,
        ),
    ],
)
def test_a_search_is_right_wherever_the_last_one_was_stopped(name, text, moves, bound, score):
    count = [0]
    session = Session(name)
    session.set_option("OwnBook", "false")
    for stop_after in range(12):
        results, count[0] = [], 0

        def stop(report, position):
            count[0] += 1
            if count[0] > stop_after:
                session.stop()

        session.setup(text, list(moves))
        session.start(Limits(**bound), stop, results.append)
        assert session.wait(60)
        session.start(Limits(**bound), lambda report, position: None, results.append)
        assert session.wait(60)
        assert results[-1].lines[0].score == score
        check_line(session.position, results[-1].lines[0])
