"""scripts/analyse and its record formats: PGN with SAN, SGF, GGF, tournaments, move lists."""
# Not in the fast part of scripts/test.

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import textwrap

import chromium
import pexpect
import pytest
import warm
from board_server import ended
from conftest import PATIENCE, run_python, wait_until
from samples import read_records
from tables import rows

from games import registry
from games.base import MAX_SCORE, GameError
from protocol.moves import read_any_move
from protocol.records.formats import Collection, write_record
from protocol.records.record import Evaluation, RecordError
from scripts.report.verdicts import Note, annotate

try:
    import resource
except ImportError:
    resource = None  # Windows has no module `resource`

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHESS = registry.get("chess")


def position(fen, chess960=False):
    return CHESS.parse(fen, {"UCI_Chess960": chess960})


def annotated(record, kind, notes, annotator=""):
    """Return the text of an annotated record."""
    annotate(record, notes, annotator, in_words=kind == "sgf")
    return write_record(record, kind)


GGF_START = (
    "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
)


def texts(record):
    return [before.move_text(move) for before, move in record.positions()]


# ---- standard algebraic notation ----------------------------------------------------------------------


@pytest.mark.parametrize("fen, move, san", rows("analyse.san_is_written_and_read"))
def test_san_is_written_and_read(fen, move, san):
    place = position(fen, "HA" in fen)
    found = place.parse_move(move)
    assert place.notation(found) == san
    for text in (san, san.rstrip("+#"), san + "!?", san.replace("=", ""), move):
        assert place.read_notation(text) == found
    assert place.notation(found) == san, "the position is unchanged"


def test_invalid_san_is_refused():
    place = position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    for text in ("Nd2", "Nd8", "e4", "O-O", "x", "", "Nbd2d2", "Qd2"):
        with pytest.raises(GameError):
            place.read_notation(text)


def test_informal_move_notations_are_read():
    place = position("4k3/8/8/2p5/1P6/8/8/1N2KB2 w - - 0 1")
    for text, move in (
        ("Nc3", "b1c3"),
        ("b1c3", "b1c3"),
        ("b1-c3", "b1c3"),
        ("bxc5", "b4c5"),
        ("Bc4", "f1c4"),
    ):
        read = [read_any_move(place, text, typed=typed) for typed in (False, True)]
        assert read == 2 * [place.parse_move(move)]
    for text, move in (("nc3", "b1c3"), ("bc4", "f1c4"), ("bc5", "b4c5")):
        assert read_any_move(place, text, typed=True) == place.parse_move(move)
    for text in ("nc3", "bc4"):
        with pytest.raises(GameError, match=text):
            read_any_move(place, text)
    with pytest.raises(GameError, match='"Nd2" fits more than one move'):
        read_any_move(position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"), "nd2", typed=True)
    board = registry.get("tictactoe").start({})
    read = [read_any_move(board, "P@b2"), read_any_move(board, "b2", typed=True)]
    assert read == 2 * [board.parse_move("b2")]


@pytest.mark.parametrize(
    "start, moves, san", rows("analyse.records_continue_after_an_unclaimed_draw")
)
def test_records_continue_after_an_unclaimed_draw(start, moves, san):
    tags = f'[SetUp "1"]\n[FEN "{start}"]\n\n' if start else ""
    record = read_records(f"{tags}{moves} {san} *", "pgn")[1][0]
    *before, last = record.moves
    place = record.start.position(before)
    assert place.outcome().winner is None and place.notation(last) == san
    assert read_records(write_record(record, "pgn"))[1][0].moves == record.moves


def test_san_round_trip_in_random_games():
    rng = random.Random(11)
    for chess960 in (False, True):
        place = CHESS.start({"UCI_Chess960": chess960})
        for _ in range(60):
            moves = place.legal_moves()
            written = [place.notation(move) for move in moves]
            assert len(set(written)) == len(written)
            assert [place.read_notation(san) for san in written] == moves
            if not moves:
                break
            place.make(rng.choice(moves))


# ---- records ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, score, mate",
    [
        ("1.5", 150, None),
        ("-0.25,12", -25, None),
        ("999999999", MAX_SCORE, None),
        ("#-3", None, -3),
        (400 * "9", None, None),
        ("#" + 400 * "9", None, None),
        ("1.5," + 5000 * "9", None, None),
        ("1e9", None, None),
    ],
    ids=lambda value: str(value)[:12],
)
def test_only_valid_evaluations_are_read(text, score, mate):
    kind, (record,) = read_records(f'[Site "?"]\n\n1. e4 {{[%eval {text}] so they say}} *')
    (step,) = record.line
    assert kind == "pgn" and step.comment == "so they say"
    assert (step.evaluation is None) == (score is mate is None)
    assert step.evaluation is None or (step.evaluation.score, step.evaluation.mate) == (score, mate)


