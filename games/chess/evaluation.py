"""The static evaluation: a small network, its hidden layer packed into one int.

The inputs are the 12 kinds of pieces on the 64 squares, as in an efficiently updatable network
(NNUE).  Each piece adds its weights to the hidden units, once as White sees the board and
once as Black sees it (upside down, colours exchanged).  Negative units count as zero,
and the score for White is the signed sum of White's units minus that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero, so it carries plain material and
piece-square values.  The weights depend on the phase of the game: see games/chess/weights.py.

All units are lanes of LANE bits in one int (SWAR), the accumulator.  White's units are in the low
lanes, Black's above them.  Half of a lane's range is added to each, so that its top bit means
"not negative".  Units count positive and negative in turn.  Since 2**LANE is -1 modulo 2**LANE + 1,
a single remainder gives the whole signed sum.  An example of two lanes of 16 bits; the unit in the
lower lane counts positive:

    units 5 and 3     8003 8005    top bits 8000 8000    mask 7fff 7fff    masked 0003 0005
                      0x30005 % 0x10001 = 2 = 5 - 3
    units 5 and -3    7ffd 8005    top bits 0000 8000    mask 0000 7fff    masked 0000 0005
                      0x00005 % 0x10001 = 5 = 5 - 0

Each phase has a table, made when first needed, of what each piece on each square adds to both
sides' lanes.  A move updates the accumulator incrementally: it adds and subtracts the ints of its
pieces.  A capture may lead into the next phase, where another table applies.  The accumulator is
then refreshed: all pieces are added up again.

Above the lanes lies the material, which is the count of each kind of piece: 4 bits for each of
White's PNBRQ, then for each of Black's.  Above that are the bitboards of the white and of the black
pieces, 64 bits each.
"""

from __future__ import annotations

from array import array

from games import data
from games.chess.endgames import MAX_PIECES, known_score
from games.chess.tables import BLACK, COMMONER, KING, PIECE_VALUES
from games.chess.weights import (
    FILE,
    LANE,
    LINEAR_BIAS,
    MIN_UNITS,
    SIGN,
    NetworkWeights,
    read_weights,
)
from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.movegen import Pieces
    from games.chess.position import ChessPosition

    # Table[piece][square]: what a piece adds to an accumulator; Table[0][0]: the accumulator of
    # an empty board.
    Table = list[list[int]]
    Value = Callable[[int, int], float]

STEPS = 3  # steps of a lane per centipawn: few enough that the sum of all units fits into a lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4  # bits for the count of each kind of piece
SIDE_BITS = 5 * MATERIAL_BITS


