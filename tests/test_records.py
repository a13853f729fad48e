"""Records of all formats: a corpus of real files that are read, written and read again."""

import json
import os
import pathlib
import re
import struct
import time

import pytest
from conftest import run_python
from record_checks import check, check_made, damaged
from samples import SAMPLES
from tournaments import games, run

from games import registry
from protocol.notation import read_any_move
from protocol.records import lists, pgn
from protocol.records.builder import Builder
from protocol.records.formats import Collection, named_format, open_file, write_record
from protocol.records.json_lines import to_plain
from protocol.records.record import Record, RecordError, Start
from protocol.records.text import decode
from scripts.arena.openings import FileOpenings

ROOT = pathlib.Path(__file__).resolve().parent.parent
GGF = (
    "(;GM[Othello]PB[a]PW[b]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- --------"
    " -------- *]"
)
HEAD = '[Event "x"]\n[White "a"]\n[Black "b"]\n\n'


def collection(name):
    """Return the games of a file of the corpus."""
    data, expected = SAMPLES[name]
    return Collection(data, named_format(name), expected.get("game"))


def file_of(name, folder):
    """Write a file of the corpus into a folder; return its path."""
    (folder / name).write_bytes(SAMPLES[name].data)
    return folder / name


def words_of(games):
    """Return the moves of each game in people's notation."""
    return [[position.notation(move) for position, move in record.positions()] for record in games]


def script(name, *words, cwd, status=0, **more):
    """Run a script, which must not print a traceback; return (output, errors)."""
    done = run_python(ROOT / "scripts" / name, *words, cwd=cwd, **more)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
    return done.stdout, done.stderr


# ---- the corpus ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_each_file_reads_back_the_same_after_writing(name):
    data, expected = SAMPLES[name]
    found = collection(name)
    records = list(found)
    assert [len(record.line) for record in records] == expected["moves"], list(
        map(str, found.problems)
    )
    assert len(found.problems) == expected.get("problems", 0)
    assert all(re.match(r"(game \d+, )?line \d+: .", str(problem)) for problem in found.problems)
    for record in records if "options" in expected else ():
        assert record.start.options == expected["options"]
    if "results" in expected:
        assert [record.result for record in records] == expected["results"]
    if "text" in expected:
        assert expected["text"] in json.dumps(
            [to_plain(record) for record in records], ensure_ascii=False
        )
    assert check(data, named_format(name), expected.get("game")) == len(records)


# Words that a file may lose when it is written again: synonyms and repetitions.
SPELLINGS = set(
    "tournament scores depths seconds nodes opening true false M3 OwnBook BookFile no such book comment".split()
)


@pytest.mark.parametrize(
    "name",
    (
        "plain.pgn all-glyphs.pgn clocks-and-arrows.pgn comments-everywhere.pgn "
        "quotes-in-tags.pgn latin-1.pgn null-move-in-a-variation.pgn separators.pgn "
        "variations.sgf marks.sgf digits-in-names.sgf plain.sgf gb18030.sgf times.ggf "
        "own-properties.ggf unwritten-passes.ggf tournament.jsonl operations.epd"
    ).split(),
)
def test_no_word_of_a_file_is_lost_when_it_is_written_again(name):
    found = collection(name)
    written = "".join(write_record(record, found.kind) for record in found)
    before, after = (set(re.findall(r"\w+", text)) for text in (found.text, written))
    lower = {word.lower() for word in after}
    missing = {word for word in before - after - SPELLINGS if word.lower() not in lower}
    assert (
        not {word for word in missing if not re.fullmatch(r"\d+", word)} or name == "gb18030.sgf"
    ), missing


def test_damaged_files_of_the_corpus_read_the_same_after_writing(cases):
    for dice in cases:
        name, (data, expected) = dice.choice(list(SAMPLES.items()))
        hurt = damaged(dice, data)
        print(hurt)
        check(hurt, dice.choice((named_format(name), None)), expected.get("game"))


def test_annotations_that_a_format_does_not_know_survive_in_each_format(cases):
    for dice in cases:
        check_made(dice)


@pytest.mark.parametrize(
    "text, encoding",
    [
        ('[White "M\u00fcller"]\n\n1. e4 {sch\u00f6', "utf-8"),
        (
            '{"game": "chess", "moves": ["e2e4"], "tags": {"Event": "\u00e9t\u00e9"}}\n{"\u00f6',
            "utf-8",
        ),
        ("(;GM[4]CA[GB2312]PB[\u9ed1\u65b9];B[hh]C[\u4f60", "gb2312"),
        ("(;GM[4]CA[Big5]PB[\u9ed1\u65b9];B[hh]C[\u4f60", "big5"),
        ("(;GM[4]CA[Shift_JIS]PB[\u9ed2\u756a];B[hh]C[\u672c", "shift_jis"),
    ],
)
def test_a_file_that_ends_in_the_middle_of_a_character_keeps_its_encoding(text, encoding):
    assert decode(text.encode(encoding)[:-1]) == text[:-1]


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("bits", ["16", "32"])
def test_a_byte_order_mark_names_the_encoding(bits, order):
    text = "1. e4 {\u03b5} e5 *\n"
    assert decode(f"\ufeff{text}".encode(f"utf-{bits}-{order}")) == text


def test_a_line_that_is_not_utf_8_leaves_the_other_lines_as_they_are():
    """As in collections whose games come from several programs."""
    head = '[White "M\u00fcller"]\n\n1. e4 e5 *\n\n'
    first, second = Collection(head.encode() + head.encode("cp1252"))
    assert first.players[0] == second.players[0] == "M\u00fcller"
    assert decode(b"caf\xe9") == "caf\u00e9"  # not a character that is cut off


@pytest.mark.parametrize("name", ["plain.pgn", "plain.sgf", "plain.ggf", "tournament.jsonl"])
def test_files_with_byte_order_marks_are_read_if_they_are_joined(name):
    data = b"\xef\xbb\xbf" + SAMPLES[name].data + b"\n"
    once, twice = (Collection(copies, named_format(name)) for copies in (data, data + data))
    games = [record.moves for record in once]
    assert games and [record.moves for record in twice] == games + games
    assert not once.problems and not twice.problems


# ---- PGN ----------------------------------------------------------------------------------------------


def test_common_deviations_from_pgn_are_read():
    assert words_of(collection("figurines.pgn")) == [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Ke2 Qd3+".split()
    ]
    assert words_of(collection("promotions.pgn")) == [["a8=Q", "a1=N", "Qb7+"]]
    assert words_of(collection("castling-dashes.pgn"))[0][6:8] == ["O-O", "O-O"]
    assert words_of(collection("en-passant.pgn"))[0][4] == "exd6"
    (record,) = collection("signs-after-moves.pgn")
    assert [step.nags for step in record.line] == [
        [],
        [16],
        [17],
        [10],
        [13],
        [16],
        [146],
        [201],
        [14],
        [19],
    ]
    (record,) = collection("all-glyphs.pgn")
    assert "1. e4 $1 $7 $10 $13 $14 $36 $44 $132 $146 $201 $255 1... e5" in write_record(
        record, "pgn"
    )