def test_stray_braces_do_not_hide_a_game():
    game = '[White "x"]\n\n1. e4 {one { and {two} e5 ; a smile :-{\n2. Nf3 {a}{b; c} } *\n\n'
    _, records = read_records(3 * game)
    assert [texts(record) for record in records] == 3 * [["e2e4", "e7e5", "g1f3"]]


def test_comments_variations_and_marks_are_preserved():
    text = (
        "{before} 1. e4 $1 {a (good) move [%clk 0:01:00]} e5! (1... c5 {sharp} (1... e6 2. d4) 2. Nf3) "
        "2. Ke2?? {[%eval -9.00]} ; why not\n Nc6 *"
    )
    _, (record,) = read_records(text, "pgn")
    assert texts(record) == "e2e4 e7e5 e1e2 b8c6".split()
    again = " ".join(write_record(record, "pgn").split("\n\n")[1].split())
    assert again == (
        "{before} 1. e4 $1 {[%clk 0:01:00] a (good) move} 1... e5 $1 (1... c5 {sharp} "
        "(1... e6 2. d4) 2. Nf3) 2. Ke2 $4 {[%eval -9.00] why not} 2... Nc6 *"
    )
    notes = [
        Note(Evaluation(20)),
        Note(Evaluation(10)),
        Note(Evaluation(-80), "?", record.start.position(record.moves[:2]).legal_moves()[:1]),
    ]
    noted = " ".join(annotated(record, "pgn", notes).split("\n\n")[1].split())
    assert "{[%clk 0:01:00] [%eval 0.20] a (good) move}" in noted and "(1... c5 {sharp}" in noted
    assert "2. Ke2 $4 {[%eval -0.80] why not} (2. " in noted, "one mark, one evaluation, both lines"
    (once,) = read_records(write_record(record, "pgn"))[1]
    assert annotated(once, "pgn", notes) == write_record(record, "pgn"), (
        "a second annotation changes nothing"
    )


@pytest.mark.parametrize("pgn, players, moves", rows("analyse.unusual_pgn_records_are_read"))
def test_unusual_pgn_records_are_read(pgn, players, moves):
    (record,) = read_records(pgn, "pgn")[1]
    assert record.players == tuple(players) and texts(record) == moves
    assert record.start.options == ({"UCI_Chess960": True} if "Chess960" in pgn else {})
    (again,) = read_records(write_record(record, "pgn"))[1]
    assert (again.players, again.start, again.moves) == (record.players, record.start, record.moves)


def test_sgf_round_trip_preserves_everything():
    _, (record,) = read_records("(;GM[2]C[before];B[fe]C[a \\] move]TE[1]BL[9.5];W[df]LB[cc:A])")
    text = annotated(record, "sgf", [Note(Evaluation(100), "??"), Note(Evaluation(50), "?")], "me")
    assert text == (
        "(;GM[2]FF[4]CA[UTF-8]SZ[8]AN[me]C[before];B[fe]C[a ] move +1.00]TE[1]BL[9.5]V[1.00]"
        ";W[df]C[+0.50]BM[1]LB[cc:A]V[0.50])\n"
    ).replace("a ] move", "a \\] move")
    assert write_record(read_records(text)[1][0], "sgf") == text


def test_othello_records_of_other_programs_are_read():
    ggf = (
        "(;GM[Othello]PB[black]PW[white]RE[+8.000]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- --------"
        " -------- -------- *]B[F5//0.01]W[d6/1.5/2]B[C3]W[d3];)"
    )
    kind, (record,) = read_records(ggf)
    assert kind == "ggf" and texts(record) == ["f5", "d6", "c3", "d3"] and record.result == "1-0"
    for sgf in (
        "(;GM[2]PB[x]RE[B+8];B[fe];W[df];B[cc];W[dc])",
        "(;GM[2](;B[f5];W[d6](;B[c3];W[d3])(;B[c5])))",
    ):
        _, (record,) = read_records(sgf)
        assert texts(record) == ["f5", "d6", "c3", "d3"]


