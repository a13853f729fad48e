"""Records of all formats: a corpus of real files that are read, written and read again."""

import itertools
import json
import os
import re

import pytest
from record_checks import check, check_made, damaged
from samples import SAMPLES, collection, file_of, script, words_of
from tables import rows
from tournaments import games, run

from games import registry
from games.base import MAX_SCORE, Game, Outcome, Position, PositionError
from protocol.moves import read_any_move
from protocol.records import lists, pgn, sgf
from protocol.records.builder import Builder
from protocol.records.formats import FORMATS, Collection, named_format, write_record
from protocol.records.json_lines import to_plain
from protocol.records.record import Evaluation, Record, RecordError, Start
from protocol.records.text import decode
from scripts.arena.openings import file_openings
from scripts.pages.fields import Wrong
from scripts.pages.records import open_text
from scripts.pages.view import catalogue

GGF = (
    "(;GM[Othello]PB[a]PW[b]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- --------"
    " -------- *]"
)
HEAD = '[Event "x"]\n[White "a"]\n[Black "b"]\n\n'


# ---- the corpus ---------------------------------------------------------------------------------------


# {name in a sample's expectations: function that reads the named value from a record}
VALUES = {
    "results": lambda record: record.result,
    "players": lambda record: list(record.players),
    "starts": lambda record: record.start.text,
    "sides": lambda record: record.start.position().side,
    "words": lambda record: words_of([record])[0],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_file_reads_back_the_same_after_writing(name):
    data, expected = SAMPLES[name]
    found = collection(name)
    records = list(found)
    assert [len(record.line) for record in records] == expected["moves"], found.problems
    problems = found.problems
    assert all(re.match(r"(game \d+, )?line \d+: .", problem) for problem in problems)
    wanted = expected.get("problems", 0)
    if isinstance(wanted, int):
        assert len(problems) == wanted
    else:
        assert [text[: len(known)] for text, known in zip(problems, wanted)] == wanted
        assert len(problems) == len(wanted)
    for record in records if "options" in expected else ():
        assert record.start.options == expected["options"]
    for name_of_value, read in VALUES.items():
        if name_of_value in expected:
            assert [read(record) for record in records] == expected[name_of_value]
    assert found.format.name == expected.get("kind", found.format.name)
    text = json.dumps([to_plain(record) for record in records], ensure_ascii=False)
    assert expected.get("text", "") in text
    assert check(data, named_format(name), expected.get("game")) == len(records)


# Words that may be missing when a file is written again: synonyms and repetitions.
SPELLINGS = set(
    "tournament scores depths seconds nodes opening true false M3 OwnBook BookFile no such book comment".split()
)


@pytest.mark.parametrize(
    "name",
    (
        "plain.pgn all-glyphs.pgn clocks-and-arrows.pgn comments-everywhere.pgn "
        "quotes-in-tags.pgn latin-1.pgn null-move-in-a-variation.pgn separators.pgn "
        "variations.sgf marks.sgf digits-in-names.sgf plain.sgf gb18030.sgf times.ggf "
        "own-properties.ggf unwritten-passes.ggf tournament.jsonl"
    ).split(),
)
def test_rewriting_a_file_preserves_every_word(name):
    found = collection(name)
    written = "".join(write_record(record, found.format.name) for record in found)
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
    rows("records.a_file_that_ends_in_the_middle_of_a_character_keeps_its_encoding"),
)
def test_a_file_that_ends_in_the_middle_of_a_character_keeps_its_encoding(text, encoding):
    form = sgf.FORMAT if text.startswith("(;") else None
    assert decode(text.encode(encoding)[:-1], form) == text[:-1]


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("bits", ["16", "32"])
def test_a_byte_order_mark_names_the_encoding(bits, order):
    text = "1. e4 {\u03b5} e5 *\n"
    assert decode(f"\ufeff{text}".encode(f"utf-{bits}-{order}")) == text


def test_a_line_that_is_not_utf_8_leaves_the_other_lines_as_they_are():
    """In a collection from several programs, each game may have another encoding."""
    head = '[White "M\u00fcller"]\n\n1. e4 e5 *\n\n'
    first, second = Collection(head.encode() + head.encode("cp1252"))
    assert first.players[0] == second.players[0] == "M\u00fcller"
    assert decode(b"caf\xe9") == "caf\u00e9"  # E9 may begin a UTF-8 character, but the text ends
    assert decode(b"\xc3\xa9\n\xe9 x") == "\u00e9\n\u00e9 x"


