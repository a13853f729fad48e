"""UCI as front ends use it, mostly through the real process."""
# Started early by scripts/test, since it is slow.

import errno
import re
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT
from front_end import InProcessEngine, output_of
from tables import rows

from games import notices
from search.session import Session

ALL_GAMES = (
    "chess othello flipello connect4 cfour tictactoe gomoku gomokufreestyle renju tree".split()
)
# The other games differ from these only in rules or notation.
GAMES = [name for name in ALL_GAMES if name not in ("flipello", "cfour", "gomokufreestyle")]
INFO = re.compile(
    r"info depth (\d+) seldepth (\d+) multipv (\d+) score (cp -?\d+|mate -?\d+)(?: \w+bound)?"
    r" nodes (\d+) nps (\d+) hashfull (\d+) tbhits (\d+) time (\d+) pv (\S.*)"
)
BESTMOVE = r"bestmove \S+( ponder \S+)?"


def choose(engine, name):
    engine.send(f"setoption name UCI_Variant value {name}")


def infos(lines):
    return [INFO.fullmatch(line) for line in lines if line.startswith("info depth")]


def answers(lines):
    """Return a script's answers in order: best moves, perft totals and errors."""
    return [
        line.split(" ponder ")[0]
        for line in lines
        if line.startswith(("bestmove ", "Nodes searched: ", "info string error: "))
    ]


def test_the_handshake_names_the_engine_and_its_options(start):
    lines = start().ask("uci", "uciok")
    assert lines[0].startswith("id name Plyglot") and lines[1].startswith("id author ")
    options = "\n".join(lines)
    for name in rows("uci.the_handshake_names_the_engine_and_its_options"):
        assert f"option name {name} type " in options
    variants = next(line for line in lines if "UCI_Variant" in line)
    assert variants.startswith("option name UCI_Variant type combo default chess var chess var ")
    assert set(ALL_GAMES) <= set(variants.split(" var ")[1:])


def test_every_spin_default_lies_within_its_bounds(start):
    spins = [
        re.fullmatch(r"option name .+ type spin default (-?\d+) min (-?\d+) max (-?\d+)", line)
        for line in start().ask("uci", "uciok")
        if "type spin" in line
    ]
    assert spins
    for spin in spins:
        default, low, high = map(int, spin.groups())
        assert low <= default <= high


@pytest.mark.parametrize("name", ALL_GAMES)
def test_every_game_is_searched_with_full_info_lines(engine, name):
    choose(engine, name)
    engine.send("position startpos")
    lines = engine.ask("go depth 3", BESTMOVE)
    found = infos(lines)
    assert found and all(found)
    depths = [int(info.group(1)) for info in found]
    assert depths == sorted(depths) and depths[-1] >= 1
    best = lines[-1].split()[1]
    assert found[-1].group(10).split()[0] == best
    legal = next(line for line in engine.ask("d", "Result: .*") if line.startswith("Moves: "))
    assert best in legal.split()[1:]


@pytest.mark.parametrize("name, moves", rows("uci.moves_are_read_in_every_notation"))
def test_moves_are_read_in_every_notation(name, moves):
    engine = InProcessEngine("uci", name).send(f"position startpos moves {moves}")
    assert engine.output == "" and len(engine.session.moves) == len(moves.split())


def test_stop_and_isready_are_answered_while_thinking(engine):
    engine.send("position startpos", "go infinite")
    engine.until("info depth .*")
    engine.ask("isready", "readyok")
    engine.send("d", "eval")
    engine.until("Evaluation: .*")
    lines = engine.ask("stop", BESTMOVE)
    assert sum(line.startswith("bestmove") for line in lines) == 1
    engine.send("stop", "stop")
    assert engine.settle() == []


@pytest.mark.parametrize("name", GAMES)
def test_go_infinite_answers_only_after_stop(engine, name):
    choose(engine, name)
    engine.send("position startpos", "go infinite")
    engine.until("info depth .*")
    assert not any(line.startswith("bestmove") for line in engine.settle())
    engine.ask("stop", BESTMOVE)
    assert not any(line.startswith("bestmove") for line in engine.settle())


