"""Programs that read Stockfish's own answers line by line, as the PyPI package `stockfish` does.

They read on until a certain word comes, so a missing or an extra line hangs them.
"""

import re

import pytest

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"


class Client:
    """A client that sends Stockfish's own commands to an engine that the fixture `speak` started."""

    def __init__(self, engine):
        self.engine = engine
        self.put("uci")
        while engine.line() != "uciok":
            pass

    def put(self, command):
        """Send a command once all earlier ones are carried out."""
        self.engine.send("isready")
        while self.engine.line() != "readyok":
            pass
        self.engine.send(command)

    def line(self):
        return self.engine.line().strip()

    def until(self, word):
        while word not in (line := self.line()):
            pass
        return line

    def board(self):
        self.put("d")
        lines = []
        while len(lines) < 17:
            line = self.line()
            lines += [line] if "+" in line or "|" in line else []
        lines.append(self.line())
        return lines, self.until("Checkers")

    def fen(self):
        self.put("d")
        line = self.until("Fen: ")
        self.until("Checkers")
        return line.removeprefix("Fen: ")

    def perft(self, depth):
        self.put(f"go perft {depth}")
        counts = {}
        while "searched" not in (line := self.line()):
            if line and not line.startswith("info"):
                move, count = line.split(":")
                counts[move] = int(count)
        assert self.line() == ""
        return int(line.split(":")[1]), counts

    def static_evaluation(self):
        self.put("eval")
        words = self.until("Final evaluation").split()
        if words[2] == "none":
            return words[3:]
        self.line()
        return float(words[2])

    def top_moves(self, depth):
        self.put(f"go depth {depth}")
        lines = []
        while not (line := self.line()).startswith("bestmove"):
            lines.append(line.split())
        found = []
        for words in reversed(lines):
            if "multipv" not in words or int(words[words.index("depth") + 1]) != depth:
                break
            found.insert(0, words[words.index("pv") + 1])
        return found


@pytest.fixture
def client(speak):
    return Client(speak("uci"))


def test_the_board_is_read_from_its_picture(client):
    lines, checkers = client.board()
    assert lines[0] == "+---+---+---+---+---+---+---+---+"
    assert lines[17] == "a   b   c   d   e   f   g   h"
    assert lines[1] == "| r | n | b | q | k | b | n | r | 8" and checkers == "Checkers:"
    assert {len(line) for line in lines[0:17:2]} == {33}
    assert lines[9][2:] == "  |" + "   |" * 7 + " 4"
    client.put(f"position fen {MATED}")
    assert client.board()[1] == "Checkers: g7" and client.fen() == MATED
    client.put("position fen 4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1")
    assert client.board()[1] == "Checkers: e1 d6"


def test_perft_ends_with_an_empty_line(client):
    assert client.perft(1) == (20, dict.fromkeys(client.perft(1)[1], 1))
    total, counts = client.perft(3)
    assert total == sum(counts.values()) == 8902


def test_the_static_evaluation_is_from_whites_view(client):
    start = client.static_evaluation()
    client.put("flip")
    assert start > 0 and client.static_evaluation() == -start
    client.put(f"position fen {MATED}")
    assert client.static_evaluation() == ["(in", "check)"]
    client.put("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
    assert client.static_evaluation() == 0


def test_flip_exchanges_the_colours(client):
    client.put("position startpos moves e2e4 c7c5 e4e5 d7d5")
    client.put("flip")
    assert client.fen() == "rnbqkbnr/pp2pppp/8/8/2pPp3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 3".replace(
        "rnbqkbnr/pp2pppp/8/8/2pPp3/8/PPPP1PPP/RNBQKBNR",
        "rnbqkbnr/pppp1ppp/8/8/2PPp3/8/PP2PPPP/RNBQKBNR",
    )
    client.put("flip")
    assert client.fen() == "rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"


def test_all_lines_of_a_search_reach_its_depth(client):
    client.put("setoption name MultiPV value 3")
    assert len(client.top_moves(5)) == 3
    client.put(f"position fen {MATE_IN_ONE}")
    assert len(client.top_moves(9)) == 3
    client.put(f"position fen {MATED}")
    assert client.top_moves(9) == []


def test_the_benchmark_takes_stockfishs_arguments(client, monkeypatch):
    depths = []
    monkeypatch.setattr("search.bench.bench", lambda *words: depths.append(words[2]) or 7)
    for arguments in ("", " 16 1 1 default depth mixed"):
        client.put(f"bench{arguments}")
        assert client.until("Nodes searched") == "Nodes searched: 7"
        assert re.fullmatch(r"Nodes/second    : \d+", client.line())
    assert depths == [None, None], "the arguments change nothing"