@pytest.mark.parametrize("name", ["plain.pgn", "plain.sgf", "plain.ggf", "tournament.jsonl"])
def test_joined_files_with_byte_order_marks_are_read(name):
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
    signs = [[], [16], [17], [10], [13], [16], [146], [201], [14], [19]]
    assert [step.nags for step in record.line] == signs
    (record,) = collection("all-glyphs.pgn")
    assert "1. e4 $1 $7 $10 $13 $14 $36 $44 $132 $146 $201 $255 1... e5" in write_record(
        record, "pgn"
    )


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


def test_the_last_of_two_tags_with_one_name_counts():
    records = list(Collection('[White "c"]\n[White ""Able,V""]\n\n1. e4 *\n\n' + HEAD + "1. d4 *"))
    assert [record.players for record in records] == [("Able,V", ""), ("a", "b")]


@pytest.mark.parametrize(
    "moves, count, result", rows("records.0_0_is_castling_if_legal_and_otherwise_a_double_forfeit")
)
def test_0_0_is_castling_if_legal_and_otherwise_a_double_forfeit(moves, count, result):
    (record,) = Collection(HEAD + moves + "\n")
    assert len(record.line) == count and record.result == "*"
    written = write_record(record, "pgn")
    assert f'[Result "{result}"]' in written and written.split()[-1] == result
    assert check(HEAD + moves, "pgn", None) == 1


def test_no_line_break_is_written_inside_a_command():
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
    assert [len(record.line) for record in games] == [5] and 'move 3...: "--"' in str(
        games.problems[0]
    )


@pytest.mark.parametrize("move", ["ed", "Дf3", "Nge", "ef"])
def test_an_ambiguous_move_is_refused_with_a_reason(move):
    games = Collection(HEAD + f"1. e4 d5 2. {move} *\n")
    assert [len(record.line) for record in games] == [2]
    assert games.problems[0].startswith(f'game 1, line 5: move 2: "{move}"')


def test_comments_of_a_variation_without_moves_are_kept():
    text = HEAD + "1. e4 ({only [%clk 0:00:01]} $14 $0) e5 (1... Kx 2. Kz) 2. Ky *\n"
    (record,) = games = Collection(text)
    (first, second) = record.line
    assert (first.comment, first.nags, first.said) == ("only", [14], {"clk": ["0:00:01"]})
    assert not first.variations and not second.variations
    assert [problem[:29] for problem in games.problems] == ['game 1, line 5: move 1...: "K']
    assert "Kx" in games.problems[0]  # only the first fault is reported


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
    for text, white, black in rows("records.material_decides_which_side_of_chess_can_win"):
        position = chess.parse(text + " w - - 0 1", {})
        assert (position.can_win(0), position.can_win(1)) == (white, black), text


class NumberedMoves(Position):
    """A position in a game that has two forced moves, written as in draughts."""

    def __init__(self, game, key):
        self.game, self.side, self.key = game, 1 - key % 2, key

    def legal_moves(self):
        return [] if self.key == 3 else [self.side]

    def make(self, move):
        self.side ^= 1
        self.key += 1

    def undo(self):
        self.side ^= 1
        self.key -= 1

    def outcome(self):
        return Outcome(None, "the end") if self.key == 3 else None

    def text(self):
        return str(self.key)

    def move_text(self, move):
        return ("32-28", "19-23")[move]


class Numbers(Game):
    name, colours = "numbers", ("White", "Black")

    def start(self, options):
        return NumberedMoves(self, 1)

    def parse(self, text, options):
        return NumberedMoves(self, int(text))


class NumbersPgn(pgn.Pgn):
    """A dialect of PGN with its own tags and results."""

    name = "pdn"
    results = {"2-0": "1-0", "1-1": "1/2-1/2", "0-2": "0-1"}

    def start(self, tags, game_name, text):
        assert tags["GameType"] == "20"
        return Start(Numbers())

    def start_tags(self, start):
        return {"GameType": "20"}


