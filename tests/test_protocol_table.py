"""The table of protocols, the choice by the first line, and a protocol added by one row of the table."""

import sys

import pytest
from conftest import ROOT, run_python
from front_end import InProcessEngine, output_of

from protocol import table
from protocol.base import commands_of
from protocol.table import TABLE, Row, detect, find

sys.path.insert(0, str(ROOT / "tests" / "stubs"))
WIRE = Row("Wire", "wire:Wire", "wire", is_argument=True)


@pytest.fixture
def engine(monkeypatch):
    """Return an engine that speaks the protocol of tests/stubs, added as a row of the TABLE."""
    monkeypatch.setattr(table, "TABLE", (*TABLE, WIRE))
    engine = InProcessEngine("wire", "tictactoe")
    yield engine
    engine.close()


def test_uci_is_recognised_by_any_command_and_each_protocol_by_its_first_words():
    assert {*find("uci").words.split()} == commands_of(find("uci").load()).keys()
    for row in TABLE:
        assert row.load().__name__ and all(detect(word) is row for word in row.words.split())
        assert {find(name) for name in (row.name.upper(), *row.aliases)} == {row}
    for line, name in (
        ("12 name", "gtp"),
        ("# a comment", "gtp"),
        ("kgs-time_settings none", "gtp"),
        ("YXBOARD", "gomocup"),
        ("\t QUIT", "uci"),
    ):
        assert detect(line).name == name
    for line in ("hello", "12", "e2e4", "\u0664 name", ""):
        assert detect(line) is None
    with pytest.raises(ValueError, match="unknown protocol: x .expected one of: uci, gtp, "):
        find("x")


def test_a_first_line_that_no_protocol_knows_does_not_choose_uci():
    lines = output_of(b"hello\n\nmove e2e4\nprotover 2\nquit\n").decode().split("\n")
    assert lines[:3] == [
        "info string error: unknown command: hello",
        "info string error: unknown command: move e2e4",
        "feature done=0",
    ]
    assert output_of(b"12\n12 name\n") == b"info string error: unknown command: 12\n=12 Plyglot\n\n"


def test_a_protocol_is_added_by_one_row(engine):
    assert table.detect("wire").name == "wire"
    declared = engine.ask("wire", "wireok")
    assert "option name USI_Hash type spin default 64 min 1 max 4096" in declared
    assert not any(" " in line.split(" name ")[1].split(" type ")[0] for line in declared[:-1])
    engine.send("setoption name usi_hash value 2", "setoption name Skill_Level value 7")
    assert engine.session.values["Hash"] == 2 and engine.session.values["Skill Level"] == 7
    engine.send("setoption name Skill Level value 20")
    for word in ("fen", "sfen"):
        engine.send(f"position {word} xx1/oo1/3 x moves @a1", "go depth 1")
        assert engine.until("bestmove .*")[-1].startswith("bestmove @")
    engine.send("position startpos moves @a1 @a2 @b1 @b2 @c1", "go depth 1")
    assert engine.until("bestmove .*") == ["info depth 0 score mate 0", "bestmove resign"]
    engine.send("position text 3/3/3 x")
    assert engine.until(".*")[0].startswith("info string error: position needs startpos, fen")
    engine.send("go")
    assert engine.until("bestmove .*")[-1] == "bestmove resign"


@pytest.mark.parametrize(
    "moves, words, limits",
    [
        ("", "btime 5000 wtime 9000 binc 1000 winc 2000", {"clocks": (5, 5), "increments": (1, 1)}),
        ("@a1", "btime 5000 wtime 9000 binc 1000 winc 2000", {"clocks": (9, 9)}),
        ("", "btime 0 wtime 0 byoyomi 1000", {"clocks": (None, None), "turn": 1}),
        ("", "btime 5000 wtime 0 byoyomi 1000", {"clocks": (5, 5), "overtime": 1}),
        ("@a1", "btime 5000 wtime 0 byoyomi 1000", {"clocks": (None, None), "turn": 1}),
        ("", "byoyomi 1000", {"clocks": (None, None), "turn": 1}),
    ],
)
def test_a_protocols_words_for_clocks_become_limits(engine, moves, words, limits):
    engine.send(f"position startpos moves {moves}")
    (found,) = engine.limits_of(f"go {words}")
    assert {name: getattr(found, name) for name in limits} == limits


def test_ponderhit_may_carry_the_clock_times(engine):
    engine.session.choose_game("gomoku")
    engine.send("go ponder", "isready", "ponderhit btime 0 wtime 0 byoyomi 100")
    assert engine.until("bestmove .*")[-1].startswith("bestmove @")


def test_a_protocols_name_on_the_command_line_starts_the_protocol():
    code = (
        "import sys; sys.path[:0] = [sys.argv.pop(1), sys.argv.pop(1)]\n"
        "from protocol import table\n"
        "row = table.Row('Wire', 'wire:Wire', 'wire', is_argument=True)\n"
        "table.TABLE = (*table.TABLE, row)\n"
        "import engine; engine.run()"
    )
    for words, line in ((["wire"], "wireok"), (["--protocol", "wire"], "wireok"), ([], "wireok")):
        done = run_python("-c", code, ROOT, ROOT / "tests" / "stubs", *words, input="wire\nquit\n")
        assert done.stdout.splitlines()[-1] == line and not done.stderr
    done = run_python("-c", code, ROOT, ROOT / "tests" / "stubs", "--help")
    assert " or Wire; the first line" in " ".join(done.stdout.split())


def test_a_game_whose_moves_cannot_be_made_gets_an_answer(engine, monkeypatch, capfd):
    kind = type(engine.session.position)
    monkeypatch.setattr(kind, "legal_moves", lambda self: 1 // 0)
    engine.send("go depth 3")
    assert engine.until("bestmove .*") == [
        "info string error: internal error: ZeroDivisionError('integer division or modulo by zero')",
        "bestmove resign",
    ]
    assert "ZeroDivisionError" in capfd.readouterr().err