def test_ggf_without_a_game_is_refused():
    with pytest.raises(RecordError, match="belongs to no game"):
        read_records("f5 d6", "ggf")


@pytest.mark.parametrize(
    "written, result", [("+8.000", "1-0"), ("-2.000:r", "0-1"), ("0.000", "1/2-1/2"), ("?", "*")]
)
def test_ggf_results_are_read(written, result):
    _, (record,) = read_records(GGF_START.replace("BO[", f"RE[{written}]BO[") + "B[F5]W[D6];)")
    assert record.result == result


def test_ggf_move_annotations_are_preserved():
    _, (record,) = read_records(
        GGF_START + "C[before]B[f5]C[a \\] move]BM[1]W[d6//2.50]B[c3]W[d3];)"
    )
    assert record.comment == "before"
    assert record.line[0].comment == "a ] move"
    assert record.line[0].mark == "?"
    text = annotated(
        record,
        "ggf",
        [Note(Evaluation(120), "??"), *(Note(Evaluation(score)) for score in (120, -50, 0))],
        "me",
    )
    assert "AN[me]" in text and text.endswith(
        "C[before]B[f5/1.20]C[a \\] move]BM[1]W[d6/-1.20/2.50]B[c3/-0.50]W[d3/-0.00];)\n"
    )


@pytest.mark.parametrize("text, game, moves", rows("analyse.lists_of_moves_are_read"))
def test_lists_of_moves_are_read(text, game, moves):
    kind, (record,) = read_records(text, game_name=game)
    assert kind == "moves" and texts(record) == moves


@pytest.mark.parametrize("text, words", rows("analyse.faults_of_records_are_reported"))
def test_faults_of_records_are_reported(text, words):
    with pytest.raises(RecordError) as error:
        read_records(text)
    assert words in str(error.value)


# ---- the script ---------------------------------------------------------------------------------------


def analyse(*arguments, status=0, cwd=None, **more):
    """Run scripts/analyse; return (standard output, standard error)."""
    found, output, wrong = warm.run("scripts/analyse", *arguments, cwd=cwd, **more)
    assert found == status, wrong
    assert "Traceback" not in wrong
    return output, wrong


def report(path):
    """Return (the games of a report, its text); check that the report fetches nothing."""
    text = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert set(re.findall(r"https?://[^\"' >]+", text)) <= {"http://www.w3.org/2000/svg"}, (
        "nothing is fetched"
    )
    assert all(place.startswith("data:") for place in re.findall(r'(?:src|href)="([^"]*)"', text))
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))
    return data["embedded"]["games"], text


def test_each_blunder_of_a_tictactoe_game_is_marked(tmp_path):
    (tmp_path / "game.txt").write_text("b2 b1 c3 c2 a2 b3 c1 a3 a1")
    output, _ = analyse("game.txt", "--game", "tictactoe", "--depth", "9", cwd=tmp_path)
    blunders = [line.split(",")[0] for line in output.splitlines()[:-1]]
    assert blunders == ["1... b1?? blunder", "3. a2?? blunder", "3... b3?? blunder"]
    record = json.loads((tmp_path / "game-analysed.jsonl").read_text())
    signs = [[], [4], [], [], [4], [4], [], [], []]
    assert [step.get("nags", []) for step in record["line"]] == signs
    assert record["line"][1]["said"]["eval"] == ["#3"]
    assert record["line"][4]["said"]["eval"][0].startswith("0.00")
    assert record["moves"] == "b2 b1 c3 c2 a2 b3 c1 a3 a1".split() and record["result"] == "1-0"
    (game,), text = report(tmp_path / "game-analysed.html")
    line = game["line"]
    assert [step.get("mark", "") for step in line] == ["", "??", "", "", "??", "??", "", "", ""]
    seen = line[0]["view"]
    assert seen["rows"] == [["", "", ""], ["", "X", ""], ["", "", ""]] and "moves" not in seen
    assert line[0]["note"]["score"] == "+0.00" and line[1]["note"]["score"] == "X wins in 3"
    (better,) = line[1]["variations"]
    assert {0, 2}.issuperset(better[0]["view"]["last"][0]), "a corner preserves the draw"
    assert game["review"]["effort"] == "depth 9" and game["review"]["counts"][1]["blunder"] == 2
    assert all(share < 100 for share in game["review"]["accuracy"])


