"""The jobs of scripts: interruption, resumption, and executors that lose workers."""
# Not in the fast part of scripts/test.

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest
import warm
from conftest import ROOT, run_python, wait_until
from tournaments import EXECUTORS, STUBS, processes

from scripts.jobs.files import ResultsFile
from scripts.lab._self_play import opened

TEACHER = """#!{python}
import sys
sys.path.insert(0, {root!r})
from games import registry
for line in sys.stdin:
    if line.startswith("setoption name UCI_Variant value "):
        game = registry.get(line.split()[-1])
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("position"):
        position = game.parse(line[13:].strip(), {{}})
    elif line.startswith("go"):
        move = position.move_text(min(position.legal_moves()))
        score = 30 if position.fullmove_number < 8 else 3000
        print(f"info depth 1 score cp {{score}}\\nbestmove {{move}}", flush=True)
"""


def start(tmp_path, name, *words):
    """Start a script as a process that can import the executors of tests/stubs."""
    environment = {**os.environ, "PYTHONPATH": str(STUBS), "DYING": str(tmp_path / "died")}
    return subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / name), *map(str, words)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(tmp_path, name, *words, status=0):
    """Run a script; return its standard output and error output."""
    env = {"PYTHONPATH": str(STUBS), "DYING": str(tmp_path / "died")}
    found, output, wrong = warm.run(f"scripts/{name}", *words, cwd=tmp_path, env=env)
    assert found == status and "Traceback" not in wrong, wrong
    return output + wrong


# ---- scripts/analyse ------------------------------------------------------------------------------------


def three_games(tmp_path):
    """Write a file of three short games."""
    (tmp_path / "three.pgn").write_text(
        "".join(f'[White "{name}"]\n\n1. e4 e5 2. Nf3 *\n\n' for name in "ABC")
    )


@pytest.mark.parametrize("executor, lost", EXECUTORS)
def test_games_are_analysed_by_an_executor(tmp_path, executor, lost):
    three_games(tmp_path)
    words = ["three.pgn", "--depth", 1, "--option", "Hash=1"]
    run(tmp_path, "analyse", *words, "-o", "alone")
    output = run(tmp_path, "analyse", *words, "--concurrency", 2, "--executor", executor)
    assert output.count("is analysed again") >= lost and ("was lost" in output) == bool(lost)
    assert (tmp_path / "three-analysed.pgn").read_text() == (tmp_path / "alone.pgn").read_text()
    assert not list(tmp_path.glob("*.part*")), "the partial results are removed at the end"


@pytest.mark.parametrize(
    "executor, wrong",
    [
        ("os:getcwd", "os:getcwd: returned a str, not an executor"),
        ("os:chdir", "os:chdir: TypeError: "),
        ("os:sep", '"os:sep" is not callable'),
    ],
)
def test_invalid_executor_is_reported(tmp_path, executor, wrong):
    three_games(tmp_path)
    for name, words in (
        ("analyse", ["three.pgn", "--depth", 1]),
        ("learn", ["--game", "tictactoe", "-o", "weights"]),
        ("tournament", ["--game", "tictactoe", "--engine", "name=a", "--engine", "--depth", 1]),
    ):
        output = run(tmp_path, name, *words, "--executor", executor, status=2)
        assert output.count("\n") == 1 + (name != "tournament" and "callable" not in wrong)
        assert wrong in output


TWICE = """
import signal
from scripts.jobs import signals
signals.listen()
try:
    with signals.interrupts_to(lambda: False):
        signal.raise_signal(signal.SIGINT)
except signals.Interrupted as signalled:
    signal.raise_signal(signal.SIGINT)
    print(signalled.status)
"""


def test_a_second_interrupt_does_not_disturb_the_end_of_a_script():
    assert run_python("-c", TWICE, cwd=ROOT).stdout == "130\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_analysis_continues(tmp_path, number):
    three_games(tmp_path)
    part = tmp_path / "three-analysed.part"
    words = ["three.pgn", "--movetime", 0.1]
    process = start(tmp_path, "analyse", *words)
    wait_until(lambda: part.exists() and part.read_text().count("\n") > 1)
    process.send_signal(number)
    _, wrong = process.communicate(timeout=60)
    assert process.returncode == 128 + number and "repeat the command to continue" in wrong
    assert not (tmp_path / "three-analysed.pgn").exists()
    done = part.read_text().count("\n") - 1
    assert "holds results for other settings" in run(
        tmp_path, "analyse", "three.pgn", "--depth", 1, status=2
    )
    expected = f"three-analysed.part already has {done} of 3 games"
    assert expected in run(tmp_path, "analyse", *words)
    assert (tmp_path / "three-analysed.pgn").read_text().count("2. Nf3") == 3 and not part.exists()


def test_an_engine_that_cannot_analyse_does_not_count_as_a_lost_worker(tmp_path):
    three_games(tmp_path)
    output = run(tmp_path, "analyse", "three.pgn", "--engine", "no-such-engine", status=2)
    assert "can't start no-such-engine" in output and "again" not in output


# ---- scripts that make training data --------------------------------------------------------------------


def test_training_positions_of_chess_are_made_by_an_executor(tmp_path):
    teacher = tmp_path / "teacher"
    teacher.write_text(TEACHER.format(python=sys.executable, root=str(ROOT)))
    teacher.chmod(0o755)
    words = ["lab/chess_data.py", "data.txt", 40, 1, teacher]
    run(tmp_path, *words, "--concurrency", 2, "--executor", "executors:dying")
    lines = (tmp_path / "data.txt").read_text().splitlines()
    assert sorted(int(line[2:]) for line in lines if line[0] == "#") == list(range(40))
    for line in lines:
        assert line[0] == "#" or re.fullmatch(r"[\w/]+ [wb] \| -?\d+ \| (1\.0|0\.5|0\.0)", line)
    assert "40 of 40" not in run(tmp_path, *words), "no game is played twice"
    wait_until(lambda: not processes(teacher))
    run(tmp_path, "lab/chess_data.py", "horde.txt", 12, 1, teacher, "--game", "horde")
    boards = re.findall(r"^\S+ [wb] ", (tmp_path / "horde.txt").read_text(), re.MULTILINE)
    assert boards and min(board.count("P") for board in boards) > 30
    assert "engine not found: no-such-engine" in run(
        tmp_path, "lab/chess_data.py", "data.txt", 9, 1, "no-such-engine", status=2
    )


# ---- files ----------------------------------------------------------------------------------------------


def test_the_next_write_removes_the_lines_of_an_unfinished_game(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("one\n# 1\ntwo\nhal")
    file = opened(path)
    assert list(file.lines()) == [b"one", b"# 1"] and path.read_text().endswith("hal"), (
        "opening the file must not change it"
    )
    file.append("three\n# 2\n")
    file.close()
    assert path.read_text() == "one\n# 1\nthree\n# 2\n"


def test_stored_results_are_found_again_until_they_are_removed(tmp_path):
    path = tmp_path / "file.part"
    progress = ResultsFile(path, {"work": [1]})
    progress.add({"id": "a", "value": 1})
    progress.close()
    again = ResultsFile(path, {"work": [1]})
    assert again.done == {"a": {"id": "a", "value": 1}}
    again.remove()
    assert not list(tmp_path.iterdir())
    ResultsFile(path, {}).close()
    assert not list(tmp_path.iterdir()), "without results no file remains"