@pytest.mark.parametrize(
    "text, moves, result",
    [
        ("1. e4 e5\u00b1 2. Nf3 ch", 3, "*"),
        ("1. f3 e5 2. g4 Qh4 mate", 4, "0-1"),
        ("1. f3 e5 2. g4 Qh4# 0-1", 4, "0-1"),
        ("1. e4 e5 2. Nf3 N \u00bd-\u00bd", 3, "1/2-1/2"),
        ("1 . e4 e5 1/2", 2, "1/2-1/2"),
        ("1. e4 e5 1 - 0", 2, "1-0"),
        ("1. e4 e5 # 1/2", 2, "*"),
        ("1. e4 e5 2. Nf3 1\u20110", 3, "1-0"),
        ("1. e4 e5 2. Nf3 {a move} 1\u22120", 3, "1-0"),
        ("1. e4 1\u2026 e5 2. \u2026 Nf3 \u2026Nc6", 4, "*"),
        ("1\te4\te5\n2\tNf3\tNc6\n3\tBb5\n", 5, "*"),
    ],
)
def test_pasted_moves_without_tags_are_read(text, moves, result):
    games = Collection(text)
    assert [(len(record.line), record.result) for record in games] == [(moves, result)]
    assert not games.problems


def test_a_number_of_any_length_is_a_move_number():
    """PGN 8.2.2: digits and any number of periods, anywhere between moves."""
    games = Collection(HEAD + "1 e4 1 e5 2.Nf3 " + "9" * 60_000 + " Nc6 *\n")
    assert words_of(games) == [["e4", "e5", "Nf3", "Nc6"]] and not games.problems


def test_common_deviations_in_tags_are_read():
    tags = [
        (record.tags.get("Event"), record.players)
        for name in (
            "quotes-in-tags.pgn",
            "tags-without-quotes.pgn",
            "typographic-quotes.pgn",
            "tag-not-closed.pgn",
        )
        for record in collection(name)
    ]
    assert tags == [
        ('The "Big" One', ('O\'Neil, "Jim"', 'b"c\\d')),
        ("Spring Open", ("Anna", "")),
        ("Open", ("Anna", "Bob")),
        ("Open", ("Anna", "Bob")),
    ]


FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
AFTER = HEAD + "1. d4 *\n\n"


@pytest.mark.parametrize(
    "text, moves, problems",
    [
        ("1. e4 e5 1-0 1-0\n\n", [2], ['line 1: "1-0" belongs to no game']),
        ("*\n\n", [], ['line 1: "*" belongs to no game']),
        (HEAD + "1. e4 *\n\n*\n\n", [1], ['line 7: "*" belongs to no game']),
        (")\n", [], []),
        (HEAD + "1. e4 *\n\n)\n\n", [1], []),
        (HEAD + "#\n\n1. e4 e5 *\n\n", [2], []),
        (HEAD + "$1\n\n1. e4 e5 *\n\n", [2], []),
        (HEAD + "...\n\n1. e4 e5 *\n\n", [2], []),
        (HEAD + "1.\n\n1. e4 e5 *\n\n", [2], []),
        (HEAD + "1.\u200be4 e5\u200b*\n\n", [2], []),
        (HEAD + "1. e4 0-0\n", [1], []),
        ('[White "c"]\n[Result "0-0"]\n\n0-0\n\n', [0], []),
        (HEAD + "1. e4 (1. d4 e5 *\n", [1], ['game 1, line 5: unclosed variation: expected ")"']),
        (HEAD + "1. e4 {open *\n", [1], ['game 1, line 5: unclosed comment: expected "}"']),
    ],
)
def test_what_stands_between_two_games_does_not_cost_the_next_one(text, moves, problems):
    games = Collection(text + AFTER + AFTER)
    records = list(games)
    assert [len(record.line) for record in records] == [*moves, 1, 1]
    assert all(record.players == ("a", "b") for record in records[len(moves) :])
    assert list(map(str, games.problems)) == problems


@pytest.mark.parametrize(
    "line",
    [
        '[Tag? "x"]',
        '[Elo. "1"]',
        '[A,B "x"]',
        '[White\'s x "y"]',
        '[Event/Place "x"]',
        '["Opening" "x"]',
        '[ "x"]',
        "[]",
        "[Site: x]",
        '[X-Y "x" y]',
        '[White Rating "2000"]',
        '[%eval "x"]',
    ],
)
def test_a_line_of_a_header_that_is_no_tag_is_a_comment(line):
    games = Collection(f'[White "a"]\n[FEN "{FEN}"]\n{line}\n[Black "b"]\n\n1. e4 *\n')
    (record,) = games
    assert record.players == ("a", "b") and record.start.text == FEN and len(record.line) == 1
    assert line in record.comment or record.said == {"eval": ['"x"']}
    assert list(map(str, games.problems)) == [f'game 1, line 3: "{line}" is not a tag']
    assert check(f"{line}\n{AFTER}", "pgn", None) == 1


def test_the_last_of_two_tags_with_one_name_stands():
    records = list(Collection('[White "c"]\n[White ""Able,V""]\n\n1. e4 *\n\n' + AFTER))
    assert [record.players for record in records] == [("Able,V", ""), ("a", "b")]


