"""The opening book: exact scores and best moves of positions that are slow to solve.

`book.bin` beside this file is made by scripts/lab/connect4_book.py.  Layout, little endian:

    4 bytes  "P4B2"
    4 bytes  CRC-32 of the rest (not read, since zlib has a checksum of its own)
    the rest, compressed by zlib: the lowest bytes of all entries, then their second bytes, and
    so on

    An entry has 8 bytes:  key 49 bits | score + 22  6 bits | column 3 bits.  The entries are
    sorted.

Neighbouring entries share most bits of their keys, so with this order of bytes, an entry needs less
than three bytes of the compressed file.

The score is exact, or WON or LOST if only the winner is known.  The move in the column keeps
that score.

The key of a position is the stones of the side to move + all stones (bits.py).  Of a position
and its mirror image, the book has the one with the smaller key.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cache
from zlib import decompress
from zlib import error as ZlibError

from games import data
from games.connect4.bits import (
    BOARD,
    COLUMNS,
    has_four,
    landing_cell,
    mirrored,
    ordered_columns,
    score_range,
)
from games.entry import PACKED_BIAS as BIAS
from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.connect4.bits import Cells
    from games.types import Key

    Bounds = tuple[int, int]  # the least and the greatest possible score
    Entry = tuple[int, int, int]  # Bounds, and a column whose disc keeps both

MAGIC = b"P4B2"
_NAME = "connect4/book.bin"
PATH = data.path_of(_NAME)

# The scores of entries that know the winner but not the length of the win.
WON, LOST = 41, -22

COLUMN_BITS, SCORE_BITS = 3, 6
SHIFT = COLUMN_BITS + SCORE_BITS
ENTRY_BYTES = 8


def canonical(own: Cells, mask: Cells) -> tuple[Key, bool]:
    """Return (the smaller key of a position and its mirror image, is it the key of the image?)."""
    key = own + mask
    image = mirrored(key)
    return (image, True) if image < key else (key, False)


def unpack(content: bytes) -> array[int]:
    """Return the sorted words of a book's bytes.  Raises DamagedError if they are damaged."""
    try:
        columns = decompress(content[8:] if content[:4] == MAGIC else b"")
    except ZlibError:  # zlib verifies its own checksum
        raise data.DamagedError("the book is damaged or incomplete") from None
    count = len(columns) // ENTRY_BYTES
    entries = bytearray(len(columns))
    for place in range(ENTRY_BYTES):
        entries[place::ENTRY_BYTES] = columns[place * count : (place + 1) * count]
    return data.read_numbers("Q", bytes(entries))


def score_and_column(word: int) -> tuple[int, int]:
    """Return the score and the column of an entry's word."""
    score = (word >> COLUMN_BITS & (1 << SCORE_BITS) - 1) - BIAS
    return score, word & (1 << COLUMN_BITS) - 1


def score_bounds(score: int, empties: int) -> Bounds:
    """Return a position's Bounds.  score: from its entry.  empties: the number of empty cells."""
    least, greatest = score_range(empties)
    if score == WON:
        return 1, greatest
    if score == LOST:
        return least, -1
    return score, score


class Book:
    """The scores and moves of a book, by position.

    A position is given as own (stones of the side to move) and mask (all stones).  Its game must
    not be over.
    """

    def __init__(self, words: array[int]) -> None:
        self._words = words

    def entry(self, own: Cells, mask: Cells) -> Entry | None:
        """Return the Entry of a position; None if the book has none."""
        key, turned = canonical(own, mask)
        place = bisect_left(self._words, key << SHIFT)
        if place == len(self._words) or self._words[place] >> SHIFT != key:
            return None
        score, column = score_and_column(self._words[place])
        low, high = score_bounds(score, count_bits(BOARD ^ mask))
        return low, high, COLUMNS - 1 - column if turned else column

    def bounds(self, own: Cells, mask: Cells, plies: int) -> Bounds | None:
        """Return the bounds of a position's score; None if the book doesn't know any.

        They come from the position's own entry or from positions up to `plies` moves later.
        """
        entry = self.entry(own, mask)
        if entry is not None:
            return entry[0], entry[1]
        moves = self.move_bounds(own, mask, plies - 1) if plies else {}
        known = [bounds for bounds in moves.values() if bounds]
        if not known:
            return None
        _, highest = score_range(count_bits(BOARD ^ mask))
        all_known = len(known) == len(moves)
        return max(known)[0], max(high for _, high in known) if all_known else highest

    def move_bounds(self, own: Cells, mask: Cells, plies: int) -> dict[int, Bounds | None]:
        """Return {column: bounds of the score for the mover; None if the book doesn't know any}.

        The columns are in the order of ordered_columns().
        plies: see bounds(), for the positions after the moves.
        """
        moves: dict[int, Bounds | None] = {}
        for column in ordered_columns(own, mask):
            cell = landing_cell(mask, column)
            if has_four(own | cell):
                moves[column] = (score_range(count_bits(BOARD ^ mask))[1],) * 2
            else:
                bounds = self.bounds(own ^ mask, mask | cell, plies)
                moves[column] = (-bounds[1], -bounds[0]) if bounds else None
        return moves

    def best_move(self, own: Cells, mask: Cells, score: int) -> int | None:
        """Return a column that keeps `score`, the position's exact score; None if unknown."""
        entry = self.entry(own, mask)
        if entry is not None and entry[0] == entry[1]:
            return entry[2]
        for column, bounds in self.move_bounds(own, mask, 0).items():
            if bounds and bounds[0] == score:
                return column
        return None


EMPTY = Book(array("Q"))


@cache
def load(path: str = _NAME) -> Book:
    """Return the Book of a file, which is read once; EMPTY if the file is missing or damaged."""
    without = "the solver computes everything"
    return data.load(path, lambda content: Book(unpack(content)), without) or EMPTY
