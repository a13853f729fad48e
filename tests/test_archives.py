"""Encodings, archives, and Piskvork's records."""

import re
import struct

import pytest
from record_checks import check
from samples import SAMPLES, collection, file_of, script, words_of
from tables import rows

from protocol.records.formats import Collection, open_file, write_record
from protocol.records.record import RecordError, Start
from protocol.records.text import decode_as
from scripts.arena.openings import file_openings

# ---- encodings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, encoding, guessed",
    rows("archives.an_encoding_that_a_file_does_not_name_is_guessed_and_reported"),
)
def test_an_encoding_that_a_file_does_not_name_is_guessed_and_reported(name, encoding, guessed):
    games = Collection(f"(;GM[4]PB[{name}]C[{name}];B[hh])".encode(encoding))
    (record,) = games
    assert record.players[0] == record.comment == name
    reason = f"line 1: the encoding is not named: read as {guessed}"
    assert games.problems == [reason]


@pytest.mark.parametrize(
    "utf_8, others, read_as", [(1, 1, "cp1252"), (2, 1, "cp1252"), (1, 2, "cp932")]
)
def test_a_file_is_read_in_one_encoding_if_most_lines_are_not_utf_8(utf_8, others, read_as):
    name = "\u4e95\u5c71\u88d5\u592a"
    lines = [name.encode()] * utf_8 + [name.encode("shift_jis")] * others
    text, guessed = decode_as(b"\n".join(lines))
    assert guessed == read_as
    assert text.split("\n")[-1 if read_as == "cp932" else 0] == name


@pytest.mark.parametrize("encoding", ["ISO-2022-JP", "EUC-JP", "Shift_JIS", "UTF-16", "Big5"])
def test_an_encoding_that_a_file_names_is_used(encoding):
    games = Collection(f"(;GM[4]CA[{encoding}]PB[\u4e95\u5c71];B[hh])".encode(encoding))
    assert games.first().players[0] == "\u4e95\u5c71" and not games.problems


@pytest.mark.parametrize("name", ["hex", "rot13", "zlib", "undefined", "nonsense"])
def test_an_unusable_name_of_an_encoding_is_ignored(name):
    games = Collection(f"(;GM[4]CA[{name}]PB[\u00e9];B[hh])".encode())
    assert games.first().players[0] == "\u00e9" and not games.problems


def test_undecodable_bytes_are_written_unchanged(tmp_path):
    line = b'[White "a\x81 b"]'
    (tmp_path / "game.pgn").write_bytes(line + b"\n\n1. e4 *\n")
    script("analyse", "game.pgn", "--nodes", "1", cwd=tmp_path)
    assert line in (tmp_path / "game-analysed.pgn").read_bytes()


# ---- archives -----------------------------------------------------------------------------------------


def wthor(games, year=1999):
    """Return the bytes of a WTHOR archive.

    games: [(tournament, Black, White, Black's discs, Black's discs with best play, moves)].
    """
    head = struct.pack("<4BIHH4B", 20, 1, 1, 1, len(games), 0, year, 8, 0, 24, 0)
    moves = [bytes(10 * int(row) + ord(column) - 96 for column, row in game[5]) for game in games]
    return head + b"".join(
        struct.pack("<3H2B60s", *game[:5], played) for game, played in zip(games, moves)
    )


def names(size, *texts):
    return struct.pack("<4BIHH4B", 20, 1, 1, 1, 0, len(texts), 0, 0, 0, 0, 0) + b"".join(
        text.encode("latin-1").ljust(size, b"\0") for text in texts
    )


def test_names_in_wthor_are_read_from_the_files_beside_the_archive(tmp_path):
    omitted_pass = "f5f6d3g5h5h4f7h6e7"
    moves = [re.findall("..", text) for text in (omitted_pass, "f5d6", "f5d6c3")]
    path = tmp_path / "WTH_1999.wtb"
    path.write_bytes(
        wthor([(1, 0, 1, 40, 36, moves[0]), (0, 1, 0, 32, 30, moves[1]), (9, 9, 2, 7, 8, moves[2])])
    )
    (tmp_path / "WTHOR.JOU").write_bytes(names(20, "Andr\u00e9", "Beth", "Cy"))
    (tmp_path / "WTHOR.TRN").write_bytes(names(26, "Open", "Cup"))
    games = open_file(str(path))
    first, second, third = games
    assert not games.problems and games.count() == 3
    assert (first.players, first.result) == (("Andr\u00e9", "Beth"), "1-0")
    assert first.tags == {"Event": "Cup", "Date": "1999", "DISCS": "40", "BEST": "36"}
    assert len(first.line) == 10 and first.line[8].implied
    assert (second.players, second.tags["Event"]) == (("Beth", "Andr\u00e9"), "Open")
    assert second.result == "1/2-1/2" and third.result == "0-1"
    assert third.players == ("#9", "Cy") and third.tags["Event"] == "#9"
    assert Collection(path.read_bytes()).first().players == ("#0", "#1")
    script("analyse", path, "--number", "2", "--nodes", "1", "-o", "out", cwd=tmp_path)
    (analysed,) = Collection((tmp_path / "out.jsonl").read_bytes())
    written = write_record(analysed, "sgf")
    assert "PB[Beth]" in written and "DISCS[32]" in written and "DT[1999]" in written
    assert file_openings(Start("othello"), path)[2] == (Start("othello"), moves[2])


