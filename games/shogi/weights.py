"""The weights of the network that evaluates shogi, from a file or by hand.

The file is packed by zlib: little-endian 16-bit numbers, first UNITS for each input, then the UNITS
biases, then for each square of the view's own king on the left half of the board (row by row) the
weight of each input to the linear unit.  The inputs are the pieces on the squares, then the numbers
of pieces in hand (0 to MAX_HAND), both by piece as in games/shogi/tables.py, whose Black is the
view's own side.  scripts/lab/shogi_fit.py makes the file.
"""

from __future__ import annotations

from games import data
from games.shogi.tables import BISHOP, GOLD, KING, KNIGHT, PAWN, PIECES, ROOK, VALUE, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

STEPS = 3  # steps of a lane per centipawn
UNITS = 16  # besides the linear unit; an even number
MAX_HAND = 18

# By hand, in centipawns: what a guard next to the own king is worth and two steps away; what an
# attacker costs there; each row that the king has advanced; each row that a pawn has advanced.
_GUARD, _ATTACK = (0, 20, 10), (0, 65, 40, 15)
_KING_ROW, _PAWN_ROW = 22, 4
_IN_HAND = 1.1  # the value of a piece in hand, by that on the board


class Weights:
    """Weights of one board.

    inputs: number of inputs.  hidden: UNITS weights for each input, or None if all are zero.
    biases: those of the units.  linear(king): the weight of each input for a view with its king on
    that square.
    """

    def __init__(self, size: int, numbers: Sequence[int] | None) -> None:
        """numbers: those of the file, None to take the weights set by hand."""
        self.size, self.cells = size, size * size
        self.inputs = inputs_of(size)
        self._numbers = numbers
        at = self.inputs * UNITS
        self.hidden = None if numbers is None else numbers[:at]
        self.biases: Sequence[int] = [0] * UNITS if numbers is None else numbers[at : at + UNITS]

    def linear(self, king: int) -> Sequence[int]:
        """Return the weights of a view with its king on a square of the left half, by input."""
        if self._numbers is not None:
            row, column = divmod(king, self.size)
            at = (self.inputs + 1) * UNITS
            at += (row * ((self.size + 1) // 2) + column) * self.inputs
            return self._numbers[at : at + self.inputs]
        values = [
            self._value(piece, square, king)
            for piece in range(PIECES)
            for square in range(self.cells)
        ]
        values += [
            (-count if piece & WHITE else count) * VALUE[piece] * _IN_HAND * (0 < piece & 15 < KING)
            for piece in range(PIECES)
            for count in range(MAX_HAND + 1)
        ]
        return [round(value * STEPS / 2) for value in values]

    def _value(self, piece: int, square: int, king: int) -> float:
        """Return centipawns of a piece on the board, for a view with its king on `king`."""
        kind, own, size = piece & 15, piece < WHITE, self.size
        row, column = divmod(square, size)
        if kind == KING:
            return -_KING_ROW * row if own else 0
        king_row, king_column = divmod(king, size)
        distance = max(abs(row - king_row), abs(column - king_column))
        value = VALUE[piece] + (0 if kind != PAWN else _PAWN_ROW * (row if own else size - 1 - row))
        if own:
            guards = _GUARD if kind not in (BISHOP, ROOK, KNIGHT) else ()
            return value + (guards[distance] if distance < len(guards) else 0)
        danger = _ATTACK[distance] if distance < len(_ATTACK) else 0
        return -value - (danger if kind >= GOLD else danger / 2)


def inputs_of(size: int) -> int:
    """Return the number of inputs of a board."""
    return PIECES * (size * size + MAX_HAND + 1)


def load(file: str, size: int) -> Weights:
    """Return the weights of a file, those set by hand if it is missing or `file` is empty."""
    kings = size * ((size + 1) // 2)
    count = inputs_of(size) * (UNITS + kings) + UNITS

    def unpack(content: bytes) -> Sequence[int]:
        return data.read_numbers("h", data.unpacked(content, 2 * count))

    without = "positions are judged by weights set by hand"
    return Weights(size, data.load(file, unpack, without) if file else None)
