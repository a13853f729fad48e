"""Kalah in every protocol and script: no grid, two-digit cells, several moves in a row."""

import json
import re
import sys

import pytest
from conftest import ROOT, load_game, play_on, run_python
from tournaments import games, run

from games.base import Game, Position
from games.grid import picture
from protocol.moves import Vertices
from protocol.records.record import Start
from scripts.drawing.board import BoardPicture
from scripts.terminal import board as terminal

PLUGIN = ROOT / "tests" / "plugins" / "kalah.py"
load_game("kalah")
RUN = "0,0,0,0,2,2,20,0,0,0,0,2,1,21 n"  # each of North's best moves earns a further move
LATE = "0,0,0,1,1,0,14,2,1,1,0,2,1,25 n"


@pytest.fixture
def kalah(start):
    """Return kalah(*arguments), which starts an engine that plays Kalah."""
    return lambda *arguments: start("--plugin", str(PLUGIN), "--game", "kalah", *arguments)


def script(name, *arguments, **more):
    """Return what a script prints."""
    done = run_python(
        ROOT / "scripts" / name, "--plugin", PLUGIN, "--game", "kalah", *arguments, **more
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout


# ---- the protocols ----------------------------------------------------------------------------------------


def test_uci_shows_the_seeds_and_finds_the_win(kalah):
    engine = kalah()
    engine.send(f"position fen {LATE}")
    shown = engine.ask("d", r"Result: .*")
    assert shown[:5] == [
        "    6  5  4  3  2  1   North",
        "    1  2  0  1  1  2",
        "25                  14",
        "    0  0  0  1  1  0",
        "    1  2  3  4  5  6   South",
    ]
    lines = engine.ask("go depth 30", r"bestmove \S+.*")
    assert " score cp 1600 " in lines[-2] and lines[-1].split()[1] in ("1", "5", "6")


def test_uci_gives_no_ponder_move_if_the_same_player_moves_again(kalah):
    engine = kalah()
    lines = engine.ask("go depth 4 searchmoves 3", r"bestmove 3.*")
    assert lines[-1] == "bestmove 3" and len(lines[-2].partition(" pv ")[2].split()) > 1


def test_uci_uses_the_clock_of_the_side_to_move(kalah):
    engine = kalah()
    engine.send("position startpos moves 3")  # South, whom UCI calls White, moves again
    assert engine.ask("go wtime 1 btime 100000000", r"bestmove \S+.*")


def test_gtp_lets_only_the_player_to_move_play(kalah):
    engine = kalah("--protocol", "gtp")
    for command, answer in (
        ("play b 3", r"="),
        ("play w 1", r"\? illegal move"),
        ("genmove w", r"\? it is black's turn"),
        ("play b 6", r"="),
        ("genmove w", r"= [1-6]"),
    ):
        engine.ask(command, answer)
        engine.until("")
    shown = engine.ask("showboard", r".* to move")
    assert any(re.fullmatch(r" *\d+ +\d+", line) for line in shown)


def test_cecp_lets_each_side_make_all_its_moves(kalah):
    engine = kalah("--protocol", "cecp")
    engine.send("xboard", "variant kalah", "sd 3", "usermove 3", "usermove 1", "ping 1")
    moves = [line for line in engine.until("pong 1") if line.startswith("move ")]
    assert moves
    engine.send("new", "force", f"setboard {RUN}", "sd 3", "go", "ping 2")
    moves = [line for line in engine.until("pong 2") if line.startswith("move ")]
    assert moves[:3] == ["move 6", "move 5", "move 6"]


def test_cecp_makes_no_move_after_force(kalah):
    engine = kalah("--protocol", "cecp")
    engine.send("xboard", "variant kalah", "force", f"setboard {RUN}", "sd 3", "go")
    engine.until("move 6")
    engine.send("force", "ping 1")
    engine.until("pong 1")
    engine.send("ping 2")
    assert engine.until("pong 2") == ["pong 2"]


# ---- the scripts ------------------------------------------------------------------------------------------


def test_a_report_counts_the_moves_of_each_player(tmp_path):
    (tmp_path / "game.txt").write_text("3 6 1 5 6 6 4 3 1")
    output = script("analyse", "--depth", "3", "game.txt", cwd=tmp_path)
    assert output.endswith("game-analysed.jsonl\n")
    page = (tmp_path / "game-analysed.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    (game,) = data["embedded"]["games"]
    steps = [f"{step['number']}{'SN'[step['side']]}{step['move']}" for step in game["line"]]
    assert steps == "1S3 1S6 1N1 2S5 2N6 3S6 3S4 3N3 4S1".split()
    marks = {2: "mistake", 4: "blunder", 6: "inaccuracy"}  # {numeric annotation glyph: its name}
    for side, counts in enumerate(game["review"]["counts"]):
        nags = [
            nag for step in game["line"] if step["side"] == side for nag in step.get("nags", [])
        ]
        assert sum(counts.values()) == len(nags)
        assert all(counts.get(mark, 0) == nags.count(nag) for nag, mark in marks.items())


def test_a_tournament_lets_a_player_move_again(tmp_path):
    own = f"cmd='{sys.executable}' '{ROOT / 'engine.py'}' --plugin '{PLUGIN}' --protocol"
    run(
        tmp_path,
        *"--game kalah --plugin".split(),
        str(PLUGIN),
        *"--depth 1 --engine name=uci".split(),
        f"{own} uci",
        "--engine",
        "name=cecp",
        "proto=cecp",
        f"{own} cecp",
    )
    played = games(tmp_path)
    assert [game["termination"] for game in played] == ["normal"] * 2
    for game in played:
        position = play_on(Start("kalah").position(), game["moves"])
        assert position.outcome().margin == game["margin"]


def test_a_person_plays_again_during_the_same_turn():
    done = run_python(
        ROOT / "scripts" / "play",
        "kalah",
        "--plugin",
        PLUGIN,
        *"--depth 2 --begin me".split(),
        input="3\n6\nundo\nquit\n",
    )
    assert done.returncode == 0, done.stderr
    boards = re.findall(r"(\d+) {19}(\d+)\n", done.stdout)
    assert boards[:3] == [("0", "0"), ("0", "1"), ("0", "2")] and boards[-1] == ("0", "1")
    turns = re.findall(r"^(?:South to move> )?(South|North): [1-6]", done.stdout, re.MULTILINE)
    assert turns[:3] == ["South", "South", "North"] and done.stdout.count("South to move> ") == 4


# ---- cells of more than one character ---------------------------------------------------------------------


class Towers(Position):
    """A position with a board of two rows, whose cells need up to two characters."""

    game = Game()

    def board(self):
        return [[".", "12"], ["X3", "."]]

    def placement(self, move):
        return move, 0


def test_cells_can_be_wide():
    assert picture(Towers()) == ["2 X3  .", "1  . 12", "   a  b"]
    assert picture(Towers(), Vertices(2, 2), rank_one_on_top=True) == [
        "   A  B",
        "1  . 12",
        "2 X3  .",
    ]
    assert terminal.Drawing(marked=[(1, 0)]).lines(Towers()) == [
        "2  X3   . ",
        "1   . [12]",
        "    a   b ",
    ]
    drawn = BoardPicture(Towers.game).draw(Towers().board())
    assert ">12</text>" in drawn and ">X3</text>" in drawn and ">.</text>" not in drawn
