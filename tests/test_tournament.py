"""scripts/tournament as a process: schedules, referees, records, interruption and resumption, executors."""
# Not in the fast part of scripts/test.

import os
import signal
import subprocess
import sys

import pytest
from conftest import signals
from tournaments import ROOT, SCRIPT, STUBS, games, processes, run, stub, wait_until

from games import registry
from plyglot import lines
from plyglot.errors import Crash, Flood, Refusal
from plyglot.infos import Info
from protocol.records.formats import read_records
from protocol.records.record import Start
from scripts.arena import elo, engines, schedule
from scripts.arena.adjudicate import Adjudicator
from scripts.arena.arguments import read_player
from scripts.arena.client import Answer
from scripts.arena.engines import open_engine
from scripts.arena.openings import FileOpenings, OpeningError, RandomOpenings
from scripts.arena.standings import Standings
from scripts.arena.terms import Clock, TimeControl, limits
from search.limits import Limits

# ---- whole tournaments --------------------------------------------------------------------------------


def test_round_robin(tmp_path):
    words = [
        "--game",
        "tictactoe",
        "--engine",
        "name=deep",
        "depth=9",
        "--engine",
        "name=flat",
        "depth=1",
        *stub("honest"),
        "--rounds",
        "2",
        "--random-plies",
        "1",
        "--each",
        "depth=1",
        "--concurrency",
        "2",
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
    for game in played:  # Plyglot's rules agree with every result
        start = Start(game["game"], game["start"], game["options"])
        position = start.position()
        for text in game["moves"]:
            position.make(position.parse_move(text))
        outcome = position.outcome()
        assert game["result"] == (
            "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
        )
        assert game["termination"] == "normal" and game["reason"] == outcome.reason
        assert len(game["seconds"]) == len(game["depths"]) == len(game["moves"]) - 1
    assert "12/12" in output and "0:00:00 left" in output
    table = [line.split() for line in output.splitlines() if line[:1].isdigit() and "%" in line]
    assert [row[2] for row in table] == ["8", "8", "8"] and sum(
        float(row[3]) for row in table
    ) == 12
    assert table[0][1] == "deep"
    shown = run(tmp_path, "--table", "tournament.jsonl")
    assert [line.split()[1] for line in shown.splitlines()[1:4]] == [row[1] for row in table]


def test_gauntlet_and_shared_openings():
    found = list(schedule.schedule(["a", "b", "c"], 2, schedule.GAUNTLET))
    assert [[players for _, players in games] for _, _, games in found] == [
        [("a", "b"), ("b", "a")],
        [("a", "c"), ("c", "a")],
    ] * 2
    assert [number for _, number, _ in found] == [0] * 2 + [1] * 2
    assert len({identity for _, _, games in found for identity, _ in games}) == 8
    more = list(schedule.schedule(["a", "b", "c"], 3, schedule.GAUNTLET))
    assert more[:4] == found


def test_every_protocol_in_one_tournament(tmp_path):
    own = f"cmd='{sys.executable}' '{ROOT / 'engine.py'}' --protocol"
    output = run(
        tmp_path,
        "--game",
        "gomoku",
        "--game-option",
        "BoardSize=7",
        "--depth",
        "1",
        "--kind",
        "gauntlet",
        "--engine",
        "name=uci",
        *[
            word
            for name in ("gtp", "cecp", "gomocup")
            for word in ("--engine", f"name={name}", f"{own} {name}")
        ],
    )
    for name in ("uci", "gtp", "cecp", "gomocup"):  # the protocols were detected
        assert f"by {name}, depth 1" in output
    played = games(tmp_path)
    assert len(played) == 6 and {game["termination"] for game in played} == {"normal"}
    assert {game["options"]["BoardSize"] for game in played} == {7}
    kind, records = read_records((tmp_path / "tournament.sgf").read_text())
    assert kind == "sgf" and len(records) == 6


@pytest.mark.parametrize("game", ["chess", "othello", "connect4", "tree"])
def test_every_protocol_plays_its_other_games(tmp_path, game):
    others = [name for name in ("gtp", "cecp") if game != "tree"]
    words = [
        "--game",
        game,
        "--depth",
        "1",
        "--rounds",
        "1",
        "--max-plies",
        "12",
        "--kind",
        "gauntlet",
        "--engine",
        "name=uci",
        "--engine",
        "name=uci",
        "movetime=0.02",
        "margin=30",
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
def test_a_game_from_a_plugin(tmp_path, executor):
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
        "--movetime",
        "5",
        "--patience",
        "1",
        "--concurrency",
        "2",
        "--rounds",
        "1",
        "--margin",
        "0.2",
        "--each",
        "movetime=1",
        "margin=0.3",
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


def test_an_engine_that_writes_without_end_is_a_stall(tmp_path):
    flooding = [
        "--engine",
        "name=flooding",
        f"cmd='{sys.executable}' '{STUBS / 'flooding'}.py' go",
        "proto=uci",
    ]
    run(
        tmp_path,
        "--game",
        "tictactoe",
        *stub("honest", tmp_path),
        "depth=1",
        *flooding,
        "--movetime",
        "0.1",
        "--patience",
        "1",
    )
    played = games(tmp_path)
    assert [(game["termination"], game["players"][game["fault"]]) for game in played] == 2 * [
        ("stall", "flooding")
    ]


BRAIN = """
import sys
for line in sys.stdin:
    answers = {"ABOUT": 'name="Brain"', "START": ANSWER, "BEGIN": "7,7"}
    print(answers.get(line.split()[0], ""), flush=True)
"""


def test_answers_to_start_of_gomocup_engines(tmp_path):
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


def test_floods_are_detected_without_a_deadline_and_in_the_greeting(monkeypatch):
    monkeypatch.setattr(lines, "AHEAD", 5_000)
    flooding = [sys.executable, str(STUBS / "flooding.py")]
    with open_engine([*flooding, "go"], "uci") as engine, pytest.raises(Flood):
        engine.think(Start("tictactoe"), [], Limits(depth=1))
    for protocol in engines.CLIENTS:
        with pytest.raises(Flood) as flood:
            open_engine([sys.executable, "-c", "while True: print('info')"], protocol)
        assert not flood.value.greeted


def test_engine_that_cannot_take_part_is_refused(tmp_path):
    assert "can't start" in run(
        tmp_path,
        "--game",
        "chess",
        "--engine",
        "cmd=no-such-engine",
        "--engine",
        "name=b",
        "--depth",
        "1",
        status=2,
    )
    output = run(
        tmp_path,
        "--game",
        "othello",
        "--engine",
        "name=a",
        "--engine",
        "name=b",
        "proto=gomocup",
        "--depth",
        "1",
        "--record",
        "x.jsonl",
        status=2,
    )
    assert "b: the Gomocup protocol does not support othello" in output
    output = run(
        tmp_path,
        "--game",
        "chess",
        "--engine",
        "name=a",
        "--engine",
        "name=b",
        "option.Nonsense=1",
        "--depth",
        "1",
        "--record",
        "x.jsonl",
        status=2,
    )
    assert "b: has no option Nonsense" in output
    output = run(
        tmp_path,
        "--game",
        "othello",
        "--engine",
        "name=a",
        "--engine",
        "name=b",
        "proto=gtp",
        "pass=own-square",
        "--depth",
        "1",
        "--record",
        "x.jsonl",
        status=2,
    )
    assert "b: gtp has only one way to write a pass" in output


@pytest.mark.parametrize(
    "source, words",
    [
        (
            "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)",
            "uci: does not speak UCI: it answered uci; ",
        ),
        (
            "raise SystemExit('I am no engine')",
            "uci, gtp, cecp, gomocup: ended with status 1 (I am no engine)",
        ),
        ("import sys\nsys.stdin.read()", "uci, gtp, cecp, gomocup: no answer"),
    ],
)
def test_a_program_that_is_not_an_engine_is_refused_soon(tmp_path, monkeypatch, source, words):
    """A program that echoes and one that exits at once are refused before any time limit."""
    (tmp_path / "other.py").write_text(source)
    silent = "no answer" in words
    monkeypatch.setattr(engines, "GUESSING", 0.5 if silent else 1000.0)
    monkeypatch.setattr(engines, "ALONE", 0.1 if silent else 1000.0)
    with pytest.raises(Refusal) as refused:
        open_engine([sys.executable, str(tmp_path / "other.py")])
    assert words in str(refused.value)
    wait_until(lambda: not processes(tmp_path))


QUIET_GTP = """
import sys
answers = {"protocol_version": "2", "name": "Quiet", "list_commands": "name\\nquit"}
for line in sys.stdin:
    if line.strip() in answers:
        print("=", answers[line.strip()], end="\\n\\n", flush=True)
"""


def test_a_protocol_is_found_while_another_gets_no_answer(monkeypatch):
    """An engine that does not know `uci` may ignore it."""
    monkeypatch.setattr(engines, "ALONE", 0.2)
    monkeypatch.setattr(engines, "GUESSING", 3.0)
    with open_engine([sys.executable, "-c", QUIET_GTP]) as engine:
        assert engine.protocol == "gtp" and engine.name == "Quiet"


SLOW_UCI = """
import pathlib, sys, time
other = pathlib.Path(sys.argv[1])
answers = {"protocol_version": "2", "name": "Both", "list_commands": "name\\nquit"}
for line in sys.stdin:
    if line.strip() == "uci":
        while not other.exists():
            time.sleep(0.01)
        print("id name Both\\nuciok", flush=True)
    elif line.strip() in answers:
        print("=", answers[line.strip()], end="\\n\\n", flush=True)
        other.touch()
"""


def test_an_engine_that_is_slow_to_start_speaks_the_first_of_its_protocols(monkeypatch, tmp_path):
    """It answers UCI only after it has answered GTP."""
    monkeypatch.setattr(engines, "ALONE", 1.0)
    with open_engine([sys.executable, "-c", SLOW_UCI, str(tmp_path / "gtp")]) as engine:
        assert engine.protocol == "uci"


def test_an_unprintable_command_gives_a_printable_name():
    command = "/nosuch/\udce4ngine --quick"
    assert read_player([], ["depth=1", f"cmd={command}"], {}, [])["name"] == "?ngine"


# ---- bad arguments ------------------------------------------------------------------------------------


TWO = ["--engine", "name=a", "--engine", "name=b"]


@pytest.mark.parametrize(
    "words, complaint",
    [
        ([], "--game is needed"),
        (["--game", "halma", *TWO, "--depth", "1"], "no such game: halma"),
        (["--game", "chess", "--engine", "name=a", "--depth", "1"], "at least two --engine"),
        (["--game", "chess", *TWO], "has no limit"),
        (["--game", "chess", "--engine", "name=\udce4", *TWO], r"be printable, not '\udce4'"),
        (["--game", "chess", *TWO, "--tc", "40/x"], "is not a time control"),
        (["--game", "chess", *TWO, "--movetime", "-1"], "must be above 0"),
        (
            ["--game", "chess", *TWO, "--depth", "1", "--openings", "no-such-file"],
            "can't read no-such-file",
        ),
        (
            ["--game", "chess", "--engine", "nonsense", "--engine", "name=b"],
            "'nonsense' is not KEY=VALUE",
        ),
        (
            ["--game", "gomoku", *TWO, "--depth", "1", "--game-option", "BoardSize=99"],
            "must be 5 to 20",
        ),
        (
            ["--game", "tictactoe", *TWO, "--depth", "1", "--random-plies", "9"],
            "every game is over after 9 random plies",
        ),
        (["--game", "chess", *TWO, "--depth", "1", "--sprt", "5", "0"], "elo0 must be below elo1"),
        (
            ["--game", "chess", *TWO, "--depth", "1", "--executor", "nonsense"],
            "needs MODULE:CALLABLE",
        ),
        (
            ["--game", "chess", *TWO, "--depth", "1", "--each", "option.Hash=foo"],
            "does not accept Hash=foo",
        ),
        (
            ["--game", "chess", *TWO, "--depth", "1", "--each", "option.Ponder=maybe"],
            "does not accept Ponder=maybe",
        ),
        (
            ["--game", "chess", *TWO, "--depth", "1", "--each", "restart=maybe"],
            "restart must be yes or no, not maybe",
        ),
        (["--table", "no-such-record"], "no-such-record"),
    ],
)
def test_bad_arguments(tmp_path, words, complaint):
    output = run(tmp_path, *words, status=2)
    assert (
        complaint in output
        and len(output.splitlines()) == 1
        and output.startswith("scripts/tournament: ")
    )


def test_help_has_an_example(tmp_path):
    output = run(tmp_path, "--help")
    assert "scripts/tournament --game" in output and "KEY=VALUE" in output


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
    wait_until(lambda: record.exists() and len(record.read_text().splitlines()) > 2)
    process.send_signal(number)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    wait_until(lambda: not processes(tmp_path))
    before = record.read_text()
    if number == signal.SIGKILL:
        before = before[: before.rindex("\n") + 1]
        record.write_text(before + '{"id":"3/honest-oth')  # killed while it wrote
    first = before.count("\n") - 1
    assert 2 <= first < 10_000
    assert number == signal.SIGKILL or f"interrupted after {first} of 10000 games" in output
    rounds = first // 2 + 2
    again = run(tmp_path, *words, "--rounds", str(rounds))
    assert f"{first} of {2 * rounds} games are in tournament.jsonl already" in again
    assert record.read_text().startswith(before)
    played = games(tmp_path)
    assert len({game["id"] for game in played}) == len(played) == 2 * rounds
    _, records = read_records((tmp_path / "tournament.ggf").read_text(), "ggf")
    assert len(records) == len(played)


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no disk that is always full"
)
def test_a_record_that_is_not_a_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/full", "pipe", "."):  # the first is endless, the second blocks its reader
        output = run(
            tmp_path, "--game", "tictactoe", *TWO, "--depth", "1", "--record", place, status=2
        )
        assert (
            output.startswith("scripts/tournament: can't write ")
            and "not a regular file" in output
            and place in output
        )
    assert not os.path.exists("/dev/full.lock")


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no disk that is always full"
)
def test_a_page_does_not_replace_a_device(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/full", "pipe", "."):
        output = run(
            tmp_path, "--game", "tictactoe", *TWO, "--depth", "1", "--html", place, status=2
        )
        assert f"can't write {place}: not a regular file" in output
    assert not os.path.isfile("/dev/full") and not os.path.isfile(tmp_path / "pipe")


def test_a_record_of_another_tournament_is_refused(tmp_path):
    words = ["--game", "tictactoe", *TWO, "--rounds", "1", "--depth"]
    run(tmp_path, *words, "1")
    assert "2 of 2 games are in tournament.jsonl already" in run(tmp_path, *words, "1")
    (tmp_path / "tournament-2.sgf").touch()
    output = run(tmp_path, *words, "2", status=2)
    assert (
        "another tournament (different: players)" in output
        and "such as --record tournament-3.jsonl" in output
    )
    run(tmp_path, *words, "1", "--rounds", "2")
    assert len(games(tmp_path)) == 4
    assert "4 games, more than the 2 requested, are in tournament.jsonl already" in run(
        tmp_path, *words, "1"
    )
    (tmp_path / "tournament.jsonl").write_text("no record\n")
    assert "line 1: not valid JSON" in run(tmp_path, *words, "1", status=2)


# ---- executors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "executor, lost",
    [
        ("concurrent.futures:ProcessPoolExecutor", 0),
        ("executors:Losing", 2),
        ("executors:dying", 1),
    ],
)
def test_executors(tmp_path, executor, lost):
    env = {"PYTHONPATH": str(STUBS), "DYING": str(tmp_path / "died")}
    words = [
        "--game",
        "tictactoe",
        *stub("honest", tmp_path),
        "--engine",
        "name=flat",
        "--depth",
        "1",
        "--rounds",
        "3",
        "--random-plies",
        "2",
        "--concurrency",
        "2",
        "--executor",
        executor,
    ]
    output = run(tmp_path, *words, env=env)
    played = games(tmp_path)
    assert len(played) == 6 and len({game["id"] for game in played}) == 6
    assert {game["termination"] for game in played} == {"normal"}
    assert output.count("is played again") >= lost and ("was lost" in output) == bool(lost)
    wait_until(lambda: not processes(tmp_path))