def test_annotated_pgn_is_written(tmp_path):
    game = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "C"]\n\n1. e4 *\n'
    (tmp_path / "two.pgn").write_text(game)
    output, _ = analyse(tmp_path / "two.pgn", "--depth", "3", "-o", tmp_path / "report")
    assert "game 1: A – B 0-1\n" in output and "game 2: C – Black\n" in output
    text = (tmp_path / "report.pgn").read_text()
    _, (record, second) = read_records(text)
    assert texts(second) == ["e2e4"]
    assert texts(record) == ["f2f3", "e7e5", "g2g4", "d8h4"] and record.result == "0-1"
    assert re.search(r"2\. g4 \$4\s+\{\[%eval\s+#-1\]\}", " ".join(text.split()))
    assert "Annotator" in text
    games, _ = report(tmp_path / "report.html")
    assert [len(game["line"]) for game in games] == [4, 1]
    assert [game["title"] for game in games] == ["A – B 0-1", "C – Black"]
    step = games[0]["line"][2]
    assert (step["number"], step["words"], step["mark"]) == (2, "g4", "??")
    analyse(tmp_path / "two.pgn", "--number", "2", "--nodes", "50", "-o", tmp_path / "second.html")
    assert "1. e4 {[%eval" in (tmp_path / "second.pgn").read_text()
    assert (tmp_path / "second.html").exists()
    _, wrong = analyse(tmp_path / "two.pgn", "--depth", "1", "-o", tmp_path / "two", status=2)
    assert "must be different files" in wrong and (tmp_path / "two.pgn").read_text() == game


def test_names_in_a_report_are_escaped(tmp_path):
    evil = "</script><img src=x onerror=alert(1)>"
    (tmp_path / "evil.pgn").write_text(
        f'[White "{evil}"]\n[Event "{evil}"]\n\n1. e4 {{{evil}}} *\n'
    )
    analyse(tmp_path / "evil.pgn", "--nodes", "50")
    (game,), text = report(tmp_path / "evil-analysed.html")
    assert (
        "<img src=x" not in text and text.count("</script>") == 2 and game["tags"]["Event"] == evil
    )


@pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")
def test_report_works_in_a_browser(tmp_path):
    games = '1. f3 e5 2. g4 Qh4# 0-1\n\n[White "C"]\n\n1. e4 c5 2. Nf3 *\n'
    analyse("-", "--depth", "3", "-o", tmp_path / "report", input=f'[White "A"]\n\n{games}')
    with chromium.Browser(tmp_path / "profile") as browser:
        page = browser.open(f"file://{tmp_path / 'report.html'}")
        page.wait(
            "document.querySelectorAll('#board .piece').length === 32 && document.body.dataset.ply === '0'"
        )

        def at(ply):
            """Wait until the page shows the position at a ply, and its address names the ply."""
            page.wait(f"document.body.dataset.ply === '{ply}' && location.hash === '#1.{ply}'")

        here = "#moves [aria-current]"
        for ply in (1, 2, 3):
            page.press("ArrowRight")
            at(ply)
        assert page.text("#status") == "Black to move. Black wins in 1"
        assert page.text(here) == "g4??"
        page.press("ArrowDown")
        page.wait(
            f"document.querySelector('.variation').contains(document.querySelector('{here}')) "
            f"|| document.querySelector('{here}').closest('.variation')"
        )
        page.press("Escape")
        page.wait(f"document.querySelector('{here}').textContent === 'g4??'")
        page.press("End")
        at(4)
        assert page.text("#status") == "Black wins: checkmate"
        assert "0–1" in page.text("#moves .result")
        page.press("p")
        at(3)
        page.press("Home")
        at(0)
        page.press("f")
        page.wait(
            "document.querySelector('[data-cell=h1]').getBoundingClientRect().x < "
            "document.querySelector('[data-cell=a1]').getBoundingClientRect().x"
        )
        page.click("#graph")
        at(2)
        page.click("#moves button[data-ply='1']")
        at(1)
        assert "100.0 %" in page.text("#accuracy")
        assert page.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
        page.click("[data-cell=e7]")  # a report accepts no moves
        assert page.evaluate("document.querySelector('.chosen')") is None
        page.resize(360, 700)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.choose("#chosen", 1)
        page.wait("location.hash === '#2.0'")
        assert page.text("#report-title").startswith("C") and page.errors == []


