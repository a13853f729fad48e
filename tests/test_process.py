"""plyglot.Process: no program can block its owner or fill its memory."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT, wait_until

from plyglot import Crash, Missing, Process, Refusal, Stall, command
from plyglot import process as process_module

PYTHON = [sys.executable, "-c"]

GROUPS = pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system has no process groups")


@pytest.fixture
def start():
    """Return start(source), which runs a Python program and ends it with the test."""
    begun = []

    def starter(source, **keywords):
        begun.append(Process([*PYTHON, source], **keywords))
        return begun[-1]

    yield starter
    for process in begun:
        process.kill()


def soon(seconds=0.3):
    return time.perf_counter() + seconds


def test_a_deadline_holds_even_if_lines_are_queued(start):
    process = start("while True: print('info depth 1', flush=True)")
    process.read()
    with pytest.raises(Stall, match="no answer"):
        until = soon()
        while True:
            when, _ = process.read(until)
            assert when <= until


def test_a_line_that_arrived_in_time_may_be_read_late():
    waiting = process_module.LineQueue()
    waiting.put(b"bestmove e2e4\n")
    until = time.perf_counter()
    waiting.put(b"bestmove d2d4\n")
    assert waiting.get(until)[1] == "bestmove e2e4"
    with pytest.raises(Stall):
        waiting.get(until)
    assert waiting.get()[1] == "bestmove d2d4"


def test_no_unread_line_is_lost_while_the_queue_is_full(start):
    process = start("for number in range(30_000): print(number)")
    wait_until(lambda: len(process.lines._waiting) >= process_module.MAX_LINES)
    assert [int(process.read(soon(60))[1]) for _ in range(30_000)] == list(range(30_000))
    with pytest.raises(Crash, match="status 0"):
        process.read(soon(60))


def test_the_bytes_of_unread_lines_are_bounded(start, monkeypatch):
    monkeypatch.setattr(process_module, "MAX_BYTES", 1000)
    process = start("for number in range(2000): print(number)")
    assert [int(process.read(soon(20))[1]) for _ in range(2000)] == list(range(2000))


def test_a_long_last_message_of_a_program_is_shortened(start):
    process = start("import sys; sys.exit('x' * 10_000)")
    with pytest.raises(Crash) as crash:
        process.read(soon(60))
    assert 200 < len(str(crash.value)) < 300


def test_a_program_may_finish_its_output_before_it_ends(start):
    process = start("import os\nfor n in range(100_000): print('x' * 99)\ninput(); os._exit(7)")
    process.close(["quit"], grace=20)
    assert process.wait(0) == 7


def test_a_line_without_end_takes_bounded_memory(start):
    process = start("import sys\nsys.stdout.write('x' * (3 << 20) + '\\nlast\\n')")
    assert len(process.read()[1]) == process_module.LONGEST_LINE
    assert process.read()[1] == "last"


def test_output_that_is_not_utf_8_is_read(start):
    process = start("import sys; sys.stdout.buffer.write(b'\\xff\\x00id\\r\\nend')")
    assert [process.read()[1] for _ in range(2)] == ["\ufffd\x00id", "end"]


def test_a_program_that_does_not_read_its_input_does_not_block(start):
    process = start("import time; print('here', flush=True); time.sleep(1000)")
    process.read()
    for _ in range(20):
        process.write("x" * 100_000)
    with pytest.raises(Stall):
        process.read(soon(0.05))
    process.close(["quit"], grace=0.05)
    assert process.wait(0) == -getattr(signal, "SIGKILL", -1)  # the status is 1 on Windows


def test_a_program_that_writes_without_end_still_receives_quit(start):
    process = start(
        "import threading, sys, os\n"
        "def write():\n    while True: print('info')\n"
        "threading.Thread(target=write, daemon=True).start()\n"
        "input(); os._exit(7)"
    )
    process.read()
    process.close(["quit"], grace=60)
    assert process.wait(0) == 7


def test_two_threads_may_end_a_process(start):
    process = start("input()")
    end, other = process._end_group, threading.Thread(target=process.kill)

    def end_beside_another():
        other.start()
        other.join(60)
        assert not other.is_alive(), "kill() of another thread returns at once"
        end()

    process._end_group = end_beside_another
    process.kill()
    assert process.wait(0) is not None


def test_the_error_names_the_exit_status_and_the_last_lines_on_stderr(start):
    process = start(
        "import sys; print('bad \\udcff word'.encode('utf-8', 'surrogateescape'), file=sys.stderr); sys.exit(5)"
    )
    with pytest.raises(Crash, match="status 5 .*bad"):
        process.read()
    process = start("input()")
    os.kill(process.pid, signal.SIGTERM)
    with pytest.raises(Crash, match="signal 15"):
        process.read()
    wait_until(lambda: process.wait(0) is not None)
    with pytest.raises(Crash):
        while True:  # the first writes may succeed before the pipe breaks
            process.write("hello")


def test_a_line_break_inside_a_line_is_refused(start):
    process = start("input()")
    for text in ("position startpos\nquit", "a\rb"):
        with pytest.raises(Refusal, match="line break"):
            process.write(text)


@GROUPS
def test_the_terminals_signals_do_not_reach_the_process(start):
    process = start("input()")
    assert os.getpgid(process.pid) == process.pid
    assert command.separation(windows=True) == {"creationflags": 0x200}


def test_a_wait_without_a_deadline_can_be_interrupted():
    waiting, slices = process_module.LineQueue(), []

    class Changed(threading.Condition):
        def wait(self, timeout=None):
            slices.append(timeout)
            if len(slices) == 3:
                raise KeyboardInterrupt
            return super().wait(0)

    waiting._changed = Changed()
    with pytest.raises(KeyboardInterrupt):
        waiting.get()
    assert slices == 3 * [process_module.SLICE]


# ---- command lines ------------------------------------------------------------------------------------


def test_command_lines_are_split_at_blanks_on_windows():
    command_line = '"C:\\My Engines\\engine.exe" --log="a b.txt"\t"" x\\ y'
    assert command.split_command(command_line, windows=True) == [
        "C:\\My Engines\\engine.exe", "--log=a b.txt", "", "x\\", "y",
    ]  # fmt: skip


def test_command_lines_are_split_by_the_rules_of_a_shell():
    assert command.split_command("a 'b c' d\\ e", windows=False) == ["a", "b c", "d e"]
    for windows in (False, True):
        with pytest.raises(ValueError):
            command.split_command('engine "unfinished', windows=windows)


def test_programs_are_located_from_the_working_directory(tmp_path):
    (tmp_path / "engine.exe").touch()
    assert command.located("./bin/engine", str(tmp_path)) == str(tmp_path / "bin" / "engine")
    assert command.located("engine", str(tmp_path), windows=True) == str(tmp_path / "engine")
    assert command.located("engine", str(tmp_path), windows=False) == "engine"
    assert command.located("engine", None, windows=True) == "engine"
    assert command.located(sys.executable, str(tmp_path)) == sys.executable


def test_a_relative_path_of_a_program_starts_in_the_given_directory(tmp_path):
    (tmp_path / "engine").write_text(f"#!{sys.executable}\nimport os; print(os.getcwd())\n")
    (tmp_path / "engine").chmod(0o755)
    process = Process("./engine", str(tmp_path))
    assert process.read()[1] == os.path.realpath(tmp_path)
    process.close()


@pytest.mark.parametrize(
    "words, directory, message",
    [
        ("no-such-engine", None, "can't start no-such-engine: No such file or directory"),
        ("", None, "can't start an empty command"),
        (
            [sys.executable],
            "/no/such",
            f"can't start {sys.executable} in /no/such: No such file or directory",
        ),
        ("/", None, "can't start /: Permission denied"),
        ('a "', None, "can't start a \": No closing quotation"),
    ],
)
def test_the_error_names_a_program_that_cannot_be_started(words, directory, message):
    with pytest.raises(Missing) as missing:
        Process(words, directory)
    assert str(missing.value) == message and not missing.value.greeted


def test_a_program_ends_if_the_system_allows_no_more_threads(monkeypatch):
    started, popen = [], subprocess.Popen

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    def start(*arguments, **keywords):
        started.append(popen(*arguments, **keywords))
        return started[-1]

    monkeypatch.setattr(process_module.subprocess, "Popen", start)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(Missing, match="can't start new thread"):
        Process([*PYTHON, "import time; time.sleep(600)"])
    assert started[0].poll() == -signal.SIGKILL if hasattr(os, "killpg") else started[0].poll()


# ---- the end of the owner -----------------------------------------------------------------------------


OWNER = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
import plyglot
source = "import subprocess, time; subprocess.Popen(['sleep', '1000']); print(1, flush=True); time.sleep(1000)"
process = plyglot.Process([sys.executable, '-c', source, sys.argv[2]])
process.read()
fork = os.fork()
if not fork:
    process.close()  # has no effect in a fork
    os.write(1, b'%d\\n' % process.pid)
    time.sleep(1000)
os.write(1, b'%d\\n' % fork)
input()
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux ends stopped processes with their owner"
)
def test_a_stopped_engine_ends_with_its_owner_even_if_a_fork_lives_on(tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(ROOT), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    numbers = {int(owner.stdout.readline()), int(owner.stdout.readline())}
    (pid,) = (number for number in numbers if os.getpgid(number) == number)
    (fork,) = numbers - {pid}
    os.killpg(pid, signal.SIGSTOP)
    assert owner.poll() is None
    owner.kill()
    owner.wait()
    try:
        wait_until(lambda: not pathlib.Path(f"/proc/{pid}/cmdline").exists())
        wait_until(lambda: not group_of(pid))
    finally:
        os.kill(fork, signal.SIGKILL)


def group_of(pid):
    """Return the ids of the living processes of a group."""
    shown = subprocess.run(
        ["ps", "-A", "-o", "pgid=,stat=,pid="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in shown.splitlines()]
    return [row[2] for row in rows if row[0] == str(pid) and row[1][0] != "Z"]


@GROUPS
def test_an_engine_counts_as_ended_even_if_another_process_holds_its_pipes(start):
    source = (
        "import subprocess, os\n"
        "holder = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        "print(holder.pid, flush=True); os._exit(3)"
    )
    process = start(source)
    holder = int(process.read(soon(60))[1])
    try:
        with pytest.raises(Crash, match="status 3"):
            process.read(soon(60))
    finally:
        os.kill(holder, signal.SIGKILL)
