"""The engine without threads: searches run in the main thread, and read arriving lines between two nodes."""

import re
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT

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
    (r"(nps|time|n/ms|tm) \d+", ""),
    (r"(nodestats \d+) [\d.]+", r"\1"),
    (r"^(\d+ -?\d+) \d+ (\d+ \d+) \d+", r"\1 \2"),  # CECP: depth, score, time, nodes
]

# {protocol: [(lines to send, pattern of the answer's last line)]}
DIALOGUES = {
    "uci": [
        (["uci"], "uciok"),
        (["position startpos moves e2e4", "go depth 5", "go depth 3"], "bestmove .*"),
        (["setoption name MultiPV value 3", "go nodes 3000"], "bestmove .*"),
        (["position fen 8/8 w", "go depth 2"], "bestmove .none."),
        (["setoption name UCI_Variant value othello", "go depth 7"], "bestmove .*"),
        (["go perft 4"], "Nodes searched: 244"),
    ],
    "gtp": [
        (["set_game othello", "plyglot-param Genmove_Depth 5", "1 genmove b"], "=1 .*"),
        (["2 genmove w", "3 reg_genmove b"], "=3 .*"),
        (["4 showboard"], "=4.*"),
    ],
    "cecp": [
        (["xboard", "protover 2"], ".*done=1.*"),
        (["post", "sd 5", "usermove e2e4"], "move .*"),
        (["usermove d2d4"], "move .*"),
        (["undo", "force", "ping 3"], "pong 3"),
    ],
    "gomocup": [
        (["START 15", "INFO max_depth 3"], "OK"),
        (["BEGIN"], r"\d+,\d+"),
        (["TURN 0,0"], r"\d+,\d+"),
        (["BOARD", "7,7,1", "8,8,2", "DONE"], r"\d+,\d+"),
    ],
    "nboard": [
        (["nboard 2", "set depth 6", "go"], "=== .*"),
        (["move D3", "ping 2"], "pong 2"),
        (["hint 2"], "status"),
    ],
}


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
def test_the_answers_and_their_nodes_are_those_of_a_thread(start, name):
    dialogue = DIALOGUES[name]
    assert transcript(start("--no-threads"), dialogue) == transcript(start(), dialogue)


@pytest.mark.parametrize("name", ["uci", "gomocup"])
def test_a_system_without_threads_is_noticed(name):
    lines = "".join(line + "\n" for sent, _ in DIALOGUES[name] for line in sent)
    run = dict(input=lines, capture_output=True, text=True, timeout=PATIENCE)
    refused = subprocess.run([sys.executable, "-c", REFUSING, str(ROOT)], **run)
    asked = subprocess.run([sys.executable, str(ROOT / "engine.py"), "--no-threads"], **run)
    assert without_times(refused.stdout) == without_times(asked.stdout)
    assert refused.stderr == asked.stderr == "" and refused.returncode == 0


# (protocol, lines that begin a long search, pattern of a line that shows it, lines sent during it,
# pattern of their answer)
DURING = [
    ("uci", ["go infinite"], "info depth 3 .*", ["isready"], "readyok"),
    ("uci", ["go infinite"], "info depth 3 .*", ["go depth 1"], ".*error.*"),
    ("uci", ["go infinite"], "info depth 3 .*", ["stop"], "bestmove .*"),
    ("uci", ["go infinite"], "info depth 3 .*", ["ucinewgame", "isready"], "readyok"),
    ("uci", ["go infinite", "stop", "isready"], "readyok", ["go depth 1"], "bestmove .*"),
    ("uci", ["go ponder wtime 2000 btime 2000"], "info depth 3 .*", ["ponderhit"], "bestmove .*"),
    ("uci", ["go ponder depth 2"], "info depth 2 .*", ["ponderhit"], "bestmove .*"),
    ("uci", ["bench 30"], "", ["isready", "stop"], ".*bench was stopped"),
    ("uci", ["go perft 9"], "", ["isready", "stop"], ".*perft was stopped"),
    ("gtp", ["set_game chess", "lz-analyze 10"], "info move .*", ["7 name"], "=7 Plyglot"),
    ("gtp", ["plyglot-param Genmove_Depth 99", "5 genmove w"], "", ["# interrupt"], "=5 .*"),
    ("cecp", ["xboard", "post", "analyze"], r"4 .*", ["."], "stat01: .*"),
    ("cecp", ["xboard", "post", "analyze"], r"4 .*", ["usermove e2e4"], r"4 .*"),
    ("cecp", ["xboard", "st 60", "post", "go"], r"4 .*", ["?"], "move .*"),
    ("cecp", ["xboard", "post", "analyze"], r"4 .*", ["edit", "#", "Ka1", "Pa2", "c", "Kh8", "."], "4 .*"),
    ("gomocup", ["START 15", "INFO timeout_turn 60000", "BEGIN"], "MESSAGE depth 3.*", ["YXSTOP"], r"\d+,\d+"),
    ("gomocup", ["START 15", "INFO timeout_turn 60000", "BEGIN"], "MESSAGE depth 3.*", ["RESTART"], "OK"),
    ("nboard", ["nboard 2", "set depth 60", "hint 1"], "search .*", ["ping 7"], "pong 7"),
]  # fmt: skip


