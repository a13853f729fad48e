"""GTP 2 as front ends speak it: exact replies, whole games, clocks, commands sent ahead."""

import re
import threading
import time

import pytest
from conftest import wait_until
from front_end import InProcessEngine, output_of
from gtp_client import STANDARD, Client
from tables import rows

from search.limits import Limits

# More time than any test takes, so that only the test itself can end a search.
FOR_EVER = "plyglot-param Genmove_Time 3600000"
AT_ONCE = "plyglot-param Genmove_Depth 2"


def test_replies_are_exact_to_the_byte():
    output = output_of(
        b"1 protocol_version\n"
        b"name # a comment\r\n"
        b"\n"
        b"   # nothing but a comment\n"
        b"\t2\tversion\x07\x00\n"
        b"known_command play\n"
        b"003 known_command nonsense\n"
        b"known_command\n"
        b"4 nonsense\n"
        b"5\n"
        b"set_game tictactoe\n"
        b"boardsize 3\n"
        b"play b b2\n"
        b"6 showboard\n"
        b"final_score\n"
        b"7 quit\n"
        b"8 name\n"
    )
    assert output == (
        b"=1 2\n\n"
        b"= Plyglot\n\n"
        b"=2 1.0\n\n"
        b"= true\n\n"
        b"=003 false\n\n"
        b"= false\n\n"
        b"?4 unknown command\n\n"
        b"?5 unknown command\n\n"
        b"=\n\n"
        b"=\n\n"
        b"=\n\n"
        b"=6 \n3 . . .\n2 . X .\n1 . . .\n  A B C\nwhite to move\n\n"
        b"? cannot score\n\n"
        b"=7\n\n"
    )


@pytest.mark.parametrize("first", rows("gtp.gtp_is_detected_by_the_first_line"))
def test_gtp_is_detected_by_the_first_line(first):
    output = output_of(first.encode() + b"\nshowboard\nquit\n")
    assert output[:1] in b"=?" and b"info string" not in output


def test_every_command_is_listed_and_known(client):
    gtp = client("othello")
    listed = gtp.ask("list_commands").split("\n")
    assert set(STANDARD) <= set(listed) and len(listed) == len(set(listed))
    assert all(gtp.ask(f"known_command {name}") == "true" for name in STANDARD)
    games = gtp.ask("list_games").split("\n")
    assert "othello" in games and "Othello" in games
    gtp.all(*(f"set_game {game}" for game in games))
    assert [line.partition(":")[0] for line in gtp.ask("help").split("\n")] == listed


def test_a_board_is_shown_with_row_one_at_the_bottom(client):
    gtp = client("othello", "boardsize 8", "clear_board", "komi 6.5", "play Black D3")
    lines = gtp.ask("showboard").split("\n")
    assert lines[4:7] == ["5 . . . X O . . .", "4 . . . X X . . .", "3 . . . X . . . ."]
    assert lines[8:] == ["1 . . . . . . . .", "  A B C D E F G H", "white to move"]
    assert gtp.ask("plyglot-position") == "-" * 19 + "X-------XX------XO" + "-" * 27 + " O"


def test_column_i_is_a_syntax_error(client):
    gtp = client("gomoku", "boardsize 15", "play b J8", "play w h9")
    assert gtp.ask("plyglot-position") == "15/15/15/15/15/15/7o7/8x6/15/15/15/15/15/15/15 x"
    assert gtp.ask("showboard").split("\n")[-2] == "   A B C D E F G H J K L M N O P"
    wrong = "play b i9|play b I9|play w i9|play b i25|play_sequence b a1 w i9"
    for command in (*wrong.split("|"), "gogui-play_sequence b I9"):
        assert gtp.fail(command) == "syntax error", command
    gtp.all("undo", "undo")
    assert gtp.fail("undo") == "cannot undo"
    assert (
        client("othello").fail("play b i3")
        == client("connect4").fail("play b I1")
        == "syntax error"
    )
    # The moves of a tree are labels, not vertices.
    assert client("tree", "set_game tree").fail("play b i9") == "illegal move"


def test_white_begins_in_chess(client):
    gtp = client("chess", "play w e2e4", "play b e7e5", "play white g1f3")
    assert gtp.ask("gogui-rules_side_to_move") == "black"
    assert gtp.fail("play w d2d4") == "illegal move"