def test_go_ponder_answers_only_after_ponderhit_or_stop(engine):
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 500 btime 500 winc 0 binc 0")
    engine.until("info depth .*")
    assert not any(line.startswith("bestmove") for line in engine.settle())
    engine.ask("ponderhit", BESTMOVE)
    engine.send("position startpos moves e2e4 e7e5", "go ponder movetime 100000")
    engine.until("info depth .*")
    engine.ask("stop", BESTMOVE)
    engine.send("ponderhit")
    assert engine.settle() == []


@pytest.mark.parametrize("words", rows("uci.every_form_of_go_gets_exactly_one_bestmove"))
def test_every_form_of_go_gets_exactly_one_bestmove(engine, words):
    engine.send("position startpos")
    lines = engine.ask(f"go {words}", BESTMOVE)
    assert lines[-2].startswith("info depth") and " score " in lines[-2]
    assert lines[-2].split(" pv ")[1].split()[0] == lines[-1].split()[1]
    if "searchmoves" in words:
        assert lines[-1].split()[1] in words.split()
    assert engine.settle() == []


def test_black_uses_its_own_clock(engine):
    engine.send("position startpos moves e2e4")
    engine.ask("go wtime 100000000 btime 200", BESTMOVE)


def test_finished_games_have_no_best_move(engine):
    engine.send("position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert engine.ask("go depth 3", r"bestmove \(none\)") == [
        "info depth 0 score mate 0",
        "bestmove (none)",
    ]
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.ask("go movetime 100", r"bestmove \(none\)")[0] == "info depth 0 score cp 0"
    choose(engine, "othello")
    engine.send("position fen " + "X" * 35 + "O" * 28 + "- X")
    choose(engine, "tictactoe")
    engine.send("position fen xxx/oo1/3 o")
    assert engine.ask("go", r"bestmove \(none\)")[0] == "info depth 0 score mate 0"
    assert engine.ask("d", "Result: .*")[-1].startswith("Result: 1-0 ")


def test_perft_is_written_as_stockfish_does(engine):
    engine.send("position startpos")
    lines = engine.ask("go perft 3", "Nodes searched: .*")
    assert "e2e4: 600" in lines and lines[-2:] == ["", "Nodes searched: 8902"]
    choose(engine, "connect4")
    assert engine.line() == ""
    lines = engine.ask("go perft 4", "Nodes searched: .*")
    assert lines[0].startswith("P@") and lines[-1] == "Nodes searched: 2401"


def test_eval_ends_with_the_evaluation(engine):
    for name in ALL_GAMES:
        choose(engine, name)
        assert re.fullmatch(r"Evaluation: -?\d+", engine.ask("eval", "Evaluation: .*")[-1])


def test_help_names_every_command(engine):
    engine.send("help")
    text = "\n".join(engine.settle())
    for word in "uci isready setoption ucinewgame position go stop ponderhit quit d eval bench help debug".split():
        assert re.search(rf"^{word}: \S", text, re.M)


def test_option_names_ignore_case_and_extra_blanks(engine):
    engine.send(
        "SetOption NAME clear   HASH",
        "setoption name move overhead value 55",
        "setoption name uci_showwdl value TRUE",
        "setoption name BookFile value <empty>",
        "position startpos",
    )
    line = engine.ask("go depth 1", BESTMOVE)[-2]
    wdl = re.search(r" wdl (\d+) (\d+) (\d+) ", line)
    assert wdl and sum(map(int, wdl.groups())) == 1000


def test_perft_beyond_the_maximum_depth_is_an_error():
    engine = InProcessEngine("uci").send("go perft 3000", "go perft 31")
    assert engine.output.count("go perft: out of range") == 2


@pytest.mark.parametrize(
    "text, reason",
    [
        ("Hash value 1_6", 'must be a whole number, not "1_6"'),
        ("Hash value \u0661\u0666", "must be a whole number"),
        ("Hash value -3", "must be 1 to 4096, not -3"),
        ("Hash value " + "1" * 5000, "must be 1 to 4096, not 1111"),
        ("BookFile value FOLDER/short", "does not consist of records of 16 bytes"),
        ("BookFile value FOLDER/none", "can't be read: No such file or directory"),
    ],
)
def test_invalid_option_values_are_refused(tmp_path, text, reason):
    (tmp_path / "short").write_bytes(bytes(17))
    engine = InProcessEngine("uci")
    before = dict(engine.session.values)
    engine.send("setoption name " + text.replace("FOLDER", str(tmp_path)))
    assert engine.output.startswith("info string error: ")
    assert reason in engine.output
    assert engine.session.values == before


