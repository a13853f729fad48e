"""NBoard's protocol for Othello, and games in GGF."""

import re

import pytest
from front_end import InProcessEngine, run_script
from tables import rows

from games.base import PositionError
from games.solver import Line
from protocol.moves import variation
from protocol.nboard import _move_text, clocks_of, read_game
from protocol.records.record import Start
from search.report import Report, Result

BOARD = "-" * 27 + "O*------*O" + "-" * 27
GAME = (
    f"(;GM[Othello]PC[NBoard]DT[2026-01-02 10:00:00 GMT]PB[a\\]b]PW[c]RE[?]TI[5:00]TY[8]BO[8 {BOARD} *]"
    "B[F5//1.2]W[d6/0.52]B[C3];)"
)
# Black can only pass, White has two moves.
PASSING = "-*O*" + "-" * 59 + "*"


def test_a_session_with_nboard_is_answered(start):
    run_script(
        start(),
        rf"""
        > nboard 2
        > set depth 3
        < set myname Plyglot3
        > set contempt 0
        > set game {GAME}
        > ping 1
        < pong 1
        > hint 2
        < status Plyglot is thinking
        < search [A-H][1-8](-[A-H][1-8])* -?\d+\.\d\d 0 \d+
        < nodestats \d+ \d+\.\d+
        ~ status
        > go
        ~ status
        < === [A-H][1-8]/-?\d+\.\d\d
        > ping 2
        < pong 2
        > move D3/1.20/0.4
        > learn
        < learned
        > go
        ~ === [A-H][1-8]/-?\d+\.\d\d
        > quit
    """,
    )


def test_set_game_replaces_the_whole_game():
    engine = InProcessEngine("nboard").send("nboard 2", f"set game {GAME}")
    assert engine.session.game.name == "othello"
    assert len(engine.session.moves) == 3
    other = InProcessEngine("uci", "othello").send("position startpos moves f5 d6 c3")
    assert engine.session.position.text() == other.session.position.text()
    assert engine.output == ""


def test_go_reports_a_move_without_playing_it():
    engine = InProcessEngine("nboard").send("set depth 2", "go")
    engine.session.wait()
    assert re.search(r"^=== [A-H][1-8]/", engine.output, re.M)
    assert engine.session.moves == []


def test_hint_reports_the_requested_number_of_moves():
    engine = InProcessEngine("nboard").send("set depth 2", "hint 3")
    engine.session.wait()
    assert len(set(re.findall(r"^search (..)\S* \S+ 0 2$", engine.output, re.M))) == 3


@pytest.mark.parametrize("line", [f"set game {GAME}", "move F5", "ping 1"])
def test_a_new_game_a_move_or_a_ping_drops_the_running_search(line):
    engine = InProcessEngine("nboard").send("set depth 60", "go", line)
    engine.session.stop()
    engine.session.wait()
    assert "===" not in engine.output


def test_a_forced_pass_is_answered():
    engine = InProcessEngine("nboard").send(f"set game (;BO[8 {PASSING} *];)", "set depth 2", "go")
    engine.session.wait()
    assert re.search(r"^=== PA/", engine.output, re.M)
    engine.send("move pa", "move A1")
    assert "error" not in engine.output and len(engine.session.moves) == 2
    engine = InProcessEngine("nboard").send(f"set game (;BO[8 {PASSING} *]B[PA//0.1]W[E1];)")
    assert engine.output == "" and len(engine.session.moves) == 2


def test_go_in_a_finished_game_reports_that_it_is_over():
    engine = InProcessEngine("nboard").send(f"set game (;BO[8 {'*' * 64} *];)", "go", "hint 1")
    assert engine.output.count("status The game is over: ") == 2


@pytest.mark.parametrize("line", rows("nboard.bad_input_is_reported_and_changes_nothing"))
def test_bad_input_is_reported_and_changes_nothing(line):
    engine = InProcessEngine("nboard").send(f"set game {GAME}")
    before = engine.session.position.text()
    engine.send(line)
    assert re.fullmatch("status error: .+\n", engine.output)
    assert engine.session.position.text() == before


def test_unknown_lines_are_ignored():
    engine = InProcessEngine("nboard")
    assert engine.send("nboard 3", "analyze", "", "set colour 3", "\u00e9", "set").output == ""


