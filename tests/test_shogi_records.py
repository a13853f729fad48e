"""KIF, KI2 and CSA: games of shogi as Japanese programs write them."""

import re

import pytest

from games import registry
from protocol.records.formats import FORMATS, Collection, write_record
from protocol.records.lists import Openings
from protocol.records.record import Evaluation, Record, Start
from scripts.report.verdicts import Note, annotate

KIF = """#KIF version=2.0 encoding=UTF-8
開始日時：2020/01/02 10:00:00
棋戦：a match
手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
*before
   1 ７六歩(77)   ( 0:16/00:00:16)
   2 ３四歩(33)   ( 1:05/00:01:05)
*two
   3 ２二角成(88)+
   4 同　銀(31)
   5 ４五角打
   6 投了
まで5手で先手の勝ち

変化：4手
   4 同　飛(82)

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)

変化：3手
   3 ７八金(69)
"""
CSA = """'a comment
V2.2
N+甲
N-乙
$EVENT:a match
$TIME_LIMIT:00:25+00
PI
+
+7776FU
T16
-3334FU,T65
'*two
+8822UM,T1234567
-3122GI
+0045KA
%TORYO
"""
KI2 = """先手：甲
後手：乙

▲７六歩　△３四歩 ▲２二角成 △同銀
▲４五角
まで5手で先手の勝ち
"""
MOVES = "7g7f 3c3d 8h2b+ 3a2b B*4e".split()


def texts(record):
    position, found = record.start.position(), []
    for move in record.moves:
        found.append(position.move_text(move))
        position.make(move)
    return found


def read(text, kind=None, game=None):
    found = Collection(text, kind, game)
    (record,) = list(found)
    return found, record


@pytest.mark.parametrize("text, kind", [(KIF, "kif"), (CSA, "csa"), (KI2, "kif")])
def test_a_game_is_read_and_written_again(text, kind):
    found, record = read(text)
    assert (found.format.name, found.problems, texts(record)) == (kind, [], MOVES)
    assert (record.players, record.result) == (("甲", "乙"), "1-0")
    if text is not KI2:
        assert record.tags["Event"] == "a match" and record.line[1].seconds("emt") == 65
        assert record.line[1].comment == "two"
    if kind == "csa":
        assert "$TIME_LIMIT:00:25+00" in write_record(record, kind)
    for form in ("kif", "csa", "json"):
        written = write_record(record, form)
        again = read(written)[1]
        assert (again.moves, again.result, again.players) == (record.moves, "1-0", record.players)
        assert write_record(again, form) == written


@pytest.mark.parametrize("kind", ["kif", "csa"])
def test_a_line_break_in_a_text_does_not_begin_a_move(kind):
    names = ("a\n   1 ７六歩(77)", "b\n%TORYO")
    record = Record(Start("shogi"), (), names, tags={"Event": "x\n+7776FU"})
    record.comment = "one\ntwo\n%TORYO"
    (again,) = games = Collection(write_record(record, kind), kind)
    assert not games.problems and not again.line and again.result == "*"
    assert again.players == ("a 1 ７六歩(77)", "b %TORYO") and again.comment == record.comment


@pytest.mark.parametrize(
    "name", ["手合割", "先手", "後手の持駒", "*x", "▲７六歩", "1 ７六歩(77)", "まで1手で先手の勝ち"]
)
def test_a_tag_that_kif_reads_as_something_else_is_not_written(name):
    record = Record(Start("shogi"), (), ("a", "b"), tags={name: "歩", "Event": "x"})
    (again,) = games = Collection(write_record(record, "kif"), "kif")
    assert not games.problems and again.start == record.start and again.players == ("a", "b")
    assert (list(again.line), again.result, again.comment) == ([], "*", "")
    assert again.tags["Event"] == "x"


def test_variations_and_comments_of_kif_are_kept():
    record = read(KIF)[1]
    assert record.comment == "before"
    assert len(record.line[1].variations) == len(record.line[3].variations) == 1
    assert len(record.line[1].variations[0][1].variations) == 1
    again = read(write_record(record, "kif"))[1]
    assert write_record(again, "kif") == write_record(record, "kif")
    assert len(again.line[1].variations[0][1].variations) == 1