def test_interrupted_with_worker_processes(tmp_path):
    words = [
        "--game",
        "othello",
        "--rounds",
        "50",
        *stub("honest", tmp_path),
        "--engine",
        "name=other",
        "--depth",
        "2",
        "--random-plies",
        "2",
        "--concurrency",
        "2",
        "--executor",
        "concurrent.futures:ProcessPoolExecutor",
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
    process.terminate()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM and "Traceback" not in errors
    wait_until(lambda: not processes(tmp_path))


def test_an_executor_that_always_fails_ends_the_tournament(tmp_path):
    (tmp_path / "hopeless.py").write_text(
        "import executors\n\nclass Hopeless(executors.Losing):\n"
        "    def submit(self, work, job):\n"
        "        return self._threads.submit(executors.lost, job)\n"
    )
    output = run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        "--depth",
        "1",
        "--executor",
        "hopeless:Hopeless",
        status=1,
        env={"PYTHONPATH": str(STUBS)},
    )
    assert "was lost 5 times, last by ConnectionError: the worker is gone" in output


# ---- the sequential test ------------------------------------------------------------------------------


def test_sprt_stops_when_it_has_decided(tmp_path):
    output = run(
        tmp_path,
        "--game",
        "connect4",
        "--engine",
        "name=deep",
        "depth=3",
        *stub("honest"),
        "depth=1",
        "--rounds",
        "100",
        "--random-plies",
        "2",
        "--sprt",
        "0",
        "300",
        "--alpha",
        "0.2",
        "--beta",
        "0.2",
    )
    assert "SPRT 0..300 (logistic Elo): at least 300 Elo, decided after" in output
    assert len(games(tmp_path)) < 40