@pytest.mark.parametrize(
    "moves, count, result, score",
    rows("records.a_dialect_of_pgn_has_its_own_tags_results_and_moves"),
)
def test_a_dialect_of_pgn_has_its_own_tags_results_and_moves(moves, count, result, score):
    form = NumbersPgn()
    (record,) = games = Collection(f'[GameType "20"]\n[Result "2-0"]\n\n{moves}\n', form)
    assert not games.problems and len(record.line) == count
    assert (record.result, record.tags.get("SCORE")) == (result, score)
    (again,) = Collection(form.write(record), form)
    assert to_plain(again) == to_plain(record)


@pytest.mark.parametrize("first, result", [("2-0", "1-0"), ("38-26", "1-0"), ("26-38", "0-1")])
def test_a_result_tag_may_state_the_points(first, result):
    (record,) = Collection(f'[Result "{first}"]\n\n1. f5 d6\n', "pgn", "othello")
    assert record.result == result and record.tags["SCORE"] == first


def test_each_format_is_named_in_every_list_of_formats(tmp_path):
    named = [
        script("play", "--help", cwd=tmp_path)[0],
        script("tournament", "--help", cwd=tmp_path)[0],
        script("analyse", "--help", cwd=tmp_path)[0],
        catalogue([])["records"],
        Collection("nothing").reason(),
    ]
    for each in FORMATS:
        for text in named:
            assert each.title in " ".join(text.split()), (each.name, text)


# ---- SGF, GGF, lists ----------------------------------------------------------------------------------


def test_clocks_of_sgf_may_have_hours_and_minutes():
    (record,) = Collection("(;GM[2];B[fe]BL[0:01:02.500]TE[1];W[df]WL[9.5])")
    assert [step.said["clk"] for step in record.line] == [["62.5"], ["9.5"]]


def test_a_bracket_inside_a_two_byte_character_does_not_end_a_value():
    (record,) = collection("shift-jis.sgf")
    assert record.players[0] == "表"
    assert [position.move_text(move) for position, move in record.positions()] == ["h8", "i7"]
    assert "CA[UTF-8]" in write_record(record, "sgf")


def test_an_impossible_setup_is_refused_with_its_reason():
    games = collection("impossible-stones.sgf")
    assert not list(games)
    assert "stones" in games.problems[0]
    assert "64 squares" not in games.problems[0]


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


def test_a_result_that_follows_from_the_rules_reads_the_same_after_writing():
    wipe_out = "B[ef];W[fd];B[ec];W[ff];B[ge];W[df];B[eg];W[fe];B[ce]"
    assert check(f"(;GM[2];{wipe_out})".encode(), "sgf", None) == 1


@pytest.mark.parametrize("end, sgf, ggf", [
    ("time forfeit", "W+T", "-1:t"), ("rules infraction", "W+F", "-1:r"),
    ("adjudication", "W+", "-1:s"), ("normal", "W+", "-1:r"),
])  # fmt: skip
def test_sgf_and_ggf_results_name_the_way_in_which_the_game_ended(end, sgf, ggf):
    moves = next(iter(Collection("f5 d6", "moves", "othello"))).moves
    record = Record(Start("othello"), moves, result="0-1", tags={"Termination": end})
    for kind, text in (("sgf", sgf), ("ggf", ggf)):
        written = write_record(record, kind)
        assert f"RE[{text}]" in written
        assert next(iter(Collection(written, kind))).result == "0-1"


def test_a_result_ends_a_game_in_a_list_of_games():
    games = Collection("e4 e5 1-0\nd4 d5 *\nNf3 c5\nc3 1/2-1/2\n", "moves")
    assert words_of(games) == [["e4", "e5"], ["d4", "d5"], ["Nf3", "c5", "c3"]]
    assert [record.result for record in Collection("f5d6 1-0\nf5\n", "moves", "othello")] == [
        "1-0",
        "*",
    ]


def test_in_a_list_a_line_without_moves_belongs_to_the_next_game():
    games = Collection("1.\n1.\ne4 e5\n*\n1.\nd4\n", "moves")
    assert words_of(games) == [["e4", "e5"], ["d4"]] and not games.problems
    games = Collection("1.\n" * 9, "moves")
    assert not list(games) and games.problems == ["game 1, line 1: no moves found"]


def test_an_annotation_with_a_headers_name_does_not_change_the_game():
    """A header and an annotation of one name become one property, with the header's value first."""
    (record,) = Collection(
        '{"game": "renju", "moves": ["h8"], "tags": {"RU": "("}, "said": {"RU": ["renju"]}}'
    )
    (again,) = Collection(write_record(record, "sgf"))
    assert again.start.game.name == "renju"


