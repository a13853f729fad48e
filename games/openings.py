"""The names of openings and the games' own opening books, looked up by position.

The order of the moves doesn't matter.  The files are compressed by zlib and have a line for each
position.  Tabs separate its fields.  A file of names has

    key (8 hexadecimal digits), code, name

and a book, with any number of moves, the heaviest first,

    position text without its counters, move, weight, move, weight

The key is the CRC-32 of the position text without its counters.  In a game that is the same on a
turned or mirrored board, it is the CRC-32 of one of the board's eight images (the first in
alphabetical order) and the side to move.  scripts/lab/openings.py makes the files of names,
scripts/lab/shogi_book.py the books.
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
    """Return (code, name) of a position; None if it is unnamed or comes after too many plies."""
    file = position.game.openings
    if not file or plies > _MAX_PLIES:
        return None
    fields = _entries(file, "openings have no names").get(opening_key(position))
    return (fields[0], fields[1]) if fields else None


def opening_text(position: Position, moves: Sequence[Move]) -> str:
    """Return the code and name of opening_of() as one text, empty if there is no named position."""
    return " ".join(opening_of(position, moves) or ()).strip()


def opening_key(position: Position) -> str:
    """Return the key of a position in its game's file of openings."""
    text = text_without_counters(position)
    if "transpose" in position.game.symmetries:
        rows = list(map("".join, position.board() or ()))
        text = f"{min(_images(rows))} {position.side}"
    return f"{crc32(text.encode()):08x}"


def text_without_counters(position: Position) -> str:
    """Return the text of a position without its counters of moves."""
    words = position.text().split()
    return " ".join(words[: len(words) - position.game.counter_words])


def _images(rows: list[str]) -> list[str]:
    """Return the eight images of a square board, each as one text."""
    images = []
    for turned in (rows, list(map("".join, zip(*rows)))):
        for each in (turned, turned[::-1]):
            images += ["/".join(each), "/".join(row[::-1] for row in each)]
    return images


@cache
def _entries(file: str, without: str) -> dict[str, list[str]]:
    """Return {first field of a line: its other fields} of a file; {} if it can't be read."""
    return data.load(file, _unpack, without) or {}


def _unpack(content: bytes) -> dict[str, list[str]]:
    try:
        lines = decompress(content).decode("utf-8").splitlines()
    except error as fault:
        raise data.DamagedError(str(fault)) from None
    return {key: fields for key, *fields in (line.split("\t") for line in lines)}


# ---- opening books -------------------------------------------------------------------


def moves_of_book(position: Position) -> list[tuple[Move, int]]:
    """Return [(legal move, weight)] of a position in its game's own book, the heaviest first."""
    book = _entries(position.game.book, "there is no book")
    fields = book.get(text_without_counters(position), [])
    legal = {position.move_text(move): move for move in position.legal_moves()}
    weights = zip(fields[::2], fields[1::2])
    return [(legal[text], int(weight)) for text, weight in weights if text in legal]
