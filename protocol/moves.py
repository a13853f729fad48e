"""Moves in the dress of each protocol, and back.

Every protocol writes its own dress and reads all of them: squares, drops, vertices, coordinates and passes.
"""
from __future__ import annotations

from games.base import MoveError
from games.grid import LETTERS, read_square, square_name

PASSES = ("pass", "0000", "@@@@", "pa", "ps", "--")
VERTEX_LETTERS = LETTERS.replace("i", "")


def drop(position, move, passing="0000"):
    """UCI and CECP: `P@d3` for a placement, `passing` for a pass, the canonical text else."""
    if move == position.game.pass_move:
        return passing
    cell = position.placement(move)
    return position.move_text(move) if cell is None else "P@" + square_name(*cell)


def canonical(position, move):
    """The game's own text."""
    return position.move_text(move)


def sequence(position, line, dress):
    """dress(position, move) for each move of a line, played one after the other; `position` is left as it was."""
    words = []
    for move in line:
        words.append(dress(position, move))
        position.make(move)
    for _ in line:
        position.undo()
    return words


def read(position, text):
    """The legal move of a text in any dress; MoveError where it is none.

    Where dresses contradict each other the canonical reading wins (GTP reads its own vertices before).
    """
    word = text.strip()
    lower = word.lower()
    game = position.game
    if lower in PASSES and game.pass_move is not None:
        if game.pass_move in position.playable_moves():
            return game.pass_move
        raise MoveError(word, "is no legal move here: there is a move to make")
    if lower.startswith("p@"):
        return placed(position, _cell(position, lower[2:], word), word)
    if "," in lower:
        return placed(position, read_cell(position, lower), word)
    return position.parse_move(word)


def read_cell(position, text):
    """The cell (column, row) of Gomocup's `x,y`; MoveError where it is none of this board."""
    numbers = [word.strip() for word in text.split(",")]
    board = position.board()
    if board is None or len(numbers) != 2 or not all(word.isascii() and word.isdigit() for word in numbers):
        raise MoveError(text, "is no square of this board")
    column, row = (int(word[:4]) for word in numbers)
    if not (column < len(board[0]) and row < len(board)):
        raise MoveError(text, "is no square of this board")
    return from_top(position, column, row)


def placed(position, cell, text):
    """The legal move that fills `cell`; MoveError where there is none."""
    for move in position.playable_moves():
        if position.placement(move) == cell:
            return move
    raise MoveError(text, "the game is over" if position.outcome() else "is not a legal move here")


def from_top(position, column, row):
    """The cell (column, row) of Gomocup's coordinates, whose row 0 is the top one; and back."""
    return column, row if position.game.rank_one_on_top else len(position.board()) - 1 - row


def vertex_cell(position, text):
    """The cell of a GTP vertex (letters without I, row 1 at the bottom of the picture); MoveError else."""
    word = text.strip().lower()
    board = position.board()
    if board is None or not word or word[0] not in VERTEX_LETTERS:
        raise MoveError(text, "is no vertex of this board")
    return read_square(LETTERS[VERTEX_LETTERS.index(word[0])] + word[1:], len(board[0]), len(board))


def vertex(position, move):
    """GTP: `D3` for a placement, `pass`, the canonical text else."""
    if move == position.game.pass_move:
        return "pass"
    cell = position.placement(move)
    return position.move_text(move) if cell is None else VERTEX_LETTERS[cell[0]].upper() + str(cell[1] + 1)


def _cell(position, square, text):
    board = position.board()
    if board is None:
        raise MoveError(text, "is no move of this game")
    try:
        return read_square(square, len(board[0]), len(board))
    except MoveError:
        raise MoveError(text, "is no square of this board") from None
