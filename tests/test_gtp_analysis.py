"""Analysis over GTP, as Sabaki and similar front ends use it."""

import re

import pytest
from front_end import InProcessEngine

from games.solver import Line
from protocol.gtp import think
from search.report import Report

MOVE = r"info move (?P<move>[A-HJ-T]\d+) visits \d+ winrate {} order \d+ pv( [A-HJ-T]\d+| pass)+"
LZ, KATA = MOVE.format(r"\d+"), MOVE.format(r"[01]\.\d+( scoreLead -?\d+\.\d+)?")


def blocks(line):
    return ["info " + block.strip() for block in line.split("info ")[1:]]


@pytest.mark.parametrize(
    "command, form",
    [("lz-analyze b 5", LZ), ("kata-analyze 5", KATA), ("analyze B interval 5", LZ)],
)
def test_analysis_goes_on_until_the_next_line(client, command, form):
    engine = client("othello", "play b d3", "play w c3").engine
    engine.send("7 " + command)
    assert engine.line() == "=7"
    for line in (engine.line(), engine.line()):
        assert len(blocks(line)) == 4 and all(
            re.fullmatch(form, block) for block in blocks(line)
        ), line
    engine.send("8 protocol_version")
    engine.until("")
    assert engine.until("") == ["=8 2", ""]


def test_the_best_move_comes_first_even_with_a_shorter_line(client):
    """In Connect Four the best move may have a shorter line than the others."""
    engine = client(
        "connect4",
        "plyglot-param Genmove_Depth 8",  # a time limit could end the search within an iteration
        *[
            f"play {colour} {square}"
            for colour, square in zip("bwbwbwbwbwbw", "D1 D2 D3 D4 D5 D6 A1 A2 A3 A4 A5 A6".split())
        ],
    ).engine
    engine.send("lz-genmove_analyze b 5")
    *lines, played = engine.until("play .*")
    rates = [int(block.split()[6]) for block in blocks(lines[-1])]
    assert rates == sorted(rates, reverse=True)
    assert blocks(lines[-1])[0].split()[2] == played.split()[1]


@pytest.mark.parametrize("line", ["", "# a comment", "nonsense"])
def test_any_line_ends_an_analysis(client, line):
    gtp = client("gomoku")
    gtp.engine.send("analyze b 5", line)
    gtp.engine.until("")
    if line == "nonsense":
        assert gtp.reply() == ("?", "unknown command")
    assert gtp.ask("protocol_version") == "2"


def test_analysis_changes_nothing(client):
    gtp = client("gomoku", "play b h8")
    before = gtp.ask("plyglot-position")
    gtp.engine.send("lz-analyze w 1", "plyglot-position")
    gtp.engine.until("")
    assert gtp.reply() == ("=", before)


def test_keys_of_an_analysis_need_valid_values(client):
    gtp = client("othello")
    gtp.engine.send("lz-analyze b 1 maxmoves 1 minmoves 3")
    gtp.engine.until("=")
    assert len(blocks(gtp.engine.line())) == 1
    gtp.engine.send("")
    gtp.engine.until("")
    for wrong in ("avoid b d3", "avoid x d3 1", "avoid b d3 x", "allow b ?? 1"):
        assert gtp.fail(f"lz-analyze b 1 {wrong}") == "syntax error", wrong
    assert gtp.fail("lz-analyze b 1 maxmoves") == "syntax error"
    assert gtp.fail("lz-analyze ?") == "syntax error"


@pytest.mark.parametrize(
    "words, expected",
    [
        ("avoid b D3,E6 1", {"C4", "F5"}),
        ("avoid b D3,A1 1 avoid w C4 9 maxmoves 9 avoid b E6 5", {"C4", "F5"}),
        ("allow b F5,H8 1", {"F5"}),
        ("allow w F5 1", {"C4", "D3", "E6", "F5"}),
        ("allow b D3,F5 1 avoid b F5 1", {"D3"}),
    ],
)
def test_an_analysis_obeys_the_words_avoid_and_allow(client, words, expected):
    gtp = client("othello")
    for command in ("kata-analyze", "lz-analyze"):
        gtp.engine.send(f"{command} b 1 {words}")
        gtp.engine.until("=")
        assert {block.split()[2] for block in blocks(gtp.engine.line())} == expected
        gtp.engine.send("")
        gtp.engine.until("")


def test_an_analysis_stays_open_after_its_search_has_ended(client):
    gtp = client("tictactoe", "play_sequence b a1 w a3 b b1 w b3")
    gtp.engine.send("lz-analyze b 1")
    gtp.engine.until("=")
    gtp.engine.until("info move C1 visits [0-9]+ winrate 10000 order 0 pv C1 info move .*")
    gtp.engine.send("name")
    gtp.engine.until("")
    assert gtp.reply() == ("=", "Plyglot")


def test_analysis_of_a_finished_game_is_empty(client):
    gtp = client("tictactoe", "play_sequence b a1 w a3 b b1 w b3 b c1")
    gtp.engine.send("lz-analyze w 1", "name")
    assert gtp.reply() == ("=", "") and gtp.reply() == ("=", "Plyglot")
    gtp.engine.send("genmove_analyze w 1")
    assert gtp.engine.until("") == ["=", "play pass", ""]


@pytest.mark.parametrize(
    "command, form",
    [("genmove_analyze", LZ), ("lz-genmove_analyze", LZ), ("kata-genmove_analyze", KATA)],
)
def test_genmove_analyze_plays_the_best_move(client, command, form):
    gtp = client("gomoku", "plyglot-param Genmove_Depth 2", "play b h8")
    gtp.engine.send(f"3 {command} w 50")
    first, *lines, played, end = gtp.engine.until("")
    assert first == "=3" and lines and re.fullmatch(r"play [A-HJ-P]\d+", played)
    assert all(re.fullmatch(form, block) for line in lines for block in blocks(line))
    assert played.split()[1] == blocks(lines[-1])[0].split()[2]
    assert gtp.ask("gogui-rules_side_to_move") == "black"
    gtp.all("undo", "undo")


@pytest.mark.parametrize(
    "words, complete",
    [("9", 4), ("4", 4), ("2", 2), ("9 avoid b D3 1", 3), ("9 allow b D3,C4 1 avoid b D3 1", 1)],
)
def test_lines_are_written_only_after_all_moves_of_a_depth_are_reported(
    monkeypatch, words, complete
):
    """Othello starts with four legal moves, so four lines complete a depth even if 9 are wanted."""
    engine, now = InProcessEngine("gtp", "othello"), [0.0]
    monkeypatch.setattr(think, "perf_counter", lambda: now[0])
    engine.send("lz-analyze")
    analysis = think.Analysis(engine.protocol, ["1", "maxmoves", *words.split()])
    engine.close()
    position, before = engine.session.position, len(engine.output)
    now[0] = 1.0
    for rank, move in enumerate(position.legal_moves()[:complete], 1):
        analysis.on_report(Report(None, 10, 0.1), position)  # progress without a line
        assert len(engine.output) == before
        analysis.on_report(Report(Line(5, [move], 3, multipv=rank), 10, 0.1), position)
    assert engine.output[before:].count("info move") == complete
