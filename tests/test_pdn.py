"""PDN: games recognised by type or by squares, results, and exports of other programs."""

import re

import pytest
from tables import rows

from protocol.records import pdn, pgn
from protocol.records.formats import Collection, guess, write_record

LIDRAUGHTS = """[Event "Casual Rapid game"]
[White "Anonymous"]
[Black "lidraughts AI level 3"]
[Result "2-0"]
[GameType "20"]
[TimeControl "600+0"]

1. 31-26 {[%clock w0:10:00 B0:10:00]} 18-22 {[%clock W0:10:00 b0:10:00]} 2. 34-30 20-25 3. 30-24
(3. 40-34 19-23 4. 45-40) 19x30 4. 35x24! {a pity} 2-0
"""


def records(text):
    """Return the records of a text; none may have a problem."""
    found = Collection(text)
    games = list(found)
    assert found.format.name == "pdn" and not found.problems
    return games


@pytest.mark.parametrize(
    "text, game, result, moves",
    [
        (LIDRAUGHTS, "draughts", "1-0", "31-26 18-22 34-30 20-25 30-24 19x30 35x24"),
        ("1. 32-28 19-23 2. 28x19 14x23 1-1", "draughts", "1/2-1/2", "32-28 19-23 28x19 14x23"),
        ("{a game} 1. 32-28 19-23 *", "draughts", "*", "32-28 19-23"),
        # Black begins; PDN states the result for White
        ('[Black "a"]\n[White "b"]\n[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0', "checkers", "0-1",
         "11-15 23-19 8-11 22-17"),
        ('[GameType "25"]\n[Result "0-2"]\n\n1. c3-d4 b6-a5 2. d4-e5 f6:d4 0-2', "russian", "0-1",
         "c3-d4 b6-a5 d4-e5 f6xd4"),
        ('[GameType "26,W,8,8,A0,0"]\n\n1. c3-d4 *', "brazilian", "*", "c3-d4"),
        ('[GameType "40"]\n[FEN "W:W31,K32:B1,K7:H0:F12+0+0"]\n\n1. 31-27 *', "frisian", "*", "31-27"),
        ('[GameType "96"]\n\n1. 32-28 *', "breakthroughdraughts", "*", "32-28"),
        ('[GameType "97"]\n\n1. 46-41 *', "frysk", "*", "46-41"),
        ('[GameType "98"]\n\n1. 32-28 *', "antidraughts", "*", "32-28"),
        ('[Result "1:1"]\n\n1. 32-28 18-23 1:1', "draughts", "1/2-1/2", "32-28 18-23"),
        ("1. c3-d4 b6-c5 2. d4xb6 a7xc5 2-0", "russian", "1-0", "c3-d4 b6-c5 d4xb6 a7xc5"),
        # a position without moves, as in files of endgame problems
        ('[FEN "B:W19,23,22,21,27:B4,3,2,1"] *', "checkers", "*", ""),
    ],
)  # fmt: skip
def test_games_are_read_and_written_again(text, game, result, moves):
    (record,) = records(text)
    start = record.start
    assert (start.game.name, record.result) == (game, result)
    position, texts = start.position(), []
    for move in record.moves:
        texts.append(position.move_text(move))
        position.make(move)
    assert texts == moves.split()
    written = write_record(record, "pdn")
    (again,) = records(written)
    assert (again.moves, again.result, again.players) == (record.moves, result, record.players)
    assert write_record(again, "pdn") == written
    for stated in re.findall(r"\b(?:2-0|1[-:]1|0-2)\b", text)[-1:]:  # the file's result
        assert f'[Result "{stated}"]' in written and written.split()[-1] == stated
        record.result = "*"
        assert write_record(record, "pdn").split()[-1] == "*"


@pytest.mark.parametrize("text, game, moves", rows("pdn.games_are_recognised_by_their_squares"))
def test_games_are_recognised_by_their_squares(text, game, moves):
    (record,) = Collection(text, "pdn")
    assert record.start.game.name == game
    if moves:
        texts = [position.move_text(move) for position, move in record.positions()]
        assert texts == moves.split() and not record.errors


def test_a_capture_may_omit_some_of_its_squares():
    start = '[FEN "W:W20,24,27,37,38,45,46,49:B13,15,16,18,34,36,39,40."]'
    moves = "49-43 39x48 24-19 48x22 19x8 15x24 46-41 36x47 8-2 47x29 2x30x11 16x7 45x1"
    (record,) = records(f'[GameType "20"]\n{start}\n\n{moves} *')
    assert [position.move_text(move) for position, move in record.positions()][10] == "2x30x39x11"


def list_problems(text):
    found = Collection(text)
    list(found)
    return found.problems


def test_comments_variations_and_marks_are_kept():
    (record,) = records(LIDRAUGHTS)
    written = write_record(record, "pdn")
    for word in ("[%clock w0:10:00 B0:10:00]", "(3. 40-34 19-23 4. 45-40)", "$1 {a pity}"):
        assert word in " ".join(written.split())
    assert '[GameType "20,W,10,10,N2,0"]' in written and '[TimeControl "600+0"]' in written


def test_chess_is_not_read_as_pdn_and_unknown_game_types_are_named():
    assert guess("1. e2-e4 e7-e5") is not pdn.FORMAT
    assert guess('[Event "x"]\n\n1. e4 e5') is pgn.FORMAT
    assert guess('[White "a"]\n[Black "b"]\n\n1. 33-28 18-22') is pdn.FORMAT
    assert list_problems('[GameType "22"]\n\n1. 21-18 *') == [
        "game 1, line 1: unsupported type of game: 22"
    ]
    assert list_problems('[GameType "20"]\n\n1. 32-28 19-23 2. 31-26 *')[0].startswith(
        "game 1, line 3: "
    )