def test_comments_and_marks_of_a_ggf_are_read():
    (record,) = collection("own-properties.ggf")
    first, second, third = record.line
    assert record.comment == "start" and first.comment == "a ] b" and first.nags == [2, 14]
    assert second.comment == "other" and third.said == {"ZZ": ["kept"]}


def test_only_clock_and_move_time_properties_of_sgf_become_seconds():
    """A value of another property that looks like a time stays as it is."""
    text = "(;GM[4];B[hh]BL[0:01:30]EMT[0:00:02.5]XX[0:01:30]V[1.50,9];W[ii]WL[1:00:00]BL[0:00:10])"
    first, second = Collection(text).first().line
    assert first.said == {"clk": ["90"], "emt": ["2.5"], "XX": ["0:01:30"], "eval": ["1.50"]}
    assert second.said == {"clk": ["3600"], "BL": ["0:00:10"]}


def test_two_marks_of_one_property_survive_in_sgf():
    text = '{"game": "gomoku", "moves": [], "line": [{"move": "h8", "nags": [1, 3]}]}'
    (again,) = Collection(write_record(Collection(text).first(), "sgf"))
    assert again.line[0].nags == [1, 3]


@pytest.mark.parametrize(
    "evaluation, white, value", rows("records.an_evaluation_in_ggf_is_for_the_player_who_moves")
)
def test_an_evaluation_in_ggf_is_for_the_player_who_moves(evaluation, white, value):
    moves = [{"move": "f5"}, {"move": "f4"}][: 1 + white]
    moves[-1]["eval"] = evaluation
    text = json.dumps({"game": "othello", "moves": [], "line": moves})
    written = write_record(Collection(text).first(), "ggf")
    assert f"{value};)" in written
    (again,) = Collection(written)
    assert again.line[-1].said["eval"] == [evaluation.split(",")[0]]


def test_a_result_that_is_recorded_as_unknown_stays_unknown():
    text = HEAD + "1. f3 e5 2. g4 Qh4# *\n"
    assert write_record(Collection(text).first(), "pgn").endswith(" *\n")


def test_a_move_in_the_root_is_written_once():
    (record,) = collection("move-in-root.sgf")
    assert write_record(record, "sgf").count("[hh]") == 1 and record.line[0].comment == "first"


def test_an_illegal_move_leaves_a_builder_unchanged():
    othello = Builder(Record(Start("othello")), read_any_move)
    for move in "f5 f6 d3 g5 h5 h4 f7 h6".split():
        othello.play(move)
    before, line = othello.position.text(), list(othello.line)
    for move in ("a1", "f5", "z9"):  # Black has to pass first; records omit the pass
        with pytest.raises(RecordError, match=f'ply 10: "{move}" '):
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
    with pytest.raises(RecordError, match='move 1: "Ke2" '):
        chess.play("Ke2")
    assert chess.play("d4").before == "before" and chess.depth == 1
    chess.close()
    assert chess.play("e5").before == "" and chess.position.move_text(chess.line[0].move) == "e2e4"


# ---- long texts, and endless files ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves, words, problem",
    rows("records.german_letters_are_read_if_all_pieces_of_a_game_have_them"),
)
def test_german_letters_are_read_if_all_pieces_of_a_game_have_them(moves, words, problem):
    games = Collection(f'[White "a"]\n\n{moves} *')
    assert words_of(games) == [words.split()]
    assert problem in "".join(games.problems) and len(games.problems) == bool(problem)


def test_the_head_of_a_game_has_the_start_and_players_of_its_record():
    for name, sample in SAMPLES.items():
        try:
            games = Collection(sample.data)
        except RecordError:
            continue
        for offset, text in games.format.split(games.text):
            assert games.text.startswith(text, offset), name
        for number, (share, head) in enumerate(games.heads(), 1):
            assert 0 < share <= 1, name
            record = head and games.game(number)
            if record:
                assert head.players == record.players and head.start == record.start, name
                assert head.result in (record.result, "*"), name


