"""Typed moves: lenient parsing, and the reason if one is not legal."""

from __future__ import annotations

from games import looks
from games.base import PASSES, GameError, Position
from games.grid import LETTERS, square_name
from games.looks import squares_in
from games.types import Board, Cell
from protocol.records.san import move_words, read_any_move
from scripts.command_line import clean

_PIECES = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_LONGEST = 30  # characters of a typed text that a message quotes


def read_typed(position: Position, text: str) -> int:
    """Return the legal move that a person means; raise GameError if there is none.

    Blanks may separate squares (`d2 d4`, `j 9`), and two numbers name a cell (`9 9`: column
    and row).
    """
    first: GameError | None = None
    for form in dict.fromkeys([text, _together(text)]):
        try:
            return read_any_move(position, form, typed=True)
        except GameError as error:
            first = first or error
    assert first is not None
    raise first


def _together(text: str) -> str:
    """Return `text` without spaces, or the square's name if it is a column and a row number."""
    words = text.split()
    if len(words) == 2 and all(word.isascii() and word.isdigit() for word in words):
        column, row = (int(word[:3]) for word in words)
        if 0 < column <= len(LETTERS):
            return f"{LETTERS[column - 1]}{row}"
    return "".join(words)


def why_not(position: Position, text: str) -> str:
    """Return a short line that says why a text is not a legal move."""
    shown = clean(text.strip()[:_LONGEST])
    board, word = position.board(), _together(text).lower()
    if position.outcome() is not None:
        return "the game is over"
    if not board:
        return f'"{shown}" is not a move here'
    if word in PASSES:
        return "you can't pass: you have a legal move"
    if position.game.looks.entry == looks.DROP:
        return _column(board, word) or f'"{shown}" is not a column'
    cells = squares_in(word, len(board[0]), len(board))
    if position.game.looks.pieces == looks.MEN:
        return _chess_move(position, board, word, cells) or f'"{shown}" is not a move'
    if not cells or word != square_name(*cells[-1]) and position.game.looks.entry != looks.MOVE:
        return _reason(position, word) or f'"{shown}" is not a square of this board'
    column, row = cells[-1]
    square = square_name(column, row)
    if board[row][column].strip() not in ("", "."):
        return f"{square} is taken"
    if position.game.looks.counted:
        return f"{square} flips no disc"
    return _reason(position, square) or f"{square} is not a legal move"


def _column(board: Board, word: str) -> str:
    """Return why nothing can be dropped into a column; "" if `word` names no column."""
    digits = word.lstrip("0")
    if not (digits.isascii() and digits.isdigit() and int(digits[:4]) <= len(board[0])):
        return ""
    return f"column {digits} is full"


def _chess_move(position: Position, board: Board, word: str, cells: list[Cell]) -> str:
    """Return why a chess piece can't make this move; "" if the text names no squares."""
    if not cells:
        if word.strip("+#!?") not in ("o-o", "o-o-o", "0-0", "0-0-0"):
            return ""
        return "the king is in check" if position.in_check() else "castling is not possible here"
    if len(cells) == 1:
        return _to(position, word, square_name(*cells[0]))
    start, end = cells[0], cells[1]
    piece = board[start[1]][start[0]].strip()
    if piece in ("", "."):
        return f"there is no piece on {square_name(*start)}"
    if piece.isupper() != (position.side == 0):
        return f"the piece on {square_name(*start)} is not yours"
    name = f"the {_PIECES[piece.lower()]} on {square_name(*start)}"
    if any(position.move_text(move)[:4] == word[:4] for move in position.legal_moves()):
        return f"{name} promotes to a queen, rook, bishop or knight: type {word[:4]}q"
    if position.in_check():
        return "the king is in check"
    return f"{name} can't go to {square_name(*end)}"


def _to(position: Position, word: str, square: str) -> str:
    """Return why the piece that `word` names (without a letter: a pawn) can't reach a square."""
    kind = _PIECES.get(word[0], "pawn") if word[0] in "kqrbn" and len(word) > 2 else "pawn"
    fits = [
        move
        for move in position.legal_moves()
        if position.move_text(move)[2:4] == square
        and move_words(position, move)[0].lower() == (word[0] if kind != "pawn" else square[0])
    ]
    if len(fits) > 1:
        names = " or ".join(move_words(position, move) for move in fits)
        return f"the move is ambiguous: type {names}"
    if position.in_check():
        return "the king is in check"
    return f"no {kind} can go to {square}"


def _reason(position: Position, square: str) -> str:
    """Return the game's own reason, such as a forbidden point; "" if it has no special one."""
    try:
        position.parse_move(square)
    except GameError as error:
        words = str(error).partition(": ")[2]
        if words.startswith("is no"):
            return ""
        return f"{square} {words}" if words.startswith("is ") else words
    return ""


def natural_moves(position: Position) -> list[str]:
    """Return the texts of three plausible moves: those with the best static evaluation."""
    legal = position.legal_moves()
    if position.game.textbook:
        return [move_words(position, move) for move in legal[:3]]
    values = {}
    stones = _stones(position)
    for number, move in enumerate(legal):
        side = position.side
        position.make(move)
        value = position.evaluate()
        value = -value if position.side == side else value
        position.undo()
        values[move] = _distance(position.placement(move), stones), value, number
    return [move_words(position, move) for move in sorted(legal, key=values.__getitem__)[:3]]


def _stones(position: Position) -> list[Cell]:
    """Return the cells of all stones, or the centre of an empty board; [] for other games."""
    board = position.board()
    if position.game.looks.ground != looks.WOOD or not board:
        return []
    stones = [
        (column, row)
        for row, line in enumerate(board)
        for column, cell in enumerate(line)
        if cell.strip() not in ("", ".")
    ]
    return stones or [(len(board[0]) // 2, len(board) // 2)]


def _distance(cell: Cell | None, stones: list[Cell]) -> int:
    """Return the distance to the nearest stone: plausible moves are close to others."""
    if cell is None:
        return 0
    return min(
        (max(abs(cell[0] - column), abs(cell[1] - row)) for column, row in stones), default=0
    )
