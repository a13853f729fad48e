"""Promises of all scripts: instant help, uniform error messages, nothing unprintable on the terminal."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys

import pexpect
import pytest
import warm
from conftest import NEEDS_TERMINAL
from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = sorted(
    path.name
    for path in (ROOT / "scripts").iterdir()
    if path.is_file() and os.access(path, os.X_OK)
)
LAB = sorted(path.name for path in (ROOT / "scripts" / "lab").glob("[a-z]*.py"))
STYLE = r"(scripts/[a-z_0-9.]+): [^\n]+ \(see \1 --help\)\n"
NOISE = "\x1b[31mred\x07\x00"


def script(name, *words, cwd=None, status=0, **more):
    """Run a script; return (output, errors).  more: other arguments for warm.run()."""
    if name == "check":  # a shell script
        path = str(ROOT / "scripts" / name)
        done = subprocess.run([path, *words], cwd=cwd, capture_output=True, text=True)
        found, output, wrong = done.returncode, done.stdout, done.stderr
    else:
        found, output, wrong = warm.run(f"scripts/{name}", *words, cwd=cwd, **more)
    assert found == status and "Traceback" not in wrong, wrong
    return output, wrong


def test_help_only_prints_help(tmp_path):
    changes = ["git", "status", "--short"]
    before = subprocess.run(changes, cwd=ROOT, stdout=subprocess.PIPE).stdout
    for name in SCRIPTS:
        output, wrong = script(name, "--help", cwd=tmp_path)
        assert f"scripts/{name}" in output and len(output) > 100 and not wrong, name
        assert not re.search(r", -\d", output), f"an option of {name} is a number"
        assert not list(tmp_path.iterdir()), name
    assert subprocess.run(changes, cwd=ROOT, stdout=subprocess.PIPE).stdout == before


@pytest.mark.parametrize("name", LAB)
def test_the_lab_guide_names_all_scripts_and_they_start_in_any_directory(name, tmp_path):
    output, wrong = script(f"lab/{name}", "--help", cwd=tmp_path)
    assert output.startswith(f"usage: scripts/lab/{name} ") and not wrong
    assert f"`{name}`" in (ROOT / "scripts" / "lab" / "README.md").read_text(encoding="utf-8")


def test_a_suite_of_chess_positions_is_solved(tmp_path):
    position = "6k1/5ppp/8/8/8/8/8/R6K w - -"
    (tmp_path / "suite.epd").write_text(
        f'{position} bm Kg1 Ra8+; id "mate";\n\n{position} am Ra8#; id "not the mate";\n'
    )
    output, _ = script("lab/solve_epd.py", "suite.epd", "--nodes", "500", cwd=tmp_path)
    assert re.fullmatch(r"not the mate: Ra8#\n1 of 2 solved, \d+ nodes\n", output)
    (tmp_path / "suite.epd").write_text(f"{position} bm Ra9;\n")
    _, wrong = script("lab/solve_epd.py", "suite.epd", "--nodes", "500", cwd=tmp_path, status=2)
    assert re.fullmatch(r"(scripts/lab/solve_epd.py): [^\n]*Ra9[^\n]* \(see \1 --help\)\n", wrong)


def test_results_of_all_parts_of_a_test_run_are_added_up(capsys):
    run = runpy.run_path(str(ROOT / "scripts" / "test"))["run"]

    def run_share(paths, python, env):
        subprocess.run([python, "-c", "import pexpect, pytest"], check=True, env=env)
        if "test_bad.py" in paths:
            return 1, "its traceback\n1 failed, 2 passed, 1 error in 1s\n"
        return 0, "....\n3 passed, 1 skipped in 1s\n"

    run.__globals__["run_share"] = run_share
    assert run([["test_good.py"], ["test_bad.py"]], sys.executable, 2) == 1
    output = capsys.readouterr().out
    assert "its traceback" in output and "...." not in output
    assert output.endswith("5 passed, 1 failed, 1 skipped, 1 error\n")
    assert run([["test_good.py"]], sys.executable, 2) == 0


def test_each_test_file_is_in_one_share_and_slow_files_come_first():
    divided = runpy.run_path(str(ROOT / "scripts" / "test"))["divided"]
    files = [pathlib.Path(f"test_{number}.py") for number in range(50)]
    shares = divided(files, files[7:9], 4)
    assert shares[:2] == [files[7:8], files[8:9]] and len(shares[2]) > len(shares[-1]) == 1
    assert sorted(sum(shares, [])) == sorted(files)


@pytest.mark.parametrize("name, words", rows("scripts.errors_are_one_line_of_uniform_style"))
def test_errors_are_one_line_of_uniform_style(name, words, tmp_path):
    _, wrong = script(name, *shlex.split(words), cwd=tmp_path, status=2)
    assert re.fullmatch(STYLE, wrong) and wrong.startswith(f"scripts/{name}: ")
    assert "Errno" not in wrong and NOISE[0] not in wrong


CLOSED = ["<&-", ">&-", "2>&-", "2>/dev/full", "<&- >&- 2>&-"]


def closed(streams, name, *words, cwd):
    """Run a script with closed or full streams; return (exit status, output on the other streams)."""
    line = f'exec "$@" {streams}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, str(ROOT / "scripts" / name), *words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        text=True,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


CHECKED = [name for name in SCRIPTS if name not in ("check", "test")]


@pytest.mark.parametrize("number, name", [*enumerate(CHECKED)])
def test_closed_streams_are_accepted_and_hide_no_error(number, name, tmp_path):
    # The scripts share a parser, so two cases per script suffice: one stream closed, and all.
    assert closed(CLOSED[number % 4], name, "--help", cwd=tmp_path)[0] == 0
    assert closed(CLOSED[4], name, "--no-such-option", cwd=tmp_path)[0] == 2


def test_a_game_is_watched_with_closed_streams(tmp_path):
    words = ["play", "tictactoe", "--watch", "--depth", "1"]
    assert closed(CLOSED[4], *words, cwd=tmp_path)[0] == 0


@pytest.mark.parametrize("streams", CLOSED)
def test_scripts_do_their_work_with_closed_streams(streams, tmp_path):
    assert closed(streams, "tree", "(3 5)", cwd=tmp_path)[0] == 0
    (tmp_path / "game.pgn").write_text("1. e4 e5 *")
    assert closed(streams, "analyse", "game.pgn", "--depth", "1", cwd=tmp_path)[0] == 0
    assert (tmp_path / "game-analysed.html").exists()


@pytest.mark.parametrize("streams", [streams for streams in CLOSED if "<" in streams])
@pytest.mark.parametrize("words", [["tree", "-"], ["play"], ["analyse", "-"]], ids=" ".join)
def test_closed_input_is_an_error_if_it_must_be_read(words, streams, tmp_path):
    assert closed(streams, *words, cwd=tmp_path)[0] == 2


def test_a_closed_output_ends_a_script_silently():
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "tree"), "(1 2)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 1


@pytest.mark.parametrize(
    "name, words", rows("scripts.escape_sequences_in_files_do_not_reach_the_terminal")
)
def test_escape_sequences_in_files_do_not_reach_the_terminal(name, words, tmp_path):
    (tmp_path / "noise.pgn").write_text(f'[White "{NOISE}"]\n\n1. {NOISE} *\n')
    (tmp_path / "noise.sgf").write_text(f"(;GM[2];B[{NOISE}])")
    (tmp_path / "noise.jsonl").write_text('{"game": "\\u001b[31m", "moves": [], "id": "\\u0007"}\n')
    _, wrong = script(name, *words, cwd=tmp_path, status=2)
    assert re.fullmatch(STYLE, wrong) and wrong.rstrip("\n").isprintable()


def test_escape_sequences_of_engines_do_not_reach_the_terminal(tmp_path):
    (tmp_path / "noisy.py").write_text(f"import sys\nsys.exit({NOISE!r})\n")
    output, wrong = script(
        *"tournament --game chess --depth 1 --engine name=b --engine".split(),
        f"cmd='{sys.executable}' noisy.py",
        "proto=uci",
        cwd=tmp_path,
        status=2,
    )
    assert "?[31mred" in wrong and (output + wrong).replace("\n", "").isprintable()


def test_play_names_the_games_if_none_is_given():
    _, wrong = script("play", status=2)
    assert re.search("name a game: chess, .*tictactoe", wrong)


@NEEDS_TERMINAL
@pytest.mark.parametrize("sent, status", [("\x04", 0), ("\x03", 130), ("quit\n", 0), ("q\n", 0)])
def test_play_ends_if_the_person_quits_instead_of_answering(sent, status):
    person = pexpect.spawn(
        sys.executable, [str(ROOT / "scripts" / "play"), "tictactoe"], encoding="utf-8", timeout=60
    )
    try:
        person.expect("Do you want to begin")
        person.send(sent)
        person.expect(pexpect.EOF)
        assert "Traceback" not in person.before
        person.close()
        assert person.exitstatus == status
    finally:
        person.close(force=True)


def test_plugin_paths_for_the_tests_are_relative_to_the_current_directory(tmp_path):
    script("new_game", "mygame", cwd=tmp_path)
    output, _ = script(
        *"test tests/test_contract.py -k".split(),
        "mygame and inverse",
        cwd=tmp_path,
        env={**os.environ, "PLYGLOT_PLUGINS": "mygame.py"},
    )
    assert re.search(r"\b[1-9]\d* passed", output)


def test_every_script_loads_the_plugins_of_the_environment_variable(tmp_path):
    nim = str(ROOT / "tests" / "plugins" / "nim.py")
    environment = {**os.environ, "PLYGLOT_PLUGINS": os.pathsep.join(["missing.py", nim])}
    for words in (
        ["tree", "--game", "nim", "--depth", "1"],
        ["tree", "--game", "nim", "--depth", "1", "--plugin", nim],
    ):
        output, wrong = script(*words, cwd=tmp_path, env=environment)
        told = f"scripts/{words[0]}: plugin missing.py: No such file or directory"
        assert output and told in wrong.splitlines()[0]
    for path in sorted((ROOT / "scripts").rglob("*")):
        text = (
            path.read_text(encoding="utf-8")
            if path.suffix in ("", ".py") and path.is_file()
            else ""
        )
        if "parser.add_plugin_option()" in text:
            assert re.search(r"parser(\(\))?\.read\(", text) and "load_plugin(" not in text, path