@pytest.mark.parametrize(
    "game, command, error", rows("gtp.bad_input_gets_the_exact_error_and_changes_nothing")
)
def test_bad_input_gets_the_exact_error_and_changes_nothing(client, game, command, error):
    gtp = client(game)
    before = gtp.ask("plyglot-position")
    assert gtp.fail(command) == error
    assert gtp.ask("plyglot-position") == before
    assert gtp.fail("undo") == "cannot undo"


def test_a_game_ends_with_passes(client):
    gtp = client("tictactoe", AT_ONCE, "play_sequence b a1 w a3 b b1 w b3")
    assert gtp.ask("reg_genmove b") == "C1" and gtp.ask("genmove b") == "C1"
    assert gtp.ask("final_score") == "B+1"
    assert gtp.fail("play w c3") == "illegal move"
    assert gtp.ask("genmove w") == "pass"
    gtp.all("play b pass", "play w PASS", "undo", "undo", "undo")
    assert gtp.ask("final_score") == "B+1"
    gtp.all("undo")
    assert gtp.fail("final_score") == "cannot score"
    assert gtp.ask("genmove b") == "C1"


def test_the_score_of_a_draw_is_0(client):
    gtp = client("tictactoe", "play_sequence b b2 w a1 b a3 w c1 b b1 w b3 b a2 w c2 b c3")
    assert gtp.ask("final_score") == "0"


def test_empty_squares_count_for_the_winner(client):
    gtp = client("othello", "play_sequence b e6 w f4 b e3 w f6 b g5 w d6 b e7 w f5 b c5")
    assert gtp.ask("final_score") == "B+64"
    assert gtp.ask("genmove w") == "pass" and gtp.ask("genmove b") == "pass"


def test_a_move_out_of_turn_implies_a_forced_pass(client):
    gtp = client("othello", AT_ONCE, "play_sequence b f5 w f6 b d3 w g5 b h5 w h4 b f7 w h6")
    assert gtp.ask("gogui-rules_legal_moves") == "pass"
    before = gtp.ask("plyglot-position")
    assert gtp.fail("play w a1") == "illegal move"
    assert gtp.ask("gogui-rules_side_to_move") == "black"
    gtp.all("play w E7")
    assert gtp.ask("gogui-rules_side_to_move") == "black"
    gtp.all("undo")
    assert gtp.ask("plyglot-position") == before
    assert gtp.ask("reg_genmove w") != "pass"
    assert gtp.ask("plyglot-position") == before
    assert gtp.ask("genmove w") != "pass"
    gtp.all("undo")
    assert gtp.ask("genmove b") == "pass"
    assert gtp.ask("gogui-rules_side_to_move") == "white"


def test_moves_in_a_game_tree_are_named_after_the_child_nodes(client):
    gtp = client("tree", "play b 1", "play w 2", "play b 1")
    assert gtp.ask("genmove w") == "1"
    assert gtp.ask("final_score") == "B+6"
    assert gtp.fail("gogui-rules_board_size") == "this game has no board"


def test_interrupt_ends_a_search(client):
    gtp = client("gomoku", FOR_EVER)
    for _ in range(10):
        gtp.engine.send("1 genmove b", "# interrupt", "2 genmove w", "3 name")
        assert gtp.reply()[0] == "=1"
        gtp.engine.send("# interrupt")  # ends command 2, whether or not it has begun
        assert gtp.reply()[0] == "=2"
        assert gtp.reply() == ("=3", "Plyglot")
        gtp.engine.send("# interrupt")  # no search is running
        assert gtp.ask("protocol_version") == "2"


def test_an_interrupt_ends_only_the_oldest_unfinished_search():
    engine, begun, go_on = InProcessEngine("gtp", "gomoku"), threading.Event(), threading.Event()
    engine.protocol.table["slow"] = lambda words: str(begun.set() or go_on.wait(60))
    engine.send(FOR_EVER, "play b h8", "1 genmove w", "2 slow", "3 genmove b")
    engine.send("plyglot-param Genmove_Depth 3", "4 plyglot-score", "# interrupt")  # ends command 1
    assert begun.wait(60)
    engine.send("# interrupt")  # ends command 3, which has not begun
    go_on.set()
    engine.protocol.end_of_input()
    assert "=3 " in engine.output and re.search(r"=4 .* at depth 3\n", engine.output)


