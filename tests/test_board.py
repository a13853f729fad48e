"""scripts/board: its commands, access checks, and the end of its engines."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import base64
import json
import os
import re
import shlex
import signal
import socket
import sys
import threading
from unittest import mock

import pytest
import warm
from board_server import (
    PGN,
    PLUGINS,
    ROOT,
    SLOW,
    BoardServer,
    board_with_plugins,
    ended,
    play_tournament,
    tournament,
)
from samples import SAMPLES
from tables import rows

from games import registry
from plyglot import Info
from protocol.records.record import Record, Start
from scripts.browser import page_engines
from scripts.browser import server as page_server
from scripts.browser.interface import PageSettings
from scripts.browser.watching import listed
from scripts.pages.records import OpenFile
from search.limits import Limits


@pytest.fixture(scope="module")
def server():
    with board_with_plugins() as found:
        yield found


# ---- the interface ---------------------------------------------------------------------------------------


def test_every_registered_game_has_a_view(server):
    status, there_is = server.ask("games")
    names = [game["name"] for game in there_is["games"]]
    assert status == 200 and set(registry.built_in()) | {"kalah", "nim"} <= set(names)
    for name in names:
        status, seen = server.ask("position", game=name)
        assert status == 200
        assert seen["moves"]
        assert seen["rows"] or seen["picture"]
        assert seen["result"] == "*"
        status, after = server.ask("position", game=name, moves=[seen["moves"][0]["move"]])
        assert status == 200 and after["turns"] == [[1, 0]] and after["text"] != seen["text"]


def test_chess_view_has_san_castling_and_promotions(server):
    moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]
    _, linked = server.ask("line", game="chess", moves=moves)
    words = [each["words"] for each in linked["line"]]
    assert words == "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split()
    _, seen = server.ask("position", game="chess", moves=moves)
    assert seen["turns"] == [[1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1], [4, 0]]
    later = {"game": "chess", "start": "4k3/8/8/8/8/8/8/R3K3 b - - 0 7", "moves": ["e8d7", "a1a8"]}
    assert server.ask("position", **later)[1]["turns"] == [[7, 1], [8, 0]]
    assert [each["number"] for each in server.ask("line", **later)[1]["line"]] == [7, 8]
    assert seen["result"] == "1-0" and seen["check"] == [4, 7] and seen["moves"] == []
    _, seen = server.ask("position", game="chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    promotions = [move["becomes"] for move in seen["moves"] if move["to"] == [0, 7]]
    assert sorted(promotions) == ["B", "N", "Q", "R"]


@pytest.mark.parametrize("game, start, moves, line", rows("board.winning_row_is_reported"))
def test_winning_row_is_reported(server, game, start, moves, line):
    _, seen = server.ask("position", game=game, start=start, moves=moves.split())
    assert seen["result"] == "1-0" and sorted(seen["line"]) == line


@pytest.mark.parametrize(
    "text, move", [("nf3", "g1f3"), ("Nf3", "g1f3"), ("e4", "e2e4"), ("g1f3", "g1f3")]
)
def test_typed_moves_are_read_in_any_notation(server, text, move):
    assert server.ask("move", game="chess", moves=[], text=text)[1]["move"] == move


def test_comments_variations_marks_and_evaluations_survive(server):
    _, read = server.ask_about("read", PGN)
    game = read["game"]
    line = game["line"]
    assert [step["words"] for step in line] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert line[0]["comment"] == "the king's pawn"
    assert line[5]["comment"] == "<i>oops</i>"
    assert line[5]["mark"] == "??"
    assert line[5]["note"]["score"] == "White wins in 1" and line[5]["note"]["share"] == 1
    variation = line[2]["variations"][0]
    assert [step["words"] for step in variation] == ["Nf3", "Nc6", "Bb5"]
    assert variation[2]["mark"] == "!"
    assert [step["words"] for step in variation[1]["variations"][0]] == ["Nf6", "Nxe5"]
    _, written = server.ask("write", **game)
    assert '[Event "A <b>lesson</b>"]' in written["text"] and "2. Nf3" in written["text"]
    assert server.ask_about("read", written["text"])[1]["game"]["line"] == line
    _, read = server.ask_about("read", "1. e4 (1. e5) e5 *\n\n1. e5 *")
    assert read["problems"] == ['game 1, line 1: move 1: "e5" is not a legal move here']
    assert [step["words"] for step in read["game"]["line"]] == ["e4", "e5"]
    assert "error" in server.ask_about("read", "1. e5 *\n[")[1]


GGF = """(;GM[Othello]PB[One]PW[Two]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[F5/1.50]C[a \\] bracket]W[D6/-0.50]BM[1]VA[(;W[F6\\]C[other\\];B[E6\\])]B[C3];)"""


@pytest.mark.parametrize("number", ["", "GM[1]"])
def test_sgf_that_names_go_or_no_game_is_read_as_gomoku_on_its_board(server, number):
    text = f"(;FF[4]{number}SZ[15];B[hh];W[ig])"
    _, read = server.ask_about("read", text, game="gomoku")
    assert [step["move"] for step in read["game"]["line"]] == ["h8", "i9"]
    for other in ("chess", "othello", "tree"):
        assert "unsupported game: GM" in server.ask_about("read", text, game=other)[1]["error"]


def test_a_text_that_is_not_a_game_gets_one_error(server):
    for text in ("hello", "hello\nworld\n"):
        assert server.ask_about("read", text)[1]["error"].startswith(
            "no game found; supported formats: JSON lines, "
        )
    assert server.ask_about("read", "e9 e5")[1]["error"].startswith('line 1: move 1: "e9"')
    wrong = server.ask("position", game="chess", start="hello", moves=[])[1]["error"]
    assert wrong.startswith('"hello": ') and "move" not in wrong


def test_a_pasted_board_of_othello_is_read_as_a_position(server):
    rows = "\n".join(
        "........ ........ ........ ...ox... ...xo... ........ ........ ........".split()
    )
    for start in (rows, rows.replace("x", "*") + " *"):
        answer = server.ask("position", game="othello", start=start, moves=["f5"])[1]
        assert answer["side"] == 1, answer


def test_files_in_any_encoding_are_opened(server):
    for name, wanted in (
        ("shift-jis.sgf", "\u8868"),
        ("big5.sgf", "\u8a31\u529f\u84cb"),
        ("utf16.pgn", "\u00dc"),
        ("cr.pgn", "Nf3"),
    ):
        data, about = SAMPLES[name].data, {"file": name}
        assert server.ask("read", **about)[1] == {"forgotten": True}
        for begin, end in ((0, 7), (7, 7), (3, len(data))):  # parts may be empty or overlap
            piece = base64.b64encode(data[begin:end]).decode()
            assert server.ask("read", **about)[1] == {"forgotten": True}
            words = {"at": begin, "data": piece, "last": end == len(data), "game": "gomoku"}
            assert server.ask("upload", file=name, **words)[1] == {}
        assert wanted in json.dumps(server.ask("read", **about)[1], ensure_ascii=False)
    for words, wrong in (
        ({"at": 0, "data": "\u00e9"}, "data must be bytes in base64"),
        ({"at": 9, "data": ""}, "must come in order"),
    ):
        assert wrong in server.ask("upload", file="other", **words)[1]["error"], words


def test_options_in_a_record_open_no_file(server, tmp_path):
    """Neither path is an opening book, so a server that opened one of them would report an error."""
    for options in ({"BookFile": "/etc/passwd"}, {"BookFile": str(tmp_path)}, {"OwnBook": False}):
        text = json.dumps({"game": "chess", "moves": ["e2e4"], "options": options})
        game = server.ask_about("read", text)[1]["game"]
        assert game["options"] == {}
        written = server.ask("write", **{**game, "options": options, "format": "json"})[1]["text"]
        assert "BookFile" not in written
        assert server.ask("position", game="chess", options=options, moves=["e2e4"])[1]["side"] == 1


def test_scores_and_marks_in_json_lines_are_read(server):
    game = {
        "game": "tictactoe",
        "players": ["A", "B"],
        "result": "*",
        "moves": ["b2", "b1", "a1"],
        "opening": 1,
        "scores": [-35, "M3"],
    }
    _, read = server.ask_about("read", json.dumps(game))
    scores = [step.get("note", {}).get("score") for step in read["game"]["line"]]
    assert scores == [None, "+0.35", "X wins in 3"]


def test_invalid_arguments_are_refused_with_a_message(server):
    many, line = int("9" * 400), [{"move": "e2e4"}]
    for command, body in (
        ("write", {"line": [{"move": "e2e4", "variations": 5}]}),
        ("write", {"line": [{"move": "e2e4", "variations": True}]}),
        ("think", {"page": "x", "role": "0", "movetime": many}),
        ("think", {"page": "x", "role": "0", "first": many}),
        ("think", {"page": "x", "role": "0", "movetime": float("nan")}),
        ("lesson", {"depth": many}),
        ("write", {"line": [{"move": "e2e4", "eval": "#" + "9" * 25}]}),
        ("write", {"line": line, "format": "sgf"}),
    ):
        status, answer = server.ask(command, game="chess", **body)
        assert status == 200 and answer["error"], (command, body)
    for length in ("0" * 20 + "2", "0" * 12 + "9" * 12):
        headers = {
            "Host": server.host,
            "Content-Type": "application/json",
            "Content-Length": length,
        }
        status, _, answer = server.request("POST", f"/{server.token}/api/games", b"{}", headers)
        assert status == 413 and json.loads(answer)["error"]


def test_unreadable_game_of_a_file_is_reported_and_the_others_listed(server):
    pgn = '[Event "x"]\n\n1. e4 *\n\n'
    for good, bad, wrong in (
        (pgn, pgn.replace("e4", "e5"), r"line \d+: move 1: .*"),
        ("(;GM[2];B[fe])", "(;GM[2];B[aa])", r"line \d+: ply 1: .*"),
        (GGF, GGF.replace("F5/", "A1/"), r"line \d+: ply 1: .*"),
    ):
        assert server.ask_about("read", bad + good)[1]["at"] == 1
        titles = server.ask_about("titles", good + good + bad, begin=1)[1]
        assert len(titles["titles"]) == 2 and titles["share"] == 1
        error = server.ask_about("read", good + good + bad, at=2)[1]["error"]
        assert re.fullmatch("game 3, " + wrong, error)
        assert re.fullmatch(wrong, server.ask_about("read", bad)[1]["error"])
    assert server.ask_about("read", pgn * 2, at=2)[1]["error"] == "there is no game 3, only 2 games"


def test_titles_of_a_long_file_are_returned_in_parts():
    text = '[Event "E"]\n[White "Ann"]\n[Black "?"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    opened = OpenFile((text * 300 + '[Event "The chapter"]\n\n1. d4 *\n').encode(), "chess")
    found = opened.titles(0, -1.0)
    assert found["titles"] == ["Ann – Black 1-0"] and 0 < found["share"] < 0.01
    assert opened.read(300)["game"]["line"][0]["words"] == "d4"
    rest = opened.titles(1, 60.0)
    assert len(rest["titles"]) == 300 and rest["share"] == 1
    assert rest["titles"][-1] == "The chapter" and not opened.titles(301, 60.0)["titles"]


def test_the_text_of_a_position_is_read_like_a_record(server):
    fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
    read = server.ask_about("read", f" {fen}\n", game="chess")[1]
    assert read["game"]["start"] == fen
    assert read["game"]["line"] == []
    assert len(server.ask_about("titles", f" {fen}\n", begin=0)[1]["titles"]) == 1
    about = {"text": "xo1/1x1/o2 x", "game": "tictactoe"}
    assert server.ask_about("read", **about)[1]["game"]["start"] == about["text"]
    assert server.ask_about("titles", begin=0, **about)[1] == {"titles": [], "share": 1}
    assert "8 rows" in server.ask_about("read", "8/8 w - - 0 1", game="chess")[1]["error"]


def test_the_fault_of_an_invalid_arranged_board_is_reported(server):
    rows = ["....K...", *["." * 8] * 6, "....k..."]
    answer = server.ask("arrange", game="chess", rows=rows, side=1, rights="")[1]
    assert answer == {"text": "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "wrong": ""}
    right = server.ask("arrange", game="chess", rows=rows, side=0, rights="K")[1]
    assert right == {"text": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "wrong": ""}, "no rook, no castling"
    pawn = ["....K..P", *rows[1:]]
    wrong = server.ask("arrange", game="chess", rows=pawn, side=0)[1]["wrong"]
    assert "a pawn can't stand on h1" in wrong
    assert "one king" in server.ask("arrange", game="chess", rows=["." * 8] * 8, side=0)[1]["wrong"]
    assert "same length" in server.ask("arrange", game="chess", rows=["..", "."])[1]["error"]
    checks = server.ask("arrange", game="3check", rows=rows, side=0, hands="3+x")[1]["wrong"]
    assert "checks must be written as 3+3" in checks, "no field of a position is passed over"


def test_a_search_sends_the_page_its_lines_and_a_move(server):
    events = server.listen("thinker")
    request = {"role": "analysis", "ticket": 7, "game": "othello", "moves": ["d3"], "lines": 3}
    assert server.ask("think", page="thinker", **request)[0] == 200
    while True:
        event = events.until("lines")
        if len(event["lines"]) == 3:
            break
    assert event["ticket"] == 7
    assert 0 < event["lines"][0]["share"] < 1
    assert event["lines"][0]["line"][0]["move"] in ("c3", "e3", "c5")
    server.ask("stop", page="thinker", role="analysis", ticket=6)
    server.ask("think", page="thinker", role="analysis", ticket=5, game="chess", moves=[], depth=1)
    server.ask("stop", page="thinker", role="analysis", ticket=7, move=True)
    assert events.until("move")["move"] in ("c3", "e3", "c5")
    server.ask(
        "think", page="thinker", role="analysis", ticket=8, game="connect4", moves=[], depth=3
    )
    assert events.until("move")["ticket"] == 8
    events.close()


def final_looks(lesson):
    """Return what is shown of each node after a search: {node: [state, value, window, cut]}."""
    looks = {}
    for step in lesson["steps"]:
        looks.update(step["changes"])
    return looks


def test_lesson_matches_the_textbook_search(server):
    _, lesson = server.ask("lesson", tree="startpos")
    entered = [step["node"] for step in lesson["steps"] if step["kind"] in ("enter", "leaf")]
    visited = " ".join(map(str, entered))
    assert visited == "0 1 3 7 15 16 8 17 4 9 19 20 2 5 11 23 12 25"
    looks = final_looks(lesson)
    assert len(looks) == 31 and [state for state, *_ in looks.values()].count("pruned") == 13
    assert looks["0"][:2] == ["line", "4"]
    _, whole = server.ask("lesson", tree="startpos", algorithm="minimax")
    assert {state for state, *_ in final_looks(whole).values()} == {"line", "visited"}
    _, game = server.ask("lesson", game="tictactoe", start="xo1/1x1/3 o", depth=2)
    assert len(game["nodes"]) == 37 and game["players"] == ["X", "O"]
    assert {game["nodes"][7]["name"], game["nodes"][12]["name"]} == {"leaf c1/a1", "leaf a1/c1"}
    for name, tree in server.ask("games")[1]["examples"]:
        assert len(server.ask("lesson", tree=tree)[1]["steps"]) > 2, name
    for wrong in rows("board.lesson_matches_the_textbook_search"):
        assert "error" in server.ask("lesson", **wrong)[1], wrong


def test_record_of_a_killed_tournament_is_read_up_to_its_incomplete_line(server, tmp_path):
    play_tournament(tmp_path / "t.jsonl")
    text = (tmp_path / "t.jsonl").read_text()
    assert server.ask_about("read", text[:-50])[1]["game"]["line"]
    titles = server.ask_about("titles", text[:-50], begin=0)[1]["titles"]
    assert len(titles) == 2 and titles[1] == "unreadable"
    problem = server.ask_about("read", text[:-50], at=1)[1]["error"]
    assert problem.startswith('game 2, line 3: not valid JSON: {"id":')


@pytest.mark.parametrize(
    "game, start, moves, number", rows("board.a_listed_game_has_the_number_of_its_last_move")
)
def test_a_listed_game_has_the_number_of_its_last_move(game, start, moves, number):
    data = {"id": "1", "game": game, "start": start, "players": ["a", "b"], "moves": moves.split()}
    assert listed(data)["number"] == number


def test_a_listed_game_counts_turns_if_players_may_move_twice():
    registry.load_plugin(str(PLUGINS[0]))
    position, moves, turns = registry.get("kalah").start({}), [], []
    for _ in range(12):
        move = position.legal_moves()[0]
        turns.append(position.side)
        moves.append(position.move_text(move))
        position.make(move)
    data = {"id": "1", "game": "kalah", "players": ["a", "b"], "moves": moves}
    later = zip(turns, turns[1:])
    assert listed(data)["number"] == 1 + sum(side > after for side, after in later) < 6


def test_running_games_are_reported_move_by_move(tmp_path):
    record = tmp_path / "trial.jsonl"
    playing, running = tournament(record, *SLOW), BoardServer("--watch", record)
    try:
        events, counts = running.listen("page"), []
        while len(counts) < 2:
            event = events.until("standings")
            game = next(iter(event.get("running", ())), {"moves": 0})
            counts += [game["moves"]] if game["moves"] > max(counts, default=0) else []
        playing.send_signal(signal.SIGSTOP)  # stop the tournament while its game is unfinished
        _, shown = running.ask("replay", id=game["id"])
        assert len(shown["line"]) >= counts[-1]
        assert shown["players"] == game["players"]
        assert shown["result"] == "*"
        assert any(step.get("note") for step in shown["line"])
        playing.kill()
        playing.wait()
        while event.get("running"):
            event = events.until("standings")
        assert "error" in running.ask("replay", id=game["id"])[1]
        assert tournament(record, *SLOW).wait(60) == 0, "the same command continues the tournament"
        while len(event.get("games", ())) < 2:
            event = events.until("standings")
        assert event["running"] == [] and [path.name for path in tmp_path.glob("*.live*")] == []
    finally:
        playing.kill()
        running.stop()


def test_all_files_of_the_page_are_served(server):
    names = sorted(path.name for path in (ROOT / "scripts" / "browser" / "page").iterdir())
    for name in names:
        status, headers, body = server.request("GET", f"/{server.token}/{name}")
        assert status == 200 and body and headers["X-Content-Type-Options"] == "nosniff", name


# ---- access, and the end of processes --------------------------------------------------------------------


def test_requests_from_other_origins_and_without_token_are_refused(server):
    good = {"Host": server.host}
    path = f"/{server.token}/"
    status, headers, _ = server.request("GET", path, headers=good)
    assert status == 200 and "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers
    for refused in (
        {"Host": f"evil.example:{server.port}"},
        {"Host": "127.0.0.1"},
        {},
        {**good, "Origin": "http://evil.example"},
        {**good, "Origin": "null"},
        {**good, "Sec-Fetch-Site": "cross-site"},
    ):
        assert server.request("GET", path, headers=refused)[0] in (403, 421)
    for wrong in (
        "/",
        "/index.html",
        f"/{server.token[:-1]}/",
        f"/{server.token}x/",
        "/events/page",
        path + "../script.py",
        path + "%2e%2e/script.py",
        path + "..\\server.py",
        path + "//etc/passwd",
    ):
        assert server.request("GET", wrong, headers=good)[0] == 404
    simple = {**good, "Content-Type": "text/plain", "Content-Length": "2"}
    assert server.request("POST", path + "api/games", b"{}", simple)[0] == 415


HOSTILE_BODIES = r"""

