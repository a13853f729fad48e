"""scripts/tournament as a process: referees, records, interruption and resumption, executors."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import os
import re
import shlex
import signal
import subprocess
import sys

import pytest
from conftest import play_on, signals, wait_until
from samples import read_records
from tables import rows
from tournaments import EXECUTORS, ROOT, SCRIPT, STUBS, games, processes, run, stub

from games import registry
from plyglot.errors import Crash, EngineError, Refusal, Stall
from protocol.records.record import Start
from scripts.arena import cecp, client, engines
from scripts.arena.engines import open_engine
from search.limits import Limits

TWO = ["--engine", "name=a", "--engine", "name=b"]


# ---- whole tournaments --------------------------------------------------------------------------------


def test_a_round_robin_is_played_and_recorded(tmp_path):
    words = [
        *"--game tictactoe --engine name=deep depth=9 --engine name=flat depth=1".split(),
        *stub("honest"),
        *"--rounds 2 --random-plies 1 --each depth=1 --concurrency 2".split(),
    ]
    output = run(tmp_path, *words)
    played = games(tmp_path)
    assert len(played) == 12 and len({game["id"] for game in played}) == 12
    by_id = {game["id"]: game for game in played}
    for identity, game in by_id.items():
        if identity.endswith("/1"):
            swapped = by_id[identity[:-1] + "2"]
            assert swapped["players"] == game["players"][::-1]
            assert swapped["moves"][:1] == game["moves"][:1] and game["opening"] == 1
    for game in played:  # Replay the game: its result must follow from Plyglot's rules.
        start = Start(game["game"], game["start"], game["options"])
        position = play_on(start.position(), game["moves"])
        outcome = position.outcome()
        assert game["result"] == (
            "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
        )
        assert game["termination"] == "normal" and game["reason"] == outcome.reason
        assert len(game["seconds"]) == len(game["depths"]) == len(game["moves"]) - 1
    assert "12/12" in output and "0:00:00 left" in output
    table = [line.split() for line in output.splitlines() if line[:1].isdigit() and "%" in line]
    assert [row[2] for row in table] == ["8", "8", "8"]
    assert sum(float(row[3]) for row in table) == 12
    assert table[0][1] == "deep"
    shown = run(tmp_path, "--table", "tournament.jsonl")
    assert [line.split()[1] for line in shown.splitlines()[1:4]] == [row[1] for row in table]


def test_every_protocol_plays_in_one_tournament(tmp_path):
    own = f"cmd='{sys.executable}' '{ROOT / 'engine.py'}' --protocol"
    output = run(
        tmp_path,
        *"--game gomoku --game-option BoardSize=5 --depth 1 --kind gauntlet --engine".split(),
        *"name=uci".split(),
        *[
            word
            for name in ("gtp", "cecp", "gomocup")
            for word in ("--engine", f"name={name}", f"{own} {name}", f"proto={name}")
        ],
    )
    for name in ("uci", "gtp", "cecp", "gomocup"):
        assert f"by {name}, depth 1" in output
    played = games(tmp_path)
    assert len(played) == 6 and {game["termination"] for game in played} == {"normal"}
    assert {game["options"]["BoardSize"] for game in played} == {5}
    kind, records = read_records((tmp_path / "tournament.sgf").read_text())
    assert kind == "sgf" and len(records) == 6


@pytest.mark.parametrize("game", ["chess", "othello", "connect4", "tree"])
def test_every_protocol_plays_games_besides_its_usual_ones(tmp_path, game):
    others = [name for name in ("gtp", "cecp") if game != "tree"]
    words = [
        "--game",
        game,
        *"--depth 1 --rounds 1 --max-plies 6 --kind gauntlet --engine name=uci --engine".split(),
        *"name=timed movetime=0.02 margin=30".split(),
    ]
    for name in others:
        words += ["--engine", f"name={name}", f"proto={name}"]
    run(tmp_path, *words)
    played = games(tmp_path)
    assert len(played) == 2 * (1 + len(others))
    assert {game["termination"] for game in played} <= {"normal", "adjudication"}
    if game in ("chess", "othello"):
        ending = "pgn" if game == "chess" else "ggf"
        _, records = read_records((tmp_path / f"tournament.{ending}").read_text(), ending)
        assert [list(record.players) for record in records] == [game["players"] for game in played]
        assert [len(record.moves) for record in records] == [len(game["moves"]) for game in played]


@pytest.mark.parametrize("executor", [(), ("--executor", "concurrent.futures:ProcessPoolExecutor")])
def test_a_game_of_a_plugin_is_played(tmp_path, executor):
    plugin = os.path.relpath(ROOT / "tests" / "plugins" / "nim.py", tmp_path)
    output = run(tmp_path, "--game", "nim", "--plugin", plugin, "--depth", "1", *TWO, *executor)
    assert len(games(tmp_path)) == 2 and "lost" not in output


# ---- engines that fail --------------------------------------------------------------------------------


def test_faults_are_recorded_and_the_tournament_continues(tmp_path):
    words = ["--game", "tictactoe", "--kind", "gauntlet", *stub("honest", tmp_path), "depth=1"]
    for name in ("crashing", "stalling", "cheating", "late"):
        words += [*stub(name, tmp_path), *(["depth=1"] if name in ("crashing", "cheating") else [])]
    output = run(
        tmp_path,
        *words,
        *"--movetime 5 --patience 1 --concurrency 2 --rounds 1 --margin 0.2 --each".split(),
        *"movetime=1 margin=0.3".split(),
    )
    played = games(tmp_path)
    assert len(played) == 8
    for game in played:
        guilty = next(name for name in game["players"] if name != "honest")
        kind = {
            "crashing": "crash",
            "stalling": "stall",
            "cheating": "illegal move",
            "late": "time forfeit",
        }[guilty]
        assert game["termination"] == kind, game
        assert game["players"][game["fault"]] == guilty and guilty in game["reason"]
        assert game["result"] == ("0-1" if game["fault"] == 0 else "1-0")
        assert len(game["moves"]) in (2, 3)
    assert "ended with status 7 (the stub falls over)" in output
    assert "crashing: crash 2" in output and "stalling: stall 2" in output
    wait_until(lambda: not processes(tmp_path))


BRAIN = """
import sys
for line in sys.stdin:
    answers = {"ABOUT": 'name="Brain"', "START": ANSWER, "BEGIN": "7,7"}
    print(answers.get(line.split()[0], ""), flush=True)
