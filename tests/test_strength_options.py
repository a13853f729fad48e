"""The options for weaker play and variety keep their promises."""

import pytest

from games import registry
from search import context_of
from search.levels import STRONGEST, level_of
from search.limits import Limits
from search.session import Session
from search.think import think


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
    return session.position.move_text(found[0].move)


def test_a_weak_player_varies_and_the_strongest_does_not():
    weak = {choose("chess", seed, Skill_Level=0) for seed in range(1, 9)}
    assert len(weak) > 1
    assert len({choose("chess", seed, Skill_Level=20) for seed in range(1, 4)}) == 1


def test_the_same_seed_gives_the_same_choice():
    assert choose("chess", 5, Skill_Level=3) == choose("chess", 5, Skill_Level=3)


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


def test_the_rating_of_a_level_chooses_it():
    chess = registry.get("chess")
    assert len(chess.strength.ratings) == STRONGEST + 1
    for level, elo in enumerate(chess.strength.ratings):
        options = {"UCI_LimitStrength": True, "UCI_Elo": elo}
        assert level_of(chess, options) == pytest.approx(level)


@pytest.mark.parametrize(
    "name", "chess kingofthehill 3check racingkings horde antichess atomic crazyhouse".split()
)
def test_the_lowest_level_can_finish_depth_1(name):
    """A weak level picks one of several moves, which it has only if its search finishes depth 1."""
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
def test_variety_changes_the_opening_only_when_on(name, plies):
    assert len({choose(name, seed, plies, Variety="true") for seed in range(1, 16)}) > 1
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
    replies = {choose("tictactoe", seed, ["b2"], 9, Variety="true") for seed in range(1, 16)}
    assert len(replies) > 1 and replies <= {"a1", "a3", "c1", "c3"}


def test_variety_does_not_change_several_lines():
    assert len({choose("tictactoe", seed, Variety="true", MultiPV=3) for seed in range(1, 9)}) == 1
