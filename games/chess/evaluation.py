"""The static evaluation: a small network, whose hidden layer is packed into one int.

The inputs are the 12 kinds of pieces on the 64 squares, as in an efficiently updatable network
(NNUE).  Each piece adds its weights to the hidden units, once as White sees the board and
once as Black sees it (upside down, colours exchanged).  Negative units count as zero,
and the score for White is the signed sum of White's units minus that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero, so it carries plain material and
piece-square values.  The weights depend on the phase of the game, that is, on the number of pieces
left.  Weights that also depend on the kings' squares, like HalfKA's, gained no strength
(docs/lab/chess.md).

All units are lanes of one int (games/lanes.py), the accumulator.  White's units are in the low
lanes, Black's above them.

Each phase has a table, made when first needed, of what each piece on each square adds to both
sides' lanes.  A move updates the accumulator incrementally: it adds and subtracts the ints of its
pieces.  A capture may lead into the next phase, where another table applies.  The accumulator is
then refreshed: all pieces are added up again.

Above the lanes lies the material, which is the count of each kind of piece: 4 bits for each of
White's PNBRQ, then for each of Black's.  Above that are the bitboards of the white and of the black
pieces, 64 bits each.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from zlib import crc32

from games import data
from games.chess.tables import BLACK, COMMONER, KING, PIECE_VALUES
from games.data import Fields, Lazy
from games.lanes import LANE, LINEAR_BIAS, STEPS, Lanes, sign_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.attacks import Pieces

    # Table[piece][square]: what a piece adds to an accumulator; Table[0][0]: the accumulator of
    # an empty board.
    Table = list[list[int]]
    Value = Callable[[int, int], float]
    Numbers = bytes | memoryview

FILE = "chess/network.bin"
INPUTS = 12 * 64
# The smallest odd number of units with which the folds of games/lanes.py work.
MIN_UNITS = 5
# The size of the checksum at the end of a file, and the CRC-32 of all bytes of an undamaged file.
_CHECKSUM_BYTES, _RESIDUE = 4, 0x2144DF1C
MATERIAL_BITS = 4  # bits for the count of each kind of piece
SIDE_BITS = 5 * MATERIAL_BITS


class NetworkWeights(Fields):
    """The weights of all phases.

    units: the number of units, which is odd.  Positive and negative units alternate; the first
        and the last unit are positive.
    tempo: bonus for the side to move, in centipawns.
    phases: {minimum piece count of a phase: its rows of numbers}, in falling order.  Rows: see
        `read_weights`.
    """

    units: int
    tempo: int
    phases: dict[int, Numbers]

    def rows(self, fewest: int) -> list[int]:
        """Return an int for each input of a phase: the packed weights that it adds to the units.

        The last int holds the biases.  fewest: the minimum number of pieces in the phase.
        """
        numbers, width, signs = self.phases[fewest], self.units * LANE // 8, sign_bits(self.units)
        # A number has as many bits as a lane, so a row is read as one int.  A negative number
        # borrows from the lane above.  Adding half of a lane's range to the biases makes all sums
        # positive again.
        rows = [
            (int.from_bytes(numbers[at : at + width], "little") ^ signs) - signs
            for at in range(0, len(numbers), width)
        ]
        rows[-1] += signs
        return rows


class ChessNetwork(Lanes):
    """The tables of a network, plus values of pieces.

    features[count]: the Table for a board with `count` pieces.
    material_shift, occupancy_shift: bit offsets of the material and of the bitboards.
    turn: a square XOR `turn` is to Black what the square is to White.
    """

    turn = 56

    def __init__(self, weights: NetworkWeights, *values: Value) -> None:
        """Prepare the tables.  values: functions value(kind, square) -> centipawns for White."""
        super().__init__(2 * weights.units, weights.tempo)
        self.weights, self._values = weights, values
        self.material_shift = self.bits
        self.occupancy_shift = self.material_shift + 2 * SIDE_BITS
        self.features = Lazy(self._new_table)  # {count: Table}, each made when first needed

    def _new_table(self, count: int) -> Table:
        fewest = next(fewest for fewest in self.weights.phases if fewest <= count)
        if count != fewest:
            return self.features[fewest]  # boards of a phase share their table
        *inputs, biases = self.weights.rows(fewest)
        bits = self.bits // 2  # of each side's units
        table: Table = [[biases + (biases << bits)]] + [[] for _ in range(COMMONER + BLACK)]
        for kind in range(1, KING + 1):
            own, enemy = 64 * (kind - 1), 64 * (kind + KING - 1)
            for colour, white, black in ((0, own, enemy), (1, enemy, own)):
                material_at = self.material_shift + MATERIAL_BITS * (kind - 1) + SIDE_BITS * colour
                material = 1 << material_at if kind < KING else 0
                occupancy_at = self.occupancy_shift + 64 * colour
                table[kind + BLACK * colour] = [
                    inputs[white + square]
                    + (inputs[black + (square ^ 56)] << bits)
                    + material
                    + (1 << occupancy_at + square)
                    for square in range(64)
                ]
            for value in self._values:
                for square in range(64):
                    bonus = self.bonus(value(kind, square))
                    table[kind][square] += bonus
                    table[kind + BLACK][square ^ self.turn] -= bonus
        table[COMMONER], table[COMMONER + BLACK] = table[KING], table[KING + BLACK]
        return table

    def table(self, pieces: Pieces, captures: int = 0) -> Table:
        """Return the Table that applies to a board after this number of captures."""
        white, black = pieces
        return self.features[len(white) + len(black) - captures]

    def accumulate(self, pieces: Pieces, captures: int = 0) -> int:
        """Return the accumulator of a board, by the Table that applies after some captures."""
        table = self.table(pieces, captures)
        return table[0][0] + sum(
            [table[piece][square] for own in pieces for square, piece in own.items()]
        )

    def bonus(self, centipawns: float) -> int:
        """Return the int that, added to an accumulator, gives White a bonus in centipawns."""
        # The last lane of each side's units holds the linear unit, which never falls below zero.
        bits = self.bits // 2
        lane = round(centipawns * STEPS / 2) << bits - LANE
        return lane - (lane << bits)


@cache
def network() -> ChessNetwork:
    """Return chess's network, which is read from its file on first use."""
    return read_network(FILE)


