"""How games look: said once, in the game, and read there by pages, pictures and terminals; plugins too."""

import random
from xml.etree import ElementTree

import pytest
from conftest import ROOT

from games import looks, registry
from games.base import PositionError
from protocol.records.record import Start
from scripts.drawing.board import Board
from scripts.pages.fields import Line
from scripts.pages.view import game_facts, view
from scripts.terminal.board import look_of

if "othello6" not in registry.names():
    registry.load_plugin(str(ROOT / "tests" / "plugins" / "othello6.py"))


def game_positions(name, plies=40):
    """(position, move) of a random game."""
    draw, position = random.Random(name), Start(name).position()
    for _ in range(plies):
        moves = sorted(position.legal_moves())
        if not moves:
            return
        move = draw.choice(moves)
        yield position, move
        position.make(move)


@pytest.mark.parametrize(
    "name", [name for name in registry.names() if Start(name).position().board()]
)
def test_the_cells_of_a_move_are_the_ones_that_it_changes(name):
    for position, move in game_positions(name):
        cells = position.touched(move)
        before = position.board()
        position.make(move)
        after = position.board()
        position.undo()
        changed = {
            (column, row)
            for row, line in enumerate(before)
            for column, cell in enumerate(line)
            if after[row][column] != cell
        }
        assert cells if changed else not cells
        if position.game.looks.entry == looks.MOVE:
            assert len(cells) == 2 and set(cells) <= changed
        else:
            assert set(cells) <= changed and len(cells) <= 1


@pytest.mark.parametrize(
    "name", [name for name in registry.built_in() if Start(name).position().board()]
)
def test_an_arranged_board_is_read_as_it_stands(name):
    for position, move in game_positions(name, 12):
        text = position.game.arrange(position.board(), position.side)
        assert Start(name, text).position().board() == position.board() and move >= 0


def test_what_can_not_stand_is_refused_in_words():
    with pytest.raises(PositionError, match="each side has one king"):
        Start("chess", registry.get("chess").arrange(["." * 8] * 8, 0)).position()


def test_a_plugin_has_discs_everywhere():
    start = Start("othello6")
    facts = game_facts(start.game)
    assert facts["title"] == "Othello, six by six" and facts["looks"]["pieces"] == "discs"
    assert view(Line(start))["count"] == [2, 2]
    drawn = ElementTree.fromstring(Board(start.game).draw(start.position().board()))
    assert len(list(drawn.iter("circle"))) == 4
    assert look_of(start.game) is look_of(registry.get("othello"))


def test_every_game_has_a_name_for_people():
    titles = [looks.title_of(registry.get(name)) for name in registry.built_in()]
    assert (
        "Connect Four" in titles
        and "Gomoku, freestyle" in titles
        and len(set(titles)) == len(titles)
    )
