"""What the page's commands accept, and what they return about positions, without a server."""

import pytest

from games import registry
from protocol.records.record import Evaluation, RecordError, Start
from scripts.browser.interface import _limits
from scripts.pages import fields
from scripts.pages.fields import Wrong
from scripts.pages.notes import plain_note
from scripts.pages.view import GameLine, view


@pytest.mark.parametrize(
    "read, arguments, value",
    [
        (fields.text, ({"a": "x"}, "a"), "x"),
        (fields.text, ({}, "a", "y"), "y"),
        (fields.text, ({"a": "x" * 5}, "a", None, 5), "x" * 5),
        (fields.number, ({"a": 2}, "a", 2, 3), 2),
        (fields.number, ({"a": 3}, "a", 2, 3), 3),
        (fields.number, ({}, "a", 2, 3), None),
        (fields.count, ({"a": 2.0}, "a", 1, 3), 2),
        (fields.count, ({}, "a", 1, 3), None),
    ],
)
def test_fields_are_read_within_their_bounds(read, arguments, value):
    assert read(*arguments) == value


@pytest.mark.parametrize(
    "read, arguments",
    [
        (fields.text, ({}, "a")),
        (fields.text, ({"a": 5}, "a")),
        (fields.text, ({"a": None}, "a")),
        (fields.text, ({"a": "x" * 6}, "a", None, 5)),
        (fields.number, ({"a": True}, "a", 0, 3)),
        (fields.number, ({"a": "2"}, "a", 0, 3)),
        (fields.number, ({"a": float("nan")}, "a", 0, 3)),
        (fields.number, ({"a": 1.9}, "a", 2, 3)),
        (fields.number, ({"a": 3.1}, "a", 2, 3)),
        (fields.count, ({"a": 2.5}, "a", 1, 3)),
        (fields.record, ({"game": "nosuch"},)),
        (fields.record, ({"game": "chess", "options": [1]},)),
        (fields.record, ({"game": "chess", "options": {"BoardSize": 9}},)),
        (fields.record, ({"game": "chess", "start": "8/8 w"},)),
        (_limits, ({"first": -1},)),
        (_limits, ({"movetime": 0},)),
    ],
)
def test_an_invalid_field_is_refused(read, arguments):
    with pytest.raises((Wrong, RecordError)):
        read(*arguments)


def test_the_limits_of_a_search_are_parsed():
    limits = _limits({"first": 60, "second": 30, "increment": 2})
    assert (limits.clocks, limits.increments, limits.infinite) == ((60, 30), (2, 2), False)
    assert _limits({}).infinite and not _limits({"depth": 3}).infinite


def test_turns_are_numbered_and_openings_named():
    line = GameLine(Start("chess"))
    assert (line.number, line.last) == (1, [])
    for text in ("e2e4", "c7c5", "g1f3"):
        line.play(line.position.parse_move(text))
    assert line.turns == [(1, 0), (1, 1), (2, 0)] and line.number == 2
    assert sorted(line.last) == [(5, 2), (6, 0)] and "Sicilian" in " ".join(line.openings[-1])
    line.undo()
    assert line.turns == [(1, 0), (1, 1)] and line.number == 2 and len(line.openings) == 3


def test_taken_pieces_stand_beside_their_capturer():
    line = GameLine(Start("chess"))
    for text in ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5g2", "f1g2"):
        line.play(line.position.parse_move(text))
    assert line.taken == [["p", "q"], ["P", "P"]]
    line = GameLine(Start("chess", "1n2k3/P7/8/8/8/8/7P/4K3 w - - 0 1"))
    line.play(line.position.parse_move("a7b8q"))  # a promoted pawn was not taken
    assert line.taken == [["n"], []]


@pytest.mark.parametrize(
    "note, side, share",
    [
        (Evaluation(mate=3), "w", 1.0),
        (Evaluation(mate=-3), "w", 0.0),
        (Evaluation(mate=0), "b", 1.0),
        (Evaluation(mate=0), "w", 0.0),
        (Evaluation(0), "w", 0.5),
    ],
)
def test_an_evaluation_becomes_the_first_players_expected_score(note, side, share):
    position = registry.get("chess").parse(f"4k3/8/8/8/8/8/8/4K2R {side} - - 0 1", {})
    told = plain_note(note, position)
    assert told["share"] == pytest.approx(share) and told["eval"] == note.text()


def test_a_finished_game_has_a_result_and_no_moves():
    line = GameLine(Start("tictactoe"))
    for text in ("a1", "b1", "a2", "b2", "a3"):
        assert view(line)["result"] == "*" and view(line)["moves"]
        line.play(line.position.parse_move(text))
    seen = view(line)
    assert (seen["result"], seen["moves"], seen["side"]) == ("1-0", [], 1)
    assert sorted(seen["line"]) == [(0, 0), (0, 1), (0, 2)] and seen["reason"]
    assert view(GameLine(Start("tictactoe")), readonly=True)["moves"] == []