@pytest.mark.parametrize("most", [False, True])
def test_every_game_searches_with_all_options_at_minimum_or_maximum(most):
    script = []
    for option in Session().options():
        if option.kind == "spin" and option.name != "Hash":
            script.append(
                f"setoption name {option.name} value {option.high if most else option.low}"
            )
        elif option.kind == "check":
            script.append(f"setoption name {option.name} value {str(most).lower()}")
    script += [
        "setoption name UCI_AnalyseMode value false",
        "setoption name UCI_LimitStrength value true",
    ]
    for name in GAMES:
        script += [
            f"setoption name UCI_Variant value {name}",
            "isready",
            "position startpos",
            "go depth 1",
            "go perft 1",
        ]
    found = answers(output_of("\n".join(script).encode()).decode().splitlines())
    assert [line.split()[0] for line in found] == ["bestmove", "Nodes"] * len(GAMES)


def test_board_size_comes_from_the_position_or_the_option(engine):
    engine.send("setoption name BoardSize value 7", "setoption name UCI_Variant value gomoku")
    assert "Fen: 7/7/7/7/7/7/7 x" in engine.ask("d", "Result: .*")
    engine.send("position fen 6/6/2x3/6/6/6 o")
    assert "Fen: 6/6/2x3/6/6/6 o" in engine.ask("d", "Result: .*")


@pytest.mark.parametrize(
    "line, error", rows("uci.a_misspelt_word_gets_one_error_that_names_the_nearest_word")
)
def test_a_misspelt_word_gets_one_error_that_names_the_nearest_word(line, error):
    engine = InProcessEngine("uci").send(line)
    engine.session.wait()
    lines = engine.output.splitlines()
    assert [text for text in lines if "error" in text] == [f"info string error: {error}"]
    assert len([text for text in lines if text.startswith("bestmove")]) == line.startswith("go")


def test_debug_register_and_ucinewgame_are_accepted_silently(engine):
    engine.send("debug on", "debug off", "ucinewgame", "register later", "ucinewgame", "isready")
    assert engine.until("readyok") == ["readyok"]


def test_a_second_uci_keeps_the_position(engine):
    engine.send("position startpos moves e2e4")
    engine.ask("uci", "uciok")
    assert any("4P3" in line for line in engine.ask("d", "Result: .*"))


def test_ucinewgame_stops_a_running_search(engine):
    engine.send("position startpos", "go infinite")
    engine.until("info depth .*")
    engine.send("ucinewgame")
    engine.until(BESTMOVE)
    assert engine.settle() == []


def test_a_plugin_is_loaded_from_the_command_line_or_the_environment(start):
    plugin = str(ROOT / "tests" / "plugins" / "nim.py")
    for engine in (
        start("--plugin", plugin, "--game", "nim"),
        start("--game", "nim", env={"PLYGLOT_PLUGINS": plugin}),
    ):
        lines = engine.ask("uci", "uciok")
        assert any(" var nim" in line for line in lines)
        lines = engine.ask("go depth 20", BESTMOVE)
        assert lines[-1].split()[1] == "0-2" and " mate " in lines[-2]


def test_the_log_has_input_and_output(start, tmp_path):
    log = tmp_path / "log.txt"
    engine = start("--log", str(log))
    engine.ask("isready", "readyok")
    engine.end()
    text = log.read_text()
    assert re.search(r"^\S+ \S+ > isready$", text, re.M)
    assert re.search(r"^\S+ \S+ < readyok$", text, re.M)


def test_a_command_on_the_command_line_runs_in_any_working_directory(start, tmp_path):
    lines, status = start("--game", "tictactoe", "go", "depth", "9", cwd=tmp_path).end()
    assert status == 0 and lines[-1].startswith("bestmove P@b2")
    lines, status = start("--version").end()
    assert status == 0 and lines[0].startswith("Plyglot ")
    lines, status = start("--help").end()
    assert status == 0 and any("--plugin" in line for line in lines)


