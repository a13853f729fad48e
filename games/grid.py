"""Shared helpers of games on a grid: square names, rows of text, pictures."""
from __future__ import annotations

from games.base import MoveError, PositionError

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def square_name(column, row):
    """The name of a cell, both from 0: (0, 0) is a1."""
    return LETTERS[column] + str(row + 1)


def read_square(text, columns, rows):
    """(column, row) of a square's name in any case; MoveError where there is no such square."""
    name = text.strip().lower()
    if len(name) < 2 or name[0] not in LETTERS or not (name[1:].isascii() and name[1:].isdigit()):
        raise MoveError(text, "is no square")
    column, row = LETTERS.index(name[0]), int(name[1:4]) - 1
    if len(name) > 4 or not (0 <= column < columns and 0 <= row < rows):
        raise MoveError(text, "is no square of this board")
    return column, row


def split_text(text):
    """(rows, rest) of a position text: its first word split at `/` without a `[...]` pocket, the other words.

    PositionError where there is no text.
    """
    words = text.split()
    if not words:
        raise PositionError(text, "the position is empty")
    return words[0].split("[", 1)[0].split("/"), words[1:]


def read_rows(rows, columns, cells, text):
    """Expand rows (top first) with decimal runs of empty cells into strings of `columns` characters.

    cells: {character read: character meant}.  PositionError for unknown characters and wrong lengths.
    """
    return [_read_row(row, columns, cells, text) for row in rows]


def _read_row(row, columns, cells, text):
    out, run = [], ""
    for char in row + "/":
        if char.isascii() and char.isdigit():
            run += char
            continue
        if run:
            out.append("." * min(int(run[:4]), columns + 1))
            run = ""
        if char == "/":
            continue
        if char not in cells:
            raise PositionError(char, f"is no cell of a row, in {text[:60]}")
        out.append(cells[char])
    line = "".join(out)
    if len(line) != columns:
        raise PositionError(row, f"a row must have {columns} cells")
    return line


# Stones as Plyglot writes them and as Fairy-Stockfish does (P first player, p second), empty cells, sides to move.
_STONES = {"x": "X", "X": "X", "P": "X", "o": "O", "O": "O", "p": "O", ".": ".", "-": ".", "_": "."}
_SIDES = {"x": 0, "o": 1}
_FEN_SIDES = {"w": 0, "b": 1}


def read_position(text, columns, rows):
    """(board, side) of a position text of stones on a board of fixed size.

    board: strings of X, O and `.`, rank 1 first.  side: 0 or 1, None where the text leaves it out.
    Fairy-Stockfish's FEN is read too.  PositionError for anything else.
    """
    lines, rest = split_text(text)
    if len(lines) != rows:
        raise PositionError(text, f"{rows} rows are needed, not {len(lines)}")
    board = read_rows(lines, columns, _STONES, text)[::-1]
    return board, read_side(rest, text)


def read_side(words, text):
    """The side to move named by the words after the board; None where there are none."""
    if not words:
        return None
    if words[0].lower() in _SIDES and len(words) == 1:
        return _SIDES[words[0].lower()]
    if words[0] in _FEN_SIDES and len(words) <= 5:
        return _FEN_SIDES[words[0]]
    raise PositionError(" ".join(words), f"is no side to move, in {text[:60]}")


def write_rows(rows):
    """The text of rows (top first) of X, O and `.`: `x`, `o` and decimal runs of empty cells."""
    return "/".join(_write_row(row) for row in rows)


def _write_row(row):
    out, run = [], 0
    for char in row + "/":
        if char == ".":
            run += 1
            continue
        if run:
            out.append(str(run))
            run = 0
        out.append(char.lower())
    return "".join(out[:-1])


def picture(position, letters=LETTERS, rank_one_on_top=None):
    """The position as lines of text, for every front end: its own picture, or its board with coordinates, or its text.

    letters: the names of the columns.  rank_one_on_top: as the game has it, unless it is said here.
    """
    own = position.picture()
    if own is not None:
        return own
    board = position.board()
    if not board:
        return [position.text()]
    on_top = position.game.rank_one_on_top if rank_one_on_top is None else rank_one_on_top
    wide, edge = cell_width(board), len(str(len(board)))
    lines = [f"{number:>{edge}} " + _spaced(cells, wide) for number, cells in enumerate(board, 1)]
    names = " " * (edge + 1) + _spaced(letters[:len(board[0])], wide)
    return [names] + lines if on_top else lines[::-1] + [names]


def cell_width(board):
    """The length of the longest cell of a board."""
    return max(len(cell) for row in board for cell in row)


def _spaced(cells, wide):
    return " ".join(f"{cell:>{wide}}" for cell in cells)
