"""The texts of a game: the names of its squares, and the errors of invalid texts."""

from __future__ import annotations

import re

from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from games.types import Cell

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# In a message, a reason that begins with one of these words follows the text directly; any other
# reason follows a colon.
_VERBS = ("is", "has", "can't", "must", "fits")
_LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


class GameError(ValueError):
    """Raised if a text is not a position, or not a move, of this game.

    text: the offending part.  reason: what is wrong with it, such as "is not a piece" or "expected
    8 rows".
    """

    def __init__(self, text: str, reason: str) -> None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        joint = "" if reason.split(" ")[0] in _VERBS else ":"
        super().__init__(f'"{shown}"{joint} {reason}' if shown else reason)
        self.text, self.reason = text, reason


class PositionError(GameError):
    """Raised if a position text is malformed or the position is impossible."""


class MoveError(GameError):
    """Raised if a move text can't be read or the move is not legal here."""


class Squares:
    """The names of a board's squares, and the labels beside it: a1, b1, ... by default.

    A cell is (column, row) as in Position.board(): column 0 is on the first player's left, row 0 is
    the first of board().  A game whose squares have other names makes a subclass with another
    name() and other labels, and sets Game.squares to this subclass.  read() uses the names that
    name() returns.  squares_of() returns the Squares of a position.  An example is draughts, whose
    squares have numbers:

        class Numbers(Squares):
            column_labels = row_labels = ()
            numbered = True

            def name(self, cell):
                column, row = cell
                ...
                return str(number) if dark else ""

    Shogi's labels are `9` to `1` (columns) and `i` to `a` (rows, from the first player's side).
    """

    numbered = False  # do drawings show each square's name in the square?
    letters = LETTERS  # the names of the columns

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows

    @property
    def column_labels(self) -> Sequence[str]:
        """Return the labels of the columns, from column 0; empty if the edge shows none."""
        return self.letters[: self.columns]

    @property
    def row_labels(self) -> Sequence[str]:
        """Return the labels of the rows, from row 0; empty if the edge shows none."""
        return [str(row + 1) for row in range(self.rows)]

    def name(self, cell: Cell) -> str:
        """Return the name of a cell; "" if no piece ever stands on it."""
        column, row = cell
        return self.letters[column] + str(row + 1) if column < len(self.letters) else ""

    def read(self, text: str) -> Cell:
        """Return the cell of a square's name, in upper or lower case.  Raises MoveError."""
        name = _LEADING_ZEROS.sub("", text.strip()[:8].lower())
        cells, _ = _READINGS[type(self), self.columns, self.rows]
        if name in cells:
            return cells[name]
        of_board = " of this board" if any(map(str.isdigit, text)) else ""
        raise MoveError(text, "is not a square" + of_board)

    def cells_in(self, text: str) -> list[Cell]:
        """Return the cells that a legal move's text names, in order: the path of its piece."""
        cells, pattern = _READINGS[type(self), self.columns, self.rows]
        return [cells[name.lower()] for name in pattern.findall(text)]


def squares_of(position: Position) -> Squares:
    """Return the Squares of a position's board; without a board, Squares of size 0."""
    rows = position.board()
    return position.game.squares(len(rows[0]), len(rows)) if rows else Squares(0, 0)


def _reading(board: tuple[type[Squares], int, int]) -> tuple[dict[str, Cell], re.Pattern[str]]:
    """Return ({name in lower case: cell}, the pattern of a name) of a board's squares.

    board: the kind of Squares, and the numbers of columns and rows.
    """
    kind, columns, rows = board
    squares = kind(columns, rows)
    cells = [(column, row) for row in range(rows) for column in range(columns)]
    names = {squares.name(cell): cell for cell in cells}
    names.pop("", None)
    pattern = re.compile("|".join(map(_whole, names)) or "(?!)")
    return {name.lower(): cell for name, cell in names.items()}, pattern


def _whole(name: str) -> str:
    """Return the pattern of a name that isn't part of a longer number."""
    before = r"(?<!\d)" if name[0].isdigit() else ""
    return before + re.escape(name) + (r"(?!\d)" if name[-1].isdigit() else "")


_READINGS = Lazy(_reading, most=64)


def write_board(rows: Sequence[Sequence[str]]) -> str:
    """Return the board part of a FEN: rows (top first), a number for each run of `.` (empty)."""
    text = "/".join(map("".join, rows))
    return re.sub("[.]+", lambda run: str(len(run[0])), text)