def test_end_of_input_finishes_bounded_searches_and_stops_others(start):
    for words in ("depth 3", "nodes 3000", "movetime 30", "infinite", "ponder", ""):
        engine = start()
        engine.send("position startpos", f"go {words}")
        lines, status = engine.end()
        assert status == 0
        assert sum(line.startswith("bestmove ") for line in lines) == 1, words
        if words == "depth 3":
            assert any(line.startswith("info depth 3 ") for line in lines)


@pytest.mark.parametrize("busy", [None, "go infinite", "go perft 2", "go depth 200"])
def test_quit_ends_the_process_during_any_command(engine, busy):
    if busy:
        engine.send("position startpos", busy)
    engine.ask("isready", "readyok")
    engine.send("quit")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize("busy", ["go perft 9", "bench"])
def test_perft_and_bench_finish_before_quit_unless_stopped(engine, busy):
    engine.send("position startpos", busy)
    engine.ask("isready", "readyok")
    engine.send("stop", "quit")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize("busy", [b"", b"go infinite\n"])
def test_a_closed_output_ends_the_process(busy):
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "engine.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process.stdin:
        process.stdin.write(b"isready\n" + busy)
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.stdout.close()
        assert process.wait(PATIENCE) == 0


def test_a_long_search_reports_its_progress(engine):
    choose(engine, "othello")
    engine.send("position startpos", "setoption name OwnBook value false", "go infinite")
    engine.until(r"info currmove \S+ currmovenumber \d+ .*nodes \d+.*|info nodes \d+.*")
    engine.ask("stop", BESTMOVE)


def test_commands_sent_together_are_carried_out_in_order(engine):
    engine.send_bytes(b"position startpos moves e2e4\nisready\n" * 500 + b"d\n")
    lines = engine.until("Result: .*")
    assert lines.count("readyok") == 500


def test_a_queued_search_uses_the_settings_sent_before_it():
    output = (
        output_of(
            b"position startpos\ngo perft 3\n"
            b"setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\ngo depth 2\n"
            b"setoption name MultiPV value 1\nsetoption name UCI_ShowWDL value false\n"
            b"setoption name UCI_Variant value tictactoe\nposition startpos moves 5\ngo perft 2\n"
            b"position fen xx1/oo1/3 x\ngo depth 9\n"
            b"setoption name UCI_Variant value connect4\nbench 1\ngo depth 2\n"
        )
        .decode()
        .splitlines()
    )
    found = answers(output)
    assert found[0] == "Nodes searched: 8902"
    assert found[2] == "Nodes searched: 56"
    assert found[3] == "bestmove P@c3"
    assert re.fullmatch("bestmove [a-h][1-8][a-h][1-8]", found[1])
    assert re.fullmatch("Nodes searched: .*", found[4])
    assert re.fullmatch("bestmove P@[a-g]1", found[5])
    assert len(found) == 6
    shown = output[
        : next(index for index, line in enumerate(output) if line.startswith("bestmove"))
    ]
    assert [line for line in shown if " multipv 3 " in line and " wdl " in line]
    rest = output[len(shown) :]
    assert not [line for line in rest if " multipv 2 " in line or " wdl " in line]


@pytest.mark.parametrize("script", rows("uci.a_second_go_may_be_sent_before_the_first_bestmove"))
def test_a_second_go_may_be_sent_before_the_first_bestmove(engine, script):
    engine.send_bytes(f"position startpos\n{script}\n".encode())
    for _ in range(2):
        engine.until(BESTMOVE)
    assert engine.settle() == []


def test_queued_searches_do_not_delay_isready_stop_and_quit(engine):
    engine.send_bytes(
        b"position startpos\ngo perft 9\ngo depth 1\ngo perft 1\ngo infinite\nisready\nd\n"
    )
    lines = engine.until("Result: .*")
    assert "readyok" in lines and answers(lines) == []
    engine.send("stop")
    lines = engine.until("Nodes searched: .*")
    assert [line.split()[0] for line in answers(lines)] == ["info", "bestmove", "Nodes"]
    engine.ask("stop", BESTMOVE)
    engine.send("go depth 90", "go depth 90", "quit")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize("name", GAMES)
def test_go_mate_ends_if_there_is_no_mate(engine, name):
    choose(engine, name)
    engine.send("setoption name OwnBook value false", "position startpos")
    lines = engine.ask("go mate 2", BESTMOVE)
    assert len(infos(lines)[-1].group(10)) and not [line for line in lines if "error" in line]


