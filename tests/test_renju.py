"""Renju: the points forbidden to Black, on positions as the rule books show them."""

import pytest

from games import registry
from games.base import MoveError
from games.grid import write_rows

RENJU = registry.get("renju")


def board(picture, side="x"):
    """Return the position of a picture of up to 15 rows, placed in the lower left corner.

    White's stones are filled up far away, where they touch nothing, until the counts agree.
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


CASES = {
    "double three": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . x . . .
        . . . . x . . .
        . . x x . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .""",
        "e4",
        True,
    ),
    "double three with gaps": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . x . . .
        . . . . . . . . .
        . . . . . x . . .
        . . x x . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
        "f4",
        True,
    ),
    "double three with room for one straight four up to the rim": (
        """
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . x . . .
        . . . . . . . . . . . x . . .
        . . . . . . . . o . x . x . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .""",
        "l4",
        True,
    ),
    "double three with room for one straight four from the rim": (
        """
        . . . . . . . . .
        . . . x . . . . .
        . . . x . . . . .
        . . x . x . o . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
        "d4",
        True,
    ),
    "one of the threes is closed": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . x . . .
        . . . . x . . .
        . o x x . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .""",
        "e4",
        False,
    ),
    "four and three": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . x . . .
        . . . . x . . .
        . x x x . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .""",
        "e4",
        False,
    ),
    "double four": (
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        o x x x . . . .
        . . . . x . . .
        . . . . x . . .
        . . . . x . . .""",
        "e4",
        True,
    ),
    "two fours in one row": (
        """
        . . . . . . . . . .
        . x . x . x . x . .
        . . . . . . . . . .""",
        "e2",
        True,
    ),
    "two fours in one row that share two stones": (
        """
        . . . . . . . . . .
        . x x x . . x x x .
        . . . . . . . . . .""",
        "e2",
        False,
    ),
    "two fours in one row around a pair": (
        """
        . . . . . . . . . .
        . x . x x . . x . .
        . . . . . . . . . .""",
        "f2",
        True,
    ),
    "a straight four is one four": (
        """
        . . . . . . . . . .
        . . x x . x . . . .
        . . . . . . . . . .""",
        "e2",
        False,
    ),
    "overline": (
        """
        . . . . . . . . . .
        . x x x . x x . . .
        . . . . . . . . . .""",
        "e2",
        True,
    ),
    "five beats double four": (
        """
        . . . . x . . . . .
        . . . . x . . . . .
        . . . . x . . . . .
        x x x x . . . . . .
        . . . x . . . . . .
        . . x . . . . . . .
        . x . . . . . . . .""",
        "e4",
        False,
    ),
    "five beats overline": (
        """
        . . . . x . . . . .
        . . . . x . . . . .
        . . . . x . . . . .
        x x x x . . . . . .
        . . . . x . . . . .
        . . . . x . . . . .
        . . . . . . . . . .""",
        "e4",
        False,
    ),
    "a three whose two points are both forbidden is none": (
        """
        . . . . . . . . .
        . . . . x . . . .
        . . . . x . . . .
        . . x x . . . . .
        . x . . . x . . .
        . x . . . x . . .
        . x . . . x . . .""",
        "e4",
        False,
    ),
    "a three with one point that is not forbidden": (
        """
        . . . . . . . . .
        . . . . x . . . .
        . . . . x . . . .
        . . x x . . . . .
        . . . . . x . . .
        . . . . . x . . .
        . x . . . x . . .""",
        "e4",
        True,
    ),
    "a three that can only become an overline": (
        """
        . . . . . . . . . .
        . . . . . x . . . .
        . . . . . x . . . .
        x . . x x . . x . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .""",
        "f4",
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_forbidden_points_agree_with_the_rule_book(name):
    picture, point, closed = CASES[name]
    position = board(picture)
    assert (point in forbidden(position)) == closed
    legal = {position.move_text(move) for move in position.legal_moves()}
    assert (point in legal) != closed
    if closed:
        with pytest.raises(MoveError):
            position.parse_move(point)
    else:
        position.make(position.parse_move(point))