def test_elo_and_its_error():
    assert elo.elo_of(elo.expected_score(100)) == pytest.approx(100)
    assert elo.elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    middle, low, high = elo.elo_interval([0, 2500, 5000, 2500, 0])
    # The standard error of the mean of 10,000 pairs with variance 1/32.
    error = 1.959964 * (1 / 32 / 10000) ** 0.5
    assert middle == pytest.approx(0) and low == pytest.approx(-high)
    assert high == pytest.approx(elo.elo_of(0.5 + error), rel=0.01)
    middle, low, high = elo.elo_interval([0, 0, 0, 0, 10])  # all won: there is still a lower bound
    assert middle == high == float("inf") and 100 < low < 250
    _, low, high = elo.elo_interval([0, 0, 1, 0, 0])
    assert low < -200 and high > 200
    assert elo.superiority([0, 25, 50, 25, 0]) == 0.5 and elo.superiority([0, 10, 50, 40, 0]) > 0.99
    assert elo.elo_interval([0] * 5) is None


def test_likelihood_ratio():
    counts = [100, 900, 2000, 1100, 120]
    total, shares = sum(counts), (0, 0.25, 0.5, 0.75, 1)
    mean = sum(count * share for count, share in zip(counts, shares)) / total
    variance = sum(count * (share - mean) ** 2 for count, share in zip(counts, shares)) / total
    low, high = elo.expected_score(0), elo.expected_score(5)
    # Van den Bergh's approximation for many games and small differences.
    near = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert elo.log_likelihood_ratio(counts, 0, 5) == pytest.approx(near, rel=0.02)
    sprt = elo.Sprt(0, 5)
    assert (sprt.low, sprt.high) == (
        pytest.approx(-2.944, abs=0.001),
        pytest.approx(2.944, abs=0.001),
    )
    assert [sprt.accepted(sprt.ratio(each)) for each in (counts, counts[::-1], [0] * 5)] == [
        "H1",
        "H0",
        None,
    ]


