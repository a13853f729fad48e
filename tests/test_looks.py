"""The looks that games and plugins declare, and their use by pages, pictures and terminals."""

import random
from xml.etree import ElementTree

import pytest
from conftest import load_game

from games import looks, registry
from games.base import PositionError
from protocol.records.record import Start
from scripts.drawing.board import BoardPicture
from scripts.pages.view import GameLine, game_facts, view
from scripts.terminal.board import palette_of


def game_positions(name, plies=40):
    """Yield (position, move) of a random game."""
    draw, position = random.Random(name), Start(name).position()
    for _ in range(plies):
        moves = sorted(position.legal_moves())
        if not moves:
            return
        move = draw.choice(moves)
        yield position, move
        position.make(move)


@pytest.mark.parametrize(
    "name", [name for name in registry.built_in() if Start(name).position().board()]
)
def test_arranged_board_reads_back_the_same(name):
    for position, move in game_positions(name, 12):
        text = position.game.arrange(position.board(), position.side)
        assert Start(name, text).position().board() == position.board() and move >= 0


def test_impossible_boards_are_refused_with_a_message():
    with pytest.raises(PositionError, match="each side must have one king"):
        Start("chess", registry.get("chess").arrange(["." * 8] * 8, 0)).position()


class Discs(type(registry.get("tictactoe"))):
    """Tic-tac-toe with the looks of Othello, as a plugin might declare them."""

    title = "Three discs"
    looks = looks.Looks(looks.DISCS, looks.CLOTH)


def test_looks_of_a_game_apply_to_page_picture_and_terminal():
    start = Start(Discs(), "xo1/3/3 x")
    facts = game_facts(start.game)
    assert facts["title"] == "Three discs" and facts["looks"]["pieces"] == "discs"
    assert view(GameLine(start))["rows"]
    drawn = ElementTree.fromstring(BoardPicture(start.game).draw(start.position().board()))
    assert len(list(drawn.iter("circle"))) == 2
    assert palette_of(start.game) is palette_of(registry.get("othello"))


def test_the_way_to_enter_a_move_may_change_during_a_game():
    load_game("morris")
    line = GameLine(Start("morris"))
    entries = []
    for word in ("b2", "a1", "a3", "c1", "b1", "b3", "a3a2"):
        entries.append(view(line)["entry"])
        line.play(line.position.parse_move(word))
    drawn = ElementTree.fromstring(BoardPicture(line.start.game).draw(line.position.board()))
    assert max(path.get("d", "").count("M") for path in drawn.iter("path")) == 16, (
        "the game's own lines are drawn"
    )
    assert entries == ["place"] * 6 + ["move"] and view(line)["moves"][0]["from"]
    assert view(GameLine(Start("connect4")))["entry"] == "drop"


def test_levels_have_ratings_in_chess_alone():
    facts = [game_facts(registry.get(name)) for name in registry.built_in()]
    assert [each["name"] for each in facts if each["ratings"]] == ["chess"]


def test_every_game_has_a_title():
    titles = [looks.title_of(registry.get(name)) for name in registry.built_in()]
    assert "Connect Four" in titles
    assert "Gomoku, freestyle" in titles
    assert len(set(titles)) == len(titles)


def test_only_the_cells_of_a_hexagonal_board_are_drawn():
    load_game("yavalath")
    position = Start("yavalath").position()
    position.make(position.parse_move("e5"))
    drawn = ElementTree.fromstring(BoardPicture(position.game).draw(position.board()))
    assert len(list(drawn.iter("path"))) == 61
    assert [circle.get("fill") for circle in drawn.iter("circle")] == ["#d3382f"]


def test_a_position_with_board_and_picture_is_played_on_its_board(monkeypatch):
    start = Start("tictactoe")
    monkeypatch.setattr(type(start.position()), "picture", lambda position: ["its own picture"])
    seen = view(GameLine(start))
    assert len(seen["rows"]) == 3 and seen["moves"][0]["to"] and seen["picture"] is None