def test_a_game_in_ggf_is_read():
    record = read_game(GAME)
    assert record.start == Start("othello")
    assert variation(record.start.position(), record.moves, _move_text) == ["F5", "D6", "C3"]
    record = read_game(f"(; GM[Othello]\n BO[8 {BOARD[:32]}\n{BOARD[32:]} O] ;)")
    assert record.start == Start("othello", BOARD.replace("*", "X") + " O") and not record.line
    cut = GAME[:-2]
    for broken in ("", "x", "(;BO[8 x", "(;)", "(;GM[Othello]", cut, f"x {GAME}", f"{GAME} x"):
        with pytest.raises(PositionError):
            read_game(broken)


@pytest.mark.parametrize(
    "clock, first, left, increments", rows("nboard.the_clocks_of_a_game_in_ggf_are_read")
)
def test_the_clocks_of_a_game_in_ggf_are_read(clock, first, left, increments):
    clocks = clocks_of(read_game(f"(;{clock}BO[8 {BOARD} *]B[{first}]W[d6/0.52/3]B[C3];)"))
    assert [clock.seconds for clock in clocks] == pytest.approx(left)
    assert [clock.control.increment for clock in clocks] == pytest.approx(increments)


@pytest.mark.parametrize("told", ["B[F5]W[D6//9.4];)", ";)|move F5/1/0.3|move D6//9.4"])
def test_go_is_limited_by_the_clock_and_hint_is_not(told):
    engine = InProcessEngine("nboard").send("set depth 60")
    engine.send(*f"set game (;TI[0:10]BO[8 {BOARD} *]{told}".split("|"))
    go, hint = engine.limits_of("go", "hint 1")
    assert go.depth == hint.depth == 60 and hint.clocks == (None, None)
    assert go.clocks[0] in (10, 9.7)
    assert engine.protocol._clocks[1].seconds == pytest.approx(0.6)


def test_omitted_passes_are_implied():
    """Black has to pass after h6; many records omit the pass."""
    moves = "B[F5]W[F6]B[D3]W[G5]B[H5]W[H4]B[F7]W[H6]"
    start = "set game (;GM[Othello]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]"
    engine = InProcessEngine("nboard").send(f"{start}{moves}W[E7];)")
    asked = InProcessEngine("nboard").send(f"{start}{moves};)", "move E7")
    written = InProcessEngine("nboard").send(f"{start}{moves}B[PA]W[E7];)")
    uci = InProcessEngine("uci", "othello").send(
        "position startpos moves f5 f6 d3 g5 h5 h4 f7 h6 e7"
    )
    assert engine.output == asked.output == written.output == uci.output == ""
    for other in (asked, written, uci):
        assert other.session.position.text() == engine.session.position.text()
        assert len(other.session.moves) == 10
    uci.send("position startpos moves f5 f6 d3 g5 h5 h4 f7 h6 a1")
    assert "error" in uci.output


@pytest.mark.parametrize("bound, text", [("lower", ""), ("upper", ""), ("", "/1.00")])
def test_a_score_that_is_only_a_bound_is_not_shown_in_discs(bound, text):
    engine = InProcessEngine("nboard").send("nboard 2")
    position = engine.session.copy_position()
    line = Line(100, position.legal_moves()[:1], 20, bound=bound)
    engine.protocol.on_report(Report(line, 1, 0.1), position)
    engine.protocol._write_move(Result([line], position))
    assert ("1.00" in engine.output) == (not bound)
    assert re.search(rf"^=== [A-H][1-8]{text}$", engine.output, re.M)


def test_gtp_counts_an_implied_pass_and_the_next_move_as_one():
    moves = "B[F5]W[F6]B[D3]W[G5]B[H5]W[H4]B[F7]W[H6]W[E7]"  # Black has to pass after h6
    record = read_game(f"(;GM[Othello]BO[8 {BOARD} *]{moves};)")
    game = InProcessEngine("gtp", "othello").protocol.game
    for count, plies in ((None, 10), (9, 10), (8, 8), (7, 7)):
        game.adopt(record, count)
        assert len(game.session.moves) == plies
    game.adopt(record, None)
    left = []
    for _ in range(9):
        game.undo()
        left.append(len(game.session.moves))
    assert left == [8, 7, 6, 5, 4, 3, 2, 1, 0]