def read_network(file: str, *values: Value) -> ChessNetwork:
    """Return a new network with a file's weights, plus values (see ChessNetwork).

    If the file can't be read, the weights are zero, and values of material and centre are added.
    """
    without = "positions are judged by material and the centre alone"
    weights = data.load(file, read_weights, without)
    if weights is None:
        return ChessNetwork(zero_weights(), _material_and_centre, *values)
    return ChessNetwork(weights, *values)


def _material_and_centre(kind: int, square: int) -> float:
    """Return the value of a piece if network.bin is missing: material and a small centre bonus."""
    file, rank = square & 7, square >> 3
    centre = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
    # Take seven eighths of the material, since the largest possible sum of the full values would
    # not fit into a lane.
    return PIECE_VALUES[kind] * 7 // 8 + 3 * centre


def zero_weights() -> NetworkWeights:
    """Return weights that judge nothing, for a network that only adds up values of pieces."""
    width = MIN_UNITS * LANE // 8
    biases = (LINEAR_BIAS << (MIN_UNITS - 1) * LANE).to_bytes(width, "little")
    return NetworkWeights(MIN_UNITS, 10, {0: bytes(INPUTS * width) + biases})


def read_weights(content: bytes) -> NetworkWeights:
    """Return the NetworkWeights of network.bin's bytes.  Raises DamagedError.

    The file begins with a line of text that says how it was made.  The next line has the number of
    units, the tempo and the minimum piece count of each phase, in falling order down to 0.  Then
    come, phase by phase, rows of little-endian 16-bit numbers, one per unit: the weights of the
    player's PNBRQK on a1 ... h8, those of the opponent's, and the biases.  The last four bytes are
    the CRC-32 of everything before them.
    """
    if crc32(content) != _RESIDUE:
        raise data.DamagedError("its checksum is wrong")
    head = BytesIO(content)
    _, shape = head.readline(), head.readline()
    units, tempo, *fewest = map(int, shape.split())
    numbers = memoryview(content)[head.tell() : -_CHECKSUM_BYTES]
    size = len(numbers) // len(fewest)  # bytes of each phase
    phases = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    return NetworkWeights(units, tempo, dict(zip(fewest, phases)))