@pytest.mark.parametrize(
    "moves, count, result",
    [
        ("1. e4 e5 0-0", 2, "0-0"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0", 7, "*"),
        ('[Result "0-0"]\n\n0-0', 0, "0-0"),
    ],
)
def test_a_double_forfeit_is_castling_where_that_is_possible(moves, count, result):
    (record,) = Collection(HEAD + moves + "\n")
    assert len(record.line) == count and record.result == "*"
    written = write_record(record, "pgn")
    assert f'[Result "{result}"]' in written and written.split()[-1] == result
    assert check(HEAD + moves, "pgn", None) == 1


@pytest.mark.parametrize(
    "name, options",
    [
        ("Fischer Random Chess", {"UCI_Chess960": True}),
        ("FRC", {"UCI_Chess960": True}),
        ("wild/fr", {"UCI_Chess960": True}),
        ("Regular", {}),
    ],
)
def test_names_of_variants_are_understood(name, options):
    (record,) = Collection(f'[Variant "{name}"]\n\n1. e4 *\n')
    assert record.start == Start("chess", None, options)


def test_no_line_breaks_inside_a_command():
    comments = " ".join(f"{{[%clk 0:00:{number:02}] x}} --" for number in range(60))
    (record,) = Collection(HEAD + f"1. e4 {comments} *\n")
    lines = write_record(record, "pgn").splitlines()
    assert max(map(len, lines)) < 120
    assert sum(line.count("[%clk 0:00:") for line in lines) == 60


def test_a_null_move_is_read_and_an_impossible_one_ends_the_game():
    (record,) = collection("null-moves.pgn")
    assert write_record(record, "pgn").endswith(
        "1. e4 -- 2. d4 -- 3. Nf3 -- 4. Nc3 -- 5. Bd3 -- *\n"
    )
    games = collection("null-move-in-check.pgn")
    assert [len(record.line) for record in games] == [5] and "move 6: --" in str(games.problems[0])


@pytest.mark.parametrize("move", ["ed", "Sf3", "Дf3", "Nge", "ef"])
def test_an_ambiguous_move_is_refused_with_a_reason(move):
    games = Collection(HEAD + f"1. e4 d5 2. {move} *\n")
    assert [len(record.line) for record in games] == [2]
    assert str(games.problems[0]).startswith(f"game 1, line 5: move 3: {move}: ")


def test_comments_keep_their_order_and_no_line_begins_with_a_percent_sign():
    text = " ".join(f"word{number} %{number}" for number in range(200))
    (record,) = Collection(HEAD + "1. e4 {" + text + "} e5 *\n")
    written = write_record(record, "pgn")
    assert not re.search(r"^%", written, re.MULTILINE)
    assert Collection(written).first().line[0].comment == text
    record.players = ("two\nlines", "b")
    assert '[White "two lines"]' in write_record(record, "pgn")


def test_material_decides_which_side_of_chess_can_win():
    chess = registry.get("chess")
    for text, white, black in (
        ("4k3/8/8/8/8/8/8/4K3", False, False),
        ("3qk3/8/8/8/8/8/8/4KN2", False, True),
        ("3rk3/8/8/8/8/8/8/4KN2", True, True),
        ("4k3/p7/8/8/8/8/8/4KB2", True, True),
        ("3rk3/8/8/8/8/8/8/4KB2", False, True),
        ("2b1k3/8/8/8/8/8/8/2B1K3", True, True),
        ("4k3/8/8/8/8/8/8/4KNN1", True, False),
        ("4k3/8/8/8/8/8/4P3/4K3", True, False),
    ):
        position = chess.parse(text + " w - - 0 1", {})
        assert (position.can_win(0), position.can_win(1)) == (white, black), text


# ---- SGF, GGF, lists ----------------------------------------------------------------------------------


def test_a_bracket_as_a_second_byte_does_not_end_a_value():
    (record,) = collection("shift-jis.sgf")
    assert record.players[0] == "表"
    assert [position.move_text(move) for position, move in record.positions()] == ["h8", "i7"]
    assert "CA[UTF-8]" in write_record(record, "sgf")


def test_an_impossible_setup_is_refused_with_its_reason():
    games = collection("impossible-stones.sgf")
    assert not list(games)
    assert "stones" in str(games.problems[0])
    assert "64 squares" not in str(games.problems[0])


@pytest.mark.parametrize("number, black", [(4, "hh][ii"), (2, "de][ed][dc][dd][ee][ef")])
def test_setup_stones_decide_whose_turn_it_is_if_nothing_else_does(number, black):
    games = Collection(f"(;GM[{number}]AB[{black}]AW[{'hg' if number == 4 else 'df'}])")
    (record,) = games
    assert not games.problems and record.start.position().side == {4: 1, 2: 0}[number]


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "renju", "gomokufreestyle"])
def test_the_name_of_the_game_in_an_sgf_is_not_a_header(game):
    text = json.dumps({"game": game, "moves": []})
    (record,) = Collection(write_record(Collection(text).first(), "sgf"))
    assert record.start.game.name == game and not record.tags


def test_results_are_preserved():
    assert [
        "".join(re.findall(r"RE\[[^]]*\]", write_record(record, "sgf")))
        for record in collection("results.sgf")
    ] == ["RE[B+R]", "RE[Void]", "RE[W+T]", "RE[Draw]"]
    first = next(iter(collection("times.ggf")))
    assert "RE[-40.000:t]" in write_record(first, "ggf")
    assert "B[f5//1.2]W[d6/0.52/3]B[c3/-1.5]" in write_record(first, "ggf")


def test_a_result_ends_a_game_of_a_list():
    games = Collection("e4 e5 1-0\nd4 d5 *\nNf3 c5\nc3 1/2-1/2\n", "moves")
    assert words_of(games) == [["e4", "e5"], ["d4", "d5"], ["Nf3", "c5", "c3"]]
    assert [record.result for record in Collection("f5d6 1-0\nf5\n", "moves", "othello")] == [
        "1-0",
        "*",
    ]


@pytest.mark.parametrize(
    "kind, game, text",
    [
        ("pgn", None, "1. e4 {[%clk 1:0} {)0:00] x} e5 {[%eval 0( ).31,12]} *"),
        ("pgn", None, "1. e4 <two  {words> e5 $1234 *"),
        ("pgn", None, "1. e4 ({a [%clk 0:00:01] b} 1. d4) *"),
        ("sgf", "gomoku", "(;GM[4]SZ[9]RU[freestyle][renju];B[ee])"),
        ("sgf", "gomoku", "(;GM[4]SZ[9];RU[freestyle];B[ee])"),
        ("sgf", None, "(;GM[2];B[fe]EVAL[1.50]EMT[2.1]V[1.50]NAG[14]DO[]TE[3]NAG[2])"),
        ("sgf", None, "(;GM[2];B[fe](;C[x](;W[df])(;W[dd]))(;W[ff]))"),
        ("ggf", None, GGF + "B[f5/1.50,123//1]W[d6/a/b/c]EVAL[1.50,12]B[c3/1,5]EVAL[2][3];)"),
        ("ggf", None, GGF + "C[\u00e9 CA[GB2312]B[f5]CA[Big5];)"),
        ("ggf", None, GGF + "EV[a]EV[b]B[f5]VA[C[x\\]XX[y\\]B[d3\\]];)"),
        (
            "pgn",
            None,
            '[DT "2001-02-03"]\n[PC "x"]\n[Site "?"]\n[White "?Bob?"]\n[Round "-"]\n\n1. e4 *',
        ),
    ],
)
def test_damaged_annotations_read_the_same_after_writing(kind, game, text):
    assert check(text.encode(), kind, game) == 1


def test_a_header_and_an_annotation_of_one_name_leave_the_game_what_it_is():
    """SGF has one property for both, the header first."""
    (record,) = Collection(
        '{"game": "renju", "moves": ["h8"], "tags": {"RU": "("}, "said": {"RU": ["renju"]}}'
    )
    (again,) = Collection(write_record(record, "sgf"))
    assert again.start.game.name == "renju"