@pytest.mark.parametrize(
    "names_of_files, first",
    [
        (["A.JOU", "WTH_1999.jou", "Z.jou"], 1),
        (["B.jou", "A.jou"], 1),
        (["A.jou.txt", "WTH_1998.JOU"], 1),
    ],
)
def test_the_jou_file_named_like_a_wthor_archive_is_preferred(names_of_files, first, tmp_path):
    (tmp_path / "wth_1999.wtb").write_bytes(wthor([(0, 0, 0, 32, 32, [])]))
    for number, name in enumerate(names_of_files):
        (tmp_path / name).write_bytes(names(20, f"of file {number}"))
    (record,) = open_file(str(tmp_path / "wth_1999.wtb"))
    assert record.players == (f"of file {first}",) * 2 and record.tags["Event"] == "#0"


@pytest.mark.parametrize("missing", [1, 67, 68, 100])
def test_a_truncated_wthor_archive_has_the_games_before_the_cut(missing):
    data = wthor([(0, 0, 0, 40, 40, ["f5", "d6"])] * 3)
    games = Collection(data[:-missing])
    count = 2 - missing // 69
    assert [len(record.line) for record in games] == [2] * count
    assert games.problems == [f"line 1: cut off after {count} of 3 games"]


def test_a_wthor_archive_of_problems_is_refused():
    data = bytearray(wthor([(0, 0, 0, 0, 0, [])]))
    data[13] = 1
    with pytest.raises(RecordError, match="unsupported WTHOR archive"):
        Collection(bytes(data))


def test_renlib_is_read_with_its_tree_comments_labels_and_marks():
    sibling, leaf, old, mark, comment, no_move, more = 128, 64, 32, 16, 8, 2, 1
    place = {
        name: 16 * (15 - int(name[1:])) + ord(name[0]) - 96 for name in ("h8", "h9", "i9", "g7")
    }
    library = b"\xffRenLib\xff\3\4".ljust(20, b"\xff") + bytes(
        [0, 0, place["h8"], comment, *b"start\0", place["h9"], sibling | mark]
        + [place["i9"], leaf | old, *b"wins", ord("!") | 128, 0]
        + [place["i9"], comment, *b"a\x08b\0", place["g7"], no_move | leaf | more, 0, 1, *b"A\0"]
    )
    games = Collection(library)
    (record,) = games
    assert not games.problems and games.format.name == "sgf" and record.start.game.name == "renju"
    assert words_of([record]) == [["h8", "h9", "i9"]]
    first, second, third = record.line
    assert first.comment == "start" and second.said == {"MA": ["hg"]} and third.comment == "wins!"
    ((other,),) = second.variations
    assert other.comment == "a\nb" and other.said == {"LB": ["gi:A"]}
    assert check(library, None, None) == 1
    for length in range(20, len(library)):
        check(library[:length], None, None)


@pytest.mark.parametrize("more, label", [(1, ["hh:A"]), (3, ["hh:A"]), (2, None), (0, None)])
def test_a_label_of_renlib_is_read_only_if_its_bit_is_set(more, label):
    leaf, is_more = 64, 1
    text = b"A\0" if label else b""
    library = b"\xffRenLib\xff\3\4".ljust(20, b"\xff") + bytes([0, 0, 7 * 16 + 8, leaf | is_more])
    (record,) = Collection(library + bytes([0, more]) + text)
    assert words_of([record]) == [["h8"]] and record.line[0].said.get("LB") == label