"""


def test_gomocup_engines_must_answer_start_with_ok(tmp_path):
    brain = tmp_path / "brain.py"
    for answer in ("OK", "ok", "OK - everything is good", "MESSAGE hello\nDEBUG x\nOK."):
        brain.write_text(BRAIN.replace("ANSWER", repr(answer)))
        with open_engine([sys.executable, str(brain)], "gomocup") as engine:
            assert engine.think(Start("gomoku"), [], Limits(depth=1)).text == "7,7"
    for answer, message in (
        ("Okay then", "START 15: answered Okay then, not OK"),
        ("ERROR no such size", "START 15: ERROR no such size"),
    ):
        brain.write_text(BRAIN.replace("ANSWER", repr(answer)))
        with (
            open_engine([sys.executable, str(brain)], "gomocup") as engine,
            pytest.raises(Refusal) as refused,
        ):
            engine.think(Start("gomoku"), [], Limits(depth=1))
        assert str(refused.value) == message


def test_endless_output_ends_at_the_deadline_of_a_move_or_a_greeting(monkeypatch):
    flooding = [sys.executable, str(STUBS / "flooding.py")]
    with open_engine([*flooding, "go"], "uci") as engine:
        with pytest.raises(Stall):
            engine.think(Start("tictactoe"), [], Limits(depth=1), patience=0.1)
        engine.kill()
    monkeypatch.setattr(client, "HAND_SHAKE", 0.1)
    for protocol in engines.WITH_CLIENT:
        with pytest.raises(Refusal):
            open_engine([sys.executable, "-c", "while True: print('info')"], protocol)


def test_the_gtp_client_sends_the_time_per_move_only_when_it_changes():
    moves, sent = [], []
    with open_engine([sys.executable, str(ROOT / "engine.py")], "gtp") as engine:
        write = engine._process.write
        engine._process.write = lambda *lines: sent.extend(lines) or write(*lines)
        for seconds, clock in ((0.02, None), (0.02, None), (0.03, 9.0)):
            limits = Limits(movetime=seconds, clocks=(clock, clock))
            moves.append(engine.think(Start("gomoku"), moves, limits).move)
    assert [line[16:] for line in sent if "time_settings" in line] == ["0.02 1", "0.03 1"]


def test_the_gomocup_client_reads_mate_scores():
    start, moves = Start("gomoku"), []
    for square in "h8 a1 i8 a2 j8 a3 k8 a15".split():
        moves.append(start.position(moves).parse_move(square))
    with open_engine([sys.executable, str(ROOT / "engine.py")], "gomocup") as engine:
        assert engine.think(start, moves, Limits(depth=2)).best.mate == 1


@pytest.mark.parametrize("protocol", ["uci", "usi", "gtp", "cecp", "hub"])
def test_an_option_is_found_in_any_spelling(protocol):
    command = [sys.executable, str(ROOT / "engine.py"), "--protocol", protocol]
    with open_engine(command, protocol, options={"Skill Level": 3}) as engine:
        assert engine.has_option("skill level") and not engine.has_option("Nonsense")


@pytest.mark.parametrize("protocol", ["uci", "cecp", "gtp"])
def test_a_process_plays_one_game_after_another_by_different_rules(protocol):
    usual, small = Start("gomoku"), Start("gomoku", None, {"BoardSize": 5})
    with open_engine([sys.executable, str(ROOT / "engine.py")], protocol) as engine:
        for start, corner in ((usual, "o15"), (small, "e5"), (usual, "o15")):
            moves = [start.position().parse_move(corner)]
            assert engine.think(start, moves, Limits(depth=1)).move is not None


@pytest.mark.parametrize(
    "source, words", rows("tournament.a_program_of_another_protocol_is_refused")
)
def test_a_program_of_another_protocol_is_refused(monkeypatch, source, words):
    monkeypatch.setattr(client, "HAND_SHAKE", 0.2 if "no answer" in words else 1000.0)
    with pytest.raises(EngineError, match=words):
        open_engine([sys.executable, "-c", source])


# ---- bad arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, complaint", rows("tournament.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(tmp_path, words, complaint):
    output = run(tmp_path, *shlex.split(words.replace("TWO", shlex.join(TWO))), status=2)
    *others, error = output.splitlines()
    assert complaint in error and error.startswith("scripts/tournament: ")
    # A line that describes the engine `a` may come before the error about the other engine.
    assert all(line.startswith("a: Plyglot ") for line in others)


# ---- interruption and resumption ----------------------------------------------------------------------


@pytest.mark.parametrize("number", signals("SIGINT", "SIGTERM", "SIGKILL"))
def test_an_interrupted_tournament_is_resumed(tmp_path, number):
    words = [
        *("--game", "othello", "--random-plies", "4", "--max-plies", "8", "--depth", "1"),
        *("--concurrency", "2", *stub("honest", tmp_path), "--engine", "name=other"),
        f"cmd='{sys.executable}' '{STUBS / 'honest.py'}' '{tmp_path}'",
    ]
    record = tmp_path / "tournament.jsonl"
    process = subprocess.Popen(
        [*SCRIPT, *words, "--rounds", "5000"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until(lambda: record.exists() and record.read_text().count('"moves":') > 1)
    process.send_signal(number)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    wait_until(lambda: not processes(tmp_path))
    before = record.read_text()
    if number == signal.SIGKILL:
        before = before[: before.rindex("\n") + 1]
        record.write_text(before + '{"id":"3/honest-oth')  # as if killed during a write
    first = before.count('"moves":')
    assert 2 <= first < 10_000
    assert number == signal.SIGKILL or f"interrupted; {first} of 10000 games" in output
    rounds = first // 2 + 2
    again = run(tmp_path, *words, "--rounds", str(rounds))
    assert f"{first} of {2 * rounds} games are in tournament.jsonl already" in again
    assert record.read_text().startswith(before)
    played = games(tmp_path)
    assert len({game["id"] for game in played}) == len(played) == 2 * rounds
    _, records = read_records((tmp_path / "tournament.ggf").read_text(), "ggf")
    assert len(records) == len(played)


def test_a_record_with_an_incomplete_first_line_is_replaced_only_with_force(tmp_path):
    record = tmp_path / "tournament.jsonl"
    record.write_text(
        '{"tournament": {"pla'
    )  # as if a tournament was killed during its first write
    words = ["--game", "tictactoe", "--depth", "1", *TWO, "--record", str(record)]
    said = run(tmp_path, *words, status=2)
    assert "or its first line is incomplete after a crash; name another file" in said
    assert said.count("\n") == 1 and record.read_text() == '{"tournament": {"pla'
    run(tmp_path, *words, "--force")
    assert len(games(tmp_path)) == 2


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no disk that is always full"
)
def test_a_record_that_is_not_a_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/full", "pipe", "."):  # /dev/full is endless, and a pipe blocks its reader
        output = run(
            tmp_path, "--game", "tictactoe", *TWO, "--depth", "1", "--record", place, status=2
        )
        assert output.startswith("scripts/tournament: can't write ")
        assert "not a regular file" in output
        assert place in output
    assert not os.path.exists("/dev/full.lock")


def test_a_record_of_another_tournament_is_refused(tmp_path):
    words = ["--game", "tictactoe", *TWO, "--rounds", "1", "--depth"]
    run(tmp_path, *words, "1")
    assert "2 of 2 games are in tournament.jsonl already" in run(tmp_path, *words, "1")
    output = run(tmp_path, *words, "2", status=2)
    assert (
        "tournament.jsonl holds results for other settings (different: players); name another file"
        in output
    )
    run(tmp_path, *words, "1", "--rounds", "2")
    assert len(games(tmp_path)) == 4
    assert "4 games, more than the 2 requested, are in tournament.jsonl already" in run(
        tmp_path, *words, "1"
    )
    (tmp_path / "tournament.jsonl").write_text("no record\n")
    assert "line 1: not valid JSON" in run(tmp_path, *words, "1", status=2)


# ---- executors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("executor, lost", EXECUTORS)
def test_executors_play_every_game_once(tmp_path, executor, lost):
    env = {"PYTHONPATH": str(STUBS), "DYING": str(tmp_path / "died")}
    words = [
        "--game",
        "tictactoe",
        *stub("honest", tmp_path),
        *"--engine name=flat --depth 1 --rounds 3 --random-plies 2 --concurrency 2".split(),
        *"--executor".split(),
        executor,
    ]
    output = run(tmp_path, *words, env=env)
    played = games(tmp_path)
    assert len(played) == 6 and len({game["id"] for game in played}) == 6
    assert {game["termination"] for game in played} == {"normal"}
    assert output.count("is played again") >= lost and ("was lost" in output) == bool(lost)
    wait_until(lambda: not processes(tmp_path))


@pytest.mark.parametrize("number", signals("SIGTERM", "SIGKILL"))
def test_a_tournament_that_is_interrupted_leaves_no_processes(tmp_path, number):
    words = [
        *"--game othello --rounds 50".split(),
        *stub("honest", tmp_path),
        *"--engine name=other --depth 2 --random-plies 2 --concurrency 2 --executor".split(),
        *"concurrent.futures:ProcessPoolExecutor".split(),
    ]
    process = subprocess.Popen(
        SCRIPT + words,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )
    record = tmp_path / "tournament.jsonl"
    wait_until(lambda: record.exists() and len(record.read_text().splitlines()) > 1)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    status = -9 if number == signal.SIGKILL else 128 + number
    assert process.returncode == status and "Traceback" not in errors
    wait_until(lambda: not processes(tmp_path, scripts=True))


def test_an_executor_that_always_fails_ends_the_tournament(tmp_path):
    (tmp_path / "hopeless.py").write_text(
        "import executors\nimport scripts.jobs.run\nscripts.jobs.run.GIVE_UP = 0.3\n\n"
        "class Hopeless(executors.Losing):\n"
        "    def submit(self, work, job):\n"
        "        return self._threads.submit(executors.lost, job)\n"
    )
    output = run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        *"--depth 1 --executor hopeless:Hopeless".split(),
        status=1,
        env={"PYTHONPATH": str(STUBS)},
    )
    assert "was lost: ConnectionError: the worker is gone" in output


# ---- time, openings, adjudication ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "protocol, game", [("uci", "chess"), ("cecp", "chess"), ("gomocup", "gomokufreestyle")]
)
def test_absurd_numbers_from_an_engine_do_not_end_a_game(tmp_path, protocol, game):
    command = f"cmd='{sys.executable}' '{STUBS / 'boasting.py'}' {protocol}"
    words = ["--game", game, "--engine", "name=boasting", command, f"proto={protocol}"]
    run(
        tmp_path,
        *words,
        *("movetime=0.03", "--engine", "name=plain", "depth=1"),
        *("--rounds", "1", "--max-plies", "4", "--margin", "60"),
    )
    assert [game["termination"] for game in games(tmp_path)] == ["adjudication"] * 2
    assert "plain" in run(tmp_path, "--table", "tournament.jsonl")


# ---- the client ---------------------------------------------------------------------------------------


def test_a_client_follows_the_game_and_takes_moves_back():
    start = Start("connect4")
    with open_engine() as engine:
        first = engine.think(start, [], Limits(depth=2))
        assert engine.protocol == "uci" and first.best.depth >= 1 and first.infos[0].pv
        moves = [first.move, start.position([first.move]).legal_moves()[0]]
        assert (
            engine.think(start, moves, Limits(depth=2)).move in start.position(moves).legal_moves()
        )
        assert engine.think(start, [], Limits(depth=2)).move == first.move
        engine.new_game()
        assert engine.think(Start("tictactoe"), [], Limits(depth=2)).move is not None


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_the_position_after_a_null_move_is_sent_as_a_start_position(protocol):
    start = Start("chess")
    moves = [start.position().null_move()]
    with open_engine(protocol=protocol) as engine:
        for _ in range(2):
            answer = engine.think(start, moves, Limits(depth=1))
            assert answer.move in start.position(moves).legal_moves()
            moves.append(answer.move)


def test_fairy_stockfish_is_sent_a_pass_in_its_own_notation():
    game, moves = registry.get("flipello"), []
    position = game.start({})
    # Always playing the legal move with the lowest number leads to a pass.
    while position.legal_moves() != [game.pass_move]:
        moves.append(min(position.legal_moves()))
        position.make(moves[-1])
    moves.append(game.pass_move)
    for name, accepted in (("Fairy-Stockfish 14", True), ("Other", False)):
        command = [sys.executable, str(STUBS / "own_square.py"), name]
        with open_engine(command, "uci") as engine:
            if accepted:
                assert engine.think(Start("flipello"), moves, Limits(depth=1)).move is not None
            else:
                with pytest.raises(Crash):
                    engine.think(Start("flipello"), moves, Limits(depth=1))


SUGGESTING = """
import sys
made = set()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "ABOUT":
        print('name="Shy"', flush=True)
    elif word == "START":
        print("OK", flush=True)
    elif word == "PLAY":
        print(rest, flush=True)
        made.add(rest)
    elif word == "TURN":
        made.add(rest)
    if word in ("BEGIN", "TURN"):
        free = [f"{x},{y}" for x in range(15) for y in range(15) if f"{x},{y}" not in made]
        print("MESSAGE what about", free[0], "?")
        print("SUGGEST", free[0], flush=True)
    elif word == "END":
        break