def test_evaluations_are_written_as_data_or_as_comments():
    lost = []
    for form in (each for each in FORMATS if each.writable):
        start = next(Start(name) for name in registry.built_in() if form.holds(Start(name)))
        record = Record(start, start.position().legal_moves()[:1])
        annotate(record, [Note(Evaluation(32))], "x", in_words=not form.evaluations)
        (again,) = Collection(write_record(record, form.name), form.name)
        step = again.line[0]
        if not (step.evaluation if form.evaluations else step.comment):
            lost.append(form.name)
    assert lost == []


def test_kif_sums_up_the_time_of_each_side():
    taken = (
        KIF.replace("(88)+", "(88)+ ( 0:50/)")
        .replace("(82)", "(82) (61:01/)")
        .replace("(27)", "(27) (0:05/)")
    )
    lines = write_record(read(taken)[1], "kif").splitlines()
    times = [
        line.split("(")[-1][:-1].strip() for line in lines if line.endswith(")") and "/" in line
    ]
    sums = "0:16/00:00:16 1:05/00:01:05 0:50/00:01:06 61:01/01:02:06 0:05/00:00:21"
    assert times == sums.split()


def test_shift_jis_handicaps_boards_and_hands_are_read():
    found = Collection(KIF.encode("cp932"), "kif")
    assert texts(list(found)[0]) == MOVES
    record = read(KIF.replace("平手", "二枚落ち").split("   1 ")[0] + "   1 ６二銀(71)\n")[1]
    assert texts(record) == ["7a6b"] and record.start.text.startswith("lnsgkgsnl/9/")
    written = write_record(record, "kif")
    assert read(written)[1].start == record.start and "▲" not in written
    problem = (
        "後手の持駒：歩十二　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        + "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n"
        + "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n" * 5
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金　\n"
        + "手数----指手---------消費時間--\n   1 ５二金打\n   2 詰み\n"
    )
    record = read(problem, "kif")[1]
    assert record.start.text == "4k4/9/4P4/9/9/9/9/9/4K4 b G12p 1" and record.result == "1-0"
    assert read(problem.replace("の持駒", "持駒"), "kif")[1].start == record.start
    for form in ("kif", "csa"):
        assert read(write_record(record, form), form)[1].start == record.start
    small = Start("minishogi", "rbsgk/4p/5/P4/KGSB1 w r 1")
    with_hands = write_record(Record(small, small.position().legal_moves()[:1]), "kif")
    assert "  ５ ４ ３ ２ １\n+---------------+\n|v飛v角v銀v金v玉|一\n" in with_hands
    again = read(with_hands, "kif")[1]
    assert again.start.position().text() == small.position().text() and len(again.line) == 1


@pytest.mark.parametrize("text, kind, moves, problem", [
    (KIF.split("   4 ")[0] + "   4 同　", "kif", 3, 'game 1, line 13: move 4'),
    (KIF.replace("７六歩(77)", "７六歩(66)"), "kif", 0, "is not a legal move here"),
    (CSA.replace("+8822UM", "+8822XX"), "csa", 2, '"+8822XX" is not a move'),
    (CSA.replace("PI\n", "P1-FU\nP2-XX\n"), "csa", None, "start position"),
    (CSA.replace("PI\n", "P1-KY?KE\n"), "csa", None, "is not a row of a board"),
    (CSA.replace("PI\n", "P+AAFU\n"), "csa", None, '"AAFU" is not a piece on a square'),
])  # fmt: skip
def test_the_moves_before_a_fault_are_kept(text, kind, moves, problem):
    found = Collection(text, kind)
    records = list(found)
    assert [len(record.line) for record in records] == (
        [] if moves is None else [moves] * bool(moves)
    )
    assert moves is None or problem.split(": ")[-1] in found.problems[0] or "4" in found.problems[0]
    assert found.problems


