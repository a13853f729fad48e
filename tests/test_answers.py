"""Every search is answered in every protocol, even after bad arguments, bad positions or `quit`."""

import re

import pytest
from conftest import PATIENCE
from front_end import InProcessEngine, output_of
from tables import rows

GAMES = dict(rows("answers.games"))


@pytest.mark.parametrize("game", GAMES)
def test_uci_answers_a_search_before_it_quits(game):
    output = output_of(
        f"setoption name UCI_Variant value {game}\nposition startpos\ngo depth 6\nquit\n".encode()
    ).decode()
    assert re.search(rf"^bestmove {GAMES[game]}( ponder \S+)?$", output.splitlines()[-1])


@pytest.mark.parametrize(
    "sent, answer", rows("answers.every_protocol_answers_a_search_before_it_quits")
)
def test_every_protocol_answers_a_search_before_it_quits(sent, answer):
    output = output_of(sent.encode()).decode().splitlines()
    assert sum(bool(re.fullmatch(answer, line)) for line in output) == sent.count("go depth") + (
        "go depth" not in sent
    )


def test_queued_searches_are_answered_soon_after_quit(engine):
    """Nobody reads while the process ends.  It doesn't wait long for a reader, so its answers must fit into the pipe."""
    engine.send(
        "setoption name MultiPV value 3", "position startpos moves e2e4", *["go depth 90"] * 20
    )
    engine.until("info depth 2 .*")
    engine.send("quit")
    output, status = engine.process.read().decode().splitlines(), engine.process.proc.wait(PATIENCE)
    assert status == 0 and sum(line.startswith("bestmove") for line in output) == 20


def test_quit_during_an_xboard_analysis_plays_no_move(start):
    engine = start()
    engine.send("xboard", "protover 2", "post", "analyze")
    engine.until(r"\d+ -?\d+ \d+ \d+ .*")
    engine.send("quit")
    output, status = engine.process.read().decode(), engine.process.proc.wait(PATIENCE)
    assert status == 0 and "move" not in output


WRONG_WORDS = dict(rows("answers.wrong_words"))


@pytest.mark.parametrize("game", WRONG_WORDS)
def test_an_unknown_word_after_go_is_reported_and_the_search_runs(engine, game):
    name, _, played = game.partition(" ")
    engine.send(f"setoption name UCI_Variant value {name}")
    for given in WRONG_WORDS[game].split("|"):
        engine.send(f"position startpos {played}", f"go {given}")
        if given.startswith("infinite"):
            engine.send("stop")
        output = engine.until("bestmove .*")
        assert any(line.startswith("info string error: go") for line in output), given
        assert re.fullmatch(r"bestmove (P@)?\w+( ponder \S+)?", output[-1]), given
    assert engine.settle() == []


def test_a_number_out_of_range_counts_as_the_nearest_valid_one(engine):
    engine.send("position startpos")
    assert not any(
        line.startswith("info depth 2 ") for line in engine.ask("go depth 0", "bestmove .*")
    )
    assert engine.ask("go depth 3.7", "bestmove .*")[-2].startswith("info depth 3 ")
    output = engine.ask("go depth 2 searchmoves zz a2a3 a2a3 yy", "bestmove a2a3.*")
    assert output[0] == "info string error: go searchmoves: zz is not a legal move here"


def test_hundreds_of_thousands_of_words_after_go_are_read_in_linear_time(engine):
    words = " ".join(f"x{number}" for number in range(300_000))
    engine.send("position startpos")
    for line in (f"go depth 1 searchmoves {words}", f"go depth 1 {words}"):
        output = engine.ask(line, "bestmove .*")  # in quadratic time the answer would be too late
        assert 1 <= len([line for line in output if "error" in line]) <= 6
        assert all(len(line) < 300 for line in output)


BAD = {
    "chess": "fen 8/8/8/8/8/8/8/8 w - - 0 1|startpos moves e2e4 e7e5 e1e3|fen|nonsense|".split("|"),
    "othello": ["fen " + "X" * 63 + " O", "startpos moves a1"],
    "tictactoe": ["fen xxx/xxx/3 o"],
    "gomoku": ["startpos moves h8 h8"],
    "tree": ["fen ((3 5)"],
}