def test_setup_stones_need_no_more_memory_than_the_board():
    tracemalloc = pytest.importorskip("tracemalloc")  # PyPy has no tracemalloc
    begin = "(;GM[4]SZ[15]"
    list(Collection(f"{begin}AB[aa:oo]"))  # load the modules that such a text needs
    tracemalloc.start()
    text = begin + "AB[aa:oo]" * 4_000
    games = Collection(text)
    assert not list(games) and "stones" in games.problems[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(text)


def test_games_are_counted_and_skipped_without_being_read(monkeypatch):
    text, counts, read = (HEAD + "1. e4 e5 *\n\n") * 2_000, [], pgn.FORMAT.read

    def counted(*words):
        counts.append(1)
        return read(*words)

    monkeypatch.setattr(pgn.FORMAT, "read", counted)
    games = Collection(text)
    assert len(list(itertools.islice(games, 200))) == 200 and len(counts) == 200
    assert games.count() == 2_000 and games.game(1_500).line and len(counts) == 201
    with pytest.raises(RecordError, match="only 2000 games"):
        games.game(2_001)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize(
    "name, words", rows("records.devices_and_pipes_are_refused_with_a_message")
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
    """Return the content of a game without its comments, for comparisons."""
    value = to_plain(record)
    return {name: value[name] for name in ("start", "players", "result", "tags", "moves")}


@pytest.mark.parametrize("kind, games", [("pgn", PGN_OF_FAULTS), ("sgf", SGF_OF_FAULTS)])
def test_a_fault_in_one_game_does_not_affect_the_others(cases, kind, games):
    whole = [played(Collection(game, kind).first()) for game in games]
    for dice in cases:
        index = dice.randrange(len(games))
        damaged_game = fault(dice, games[index])
        text = "".join([*games[:index], damaged_game, *games[index + 1 :]])
        found = list(map(played, Collection(text, kind)))
        others = whole[:index] + whole[index + 1 + (damaged_game[-1:] != "\n") :]
        assert [game for game in others if game not in found] == [], repr(damaged_game)


@pytest.mark.parametrize("kind, games", [("pgn", PGN_OF_FAULTS), ("sgf", SGF_OF_FAULTS)])
def test_a_file_cut_off_and_joined_to_another_loses_only_the_cut_game(cases, kind, games):
    whole = [played(Collection(game, kind).first()) for game in games]
    for dice in cases:
        first = "".join(games[:2])
        cut = first[: dice.randrange(len(games[0]), len(first))]
        found = list(map(played, Collection(cut + "".join(games[2:]), kind)))
        assert [game for game in (whole[0], *whole[3:]) if game not in found] == [], repr(cut)
        # Only the third game's moves and players are compared: the cut may spoil its first tag.
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
    'game 2, line 11: move 2: "Kx" is not a move',
    'game 3, line 17: move 1: "e5" is not a legal move here',
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
    assert 'line 1: move 1: "e5"' in script("analyse", "none.pgn", cwd=tmp_path, status=2)[1]


def test_play_loads_the_first_valid_game_and_reports_the_others(bad_file, tmp_path):
    text = bad_file.read_text()
    bad_file.write_text(text[text.index("1. e4 e5") - len(HEAD) :])
    output, _ = script(
        "play", "chess", "--two", "--load", bad_file, cwd=tmp_path, input="save out.pgn\nquit\n"
    )
    assert 'line 5: move 2: "Kx" is not a move' in output
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


@pytest.mark.parametrize("name, text", rows("records.openings_of_chess960_are_played_as_chess960"))
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
    """PlayOK's PGN of Othello gives White's name and result first, although Black begins."""
    script(
        "analyse",
        file_of("playok.pgn", tmp_path),
        *"--game othello --nodes 20 -o out".split(),
        cwd=tmp_path,
    )
    (record,) = Collection((tmp_path / "out.sgf").read_bytes())
    assert record.players == ("b", "w") and record.result == "1-0" and len(record.line) == 4


# An export of PlayOK, quoted by a public program: no tag names the game.
PLAYOK = """[Event "?"]
[Site "PlayOK"]
[Date "2020.05.05"]
[Black "t7m4o1k9a"]
[White "cafego"]
[Result "38-26"]
[TimeControl "300"]

1. f5 d6 2. c3 f3 3. f4 d3 4. c4 g3 5. e6 c6 6. c5 e7 7. f6 g4 8. g5 h4 9. e8
d7 10. d2 b5 11. d8 e3 12. e2 f2 13. h6 h5 14. h3 b4 15. g6 e1 16. g1 f7 17. f8
g7 18. a5 f1 19. d1 c1 20. b1 c2 21. h8 g2 22. a4 b3 23. a3 a6 24. a7 b6 25. c7
c8 26. b2 b7 27. a8 b8 28. h1 h2 29. -- g8 30. h7 a2 31. a1 38-26
"""


def test_a_result_in_points_shows_that_the_game_is_othello():
    (record,) = games = Collection(PLAYOK)
    final = record.final()
    assert not games.problems and final.outcome() is not None and len(record.line) == 61
    assert (record.start.game.name, record.players) == ("othello", ("t7m4o1k9a", "cafego"))
    assert record.result == "1-0"
    for tag in ('[Variant "Chess"]', '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]'):
        (head,) = list(Collection(f'{tag}\n[Result "38-26"]\n\n*'))
        assert head.start.game.name == "chess"


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
def test_omitted_passes_are_implied_and_written(name, game):
    (record,) = collection(game)
    texts = [position.move_text(move) for position, move in record.positions()]
    assert texts[8] == "pass" and record.line[8].implied and record.start.game.name == name
    assert ";B[];W[eg]" in write_record(record, "sgf") and "B[PA]" in write_record(record, "ggf")
    again = Collection(write_record(record, "json")).first()
    assert write_record(again, "sgf") == write_record(record, "sgf")


def test_openings_may_omit_passes(tmp_path):
    (tmp_path / "openings.txt").write_text("f5f6d3g5h5h4f7h6e7\n")
    assert file_openings(Start("othello"), tmp_path / "openings.txt")[0] == (
        Start("othello"),
        "f5 f6 d3 g5 h5 h4 f7 h6 pass e7".split(),
    )


def test_epd_keeps_its_operations():
    first, second = collection("operations.epd")
    assert first.start.text.endswith(" 2 3")
    assert first.tags["id"] == '"a; b"'
    assert first.tags["noop"] == ""
    with pytest.raises(RecordError, match="EPD can't record chess"):
        write_record(first, "epd")
    assert [
        lists.EPD.read(line).start.text
        for line in ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w")
    ] == ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"]


@pytest.mark.parametrize(
    "operations, counters",
    rows("records.epd_operations_set_the_counters_of_a_position_without_counters"),
)
def test_epd_operations_set_the_counters_of_a_position_without_counters(operations, counters):
    record = lists.EPD.read(f"4k3/8/8/8/8/8/8/4K2R w K - {operations}")
    assert record.start.text == f"4k3/8/8/8/8/8/8/4K2R w K - {counters}"


@pytest.mark.parametrize(
    "name, line, text", rows("records.an_epd_is_a_position_of_the_chosen_game")
)
def test_an_epd_is_a_position_of_the_chosen_game(name, line, text, tmp_path):
    (record,) = games = Collection(line, None, name)
    assert not games.problems and games.format.name == "epd" and record.start.text == text
    assert file_openings(Start(name), file_with(tmp_path, line))[0] == (record.start, [])
    assert open_text(line, name)[1].start == record.start


@pytest.mark.parametrize(
    "game, text, wanted, plies", rows("records.a_list_that_is_legal_only_in_chess_is_read_as_chess")
)
def test_a_list_that_is_legal_only_in_chess_is_read_as_chess(game, text, wanted, plies):
    record = open_text(text, game)[1]
    assert (record.start.game.name, len(record.line)) == (wanted, plies)


def test_the_refusal_of_an_illegal_list_of_moves_names_the_assumed_game():
    with pytest.raises(
        Wrong, match=r"is not a move \(read as Chess; for another game choose it first\)"
    ):
        open_text("f5d6c3d3", "chess")


def file_with(folder, text):
    path = folder / "a.epd"
    path.write_text(text + "\n")
    return path


def test_a_first_line_is_an_opening_unless_it_is_the_number_of_openings():
    assert [line for _, line in lists.split_openings("2\nf5\nd3\n")] == ["f5", "d3"]
    assert [line for _, line in lists.split_openings("3\nf5\nd3\n")] == ["3", "f5", "d3"]
    for word in ("0", "\u00b3"):  # Python calls a superscript a digit
        assert [line for _, line in lists.split_openings(word + "\n")] == [word]


def test_an_evaluation_is_at_most_the_largest_score():
    assert Evaluation.read("999999999").score == MAX_SCORE
    assert Evaluation.read("-999999999,4").score == -MAX_SCORE
    assert Evaluation(10 * MAX_SCORE).text() == f"{MAX_SCORE / 100:.2f}"
    assert Evaluation(-10 * MAX_SCORE).text() == f"{-MAX_SCORE / 100:.2f}"


def test_littlegolem_swaps_colours_and_resigns_by_a_move():
    (record,) = games = Collection(
        "(;GM[4]SZ[15]PB[ann]PW[bob];B[hh];W[swap];B[hi];W[ii];B[resign])"
    )
    assert not games.problems and words_of([record]) == [["h8", "h7", "i7"]]
    assert record.players == ("bob", "ann") and record.result == "1-0"
    assert record.line[0].said == {"SWAP": ["W"]} and record.line[2].said == {"RESIGN": ["B"]}
    assert check(write_record(record, "sgf"), "sgf", None) == 1
    (swapped,) = Collection("(;GM[4]B[swap];W[hh])")
    assert swapped.said == {"SWAP": ["B"]} and "SWAP" not in swapped.tags
    (other,) = Collection("(;GM[4]RE[Void];B[hh];W[resign])")
    assert other.result == "*" and len(other.line) == 1


@pytest.mark.parametrize(
    "data, moves, problems",
    rows("records.all_games_are_read_despite_a_stray_bracket_or_a_wrong_encoding"),
)
def test_all_games_are_read_despite_a_stray_bracket_or_a_wrong_encoding(data, moves, problems):
    text, encoding = data
    games = Collection(text.encode(encoding))
    assert words_of(games) == [moves]
    assert [problem.split(": ", 1)[1][:24] for problem in games.problems] == problems


@pytest.mark.parametrize("line, moves, result", rows("records.lists_have_bullets_and_scores"))
def test_lists_may_have_bullets_underscores_commas_and_a_last_score(line, moves, result):
    (record,) = games = Collection(line, None, "othello")
    assert not games.problems and " ".join(words_of([record])[0]) == moves
    assert (record.result, record.tags.get("SCORE")) == tuple(result)


BOARD = ["........"] * 3 + ["...WB...", "...BW..."] + ["........"] * 3
LABELS = "  a b c d e f g h\n"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"[{' '.join(row)}]" for row in BOARD) + " b",
        "\n".join(BOARD) + "\nB",
        LABELS + "\n".join(f"{rank} {' '.join(row)}" for rank, row in enumerate(BOARD, 1)),
        LABELS
        + "".join(f"{rank} {' '.join(row)} {rank}\n" for rank, row in enumerate(BOARD, 1))
        + LABELS,
        "\n".join(f"| {' | '.join(row)} |" for row in BOARD).translate(
            {66: "\u25cf", 87: "\u25cb"}
        ),
        repr([list(row) for row in BOARD]).replace("'", '"'),
    ],
)
def test_boards_of_othello_are_read_as_people_paste_them(text):
    (record,) = games = Collection(text)
    assert not games.problems and games.format.name == "obf"
    assert record.start.position().text() == Start("othello").position().text()