@pytest.mark.parametrize("text, result, end, moves", [
    # 81Dojo and ShogiGUI write the move that breaks the rules, then the winner.
    (KIF.replace("2 ３四歩(33)", "2 ３五歩(33)").replace("6 投了", "3 反則勝ち"), "1-0", "rules infraction", 1),
    (CSA.replace("-3334FU", "-3335FU").replace("TORYO", "ILLEGAL_MOVE"), "1-0", "rules infraction", 1),
    (KIF.replace("5 ４五角打", "5 ４五銀打").replace("6 投了", "6 反則勝ち"), "0-1", "rules infraction", 4),
    # move 2 is missing: the number 6 of the last line shows that White was to move
    (re.sub("   2 ３四歩.*\n", "", KIF).replace("6 投了", "6 反則負け"), "1-0", "rules infraction", 1),
])  # fmt: skip
def test_the_end_and_the_variations_after_a_fault_are_kept(text, result, end, moves):
    found, record = read(text)
    assert len(found.problems) == 1 and len(record.line) == moves
    assert (record.result, record.tags["Termination"]) == (result, end)
    assert [len(step.variations) for step in record.line[1:4]] == ([1, 0, 1] if moves == 4 else [])
    assert moves > 1 or record.line[0].seconds("emt") == 16  # the first move's time


def test_a_fault_in_a_variation_of_kif_ends_only_that_variation():
    found, record = read(KIF.replace("4 同　飛(82)", "4 同　飛(92)"))
    assert len(found.problems) == 1 and texts(record) == MOVES and record.result == "1-0"
    assert not record.line[3].variations and len(record.line[1].variations[0]) == 2


def test_kif_variations_come_in_any_order_and_may_replace_the_resignation():
    head = KIF.split("変化")[0]
    found, record = read(
        head + "変化：1手\n 1 ２六歩(27)\n\n変化：3手\n 3 ２六歩(27)\n 4 ８四歩(83)\n\n"
        "変化：6手\n 6 ８四歩(83)\n 7 ３四角(45)\n\n変化：9手\n 9 ７八金(69)\n"
    )
    assert texts(record) == MOVES and record.result == "1-0"
    assert [len(each.variations) for each in record.line] == [1, 0, 1, 0, 1]
    # A variation that replaces the resignation begins with the game's last move.
    assert [step.move for step in record.line[4].variations[0]][:1] == record.moves[-1:]
    assert len(record.line[4].variations[0]) == 3
    assert "there is no move 9" in found.problems[0]


def test_a_comment_in_the_header_of_csa_is_kept():
    assert read(CSA.replace("PI\n", "'*first\nPI\n"))[1].comment == "first"


def test_rows_of_csa_may_end_with_dots_and_games_go_on_after_a_fourth_occurrence():
    board = write_record(Record(Start("shogi", "4k4/9/9/9/9/9/9/9/4K2R1 b - 1")), "csa")
    dotted = "\n".join(re.sub(r"^(P[2-8].*) $", r"\1.", line) for line in board.split("\n"))
    assert ".\n" in dotted and read(dotted)[1].start == read(board)[1].start
    moves = "2h3h 8b7b 3h2h 7b8b " * 4
    found, record = read(f"startpos moves {moves}\n", None, "shogi")
    assert len(record.line) == 16 and not found.problems


HANDICAP = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize("words", ["", "sfen ", "position sfen "])
@pytest.mark.parametrize("moves", ["", " moves 3c3d 7g7f"])
def test_positions_are_read_as_usi_writes_them(words, moves):
    collection = Collection(f"{words}{HANDICAP}{moves}\n" * 2, game_name="shogi")
    games = [(record.start.text, len(record.moves)) for record in collection]
    assert games == [(HANDICAP, len(moves.split()[1:]))] * 2 and not collection.problems
    opening = Openings(Start("shogi")).read(f"{words}{HANDICAP}{moves}")
    assert (opening.start.text, len(opening.moves)) == games[0]


