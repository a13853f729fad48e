"""Polyglot opening books: files of 16-byte entries sorted by key, all big-endian.

    key 8 bytes | move 2 | weight 2 | learn 4

The format is that of Fabien Letouzey's Polyglot.  Its keys are built from 781 random numbers,
which are part of the format.  polyglot.bin has them in the format's order: 64 for each of
pPnNbBrRqQkK, 4 castling rights, 8 en passant files, White to move.
"""

from __future__ import annotations

from functools import cache
from itertools import takewhile

from games import data, notices
from games.chess.tables import (
    BLACK,
    CASTLING,
    PAWN,
    PAWN_ATTACKS,
    PROMOTION_SHIFT,
    castling_targets,
)
from games.data import open_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

_NUMBERS, _NUMBERS_SUM = "chess/polyglot.bin", 0xFBC472AD  # the file and its CRC-32
_ENTRY_BYTES = 16
_CASTLING_AT = 768
_EN_PASSANT_AT = 772
_WHITE_AT = 780


def polyglot_key(position: ChessPosition) -> int | None:
    """Return the key of a position in Polyglot's books; None if polyglot.bin can't be read."""
    numbers = _numbers()
    if numbers is None:
        return None
    key = numbers[_WHITE_AT] if position.side == 0 else 0
    for square, piece in enumerate(position.squares):
        if piece:
            key ^= numbers[((piece & 7) - 1) * 128 + (0 if piece >> 3 else 64) + square]
    for bit in range(4):
        if position.rights >> bit & 1:
            key ^= numbers[_CASTLING_AT + bit]
    square = _en_passant_square(position)
    if square >= 0:
        key ^= numbers[_EN_PASSANT_AT + (square & 7)]
    return key


def _en_passant_square(position: ChessPosition) -> int:
    """Return the en passant square that counts in the key; -1 if there is none.

    It counts if a pawn of the side to move attacks it, even if the capture would leave the king in
    check.
    """
    if position.undo_stack:
        move = position.undo_stack[-1][0]
        start, to = move & 63, move >> 6 & 63
        pushed = abs(to - start) == 16 and position.squares[to] & 7 == PAWN
        square = (start + to) // 2 if pushed else -1
    else:
        square = position.setup_ep
    pawn = PAWN + (BLACK if position.side else 0)
    attackers = PAWN_ATTACKS[position.side ^ 1][square]  # none of square -1
    return square if any(position.squares[at] == pawn for at in attackers) else -1


@cache
def _numbers() -> tuple[int, ...] | None:
    return data.load(_NUMBERS, _unpack_numbers, "Polyglot books can't be read")


def _unpack_numbers(content: bytes) -> tuple[int, ...]:
    from struct import unpack

    return unpack(">781Q", data.checked(content, 781 * 8, _NUMBERS_SUM))


def book_moves(position: ChessPosition, filename: str) -> list[tuple[int, int]]:
    """Return [(legal move, weight)] of a position in a book, the heaviest first.

    The list is empty if the file can't be read, which is reported once.
    """
    key = polyglot_key(position)
    try:
        entries = _entries(filename, key) if key is not None else []
    except OSError as error:  # the file was readable when the option was set
        notices.report_once(filename, f"{filename} can't be read: {error.strerror or error}")
        return []
    legal = {code: move for move in position.playable_moves() for code in _codes(move)}
    moves = [(legal[code], weight) for code, weight in entries if code in legal and weight]
    return sorted(moves, key=lambda entry: -entry[1])


def _entries(filename: str, key: int) -> list[tuple[int, int]]:
    """Return [(move code, weight)] of a book's entries with this key, found by binary search."""
    from struct import unpack

    wanted = key.to_bytes(8, "big")
    with open_data(filename) as file:

        def entry_at(index: int) -> bytes:
            file.seek(index * _ENTRY_BYTES)
            return file.read(_ENTRY_BYTES)

        count = file.seek(0, 2) // _ENTRY_BYTES
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            if entry_at(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        entries = map(entry_at, range(low, count))
        same_key = takewhile(lambda entry: entry.startswith(wanted), entries)
        return [unpack(">8xHH4x", entry) for entry in same_key]


def _codes(move: int) -> list[int]:
    """Return the codes of a move in books.

    Books encode castling as king takes rook, old books as a king move by two squares.
    """
    start, to, kind = move & 63, move >> 6 & 63, move >> PROMOTION_SHIFT & 7
    if not move & CASTLING:
        return [max(kind - 1, 0) << 12 | start << 6 | to]
    king_to = castling_targets(start, to)[0]
    return [start << 6 | end for end in (to, king_to) if end == to or abs(end - start) == 2]
