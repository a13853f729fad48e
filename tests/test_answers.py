"""Every search that was asked for is answered, in every protocol: after a bad word, a refused position, before `quit`."""
import re
import time

import pytest
from front_end import output_of

GAMES = {"chess": "[a-h][1-8][a-h][1-8]", "othello": "P@[a-h][1-8]", "connect4": "P@[a-g]1", "tictactoe": "P@[abc][123]",
         "renju": r"P@[a-o]\d+", "tree": r"\d"}


@pytest.mark.parametrize("game", GAMES)
def test_uci_answers_before_it_quits(game):
    said = output_of(f"setoption name UCI_Variant value {game}\nposition startpos\ngo depth 6\nquit\n".encode()).decode()
    assert re.search(rf"^bestmove {GAMES[game]}( ponder \S+)?$", said.splitlines()[-1])


@pytest.mark.parametrize("sent, answer", [
    ("xboard\nnew\ngo\nquit\n", "move [a-h][1-8][a-h][1-8]"),
    ("xboard\nvariant tree\ngo\nquit\n", "(move|0-1|1-0) .*"),
    ("START 15\nBEGIN\nEND\n", r"\d+,\d+"),
    ("nboard 2\ngo\nquit\n", "=== [A-H][1-8]/.*"),
    ("1 genmove w\n2 quit\n", "=1 [a-h][1-8][a-h][1-8]"),
    ("go infinite\nquit\n", "bestmove .*"),
    ("go ponder wtime 1000\nquit\n", "bestmove .*"),
    ("go depth 9\ngo perft 9\ngo depth 8\nquit\n", "bestmove .*"),
])
def test_every_protocol_answers_before_it_quits(sent, answer):
    said = output_of(sent.encode()).decode().splitlines()
    assert sum(bool(re.fullmatch(answer, line)) for line in said) == sent.count("go depth") + ("go depth" not in sent)


def test_all_that_wait_are_answered_before_it_quits_and_it_quits_soon(engine):
    engine.send("setoption name MultiPV value 3", "position startpos moves e2e4", *["go depth 90"] * 200)
    engine.until("info depth 2 .*")
    began = time.monotonic()
    engine.send("quit")
    said, status = engine.process.read().decode().splitlines(), engine.process.proc.wait(10)
    assert time.monotonic() - began < 5
    assert status == 0 and sum(line.startswith("bestmove") for line in said) == 200


def test_quit_ends_an_analysis_of_xboard_without_a_move(start):
    engine = start()
    engine.send("xboard", "protover 2", "post", "analyze")
    engine.until(r"\d+ -?\d+ \d+ \d+ .*")
    engine.send("quit")
    said, status = engine.process.read().decode(), engine.process.proc.wait(10)
    assert status == 0 and "move" not in said
