"""Tic-tac-toe: rules, texts, and impossible positions."""

import random

import pytest
from conftest import play_on
from tables import rows

from games import registry
from games.base import WIN, MoveError, PositionError
from search import context_of
from search.bench import perft
from search.limits import Limits
from search.think import think

GAME = registry.get("tictactoe")


def position(text="3/3/3 x", *moves):
    return play_on(GAME.parse(text, {}), moves)


def negamax(pos):
    """Return (result for the side to move: 1, 0 or -1; plies to the end with best play)."""
    moves = pos.legal_moves()
    if not moves:
        value = pos.final_value()
        return ((value > 0) - (value < 0)), 0
    answers = []
    for move in moves:
        pos.make(move)
        value, plies = negamax(pos)
        pos.undo()
        answers.append((-value, plies + 1))
    best = max(value for value, _ in answers)
    plies = [plies for value, plies in answers if value == best]
    return best, (min(plies) if best > 0 else max(plies))


def test_perft_counts_are_right():
    counts = [perft(GAME.start({}), depth) for depth in range(1, 7)]
    assert counts == [9, 72, 504, 3024, 15120, 54720]


def test_an_edge_in_answer_to_a_corner_loses():
    assert negamax(position("xo1/3/3 x")) == (1, 5)
    assert negamax(position("x2/1o1/3 x"))[0] == 0


def test_cells_are_read_by_name_and_by_number():
    assert [position().parse_move(str(n)) for n in range(1, 10)] == [
        position().parse_move(name) for name in "a3 b3 c3 a2 b2 c2 a1 b1 c1".split()
    ]
    assert position().parse_move(" B2 ") == position().parse_move("5")
    assert position("3/3/3 x", "1", "5", "9").text() == "x2/1o1/2x o"


@pytest.mark.parametrize("text", ["xo1/1x1/3 o", "3/3/3 x", "xxx/oo1/3 o", "xox/xox/oxo o"])
def test_positions_round_trip_through_text(text):
    assert position(text).text() == text
    assert position(text.split()[0]).text() == text, "the stones determine the side to move"


def test_the_fen_of_fairy_stockfish_is_read():
    assert position("3/3/3[PPPPPpppp] w - - 0 1").text() == "3/3/3 x"
    assert position("1p1/1P1/3[PPPPppp] w - - 2 2").text() == "1o1/1x1/3 x"


@pytest.mark.parametrize("text", rows("tictactoe.impossible_positions_are_refused"))
def test_impossible_positions_are_refused(text):
    with pytest.raises(PositionError):
        position(text)


@pytest.mark.parametrize("move", ["b2", "5", "0", "10", "d1", "a4", "", "bb", "P", "ü1"])
def test_invalid_moves_are_refused(move):
    with pytest.raises(MoveError):
        position("3/1x1/3 o").parse_move(move)


def test_the_game_ends_with_three_in_a_row_or_a_full_board():
    won = position("xxx/oo1/3 o")
    assert won.legal_moves() == [] and won.outcome().winner == 0 and won.final_value() < 0
    lost = position("ooo/xx1/x2 x")
    assert lost.legal_moves() == [] and lost.outcome().winner == 1
    full = position("xox/xox/oxo o")
    assert full.legal_moves() == [] and full.outcome().winner is None and full.final_value() == 0
    last = position("xox/oxo/oxx o")
    assert last.outcome().winner == 0, "a win with the last stone is no draw"
    with pytest.raises(MoveError):
        won.parse_move("a1")


def search(pos, **options):
    limits = Limits(depth=9)
    context = context_of(pos, limits, options, {}, 1)
    context.random = random.Random(options.get("Seed"))
    return think(pos, context, lambda report: None)[0]


def test_the_engine_plays_the_quickest_win_and_the_longest_defence():
    rng = random.Random(1)
    for _ in range(30):
        pos = GAME.start({})
        for _ in range(rng.randrange(1, 8)):
            if pos.legal_moves():
                pos.make(rng.choice(pos.legal_moves()))
        if not pos.legal_moves():
            continue
        value, plies = negamax(pos)
        line = search(pos)
        assert line.score == (value * (WIN - plies) if value else 0), pos.text()
        assert len(line.moves) == plies
        pos.make(line.moves[0])
        assert negamax(pos) == (-value, plies - 1)