class ChessNetwork:
    """The tables of a network, and the constants with which scores are computed.

    features[count]: the Table for a board with `count` pieces.
    sign_bits: the top bit of each lane.
    folds: (width in bits, mask) of the two folds; each about halves the number of lanes.
    material_shift, occupancy_shift: bit offsets of the material and of the bitboards.
    tempo: value of the right to move, in centipawns.
    """

    def __init__(self, weights: NetworkWeights) -> None:
        self.weights, self.tempo = weights, weights.tempo
        units, lanes = weights.count, 2 * weights.count
        self.material_shift = lanes * LANE
        self.occupancy_shift = self.material_shift + 2 * SIDE_BITS
        self.sign_bits = sum(1 << lane * LANE + SIGN for lane in range(lanes))
        # Fold the int before the division, which is the slowest step.  A lane may be added to the
        # lane 2, 4, 6 ... places below, since 2**(2 * LANE) is 1 modulo MODULUS.
        self.folds = [
            (width, (1 << width) - 1) for width in (units // 2 * 2 * LANE, units // 4 * 2 * LANE)
        ]
        self.features = Lazy(self._new_table)  # {count: Table}, each made when first needed

    def _new_table(self, count: int) -> Table:
        fewest, bits = self.weights.fewest[count], self.weights.bits
        if count != fewest:
            return self.features[fewest]  # boards of a phase share their table
        *inputs, biases = self.weights.rows(fewest)
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
        table[COMMONER], table[COMMONER + BLACK] = table[KING], table[KING + BLACK]
        return table

    def table(self, pieces: Pieces) -> Table:
        """Return the Table that applies to a board."""
        white, black = pieces
        return self.features[len(white) + len(black)]

    def accumulate(self, pieces: Pieces) -> int:
        """Return the accumulator of a board."""
        return self.add_up(pieces, self.table(pieces))

    def add_up(self, pieces: Pieces, table: Table) -> int:
        """Return the accumulator of these pieces.

        table: the Table for that many pieces or, if a capture is about to be made, for one fewer.
        """
        return table[0][0] + sum(
            [table[piece][square] for own in pieces for square, piece in own.items()]
        )

    def bonus(self, centipawns: float) -> int:
        """Return the int that, added to an accumulator, gives White a bonus in centipawns."""
        lane = (
            round(centipawns * STEPS / 2) << self.weights.bits - LANE
        )  # shifted to the lane of the linear unit
        return lane - (lane << self.weights.bits)

    def score(self, accumulator: int, side: int) -> int:
        """Return an accumulator's score in centipawns for `side`, the side to move."""
        total = self.output(accumulator)
        return (-total if side else total) // STEPS + self.tempo

    def output(self, accumulator: int) -> int:
        """Return an accumulator's score for White, in steps of a lane, without the tempo."""
        # Spread a lane's top bit to a mask of the bits below it.
        active = accumulator & self.sign_bits
        value = accumulator & active - (active >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        value %= MODULUS
        if value > HALF:
            value -= MODULUS
        return value


_loaded: list[ChessNetwork] = []


def network() -> ChessNetwork:
    """Return chess's network, which is read from its file on first use."""
    if not _loaded:
        _loaded.append(read_network(FILE))
    return _loaded[0]


def read_network(file: str, value: Value | None = None) -> ChessNetwork:
    """Return a new network with a file's weights, or plain_weights() if the file can't be read.

    value(kind, square): centipawns to add to the value of a white piece.
    """
    found = data.load(file, read_weights, "positions are judged by material and the centre alone")
    weights = found or plain_weights()
    if value is not None:
        weights = weights.plus(lambda kind, square: STEPS * value(kind, square))
    return ChessNetwork(weights)


def material_and_centre(kind: int, square: int) -> float:
    """Return the value of a piece if network.bin is missing: material and a small centre bonus."""
    file, rank = square & 7, square >> 3
    centre = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
    # Take seven eighths of the material, since the largest possible sum of the full values would
    # not fit into a lane.
    return PIECE_VALUES[kind] * 7 // 8 + 3 * centre


def plain_weights(value: Value = material_and_centre) -> NetworkWeights:
    """Return weights that add up the values of all pieces.

    value(kind, square): centipawns of a white piece.
    """

    def row(piece: int, square: int) -> bytes:
        # A piece counts in three positive units of each of the two views, so each unit gets a sixth
        # of the value.
        enemy, kind = divmod(piece, 6)
        steps = int(value(kind + 1, square ^ 56 if enemy else square) * STEPS / 6)
        return _packed([-steps if enemy else steps, 0] * 3)

    rows = [row(piece, square) for piece in range(12) for square in range(64)]
    rows.append(_packed([LINEAR_BIAS, 0] * 3))
    return NetworkWeights(MIN_UNITS, 10, [(0, b"".join(rows))])


def _packed(numbers: list[int]) -> bytes:
    return data.write_numbers(array("h", numbers[:MIN_UNITS]))


def terms(position: ChessPosition) -> list[tuple[str, int]]:
    """Return [(name, score)] for the side to move.

    They are material, the network's contribution, the right to move, and known endgames.
    """
    net = network()
    side = position.side
    pieces = position.pieces
    score = net.score(net.accumulate(pieces), side)
    own, enemy = (
        sum(PIECE_VALUES[piece & 7] for piece in pieces[colour].values())
        for colour in (side, side ^ 1)
    )
    out = [
        ("Material", own - enemy),
        ("Placement", score - net.tempo - own + enemy),
        ("Right to move", net.tempo),
    ]
    if len(pieces[0]) + len(pieces[1]) <= MAX_PIECES:
        known = known_score(pieces, position.kings, side, score)
        out.append(("Known ending", known - score))
    return out
