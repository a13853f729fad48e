"""The levels below 0: players who overlook replies, the same ones on every machine for a seed."""

import random

import pytest
from front_end import output_of

from games import registry
from search import context_of
from search.levels import (
    LOWEST_ELO,
    STRONGEST,
    WEAKEST,
    Novice,
    carelessness_of,
    level_of,
    ratings_of,
)
from search.limits import Limits
from search.options import OPTIONS

OPTION = {option.name: option.default for option in (*OPTIONS, *registry.options())}


def played(level, moves="e2e4 e7e5 d1h5 b8c6 f1c4", seed=7):
    text = (
        f"setoption name Seed value {seed}\nsetoption name Skill Level value {level}\n"
        f"position startpos moves {moves}\ngo depth 9\n"
    )
    return output_of(text.encode()).decode().splitlines()[-1]


def test_a_seed_gives_the_same_move_and_its_true_score():
    assert played(-5) == played(-5)
    lines = output_of(
        b"setoption name Skill Level value -3\nposition startpos\ngo depth 9\n"
    ).decode()
    assert lines.count("info depth 1 ") == lines.count("info depth ") == 1


def test_a_stopped_player_answers_at_once():
    output = output_of(
        b"setoption name Skill Level value -2\nposition startpos\ngo movetime 1\ngo nodes 1\n"
    )
    assert output.decode().count("bestmove ") == 2


def test_the_lowest_levels_overlook_mates_and_the_highest_of_them_hardly_ever():
    game = registry.get("chess")
    position = game.parse(
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3", OPTION
    )

    def overlooked(carelessness):
        context = context_of(position.copy(), Limits(), OPTION, {}, 1)
        context.random = random.Random(3)
        moves = [Novice(position.copy(), context, carelessness).line() for _ in range(60)]
        mated = 0
        for line in moves:
            after = position.copy()
            after.make(line.moves[0])
            mate = [move for move in after.legal_moves() if after.move_text(move) == "h5f7"]
            after.make(mate[0] if mate else after.legal_moves()[0])
            mated += bool(mate) and after.outcome() is not None
        return mated

    often, rarely = map(overlooked, (game.strength.carelessness[0], game.strength.carelessness[-1]))
    assert often > 2 * rarely > 0


def test_a_careful_player_beats_a_much_more_careless_one():
    game = registry.get("connect4")
    wins = 0
    for seed in range(12):
        position, generator = game.start(OPTION), random.Random(seed)
        for move in seed // 2 % 7, (seed // 2 * 3 + 1) % 7:
            position.make(position.legal_moves()[move % len(position.legal_moves())])
        while position.outcome() is None:
            strong = position.side == seed % 2
            context = context_of(position.copy(), Limits(), OPTION, {}, 1)
            context.random = generator
            careless = game.strength.carelessness[-1 if strong else 0]
            position.make(Novice(position.copy(), context, careless).line().moves[0])
        wins += position.outcome().winner == seed % 2
    assert wins >= 9


@pytest.mark.parametrize("name", ["chess", "othello"])
def test_elo_chooses_among_all_levels(name):
    game = registry.get(name)
    ratings = ratings_of(game)
    assert len(ratings) == STRONGEST - WEAKEST + 1 and ratings[0] == LOWEST_ELO
    levels = [
        level_of(game, {**OPTION, "UCI_LimitStrength": True, "UCI_Elo": elo})
        for elo in range(400, 2201, 50)
    ]
    assert levels == sorted(levels) and levels[0] == WEAKEST and len(set(levels)) > 20
    careless = [carelessness_of(game, {**OPTION, "Skill Level": level}) for level in range(-5, 0)]
    assert careless == pytest.approx(game.strength.carelessness)