"""


def test_a_move_that_a_gomocup_brain_suggests_is_played():
    start = Start("gomoku")
    with open_engine([sys.executable, "-c", SUGGESTING], "gomocup") as engine:
        first = engine.think(start, [], Limits(movetime=5.0)).move
        reply = next(move for move in start.position([first]).legal_moves())
        assert (
            engine.think(start, [first, reply], Limits(movetime=5.0)).move
            in start.position([first, reply]).legal_moves()
        )


SPEAKING = """
import sys
for line in sys.stdin:
    if line.startswith("protover"):
        print("feature setboard=1", flush=True)
    elif line.startswith("go"):
        print("My move is : e7e5", flush=True)
"""


def test_the_move_line_of_gnu_chess_is_read(monkeypatch):
    monkeypatch.setattr(cecp, "_QUIET", 0.1)  # the engine does not say that its features are done
    sent, limits = [], Limits(clocks=(0.4, 59.7))
    with open_engine([sys.executable, "-c", SPEAKING], "cecp") as engine:
        write = engine._process.write
        engine._process.write = lambda *lines: sent.extend(lines) or write(*lines)
        moves = [Start("chess").position().parse_move("e2e4")]
        assert engine.think(Start("chess"), moves, limits, patience=60.0).text == "e7e5"
    assert "level 0 1 0" in sent


# ---- what is shown --------------------------------------------------------------------------


def test_the_first_command_of_the_manual_works(tmp_path):
    page = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    command = (
        page[page.index("scripts/tournament --game") :]
        .split("\n")[0]
        .replace("--rounds 10", "--rounds 1")
    )
    words = shlex.split(command)[1:]
    assert all(not word.startswith("cmd=") for word in words)
    assert "deep" in run(tmp_path, *words) and len(games(tmp_path)) == 2


DEEPER = [*TWO, "depth=2", "--depth", "1"]


def test_repeated_games_are_reported_and_not_counted(tmp_path):
    output = run(tmp_path, "--game", "tictactoe", *DEEPER, "--rounds", "4")
    assert len(games(tmp_path)) == 8 and "2 of 8 games are distinct" in output
    once = run(tmp_path, "--game", "tictactoe", *DEEPER, "--rounds", "1", "--record", "once.jsonl")
    figures = [re.findall(r"a is superior with .*", text) for text in (output, once)]
    assert figures[0] == figures[1] != [] and "are distinct" not in once
    various = run(
        tmp_path,
        "--game",
        "tictactoe",
        *DEEPER,
        *"--rounds 4 --random-plies 2 --record x.jsonl".split(),
    )
    assert "are distinct" not in various


def test_elo_is_printed_at_intervals(tmp_path):
    output = run(tmp_path, "--game", "tictactoe", *DEEPER, *"--rounds 21 --random-plies 4".split())
    lines = output.splitlines()
    after = [
        lines[index - 4].split("/")[0]
        for index, line in enumerate(lines)
        if line.startswith("a is superior with ")
    ]
    assert after[:2] == ["20", "40"] and len(after) == 3  # the third line is the final table's


def test_pgn_has_clocks_and_time_control(tmp_path):
    run(
        tmp_path,
        *"--game chess --engine name=a tc=40/0:05+0.05 --engine name=b movetime=0.02".split(),
        *"--each margin=30 --random-plies 2 --max-plies 6".split(),
    )
    text = (tmp_path / "tournament.pgn").read_text()
    first, second = (re.sub(r"\s+", " ", part) for part in text.split("[Event ")[1:])
    assert '[WhiteTimeControl "40/5+0.05"]' in first and '[BlackTimeControl "1/0.02"]' in first
    assert '[WhiteTimeControl "1/0.02"]' in second and '[BlackTimeControl "40/5+0.05"]' in second
    assert re.search(
        r"2\. \S+ \{\[%eval [^]]+\] \[%emt 0:00:\d\d\.\d{3}\] \[%clk 0:00:0[45]\.\d{3}\]\} 2\.\.\. \S+ "
        r"\{\[%eval [^]]+\] \[%emt 0:00:\d\d\.\d{3}\]\}",
        first,
    )
    assert [len(record.moves) for record in read_records(text)[1]] == [6, 6]
