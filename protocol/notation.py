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
    """Return the text of a line from `position`, which stays unchanged."""
    if position.game.san:
        return " ".join(line_words(position, line))
    return " ".join(variation(position, line, canonical))


def line_words(position: Position, line: Iterable[int]) -> list[str]:
    """Return a line of chess in SAN with move numbers; `position` stays unchanged."""
    words, played = [], 0
    for move in line:
        words += move_number(position, follows=played > 0) + [position.notation(move)]
        position.make(move)
        played += 1
    for _ in range(played):
        position.undo()
    return words


def move_number(position: Position, follows: bool) -> list[str]:
    """Return the number of the next chess move: ["3."] before a move of White.

    Before a move of Black, return [] if it `follows` a move of White in the text, else ["3..."].
    """
    number = position.text().split()[-1]
    if position.side == 0:
        return [f"{number}."]
    return [] if follows else [f"{number}..."]