def test_pairs_count_once_both_games_are_there():
    table = Standings(["a", "b"])
    for identity, players, result in (
        ("1/a-b/1", ["a", "b"], "1-0"),
        ("2/a-b/2", ["b", "a"], "1-0"),
        ("1/a-b/2", ["b", "a"], "1/2-1/2"),
    ):
        table.add(
            {
                "id": identity,
                "players": players,
                "result": result,
                "fault": None,
                "termination": "normal",
                "start": None,
                "moves": [identity],
            }
        )
    assert table.pentanomial("a") == [0, 0, 0, 1, 0] and table.pentanomial("b") == [0, 1, 0, 0, 0]
    assert table.tally("a") == (1, 1, 1)


# ---- time, openings, adjudication ---------------------------------------------------------------------


def test_clocks():
    control = TimeControl("40/1:30+0.5")
    assert (control.moves, control.seconds, control.increment) == (40, 90.0, 0.5)
    assert TimeControl("inf").seconds is None
    clock = Clock({"tc": "2/10+1", "margin": 0.5})
    assert not clock.spend(4) and clock.left == 7 and clock.moves_to_go() == 1
    assert not clock.spend(7.4) and clock.left == 11 and clock.moves_to_go() == 2
    assert clock.spend(11.6)
    found = limits([clock, Clock({"movetime": 2})], 1)
    assert found.movetime == 2 and found.clocks == (None, None)
    found = limits([Clock({"tc": "5+1"}), Clock({"tc": "60"})], 0)
    assert (
        found.clocks == (5.0, 60.0) and found.increments == (1.0, 0.0) and found.moves_to_go is None
    )


