"""Tournament reports: repeated games, interim Elo, the page, clocks and openings in PGN; openings from books."""

import json
import re
import struct

import pytest
from tournaments import games, run

from games import registry
from games.chess.book import polyglot_key
from protocol.records.formats import read_records, write_record
from protocol.records.record import Start
from scripts.arena.export import add_said, record_of
from scripts.arena.openings import BookOpenings, OpeningError
from scripts.arena.page import Page
from scripts.arena.standings import Standings, last_lines, rating_line, rows
from scripts.arena.standings import table as cross_table
from scripts.arena.terms import pgn_time_control

TWO = ["--engine", "name=a", "--engine", "name=b", "depth=2", "--depth", "1"]


def result(identity, players, score="1-0", moves=("e2e4",), **more):
    return {
        "id": identity,
        "players": list(players),
        "result": score,
        "fault": None,
        "termination": "normal",
        "start": None,
        "moves": list(moves),
        **more,
    }


# ---- repeated games -----------------------------------------------------------------------------------


def test_repeated_games_are_reported_and_not_counted(tmp_path):
    output = run(tmp_path, "--game", "tictactoe", *TWO, "--rounds", "4")
    assert len(games(tmp_path)) == 8 and "2 of 8 games are distinct" in output
    assert output.count("is identical to 1/a-b/1") == 1
    once = run(tmp_path, "--game", "tictactoe", *TWO, "--rounds", "1", "--record", "once.jsonl")
    ranges = [re.search(r"95 % within (\S+),", text).group(1) for text in (output, once)]
    assert ranges[0] == ranges[1] and "different" not in once
    various = run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        "--rounds",
        "4",
        "--random-plies",
        "2",
        "--record",
        "x.jsonl",
    )
    assert "different" not in various and "move by move" not in various


def test_pairs_are_weighted_by_their_distinct_games():
    table = Standings(["a", "b"])
    for number, opening in enumerate(("e2e4", "e2e4", "d2d4", "e2e4"), 1):
        table.add(result(f"{number}/a-b/1", "ab", "1-0", [opening]))
        table.add(result(f"{number}/a-b/2", "ba", "1/2-1/2", [opening]))
    assert table.pentanomial("a") == [0, 0, 0, 4, 0] and table.evidence("a") == [0, 0, 0, 2, 0]
    assert table.different() == 4 and "4 of 8 games are distinct" in "\n".join(last_lines(table))
    assert table.twin(result("2/a-b/1", "ab", moves=["e2e4"])) == "1/a-b/1"
    assert table.twin(result("3/a-b/1", "ab", moves=["d2d4"])) == "3/a-b/1"


# ---- interim Elo, and the page ------------------------------------------------------------------------


def test_elo_is_printed_at_intervals(tmp_path):
    output = run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        "--rounds",
        "4",
        "--random-plies",
        "2",
        "--every",
        "3",
    )
    lines = output.splitlines()
    after = [
        lines[index - 1].split("/")[0]
        for index, line in enumerate(lines)
        if line.startswith("Elo of a over b")
    ]
    assert after[:2] == ["3", "6"] and len(after) == 3  # and once more at the end


def test_elo_of_many_players_is_one_line():
    table = Standings(["a", "b", "c"])
    assert rating_line(table) == ""
    for one, other in ("ab", "ac", "bc"):
        table.add(result(f"1/{one}-{other}/1", one + other))
        table.add(result(f"1/{one}-{other}/2", other + one, "0-1", ["d2d4"]))
    assert re.fullmatch(
        r"a \+inf \(.*\.\.\+inf\), b \+0\.0 \(.*\), c -inf \(-inf\.\..*\)", rating_line(table)
    )
    table.names.reverse()  # best first, regardless of the order of names
    assert re.match(r"a \+inf .*, b \+0\.0 .*, c -inf ", rating_line(table))