def test_renjunet_is_read_with_players_and_tags():
    games = collection("renjunet.rif")
    first, second, third = games
    assert [problem[:25] for problem in games.problems] == ['game 3, line 3: ply 2: "h']
    assert first.players == ("Ann A", "B & C") and first.result == "1/2-1/2"
    tags = "Cup|2001|2|Taraguchi-10|Ura-getsu|i8|R|good <game>"
    assert list(first.tags.values()) == tags.split("|")
    assert [record.start.game.name for record in (first, second)] == ["renju", "gomoku"]
    assert words_of([first, second, third]) == [["h8", "h9", "i10"], ["a1", "b2"], ["h8"]]
    assert second.players == ("B & C", "") and second.result == "1-0"


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"%PDF-1.7\n", "a PDF document: not supported"),
        (b"\x89PNG\r\n", "a picture (PNG): not supported"),
        (b"PK\3\4 and more", "a ZIP archive: not supported"),
        (bytes(range(256)), "data that isn't text: not supported"),
        (names(20, "Ann", "Bob"), "data that isn't text: not supported"),
    ],
)
def test_binary_data_is_refused_with_the_reason(data, reason):
    with pytest.raises(RecordError) as refused:
        Collection(data)
    assert str(refused.value) == reason


def test_a_file_without_games_gets_one_error(tmp_path):
    (tmp_path / "junk.txt").write_text("hello\nworld, this is no game\n")
    _, wrong = script("analyse", "junk.txt", cwd=tmp_path, status=2)
    assert (
        "junk.txt: no game found; supported formats: JSON lines, " in wrong and "row" not in wrong
    )
    (tmp_path / "columns.txt").write_text("8 4\n")
    _, wrong = script("analyse", "--game", "connect4", "columns.txt", cwd=tmp_path, status=2)
    assert 'line 1: ply 1: "8"' in wrong


# ---- PSQ ----------------------------------------------------------------------------------------------


def test_psq_gives_players_and_times_and_rules_and_result():
    (record,) = collection("piskvork.psq")
    assert record.start == Start("gomoku") and record.result == "1-0"
    assert record.players == ("pbrain-wine18.zip", "pbrain-carbon.zip")
    assert words_of([record])[0][:4] == ["h8", "i8", "h7", "i7"]  # rows are numbered from the top
    assert [step.seconds("emt") for step in record.line][2:6] == [1.503, 0.22, 0.031, 4.007]
    assert record.tags == {"Event": "Standard15_1"}
    written = write_record(record, "sgf")
    assert "PB[pbrain-wine18.zip]" in written and "EMT[1.503]" in written
    with pytest.raises(RecordError, match="PSQ can't record gomoku"):
        write_record(record, "psq")


def test_psq_players_are_in_order_of_play_even_if_the_second_one_listed_began():
    (record,) = collection("second-begins.psq")
    assert record.players == ("pbrain-carbon.zip", "homo-1")
    assert record.start == Start("gomokufreestyle", None, {"BoardSize": 20})
    assert words_of([record]) == [["t20", "a1"]]


def test_a_psq_game_that_goes_on_after_six_in_a_row_is_read_as_gomoku():
    black = ["1,1,0", "2,1,0", "3,1,0", "5,1,0", "6,1,0", "4,1,0", "9,9,0"]
    white = ["1,3,0", "3,3,0", "5,3,0", "7,3,0", "9,3,0", "11,3,0", "13,3,0"]
    lines = [line for pair in zip(black, white) for line in pair]
    text = "\n".join(["Piskvorky 15x15, 0:0, 0", *lines, "-1"])
    (record,) = found = Collection(text)
    assert record.start.game.name == "gomoku" and len(record.line) == 14 and not found.problems
    assert Collection(text, None, "renju").first().start.game.name == "renju"


def test_tournament_analyse_and_play_read_psq_files(tmp_path):
    path = file_of("second-begins.psq", tmp_path)
    opening = file_openings(Start("gomokufreestyle"), path)[0]
    assert opening == (Start("gomokufreestyle", None, {"BoardSize": 20}), ["t20", "a1"])
    script("analyse", path, "--nodes", "1", "-o", "out", cwd=tmp_path)
    assert "PB[pbrain-carbon.zip]" in (tmp_path / "out.sgf").read_text()
    (tmp_path / "game.rec").write_bytes(SAMPLES["damaged.psq"].data)
    output, _ = script(
        "play", "--load", "game.rec", "--nodes", "1", cwd=tmp_path, input="yes\nquit\n"
    )
    assert 'line 5: ply 4: "9,x,220" is not' in output
