"""The engine without threads: searches run in the main thread, and read arriving lines between two nodes."""

import re
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT
from front_end import output_of
from tables import rows

from games import notices
from protocol.messages import Program, engine

REFUSING = """
import sys, threading

def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
sys.path.insert(0, sys.argv.pop(1))
import engine
engine.run()
"""
TIMES = [
    (r"^info (currmove|nodes) .*\n", ""),  # progress lines, about one per second
    (r"(nps|time|n/ms|tm) \d+", ""),
    (r"(nodestats \d+) [\d.]+", r"\1"),
    (r"^(\d+ -?\d+) \d+ (\d+ \d+) \d+", r"\1 \2"),  # CECP: depth, score, time, nodes
]

# {protocol: [(lines to send, pattern of the answer's last line)]}
DIALOGUES = {}
for name, lines, pattern in rows("no_threads.dialogues"):
    DIALOGUES.setdefault(name, []).append((lines, pattern))


def without_times(text):
    for pattern, rest in TIMES:
        text = re.sub(pattern, rest, text, flags=re.MULTILINE)
    return text.replace("\r", "").splitlines()


def transcript(engine, dialogue):
    """Return the lines of a dialogue, without times."""
    found = []
    for lines, last in dialogue:
        engine.send(*lines)
        for _ in range(sum(line.startswith("go depth") for line in lines) or 1):
            found += engine.until(last)
    return without_times("\n".join(found))


@pytest.mark.parametrize("name", DIALOGUES)
def test_answers_and_node_counts_are_the_same_without_threads(start, name):
    dialogue = DIALOGUES[name]
    assert transcript(start("--no-threads"), dialogue) == transcript(start(), dialogue)


@pytest.mark.parametrize("name", ["uci", "gomocup"])
def test_a_system_that_cannot_start_threads_is_detected(name):
    lines = "".join(line + "\n" for sent, _ in DIALOGUES[name] for line in sent)
    run = dict(input=lines, capture_output=True, text=True, timeout=PATIENCE)
    refused = subprocess.run([sys.executable, "-c", REFUSING, str(ROOT)], **run)
    asked = subprocess.run([sys.executable, str(ROOT / "engine.py"), "--no-threads"], **run)
    assert without_times(refused.stdout) == without_times(asked.stdout)
    assert refused.stderr == asked.stderr == "" and refused.returncode == 0


# (protocol, lines that begin a long search, pattern of a line that shows it, lines sent during it,
# pattern of their answer)
DURING = rows("no_threads.lines_are_read_between_two_nodes")


@pytest.mark.parametrize("protocol, begin, begun, sent, answer", DURING)
def test_lines_are_read_between_two_nodes(start, protocol, begin, begun, sent, answer):
    engine = start("--no-threads", "--protocol", protocol)
    engine.send(*begin)
    if begun:
        engine.until(begun)
    if sent:
        engine.ask("\n".join(sent), answer)
    engine.send("quit" if protocol != "gomocup" else "END")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "protocol, lines", rows("no_threads.the_end_of_the_input_ends_an_infinite_search")
)
def test_the_end_of_the_input_ends_an_infinite_search(start, protocol, lines):
    engine = start("--no-threads", "--protocol", protocol)
    engine.send(*lines)
    assert engine.end()[1] == 0


def test_each_queued_search_is_answered_before_quit_ends_the_process(start):
    engine = start("--no-threads")
    engine.send("go depth 90", "go depth 90", "go depth 90")
    engine.until("info depth 2 .*")
    engine.send("quit")
    output, status = engine.process.read().decode(), engine.process.proc.wait(PATIENCE)
    assert status == 0 and output.count("bestmove") == 3


# ---- a program whose messages arrive only while Python doesn't run --------------------------------


class Blocking:
    """The engine as a program that takes no messages during a search (protocol/messages.py)."""

    def __init__(self):
        self.posted, self._messages = [], []
        self.program = Program(engine, self.posted.append, self._take, None, blocks=True)

    def _take(self, seconds):
        return self._messages.pop(0) if self._messages else None

    def ask(self, *lines):
        """Send lines; return what the program posts until it waits for the next message."""
        self._messages += lines
        assert self.program.run() is False
        answer, self.posted[:] = self.posted[:], []
        return answer


@pytest.fixture
def blocking(monkeypatch):
    monkeypatch.setattr("search.interpreter._threads", False)
    monkeypatch.setattr("games.notices._reported", set())
    return Blocking()


def test_a_search_with_a_limit_runs_to_its_end_if_no_message_can_arrive(blocking):
    assert blocking.ask("uci", "isready")[-1] == "readyok"
    lines = blocking.ask("go nodes 9000", "setoption name UCI_Variant value tictactoe", "isready")
    assert lines[-1].startswith("bestmove ") and "readyok" in lines
    assert blocking.ask("go perft 4")[-2] == "Nodes searched: 3024"
    assert blocking.ask("go depth 3")[-1].startswith("bestmove P@")
    blocking.posted.clear()
    blocking._messages.append("quit")
    assert blocking.program.run() is True


def test_a_search_without_a_limit_ends_at_once_and_says_why(blocking):
    for line in ("go infinite", "go ponder wtime 900 btime 900", "go"):
        lines = blocking.ask(line)
        assert lines[-1].startswith("bestmove "), line
        blocking.ask("stop")
    first = blocking.ask("ucinewgame")
    assert not first
    blocking = Blocking()
    notices._reported.clear()
    lines = blocking.ask("go infinite")
    assert lines[0].startswith("info string this browser can't interrupt Python")


def test_a_gtp_analysis_ends_at_once_if_no_message_can_arrive(blocking):
    assert "=8 Plyglot" in blocking.ask("set_game chess", "7 lz-analyze 1", "8 name")


def test_perft_and_bench_finish_before_quit_with_and_without_threads():
    lines, signatures = b"go depth 30\ngo perft 3\nbench 1\nquit\n", set()
    for words in ([], ["--no-threads"]):
        output = output_of(lines, *words).decode()
        assert "Nodes searched: 8902" in output and output.count("bestmove ") == 1
        end = re.search(r"\nNodes searched: (\d+)\nNodes/second    : \d+\n$", output)
        signatures.add(end[1])
    assert len(signatures) == 1
