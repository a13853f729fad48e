"""Moves as people read and write them: SAN in chess, the canonical text in other games."""

from __future__ import annotations

from games.base import MoveError
from protocol.moves import canonical, read, variation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.base import Position

_SMALL_PIECES = ("k", "q", "r", "b", "n")


def move_words(position: Position, move: int) -> str:
    """The move as the field writes it: SAN in chess, else the canonical text."""
    return position.notation(move)


def read_any_move(position: Position, text: str, typed: bool = False) -> int:
    """The legal move of a text in any protocol's notation, in chess in SAN too; MoveError.

    typed: a person wrote it, who may have written a piece small: `nf3`.
    """
    if not position.game.san:
        return read(position, text)
    try:
        return position.read_notation(text)
    except MoveError:
        if not typed or text[:1] not in _SMALL_PIECES:
            raise
    # Only now: bc4 may have been a pawn's move.
    return position.read_notation(text[0].upper() + text[1:])


def line_text(position: Position, line: Iterable[int]) -> str:
    """A line of moves from `position` on, which is left as it was."""
    if position.game.san:
        return " ".join(line_words(position, line))
    return " ".join(variation(position, line, canonical))


def line_words(position: Position, line: Iterable[int]) -> list[str]:
    """A line of chess moves in SAN with its numbers, from `position` on, left as it was."""
    words, played = [], 0
    for move in line:
        words += move_number(position, follows=played > 0) + [position.notation(move)]
        position.make(move)
        played += 1
    for _ in range(played):
        position.undo()
    return words


def move_number(position: Position, follows: bool) -> list[str]:
    """[the number of the next chess move], [] where none is due; follows: White's move is shown."""
    number = position.text().split()[5]
    if position.side == 0:
        return [f"{number}."]
    return [] if follows else [f"{number}..."]
