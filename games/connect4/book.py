"""The opening book: exact scores and best moves of positions that take the solver long.

`book.bin` beside this file is made by connect4_book.py and connect4_verdicts.py in scripts/lab.  Layout, little endian:

    4 bytes  "P4B2"
    4 bytes  CRC-32 of what follows
    zlib's compression of the entries' lowest bytes, then of their second bytes, and so on

    8 bytes an entry, ascending:  key 49 bits | score + 22  6 bits | column 3 bits

Neighbours have most of their key in common: byte by byte an entry takes less than three bytes of the file.

The score is exact, or WON or LOST (scores.py) where only the winner is known; the column's move keeps it.

The key of a position is stones of the side to move + all stones (bits.py); of a position and its mirror image
only the one with the smaller key is there.
"""
from __future__ import annotations

import os
import sys
from array import array
from bisect import bisect_left
from zlib import compress, crc32, decompress, error as ZlibError

from games import data
from games.connect4.bits import BOARD, COLUMNS, HEIGHT, count_bits, has_four, landing_cell, mirrored
from games.connect4.scores import score_bounds
from games.entry import PACKED_BIAS as BIAS

MAGIC = b"P4B2"
PATH = data.path_of("connect4/book.bin")
_COLUMN_BITS, _SCORE_BITS = 3, 6
_SHIFT = _COLUMN_BITS + _SCORE_BITS
_ENTRY_BYTES = 8

_loaded = {}


class BookError(data.DamagedError):
    """A file that is no book, or a damaged one."""


def canonical(mine, mask):
    """(key, whether it is the mirror image's): the smaller of the keys of a position and of its mirror image."""
    key = mine + mask
    image = mirrored(key)
    return (image, True) if image < key else (key, False)


def split(key):
    """(mine, mask) of a key: in each column the highest bit of key + 1 stands above the stones."""
    mine = mask = 0
    for column in range(COLUMNS):
        digits = (key >> HEIGHT * column & 0x7F) + 1
        stones = (1 << digits.bit_length() - 1) - 1
        mask |= stones << HEIGHT * column
        mine |= digits - 1 - stones << HEIGHT * column
    return mine, mask


def pack(entries):
    """The bytes of a book.  entries: {canonical key: (score, column)}."""
    words = array("Q", sorted(key << _SHIFT | score + BIAS << _COLUMN_BITS | column
                              for key, (score, column) in entries.items()))
    if sys.byteorder == "big":
        words.byteswap()
    plain = words.tobytes()
    body = compress(b"".join(plain[place::_ENTRY_BYTES] for place in range(_ENTRY_BYTES)), 9)
    return MAGIC + crc32(body).to_bytes(4, "little") + body


def unpack(content):
    """The sorted words of a book's bytes; BookError where they are damaged."""
    body = content[8:]
    if content[:4] != MAGIC or crc32(body) != int.from_bytes(content[4:8], "little"):
        raise BookError("it is no whole book")
    try:
        columns = decompress(body)
    except ZlibError:
        raise BookError("it is no whole book") from None
    number, rest = divmod(len(columns), _ENTRY_BYTES)
    if rest:
        raise BookError("it is no whole book")
    entries = bytearray(len(columns))
    for place in range(_ENTRY_BYTES):
        entries[place::_ENTRY_BYTES] = columns[place * number:(place + 1) * number]
    words = array("Q", bytes(entries))
    if sys.byteorder == "big":
        words.byteswap()
    return words


def read_entries(path):
    """{canonical key: (score, column)} of a book's file; empty where there is none.  BookError if it is damaged."""
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        return {word >> _SHIFT: _score_and_column(word) for word in unpack(file.read())}


def load(path=PATH):
    """The Book of a file, read once; None where there is none or a damaged one: the solver does without it."""
    if path not in _loaded:
        name = "connect4/book.bin" if path == PATH else path
        _loaded[path] = data.load(name, lambda content: Book(unpack(content)), "the solver works everything out")
    return _loaded[path]


def _score_and_column(word):
    score = (word >> _COLUMN_BITS & (1 << _SCORE_BITS) - 1) - BIAS
    return score, word & (1 << _COLUMN_BITS) - 1


class Book:
    """Scores and moves by position; all positions are given as (mine, mask) and must not be over."""

    def __init__(self, words):
        self._words = words

    def __len__(self):
        return len(self._words)

    def entry(self, mine, mask):
        """(low, high, column): bounds of the score and a move that keeps to them; None if it isn't in the book."""
        key, turned = canonical(mine, mask)
        place = bisect_left(self._words, key << _SHIFT)
        if place == len(self._words) or self._words[place] >> _SHIFT != key:
            return None
        score, column = _score_and_column(self._words[place])
        return score_bounds(score, count_bits(BOARD ^ mask)) + (COLUMNS - 1 - column if turned else column,)

    def bounds(self, mine, mask):
        """(low, high) of a position's score: its own entry's, or what its moves' entries tell; None if nothing."""
        entry = self.entry(mine, mask)
        if entry is not None:
            return entry[:2]
        moves = self._moves(mine, mask)
        known = [bounds for bounds in moves.values() if bounds]
        if not known:
            return None
        left = count_bits(BOARD ^ mask)
        low = max(-(left >> 1), max(low for low, _ in known))
        return low, max(high for _, high in known) if len(known) == len(moves) else left + 1 >> 1

    def keeping(self, mine, mask, score):
        """A column known to keep `score`, the exact score of the position; None where the book knows none."""
        entry = self.entry(mine, mask)
        if entry is not None and entry[0] == entry[1]:
            return entry[2]
        for column, bounds in self._moves(mine, mask).items():
            if bounds and bounds[0] == score:
                return column
        return None

    def _moves(self, mine, mask):
        """{column: bounds of the move's score, None where nothing is known}."""
        moves = {}
        for column in range(COLUMNS):
            cell = landing_cell(mask, column)
            if not cell:
                continue
            if has_four(mine | cell):
                moves[column] = (count_bits(BOARD ^ mask) + 1 >> 1,) * 2
            else:
                entry = self.entry(mine ^ mask, mask | cell)
                moves[column] = None if entry is None else (-entry[1], -entry[0])
        return moves
