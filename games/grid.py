"""Shared helpers of games on a grid: square names, lines, rows of text, pictures."""

from __future__ import annotations

import re

from games.base import PositionError
from games.data import Lazy
from games.looks import DROP, HOLE
from games.texts import LETTERS as LETTERS
from games.texts import Squares, squares_of, write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from games.base import Position
    from games.types import Board, Cell, Move, Side

# count_bits(cells): the number of cells in a set of bits.  Python 3.10 and PyPy 3.9 have
# int.bit_count(), which doubles the speed of a search on PyPy.
count_bits: Callable[[int], int] = getattr(int, "bit_count", lambda cells: bin(cells).count("1"))


def shown_lines(length: int) -> Lazy[tuple[int, int], str]:
    """Return {(first player's pieces, second player's pieces): text} of lines of `length` cells.

    The pieces are sets of bits.  X is the first player, O the second, `.` an empty cell.
    """

    def line_text(pieces: tuple[int, int]) -> str:
        first, second = pieces
        return "".join(
            "X" if first >> cell & 1 else "O" if second >> cell & 1 else "."
            for cell in range(length)
        )

    return Lazy(line_text)


def square_name(column: int, row: int) -> str:
    """Return the default name of a cell; column and row count from 0: (0, 0) is a1."""
    return LETTERS[column] + str(row + 1)


def lines_along(columns: int, rows: int, across: int, up: int) -> list[list[int]]:
    """Return all lines of a board in one direction, as cells counted row by row from a1 (0)."""
    lines = []
    for start in range(columns * rows):
        row, column = divmod(start, columns)
        if 0 <= row - up < rows and 0 <= column - across < columns:
            continue  # not the first cell of its line
        line = []
        while 0 <= row < rows and 0 <= column < columns:
            line.append(row * columns + column)
            row, column = row + up, column + across
        lines.append(line)
    return lines


def split_text(text: str) -> tuple[list[str], list[str]]:
    """Return two lists: the first word of a position text, split at `/`, and the other words.

    A pocket (`[...]`) is left out.  Raises PositionError if the text is empty.
    """
    words = text.split()
    if not words:
        raise PositionError(text, "the position is empty")
    return words[0].split("[", 1)[0].split("/"), words[1:]


def read_rows(rows: Sequence[str], columns: int, cells: Mapping[str, str], text: str) -> list[str]:
    """Parse rows (top first) of `columns` cells, where numbers stand for runs of empty cells.

    Returns strings of `columns` characters.  cells: {character read: character returned}.  text:
    the whole position, for errors.  Raises PositionError for unknown characters and wrong lengths.
    """
    return [_read_row(row, columns, cells, text) for row in rows]


def _read_row(row: str, columns: int, cells: Mapping[str, str], text: str) -> str:
    known = {".": ".", **cells}
    spread = re.sub("[0-9]+", lambda run: "." * min(int(run[0][:4]), columns + 1), row)
    for char in spread:
        if char not in known:
            raise PositionError(char, f"is not a cell or a number of empty cells (in {text[:60]})")
    if len(spread) != columns:
        raise PositionError(row, f"a row must have {columns} cells")
    return "".join(known[char] for char in spread)


# Letters of stones and empty cells, and of sides to move: Plyglot's own, and Fairy-Stockfish's
# (P is the first player's stone, p the second's).
_STONES = {"x": "X", "X": "X", "P": "X", "o": "O", "O": "O", "p": "O", ".": ".", "-": ".", "_": "."}
_SIDES = {"x": 0, "o": 1, "w": 0, "b": 1}
_SIDE_TO_MOVE = re.compile("[xoXO]|[wb](?: (?:[0-9]+|-)){0,4}")


def read_position(text: str, columns: int, rows: int) -> tuple[list[str], Side | None]:
    """Parse a position text, stones on a board of fixed size; return (board, side).

    board: strings of X, O and `.`, rank 1 first.  side: 0 or 1, None if the text names no side.
    Fairy-Stockfish's FEN is read too.  Raises PositionError for anything else.
    """
    lines, other_words = split_text(text)
    if len(lines) != rows:
        raise PositionError(text, f"expected {rows} rows, not {len(lines)}")
    return read_rows(lines, columns, _STONES, text)[::-1], read_side(other_words, text)


