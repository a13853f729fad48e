"""Positions and moves of draughts as text.

A position is the FEN of PDN, such as `W:W31,32,K45:B1,2,K7`: the side to move, then the squares of
each side, with K before a king's square.  Ranges (`31-50`), names such as c3 and a full stop at the
end are read, too.

Hub's text is also read: the side to move, then a letter for each square: w or b for a man, W or B
for a king, e for an empty square.
"""

from __future__ import annotations

import re

from games.base import MoveError, PositionError
from games.texts import GameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.draughts import Draughts
    from games.draughts.squares import DraughtsBoard
    from games.types import Side, Square

    Pieces = dict[Square, str]  # W and B for kings, w and b for men

# LETTERS[colour]: its man, its king, then the other colour's man and king.  Colour 0 is White.
LETTERS = "wWbB", "bBwW"
_SQUARE = "[0-9]{1,2}|[a-j][0-9]{1,2}"
_MOVE = re.compile(f"(?:{_SQUARE})(?:[-x:]?(?:{_SQUARE})){{1,99}}")
_SQUARES = re.compile(_SQUARE)
_FIELD = re.compile(f"k?({_SQUARE})(?:-({_SQUARE}))?")


def read_position(game: Draughts, text: str) -> tuple[Pieces, Side]:
    """Parse a text as (pieces, side to move).  Raises PositionError."""
    squares, compact = game.board, "".join(text.split())
    if re.fullmatch(f"[WB][wbWBe]{{{len(squares.all)}}}", compact):
        pieces = {square: piece for square, piece in zip(squares.all, compact[1:]) if piece != "e"}
    else:
        pieces = _read_fen(squares, compact)
    crown = {"w": game.columns - 1, "b": 0}
    for square, piece in pieces.items():
        if squares.cell[square][1] == crown.get(piece):
            name = squares.name[square]
            raise PositionError(text, f"no man can stand on {name}, where men become kings")
    if not pieces:
        raise PositionError(text, "the board is empty")
    return pieces, "WB".index(compact[0]) ^ game.white


def _read_fen(squares: DraughtsBoard, text: str) -> Pieces:
    side, *fields = text.rstrip(".").split(":")
    if side not in ("W", "B") or not fields:
        raise PositionError(text, "expected W or B, then the pieces, such as W:W31,K32:B1-20")
    pieces: Pieces = {}
    for field in fields:
        if field[:1] in ("H", "F", "+"):  # counters of moves, which some programs append
            continue
        colour = field[:1].lower()
        if colour not in ("w", "b"):
            raise PositionError(field, f"expected W or B and squares (in {text[:60]})")
        for word in filter(None, field[1:].split(",")):
            for square in _read_squares(squares, word):
                if square in pieces:
                    raise PositionError(word, f"two pieces on a square (in {text[:60]})")
                pieces[square] = colour.upper() if word[0] in "Kk" else colour
    return pieces


def _read_squares(squares: DraughtsBoard, word: str) -> list[Square]:
    """Return the squares of a word such as 31, K31 or 31-50.  Raises PositionError."""
    match = _FIELD.fullmatch(word.lower())
    if not match:
        raise PositionError(word, "is not a square, nor a range of squares")
    ends = [_square(squares, name, PositionError, word) for name in match.groups(match[1])]
    return [square for square in squares.all if min(ends) <= square <= max(ends)]


def _square(squares: DraughtsBoard, name: str, error: type[GameError], text: str) -> Square:
    """Return the square called `name`; if there is none, raise `error`, which quotes `text`."""
    square = squares.named.get(name.lstrip("0"))
    if square is None:
        raise error(text, f"the board has no square {name}")
    return square


def write_position(game: Draughts, pieces: Pieces, side: Side) -> str:
    """Return the FEN of a position."""
    board = game.board
    names: dict[str, list[str]] = {"W": [], "B": []}
    for square in board.counted:
        if piece := pieces.get(square):
            names[piece.upper()].append("K" * piece.isupper() + board.name[square])
    white, black = map(",".join, names.values())
    return f"{'WB'[side ^ game.white]}:W{white}:B{black}"


def read_move(squares: DraughtsBoard, text: str) -> list[Square]:
    """Return the squares that a move's text names.  Raises MoveError.

    They are the squares that the piece visits or, in Hub's form, both ends and the captured pieces.
    """
    word = text.strip().lower()
    # Lidraughts writes 32-28 as 3228, so two digits are tried before one.
    names = _SQUARES.findall(word) if _MOVE.fullmatch(word) else []
    if len(names) < 2:
        raise MoveError(text, "is not a move: expected squares, such as 32-28 or 28x19")
    return [_square(squares, name, MoveError, text) for name in names]