def test_an_analysis_that_begins_after_the_deadline_of_quit_is_answered(capsys):
    engine = InProcessEngine("gtp", "gomoku")

    def wait_for_the_deadline(words):
        while time.perf_counter() <= engine.session.worker._leaves_at:
            threading.Event().wait(0.001)

    engine.protocol.table["wait"] = wait_for_the_deadline
    engine.send(FOR_EVER, "play b h8", "1 genmove w", "2 wait")  # command 1 ends at quit
    engine.send("3 lz-genmove_analyze b", "4 lz-analyze", "5 quit")
    engine.session.worker.finish(0.13, 60.0)
    answers = engine.output.split("\n\n")
    assert re.fullmatch(r"=3\ninfo move .*\nplay [A-P]\d+", answers[4])
    assert answers[5].startswith("=4\n")
    assert capsys.readouterr().err == ""


def test_a_search_that_cannot_start_is_reported_and_blocks_nothing(monkeypatch, capsys):
    engine = InProcessEngine("gtp", "tictactoe")
    with monkeypatch.context() as patch:
        patch.setattr(engine.session, "start", lambda *arguments, **options: 1 / 0)
        engine.send("1 genmove b", "2 lz-analyze", "3 name").protocol.end_of_input()
    replies = engine.output.split("\n\n")
    assert replies[0].startswith("?1 internal error: ZeroDivisionError")
    assert replies[1] == "=2" and replies[2] == "=3 Plyglot"
    engine.send("4 genmove b").protocol.end_of_input()
    assert "=4 B2" in engine.output


def test_commands_sent_ahead_are_answered_in_order(client):
    gtp = client("tictactoe", AT_ONCE)
    gtp.engine.send("1 genmove b", "2 name", "", "# a comment", "3 nonsense", "4 genmove w")
    gtp.engine.send("5 play b pass", "6 undo", "7 gogui-rules_side_to_move", "8 known_command play")
    assert [gtp.reply()[0] for _ in range(6)] == ["=1", "=2", "?3", "=4", "?5", "=6"]
    assert [gtp.reply() for _ in range(2)] == [("=7", "white"), ("=8", "true")]


def test_quit_ends_a_search_and_answers_earlier_commands(start):
    gtp = Client(start("--game", "gomoku"), FOR_EVER, "play b h8")
    gtp.engine.send("1 genmove w", "2 genmove b", "3 undo", "4 quit", "5 name")
    assert [gtp.reply()[0] for _ in range(4)] == ["=1", "=2", "=3", "=4"]
    assert gtp.engine.end() == ([], 0)


def test_the_end_of_input_waits_for_a_bounded_search():
    output = output_of(
        b"set_game tictactoe\nplay_sequence b a1 w a3 b b1 w b3\n1 genmove b\n2 final_score\n3 analyze w"
    )
    assert output == b"=\n\n=\n\n=1 C1\n\n=2 B+1\n\n=3\n\n"


def test_genmove_stays_within_the_clock(client):
    gtp = client("gomoku", FOR_EVER, "time_settings 0 1 5")
    assert gtp.ask("genmove b")
    gtp.all("time_settings 600 0 0", "time_left w 1 0")
    assert gtp.ask("genmove w")
    gtp.all("time_left b 0 0")
    assert gtp.ask("genmove b")
    gtp.all("time_settings 2 0 0", "clear_board")
    assert [gtp.ask(f"genmove {colour}") for colour in "bwbw"]


@pytest.mark.parametrize("bound", ["Genmove_Depth 2", "Genmove_Nodes 100", "Genmove_Time 1"])
def test_each_genmove_limit_ends_a_search(client, bound):
    gtp = client("othello", FOR_EVER, f"plyglot-param {bound}")
    assert gtp.ask("genmove b")


def test_the_command_plyglot_param_shows_and_sets_options(client):
    gtp = client("gomoku")
    shown = gtp.ask("plyglot-param").split("\n")
    assert "[string] Hash 64" in shown and "[bool] Ponder 0" in shown
    assert (
        "[list/alphabeta/minimax/negamax/table/killers/null-move/reductions/quiescence] Algorithm alphabeta"
        in shown
    )
    changes = "Hash 8|ponder 1|Clear_Hash|BoardSize 9|BookFile|Genmove_Depth 3"
    gtp.all(*[f"plyglot-param {change}" for change in changes.split("|")])
    assert gtp.ask("plyglot-param Hash") == "8" and gtp.ask("plyglot-param Ponder") == "1"
    assert gtp.ask("gogui-rules_board_size") == "9"
    assert gtp.fail("plyglot-param Hash 0") == "Hash must be 1 to 4096, not 0"
    assert gtp.fail("plyglot-param Nonsense 0") == "no such option: Nonsense"