def test_ggf_with_nested_variations_grows_by_a_fixed_size_per_level():
    def text(depth):
        line = []
        for level in reversed(range(depth)):
            line = [{"move": ("f5", "d3")[level % 2], "variations": [line] if line else []}]
        (record,) = Collection(json.dumps({"game": "othello", "moves": [], "line": line}))
        return write_record(record, "ggf")

    assert len(text(49)) - len(text(9)) < 40 * 20
    assert check(text(49), "ggf", None) == 1


def test_marks_and_variations_of_a_ggf_are_read():
    (record,) = collection("own-properties.ggf")
    first, second, third = record.line
    assert record.comment == "start" and first.comment == "a ] b" and first.nags == [2, 14]
    (line,) = second.variations
    assert [step.comment for step in line] == ["other", ""] and third.said == {"ZZ": ["kept"]}


@pytest.mark.parametrize(
    "text, moves, problem",
    [
        (
            GGF.replace("PB", "TY[8a]PB") + "B[f5];)",
            [],
            "TY[8a] is anti-Othello, which is not supp",
        ),
        (GGF.replace("Othello", "Amazons") + "B[f5];)", [], "GM[Amazons] is not Othello"),
        ("(;GM[Othello]B[f5];)", [], "the game has no start position BO[...]"),
        (GGF + "VA[B[f5\\]];)", [], "a variation must follow a move"),
        (GGF + "B[f5]VA[B[a1\\]];)", [1], "move 1: a1: is not a legal move here"),
    ],
)
def test_what_a_ggf_can_not_mean_is_refused_by_name(text, moves, problem):
    games = Collection(text)
    assert [len(record.line) for record in games] == moves
    assert [problem in str(found) for found in games.problems] == [True]


def test_depths_survive_in_ggf():
    (record,) = Collection(
        '{"game": "othello", "moves": [], "line": [{"move": "f5", "eval": "1.5,9"}]}'
    )
    assert "B[f5/1.50]EVAL[1.50,9]" in write_record(record, "ggf")


def test_a_result_that_is_recorded_as_unknown_stays_unknown():
    text = HEAD + "1. f3 e5 2. g4 Qh4# *\n"
    assert write_record(Collection(text).first(), "pgn").endswith(" *\n")


def test_a_move_in_the_root_is_written_once():
    (record,) = collection("move-in-root.sgf")
    assert write_record(record, "sgf").count("[hh]") == 1 and record.line[0].comment == "first"


@pytest.mark.parametrize(
    "text, moves, problem",
    [
        ("(;GM[4]SZ[20];B[tt];W[ta])", ["t1", "t20"], None),
        ("(;GM[4]SZ[19];B[ss];W[tt])", ["s1"], "move 2: pass: is not a"),
        ("(;GM[4]RU[renju]SZ[15];B[hh];W[tt];B[ii])", ["h8", "pass", "i7"], None),
        ("(;GM[4]RU[renju]SZ[15];B[hh];W[ss])", ["h8"], "move 2: ss: is not a point of"),
    ],
)
def test_tt_is_a_pass_on_boards_that_have_no_such_point(text, moves, problem):
    games = Collection(text)
    assert words_of(games) == [moves]
    assert [problem in str(found) for found in games.problems] == [True] * (problem is not None)


def test_a_builder_is_as_before_after_an_illegal_move():
    othello = Builder(Record(Start("othello")), read_any_move)
    for move in "f5 f6 d3 g5 h5 h4 f7 h6".split():
        othello.play(move)
    before, line = othello.position.text(), list(othello.line)
    for move in ("a1", "f5", "z9"):  # even after the pass that the record omits
        with pytest.raises(RecordError, match=f"move 10: {move}: "):
            othello.play(move)
        assert othello.position.text() == before and othello.line == line
    with pytest.raises(RecordError, match="the other player's turn"):
        Builder(Record(Start("gomoku")), read_any_move).play("h8", side=1)
    step = othello.play("e7")
    assert step.before == "" and len(othello.line) == 10 and othello.line[8].implied
    chess = Builder(Record(Start("chess")), read_any_move)
    chess.play("e4")
    chess.open()
    chess.remark("before")
    with pytest.raises(RecordError, match="move 1: Ke2: "):
        chess.play("Ke2")
    assert chess.play("d4").before == "before" and chess.depth == 1
    chess.close()
    assert chess.play("e5").before == "" and chess.position.move_text(chess.line[0].move) == "e2e4"


