"""The levels of weaker play, and variety: the same choices on every machine for a seed."""

import random
import re

import pytest
from front_end import output_of

from games import registry
from games.base import INFINITY
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
from search.session import Session
from search.think import think

OPTION = {option.name: option.default for option in (*OPTIONS, *registry.options())}


def played(level, moves="e2e4 e7e5 d1h5 b8c6 f1c4", seed=7):
    text = (
        f"setoption name Seed value {seed}\nsetoption name Skill Level value {level}\n"
        f"position startpos moves {moves}\ngo depth 9\n"
    )
    *_, info, answer = output_of(text.encode()).decode().splitlines()
    return re.search(r" nodes \d+", info)[0], answer


def test_a_seed_gives_the_same_search_and_one_info_line():
    assert played(-5) == (" nodes 223", "bestmove a7a6 ponder h5f7")
    lines = output_of(
        b"setoption name Skill Level value -3\nposition startpos\ngo depth 9\n"
    ).decode()
    assert lines.count("info depth 1 ") == lines.count("info depth ") == 1


def test_a_weak_level_answers_even_with_a_tiny_limit():
    output = output_of(
        b"setoption name Skill Level value -2\nposition startpos\ngo movetime 1\ngo nodes 1\n"
    )
    assert output.decode().count("bestmove ") == 2


def test_lower_levels_overlook_mates_more_often():
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


@pytest.mark.parametrize("name", ["chess", "shogi", "gomoku", "draughts"])
def test_a_novice_that_overlooks_nothing_plays_the_best_move(name):
    """A narrowed window skips moves, but never the one that would be chosen."""
    position = registry.get(name).start(OPTION)
    for _ in range(6):
        position.make(sorted(position.legal_moves())[-1])
    context = context_of(position.copy(), Limits(), OPTION, {}, 1)
    context.random = random.Random(1)
    line = Novice(position.copy(), context, 0.0).line()
    search = context.tree_search(position.copy())
    search.begin(1)
    assert line.score == max(
        search.try_move(move, 1, 1, -INFINITY, INFINITY) for move in context.root_moves
    )
    assert len(line.moves) > 1


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


# ---- the options for weaker play and variety -----------------------------------------------------


def choose(name, seed, plies=(), depth=4, **options):
    """Return the move that a search with these options plays, as text."""
    session = Session(name)
    for option, value in dict(options, Seed=seed).items():
        session.set_option(
            option.replace("_", " ") if option == "Skill_Level" else option, str(value)
        )
    session.setup(moves=plies)
    found = []
    session.start(Limits(depth=depth), lambda report, position: None, found.append)
    session.wait()
    return session.position.move_text(found[0].best_move)


def test_a_weak_player_varies_and_the_strongest_does_not():
    weak = {choose("chess", seed, Skill_Level=0) for seed in range(1, 9)}
    assert len(weak) > 1
    assert len({choose("chess", seed, Skill_Level=20) for seed in range(1, 4)}) == 1


def test_the_same_seed_gives_the_same_choice():
    assert choose("chess", 5, Skill_Level=3) == choose("chess", 5, Skill_Level=3)


@pytest.mark.parametrize(
    "name, plies, move",
    [
        ("chess", "e2e4 e7e5 d1h5 b8c6 f1c4", "g7g6"),
        ("atomic", "g1f3", "b7b6"),
        ("othello", "f5 d6 c3", "f3"),
        ("connect4", "4 4 4", "3"),
        ("gomoku", "h8 h9 i9", "h10"),
        ("draughts", "32-28 19-23 28x19", "14x23"),
        ("shogi", "7g7f 3c3d", "8h2b"),
    ],
)
def test_the_lowest_level_plays_the_same_move_for_a_seed_everywhere(name, plies, move):
    assert choose(name, 1, plies.split(), Skill_Level=-5) == move


def test_even_the_weakest_takes_a_win_in_one():
    for seed in range(1, 6):
        # x is on b2 and c1, so a3 wins.
        assert choose("tictactoe", seed, ["b2", "a1", "c1", "c3"], Skill_Level=0) == "a3"


def test_a_low_elo_searches_fewer_nodes():
    def nodes(**options):
        position = registry.get("chess").start({})
        values = {option.name: option.default for option in Session().options()}
        values.update(options)
        limits = Limits(depth=5)
        context = context_of(position, limits, values, {}, 4)
        from random import Random

        context.random = Random(1)
        think(position, context, lambda report: None)
        return context.watch.nodes

    assert nodes(UCI_LimitStrength=True, UCI_Elo=800) < nodes(UCI_LimitStrength=True, UCI_Elo=1500)


def test_uci_elo_with_the_rating_of_a_level_chooses_that_level():
    chess = registry.get("chess")
    assert len(chess.strength.ratings) == STRONGEST + 1
    for level, elo in enumerate(chess.strength.ratings):
        options = {"UCI_LimitStrength": True, "UCI_Elo": elo}
        assert level_of(chess, options) == pytest.approx(level)


@pytest.mark.parametrize(
    "name", "chess kingofthehill 3check racingkings horde antichess atomic crazyhouse".split()
)
def test_the_lowest_level_can_finish_depth_1(name):
    """A weak level picks one of several moves, and knows them only if its search finishes depth 1."""
    position = registry.get(name).start({})
    for _ in range(10):
        position.make(sorted(position.legal_moves())[0])
    limits = Limits(depth=1, nodes=position.game.strength.nodes[0])
    context = context_of(position, limits, {"MultiPV": 5}, {}, 4)
    lines = think(position, context, lambda report: None)
    assert len(lines) == min(5, len(context.root_moves))


def test_an_analysis_ignores_weaker_play():
    strong = choose("chess", 1)
    assert all(
        choose("chess", seed, Skill_Level=0, UCI_AnalyseMode="true") == strong
        for seed in range(1, 5)
    )


@pytest.mark.parametrize(
    "name, plies", [("tictactoe", []), ("othello", ["f5"]), ("gomoku", ["h8"]), ("renju", ["h8"])]
)
def test_variety_changes_the_opening_only_if_the_option_is_on(name, plies):
    first = choose(name, 1, plies, Variety="true")
    assert any(choose(name, seed, plies, Variety="true") != first for seed in range(2, 16))
    assert len({choose(name, seed, plies) for seed in range(1, 4)}) == 1
    assert (
        len({choose(name, seed, plies, Variety="true", UCI_AnalyseMode="true") for seed in (1, 2)})
        == 1
    )


def test_variety_ends_with_the_opening():
    plies = ["b2", "a1", "c3"]
    assert len({choose("tictactoe", seed, plies, Variety="true") for seed in range(1, 9)}) == 1


def test_variety_makes_no_mistake():
    """After a first move in the centre only the corners draw."""
    replies = {choose("tictactoe", seed, ["b2"], 9, Variety="true") for seed in range(1, 9)}
    assert len(replies) > 1 and replies <= {"a1", "a3", "c1", "c3"}


def test_variety_is_off_with_multipv():
    assert len({choose("tictactoe", seed, Variety="true", MultiPV=3) for seed in range(1, 9)}) == 1
