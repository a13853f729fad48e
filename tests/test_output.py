"""Output to unread pipes, special files and full disks, none of which blocks the process."""

import os
import re
import subprocess
import sys
import threading

import pytest
from conftest import PATIENCE, ROOT, run_python
from front_end import output_of

from protocol.wire import Writer

ENGINE = [sys.executable, str(ROOT / "engine.py")]

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
needs_full = pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no disk that is always full"
)


@pytest.fixture
def fifo(tmp_path):
    path = str(tmp_path / "pipe.py")
    os.mkfifo(path)
    return path


def run(data, *arguments, **keywords):
    """Run the engine with this input; return (exit status, stdout, stderr)."""
    done = run_python(*ENGINE[1:], *arguments, input=data, **keywords)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    "flood, leave",
    [
        ("uci\n" * 60, "quit"),
        (
            "position startpos\nsetoption name MultiPV value 200\ngo depth 2\n" * 9
            + "go infinite\n",
            "quit",
        ),
        ("list_commands\n" * 100, "quit"),
        ("genmove b\n" + "list_commands\n" * 100, "quit"),
        ("xboard\n" + "protover 2\n" * 60, "quit"),
        ("START 15\n" + "ABOUT\n" * 2500, "END"),
        ("nboard 2\n" + "learn\n" * 12000, "quit"),
    ],
    ids=lambda value: value.split("\n")[0],
)
def test_quit_works_if_the_answers_are_not_read(flood, leave):
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process.stdin, process.stdout:
        process.stdin.write(f"{flood}{leave}\n".encode())
        process.stdin.flush()
        try:
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def test_a_slow_reader_gets_everything_in_order():
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process.stdin, process.stdout:
        for number in range(60):
            process.stdin.write(f"uci\nunknown{number}\n".encode())
        process.stdin.write(b"go depth 1\n")
        process.stdin.close()
        output = process.stdout.read().decode().splitlines()
        assert process.wait(PATIENCE) == 0
    assert [line for line in output if line.startswith("info string") or line == "uciok"] == [
        line
        for number in range(60)
        for line in ("uciok", f"info string error: unknown command: unknown{number}")
    ]
    assert output[-1].startswith("bestmove ")


def test_the_process_stays_until_its_last_answer_is_read():
    process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process.stdin, process.stdout:
        process.stdin.write(b"uci\n" * 600)
        process.stdin.close()
        # The unread output is far larger than a pipe's buffer.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        assert process.stdout.read().decode().splitlines().count("uciok") == 600
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("pieces", [True, False])
def test_flush_waits_until_everything_is_written(monkeypatch, pieces):
    if not pieces:  # as on a system that can't report when a pipe has room
        monkeypatch.setattr("protocol.wire.readiness", lambda stream: (None, 1 << 16))
    reader, end = os.pipe()
    with open(reader, "rb") as source, open(end, "wb", buffering=0) as stream:
        write = Writer(stream, None, lambda: None)
        write(*["x" * 99] * 5000)
        assert write.flush(0.01) is None and write._size > 0, "nothing has been read yet"

        def leave():
            write.flush(PATIENCE)
            stream.close()

        leaving = threading.Thread(target=leave)
        leaving.start()
        assert len(source.read()) == 500000
        leaving.join()


@pytest.mark.parametrize(
    "sent, last",
    [
        ("xboard\nprotover 2\nnew\nsd 1\npost\nusermove e2e4\nping 3\n", "pong 3"),
        ("start 15\nINFO max_depth 1\nTURN 7,7\n", r"\d+,\d+"),
        ("nboard 2\nset depth 2\ngo\n", "=== .*"),
    ],
)
def test_output_lines_are_trimmed_and_end_with_a_line_feed(sent, last):
    lines = output_of(sent.replace("\n", "\r\n").encode()).decode().split("\n")
    assert lines.pop() == "" and re.fullmatch(last, lines[-1])
    assert all(line and line == line.strip() and "\r" not in line for line in lines)


