"""The names of openings, looked up by position, so the order of moves doesn't matter.

A game's file, compressed by zlib, has a line for each named position.  Tabs separate the fields:

    key (8 hexadecimal digits), code, name

The key is the CRC-32 of the position text without its counters.  In a game that is the same on a
turned or mirrored board, it is the CRC-32 of one of the board's eight images (the first in
alphabetical order) and the side to move.  scripts/lab/openings.py makes the files.
"""

from __future__ import annotations

from functools import cache
from zlib import crc32, decompress, error

from games import data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from games.types import Move

    Opening = tuple[str, str]

_MAX_PLIES = 40  # positions after more plies are not looked up


def opening_of(position: Position, moves: Sequence[Move]) -> Opening | None:
    """Return (code, name) of the last named position that `moves` reach from `position`, or None.

    The code is an ECO code in chess, and empty in most games.  `position` is left unchanged.
    """
    opening, played = opening_here(position), moves[:_MAX_PLIES]
    for plies, move in enumerate(played, 1):
        position.make(move)
        opening = opening_here(position, plies) or opening
    for _ in played:
        position.undo()
    return opening


def opening_here(position: Position, plies: int = 0) -> Opening | None:
    """Return (code, name) of a position, or None if it has none or comes after too many plies."""
    names = _names(position.game.openings) if position.game.openings else None
    return names.get(opening_key(position)) if names and plies <= _MAX_PLIES else None


def opening_text(position: Position, moves: Sequence[Move]) -> str:
    """Return the code and name of opening_of() as one text, empty if there is no named position."""
    return " ".join(opening_of(position, moves) or ()).strip()


def opening_key(position: Position) -> int:
    """Return the key of a position in its game's file of openings."""
    game, board = position.game, position.board()
    if "transpose" not in game.symmetries or board is None:
        words = position.text().split()
        text = " ".join(words[: len(words) - game.counter_words])
    else:
        text = f"{min(_images(list(map(''.join, board))))} {position.side}"
    return crc32(text.encode())


def _images(rows: list[str]) -> list[str]:
    """Return the eight images of a square board, each as one text."""
    images = []
    for turned in (rows, list(map("".join, zip(*rows)))):
        for each in (turned, turned[::-1]):
            images += ["/".join(each), "/".join(row[::-1] for row in each)]
    return images


@cache
def _names(file: str) -> dict[int, Opening] | None:
    return data.load(file, _unpack, "openings have no names")


def _unpack(content: bytes) -> dict[int, Opening]:
    try:
        lines = decompress(content).decode("utf-8").splitlines()
    except error as fault:
        raise data.DamagedError(str(fault)) from None
    parts = (line.split("\t") for line in lines)
    return {int(key, 16): (code, name) for key, code, name in parts}
