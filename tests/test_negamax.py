"""search/negamax.py: it returns minimax's values, its exact techniques save nodes, and it can play."""
# Started early by scripts/test, since it is slow.

import random
import re

import pytest
from conftest import ROOT, play_on
from front_end import InProcessEngine

from games import registry
from games.base import WIN
from games.options import TECHNIQUES
from search import ask
from search.limits import Limits
from search.negamax import Negamax
from search.textbook import minimax

OPTIONS = {option.name: option.default for option in registry.options()}


def positions(name, count, plies):
    """Yield random positions that are not over, after at most `plies` moves."""
    dice, game = random.Random(name), registry.get(name)
    while count:
        position = game.start(OPTIONS)
        for _ in range(dice.randrange(plies)):
            moves = position.legal_moves()
            if moves:
                position.make(dice.choice(moves))
        if position.legal_moves():
            count -= 1
            yield position


@pytest.mark.parametrize(
    "name, count, plies, depth",
    [("tictactoe", 30, 7, 4), ("connect4", 30, 30, 3), ("othello", 6, 50, 3), ("chess", 3, 60, 2)],
)
def test_exact_techniques_find_the_value_of_minimax_in_fewer_nodes(name, count, plies, depth):
    totals, visited = [0, 0, 0], 0
    for position in positions(name, count, plies):
        visits = []
        value, _ = minimax(position, depth, prune=False)
        minimax(position, depth, lambda *visit: visits.append(visit))
        visited += len(visits)
        for number in range(3):
            search = Negamax(position, TECHNIQUES[:number])
            assert search.value(depth) == (value if position.side == 0 else -value)
            totals[number] += search.nodes
    assert visited == totals[0] >= totals[1] >= totals[2] and totals[0] > totals[2]


def test_quiescence_sees_that_a_pawn_is_protected():
    position = registry.get("chess").parse("4k3/2p5/3p4/8/8/8/8/3QK3 w - -", OPTIONS)
    capture = position.parse_move("d1d6")
    shallow, quiet = Negamax(position), Negamax(position, ["quiescence"])
    assert shallow.value(1) > quiet.value(1)
    assert shallow.lines[0] == [capture] and quiet.lines[0][0] != capture


@pytest.mark.parametrize("algorithm", ["negamax", *TECHNIQUES])
def test_the_engine_plays_with_negamax(algorithm):
    engine = InProcessEngine("uci", "tictactoe").send(
        f"setoption name Algorithm value {algorithm}", "position fen xx1/oo1/3 x", "go depth 3"
    )
    engine.session.wait()
    assert "score mate 1 " in engine.output and "bestmove P@c3" in engine.output


def test_the_engine_never_loses_tictactoe_with_negamax():
    game, dice = registry.get("tictactoe"), random.Random(1)
    for own in (0, 1) * 5:
        position = game.start(OPTIONS)
        while position.outcome() is None:
            if position.side == own:
                found = ask(position, Limits(depth=9), {**OPTIONS, "Algorithm": "killers"})
                position.make(found.best_move)
            else:
                position.make(dice.choice(position.legal_moves()))
        assert position.outcome().winner in (own, None)


def test_the_node_counts_in_the_document_are_right():
    page = (ROOT / "docs" / "how-it-thinks.md").read_text(encoding="utf-8")
    shown = re.findall(r"^(negamax|[a-z-]+) +(\d+) +(█+) ", page, re.MULTILINE)
    assert [name for name, _, _ in shown] == ["negamax", *TECHNIQUES]
    counts = [int(count) for _, count, _ in shown]
    # The last technique, quiescence, adds nodes.
    assert all(more > fewer for more, fewer in zip(counts, counts[1:-1]))
    for number, (_, count, bar) in enumerate(shown):
        start = registry.get("chess").start(OPTIONS)
        position = play_on(start, "e2e4 e7e5 g1f3 b8c6 f1c4")
        search = Negamax(position, TECHNIQUES[:number])
        search.value(4)
        assert search.nodes == int(count) and len(bar) == round(search.nodes / 500)
    # Without techniques, negamax visits the nodes of alpha-beta, which test_how_it_thinks.py counts.
    for number in (1, 2):
        search = Negamax(registry.get("tictactoe").start(OPTIONS), TECHNIQUES[:number])
        assert search.value(9) == 0 and f" {search.nodes:,}" in page


def test_a_win_is_scored_by_its_distance():
    position = play_on(registry.get("connect4").start(OPTIONS), "a b a b a c")
    (line,) = ask(position, Limits(depth=4), {**OPTIONS, "Algorithm": "table"}).lines
    assert line.score == WIN - 1 and len(line.moves) == 1


@pytest.mark.parametrize("name", registry.names())
def test_the_search_ends_with_every_technique_in_every_game(name):
    for number, position in enumerate(positions(name, len(TECHNIQUES) + 2, 20)):
        moves = len(position.legal_moves())
        if moves > 100 and number < len(TECHNIQUES):
            continue  # with so many moves, only a search with all techniques is fast enough
        search = Negamax(position, TECHNIQUES[:number])
        assert abs(search.value(1 if moves > 20 else 2)) <= WIN and max(search.lines) < 40
