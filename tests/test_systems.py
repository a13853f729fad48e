"""Plyglot on Windows and macOS, without the features that they lack, and input in any encoding."""
# Not in the fast part of scripts/test.

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest
import warm
from conftest import PATIENCE, ROOT, run_python
from tables import rows

from scripts.jobs.command import ExecutorError, open_run

ENGINE = [sys.executable, str(ROOT / "engine.py")]
SIMULATED = ("windows", "macos")


@pytest.fixture
def system(request, tmp_path):
    """Return an environment in which Python lacks the features that Windows or macOS lacks."""
    tags = tmp_path / "tags"
    tags.mkdir()
    return dict(
        os.environ,
        SIMULATED_SYSTEM=request.param,
        SIMULATED_TAGS=str(tags),
        PYTHONPATH=str(ROOT / "tests" / "systems"),
    )


simulated = pytest.mark.parametrize("system", SIMULATED, indirect=True)


def answers(data, arguments=(), **keywords):
    """Return an engine's output for `data`; it must write nothing to stderr."""
    done = run_python(*ENGINE[1:], *arguments, input=data, **keywords)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@simulated
@pytest.mark.parametrize(
    "script, answer",
    rows("systems.every_protocol_plays"),
    ids=["uci", "cecp", "gomocup", "gtp", "nboard", "hub", "usi"],
)
def test_every_protocol_plays(system, script, answer):
    assert answer in answers(script.encode(), env=system)


@simulated
def test_quit_ends_an_engine_whose_output_is_not_read(system):
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=system)
    with process.stdin, process.stdout:
        process.stdin.write(b"uci\n" + b"d\n" * 400 + b"quit\n")
        process.stdin.flush()
        try:
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@simulated
def test_the_option_no_threads_is_refused_if_the_input_cannot_be_polled(system):
    done = run_python(*ENGINE[1:], "--no-threads", input=b"go depth 2\n", env=system)
    if system["SIMULATED_SYSTEM"] == "windows":
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    else:
        assert done.returncode == 0 and b"\nbestmove " in done.stdout


MOVES = "1. e4 e5 2. Nf3 *"
PAIR = ["--engine", "name=a", "--engine", "name=b"]


# [(words of a command, its input, a text in its output)]
WORK = [
    (["play", "tictactoe", "--depth", "2"], "no\nd\nquit\nyes\n", "Goodbye."),
    (
        ["tournament", *"--game tictactoe --depth 2 --rounds 1 --concurrency 2".split(), *PAIR],
        "",
        "a is superior with",
    ),
    (["analyse", "game.pgn", "--nodes", "20"], "", "written: "),
    (["tree", "-"], "\ufeff(1 2)", "value 2"),
    (
        ["learn", *"--game tictactoe --games 20 --concurrency 2 -o x.weights".split()],
        "",
        "x.weights: 20 games",
    ),
    (["new_game", "mine"], "", "mine.py is a game"),
]


@pytest.mark.parametrize(
    "system, words, given, expected",
    [("windows", *case) for case in WORK]
    # macOS differs from Linux only if several processes work.
    + [("macos", *case) for case in WORK if "--concurrency" in case[0]],
    indirect=["system"],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_script_works(system, tmp_path, words, given, expected):
    if (
        words[0] == "learn"
        and sys.implementation.name == "pypy"
        and not hasattr(ProcessPoolExecutor, "_adjust_process_count")
    ):
        pytest.skip("this PyPy's ProcessPoolExecutor fails if it must spawn its processes")
    (tmp_path / "game.pgn").write_text(MOVES)
    done = run_python(
        ROOT / "scripts" / words[0], *words[1:], input=given, cwd=tmp_path, env=system
    )
    assert done.returncode == 0 and expected in done.stdout and "Traceback" not in done.stderr, done


@pytest.mark.parametrize(
    "system, words",
    rows("systems.commands_in_messages_are_written_for_the_system"),
    indirect=["system"],
)
def test_commands_in_messages_are_written_for_the_system(system, tmp_path, words):
    (tmp_path / "a b").mkdir()
    command = [sys.executable, str(ROOT / "scripts" / "new_game"), "mine", "-o", "a b/mine.py"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=system, encoding="utf-8")
    assert all(word in done.stdout for word in words), done
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=system, encoding="utf-8")
    script = words[0].strip().partition(" play")[0].partition("scripts/")[0] + "scripts/new_game"
    assert done.returncode == 2 and done.stderr.endswith(f"(see {script} --help)\n")


