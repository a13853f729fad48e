"""The rules and the texts of Othello and flipello."""

import re

import pytest
from conftest import play_on
from front_end import InProcessEngine
from tables import rows

from games import registry
from games.base import MoveError, PositionError
from search.bench import perft

OTHELLO, FLIPELLO = registry.get("othello"), registry.get("flipello")
START = "---------------------------OX------XO--------------------------- X"
WHITE_MUST_PASS = "XXXXXXXX" * 7 + "XXXXXXO- O"
HAND = "[" + "P" * 60 + "p" * 60 + "]"
FLIPELLO_START = f"8/8/8/3pP3/3Pp3/8/8/8{HAND} w - - 0 1"
# The evaluation is a win by 67 to 70 discs, more than the board has.
OVERWHELMING = "----------O--------OO------OO----OOXXO--XXOXOOO-X-OOOOO-X----X--"
LEAVES = [4, 12, 56, 244, 1396, 8200, 55092]


def othello(text):
    return OTHELLO.parse(text, {})


def test_the_start_is_written_in_each_form():
    assert OTHELLO.start({}).text() == START
    assert FLIPELLO.start({}).text() == FLIPELLO_START


@pytest.mark.parametrize("game, moves", [(OTHELLO, "c4 d3 e6 f5"), (FLIPELLO, "c5 d6 e3 f4")])
def test_the_first_player_has_four_moves(game, moves):
    position = game.start({})
    assert " ".join(sorted(map(position.move_text, position.legal_moves()))) == moves


def test_leaf_counts_are_right():
    for game in (OTHELLO, FLIPELLO):
        assert [perft(game.start({}), depth) for depth in range(1, 8)] == LEAVES


def test_perft_counts_a_pass_as_a_ply():
    position = othello(WHITE_MUST_PASS)
    assert [position.move_text(move) for move in position.legal_moves()] == ["pass"]
    assert [perft(position, depth) for depth in (1, 2, 3)] == [1, 1, 0]


@pytest.mark.parametrize("text", rows("othello.incomplete_positions_are_read"))
def test_incomplete_positions_are_read(text):
    assert othello(text).text() == START
    assert FLIPELLO.parse(text, {}).text() == FLIPELLO_START


@pytest.mark.parametrize("text", rows("othello.malformed_positions_are_refused"))
def test_malformed_positions_are_refused(text):
    for game in (OTHELLO, FLIPELLO):
        with pytest.raises(PositionError):
            game.parse(text, {})


def test_every_form_of_a_move_is_read():
    position = OTHELLO.start({})
    for text in ("d3", "D3", " d3 ", "P@d3", "p@D3"):
        assert position.move_text(position.parse_move(text)) == "d3"
    for text in ("d4", "a1", "z9", "", "pass", "0000", "d33", "d3d3", "P@", "é3"):
        with pytest.raises(MoveError):
            position.parse_move(text)


@pytest.mark.parametrize("text", ["pass", "PASS", "0000", "@@@@", "pa", "PA", "ps", "--", "a1a1"])
def test_every_form_of_a_pass_is_read(text):
    position = othello(WHITE_MUST_PASS)
    assert position.legal_moves() == [OTHELLO.pass_move]
    position.make(position.parse_move(text))
    assert position.side == 0 and position.move_text(position.legal_moves()[0]) == "h8"
    assert position.placement(OTHELLO.pass_move) is None


def test_transcripts_are_split_into_moves():
    assert OTHELLO.split_moves("f5d6c3") == ["f5", "d6", "c3"]
    assert OTHELLO.split_moves("F5D6paC3passd3--") == ["f5", "d6", "pa", "c3", "pass", "d3", "--"]
    for word in ("f5", "pass", "0000", "@@@@", "a1a1", "P@d3", "f5z9", "f5d", ""):
        assert OTHELLO.split_moves(word) == [word]


def test_flipello_mirrors_the_ranks():
    left, right = play_on(OTHELLO.start({}), "f5 d6 c3"), play_on(FLIPELLO.start({}), "f4 d3 c6")
    assert left.board() == right.board()[::-1]
    assert right.text().replace("P" * 58 + "p" * 59, "") == "8/8/2P5/3PP3/3pPP2/3p4/8/8[] b - - 0 2"


def test_wipe_out_counts_the_empty_squares():
    position = play_on(OTHELLO.start({}), "f5 f6 e6 f4 e3 c5 c4 e7 c6 e2")
    assert position.outcome() is None
    position = play_on(OTHELLO.start({}), "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert position.legal_moves() == []
    outcome = position.outcome()
    assert (outcome.winner, outcome.margin, outcome.reason) == (0, 64, "Black wins by 64")
    assert position.final_value() == -6400


def test_double_pass_ends_the_game():
    position = othello("XXXXXXXX" * 4 + "--------" * 3 + "------OO X")
    assert position.legal_moves() == []
    assert position.outcome().margin == 32 - 2 + 30
    assert any("empty squares count for the winner" in note for note in position.notes())


def test_the_discs_of_a_full_board_are_counted():
    drawn = othello("XXXXXXXX" * 4 + "OOOOOOOO" * 4 + " X").outcome()
    assert (drawn.winner, drawn.margin) == (None, 0)
    assert othello("XXXXXXXX" * 3 + "OOOOOOOO" * 5 + " X").outcome().margin == -16


@pytest.mark.parametrize(
    "protocol, lines, pattern, unit", rows("othello.an_estimate_beyond_64_discs_is_reported_as_64")
)
def test_an_estimate_beyond_64_discs_is_reported_as_64(protocol, lines, pattern, unit):
    for cells, most in (
        (OVERWHELMING, 6400),
        (OVERWHELMING.translate(str.maketrans("XO", "OX")), -6400),
    ):
        engine = InProcessEngine(protocol, "othello")
        engine.send(*[line.format(cells=cells, ggf=cells.replace("X", "*")) for line in lines])
        assert engine.session.wait(60)
        scores = [round(float(score) * unit) for score in re.findall(pattern, engine.output, re.M)]
        assert most in scores and max(map(abs, scores)) == 6400