@pytest.mark.skipif(resource is None, reason="the system can't limit the size of files")
def test_analysed_games_are_stored_if_the_report_cannot_be_written(tmp_path):
    words = "-", "--depth", "2", "-o", tmp_path / "game"
    most = 60_000  # maximum size of a file in bytes, too small for a report
    done = run_python(
        ROOT / "scripts" / "analyse",
        *words,
        input="1. e4 e5",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert done.returncode == 1
    assert "can't write" in done.stderr and (tmp_path / "game.part").exists()
    output, news = analyse(*words, input="1. e4 e5")
    assert "already has 1 of 1 game" in news and "written: " in output
    assert {path.name for path in tmp_path.iterdir()} == {"game.html", "game.pgn"}


@pytest.mark.parametrize("folder", [".", "..", "sub/"])
def test_folder_as_output_is_refused(tmp_path, folder):
    (tmp_path / "sub").mkdir()
    _, wrong = analyse("-", "-o", folder, input="1. e4", cwd=tmp_path, status=2)
    assert f"{folder} names a folder" in wrong and list(tmp_path.iterdir()) == [tmp_path / "sub"]


def test_othello_moves_from_stdin_become_sgf(tmp_path):
    analyse("-", "--game", "othello", "--depth", "2", input="f5d6c3d3c4", cwd=tmp_path)
    _, (record,) = read_records((tmp_path / "game-analysed.sgf").read_text())
    assert texts(record) == ["f5", "d6", "c3", "d3", "c4"]


@pytest.mark.parametrize(
    "name, text, moves",
    [
        ("games.pgn", "{by Anna} 1. e4 e5 *", "e2e4 e7e5"),
        ("game.SGF", "(\n;GM[2];B[fe];W[df])", "f5 d6"),
        ("game.ggf", f"1 {GGF_START}B[F5]W[D6];)", "f5 d6"),
        ("game.txt", "1. e4 e5", "e2e4 e7e5"),
    ],
)
def test_suffix_overrides_content_in_format_detection(tmp_path, name, text, moves):
    (tmp_path / name).write_text(text)
    analyse(name, "--depth", "1", "-o", "report", cwd=tmp_path)
    (written,) = tmp_path.glob("report.[!h]*")
    _, (record,) = read_records(written.read_text())
    assert " ".join(texts(record)) == moves


def test_tree_is_drawn_for_a_game_without_a_board(tmp_path):
    output, _ = analyse("-", "--game", "tree", "-o", tmp_path / "tree", input="2 1 2 1")
    assert output.startswith("1. 2? mistake, +2; better: 1 1 1 1")
    (game,), _ = report(tmp_path / "tree.html")
    for shown, (way, current) in ((game, (0, 1)), (game["line"][0], (1, 1))):
        picture = shown["view"]["tree"]
        kinds = re.findall(r'class="node \w+ (\w+)"', picture)
        assert len(kinds) == 31
        assert (kinds.count("line"), kinds.count("current")) == (way, current)


STUB = """
    import os, sys
    with open({pid!r}, "w") as file:
        file.write(str(os.getpid()))
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name Stub\\nid author me\\nuciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            played = words[words.index("moves") + 1:] if "moves" in words else []
        elif words[:1] == ["go"]:
            {go}
    {end}
"""


def stub(tmp_path, go, end="pass"):
    """Write a stub engine and a game; return arguments with which scripts/analyse uses them.

    go, end: code that the engine runs at the command "go", and at the end of its input.
    """
    source = textwrap.dedent(STUB).format(pid=str(tmp_path / "pid"), go=go, end=end)
    (tmp_path / "stub.py").write_text(source)
    (tmp_path / "game.pgn").write_text("1. e4 e5 2. Nf3 *")
    return [
        tmp_path / "game.pgn",
        "--engine",
        f"{sys.executable} {tmp_path / 'stub.py'}",
        *"--protocol uci -o".split(),
        tmp_path / "report",
    ]


def test_an_engine_other_than_plyglot_can_analyse(tmp_path):
    go = 'print("info depth 9 score cp 20\\nbestmove " + ("b8c6" if len(played) % 2 else "a2a3"), flush=True)'
    arguments = stub(tmp_path, go)
    analyse(*arguments)
    text = " ".join((tmp_path / "report.pgn").read_text().split())
    assert "1. e4 {[%eval -0.20,9]}" in text and "Stub, 1 s per position" in text


@pytest.mark.parametrize("go, words", rows("analyse.engine_failures_are_reported"))
def test_engine_failures_are_reported(tmp_path, go, words):
    _, error = analyse(*stub(tmp_path, go), status=2)
    assert words in error
    assert not (tmp_path / "report.pgn").exists()


def test_an_engine_failure_in_one_game_spares_the_others(tmp_path):
    go = (
        "move = 'a1a8' if 'd2d4' in played else 'b8c6' if len(played) % 2 else 'a2a3'; "
        "print('info depth 9 score cp 20\\nbestmove', move, flush=True)"
    )
    words = stub(tmp_path, go)
    (tmp_path / "game.pgn").write_text("1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 c5 *\n")
    _, error = analyse(*words)
    assert re.search(r"game 2: not analysed: .*a1a8", error)
    text = (tmp_path / "report.pgn").read_text()
    assert [len(record.line) for record in Collection(text)] == [2, 2, 2]
    assert text.count("%eval") == 4
    assert not (tmp_path / "report.part").exists() and (tmp_path / "report.html").exists()


def test_a_second_run_replaces_its_own_files_unless_they_were_edited(tmp_path):
    (tmp_path / "game.pgn").write_text("1. e4 e5 *\n")
    words = tmp_path / "game.pgn", "--nodes", "20", "-o", tmp_path / "out"
    analyse(*words)
    analyse(*words)
    (tmp_path / "other.pgn").write_text("1. d4 d5 *\n")
    _, error = analyse(tmp_path / "other.pgn", *words[1:], status=2)
    assert "out.html exists and was not written by this command" in error
    for name in ("out.pgn", "out.html"):
        kept = (tmp_path / name).read_text()
        (tmp_path / name).write_text(kept + "mine\n")
        _, error = analyse(*words, status=2)
        assert f"{name} exists and was not written by this command, or was edited since" in error
        (tmp_path / name).write_text(kept)
    analyse(*words)


def started(*arguments):
    """Start scripts/analyse; return the process."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "analyse"), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize(
    "number, status", [(signal.SIGINT, 130), (getattr(signal, "SIGKILL", signal.SIGTERM), -9)]
)
def test_engine_ends_with_an_interrupted_analysis(tmp_path, number, status):
    asked = tmp_path / "asked"
    go = f"import time; open({str(asked)!r}, 'w').close(); time.sleep(100)"
    arguments = stub(tmp_path, go, end="import time; time.sleep(100)")
    with started(*arguments) as process:
        wait_until(asked.exists)
        process.send_signal(number)
        _, error = process.communicate(timeout=20)
    assert process.returncode == status and b"Traceback" not in error
    pid = int((tmp_path / "pid").read_text())
    assert ended(pid)


@pytest.mark.skipif(os.name != "posix", reason="the system has no pseudo-terminals")
def test_progress_is_shown_before_and_during_the_analysis(tmp_path):
    (tmp_path / "game.txt").write_text("b2 b1 c3 c2 a2 b3 c1 a3 a1")
    words = [str(ROOT / "scripts" / "analyse"), "game.txt", "--game", "tictactoe"]
    words += ["--depth", "3"]
    with pexpect.spawn(
        sys.executable, words, cwd=str(tmp_path), encoding="utf-8", timeout=PATIENCE
    ) as child:
        child.expect_exact("10 positions\r")
        child.expect(r"position 1 of 10, \d+%")
        child.expect_exact("written: ")


@pytest.mark.parametrize("arguments, words", rows("analyse.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(arguments, words):
    _, error = analyse(*arguments, status=2, input="e2e4")
    assert words in error
