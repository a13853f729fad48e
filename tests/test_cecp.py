"""CECP 2, as XBoard and similar front ends speak it."""

import re
import signal

import pytest
from conftest import PATIENCE
from front_end import InProcessEngine, run_script
from tables import rows

from games import registry
from games.base import WIN
from games.chess.book import polyglot_key
from games.solver import Line
from protocol.base import CommandError
from protocol.cecp_text import move_text, read_move, seems_a_move, thinking_line
from protocol.conversation import Conversation
from protocol.table import Row
from search import clock as player_clock
from search.limits import Deadlines
from search.report import Report
from search.session import Session


def test_a_session_with_xboard_is_answered(start):
    run_script(
        start(),
        r"""
        > xboard
        > protover 2
        < feature done=0
        ~ feature option="Hash -spin 64 1 4096"
        ~ feature done=1
        > accepted ping
        > rejected sigint
        > new
        > random
        > level 40 5 0
        > post
        > hard
        > sd 2
        > time 30000
        > otim 30000
        > usermove e2e4
        < 1 -?\d+ \d+ \d+ \d+ \d+ \d+\t[a-h][1-8][a-h][1-8]( [a-h][1-8][a-h][1-8])*
        ~ move [a-h][1-8][a-h][1-8]
        > ping 1
        < pong 1
        > usermove e4e6
        < Illegal move: e4e6
        > undo
        > undo
        > undo
        < Error \(there are too few moves to take back\): undo
        > foo bar
        < Error \(unknown command\): foo bar
        > force
        > usermove f2f3
        > e7e5
        > g2g4
        > go
        ~ move d8h4
        < 0-1 \{checkmate\}
        > ping 2
        < pong 2
        > usermove a2a3
        < Illegal move \(the game is over\): a2a3
        > result 0-1 {checkmate}
        > quit
    """,
    )


def test_the_answer_to_a_ping_waits_for_the_move(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "st 0.3", "usermove d2d4", "ping 7")
    assert re.fullmatch("move .*", engine.until("move .*|pong 7")[-1])
    assert engine.line() == "pong 7"


def test_features_have_the_form_that_clients_parse():
    output = InProcessEngine("cecp").send("protover 2").output
    features = dict(re.findall(r'(\w+)\s*=\s*("[^"]+"|\w+)', output))
    known = {"ping": "1", "setboard": "1", "usermove": "1", "san": "0", "sigint": "0", "reuse": "1"}
    assert known.items() <= features.items()
    assert {"normal", "fischerandom", "othello", "gomoku", "cfour"} <= set(
        features["variants"].strip('"').split(",")
    )
    assert output.splitlines()[0] == "feature done=0"
    assert output.splitlines()[-1] == "feature done=1"
    assert "'" not in output
    names = re.findall(r'option="([^"]*?) -(?:spin|check|combo|string|file|button)', output)
    hidden = {"Ponder", "UCI_Chess960", "UCI_AnalyseMode"}  # XBoard has commands for these options
    assert names == [
        option.name
        for option in InProcessEngine("cecp").session.options()
        if option.name not in hidden
    ]
    assert {"Hash", "UCI_Elo", "UCI_LimitStrength"} <= set(names)
    assert 'feature option="BookFile -file ' in output


@pytest.mark.parametrize(
    "line, name, value", rows("cecp.the_command_option_sets_every_kind_of_option")
)
def test_the_command_option_sets_every_kind_of_option(line, name, value):
    engine = InProcessEngine("cecp").send(line)
    assert engine.session.values[name] == value and engine.output == ""


@pytest.mark.parametrize("line", rows("cecp.errors_have_the_form_of_the_protocol"))
def test_errors_have_the_form_of_the_protocol(line):
    engine = InProcessEngine("cecp").send(line)
    assert re.fullmatch(r"Error \(.+\): " + re.escape(line) + "\n", engine.output)


@pytest.mark.parametrize("word", ["e2e5", "e7e5", "z9z9", "P@a1", "O-O", "@@@@", "e7e8q"])
def test_illegal_moves_are_refused(word):
    engine = InProcessEngine("cecp").send("force", word, f"usermove {word}")
    assert engine.output == f"Illegal move: {word}\n" * 2


REFUSED = "tellusererror Illegal position\n"