def test_cross_table():
    table = Standings(["a", "b", "the third", "nobody"])
    lost = {"fault": 0, "termination": "crash"}, {"fault": 1, "termination": "time forfeit"}
    for number, first, second, score, more in (
        (1, "a", "b", "1-0", {}),
        (2, "b", "a", "1/2-1/2", {}),
        (1, "a", "the third", "0-1", {}),
        (2, "the third", "a", "0-1", lost[0]),
        (1, "b", "the third", "1-0", lost[1]),
        (2, "the third", "b", "0-1", lost[0]),
    ):
        players = (
            "b-the third"
            if "a" not in (first, second)
            else "a-b"
            if "b" in (first, second)
            else "a-the third"
        )
        table.add(result(f"1/{players}/{number}", [first, second], score, [first, second], **more))
    shown = rows(table)
    assert [row[:8] + row[10:] for row in shown] == [
        ["", "name", "games", "points", "score", "+", "=", "-", "faults", "1", "2", "3", "4"],
        ["1", "a", "4", "2.5", "62.5%", "2", "1", "1", "0", "x", "1.5/2", "1/2", "."],
        ["2", "b", "4", "2.5", "62.5%", "2", "1", "1", "0", "0.5/2", "x", "2/2", "."],
        ["3", "the third", "4", "1", "25.0%", "1", "0", "3", "3", "1/2", "0/2", "x", "."],
        ["4", "nobody", "0", "0", "0.0%", "0", "0", "0", "0", ".", ".", ".", "x"],
    ]
    assert shown[4][8:10] == ["-", "-"]
    head, first, *_ = cross_table(table)
    assert head.startswith("   name       games  points  score  +  =  -") and first.startswith(
        "1  a              4     2.5  62.5%"
    )
    assert last_lines(table) == ["the third: time forfeit 1, crash 2"]


def shown_in(text):
    """Return the data of a page: its games, and its tournament's standings."""
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))["embedded"]


def test_standings_page(tmp_path):
    words = [
        "--game",
        "tictactoe",
        "--engine",
        "name=<b>&",
        "--engine",
        "name=other",
        "--depth",
        "1",
    ]
    output = run(tmp_path, *words, "--html", "table.html")
    text = (tmp_path / "table.html").read_text(encoding="utf-8")
    page = shown_in(text)
    shown = page["tournament"]["rows"]
    assert shown[0][1:5] == ["name", "games", "points", "score"] and len(shown) == 3
    assert sorted(row[1] for row in shown[1:]) == ["<b>&", "other"] and "Tic-tac-toe: " in text
    for row in shown[1:]:
        assert " ".join(row[2:5]) in re.sub(" +", " ", output)
    listed = [game["id"] for game in page["tournament"]["games"]]
    assert sorted(listed) == sorted(game["id"] for game in page["games"]) and len(listed) == 2
    assert all(len(game["line"][0]["view"]["rows"]) == 3 for game in page["games"])
    assert [path.name for path in tmp_path.glob("*.new")] == []
    run(tmp_path, "--table", "tournament.jsonl", "--html", "again.html")
    assert (
        shown_in((tmp_path / "again.html").read_text(encoding="utf-8"))["tournament"]["rows"]
        == shown
    )
    assert "can't write no-such-folder/x.html" in run(
        tmp_path, "--table", "tournament.jsonl", "--html", "no-such-folder/x.html", status=2
    )


def test_page_without_games_and_with_many_players():
    assert (
        len(shown_in(Page().text(Standings(["a", "b"]), "nothing yet", []))["tournament"]["rows"])
        == 3
    )
    table = Standings(list("abcd"))
    table.add(result("1/a-b/1", "ab"))
    assert len(shown_in(Page().text(table, "one", []))["tournament"]["rows"]) == 5


# ---- PGN ----------------------------------------------------------------------------------------------


def test_pgn_has_clocks_time_control_and_opening(tmp_path):
    run(
        tmp_path,
        "--game",
        "chess",
        "--engine",
        "name=a",
        "tc=40/0:05+0.05",
        "--engine",
        "name=b",
        "movetime=0.02",
        "--each",
        "margin=30",
        "--random-plies",
        "2",
        "--max-plies",
        "6",
    )
    text = (tmp_path / "tournament.pgn").read_text()
    first, second = (re.sub(r"\s+", " ", part) for part in text.split("[Event ")[1:])
    assert '[WhiteTimeControl "40/5+0.05"]' in first and '[BlackTimeControl "1/0.02"]' in first
    assert '[WhiteTimeControl "1/0.02"]' in second and '[BlackTimeControl "40/5+0.05"]' in second
    opening = re.search(r'\[Opening "(1\. \S+ \S+)"\]', first).group(1)
    assert f" {opening} 2. " in first
    assert re.search(
        r"2\. \S+ \{\[%eval [^]]+\] \[%clk 0:00:0[45]\.\d{3}\] \[%emt 0:00:\d\d\.\d{3}\]\} 2\.\.\. \S+ "
        r"\{\[%eval [^]]+\] \[%emt 0:00:\d\d\.\d{3}\]\}",
        first,
    )
    assert [len(record.moves) for record in read_records(text)[1]] == [6, 6]