def read_side(words: Sequence[str], text: str) -> Side | None:
    """Return the side to move named by the words after the board, None if there are none."""
    side = " ".join(words)
    if side and not _SIDE_TO_MOVE.fullmatch(side):
        raise PositionError(side, f"is not a side to move (in {text[:60]})")
    return _SIDES[side[0].lower()] if side else None


def side_to_move(first: int, second: int, side: Side | None, text: str) -> Side:
    """Return the side to move, which follows from the players' counts of stones.

    Raises PositionError if the counts are impossible or contradict `side`, the side that the text
    names (None if it names none).
    """
    more = first - second
    if more not in (0, 1):
        raise PositionError(
            text, f"{first} x and {second} o: x must have as many stones as o or one more"
        )
    if side not in (more, None):
        raise PositionError(text, f"with these stones {'xo'[more]} is to move")
    return more


def write_rows(rows: Sequence[str]) -> str:
    """Return the text of rows (top first): `x`, `o` and decimal runs of empty cells."""
    return write_board(rows).lower()


def arrange(rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
    """Return the text of a position, for Game.arrange.  rows: as Position.board returns them."""
    return f"{write_rows(rows[::-1])} {'xo'[side]}"


def board_of(position: Position) -> Board:
    """Return Position.board() of a position, which must have a board."""
    board = position.board()
    assert board is not None, f"{position.game.name} has no board"
    return board


def cell_of(position: Position, move: Move) -> Cell:
    """Return the cell where a placement puts its piece."""
    cell = position.placement(move)
    assert cell is not None, f"{position.move_text(move)} is not a placement"
    return cell


def picture(
    position: Position, squares: Squares | None = None, rank_one_on_top: bool | None = None
) -> list[str]:
    """Return the lines that show a position in text front ends.

    They are the game's own picture, else the board with its labels, else the position text.

    squares: by default squares_of(position).  rank_one_on_top: by default as in Game.looks.
    """
    own = position.picture()
    if own is not None:
        return own
    if not position.board():
        return [position.text()]
    board = shown_cells(position)
    on_top = position.game.looks.rank_one_on_top if rank_one_on_top is None else rank_one_on_top
    squares = squares or squares_of(position)
    wide, edge = cell_width(board), max(map(len, squares.row_labels), default=0)
    lines = [_spaced(cells, wide) for cells in board]
    if edge:
        labels = zip(squares.row_labels, lines)
        lines = [f"{label:>{edge}} {line}" for label, line in labels]
    if not on_top:
        lines.reverse()
    if squares.column_labels:
        names = " " * (edge + 1 if edge else 0) + _spaced(squares.column_labels, wide)
        lines.insert(0 if on_top else len(lines), names)
    return lines


def shown_cells(position: Position) -> Board:
    """Return Position.board() for text front ends: empty numbered squares show their numbers."""
    board, squares = board_of(position), squares_of(position)
    return [
        [
            squares.name((column, row)) or cell if squares.numbered and cell == "." else cell
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(board)
    ]


def edge_labels(position: Position) -> tuple[Sequence[str], Sequence[str]]:
    """Return the labels of the columns and of the rows beside a drawn board.

    If pieces are dropped into columns, the columns are numbered: the numbers are the moves.
    """
    squares = squares_of(position)
    if position.entry() == DROP:
        return [str(column + 1) for column in range(squares.columns)], ()
    return squares.column_labels, squares.row_labels


def cell_width(board: Board) -> int:
    """Return the length of the longest text in a cell of a board."""
    return max(len(cell) for row in board for cell in row)


def _spaced(cells: Sequence[str], wide: int) -> str:
    return " ".join(f"{'' if cell == HOLE else cell:>{wide}}" for cell in cells).rstrip()
