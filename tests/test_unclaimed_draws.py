"""Chess: repetition and fifty moves are draws, yet front ends that don't claim them may play on."""
import re

from front_end import Desk

THREEFOLD = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
FIFTY = "4k3/8/8/8/8/8/4P3/4K2R w - - 100 90"


def test_moves_after_the_third_repetition_are_read():
    desk = Desk("uci").send(f"position startpos moves {THREEFOLD}", "d")
    assert "Moves:\nResult: 1/2-1/2 threefold repetition" in desk.said
    desk.send(f"position startpos moves {THREEFOLD} e2e4 e7e5")
    assert "error" not in desk.said and len(desk.session.moves) == 10


def test_a_move_is_found_where_the_draw_was_not_claimed():
    for position in (f"startpos moves {THREEFOLD}", f"fen {FIFTY}"):
        desk = Desk("uci").send(f"position {position}", "go depth 2")
        desk.session.wait()
        assert re.search(r"^bestmove [a-h][1-8][a-h][1-8]", desk.said, re.M)


def test_no_move_is_found_where_the_game_is_over_for_good():
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"):
        desk = Desk("uci").send(f"position fen {fen}", "go depth 2")
        desk.session.wait()
        assert desk.said == "info depth 0 score cp 0\nbestmove (none)\n"


def test_cecp_claims_the_draw_and_plays_on_when_told_so():
    desk = Desk("cecp").send("force", *THREEFOLD.split()[:-1], "playother")
    desk.send("white", "force", THREEFOLD.split()[-1], "sd 1", "go")
    desk.session.wait()
    assert re.fullmatch(r"move [a-h][1-8][a-h][1-8]\n", desk.said)
    desk = Desk("cecp").send("force", *THREEFOLD.split()[:-1], "playother", THREEFOLD.split()[-1])
    desk.session.wait()
    assert desk.said == "1/2-1/2 {threefold repetition}\n"


def test_a_position_met_once_before_the_search_is_no_draw_yet():
    desk = Desk("uci").send("position startpos moves g1f3 g8f6 f3g1 f6g8", "go depth 5 searchmoves g1f3")
    desk.session.wait()
    line = [line for line in desk.said.splitlines() if " pv " in line][-1]
    assert len(line.split(" pv ")[1].split()) > 1


def test_what_would_come_for_the_third_time_is_a_draw():
    desk = Desk("uci").send(f"position startpos moves {THREEFOLD} g1f3 g8f6 f3g1", "go depth 4 searchmoves f6g8")
    desk.session.wait()
    line = [line for line in desk.said.splitlines() if " pv " in line][-1]
    assert " score cp 0 " in line
