#!/usr/bin/env python3
"""Make weights for games/shogi/evaluation.py, and initial ones for scripts/lab/twin/fit_shogi.cpp.

scripts/lab/shogi_weights.py hand SIZE OUT     write weights set by hand; SIZE is 9 or 5
scripts/lab/shogi_weights.py pack IN OUT       pack weights for the game
"""

from __future__ import annotations

import pathlib
import sys
import zlib
from array import array

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data  # noqa: E402
from games.lanes import STEPS  # noqa: E402
from games.shogi.evaluation import MAX_HAND, UNITS, inputs_of  # noqa: E402
from games.shogi.tables import BISHOP, GOLD, KING, KNIGHT, PAWN, PIECES, ROOK, VALUE, WHITE  # noqa: E402
from scripts.command_line import Parser  # noqa: E402

# In centipawns.  GUARD[distance]: value of an own piece at this distance from its king.
# ATTACK[distance]: cost of an enemy piece at this distance from the king.  KING_ROW: cost of each
# row that the king has advanced.  PAWN_ROW: value of each row that a pawn has advanced.
GUARD, ATTACK = (0, 20, 10), (0, 65, 40, 15)
KING_ROW, PAWN_ROW = 22, 4
IN_HAND = 1.1  # value of a piece in hand, relative to its value on the board


def by_hand(size: int) -> bytes:
    """Return the weights that were set by hand, in the order of the file."""
    numbers = array("h", [0] * (inputs_of(size) + 1) * UNITS)
    for row in range(size):
        for column in range((size + 1) // 2):
            numbers.extend(linear(size, row * size + column))
    return data.write_numbers(numbers)


def linear(size: int, king: int) -> list[int]:
    """Return the weights from all inputs to the linear unit if the player's king is on `king`."""
    values = [
        value_of(piece, square, king, size)
        for piece in range(PIECES)
        for square in range(size * size)
    ]
    values += [
        (-count if piece & WHITE else count) * VALUE[piece] * IN_HAND * (0 < piece & 15 < KING)
        for piece in range(PIECES)
        for count in range(MAX_HAND + 1)
    ]
    return [round(value * STEPS / 2) for value in values]


def value_of(piece: int, square: int, king: int, size: int) -> float:
    """Return a piece's value in centipawns for a player whose king is on `king`."""
    kind, own = piece & 15, piece < WHITE
    row, column = divmod(square, size)
    if kind == KING:
        return -KING_ROW * row if own else 0
    king_row, king_column = divmod(king, size)
    distance = max(abs(row - king_row), abs(column - king_column))
    value = VALUE[piece] + (0 if kind != PAWN else PAWN_ROW * (row if own else size - 1 - row))
    if own:
        guards = GUARD if kind not in (BISHOP, ROOK, KNIGHT) else ()
        return value + (guards[distance] if distance < len(guards) else 0)
    danger = ATTACK[distance] if distance < len(ATTACK) else 0
    return -value - (danger if kind >= GOLD else danger / 2)


def main() -> None:
    """Carry out the command line."""
    parser = Parser("scripts/lab/shogi_weights.py", __doc__.splitlines()[0])
    parser.add("COMMAND", "hand: write the weights set by hand; pack: pack fitted weights")
    parser.add("SOURCE", "hand: the size of the board, 9 or 5; pack: the fitted weights")
    parser.add("TARGET", "the file to write")
    arguments = parser.parse_args()
    if arguments.command == "hand":
        packed = by_hand(int(arguments.source))
    elif arguments.command == "pack":
        packed = zlib.compress(pathlib.Path(arguments.source).read_bytes(), 9)
    else:
        parser.error(f"COMMAND must be hand or pack, not {arguments.command}")
    pathlib.Path(arguments.target).write_bytes(packed)


if __name__ == "__main__":
    main()
