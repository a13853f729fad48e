"""Moves in the notation that people use: SAN in chess, the canonical text in other games."""

from __future__ import annotations

from games.base import MoveError
from protocol.moves import canonical, read, variation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.base import Position

_SMALL_PIECES = ("k", "q", "r", "b", "n")


def read_any_move(position: Position, text: str, typed: bool = False) -> int:
    """Parse a legal move in any notation; raise MoveError if the text isn't one.

    typed: a person typed it, so a piece may be in lower case: `nf3`.
    """
    if not position.game.san:
        return read(position, text)
    try:
        return position.read_notation(text)
    except MoveError:
        if not typed or text[:1] not in _SMALL_PIECES:
            raise
    # tried last, since bc4 may be a pawn's move
    return position.read_notation(text[0].upper() + text[1:])


def line_text(position: Position, line: Iterable[int]) -> str:
    """Return the text of a line, in chess with move numbers; `position` stays unchanged."""
    if not position.game.san:
        return " ".join(variation(position, line, canonical))
    words = variation(position, line, _numbered)
    return " ".join([f"{_number(position)}...", *words] if position.side and words else words)


def _numbered(position: Position, move: int) -> str:
    """Return a move of chess in SAN, with its number if it is White's."""
    number = "" if position.side else f"{_number(position)}. "
    return number + position.notation(move)


def _number(position: Position) -> str:
    """Return the number of the next move of chess."""
    return position.text().split()[-1]