def test_time_runs_out_against_a_side_that_cannot_win(tmp_path):
    """FIDE's Laws, 6.9: no series of moves can give mate with a bare king."""
    (tmp_path / "openings.epd").write_text("7k/8/8/8/8/8/P7/K7 w - - 0 1\n")
    run(
        tmp_path,
        "--game",
        "chess",
        "--openings",
        "openings.epd",
        *stub("late", tmp_path),
        "--engine",
        "name=b",
        "depth=1",
        "--movetime",
        "0.1",
        "--max-plies",
        "20",
    )
    first, second = games(tmp_path)
    assert (
        first["players"] == ["late", "b"]
        and first["result"] == "1/2-1/2"
        and "b can't win any more" in first["reason"]
    )
    assert first["termination"] == "time forfeit" and first["fault"] == 0
    assert second["players"] == ["b", "late"] and second["result"] == "1-0" and second["fault"] == 1


def test_random_openings():
    game = registry.get("othello")
    openings = RandomOpenings(game, 4, 7)
    found = [openings[number] for number in range(20)]
    assert found == [RandomOpenings(game, 4, 7)[number] for number in range(20)]
    assert len({tuple(played) for _, played in found}) == 20 and all(
        len(played) == 4 for _, played in found
    )
    assert found != [RandomOpenings(game, 4, 8)[number] for number in range(20)]