@pytest.mark.parametrize("lines", rows("cecp.no_move_is_made_after_a_refused_position"))
def test_no_move_is_made_after_a_refused_position(lines):
    engine = InProcessEngine("cecp").send("force", "e2e4", "option OwnBook=0", "sd 1")
    before = engine.session.position.text()
    output = engine.send(*lines).output
    assert output == REFUSED or "invalid line in edit" in output
    engine.send("e7e5", "usermove e7e5", "undo", "hint", "post")
    engine.send("analyze", "usermove e7e5", ".", "exit", "go")
    assert engine.output == (
        output
        + "Illegal move: e7e5\n" * 2
        + "Error (there are too few moves to take back): undo\n"
        + "Illegal move: e7e5\n"
        + REFUSED
    )
    assert engine.session.position.text() == before
    for good in (
        ["setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"],
        ["new"],
        ["variant normal"],
        ["edit", "#", "Ke1", "Pe2", "c", "Ke8", "."],
    ):
        engine.send(*lines, *good, "force", "usermove e2e4", "undo", "go", "force")
        assert engine.session.position.text() != before
    assert engine.output.count("Illegal move") == 3


def test_a_refused_position_ends_an_analysis_and_a_move_in_progress(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "post", "st 1000", "usermove e2e4")
    engine.until("2 .*")
    engine.send("setboard nonsense", "ping 1")
    assert "move" not in "".join(engine.until("tellusererror .*"))
    assert engine.until("pong 1") == ["pong 1"]
    engine.send("new", "analyze")
    engine.until("2 .*")
    engine.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
    engine.until("tellusererror .*")
    engine.send(".", "usermove e2e4", "ping 2")
    assert engine.until("pong 2") == ["Illegal move: e2e4", "pong 2"]
    engine.send("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    engine.until("2 .*")


@pytest.mark.parametrize("lines, text", rows("cecp.the_command_edit_sets_up_a_position"))
def test_the_command_edit_sets_up_a_position(lines, text):
    engine = InProcessEngine("cecp").send("force", "edit", *lines)
    assert engine.session.position.text() == text and engine.output == ""


@pytest.mark.parametrize(
    "variant, moves, result",
    [
        ("normal", "f2f3 e7e5 g2g4 d8h4", "0-1 {checkmate}"),
        ("tictactoe", "a1 b1 a2 b2 a3", "1-0 {.*}"),
        ("cfour", "1 2 1 2 1 2 1", "1-0 {.*}"),
    ],
)
def test_a_move_that_ends_the_game_is_answered_by_the_result_even_in_force_mode(
    speak, variant, moves, result
):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", f"variant {variant}", "force", "ping 1")
    engine.until("pong 1")
    engine.send(*moves.split(), "ping 2")
    output = engine.until("pong 2")
    assert len(output) == 2 and re.fullmatch(result, output[0])


def test_no_result_is_written_during_an_analysis(speak):
    engine = speak("cecp")
    engine.send(
        "xboard", "protover 2", "new", "force", "f2f3", "e7e5", "g2g4", "analyze", "d8h4", "ping 1"
    )
    assert not [line for line in engine.until("pong 1") if "checkmate" in line]


def test_castling_is_read_in_the_form_of_the_variant():
    engine = InProcessEngine("cecp").send(
        "variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    )
    assert engine.session.values["UCI_Chess960"] is True
    for text, board in (("O-O", "R....RK."), ("O-O-O", "..KR...R")):
        engine.send(f"usermove {text}")
        assert engine.session.position.board()[0] == board
        engine.send("undo")
    engine.send("variant normal", "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "usermove e1g1")
    assert engine.session.values["UCI_Chess960"] is False
    assert engine.session.position.board()[0] == ".....RK."
    assert engine.output == ""


def test_a_new_session_adds_its_time_to_the_clock():
    control = InProcessEngine("cecp").protocol
    control._level("2 1 0")
    for made, most in enumerate([60, 60, 120, 120, 180]):
        limits = control._limits()
        assert limits.moves_to_go <= 2
        assert most - 5 < limits.clocks[0] <= most, made
        control._clock.end()


def test_time_controls_become_limits(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(player_clock, "perf_counter", lambda: now[0])
    control = InProcessEngine("cecp").protocol
    control._level("40 1:30 2")  # moves, minutes and seconds, increment
    limits = control._limits()
    assert (limits.clocks, limits.increments, limits.moves_to_go) == ((90, 90), (2, 2), 40)
    now[0] += 3.5
    control._clock.end()
    limits = control._limits()
    assert (limits.clocks, limits.moves_to_go) == ((88.5, 88.5), 39)
    now[0] += 1000
    control._clock.end()
    assert control._limits().clocks == (2, 2)
    control._level("2 1:30 2")
    control._clock.end()
    # The moves to go are never fewer than 2, since the front end may count one move less.
    assert control._limits().moves_to_go == 2
    now[0] += 1
    control._clock.end()  # the next session begins and adds its time
    assert control._limits().moves_to_go == 2 and control._limits().clocks[0] > 90
    control._level("0 5 0")
    assert control._limits().moves_to_go is None and control._limits().clocks == (300, 300)
    control._exact("2.5")
    assert control._limits().turn == 2.5
    for wrong in rows("cecp.time_controls_become_limits"):
        with pytest.raises(CommandError):
            control._level(wrong)
    assert control._limits().turn == 2.5
    for over in ("0 -1:59 0", "0 -1 0", "0 0:00 -1"):  # clocks that have run out
        control._level(over)
        assert control._limits().clocks == (0, 0) and control._limits().increments == (0, 0)


def spend(level, begins, count):
    """Return the planned seconds of `count` moves with CECP's command `level`.

    begins(n): does a new session of moves begin after n moves?
    """
    control, spent = InProcessEngine("cecp").protocol, []
    control._level(level)
    base = left = control._limits().clocks[0]
    for made in range(count):
        control._set_time(f"{100 * left:.0f}")
        plan = Deadlines(control._limits(), 0, 0.04, 0.0)
        spent.append(plan.soft_deadline)
        assert plan.hard_deadline < 0.8 * left
        control._clock._began -= plan.soft_deadline  # as if the move had taken the planned time
        control._clock.end()
        left -= plan.soft_deadline
        if begins(made + 1):
            left += base
    return spent


@pytest.mark.parametrize(
    "level, begins",
    [
        ("6 0:10 0", lambda made: made % 6 == 0),  # As the engine counts its moves.
        ("6 0:10 0", lambda made: made % 6 == 5),  # As XBoard counts if Black moves first.
        # As front ends count if they include the moves of the opening.
        ("8 0:08 0", lambda made: made % 8 == 4),
        ("40 5 1", lambda made: made % 40 == 20),
    ],
)
def test_time_is_spent_evenly_however_the_front_end_counts_sessions(level, begins):
    spent = spend(level, begins, 45)
    assert max(spent) < 3 * min(spent), spent


def test_a_session_longer_than_announced_does_not_exhaust_the_clock():
    spent = spend("3 0:06 0", lambda made: False, 20)
    assert sum(spent) < 6 and all(spent)


@pytest.mark.parametrize("lines, to_go", rows("cecp.the_command_level_begins_a_new_session"))
def test_the_command_level_begins_a_new_session(lines, to_go):
    engine = InProcessEngine("cecp").send(
        "force",
        *"e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 d2d3 d7d6".split(),
        "level 40 5 0",
        *lines.split("\n"),
    )
    assert engine.limits_of("go")[0].moves_to_go == to_go


def test_the_time_of_the_command_st_includes_the_move_overhead():
    engine = InProcessEngine("cecp").send("new", "option Move Overhead=30", "st 2", "force")
    assert engine.limits_of("go")[0].turn == 2


def test_moves_taken_back_are_added_to_the_moves_to_go():
    engine = InProcessEngine("cecp").send("new", "option OwnBook=0", "sd 1", "level 5 10 0")
    for count, words in ((1, "undo undo"), (2, "remove")):
        for move in ("e2e4", "d2d4")[:count]:
            engine.send(f"usermove {move}", "ping 1")
            engine.session.wait()
        engine.send(*words.split())
    assert engine.protocol._limits().moves_to_go == 4


@pytest.mark.parametrize("side, first", [(0, "go"), (1, "usermove e2e4")])
def test_moves_to_go_rises_only_if_the_engines_own_move_is_taken_back(side, first):
    engine = InProcessEngine("cecp").send("new", "option OwnBook=0", "sd 1", "level 5 10 0", first)
    engine.session.wait()
    reply = engine.session.position.move_text(engine.session.position.legal_moves()[0])
    engine.send("force", f"usermove {reply}")
    left = []
    for command in ("", "undo", "undo"):
        engine.send(command)
        left.append(engine.protocol._limits().moves_to_go)
    assert left == [4, 4, 5]


@pytest.mark.parametrize(
    "fen, castling",
    [("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O"), ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "O-O-O")],
)
def test_castling_of_chess960_is_written_and_read_as_o_o(fen, castling):
    place = registry.get("chess").parse(fen, {"UCI_Chess960": True})
    written = [move_text(place, move) for move in place.legal_moves()]
    assert written.count(castling) == 1 and len(set(written)) == len(written)
    assert read_move(place, castling) == place.legal_moves()[written.index(castling)]


@pytest.mark.parametrize("name, words, others", [
    ("chess", "e2e4 e7e8q e2-e4 h10i11 a1a12 P@h10 O-O-O @@@@", "e P@ hello 12 e2xyz"),
    ("draughts", "32-28 28x19 28x19x10", "51-52 hello"),
    ("shogi", "7g7f 8h2b+ P*5e c3c4 P@e5", "hello 77 p"),
])  # fmt: skip
def test_words_that_look_like_moves_are_recognised(name, words, others):
    place = registry.get(name).start({})
    assert [word for word in words.split() if not seems_a_move(place, word)] == []
    assert [word for word in ("", *others.split()) if seems_a_move(place, word)] == []


def test_the_command_setup_describes_games_of_stones_to_xboard():
    engine = InProcessEngine("cecp").send("variant tictactoe")
    assert engine.output == "setup (P.....p.....) 3x3+1_fairy 3/3/3[PPPPPpppp] w 0 1\npiece P& @\n"
    engine.send("setboard 3/3/3[PPPPPpppp] w - - 0 1", "force", "usermove P@b2")
    assert "Illegal" not in engine.output and engine.session.position.text() == "3/1x1/3 o"
    assert InProcessEngine("cecp").send("variant gomoku").output == ""


def test_a_pass_is_written_as_at_signs():
    text = "-XOX" + "-" * 59 + "X X"
    engine = InProcessEngine("cecp").send(
        "variant othello", f"setboard {text}", "force", "usermove @@@@", "undo", "sd 1", "go"
    )
    engine.session.wait()
    assert engine.output == "move @@@@\n"


def test_analysis_follows_moves_and_reports_its_status(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "post", "analyze")
    engine.until(r"[2-9] .*\t.*")
    engine.send("ping 1")
    engine.until("pong 1")
    engine.send(".")
    engine.until(r"stat01: \d+ \d+ \d+ \d+ 20( \S+)?")
    engine.send("usermove e2e4", "ping 2")
    engine.until("pong 2")
    engine.until(r"\d+ .*\t[a-h][5-8].*")
    engine.send("undo", "ping 3")
    engine.until("pong 3")
    engine.until(r"\d+ .*\t[a-h][12].*")
    engine.send("exit", "ping 4")
    engine.until("pong 4")
    engine.send("usermove d2d4", "ping 5")
    assert engine.line() == "pong 5"


def test_the_status_of_an_analysis_omits_the_depth_of_the_previous_analysis():
    engine = InProcessEngine("cecp")
    engine.limits_of("analyze")
    engine.protocol.on_report(Report(Line(0, [], 30), 9, 1.0), engine.session.position)
    engine.send("e2e4")
    engine.protocol.on_report(Report(None, 9, 1.0), engine.session.position)
    assert engine.send(".").output.splitlines()[-1] == "stat01: 100 9 0 0 20"


def test_a_question_mark_demands_a_move_and_the_command_force_prevents_one(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "st 1000", "post", "usermove e2e4")
    engine.until(r"3 .*")
    engine.send("?")
    engine.until("move .*")
    engine.send("usermove d2d4", "force", "ping 1")
    assert not [line for line in engine.until("pong 1") if line.startswith("move")]
    engine.send("usermove h7h6", "hint", "ping 2")
    engine.until(r"Hint: [a-h][1-8][a-h][1-8]")


@pytest.mark.parametrize("line", ["option OwnBook=0", "variant nonsense", "undo\nundo\nundo"])
def test_the_engine_still_moves_after_an_interruption(speak, line):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "st 0.5", "usermove e2e4")
    if line.startswith("undo"):  # take back the only move first, so that the second undo fails
        engine.send("force", "undo", "white", "st 0.5", "go", "undo", "ping 1")
    else:
        engine.send(*line.split("\n"), "ping 1")
    shown = engine.until("move .*|pong 1")
    assert shown[-1].startswith("move "), shown
    engine.until("pong 1")


def test_a_hint_is_for_the_position_on_the_board(speak):
    engine = speak("cecp", "tictactoe")
    engine.send("xboard", "sd 9", "go")
    engine.until("move .*")
    engine.send("force", "setboard 3/o1o/x1x x", "hint")
    assert engine.until("Hint: .*")[-1] == "Hint: P@b1"
    engine.send("usermove P@c3", "hint")
    assert engine.until("Hint: .*")[-1] == "Hint: P@b2"
    engine.send("undo", "hint")
    assert engine.until("Hint: .*")[-1] == "Hint: P@b1"


@pytest.mark.parametrize("name", ["Move_Overhead", "MoveOverhead", "move overhead"])
def test_case_and_blanks_of_option_names_do_not_matter(name):
    engine = InProcessEngine("cecp").send(f"option {name}=30")
    assert engine.output == "" and engine.session.values["Move Overhead"] == 30


def test_the_first_line_is_written_before_the_protocol_is_loaded(monkeypatch):
    written = []

    def load(row):
        raise RuntimeError(row.name)

    monkeypatch.setattr(Row, "load", load)
    for line in (b"xboard", b"protover 2"):
        with pytest.raises(RuntimeError, match="cecp"):
            Conversation(Session(), written.append, lambda seconds: line, None).run()
    assert written == ["feature done=0"] * 2


@pytest.mark.parametrize(
    "variant, text, depth", rows("cecp.an_analysis_whose_result_is_certain_reaches_any_depth")
)
def test_an_analysis_whose_result_is_certain_reaches_any_depth(speak, variant, text, depth):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", f"variant {variant}", f"setboard {text}", "post", "analyze")
    engine.until(rf"{depth} -?\d+ \d+ \d+.*")


@pytest.mark.parametrize("line, reason", rows("cecp.an_invalid_option_is_reported_to_the_user"))
def test_an_invalid_option_is_reported_to_the_user(line, reason):
    engine = InProcessEngine("cecp").send(f"option {line}")
    assert engine.output == f"tellusererror {reason}\nError ({reason}): option {line}\n"


def test_the_command_bk_shows_the_book_moves(tmp_path):
    engine = InProcessEngine("cecp").send("bk")
    assert engine.output == " no book\n\n"
    from struct import pack

    key = polyglot_key(engine.session.position)
    book = tmp_path / "book.bin"
    book.write_bytes(
        b"".join(
            pack(">QHHI", key, start << 6 | to, weight, 0)
            for start, to, weight in ((11, 27, 1), (12, 28, 3), (12, 29, 5))
        )
    )
    engine.send(f"option BookFile={book}", "bk")
    assert engine.output.endswith("\n\n e2e4 75%\n d2d4 25%\n\n")
    book.unlink()
    engine.send(*"setboard nonsense|bk|new|force|bk|a2a3|bk|variant othello|bk".split("|"))
    engine.send("st 100", "go", "bk", "force")
    assert engine.output.count(" no book\n\n") == 6


def test_a_mate_against_the_side_to_move_is_negative(speak):
    engine = speak("cecp")
    engine.send("xboard", "setboard k7/8/1K6/8/8/8/8/7R b - - 0 1", "post", "sd 4", "go")
    engine.until(r"\d+ -100001 \d+ \d+.*")


def test_analysis_of_a_finished_game_reports_the_final_score():
    engine = InProcessEngine("cecp").send(
        "force", "setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "analyze", "exit"
    )
    assert engine.output == "99 -100000 0 0\n"


def test_a_move_out_of_turn_is_refused_and_the_search_goes_on(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "st 1000", "post", "usermove e2e4")
    engine.until(r"2 .*")
    engine.send("usermove d2d4")
    engine.until(r"Error \(it is not your turn\): usermove d2d4")
    engine.send("?")
    engine.until("move .*")


def test_the_commands_white_black_and_playother_choose_the_side(speak):
    engine = speak("cecp")
    engine.send("xboard", "protover 2", "new", "sd 1", "force")
    engine.send("usermove e2e4", "playother", "usermove e7e5")
    engine.until("move .*")
    engine.send("new", "sd 1", "go")
    engine.until("move .*")
    engine.send("usermove a7a6")
    engine.until("move .*")
    engine.send("remove", "undo", "undo", "ping 1")
    engine.until("pong 1")


def test_interrupt_signals_are_ignored(start):
    engine = start()
    engine.send("xboard", "protover 2", "ping 1")
    engine.until("pong 1")
    engine.process.proc.send_signal(signal.SIGINT)
    engine.send("st 1000", "go")
    engine.process.proc.send_signal(signal.SIGINT)
    engine.send("?")
    engine.until("move .*")
    engine.send("usermove e7e5", "quit")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "score, shown", [(WIN - 3, 100002), (4 - WIN, -100002), (WIN - 1, 100001), (35, 35), (-35, -35)]
)
def test_a_mate_is_written_with_its_sign(score, shown):
    position = registry.get("chess").start({})
    line = thinking_line(Report(Line(score, [], 7), 900, 1.5), position)
    assert line == f"7 {shown} 150 900 7 600 0\t"
