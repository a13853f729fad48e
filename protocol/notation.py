"""Moves in the notation that people use: SAN in chess, the canonical text in other games."""

from __future__ import annotations

from protocol.moves import read, variation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.base import Position


def read_any_move(position: Position, text: str, typed: bool = False) -> int:
    """Parse a legal move in any notation; raise MoveError if the text isn't one.

    typed: a person typed it, so a game may be lenient: `nf3`.
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