def test_tic_tac_toe_that_o_began_is_read_with_the_marks_exchanged():
    game = registry.get("tictactoe")
    assert game.parse("o2/3/3", {}).text() == "x2/3/3 o"
    assert game.parse("ox1/3/o2 x", {}).text() == "xo1/3/x2 o"
    with pytest.raises(PositionError):
        game.parse("oox/3/o2", {})


def test_a_game_tagged_as_another_variant_is_reported():
    text = '[Variant "Crazyhouse"]\n\n1. e4 *\n'
    games = Collection(text, None, "atomic")
    assert words_of(games) == [["e4"]]
    assert games.problems == [
        'game 1, line 1: the tag Variant is "Crazyhouse", but the game is read as atomic'
    ]
    for name in (None, "chess", "crazyhouse"):
        same = Collection(text, None, name)
        assert words_of(same) == [["e4"]] and not same.problems


def test_a_variant_that_forbids_the_start_of_chess_is_read_with_its_own_start():
    start = Start("chess").position().text()
    (record,) = Collection(f'[Variant "Racing Kings"]\n[FEN "{start}"]\n\n1. Kh3 *\n')
    own = Start("racingkings").position().text()
    assert record.start.position().text() == own and len(record.line) == 1
    (record,) = Collection(f'[Variant "Atomic"]\n[FEN "{start}"]\n\n1. Nf3 *\n')
    assert record.start == Start("atomic", start)


