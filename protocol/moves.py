"""The notations of moves: squares, drops, vertices, coordinates, passes, and what people write.

Each protocol writes moves in its own notation and reads every notation.
"""

from __future__ import annotations

from games.base import PASSES, MoveError, overrides
from games.grid import board_of
from games.texts import LETTERS, Squares, squares_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from games.base import Position
    from games.types import Cell

    Word = TypeVar("Word")
    # Returns the text of a legal move, or an object that includes the text.
    Notation = Callable[[Position, int], Word]


class Vertices(Squares):
    """GTP's names of squares: `D3`, letters without I, row 1 at the bottom of the picture."""

    letters = LETTERS.replace("i", "").upper()


def vertices_of(position: Position) -> Squares:
    """Return the names of squares in GTP: vertices, unless the game has names of its own."""
    own = squares_of(position)
    return Vertices(own.columns, own.rows) if type(own) is Squares else own


# ---- writing -------------------------------------------------------------------------


def drop(position: Position, move: int, passing: str = "0000") -> str:
    """Return a move for UCI or CECP in Fairy-Stockfish's notation; for a pass, return `passing`."""
    return passing if move == position.game.pass_move else position.fairy_move(move)


def vertex(position: Position, move: int) -> str:
    """Return a move for GTP: `D3` for a placement, `pass` for a pass, else canonical notation."""
    if move == position.game.pass_move:
        return "pass"
    cell = position.placement(move)
    return position.move_text(move) if cell is None else vertices_of(position).name(cell)


def variation(position: Position, line: Iterable[int], notation: Notation[Word]) -> list[Word]:
    """Return the texts of moves played one after the other; leave `position` unchanged."""
    words: list[Word] = []
    try:
        for move in line:
            word = notation(position, move)
            position.make(move)
            words.append(word)
    finally:  # restore the position even if a move is illegal
        for _ in words:
            position.undo()
    return words


# ---- reading -------------------------------------------------------------------------


def read(position: Position, text: str, parse: Callable[[str], int] | None = None) -> int:
    """Parse a legal move in any notation; raise MoveError if the text isn't one.

    If a text means different moves in different notations, the canonical notation wins (GTP
    tries its own vertices first).
    parse: reads the game's own notation, by default position.parse_move.
    """
    word = text.strip()
    passing = position.game.pass_move
    if passing is not None and word.lower() in PASSES:
        if passing == position.null_move() or passing in position.playable_moves():
            return passing
        raise MoveError(word, "is not a legal move here: only a side without a move can pass")
    try:
        return (parse or position.parse_move)(word)
    except MoveError:
        cell = _placed(position, word)
        if cell is None:
            raise
    return placement_on(position, cell, word)


def _placed(position: Position, word: str) -> Cell | None:
    """Return the cell of a drop `P@d3` or of Gomocup's `x,y`; None if a text is neither.

    Raises MoveError if the cell is not on the board.
    """
    if position.board() is None or not overrides(position, "placement"):
        return None
    if "," in word:
        return read_coordinates(position, word)
    if word[:2].lower() != "p@":
        return None
    return squares_of(position).read(word[2:])


def placement_on(position: Position, cell: Cell, text: str) -> int:
    """Return the legal move that fills `cell`; raise MoveError about `text` if there is none."""
    try:  # most games read a square's name as a move: ten times as fast as the loop below
        move = position.parse_move(squares_of(position).name(cell))
        if position.placement(move) == cell:
            return move
    except MoveError:
        pass
    for move in position.playable_moves():
        if position.placement(move) == cell:
            return move
    over = position.outcome() is not None
    raise MoveError(text, "the game is over" if over else "is not a legal move here")


def read_coordinates(position: Position, text: str) -> Cell:
    """Return the cell of Gomocup's `x,y`; raise MoveError if it isn't on this board."""
    board, numbers = position.board() or [""], [word.strip() for word in text.split(",", 2)]
    if len(numbers) == 2 and all(word.isascii() and word.isdigit() for word in numbers):
        # cut, since Python refuses to read thousands of digits
        column, row = (int(word.lstrip("0")[:4] or "0") for word in numbers)
        if column < len(board[0]) and row < len(board):
            return coordinates(position, (column, row))
    raise MoveError(text, "is not a square of this board")


def coordinates(position: Position, cell: Cell) -> Cell:
    """Convert a cell to Gomocup's coordinates, whose row 0 is at the top, or back."""
    column, row = cell
    return column, row if position.game.looks.rank_one_on_top else len(board_of(position)) - 1 - row


def read_vertex(position: Position, text: str) -> int:
    """Parse a legal move of GTP; raise MoveError if the text isn't one.

    A placement is written as a vertex.  Any other move may be in any notation.
    """
    if not overrides(position, "placement"):
        return read(position, text)
    try:
        cell = vertices_of(position).read(text)
    except MoveError:
        return read(position, text)
    return placement_on(position, cell, text)


# ---- as people write moves: SAN in chess, the canonical text in other games ------------


def read_any_move(position: Position, text: str, typed: bool = False) -> int:
    """Parse a legal move in any notation; raise MoveError if the text isn't one.

    typed: was the text typed by a person?  Then a game may be lenient: chess reads `nf3`.
    """
    return read(position, text, position.read_typed if typed else position.read_notation)


def line_text(position: Position, line: Iterable[int]) -> str:
    """Return the text of a line, with move numbers in games that have them.

    `position` stays unchanged.
    """
    words = variation(position, line, _numbered)
    number = position.move_number()
    begins = [f"{number}..."] if number is not None and position.side and words else []
    return " ".join([*begins, *words])


def _numbered(position: Position, move: int) -> str:
    """Return a move as people write it, with its number if it is the first player's."""
    number = None if position.side else position.move_number()
    return position.notation(move) if number is None else f"{number}. {position.notation(move)}"