@pytest.mark.parametrize("protocol, begin, begun, sent, answer", DURING)
def test_lines_are_taken_between_the_nodes(start, protocol, begin, begun, sent, answer):
    engine = start("--no-threads", "--protocol", protocol)
    engine.send(*begin)
    if begun:
        engine.until(begun)
    if sent:
        engine.ask("\n".join(sent), answer)
    engine.send("quit" if protocol != "gomocup" else "END")
    assert engine.process.proc.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "protocol, lines",
    [
        ("uci", ["go infinite"]),
        ("uci", ["go depth 3", "go ponder wtime 900 btime 900"]),
        ("uci", ["go infinite", "ucinewgame", "go infinite"]),
        ("gtp", ["set_game chess", "lz-analyze 10"]),
        ("cecp", ["xboard", "analyze"]),
    ],
)
def test_the_end_of_the_input_ends_a_search_without_an_end(start, protocol, lines):
    engine = start("--no-threads", "--protocol", protocol)
    engine.send(*lines)
    assert engine.end()[1] == 0


def test_queued_searches_end_with_the_process(start):
    engine = start("--no-threads")
    engine.send("go depth 90", "go depth 90", "go depth 90")
    engine.until("info depth 2 .*")
    engine.send("quit")
    output, status = engine.process.read().decode(), engine.process.proc.wait(PATIENCE)
    assert status == 0 and output.count("bestmove") == 3


# ---- a program that has to return, so that its messages can arrive -------------------------------


class Sliced:
    """The engine as a program that returns from time to time (protocol/messages.py)."""

    def __init__(self):
        self.posted, self._messages = [], []
        self.program = Program(engine, self.posted.append, self._take, None, sliced=True)

    def _take(self, seconds):
        return self._messages.pop(0) if self._messages else None

    def send(self, *lines):
        self._messages += lines

    def until(self, begin):
        """Run until a line begins with `begin`; return (the new lines, what run() returned)."""
        states = []
        while not any(line.startswith(begin) for line in self.posted):
            states.append(self.program.run())
        lines, self.posted[:] = self.posted[:], []
        return lines, states


@pytest.fixture
def sliced(monkeypatch):
    monkeypatch.setattr("search.interpreter._threads", False)
    monkeypatch.setattr("protocol.messages._SLICE", 0.02)
    return Sliced()


def depths(lines):
    return [int(line.split()[2]) for line in lines if line.startswith("info depth")]


def test_a_search_in_slices_goes_on_from_its_tables(sliced):
    sliced.send("uci", "isready")
    assert sliced.until("readyok")[1][-1] == "waits"
    sliced.send("go infinite")
    lines, states = sliced.until("info depth 6 ")
    assert states.count("turns") > 1 and "over" not in states
    sliced.send("isready", "stop")
    more, _ = sliced.until("bestmove")
    found = [line for line in lines + more if line.startswith("info depth")]
    assert "readyok" in more and depths(found) == sorted(depths(found))
    assert more[-1].split()[1] == found[-1].partition(" pv ")[2].split()[0]
    sliced.send("quit")
    assert sliced.program.run() == "over"


def test_a_search_in_slices_keeps_its_limits_and_waits_when_it_is_over(sliced):
    sliced.send("go nodes 9000", "setoption name UCI_Variant value tictactoe", "isready")
    lines, _ = sliced.until("bestmove")
    nodes = [
        int(line.split()[line.split().index("nodes") + 1]) for line in lines if " nodes " in line
    ]
    assert nodes == sorted(nodes) and nodes[-1] <= 9000
    sliced.send("go infinite")
    while sliced.program.run() != "waits":
        pass
    assert sliced.program.run() == "waits" and not any("bestmove" in line for line in sliced.posted)
    sliced.send("stop")
    assert sliced.until("bestmove")[0][-1].startswith("bestmove P@")


def test_a_gtp_analysis_in_slices_ends_with_its_slice(sliced):
    sliced.send("set_game chess", "7 lz-analyze 1", "8 name")
    assert "=8 Plyglot" in sliced.until("=8")[0]


def test_perft_in_slices_runs_to_its_end(sliced):
    sliced.send("go perft 4")
    assert "Nodes searched: 197281" in sliced.until("Nodes searched")[0]