# ---- linear time, and endless files -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 " + "9" * 30_000,
        "1. e4 {" + "[%eval " * 10_000 + "} *",
        "(" * 30_000,
        "{" * 30_000,
        "[" * 30_000,
        '[a "' * 10_000,
        "[a " * 10_000,
        "(;" * 15_000,
        "(;C[" + "\\" * 30_000,
        "(;GM[Othello]" * 4_000,
        "a" * 30_000,
        "1." * 15_000,
        "$" * 30_000,
        "<" * 30_000,
        "\n\n" * 15_000 + "1. e4",
        "e" * 30_000 + ",",
        HEAD * 2_000,
        "1-" * 15_000,
        '{"' * 15_000,
        "#" * 30_000,
        "\n[x" * 10_000,
        "; \n" * 10_000,
        "1. e4 " + "(1. d4 " * 5_000,
        " " * 30_000 + "x",
        "\r" * 30_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_time_is_linear_in_the_length_of_any_text(text):
    """A text eight times as long takes about eight times as long to read, not sixty-four."""

    def seconds(part):
        begun = time.process_time()
        for kind in ("pgn", "sgf", "ggf", "psq", "moves", "epd"):
            list(Collection(part, kind, "chess"))
        return time.process_time() - begun

    part = seconds(text[: len(text) // 8])
    assert seconds(text) < 24 * max(part, 0.05)


def test_the_cost_of_games_is_linear_in_their_number(monkeypatch):
    text, counts = (HEAD + "1. e4 e5 *\n\n") * 2_000, []
    real = pgn.read
    monkeypatch.setattr(
        "protocol.records.formats._READERS",
        {"pgn": (pgn.split, lambda *words: counts.append(1) or real(*words))},
    )
    games = Collection(text)
    assert len(games.take(200)) == 200 and len(counts) == 200
    assert games.count() == 2_000 and games.game(1_500).line and len(counts) == 201
    with pytest.raises(RecordError, match="only 2000 games"):
        games.game(2_001)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize(
    "name, words",
    [
        ("analyse", ["{path}"]),
        ("play", ["chess", "--load", "{path}"]),
        (
            "tournament",
            [
                *"--game chess --depth 1 --engine name=a --engine name=b --openings".split(),
                "{path}",
            ],
        ),
    ],
)
def test_devices_and_pipes_are_refused_with_a_message(name, words, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", tmp_path, tmp_path / "fifo"):
        words = [str(path) if word == "{path}" else word for word in words]
        _, wrong = script(name, *[word.format(path=path) for word in words], cwd=tmp_path, status=2)
        assert "not a regular file" in wrong or "is a directory" in wrong.lower()
        words = [word if word != str(path) else "{path}" for word in words]


# ---- single faults ------------------------------------------------------------------------------------


PGN_OF_FAULTS = [
    f"""[Event "Event {number}"]
[Site "?"]
[Date "2001.02.03"]
[Round "{number}"]
[White "White {number}"]
[Black "Black {number}"]
[Result "{result}"]
[ECO "C20"]

{moves} {result}

"""
    for number, (moves, result) in enumerate(
        [
            ("1. e4 {[%clk 0:01:00] best by test} e5 (1... c5 2. Nf3 {open}) 2. Nf3 $1 Nc6", "1-0"),
            ("1. d4 d5 2. c4 {gambit\n(of the queen)} e6 3. Nc3 Nf6", "0-1"),
            ("1. c4 ; English\n1... e5 2. Nc3 (2. g3 (2. e4) 2... d5) 2... Nf6", "1/2-1/2"),
            ("1. Nf3 d5 2. g3 c6 3. Bg2 Nf6 4. O-O", "*"),
            ("1. f3 e5 2. g4?? Qh4#", "0-1"),
        ]
    )
]
SGF_OF_FAULTS = [
    f"(;GM[4]FF[4]PB[black {number}]PW[white {number}]C[a \\] b];B[hh]C[x;y(z)];W[ii](;B[hi];W[hg])(;B[gg]))\n\n"
    for number in range(5)
]
FAULTS = (
    '{ } ( ) [ ] ; % " \\ $1 $999 1. 1... 1-0 0-1 * 0-0 -- (; ;) (;GM[4] B[ ] \n \n\n \n% # ... N'.split(
        " "
    )
    + ['\n[Event "x"]\n', '\n\n[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n', "\n[Variant]\n", "\n[\n"]
)


def fault(dice, text):
    """Return a text with a token inserted, doubled, dropped or moved, or with a line cut."""
    spans = [found.span() for found in re.finditer(r"\w+|\s+|[^\w\s]", text)]
    (begin, end), (other, _) = dice.choice(spans), dice.choice(spans)
    token, rest = text[begin:end], text[:begin] + text[end:]
    line_end = (text + "\n").index("\n", begin)
    return dice.choice(
        (
            text[:begin] + dice.choice(FAULTS) + text[begin:],
            text[:end] + token + text[end:],
            rest,
            rest[:other] + token + rest[other:],
            text[:begin] + text[line_end:],
        )
    )


def played(record):
    """Return what a game is, without its comments."""
    value = to_plain(record)
    return {name: value[name] for name in ("start", "players", "result", "tags", "moves")}


@pytest.mark.parametrize("kind, games", [("pgn", PGN_OF_FAULTS), ("sgf", SGF_OF_FAULTS)])
def test_a_single_fault_costs_no_other_game(cases, kind, games):
    whole = [played(Collection(game, kind).first()) for game in games]
    for dice in cases:
        index = dice.randrange(len(games))
        damaged_game = fault(dice, games[index])
        text = "".join([*games[:index], damaged_game, *games[index + 1 :]])
        found = list(map(played, Collection(text, kind)))
        others = whole[:index] + whole[index + 1 + (damaged_game[-1:] != "\n") :]
        assert [game for game in others if game not in found] == [], repr(damaged_game)


@pytest.mark.parametrize("kind, games", [("pgn", PGN_OF_FAULTS), ("sgf", SGF_OF_FAULTS)])
def test_a_file_that_is_cut_off_and_joined_costs_no_other_game(cases, kind, games):
    whole = [played(Collection(game, kind).first()) for game in games]
    for dice in cases:
        first = "".join(games[:2])
        cut = first[: dice.randrange(len(games[0]), len(first))]
        found = list(map(played, Collection(cut + "".join(games[2:]), kind)))
        assert [game for game in (whole[0], *whole[3:]) if game not in found] == [], repr(cut)
        # its first tag may be in a line with the end of the other file
        moves = [(game["moves"], game["players"]) for game in found]
        assert (whole[2]["moves"], whole[2]["players"]) in moves, repr(cut)


# ---- the scripts --------------------------------------------------------------------------------------


@pytest.fixture
def bad_file(tmp_path):
    path = tmp_path / "four.pgn"
    path.write_text(
        HEAD
        + "1. e4 *\n\n"
        + HEAD
        + "1. e4 e5 2. Kx *\n\n"
        + HEAD
        + "1. e5 *\n\n"
        + HEAD
        + "1. d4 *\n"
    )
    return path


ERRORS = (
    "game 2, line 11: move 3: Kx: is not a move",
    "game 3, line 17: move 1: e5: is not a legal move here",
)


def test_analyse_reads_the_valid_games_and_reports_each_invalid_one_once(bad_file, tmp_path):
    output, wrong = script("analyse", bad_file, "--nodes", "20", cwd=tmp_path)
    complaints = [line for line in wrong.splitlines() if line.startswith("scripts/analyse: ")]
    assert complaints == [f"scripts/analyse: {bad_file}: {error}" for error in ERRORS]
    assert [
        len(record.line) for record in Collection((tmp_path / "four-analysed.pgn").read_bytes())
    ] == [1, 2, 1]
    words = "--nodes", "20", "-o", "again"
    _, wrong = script("analyse", bad_file, "--number", "4", *words, cwd=tmp_path)
    assert "scripts/analyse: " not in wrong
    _, wrong = script("analyse", bad_file, "--number", "3", "--nodes", "20", cwd=tmp_path, status=2)
    assert ERRORS[1] in wrong
    (tmp_path / "none.pgn").write_text("1. e5 *\n")
    assert "line 1: move 1: e5" in script("analyse", "none.pgn", cwd=tmp_path, status=2)[1]


def test_play_loads_the_first_valid_game_and_reports_the_others(bad_file, tmp_path):
    text = bad_file.read_text()
    bad_file.write_text(text[text.index("1. e4 e5") - len(HEAD) :])
    output, _ = script(
        "play", "chess", "--two", "--load", bad_file, cwd=tmp_path, input="save out.pgn\nquit\n"
    )
    assert "line 5: move 3: Kx: is not a move" in output
    assert [len(record.line) for record in Collection((tmp_path / "out.pgn").read_bytes())] == [2]


def test_a_tournament_uses_the_valid_openings_and_reports_the_others(bad_file, tmp_path):
    output = run(
        tmp_path,
        *"--game chess --depth 1 --max-plies 4 --engine name=a --engine name=b --rounds 3 --openings".split(),
        str(bad_file),
    )
    assert all(error in output for error in ERRORS)
    assert [" ".join(game["moves"][: game["opening"]]) for game in games(tmp_path)] == 2 * [
        "e2e4"
    ] + 2 * ["e2e4 e7e5"] + 2 * ["d2d4"]


@pytest.mark.parametrize(
    "name, text",
    [
        (
            "openings.pgn",
            '[Variant "Chess960"]\n[FEN "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"]\n\n1. O-O *\n',
        ),
        ("openings.epd", 'rk5r/8/8/8/8/8/8/RK5R w HAha - id "x";\n'),
        (  # X-FEN without a tag: standard chess can't have these rights
            "openings.pgn",
            '[FEN "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"]\n\n1. O-O *\n',
        ),
    ],
)
def test_openings_of_chess960_are_played_as_chess960(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    run(
        tmp_path,
        *"--game chess --depth 1 --max-plies 6 --engine name=a --engine name=b --openings".split(),
        name,
    )
    played = games(tmp_path)
    assert all(
        game["options"] == {"UCI_Chess960": True} and game["termination"] == "adjudication"
        for game in played
    )
    assert '[Variant "Chess960"]' in (tmp_path / "tournament.pgn").read_text()


def test_game_option_overrides_the_record(tmp_path):
    """This server's PGN gives White's name and result first, although Black begins."""
    script(
        "analyse",
        file_of("playok.pgn", tmp_path),
        *"--game othello --nodes 20 -o out".split(),
        cwd=tmp_path,
    )
    (record,) = Collection((tmp_path / "out.sgf").read_bytes())
    assert record.players == ("b", "w") and record.result == "1-0" and len(record.line) == 4


def test_a_game_with_a_null_move_is_analysed(tmp_path):
    (tmp_path / "game.pgn").write_text(HEAD + "1. e4 -- 2. d4 e5 *\n")
    script("analyse", "game.pgn", "--nodes", "50", cwd=tmp_path)
    assert [
        len(record.line) for record in Collection((tmp_path / "game-analysed.pgn").read_bytes())
    ] == [4]


def test_play_writes_event_date_and_the_evaluations_shown(tmp_path):
    script(
        *"play chess --begin me --depth 2 --hints".split(),
        cwd=tmp_path,
        input="e4\nsave out.pgn\nquit\n",
    )
    text = (tmp_path / "out.pgn").read_text()
    assert re.search(r'\[Date "\d{4}\.\d\d\.\d\d"\]', text) and '[Event "Plyglot game"]' in text
    assert re.search(r"1\. e4 \S+ \{\[%eval -?\d+\.\d\d,2\]\} \*", " ".join(text.split()))


@pytest.mark.parametrize(
    "name, game", [("othello", "without-passes.txt"), ("othello", "unwritten-passes.ggf")]
)
def test_omitted_passes_are_implied(name, game):
    (record,) = collection(game)
    texts = [position.move_text(move) for position, move in record.positions()]
    assert texts[8] == "pass" and record.line[8].implied and record.start.game.name == name
    assert "pass" in write_record(record, "moves") and "[]" not in write_record(record, "sgf")
    record.line[0].comment = "so that the line is written"
    again = Collection(write_record(record, "json")).first()
    assert write_record(again, "sgf") == write_record(record, "sgf")


def test_openings_may_omit_passes(tmp_path):
    (tmp_path / "openings.txt").write_text("f5f6d3g5h5h4f7h6e7\n")
    assert FileOpenings(registry.get("othello"), tmp_path / "openings.txt")[0] == (
        Start("othello"),
        "f5 f6 d3 g5 h5 h4 f7 h6 pass e7".split(),
    )


def test_epd_keeps_its_operations():
    first, second = collection("operations.epd")
    assert first.start.text.endswith(" 2 3")
    assert first.tags["id"] == '"a; b"'
    assert first.tags["noop"] == ""
    assert (
        write_record(first, "epd").encode()
        == SAMPLES["operations.epd"].data.splitlines(keepends=True)[0]
    )
    assert [
        lists.read_epd(line).start.text
        for line in ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w")
    ] == ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"]


def test_littlegolem_swaps_colours_and_resigns_by_a_move():
    (record,) = games = Collection(
        "(;GM[4]SZ[15]PB[ann]PW[bob];B[hh];W[swap];B[hi];W[ii];B[resign])"
    )
    assert not games.problems and words_of([record]) == [["h8", "h7", "i7"]]
    assert record.players == ("bob", "ann") and record.result == "1-0"
    assert record.line[0].said == {"SWAP": ["W"]} and record.line[2].said == {"RESIGN": ["B"]}
    assert check(write_record(record, "sgf"), "sgf", None) == 1
    (other,) = Collection("(;GM[4]RE[Void];B[hh];W[resign])")
    assert other.result == "*" and len(other.line) == 1


@pytest.mark.parametrize(
    "score, result", [("26-38", "1-0"), ("38-26", "0-1"), ("32-32", "1/2-1/2")]
)
def test_the_discs_after_the_moves_are_a_result(score, result):
    """PlayOK gives White's first, although Black begins."""
    games = Collection(f"{HEAD}1. f5 d6 2. c3 {score}\n\n{HEAD}1. d3 *\n", "pgn", "othello")
    first, second = games
    assert not games.problems and (first.result, len(first.line)) == (result, 3)
    assert first.tags["SCORE"] == score and len(second.line) == 1


# ---- openings and positions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, size, moves",
    [
        ("0,0, 1,-2", 15, ["h8", "i10"]),
        ("-7,-7, 7,7", 15, ["a15", "o1"]),
        ("-10,-10, 9,9, 0,0", 20, ["a20", "t1", "k10"]),
        ("8,6,7,4", 20, ["s4", "r6"]),
        ("-1,0", 15, ["g8"]),
        ("h8i9j10", 15, ["h8", "i9", "j10"]),
    ],
)
def test_openings_of_gomoku_may_count_from_the_centre(line, size, moves, tmp_path):
    (tmp_path / "openings.txt").write_text(f"{line}\n{line}\n")
    options = {"BoardSize": size}
    found = FileOpenings(registry.get("gomoku"), tmp_path / "openings.txt", options)
    assert [found[0], found[1]] == [(Start("gomoku", None, options), moves)] * 2


def test_an_opening_outside_the_board_is_reported(tmp_path):
    (tmp_path / "openings.txt").write_text("0,0, 8,8\n0,0, 1,1\n")
    found = FileOpenings(registry.get("gomoku"), tmp_path / "openings.txt")
    assert found[0][1] == ["h8", "i7"]
    assert [str(problem)[:27] for problem in found.problems] == ["opening 1, line 1: 0,0, 8,8"]


BOARD = "-" * 27 + "OX------XO" + "-" * 27


@pytest.mark.parametrize(
    "text, side, moves",
    [
        (BOARD, 0, []),
        (BOARD + " X", 0, []),
        (BOARD.replace("X", "*") + " O", 1, []),
        (BOARD.replace("X", "x").replace("O", "o").replace("-", "."), 0, []),
        ("\n".join(BOARD[row : row + 8] for row in range(0, 64, 8)), 0, []),
        ("/".join(BOARD[row : row + 8] for row in range(0, 64, 8)) + " *", 0, []),
        ("8 " + " ".join(BOARD[row : row + 8] for row in range(0, 64, 8)) + " *", 0, []),
        (BOARD + " X f5d6c3", 0, ["f5", "d6", "c3"]),
        (BOARD + " f5 d6", 0, ["f5", "d6"]),
        (BOARD[:44] + "X" + BOARD[45:], 1, []),  # five discs
    ],
)
def test_boards_of_othello_are_read_as_people_paste_them(text, side, moves):
    games = Collection(text)
    (record,) = games
    assert games.kind == "obf" and not games.problems
    assert record.start.position().side == side and words_of([record]) == [moves]
    assert record.start.position().board()[3] == "...OX..."
    if not moves:
        assert lists.read_position(registry.get("othello"), text) == record.start


OBF = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 1"


def test_the_answers_of_a_problem_of_othello_are_alternatives(tmp_path):
    games = Collection(f"{OBF}\n{OBF.replace(' X;', ' O;').replace('G8:+18; H1:+12', 'a4:-4')}\n")
    first, second = games
    assert not games.problems and words_of([first, second]) == [["g8"], ["a4"]]
    assert first.line[0].evaluation.score == 1800 and second.line[0].evaluation.score == 400
    ((other,),) = first.line[0].variations
    assert first.start.position().move_text(other.move) == "h1"
    assert check(OBF, "obf", None) == 1
    (tmp_path / "ffo.obf").write_text(OBF + "\n")
    assert FileOpenings(registry.get("othello"), tmp_path / "ffo.obf")[0] == (first.start, [])
    script("analyse", "ffo.obf", "--nodes", "1", cwd=tmp_path)
    assert "(;B[gh]" in (tmp_path / "ffo-analysed.sgf").read_text()


def test_zebra_counts_its_openings_and_names_them(tmp_path):
    text = "3\nC4c3Diagonal Opening\nC4c3D3c5D6f4F5Rose-v-Toth\nC4e3F6e6F5c5C3c6D3d2E2b3C1c2B4a3A5b5A6a4A2F.A.T. Draw\n"
    (tmp_path / "openings.txt").write_text(text)
    found = FileOpenings(registry.get("othello"), tmp_path / "openings.txt")
    assert [len(found[index][1]) for index in range(3)] == [2, 7, 21] and not found.problems
    records = list(Collection(text, None, "othello"))
    names = ["Diagonal Opening", "Rose-v-Toth", "F.A.T. Draw"]
    assert [record.tags["Opening"] for record in records] == names
    assert [len(record.line) for record in records] == [2, 7, 21]


# ---- encodings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, encoding, guessed",
    [
        ("\u4e95\u5c71\u88d5\u592a", "shift_jis", "cp932"),
        ("\u4e95\u5c71", "gbk", "gb18030"),
        ("\u4e2d\u56fd\u68cb\u9662", "gbk", "gb18030"),
        ("\u5f35\u6829", "big5", "cp950"),
        ("\uc774\uc138\ub3cc", "euc_kr", "cp949"),
        ("Jos\u00e9 \u201cM\u00fcller\u201d", "cp1252", "cp1252"),
        ("\u4e95\u5c71", "utf-16-le", "utf-16-le"),
        ("\u4e95\u5c71", "utf-16-be", "utf-16-be"),
        ("\u4e95\u5c71", "iso2022_jp", "iso2022_jp"),
    ],
)
def test_an_encoding_that_a_file_does_not_name_is_guessed_and_reported(name, encoding, guessed):
    games = Collection(f"(;GM[4]PB[{name}]C[{name}];B[hh])".encode(encoding))
    (record,) = games
    assert record.players[0] == record.comment == name
    reason = f"line 1: the encoding is not named: read as {guessed}"
    assert list(map(str, games.problems)) == [reason]


@pytest.mark.parametrize("encoding", ["ISO-2022-JP", "EUC-JP", "Shift_JIS", "UTF-16", "Big5"])
def test_an_encoding_that_a_file_names_is_its_own(encoding):
    games = Collection(f"(;GM[4]CA[{encoding}]PB[\u4e95\u5c71];B[hh])".encode(encoding))
    assert games.first().players[0] == "\u4e95\u5c71" and not games.problems


def test_bytes_that_are_no_text_are_written_as_they_were(tmp_path):
    line = b'[White "a\x81 b"]'
    (tmp_path / "game.pgn").write_bytes(line + b"\n\n1. e4 *\n")
    script("analyse", "game.pgn", "--nodes", "1", cwd=tmp_path)
    assert line in (tmp_path / "game-analysed.pgn").read_bytes()


# ---- archives -----------------------------------------------------------------------------------------


def wthor(games, year=1999):
    """Return a WTHOR archive of (tournament, Black, White, Black's discs, at best, moves)."""
    head = struct.pack("<4BIHH4B", 20, 1, 1, 1, len(games), 0, year, 8, 0, 24, 0)
    moves = [bytes(10 * int(row) + ord(column) - 96 for column, row in game[5]) for game in games]
    return head + b"".join(
        struct.pack("<3H2B60s", *game[:5], played) for game, played in zip(games, moves)
    )


def names(size, *texts):
    return struct.pack("<4BIHH4B", 20, 1, 1, 1, 0, len(texts), 0, 0, 0, 0, 0) + b"".join(
        text.encode("latin-1").ljust(size, b"\0") for text in texts
    )


def test_wthor_has_its_names_beside_it(tmp_path):
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
    assert FileOpenings(registry.get("othello"), path)[2] == (Start("othello"), moves[2])


def test_a_wthor_archive_of_problems_is_refused_by_name():
    data = bytearray(wthor([(0, 0, 0, 0, 0, [])]))
    data[13] = 1
    with pytest.raises(RecordError, match="a WTHOR archive of another board or of problems"):
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
    assert not games.problems and games.kind == "sgf" and record.start.game.name == "renju"
    assert words_of([record]) == [["h8", "h9", "i9"]]
    first, second, third = record.line
    assert first.comment == "start" and second.said == {"MA": ["hg"]} and third.comment == "wins!"
    ((other,),) = second.variations
    assert other.comment == "a\nb" and other.said == {"LB": ["gi:A"]}
    assert check(library, None, None) == 1
    for length in range(20, len(library)):
        check(library[:length], None, None)


RIF = """<?xml version="1.0" encoding="UTF-8"?>
<database>
<rules><rule id="1" name="Taraguchi-10"/><rule id="2" name="Gomoku"/></rules>
<players><player id="7" surname="A" name="Ann"/><player id="8" surname="B &amp; C" name=""/></players>
<tournaments><tournament id="3" name="Cup" year="2001"/></tournaments>
<games>
<game id="1" tournament="3" round="2" rule="1" black="7" white="8" bresult="0.5">
<move>h8 h9 i10</move>
<info>good &lt;game&gt;</info>
</game>
<game id="2" tournament="4" rule="2" black="8" white="9" bresult="1"><move>a1 b2</move></game>
<game id="3" rule="1" black="7" white="8" bresult="0"><move>h8 h8</move></game>
</games>
</database>
"""


def test_renjunet_is_read_with_its_names():
    games = Collection(RIF.encode())
    first, second, third = games
    assert [str(problem)[:25] for problem in games.problems] == ["game 3, line 3: move 2: h"]
    assert first.players == ("Ann A", "B & C") and first.result == "1/2-1/2"
    assert list(first.tags.values()) == ["Cup", "2001", "2", "Taraguchi-10", "good <game>"]
    assert [record.start.game.name for record in (first, second)] == ["renju", "gomoku"]
    assert words_of([first, second, third]) == [["h8", "h9", "i10"], ["a1", "b2"], ["h8"]]
    assert second.players == ("B & C", "") and second.result == "1-0"


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"%PDF-1.7\n", "a PDF document: not supported"),
        (b"\x89PNG\r\n", "a picture (PNG): not supported"),
        (b"PK\3\4 and more", "a ZIP archive: not supported"),
        (bytes(range(256)), "data that is no text: not supported"),
        (names(20, "Ann", "Bob"), "data that is no text: not supported"),
    ],
)
def test_what_is_no_text_is_refused_by_what_it_looks_like(data, reason):
    with pytest.raises(RecordError) as refused:
        Collection(data)
    assert str(refused.value) == reason


