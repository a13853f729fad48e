"""What other systems lack, taken away (tests/systems), and what they send."""
import os
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT

ENGINE = [sys.executable, str(ROOT / "engine.py")]
SIMULATED = ("windows", "macos")


@pytest.fixture
def system(request, tmp_path):
    """The environment in which every interpreter lacks what a system lacks."""
    tags = tmp_path / "tags"
    tags.mkdir()
    return dict(os.environ, SIMULATED_SYSTEM=request.param, SIMULATED_TAGS=str(tags),
                PYTHONPATH=str(ROOT / "tests" / "systems"))


simulated = pytest.mark.parametrize("system", SIMULATED, indirect=True)


def answers(data, arguments=(), **keywords):
    """What an engine writes that is given `data`; nothing may come on stderr."""
    done = subprocess.run([*ENGINE, *arguments], input=data, capture_output=True, timeout=PATIENCE, **keywords)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@simulated
@pytest.mark.parametrize("script, answer", [
    ("uci\nsetoption name Threads value 2\nposition startpos\ngo depth 5\nisready\n", "\nbestmove "),
    ("xboard\nprotover 2\nst 1\nsd 2\ngo\n", "\nmove "), ("START 15\nBEGIN\n", "\n7,7\n"),
    ("name\nset_game othello\ngenmove b\n", "\n= "), ("nboard 2\nset depth 2\ngo\n", "\n=== ")],
    ids=["uci", "cecp", "gomocup", "gtp", "nboard"])
def test_every_protocol_plays(system, script, answer):
    assert answer in answers(script.encode(), env=system)


@simulated
def test_an_engine_that_nobody_reads_ends_at_quit(system):
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=system)
    with process.stdin, process.stdout:
        process.stdin.write(b"uci\n" + b"d\n" * 400 + b"quit\n")
        process.stdin.flush()
        try:
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@pytest.mark.parametrize("first, answer", [(b"START 15", "OK"), (b"isready", "readyok"), (b"1 protocol_version", "=1 2"),
                                           (b"nboard 2\nping 3", "pong 3"), (b"xboard\nping 7", "pong 7")])
def test_a_byte_order_mark_before_the_first_line_is_ignored(first, answer):
    assert answer in answers(b"\xef\xbb\xbf" + first + b"\r\n")


@pytest.mark.parametrize("name", ["J\xf6rg.bin".encode("latin-1"), "J\xf6rg und 名.bin".encode(), b"a b.bin"])
@pytest.mark.parametrize("quote", [b"", b'"'])
def test_file_names_are_found_in_the_encoding_and_quotes_of_front_ends(tmp_path, name, quote):
    try:
        with open(os.fsencode(tmp_path) + b"/" + name, "wb") as file:
            file.write(bytes(16))
    except OSError:
        pytest.skip("the system has no such file names")
    said = answers(b"setoption name BookFile value " + quote + os.fsencode(tmp_path) + b"/" + name + quote + b"\nisready\n")
    assert said == "readyok\n"


def test_an_isolated_interpreter_finds_the_engine(tmp_path):
    done = subprocess.run([sys.executable, "-I", *ENGINE[1:]], input=b"isready\n", capture_output=True, cwd=tmp_path,
                          timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"readyok\n", b"")


@pytest.mark.parametrize("script", ["analyse", "bench", "board", "learn", "new_game", "perft", "play", "tournament", "tree"])
def test_an_isolated_interpreter_finds_the_scripts(script, tmp_path):
    done = subprocess.run([sys.executable, "-I", str(ROOT / "scripts" / script), "--help"], capture_output=True,
                          cwd=tmp_path, timeout=PATIENCE)
    assert done.returncode == 0 and done.stdout.startswith(b"usage: ") and done.stderr == b""


TREE = "(Ω:(3 5) 名:(6 9))"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp437", "ascii"])
def test_no_character_ends_a_script(encoding, tmp_path):
    (tmp_path / "名.pgn").write_text("1. e4 e5 2. Nf3 *", encoding="utf-8")
    environment = dict(os.environ, PYTHONIOENCODING=encoding)
    environment.pop("PYTHONUTF8", None)
    for words, given, status in [
            (["tree", TREE], b"", 0), (["analyse", "名.pgn", "--nodes", "50", "-o", "Ω"], b"", 0),
            (["play", "tictactoe"], b"\xf6\xe5\n\x8d\x81\nquit\nyes\n", 0), (["new_game", "名"], b"", 2),
            (["learn", "名"], b"", 2), (["perft", "chess", "--plugin", "名.py"], b"", 2), (["bench", "Ж"], b"", 2),
            (["tournament", "--game", "Ω"], b"", 2), (["board", "--plugin", "名.py"], b"", 2)]:
        done = subprocess.run([sys.executable, str(ROOT / "scripts" / words[0]), *words[1:]], input=given,
                              capture_output=True, cwd=tmp_path, timeout=PATIENCE, env=environment)
        assert done.returncode == status, (words, done)
        assert b"Traceback" not in done.stderr and done.stderr.count(b"\n") <= 1, (words, done.stderr)