def test_openings_from_files(tmp_path):
    chess = registry.get("chess")
    path = tmp_path / "openings.epd"
    path.write_text(
        "# two positions and two lines\n"
        'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "a";\n'
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e7e5 g1f3\n\n"
        "e2e4 c7c5\nstartpos moves d2d4\n"
    )
    found = FileOpenings(chess, path)
    assert [played for _, played in (found[number] for number in range(4))] == [
        [],
        ["e7e5", "g1f3"],
        ["e2e4", "c7c5"],
        ["d2d4"],
    ]
    assert (
        found[0][0].text.startswith("r1bqkbnr/pppp1ppp/2n5/")
        and found[2][0].text is None
        and found[4] == found[0]
    )
    assert FileOpenings(chess, path, plies=1)[2] == (Start("chess"), ["e2e4"])
    shuffled = [FileOpenings(chess, path, seed=3)[number] for number in range(4)]
    assert sorted(map(str, shuffled)) == sorted(str(found[number]) for number in range(4))
    (tmp_path / "lines.txt").write_text("f5d6c3\n")
    assert FileOpenings(registry.get("othello"), tmp_path / "lines.txt")[0] == (
        Start("othello"),
        ["f5", "d6", "c3"],
    )
    (tmp_path / "games.pgn").write_text(
        '[White "a"]\n\n1. e4 e5 2. Nf3 *\n\n[White "b"]\n\n1. d4 *\n'
    )
    assert FileOpenings(chess, tmp_path / "games.pgn", plies=2)[0] == (
        Start("chess"),
        ["e2e4", "e7e5"],
    )
    path.write_text("1. e4 e5 2. Nf3\n")
    assert FileOpenings(chess, path)[0] == (Start("chess"), ["e2e4", "e7e5", "g1f3"])
    for text, complaint in (
        ("e2e4 e2e5\n", "line 1: .*e2e5"),
        ("\n", "no opening"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "over"),
    ):
        path.write_text(text)
        with pytest.raises(OpeningError, match=complaint):
            FileOpenings(chess, path)