def test_clock_counts_down_and_adds_the_increment():
    played = result(
        "1/a-b/1",
        "ab",
        moves=("e2e4", "e7e5", "g1f3", "b8c6"),
        game="chess",
        options={},
        opening=1,
        seconds=[3.25, 61.5, None],
        scores=[None, "M3", -20],
        depths=[None, 5, 6],
        date="2000-01-01T00:00:00Z",
    )
    terms = [{"tc": "120+1"}, {"tc": "120+1"}]
    record = record_of(played, "pgn", terms)
    add_said(record, played, terms)
    text = re.sub(r"\s+", " ", write_record(record, "pgn"))
    assert '[TimeControl "120+1"]' in text and '[Opening "1. e4"]' in text
    assert (
        "1. e4 e5 {[%clk 0:01:57.750] [%emt 0:00:03.250]} 2. Nf3 {[%eval #3] "
        "[%clk 0:00:59.500] [%emt 0:01:01.500]} 2... Nc6 {[%eval 0.20,6]} 1-0" in text
    )


@pytest.mark.parametrize(
    "terms, text",
    [
        ({"tc": "40/1:30+0.5"}, "40/90+0.5"),
        ({"tc": "10"}, "10"),
        ({"tc": "inf"}, "-"),
        ({"depth": 5}, "-"),
        ({"movetime": 0.5}, "1/0.5"),
        ({"tc": "inf", "movetime": 2.0}, "1/2"),
    ],
)
def test_time_controls_are_written_as_in_pgn(terms, text):
    assert pgn_time_control(terms) == text


# ---- openings from a Polyglot book --------------------------------------------------------------------


def write_book(path, lines):
    """Write a book of weighted lines: [(weight, "e2e4 e7e5")]."""
    entries = {}
    for weight, line in lines:
        position = Start("chess").position()
        for text in line.split():
            start, to = (
                ("abcdefgh".index(square[0])) | (int(square[1]) - 1) << 3
                for square in (text[:2], text[2:4])
            )
            entries[polyglot_key(position), start << 6 | to] = weight
            position.make(position.parse_move(text))
    path.write_bytes(
        b"".join(
            struct.pack(">QHHI", key, move, weight, 0)
            for (key, move), weight in sorted(entries.items())
        )
    )
    return path


def test_openings_are_drawn_from_a_book(tmp_path):
    chess = registry.get("chess")
    book = write_book(
        tmp_path / "book.bin", [(5, "e2e4 e7e5 g1f3"), (5, "d2d4 d7d5"), (0, "a2a3 a7a6")]
    )
    openings = BookOpenings(chess, book, 1)
    found = {" ".join(openings[number][1]) for number in range(6)}
    assert found == {"e2e4 e7e5 g1f3", "d2d4 d7d5"}
    assert [openings[number] for number in range(6)] == [
        BookOpenings(chess, book, 1)[number] for number in range(6)
    ]
    short = BookOpenings(chess, book, 2, plies=1)
    assert {" ".join(short[number][1]) for number in range(4)} == {"e2e4", "d2d4"}
    (tmp_path / "empty.bin").write_bytes(b"")
    for name, game, words in (
        ("empty.bin", "chess", "the file holds no opening"),
        ("none.bin", "chess", "can't read"),
        ("book.bin", "othello", "is for chess"),
    ):
        with pytest.raises(OpeningError, match=words):
            BookOpenings(registry.get(game), tmp_path / name, 1)


def test_tournament_plays_openings_from_a_book(tmp_path):
    write_book(tmp_path / "book.bin", [(5, "e2e4 e7e5"), (5, "d2d4 d7d5")])
    words = ["--game", "chess", *TWO, "--rounds", "2", "--openings", "book.bin", "--max-plies", "4"]
    run(tmp_path, *words)
    played = games(tmp_path)
    assert {" ".join(game["moves"][:2]) for game in played} == {"e2e4 e7e5", "d2d4 d7d5"}
    assert [game["opening"] for game in played] == [2] * 4
    assert "can't read no-such.bin" in run(
        tmp_path, *words[:-4], "--openings", "no-such.bin", status=2
    )