def test_a_file_without_games_gets_one_error(tmp_path):
    (tmp_path / "junk.txt").write_text("hello\nworld, this is no game\n")
    _, wrong = script("analyse", "junk.txt", cwd=tmp_path, status=2)
    assert "junk.txt: no game found; known are PGN, SGF, GGF" in wrong and "row" not in wrong


# ---- PSQ ----------------------------------------------------------------------------------------------


def test_psq_gives_the_players_times_rules_and_result():
    (record,) = collection("piskvork.psq")
    assert record.start == Start("gomoku") and record.result == "1-0"
    assert record.players == ("pbrain-wine18.zip", "pbrain-carbon.zip")
    assert words_of([record])[0][:4] == ["h8", "i8", "h7", "i7"]  # rows count from the top
    assert [step.seconds("emt") for step in record.line][2:6] == [1.503, 0.22, 0.031, 4.007]
    assert record.tags == {"Event": "Standard15_1"}
    written = write_record(record, "sgf")
    assert "PB[pbrain-wine18.zip]" in written and "EMT[0:00:01.503]" in written
    with pytest.raises(RecordError, match="PSQ can't record gomoku"):
        write_record(record, "psq")


def test_psq_of_a_game_that_the_second_player_began_has_the_players_in_order_of_play():
    (record,) = collection("second-begins.psq")
    assert record.players == ("pbrain-carbon.zip", "homo-1")
    assert record.start == Start("gomokufreestyle", None, {"BoardSize": 20})
    assert words_of([record]) == [["t20", "a1"]]


