"""The rules of Gomoku and Renju: wins, legal moves, forbidden points, texts of positions and moves."""

import pytest
from conftest import ROOT, play_on
from tables import rows

from games import registry
from games.base import MoveError, PositionError
from games.grid import write_rows

GOMOKU, FREESTYLE, RENJU = (registry.get(name) for name in ("gomoku", "gomokufreestyle", "renju"))


def play(game, moves, size=15):
    return play_on(game.start({"BoardSize": size}), moves)


def with_row(first, second=()):
    """Return a board's text: x on columns `first` of rank 1, o on columns `second` of rank 15."""
    rows = [["."] * 15 for _ in range(15)]
    for column in first:
        rows[14][column] = "X"
    for column in second:
        rows[0][column] = "O"
    return write_rows(["".join(row) for row in rows])


@pytest.mark.parametrize("moves", rows("gomoku.five_in_each_direction_wins"))
@pytest.mark.parametrize("game", [GOMOKU, FREESTYLE, RENJU], ids=lambda game: game.name)
def test_five_in_each_direction_wins(game, moves):
    position = play(game, moves)
    assert position.outcome().winner == 0
    assert position.legal_moves() == []
    assert position.final_value() < 0
    position.undo()
    assert position.outcome() is None


@pytest.mark.parametrize(
    "game, player, wins",
    [
        (GOMOKU, 0, False),
        (GOMOKU, 1, False),
        (FREESTYLE, 0, True),
        (FREESTYLE, 1, True),
        (RENJU, 1, True),
    ],
)
def test_six_in_a_row_wins_in_freestyle_and_for_white_in_renju(game, player, wins):
    own, other = (0, 1, 2, 4, 5), (0, 2, 5, 7, 9)
    first, second = (own, other) if player == 0 else (other + (11,), own)
    rows = with_row(first, second)
    position = game.parse(f"{rows} {'xo'[player]}", {})
    position.make(position.parse_move("d1" if player == 0 else "d15"))
    assert (position.outcome() is not None) == wins


def test_six_in_a_row_are_forbidden_to_black_in_renju():
    position = RENJU.parse(with_row((0, 1, 2, 4, 5), (0, 2, 5, 7, 9)) + " x", {})
    with pytest.raises(MoveError):
        position.parse_move("d1")


def test_exactly_five_beside_a_six_wins():
    """A stone that makes exactly five in one line wins even if it makes six in another."""
    moves = "a1 o1 b1 o3 c1 o5 e1 o7 f1 o9 d2 o11 d3 o13 d4 n2 d5 n4 d1"
    assert play(GOMOKU, moves).outcome().winner == 0


@pytest.mark.parametrize("size", range(5, 21))
def test_boards_of_every_size_are_read_and_written(size):
    position = GOMOKU.start({"BoardSize": size})
    assert len(position.legal_moves()) == size * size
    assert GOMOKU.parse(position.text(), {}).size == size
    corner = position.legal_moves()[-1]
    assert position.parse_move(position.move_text(corner).upper()) == corner


def test_a_full_board_is_a_draw():
    pattern = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOO."]
    position = GOMOKU.parse(write_rows(pattern) + " x", {})
    position.make(position.parse_move("e1"))
    assert position.outcome().winner is None
    assert position.final_value() == 0
    assert position.legal_moves() == []


def test_texts_are_written_and_read():
    position = play(GOMOKU, "h8 H9 a15 o1")
    assert position.text() == "x14/15/15/15/15/15/7o7/7x7/15/15/15/15/15/15/14o x"
    assert position.board()[0] == "." * 14 + "O"
    assert position.placement(position.parse_move("c2")) == (2, 1)
    again = GOMOKU.parse(position.text(), {})
    assert (again.key, again.side, again.text()) == (position.key, position.side, position.text())


def test_a_finished_position_can_be_set_up():
    position = GOMOKU.parse(with_row(range(5), (0, 2, 4, 6)) + " o", {})
    assert position.outcome().winner == 0
    with pytest.raises(MoveError):
        position.parse_move("h8")


@pytest.mark.parametrize("text", rows("gomoku.malformed_positions_are_refused"))
def test_malformed_positions_are_refused(text):
    with pytest.raises(PositionError):
        GOMOKU.parse(text, {})


@pytest.mark.parametrize("text", ["", "h", "8", "h0", "p1", "a16", "h8", "hh", "é1", "a1b", "@@"])
def test_unreadable_and_illegal_moves_are_refused(text):
    with pytest.raises(MoveError):
        play(GOMOKU, "h8").parse_move(text)


# ---- the points that Renju forbids, on positions as the rule books show them ---------------------


def board(picture, side="x"):
    """Return the position that a picture of up to 15 rows shows, in the board's lower left corner.

    If a player has too few stones for `side` to be the next to move, the missing stones are added at
    the top of the board, where they touch nothing.
    """
    rows = [line.split() for line in picture.strip().splitlines()]
    cells = [["."] * 15 for _ in range(15)]
    for row, line in enumerate(reversed(rows)):
        for column, mark in enumerate(line):
            cells[row][column] = mark if mark in "xo" else "."
    missing = sum(row.count("x") - row.count("o") for row in cells) - (side == "o")
    spare = "o" if missing > 0 else "x"
    free = [(14 - row, column) for row in range(3) for column in range((row * 2) % 4, 15, 4)]
    for row, column in free[: abs(missing)]:
        cells[row][column] = spare
    text = write_rows(["".join(row).upper() for row in reversed(cells)])
    return RENJU.parse(f"{text} {side}", {})


def forbidden(position):
    return [word for note in position.notes() for word in note.split()[1:]]


CASES = [
    (*heading.split(" | "), picture)
    for heading, _, picture in (
        case.partition("\n")
        for case in (ROOT / "tests" / "data" / "renju.txt").read_text().split("\n== ")[1:]
    )
]


@pytest.mark.parametrize("name, point, verdict, picture", CASES)
def test_forbidden_points_agree_with_the_rule_book(name, point, verdict, picture):
    position, closed = board(picture), verdict == "forbidden"
    assert (point in forbidden(position)) == closed
    legal = {position.move_text(move) for move in position.legal_moves()}
    assert (point in legal) != closed
    if closed:
        with pytest.raises(MoveError):
            position.parse_move(point)
    else:
        position.make(position.parse_move(point))