[]
null
{
\udc80
{"game":5}
{"game":"chess","start":"<script>"}
{"game":"chess","start":7}
{"game":"chess","moves":["e2e5"]}
{"game":"chess","moves":"e2e4"}
{"game":"chess","moves":[[]]}
{"game":"gomoku","options":{"BoardSize":1000000000}}
{"game":"gomoku","options":{"BookFile":"/etc/passwd"}}
{"game":"chess","options":[]}
{"game":"chess","page":null}
{"game":"chess","movetime":NaN}
{"text":"[White \"\u0000\"]\n\n1. e4 *","game":1}
{"result":"<b>","game":"chess"}
""".splitlines()
DEEP = "[" * 100_000
LONG_BODIES = [DEEP, '{"game":' + DEEP, '{"game":"chess","moves":' + "9" * 5000 + "}"]
LONG_BODIES += ['{"game":"tree","start":"' + "(" * 5000 + '"}', '{"text":"' + "(;" * 5000 + '"}']


def test_server_survives_a_hundred_hostile_requests(server):
    for command in ("games", "position", "think", "read", "write", "no-such", "../server.py"):
        for body in (*HOSTILE_BODIES, *LONG_BODIES):
            data = body.encode()
            headers = {"Host": server.host, "Content-Type": "application/json"}
            headers["Content-Length"] = str(len(data))
            path = f"/{server.token}/api/{command}"
            status, _, answer = server.request("POST", path, data, headers)
            assert status < 500, (command, body[:60])
            assert status == 200 or "error" in json.loads(answer), (command, body[:60])
    for raw in (
        b"\0\0\0\n\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"X" * 70_000,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500 + b"\r\n",
        b"",
    ):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(raw)
    assert server.ask("games")[0] == 200


def test_page_that_was_closed_makes_room_for_another():
    running = BoardServer()
    pages = [running.listen(f"page-{number}") for number in range(5)]
    again = running.listen("page-4")
    assert again.refused is None, "a page that connects again counts once"
    assert running.listen("one-more").refused.startswith("5 pages are open already")
    pages[0].close()
    assert running.listen("another").refused is None
    running.stop()


@pytest.mark.parametrize("move", [True, False])
def test_stop_that_arrives_before_its_search_stops_that_search(server, move):
    events, search = server.listen("hasty"), {"page": "hasty", "role": "0", "ticket": 3}
    server.ask("stop", move=move, **search)
    server.ask("think", game="chess", infinite=True, **search)
    if not move:
        server.ask("think", game="chess", depth=1, **{**search, "ticket": 4})
    assert events.until("move")["ticket"] == (3 if move else 4)
    events.close()


def test_silent_and_slow_connections_do_not_block_others(tmp_path):
    """The clients outnumber the server's file descriptors, and send nothing or half a line."""
    (tmp_path / "plyglot").mkdir()
    running = BoardServer(state=tmp_path)
    resource = pytest.importorskip("resource")  # Windows has no such module
    if hasattr(resource, "prlimit"):
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (256, 256))
    silent = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(500)]
    drips = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(20)]
    for drip in drips:
        drip.sendall(b"GET /")
    status, _, answer = running.request("GET", f"/{running.token}/")
    assert status == 200 and b"Plyglot" in answer
    events = running.listen("page")
    assert running.ask("position", game="chess")[1]["side"] == 0
    for connection in silent + drips + [events]:
        connection.close()
    assert running.stop()[1] == ""
    kept = tmp_path / "plyglot" / "board.json"
    assert json.loads(kept.read_text())["port"] == running.port and kept.stat().st_mode & 0o077 == 0
    assert [path.name for path in kept.parent.iterdir()] == ["board.json"]


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Yield a Server in this process that ends requests which take longer than 0.2 seconds."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(page_server, "PATIENCE", 0.2)
    monkeypatch.setattr(page_server.Handler, "timeout", 0.2)
    (tmp_path / "plyglot").mkdir()
    (tmp_path / "plyglot" / f"board.json.{os.getpid()}").write_text("of a process that was killed")
    running = page_server.Server(PageSettings())
    thread = threading.Thread(target=running.serve_forever, args=(0.05,))
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def test_a_request_that_takes_too_long_to_arrive_is_ended(served):
    assert served.unkept is None, (
        "a file of a killed process doesn't keep the address from being saved"
    )
    head = f"POST /{served.token}/api/games HTTP/1.1\r\nHost: 127.0.0.1:{served.server_port}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    for begun in (b"", b"GET /", head.encode() + b"{"):
        with socket.create_connection(("127.0.0.1", served.server_port), timeout=20) as connection:
            connection.sendall(begun)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
            assert b" 200 " not in answer, "the connection was ended before its request was whole"


def test_a_game_without_moves_is_written_as_html(server):
    assert "Chess" in server.ask("write", game="chess", line=[], format="html")[1]["text"]
    assert "error" in server.ask("write", game="chess", line=[{}], format="html")[1]


@pytest.mark.parametrize("side", ["w", "b"])
def test_an_engine_varies_its_move_among_good_ones_only(side):
    """An engine's score is for the side to move; the page's expected score is for the first player."""
    text = f"4k3/8/8/8/8/8/8/4K3 {side} - - 0 1"
    record = Record(Start("chess", text))
    search = page_engines.Search(print, "0", 1, 0, record, Limits(), {}, vary=True)
    moves = ["e1d1", "e1f1", "e1d2"] if side == "w" else ["e8d8", "e8f8", "e8d7"]
    for rank, (move, score) in enumerate(zip(moves, (50, 48, -300)), 1):
        search.take(Info(depth=5, score=score, pv=[move], multipv=rank))
    first = search.position.parse_move(moves[0])
    chosen = {search.choice(first)["move"] for _ in range(60)}
    assert chosen == set(moves[:2])


def test_state_that_cannot_be_saved_is_reported_and_invalid_state_is_ignored(tmp_path):
    (tmp_path / "plyglot").mkdir()
    (tmp_path / "plyglot" / "board.json").write_text('{"port": "x", "token": "<script>"}')
    running = BoardServer(state=tmp_path)
    assert "<" not in running.token and running.stop()[1] == ""
    (tmp_path / "file").write_text("")
    running = BoardServer(state=tmp_path / "file")
    assert "can't save the address for the next run" in running.stop()[1]


def test_review_reports_progress_and_summary(server):
    events = server.listen("reviewer")
    game = {"game": "chess", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}
    about = {"page": "reviewer", "role": "review", "whole": True}
    assert server.ask("think", ticket=1, nodes=2000, **about, **game)[0] == 200
    seen = {}
    while True:
        event = events.until("review")
        seen.update(event["positions"])
        if event["share"] == 1:
            break
    assert sorted(seen, key=int) == ["0", "1", "2", "3", "4"] and seen["4"]["share"] == 0
    found = events.until("reviewed")["game"]
    assert found["line"][2]["mark"] == "??" and found["line"][2]["variations"]
    said = found["review"]
    assert said["counts"][0]["blunder"] == 1
    assert said["accuracy"][0] < said["accuracy"][1]
    assert said["effort"] == "2000 nodes per position"
    assert "no moves to analyse" in server.ask("think", game="chess", **about)[1]["error"]
    events.close()


def test_engines_end_with_the_page_and_with_the_server(tmp_path):
    pids = tmp_path / "pids"
    stub = tmp_path / "engine.py"
    stub.write_text(
        f"import os, sys\nwith open({str(pids)!r}, 'a') as file:\n    file.write(f'{{os.getpid()}}\\n')\n"
        f"os.execv(sys.executable, [sys.executable, {str(ROOT / 'engine.py')!r}])\n"
    )
    running = BoardServer("--engine", "name=Stub", f"cmd='{sys.executable}' '{stub}'", "proto=uci")
    try:
        for page in ("one", "two"):
            events = running.listen(page)
            asked = running.ask("think", page=page, role="hint", ticket=1, engine=1, game="chess")
            assert asked == (200, {}) and events.until("lines")
            if page == "one":
                events.close()
                assert ended(int(pids.read_text().split()[0]))
    finally:
        running.stop()
    assert ended(int(pids.read_text().split()[1]))


MOODY = """import sys
level = "20"
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("option name Skill Level type spin default 20 min 0 max 20\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "setoption":
        level = words[-1]
    elif words[0] == "go":
        print("bestmove", "e2e4" if level == "20" else "a2a3", flush=True)
    elif words[0] == "quit":
        break
"""


def test_full_strength_is_restored_after_a_weakened_game(tmp_path):
    stub = tmp_path / "moody.py"
    stub.write_text(MOODY)
    running = BoardServer("--engine", "name=Moody", f"cmd='{sys.executable}' '{stub}'", "proto=uci")
    try:
        events = running.listen("page")
        search = {"page": "page", "role": "0", "engine": 1, "game": "chess", "depth": 1}
        wanted = [({"skill": 3}, "a2a3"), ({}, "e2e4"), ({"skill": 3}, "a2a3")]
        for ticket, (strength, move) in enumerate(wanted):
            running.ask("think", ticket=ticket, **search, **strength)
            assert events.until("move")["move"] == move, strength
    finally:
        running.stop()


def test_engine_failures_are_reported(tmp_path):
    running = BoardServer(
        "tictactoe", "--engine", "name=None", f"cmd='{sys.executable}' -c pass", "proto=uci"
    )
    try:
        events = running.listen("page")
        assert running.ask("games")[1]["game"] == "tictactoe"
        running.ask("think", page="page", role="0", ticket=1, engine=1, game="tictactoe")
        assert "ended with status 0" in events.until("failed")["error"]
        running.ask("think", page="page", role="0", ticket=2, engine=0, game="tictactoe", depth=1)
        assert events.until("move")["ticket"] == 2
    finally:
        running.stop()


# ---- the command line ------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, wrong", rows("board.invalid_command_lines_are_refused_at_start"))
def test_invalid_command_lines_are_refused_at_start(tmp_path, words, wrong):
    (tmp_path / "game.pgn").write_text(PGN)
    (tmp_path / "other.jsonl").write_text('{"something": "else"}\n')
    found = warm.run("scripts/board", "--no-browser", *shlex.split(words), cwd=tmp_path)
    assert found[:2] == (2, "")
    assert found[2] == f"scripts/board: {wrong} (see scripts/board --help)\n"


def test_a_request_does_not_interrupt_the_search_it_has_just_begun():
    client = mock.Mock()
    engine = page_engines.PageEngine([])
    engine._slot.client = client
    engine.search = mock.Mock(ticket=2)
    engine._raise_to(4)
    assert client.mock_calls == []
    engine._raise_to(5)
    client.move_now.assert_called_once_with()
    engine._slot.client = engine.search = None
    engine.close()
