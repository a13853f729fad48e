"""Chess: repetition, fifty moves and lack of material are draws, but front ends may continue the game."""

import re

import pytest
from front_end import InProcessEngine
from tables import rows

from games import registry
from search.bench import divide, perft

THREEFOLD = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
FIFTY = "4k3/8/8/8/8/8/4P3/4K2R w - - 100 90"
FEW_MEN = "8/8/4k3/8/8/4K3/8/6N1 w - - 0 1"

# Positions with lines that end in draws by lack of material.
LEAVES = rows("unclaimed_draws.leaves")


def test_moves_after_the_third_repetition_are_read():
    engine = InProcessEngine("uci").send(f"position startpos moves {THREEFOLD}", "d")
    assert "Moves:\nResult: 1/2-1/2 threefold repetition" in engine.output
    engine.send(f"position startpos moves {THREEFOLD} e2e4 e7e5")
    assert "error" not in engine.output and len(engine.session.moves) == 10


def test_a_move_is_found_if_the_draw_was_not_claimed():
    for position in (f"startpos moves {THREEFOLD}", f"fen {FIFTY}", f"fen {FEW_MEN}"):
        for limit in ("depth 4", "nodes 1", "mate 2", "depth 3 searchmoves"):
            engine = InProcessEngine("uci").send(
                "setoption name MultiPV value 2", f"position {position}", f"go {limit}"
            )
            engine.session.wait()
            assert re.search(r"^bestmove [a-h][1-8][a-h][1-8]", engine.output, re.M)
            assert set(re.findall(r" score (\w+ -?\d+)", engine.output)) == {"cp 0"}
        engine = InProcessEngine("uci").send(f"position {position}", "d")
        assert "\nMoves:\nResult: 1/2-1/2 " in engine.output


@pytest.mark.parametrize("fen, depth, leaves", LEAVES)
def test_perft_counts_only_the_rules_of_movement(fen, depth, leaves):
    engine = InProcessEngine("uci").send(f"position fen {fen}", f"go perft {depth}")
    engine.session.wait()
    assert engine.output.splitlines()[-2:] == [f"Nodes searched: {leaves}", ""]
    position = registry.get("chess").parse(fen, {})
    assert perft(position, depth) == sum(count for _, count in divide(position, depth)) == leaves


def test_perft_is_not_ended_by_repetition_and_fifty_moves():
    for position in (f"startpos moves {THREEFOLD}", f"fen {FIFTY}", f"fen {FEW_MEN}"):
        engine = InProcessEngine("uci").send(f"position {position}", "go perft 1")
        engine.session.wait()
        assert "Nodes searched: 0\n" not in engine.output
    position = registry.get("chess").parse(LEAVES[3][0], {})
    assert perft(position, 4, lambda nodes: None) == 19174  # counted by make and undo


def test_a_check_that_draws_by_repetition_is_not_mate():
    place = registry.get("chess").parse("4k3/8/8/8/8/3Q4/8/4K3 w - - 0 1", {})
    for word in "d3e2 e8d8 e2d1 d8e8 d1e2 e8d8 e2d1 d8e8".split():
        place.make(place.parse_move(word))
    draws, goes_on = place.order_moves([place.parse_move("d1e2"), place.parse_move("d1d5")])
    assert goes_on > draws


def test_cecp_claims_the_draw_and_plays_on_after_go():
    engine = InProcessEngine("cecp").send("force", *THREEFOLD.split()[:-1], "playother")
    engine.send("white", "force", THREEFOLD.split()[-1], "sd 1", "go")
    engine.session.wait()
    # The engine may repeat the position once more, which is also a draw.
    assert re.match(r"move [a-h][1-8][a-h][1-8]\n", engine.output)
    engine = InProcessEngine("cecp").send(
        "force", *THREEFOLD.split()[:-1], "playother", THREEFOLD.split()[-1]
    )
    engine.session.wait()
    assert engine.output == "1/2-1/2 {threefold repetition}\n"