# ---- openings and positions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, size, moves", rows("records.openings_of_gomoku_may_have_coordinates_from_the_centre")
)
def test_openings_of_gomoku_may_have_coordinates_from_the_centre(line, size, moves, tmp_path):
    (tmp_path / "openings.txt").write_text(f"{line}\n{line}\n")
    options = {"BoardSize": size}
    found = file_openings(Start("gomoku", None, options), tmp_path / "openings.txt")
    assert [found[0], found[1]] == [(Start("gomoku", None, options), moves)] * 2


def test_the_first_hundred_problems_of_a_game_are_reported():
    games = Collection("(;GM[4]SZ[15];B[hh]" + 300 * "]" + ";W[hg])")
    assert len(list(games)[0].line) == 2 and len(games.problems) == 100


def test_an_opening_outside_the_board_is_reported(tmp_path):
    (tmp_path / "openings.txt").write_text("0,0, 8,8\n0,0, 1,1\n")
    found = file_openings(Start("gomoku"), tmp_path / "openings.txt")
    assert found[0][1] == ["h8", "i7"]
    assert [problem[:29] for problem in found.problems] == ['opening 1, line 1: "0,0, 8,8"']


OBF = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 1"


def test_the_answers_to_an_othello_problem_become_variations(tmp_path):
    games = Collection(f"{OBF}\n{OBF.replace(' X;', ' O;').replace('G8:+18; H1:+12', 'a4:-4')}\n")
    first, second = games
    assert not games.problems and words_of([first, second]) == [["g8"], ["a4"]]
    assert first.line[0].evaluation.score == 1800 and second.line[0].evaluation.score == 400
    ((other,),) = first.line[0].variations
    assert first.start.position().move_text(other.move) == "h1"
    assert check(OBF, "obf", None) == 1
    (tmp_path / "ffo.obf").write_text(OBF + "\n")
    assert file_openings(Start("othello"), tmp_path / "ffo.obf")[0] == (first.start, [])
    script("analyse", "ffo.obf", "--nodes", "1", cwd=tmp_path)
    assert "(;B[gh]" in (tmp_path / "ffo-analysed.sgf").read_text()


