"""Position texts of Othello: the line of the test suites, and Fairy-Stockfish's FEN."""

from __future__ import annotations

from games.base import PositionError
from games.grid import read_rows, split_text, write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.othello.position import OthelloPosition
    from games.types import Side, Square

_LINE_CELLS = {"x": "X", "*": "X", "b": "X", "o": "O", "w": "O", "-": ".", ".": "."}
_LINE_SIDES = {"x": 0, "*": 0, "b": 0, "o": 1, "w": 1}
_FEN_CELLS = {"P": "X", "p": "O"}
_FEN_SIDES = {"w": 0, "b": 1}
_LEAST_DISCS = 4  # the game begins with four, and no disc leaves the board
_HAND = 60  # discs in hand of each side at the start, as Fairy-Stockfish deals them


def read(text: str) -> tuple[list[Square], list[Square], Side, int]:
    """Return (black squares, white squares, side, plies played).  Raises PositionError."""
    line = text.split(";", 1)[0]  # test suites write the scores of the moves after a semicolon
    cells, side, first_ply = (_read_fen if "/" in line else _read_line)(line)
    black = [square for square, cell in enumerate(cells) if cell == "X"]
    white = [square for square, cell in enumerate(cells) if cell == "O"]
    if len(black) + len(white) < _LEAST_DISCS:
        raise PositionError(text.strip(), "a board of Othello has at least four discs")
    return black, white, side, first_ply


def _read_line(text: str) -> tuple[list[str], Side, int]:
    """Return (64 cells from a1 on, side, plies played) of `---XO--- X`."""
    joined = "".join(text.split()).lower()
    for char in joined:
        if char not in _LINE_CELLS:
            raise PositionError(text.strip(), f"'{char}' is neither a disc nor an empty square")
    if len(joined) != 65:
        raise PositionError(text.strip(), "expected 64 squares and the side to move")
    if joined[64] not in _LINE_SIDES:
        raise PositionError(text.strip(), f"'{joined[64]}' is not a side to move")
    cells = [_LINE_CELLS[char] for char in joined[:64]]
    side = _LINE_SIDES[joined[64]]
    plies = 60 - cells.count(".")
    return cells, side, plies + (plies & 1 ^ side)


def _read_fen(text: str) -> tuple[list[str], Side, int]:
    """Return (64 cells from the top left, side, plies played) of a FEN with 2 to 6 fields."""
    rows, rest = split_text(text)
    if len(rows) != 8:
        raise PositionError(text.strip(), "a board of Othello has eight rows")
    cells = [cell for row in read_rows(rows, 8, _FEN_CELLS, text) for cell in row]
    if not rest or rest[0].lower() not in _FEN_SIDES:
        raise PositionError(text.strip(), "the side to move must be w or b")
    side = _FEN_SIDES[rest[0].lower()]
    numbers = [word for word in rest[1:] if word != "-"]
    if (
        len(rest) > 5
        or len(numbers) > 2
        or not all(word.isascii() and word.isdigit() for word in numbers)
    ):
        raise PositionError(text.strip(), "the numbers of moves can't be read")
    move_number = min(max(int(numbers[1][:6]), 1), 9999) if len(numbers) == 2 else 1
    return cells, side, 2 * (move_number - 1) + side


def write(position: OthelloPosition) -> str:
    """Return the canonical text of `position` in the form of its game."""
    rows = position.board()
    if position.game.rank_one_on_top:
        return "".join(rows).replace(".", "-") + (" O" if position.side else " X")
    text = write_rows(rows[::-1]).replace("o", "p").replace("x", "P")
    side, move_number = "wb"[position.side], position.ply // 2 + 1
    return f"{text}{_pocket(64 - position.empties)} {side} - - 0 {move_number}"


def _pocket(discs: int) -> str:
    """Return the discs in hand, without which Fairy-Stockfish has no moves.

    The board does not show who passed.
    """
    placed = discs - _LEAST_DISCS
    return "[" + "P" * (_HAND - (placed + 1) // 2) + "p" * (_HAND - placed // 2) + "]"