@pytest.mark.parametrize(
    "protocol, game", [("uci", "chess"), ("cecp", "chess"), ("gomocup", "gomokufreestyle")]
)
def test_absurd_numbers_of_an_engine_cost_no_game(tmp_path, protocol, game):
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


def answer(score=None, mate=None):
    return Answer(0, "", 0.0, [Info(score=score, mate=mate)])


def test_adjudication():
    judge = Adjudicator({"resign": {"moves": 2, "score": 500}})
    assert judge.verdict(0, answer(-600), 1) is None and judge.verdict(1, answer(700), 2) is None
    assert judge.verdict(0, answer(mate=-3), 3)[0] == 1
    judge = Adjudicator({"resign": {"moves": 1, "score": 500}})
    judge.verdict(1, answer(20), 1)
    assert judge.verdict(0, answer(-600), 2) is None  # the opponent disagrees
    judge = Adjudicator({"draw": {"after": 3, "moves": 1, "score": 5}})
    assert [judge.verdict(ply % 2, answer(0), ply) is not None for ply in range(1, 5)] == [
        False,
        False,
        True,
        True,
    ]
    assert Adjudicator(None).verdict(0, answer(-(10**6)), 999) is None
    assert Adjudicator({"max_plies": 4}).verdict(0, answer(), 4)[0] is None


# ---- the client ---------------------------------------------------------------------------------------


def test_a_client_follows_the_game_and_takes_back():
    start = Start("connect4")
    with open_engine() as engine:
        first = engine.think(start, [], Limits(depth=2))
        assert engine.protocol == "uci" and first.depth >= 1 and first.infos[0].pv
        moves = [first.move, start.position([first.move]).legal_moves()[0]]
        assert (
            engine.think(start, moves, Limits(depth=2)).move in start.position(moves).legal_moves()
        )
        assert engine.think(start, [], Limits(depth=2)).move == first.move
        engine.new_game()
        assert engine.think(Start("tictactoe"), [], Limits(depth=2)).move is not None


def test_a_pass_as_the_lowest_own_square_twice():
    game, moves = registry.get("flipello"), []
    position = game.start({})
    while position.legal_moves() != [
        game.pass_move
    ]:  # playing the lowest move each time leads to a pass
        moves.append(min(position.legal_moves()))
        position.make(moves[-1])
    moves.append(game.pass_move)
    command = [sys.executable, str(STUBS / "own_square.py")]
    with open_engine(command, "uci", passing="own-square") as engine:
        assert engine.think(Start("flipello"), moves, Limits(depth=1)).move is not None
    with open_engine(command, "uci") as engine:
        with pytest.raises(Crash):
            engine.think(Start("flipello"), moves, Limits(depth=1))
    with pytest.raises(Refusal):
        open_engine(command, "uci", passing="pass")


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


def test_a_move_that_a_brain_suggests_is_played():
    start = Start("gomoku")
    with open_engine([sys.executable, "-c", SUGGESTING], "gomocup") as engine:
        first = engine.think(start, [], Limits(movetime=5.0)).move
        reply = next(move for move in start.position([first]).legal_moves())
        assert (
            engine.think(start, [first, reply], Limits(movetime=5.0)).move
            in start.position([first, reply]).legal_moves()
        )