def test_the_evaluation_of_a_finished_game_is_its_result(engine):
    engine.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.ask("eval", "Evaluation: .*") == [
        "Result: mate 0",
        "Final evaluation: none (in check)",
        "Evaluation: -1073000000",
    ]


def test_the_last_reported_score_is_not_a_bound(engine):
    choose(engine, "connect4")
    for number in range(1, 8):
        engine.send("ucinewgame", f"position startpos moves {number} 4 {number}")
        for limit in ("nodes 10", "nodes 300", "movetime 5"):
            *_, last, best = engine.ask(f"go {limit}", BESTMOVE)
            assert " score " in last and "bound" not in last, last


def test_move_overhead_does_not_shorten_movetime():
    engine = InProcessEngine("uci").send("setoption name Move Overhead value 5000")
    (limits,) = engine.limits_of("position startpos", "go movetime 300")
    assert limits.movetime == 0.3


ONE_LEGAL_MOVE = "position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1"


@pytest.mark.parametrize(
    "words", ["movetime {}", "movetime {} depth 10", "wtime 60000 btime 60000"]
)
def test_a_single_legal_move_is_searched_beyond_depth_1(engine, words):
    for milliseconds in (300, 3000, 30000):  # on a busy machine 300 ms may not suffice
        engine.send(ONE_LEGAL_MOVE)
        engine.settle()
        lines = engine.ask("go " + words.format(milliseconds), BESTMOVE)
        if infos(lines)[-1].group(4) == "mate -1":
            break
    assert infos(lines)[-1].group(4) == "mate -1" and lines[-1] == "bestmove h8g8 ponder a1a8"


def test_the_word_lowerbound_stands_after_the_score(engine):
    engine.send(
        "setoption name UCI_Variant value othello",
        "position fen --OOOOOOXOOOOXXX-OOOXX-XXOXXOXO-OOOOOX-OOXXOOX--OOOOOX--OOOO-X-- O",
    )
    lines = [line for line in engine.ask("go depth 60", BESTMOVE) if " score " in line]
    # The winner is known before the exact score.
    assert any(" score cp 100 lowerbound nodes " in line for line in lines)
    assert " score cp 4400 nodes " in lines[-1]


def test_options_are_listed_only_under_their_uci_names(engine):
    listing = engine.ask("uci", "uciok")
    for name in ("UCI_LimitStrength", "UCI_Elo", "UCI_AnalyseMode", "UCI_Chess960"):
        assert any(line.startswith(f"option name {name} type ") for line in listing), name
        assert not any(line.startswith(f"option name {name[4:]} ") for line in listing), name
    engine.send("setoption name uci_elo value 5", "setoption name Elow value 900")
    assert [line for line in engine.settle() if line.startswith("info string error: ")] == [
        "info string error: UCI_Elo must be 400 to 2200, not 5",
        "info string error: no such option: Elow",
    ]


@pytest.mark.parametrize("limit, depth", [("depth 30", 30), ("infinite", 99)])
def test_a_search_whose_result_is_certain_reaches_the_requested_depth(start, limit, depth):
    engine = start()
    engine.send("setoption name MultiPV value 2", "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    engine.send(f"go {limit}")
    for rank in (1, 2):
        engine.until(f"info depth {depth} .* multipv {rank} score mate 1 .*")


def test_the_maximum_of_threads_is_the_same_on_all_machines(monkeypatch):
    monkeypatch.setattr("search.session.cpu_count", lambda: 1)
    engine = InProcessEngine("uci").send("uci", "setoption name Threads value 4")
    assert "option name Threads type spin default 1 min 1 max 1024\n" in engine.output
    last = engine.output.splitlines()[-1]
    assert last == "info string Threads: 4 is more than this machine's 1 processors"
    assert engine.session.values["Threads"] == 1


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, "no memory")])
def test_a_search_that_runs_out_of_memory_is_reported_in_one_line(monkeypatch, capfd, error):
    def think(*rest):
        raise error

    monkeypatch.setattr("search.think.think", think)
    monkeypatch.setattr(notices, "_reported", set())
    engine = InProcessEngine("uci").send("go depth 3")
    engine.session.wait()
    assert engine.output.startswith("info string out of memory: lower the option Hash\n")
    assert engine.output.splitlines()[-1].startswith("bestmove ") and capfd.readouterr().err == ""