IMPORT_ALL = """
import importlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root))
for folder in ("games", "search", "protocol", "scripts", "plyglot"):
    for path in sorted(root.glob(folder + "/**/*.py")):
        if "lab" not in path.parts:
            importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
"""


@simulated
def test_every_module_can_be_imported(system):
    command = [sys.executable, "-c", IMPORT_ALL, str(ROOT)]
    done = subprocess.run(command, capture_output=True, env=system, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")


@simulated
def test_two_servers_of_the_board_never_share_a_port(system, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, str(ROOT / "scripts" / "board"), "--no-browser", "--port", str(port)]
    system["XDG_STATE_HOME"] = str(tmp_path)
    first = subprocess.Popen(words, stdout=subprocess.PIPE, env=system, encoding="utf-8")
    with first.stdout:
        try:
            assert f":{port}/" in first.stdout.readline()
            second = subprocess.run(
                words, capture_output=True, env=system, timeout=PATIENCE, encoding="utf-8"
            )
            assert second.returncode == 2 and "already in use" in second.stderr
        finally:
            first.terminate()
            first.wait()


@simulated
def test_ctrl_c_ends_a_command_of_the_command_line(system):
    process = subprocess.Popen([*ENGINE, "go", "depth", "90"], stdout=subprocess.PIPE, env=system)
    with process.stdout:
        process.stdout.readline()  # after its first line the engine is searching
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(PATIENCE) == 130
        finally:
            process.kill()


def test_more_processes_than_windows_can_await_are_refused(monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")  # concurrent.futures limits processes on Windows
    arguments = argparse.Namespace(concurrency=62, executor=None, lost_after=None)
    with open_run(arguments, print, ("game", "played"), processes=True) as run:
        with pytest.raises(ExecutorError, match="--concurrency 62: .* must be <= 61"):
            list(run.results(iter([{"id": "1"}])))


def test_a_table_that_32_bits_cannot_address_is_refused():
    program = FROZEN.replace("sys.frozen = True", "sys.maxsize = (1 << 31) - 1")
    done = run_python(
        "-c", program, input=b"uci\nsetoption name Hash value 4096\ngo depth 2\nisready\n"
    )
    assert b"name Hash type spin default 64 min 1 max 1024\n" in done.stdout and done.stderr == b""
    assert b"1024" in done.stdout.partition(b"uciok")[2].partition(b"info depth")[0]
    assert b"bestmove" in done.stdout


FROZEN = f"import sys; sys.frozen = True; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['plyglot']; import engine; engine.run()"
NO_ROOM = f"""import errno, os, sys
def refuse(descriptor, size):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
os.ftruncate = refuse
sys.path.insert(0, {str(ROOT)!r})
sys.argv = ["plyglot"]
import engine
engine.run()"""


@pytest.mark.parametrize(
    "program, expected",
    [(FROZEN, "frozen"), (NO_ROOM, "no memory can be shared")],
    ids=["frozen", "no room"],
)
@pytest.mark.parametrize("system", ["macos", "none"], indirect=True)
def test_a_system_without_helpers_gets_one_message_and_one_process(system, program, expected):
    done = run_python(
        "-c", program, input=b"setoption name Threads value 2\ngo depth 3\nisready\n", env=system
    )
    assert done.returncode == 0 and done.stdout.count(b"info string") == 1, done
    assert expected.encode() in done.stdout
    assert b"bestmove " in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "first, answer",
    # Two protocols suffice: the byte order mark is removed before the protocol is chosen.
    [(b"START 15", "OK"), (b"isready", "readyok")],
)
def test_a_byte_order_mark_before_the_first_line_is_ignored(first, answer):
    assert answer in answers(b"\xef\xbb\xbf" + first + b"\r\n")


TEXTS = {kind: case for kind, *case in rows("systems.texts_with_a_byte_order_mark_are_read")}


@pytest.mark.parametrize(
    "kind, encoding",
    [
        *((kind, "utf-8-sig") for kind in TEXTS),
        # One function reads all files, so three kinds of text are enough to test UTF-16.  Typed input
        # ("tree", "play") is in the console's encoding.
        *((kind, "utf-16") for kind in ("moves", "record", "openings")),
    ],
)
def test_texts_with_a_byte_order_mark_are_read(kind, encoding, tmp_path):
    words, text, output = TEXTS[kind]
    data = text.replace("\n", "\r\n").encode(encoding)
    for name in ("in.pgn", "in.txt", "in.epd"):
        (tmp_path / name).write_bytes(data)
    script = f"scripts/{words[0]}"
    if any(word.startswith("in.") for word in words):
        status, said, wrong = warm.run(script, *words[1:], cwd=tmp_path)
    else:
        more = {"PYTHONIOENCODING": "utf-8", "XDG_STATE_HOME": str(tmp_path)}
        done = run_python(
            ROOT / script, *words[1:], input=data, cwd=tmp_path, env={**os.environ, **more}
        )
        status, said, wrong = done.returncode, done.stdout.decode(), done.stderr.decode()
    assert status == 0 and output in said and "is not" not in said + wrong, said + wrong


@pytest.mark.parametrize(
    "name", ["J\xf6rg.bin".encode("latin-1"), "J\xf6rg und 名.bin".encode(), b"a b.bin"]
)
def test_files_are_found_by_names_in_any_encoding_and_in_quotes(tmp_path, name):
    path = os.fsencode(tmp_path) + b"/" + name
    try:
        with open(path, "wb") as file:
            file.write(bytes(16))
    except OSError:
        pytest.skip("the system has no such file names")
    setting = b"setoption name BookFile value "
    assert answers(b'%b%b\n%b"%b"\nisready\n' % (setting, path, setting, path)) == "readyok\n"


def test_an_isolated_interpreter_finds_the_engine(tmp_path):
    done = run_python("-I", *ENGINE[1:], input=b"isready\n", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"readyok\n", b"")


@pytest.mark.parametrize(
    "script", ["analyse", "board", "learn", "new_game", "play", "tournament", "tree"]
)
def test_an_isolated_interpreter_finds_the_scripts(script, tmp_path):
    done = run_python("-I", ROOT / "scripts" / script, "--help", cwd=tmp_path, encoding=None)
    assert done.returncode == 0 and done.stdout.startswith(b"usage: ") and done.stderr == b""


TREE = "(Ω:(3 5) 名:(6 9))"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp437", "ascii"])
def test_unprintable_characters_do_not_end_a_script(encoding, tmp_path):
    (tmp_path / "名.pgn").write_text("1. e4 e5 2. Nf3 *", encoding="utf-8")
    environment = dict(os.environ, PYTHONIOENCODING=encoding)
    environment.pop("PYTHONUTF8", None)
    works = [
        (["tree", TREE], b"", 0),
        (["play", "tictactoe"], b"\xf6\xe5\n\x8d\x81\nquit\nyes\n", 0),
        (["analyse", "名.pgn", "--nodes", "50", "-o", "Ω"], b"", 0),
    ]
    fails = [
        (["new_game", "名"], b"", 2),
        (["learn", "名"], b"", 2),
        (["tournament", "--game", "Ω"], b"", 2),
        (["board", "--plugin", "名.py"], b"", 2),
    ]
    for words, given, status in works + fails if encoding == "ascii" else works[:2] + fails[:1]:
        done = run_python(
            ROOT / "scripts" / words[0], *words[1:], input=given, cwd=tmp_path, env=environment
        )
        assert done.returncode == status, (words, done)
        assert b"Traceback" not in done.stderr and done.stderr.count(b"\n") <= 1, (
            words,
            done.stderr,
        )


@pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="not a checkout of git"
)
def test_a_clone_with_autocrlf_has_the_line_feeds_of_the_project(tmp_path):
    clone = ["git", "clone", "-q", "-c", "core.autocrlf=true", str(ROOT), "clone"]
    subprocess.run(clone, cwd=tmp_path, check=True, timeout=PATIENCE)
    listed = subprocess.check_output(
        ["git", "ls-files", "--eol"], cwd=tmp_path / "clone", encoding="utf-8"
    )
    changed = [line for line in listed.splitlines() if "i/lf" in line and "w/crlf" in line]
    assert listed and all(line.endswith(".bat") for line in changed), changed
