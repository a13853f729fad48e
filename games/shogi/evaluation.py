"""The static evaluation: a small network, its hidden layer packed into one int (games/lanes.py).

The inputs are the pieces on the squares and the numbers of pieces in hand.  Each adds its weights
to UNITS hidden units, once as Black sees the board and once as White sees it (turned around, the
colours exchanged).  The last unit of each view never falls below zero; its weights depend on the
square of the view's own king, so it knows about king safety.  A view is mirrored if its king is on
the right half of the board.

    score = sum of sign[u] * (max(black[u], 0) - max(white[u], 0))

Black's units are in the low lanes, White's above them; above the lanes is the bitboard of all
pieces.  For each pair of kings' squares a table has what each piece on each square, and each number
of pieces in hand, adds to this int, the accumulator.

A file of weights is packed by zlib: little-endian 16-bit numbers, first UNITS for each input, then
the UNITS biases, then for each square of the view's own king on the left half of the board (row by
row) the weight of each input to the linear unit.  The inputs are the pieces on the squares, then
the numbers of pieces in hand (0 to MAX_HAND), both by piece as in games/shogi/tables.py, whose
Black is the view's own side.  scripts/lab/shogi_weights.py makes the file.
"""

from __future__ import annotations

from games import data
from games.data import Lazy
from games.lanes import LANE, LINEAR_BIAS, STEPS, Lanes, packed, sign_bits
from games.shogi.tables import BISHOP, GOLD, KING, KNIGHT, PAWN, PIECES, ROOK, VALUE, WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.attacks import Pieces
    from games.shogi import Shogi

    # Table[piece][square], and Table[HAND + piece][count]: what they add to an accumulator;
    # Table[0][0]: the accumulator of an empty board.
    Table = list[list[int]]

UNITS = 16  # besides the linear unit; an even number
TEMPO = 30  # value of the right to move, in centipawns
HAND = PIECES  # Table[HAND + piece] belongs to the piece in hand
MAX_HAND = 18
_MAX_TABLES = 128  # number of pairs of kings' squares at which all tables are dropped

# By hand, in centipawns: what a guard next to the own king is worth and two steps away; what an
# attacker costs there; each row that the king has advanced; each row that a pawn has advanced.
_GUARD, _ATTACK = (0, 20, 10), (0, 65, 40, 15)
_KING_ROW, _PAWN_ROW = 22, 4
_IN_HAND = 1.1  # the value of a piece in hand, by that on the board


class ShogiNetwork(Lanes):
    """The tables of a network.

    features[black king << 7 | white king]: the Table for kings on these squares, made when needed.
    occupied_shift: the bit offset of the bitboard.
    """

    def __init__(self, size: int, numbers: Sequence[int] | None) -> None:
        """size: that of the board.  numbers: those of a file; None for weights set by hand."""
        super().__init__(2 * (UNITS + 1), TEMPO)
        self._size, self._cells, self._numbers = size, size * size, numbers
        self.occupied_shift = self.bits
        self.features: Lazy[int, Table] = Lazy(self._new_table, _MAX_TABLES)
        self._views: Lazy[int, Table] = Lazy(self._new_view, 2 * self._cells)
        rows = inputs_of(size) + 1
        self._hidden = [
            packed(numbers[at : at + UNITS]) if numbers else 0
            for at in range(0, rows * UNITS, UNITS)
        ]
        view = self._hidden.pop() + (LINEAR_BIAS << UNITS * LANE) + sign_bits(UNITS + 1)
        self._empty = view + (view << self.bits // 2)

    def _new_view(self, king: int) -> Table:
        """Return what each input adds to the lanes of a view, as its own side sees the board."""
        size, cells = self._size, self._cells
        king = king if king < cells else size // 2  # no king: as if it were on its first square
        column = king % size
        mirrored = 2 * column >= size
        linear = self.linear(king + size - 1 - 2 * column if mirrored else king)
        places = [square + (size - 1 - 2 * (square % size)) * mirrored for square in range(cells)]
        inputs = [[piece * cells + place for place in places] for piece in range(PIECES)]
        hand, counts = PIECES * cells, MAX_HAND + 1
        inputs += [
            list(range(first, first + counts))
            for first in range(hand, hand + PIECES * counts, counts)
        ]
        top = UNITS * LANE
        return [[self._hidden[at] + (linear[at] << top) for at in row] for row in inputs]

    def _new_table(self, kings: int) -> Table:
        black_king, white_king = kings >> 7, kings & 127
        cells, bits, shift = self._cells, self.bits // 2, self.occupied_shift
        black = self._views[black_king]
        white = self._views[cells - 1 - white_king if white_king < cells else cells]
        table = []
        for piece in range(PIECES):
            theirs = white[piece ^ WHITE][::-1]
            table.append(
                [
                    one + (two << bits) + (1 << shift + square)
                    for square, (one, two) in enumerate(zip(black[piece], theirs))
                ]
            )
        for piece in range(HAND, 2 * HAND):
            theirs = white[piece ^ WHITE]
            table.append([one + (two << bits) for one, two in zip(black[piece], theirs)])
        table[0][0] = self._empty
        return table

    def linear(self, king: int) -> Sequence[int]:
        """Return, by input, the weights to the linear unit of a view.

        king: the square of the view's own king, on the left half of the board.
        """
        size, inputs = self._size, inputs_of(self._size)
        if self._numbers is not None:
            row, column = divmod(king, size)
            at = (inputs + 1) * UNITS + (row * ((size + 1) // 2) + column) * inputs
            return self._numbers[at : at + inputs]
        values = [
            self._value(piece, square, king)
            for piece in range(PIECES)
            for square in range(self._cells)
        ]
        values += [
            (-count if piece & WHITE else count) * VALUE[piece] * _IN_HAND * (0 < piece & 15 < KING)
            for piece in range(PIECES)
            for count in range(MAX_HAND + 1)
        ]
        return [round(value * STEPS / 2) for value in values]

    def _value(self, piece: int, square: int, king: int) -> float:
        """Return centipawns by hand of a piece on the board, for a view with its king on `king`."""
        kind, own, size = piece & 15, piece < WHITE, self._size
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

    def add_up(self, pieces: Pieces, kings: Sequence[int], hands: Sequence[int]) -> int:
        """Return the accumulator of a position."""
        table = self.features[kings[0] << 7 | kings[1]]
        black, white = pieces
        return (
            table[0][0]
            + sum([table[piece][at] for at, piece in black.items()])
            + sum([table[piece][at] for at, piece in white.items()])
            + sum([table[HAND + piece][count] for piece, count in enumerate(hands) if count])
        )


def inputs_of(size: int) -> int:
    """Return the number of inputs of a board."""
    return PIECES * (size * size + MAX_HAND + 1)


def _load(named: tuple[str, int]) -> ShogiNetwork:
    """Return the network of (file, size of the board).

    Its weights are those set by hand if the file is missing or its name is empty.
    """
    file, size = named
    kings = size * ((size + 1) // 2)
    count = inputs_of(size) * (UNITS + kings) + UNITS

    def unpack(content: bytes) -> Sequence[int]:
        return data.read_numbers("h", data.unpacked(content, 2 * count))

    without = "positions are judged by weights set by hand"
    return ShogiNetwork(size, data.load(file, unpack, without) if file else None)


_NETWORKS = Lazy(_load)


def network_of(game: Shogi) -> ShogiNetwork:
    """Return the network of a game, whose weights are read on first use."""
    return _NETWORKS[game.network_file, game.size]