def test_a_list_begins_a_new_game_when_its_moves_cannot_continue_the_last_one():
    # 6i7h could continue the first game, but the next move can't
    found = Collection("7g7f 3c3d 2g2f 8c8d\n6i7h 3c3d 7g7f\n7g7f 8c8d\n", None, "shogi")
    assert [len(record.line) for record in found] == [4, 3, 2] and not found.problems


# Each way to end a game: its words in KIF and CSA, and the result after Black's third move.
ENDS = """投了 TORYO 1-0, 切れ負け TIME_UP 1-0, 反則負け ILLEGAL_MOVE 1-0, 詰み TSUMI 1-0,
反則勝ち +ILLEGAL_ACTION 0-1, 入玉勝ち KACHI 0-1, 千日手 SENNICHITE 1/2-1/2, 持将棋 JISHOGI 1/2-1/2,
中断 CHUDAN *, 不詰 FUZUMI *"""


@pytest.mark.parametrize("kif, csa, result", [row.split() for row in ENDS.split(",")])
def test_ends_of_games_are_written_as_they_were_read(kif, csa, result):
    game = read(KIF.split("まで")[0].replace("投了", kif), "kif")[1]
    same = read(CSA.replace("TORYO", csa))[1]
    assert game.tags.get("Termination") == same.tags.get("Termination")
    for record in (game, same):
        assert record.result == result
        record.line[3].variations.clear()
        for form, word in (("kif", kif), ("csa", f"%{csa}")):
            written = write_record(record, form)
            assert written.split("\n\n変化")[0].split()[-1] == word and "Termination" not in written
            again = read(write_record(read(written)[1], "json"))[1]
            assert write_record(again, form) == written


@pytest.mark.parametrize("text, kind, result, end", [
    (KIF.replace("   6 投了\nまで5手で", "まで5手で時間切れにより"), "kif", "1-0", "time forfeit"),
    (KI2.replace("先手の勝ち", "後手の反則負け"), "kif", "1-0", "rules infraction"),
    (KI2.replace("先手の勝ち", "千日手"), "kif", "1/2-1/2", "repetition"),
    (CSA.replace("TORYO", "-ILLEGAL_ACTION"), "csa", "1-0", "rules infraction"),
    (CSA.replace("TORYO", "HIKIWAKE"), "csa", "1/2-1/2", "agreement"),
    (CSA.replace("TORYO", "MATTA"), "csa", "*", "retraction"),
    (KIF.replace("   6 投了\nまで5手で先手の勝ち", " 6  Time-up   ( 0:0/)"), "kif", "1-0", "time forfeit"),
])  # fmt: skip
def test_synonyms_for_the_ends_of_games_are_read(text, kind, result, end):
    record = read(text, kind)[1]
    assert (record.result, record.tags["Termination"]) == (result, end)


@pytest.mark.parametrize("end, result, kif", [
    ("time forfeit", "1-0", "切れ負け"), ("rules infraction", "1-0", "反則負け"),
    ("abandoned", "1-0", "投了"), ("adjudication", "1/2-1/2", "持将棋"), ("normal", "0-1", "反則勝ち"),
])  # fmt: skip
def test_the_ends_of_tournament_games_are_written(end, result, kif):
    moves = read(CSA)[1].moves
    written = write_record(
        Record(Start("shogi"), moves, result=result, tags={"Termination": end}), "kif"
    )
    assert written.split()[-1] == kif


@pytest.mark.parametrize(
    "shuffles, kif, csa", [(3, "千日手", "%SENNICHITE"), (1, "持将棋", "%JISHOGI")]
)
def test_a_draw_is_called_a_repetition_only_if_it_is_one(shuffles, kif, csa):
    start = Start("shogi")
    position, found = start.position(), []
    for word in "2h3h 8b7b 3h2h 7b8b".split() * shuffles:
        found.append(position.parse_move(word))
        position.make(found[-1])
    record = Record(start, found, result="1/2-1/2")
    assert write_record(record, "kif").splitlines()[-1].split()[-1] == kif
    assert write_record(record, "csa").splitlines()[-1] == csa
