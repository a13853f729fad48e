"""Renju: the points forbidden to Black, on positions as the rule books show them."""

import pytest
from conftest import ROOT

from games import registry
from games.base import MoveError
from games.grid import write_rows

RENJU = registry.get("renju")


def board(picture, side="x"):
    """Return the position of a picture of up to 15 rows, placed in the lower left corner.

    White's missing stones are placed far away, where they touch nothing.
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