def test_set_game_and_boardsize_change_the_board():
    engine = InProcessEngine("gtp", "chess")
    engine.send("set_game Connect_Four", "boardsize 7", "rectangular_boardsize 7 6", "play b D1")
    engine.send("set_game reversi", "play b d3", "set_game five", "boardsize 9", "play b J9")
    assert engine.output == "=\n\n" * 9
    assert engine.session.position.text() == "8x/9/9/9/9/9/9/9/9 o"


def fields(limits):
    """Return {name: value} of the limits that differ from the defaults."""
    return {name: value for name, value in vars(limits).items() if value != vars(Limits())[name]}


@pytest.mark.parametrize(
    "command, limits, left",
    [
        ("none", {}, None),
        ("absolute 60", {"clocks": (60, 60)}, None),
        ("canadian 0 10 5", {"turn": 2}, {"turn": 3}),
        ("byoyomi 0 10 3", {"turn": 10}, {"turn": 9}),
        ("canadian 0 10 0", {}, None),
        ("fischer-capped 60 2 90 -1", {"clocks": (60, 60), "increments": (2, 2)}, None),
        ("fischer-capped 60 2 -1 5", {"clocks": (60, 60), "increments": (2, 2), "turn": 5}, None),
        ("fischer 60 2", {"clocks": (60, 60), "increments": (2, 2)}, None),
    ],
)
def test_time_settings_of_kgs_and_katago_are_read(command, limits, left):
    for prefix in ("kgs", "kata"):
        engine = InProcessEngine("gtp").send(f"{prefix}-time_settings {command}")
        clock = engine.protocol.game.clocks[0]
        assert fields(clock.limits()) == limits
        if left:
            engine.send("time_left w 9 3")  # 3 moves are left, or 3 periods of one move each
            assert fields(clock.limits()) == left
        assert engine.output.startswith("=") and "?" not in engine.output
    clock.spend(1)
    engine.send(
        "kata-list_time_settings", f"kata-time_settings {command} 1", "kata-time_settings x"
    )
    assert "= none absolute byoyomi canadian fischer fischer-capped\n" in engine.output
    assert engine.output.count("? syntax error") == 2


@pytest.mark.parametrize("command", ["genmove b", "lz-genmove_analyze b 1"])
def test_genmove_subtracts_time_from_its_player(command):
    engine = InProcessEngine("gtp", "tictactoe").send("time_settings 600 0 0", AT_ONCE, command)
    engine.protocol.end_of_input()
    first, second = (clock.seconds for clock in engine.protocol.game.clocks)
    assert first < 600 and second == 600


def test_clear_board_resets_the_moves_and_the_clocks():
    engine = InProcessEngine("gtp", "tictactoe").send(
        "time_settings 600 0 0", "play b a1", "time_left b 5 0", "clear_board", "undo"
    )
    assert engine.output.endswith("? cannot undo\n\n")
    assert engine.protocol.game.clocks[0].seconds == 600


@pytest.mark.parametrize(
    "name, lines, left",
    [
        (
            "gtp",
            ["set_game tictactoe", "time_settings 100 0 0", "genmove b"],
            lambda protocol: protocol.game.clocks[0].seconds,
        ),
        (
            "cecp",
            ["variant tictactoe", "level 0 1:40 0", "go"],
            lambda protocol: protocol._clock.seconds,
        ),
        (
            "gomocup",
            ["START 5", "INFO timeout_match 100000", "INFO max_depth 1", "BEGIN"],
            lambda protocol: protocol.clock.seconds,
        ),
    ],
)
def test_the_clock_subtracts_a_quarter_of_the_move_overhead(name, lines, left):
    engine = InProcessEngine(name)
    engine.session.set_option("Move Overhead", "10000")
    engine.send(*lines)
    engine.protocol.end_of_input()
    # The clock subtracts a quarter of the overhead of ten seconds, and a moment for the search.
    assert 50 < left(engine.protocol) < 97.6


def test_a_fixed_time_per_move_includes_the_move_overhead():
    engine = InProcessEngine("gtp", "gomoku").send(
        "time_settings 0 3 1", "time_left b 3 1", "plyglot-param Move_Overhead 50"
    )
    asked = engine.limits_of("genmove b")
    wait_until(lambda: asked)
    assert asked[0].turn == 3
