"""Names of openings: they depend on the position, not on the order of the moves or on mirroring."""

import subprocess
import sys

import pytest
from conftest import ROOT
from samples import read_records
from tables import rows

from games import registry
from games.openings import opening_of, opening_text
from protocol.moves import read_any_move
from protocol.records.formats import write_record
from protocol.records.record import Start
from scripts.pages.records import add_opening
from scripts.pages.view import GameLine, view


def named(game, moves, options=None):
    """Return the name of the opening to which `moves` lead."""
    position, found = registry.get(game).start(options or {}), []
    for text in moves.split():
        found.append(read_any_move(position, text))
        position.make(found[-1])
    before = registry.get(game).start(options or {})
    text = before.text()
    name = opening_text(before, found)
    assert before.text() == text
    return name


@pytest.mark.parametrize("game, moves, name", rows("openings.opening_is_named_by_position"))
def test_opening_is_named_by_position(game, moves, name):
    assert named(game, moves) == name


@pytest.mark.parametrize(
    "fen, move, name", rows("openings.a_game_from_another_start_is_named_by_its_positions")
)
def test_a_game_from_another_start_is_named_by_its_positions(fen, move, name):
    position = registry.get("chess").parse(fen, {})
    moves = [read_any_move(position, text) for text in move.split()]
    assert opening_text(position, moves) == name


def test_chess960_opening_has_a_name_only_from_the_usual_start():
    chess = registry.get("chess")
    position = chess.parse(
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", {"UCI_Chess960": True}
    )
    assert opening_of(position, [position.parse_move("e2e4")]) is None


@pytest.mark.parametrize(
    "tags, written",
    [
        ({}, {"ECO": "C41", "Opening": "Philidor Defense"}),
        ({"Opening": "Mine"}, {"Opening": "Mine"}),
    ],
)
def test_opening_tags_are_added_to_pgn_unless_present(tags, written):
    _, (record,) = read_records("1. e4 e5 2. Nf3 d6 *", "pgn")
    record.tags.update(tags)
    add_opening(record)
    _, (again,) = read_records(write_record(record, "pgn"), "pgn")
    assert {name: again.tags[name] for name in ("ECO", "Opening") if name in again.tags} == written


def test_page_shows_the_opening():
    for game, text, name in (("chess", "e2e4", "B00 King's Pawn Game"), ("connect4", "4", "")):
        start = Start(game)
        move = start.position().parse_move(text)
        assert view(GameLine(start, [move]))["opening"] == name


def test_engine_does_not_load_the_names_of_openings():
    code = "import engine, sys; print('games.openings' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert found.stdout == "False\n", found.stderr