@pytest.mark.parametrize("game", BAD)
def test_go_after_a_refused_position_gets_no_move(engine, game):
    engine.send(f"setoption name UCI_Variant value {game}")
    for text in BAD[game]:
        engine.send(
            "position startpos", f"position {text}", "go depth 3", "go infinite", "go wtime 9"
        )
        output = [line for _ in range(3) for line in engine.until("bestmove .*")]
        assert [line for line in output if line.startswith("bestmove")] == ["bestmove (none)"] * 3
        assert sum("error: there is no position: " in line for line in output) == 3
        assert not any(line.startswith("info depth") for line in output)
        assert not any(" 1" in line for line in engine.ask("go perft 1", ".*error.*"))
    engine.send("position startpos")
    assert engine.ask("go depth 2", "bestmove .*")[-1] != "bestmove (none)"


def test_the_answer_after_a_refused_position_waits_for_earlier_searches(engine):
    engine.send("position startpos", "go nodes 20000", "position fen 8/8 w", "go depth 1")
    engine.send("position startpos", "go depth 1")
    answers = [engine.until("bestmove .*")[-1] for _ in range(3)]
    assert answers[1] == "bestmove (none)" and "bestmove (none)" not in (answers[0], answers[2])
    for reset in ("ucinewgame", "setoption name UCI_Variant value chess"):
        engine.send("position fen 8/8 w", reset)
        assert engine.ask("go depth 1", "bestmove .*")[-1] != "bestmove (none)"
    # `d` and `eval` show the start position, but there is still no position to search.
    engine.send("ucinewgame", "position fen 8/8 w", "d", "eval", "isready")
    assert engine.ask("go depth 1", "bestmove .*")[-1] == "bestmove (none)"


REFUSED = "there is no position: the last one was refused: "
OTHELLO = "set game (;GM[Othello]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]"


@pytest.mark.parametrize(
    "refused",
    "START 4|START x|RECTSTART 15,10|RECTSTART 15|BOARD;7,7,1;7,7,2;DONE|YXBOARD;7,7;DONE"
    "|BOARD;99,99,2;DONE|SWAP2BOARD;7,7;DONE|YXBOARD;1,1,2;2,2,2;DONE".split("|"),
)
def test_gomocup_makes_no_move_after_a_refused_board(refused):
    refused = refused.split(";")
    engine = InProcessEngine("gomocup").send("START 15", "INFO max_depth 1", "PLAY 7,7", *refused)
    first = engine.output.splitlines()[2:]
    assert len(first) == 1 and first[0].startswith("ERROR")
    engine.send("BEGIN", "TURN 8,8", "INFO rule 1", "PLAY 8,8", "INFO rule 0", "TAKEBACK 7,7")
    answers = engine.output.splitlines()[3:]
    assert len(answers) == 4 and all(line.startswith(f"ERROR {REFUSED}") for line in answers)
    for good in "START 15;BEGIN|BOARD;7,7,2;DONE|RESTART;TURN 7,7|YXBOARD;DONE;BEGIN".split("|"):
        engine.send(*refused, *good.split(";"))
        engine.session.wait()
        assert re.fullmatch(r"\d+,\d+", engine.output.splitlines()[-1])


@pytest.mark.parametrize(
    "refused",
    ["set game nonsense", "set game (;GM[Othello]BO[8 ? *];)", "set game", f"{OTHELLO}B[A1];)"],
)
def test_nboard_makes_no_move_after_a_refused_game(refused):
    engine = InProcessEngine("nboard").send("set depth 1", "move D3", refused)
    first = engine.output.splitlines()[1:]
    assert len(first) == 1 and first[0].startswith("status error:")
    engine.send("go", "hint 2", "move C3")
    engine.session.wait()
    answers = engine.output.splitlines()[2:]
    assert len(answers) == 3 and len(engine.session.moves) == 1
    assert all(line.startswith(f"status error: {REFUSED}") for line in answers)
    engine.send(f"{OTHELLO};)", "go")
    engine.session.wait()
    assert "===" in engine.output