@needs_fifo
def test_a_pipe_is_refused_as_a_file_option(fifo):
    output = output_of(
        f"setoption name BookFile value {fifo}\nposition startpos\ngo depth 1\n".encode()
    ).decode()
    assert output.startswith("info string error: BookFile: ") and fifo in output.splitlines()[0]
    assert output.splitlines()[-1].startswith("bestmove ")
    assert output_of(f"plyglot-param BookFile {fifo}\nname\n".encode()).startswith(b"? BookFile: ")
    said = output_of(f"xboard\noption BookFile={fifo}\nping 1\n".encode())
    assert said.startswith(b"feature done=0\ntellusererror BookFile: ")


@needs_fifo
@pytest.mark.parametrize("option", ["--log", "--plugin"])
def test_an_unconnected_pipe_as_log_or_plugin_is_refused(fifo, option):
    status, output, errors = run(b"isready\n", option, fifo)
    assert (status, output) == (2, "") and fifo in errors
    assert errors.startswith("engine.py: ") and errors.count("\n") == 1


@needs_fifo
def test_a_log_into_a_pipe_ends_when_its_reader_is_gone(fifo):
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        # Nobody reads the pipe, so it fills up.
        status, output, errors = run(b"isready\n" + b"uci\n" * 60, "--log", fifo)
        assert b"> isready" in os.read(reader, 100)
    finally:
        os.close(reader)
    assert status == 0 and output.count("uciok") == 60
    assert errors.count("\n") == 1 and fifo in errors


@needs_full
@pytest.mark.parametrize(
    "script, answer",
    [
        (b"isready\nposition startpos\ngo depth 3\n", "\nbestmove "),
        (b"name\nset_game tictactoe\ngenmove b\n", "\n= B2\n"),
    ],
)
def test_a_full_disk_ends_the_log_with_one_message(script, answer):
    status, output, errors = run(script, "--log", "/dev/full")
    assert status == 0 and answer in output
    assert errors.startswith("engine.py: can't write the log /dev/full ")
    assert errors.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell to close a stream")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_streams_that_are_closed_at_the_start_are_tolerated(closed):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *ENGINE],
        input=b"isready\nnonsense\n",
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0 and done.stderr == b""
    assert done.stdout.startswith(b"readyok\n" if closed == "2>&-" else b"")


@pytest.mark.parametrize("kind", ["closed", "unread", pytest.param("full", marks=needs_full)])
def test_gtp_plays_on_without_a_reader_of_its_live_graphics(kind):
    read, write = os.pipe()
    os.close(read)
    stderr = os.open("/dev/full", os.O_WRONLY) if kind == "full" else write
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" "$@" 2>&-', *ENGINE] if kind == "closed" else ENGINE,
        input=b"gogui-version 1.6.0\nset_game tictactoe\nplyglot-param Genmove_Depth 1\n"
        b"genmove b\nplay w A1\ngenmove b\n",
        stdout=subprocess.PIPE,
        stderr=stderr,
        timeout=PATIENCE,
    )
    os.close(write)
    if kind == "full":
        os.close(stderr)
    assert done.stdout.count(b"=") == 6 and b"= B2" in done.stdout


@needs_fifo
def test_gtp_plays_on_if_its_live_graphics_fill_an_unread_pipe():
    read, write = os.pipe()
    os.set_blocking(write, False)
    while True:
        try:
            os.write(write, bytes(1 << 16))
        except BlockingIOError:
            break
    os.set_blocking(write, True)
    done = subprocess.run(
        ENGINE,
        input=b"gogui-version 1.6.0\nset_game tictactoe\nplyglot-param Genmove_Depth 1\ngenmove b\n",
        stdout=subprocess.PIPE,
        stderr=write,
        timeout=PATIENCE,
    )
    os.close(write)
    os.close(read)
    assert b"= B2" in done.stdout