def test_psq_that_goes_on_after_six_in_a_row_is_of_exactly_five():
    black = ["1,1,0", "2,1,0", "3,1,0", "5,1,0", "6,1,0", "4,1,0", "9,9,0"]
    white = ["1,3,0", "3,3,0", "5,3,0", "7,3,0", "9,3,0", "11,3,0", "13,3,0"]
    lines = [line for pair in zip(black, white) for line in pair]
    text = "\n".join(["Piskvorky 15x15, 0:0, 0", *lines, "-1"])
    (record,) = found = Collection(text)
    assert record.start.game.name == "gomoku" and len(record.line) == 14 and not found.problems
    assert Collection(text, None, "renju").first().start.game.name == "renju"


@pytest.mark.parametrize(
    "text, moves, problem",
    [
        ("Piskvorky 15x15, 11:11, 0\r\n", 0, None),
        ("Piskvorky 15x15 , 0 - 0\n8, 8\n9, 8\n-1", 2, None),
        ("Piskvorky 15x15, 0:0, 0\n8,8,1\n8,8,1\n", 1, "line 3: move 2: 8,8: is not a legal move"),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,1\n16,8,1\n9,9,1\n-1",
            1,
            "line 3: move 2: 16,8: is not a sq",
        ),
        ("Piskvorky 15x15, 0:0, 0\n0,8,1\n", None, "line 2: move 1: 0,8: is not a square"),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,1\n8,9,",
            1,
            'line 3: move 2: "8,9," is not COLUMN,ROW,MILLI',
        ),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,1\n?\n8,9,1",
            1,
            'line 3: move 2: "?" is not COLUMN,ROW,MILLI',
        ),
        ("Piskvorky 30x30, 0:0, 0\n8,8,1\n", None, "line 1: unsupported board size: 30x30 (boards"),
        ("Piskvorky 20x15, 0:0, 0\n8,8,1\n", None, "line 1: unsupported board size: 20x15 (boards"),
    ],
)
def test_psq_is_recognised_by_its_first_line_and_read_up_to_its_fault(text, moves, problem):
    found = Collection(text)
    assert [len(record.line) for record in found] == [moves] * (moves is not None)
    assert found.kind == "psq" and len(found.problems) == (problem is not None)
    assert problem is None or problem in str(found.problems[0])


def test_psq_files_are_openings_analysed_and_continued(tmp_path):
    path = file_of("second-begins.psq", tmp_path)
    opening = FileOpenings(registry.get("gomokufreestyle"), path)[0]
    assert opening == (Start("gomokufreestyle", None, {"BoardSize": 20}), ["t20", "a1"])
    script("analyse", path, "--nodes", "1", "-o", "out", cwd=tmp_path)
    assert "PB[pbrain-carbon.zip]" in (tmp_path / "out.sgf").read_text()
    (tmp_path / "game.rec").write_bytes(SAMPLES["damaged.psq"].data)
    output, _ = script(
        "play", "--load", "game.rec", "--nodes", "1", cwd=tmp_path, input="yes\nquit\n"
    )
    assert 'line 5: move 4: "9,x,220" is not' in output