def test_zebras_file_of_openings_with_a_count_and_names_is_read(tmp_path):
    text = "3\nC4c3Diagonal Opening\nC4c3D3c5D6f4F5Rose-v-Toth\nC4e3F6e6F5c5C3c6D3d2E2b3C1c2B4a3A5b5A6a4A2F.A.T. Draw\n"
    (tmp_path / "openings.txt").write_text(text)
    found = file_openings(Start("othello"), tmp_path / "openings.txt")
    assert [len(found[index][1]) for index in range(3)] == [2, 7, 21] and not found.problems
    records = list(Collection(text, None, "othello"))
    names = ["Diagonal Opening", "Rose-v-Toth", "F.A.T. Draw"]
    assert [record.tags["Opening"] for record in records] == names
    assert [len(record.line) for record in records] == [2, 7, 21]


def test_circles_and_arrows_of_sgf_are_read_and_written_back():
    """Records hold them as `csl` and `cal`, which the page draws; arrows off the board stay."""
    text = "(;FF[4]GM[4]SZ[15]CR[aa][bo]AR[hh:ii];B[hh]CR[hh]TR[aa];W[ii]AR[zz:aa]CR[aa:cc])"
    record = Collection(text).first()
    assert [*record.said.items()] == [("csl", ["Ga15,Gb1"]), ("cal", ["Gh8i7"])]
    assert record.line[0].said == {"csl": ["Gh8"], "TR": ["aa"]}
    assert record.line[1].said == {"AR": ["zz:aa"], "csl": ["Ga15c13"]}
    written = write_record(record, "sgf")
    for part in ("CR[aa][bo]", "AR[hh:ii]", "CR[hh]", "TR[aa]", "AR[zz:aa]", "CR[aa:cc]"):
        assert part in written, written
    again = Collection(written).first()
    assert [step.said for step in again.line] == [step.said for step in record.line]
    othello = Collection(f"{GGF}CR[aa];B[f5]CR[bb];)").first()
    assert "CR[aa]B[f5]CR[bb]" in write_record(othello, "ggf")
