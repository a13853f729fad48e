"""The static evaluation: a small network, its hidden layer packed into one int.

The inputs are the 12 pieces on the 64 squares, as in an efficiently updatable network
(NNUE).  Each adds its weights to the hidden units, once as White sees the board and
once as Black sees it (upside down, colours exchanged).  Negative units count as zero,
and the score for White is the signed sum of White's units minus that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero, so it carries plain material and
piece-square values.  The weights depend on the phase of the game, that is on the number of
pieces left: each phase has its own set.

All units are lanes of LANE bits in one int, the accumulator: White's, and above them
Black's.  Half of a lane's range is added to each, so that its top bit means "not
negative".  Lanes that count positive and negative alternate: as 2**LANE is -1 modulo
2**LANE + 1, one remainder gives the whole signed sum.  A move adds and subtracts the ints
of its pieces; a capture that leads into the next phase adds up all pieces anew.

Above the lanes lies the material: 4 bits for each of the kinds PNBRQ of White, then of
Black.  Above that are the bitboards of the white and of the black pieces, 64 bits each.
"""

from __future__ import annotations

from array import array
from zlib import crc32

from games import data
from games.chess.endgames import MAX_PIECES, known_score
from games.chess.tables import BLACK, KING, PIECE_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.chess.position import ChessPosition

    Rows = Sequence[bytes | memoryview]

_FILE = "chess/network.bin"

LANE = 16  # the width of the file's numbers, so they form an int at once
UNIT = 3  # steps of a lane in a centipawn; the sum must fit into one lane
SIGN = LANE - 1  # the top bit of a lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4  # of a kind
SIDE_BITS = 5 * MATERIAL_BITS
ROWS = 12 * 64 + 1  # of a phase
MOST_PIECES = 32
LINEAR_BIAS = 1 << SIGN - 1  # of the unit that never falls below zero


class Network:
    """The tables of all phases.

    features[count][piece][square]: what a piece adds to an accumulator if the board has
        `count` pieces.
    ends_phase[count]: does a capture lead into the next phase?
    sign_bits: the top bit of each lane.
    folds: (bits, mask of them) by which the lanes are halved twice.
    material_shift, occupancy_shift: offsets of the material and of the bitboards.
    tempo: value of the right to move, in centipawns.
    """

    def __init__(self, units: int, tempo: int, phases: Sequence[tuple[int, Rows]]) -> None:
        """Build the tables.

        units: an odd number; they count positive and negative in turn, the first and the last
            positive.
        phases: (fewest pieces of the phase, its rows of weights), most pieces first.  Rows: see
            `read_network`.
        """
        lanes = 2 * units
        self.material_shift = lanes * LANE
        self.occupancy_shift = self.material_shift + 2 * SIDE_BITS
        self.sign_bits = sum(1 << lane * LANE + SIGN for lane in range(lanes))
        self.tempo = tempo
        # 2**(2 * LANE) is 1 modulo MODULUS, so an even number of lanes may be folded onto
        # the others before the division, the slowest step.
        self.folds = [
            (width, (1 << width) - 1) for width in (units // 2 * 2 * LANE, units // 4 * 2 * LANE)
        ]
        self.features: list[list[list[int]]] = [[]] * (MOST_PIECES + 1)
        self._bases = [0] * (MOST_PIECES + 1)  # the empty board's accumulator
        self.ends_phase = [False] * (MOST_PIECES + 1)
        most = MOST_PIECES
        for fewest, rows in phases:
            base, features = self._tables(units, rows)
            for count in range(fewest, most + 1):
                self._bases[count], self.features[count] = base, features
            self.ends_phase[fewest] = fewest > 0
            most = fewest - 1

    def _tables(self, units: int, rows: Rows) -> tuple[int, list[list[int]]]:
        """Return the accumulator of the empty board and the features of a phase."""
        signs = self.sign_bits & (1 << units * LANE) - 1
        # A negative number borrows from the lane above; adding half of the range prevents
        # that.
        weights = [(int.from_bytes(row, "little") ^ signs) - signs for row in rows]
        features: list[list[int]] = [[] for _ in range(16)]
        for kind in range(1, KING + 1):
            for colour in (0, BLACK):
                material_at = self.material_shift + MATERIAL_BITS * (kind - 1)
                material = 1 << material_at + (SIDE_BITS if colour else 0)
                occupancy_at = self.occupancy_shift + (64 if colour else 0)
                white, black = (
                    64 * (kind - 1 + (6 if seen else 0)) for seen in (colour, BLACK - colour)
                )
                features[kind + colour] = [
                    weights[white + square]
                    + (weights[black + (square ^ 56)] << units * LANE)
                    + (0 if kind == KING else material)
                    + (1 << occupancy_at + square)
                    for square in range(64)
                ]
        biases = weights[-1]
        return biases + (biases << units * LANE) + self.sign_bits, features

    def accumulate(self, board: list[int], fewer: int = 0) -> int:
        """Return the accumulator of a board, by the weights of one with `fewer` fewer pieces."""
        count = 64 - board.count(0) - fewer
        features = self.features[count]
        return self._bases[count] + sum(
            [features[piece][square] for square, piece in enumerate(board) if piece]
        )

    def score(self, accumulator: int, side: int) -> int:
        """Return centipawns for `side`, the side to move."""
        total = self.output(accumulator)
        return (-total if side else total) // UNIT + self.tempo

    def output(self, accumulator: int) -> int:
        """Return the score for White, in steps of a lane and without the tempo."""
        # Spread a lane's top bit to a mask of the bits below it.
        active = accumulator & self.sign_bits
        value = accumulator & active - (active >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        value %= MODULUS
        if value > HALF:
            value -= MODULUS
        return value


_CHECKSUM_BYTES = 4
_FEWEST_UNITS = 5  # lanes are folded to halves and quarters
_loaded: list[Network] = []


def network() -> Network:
    """Return the network in use, read on first use."""
    if not _loaded:
        found = data.load(_FILE, read_network, "chess is judged by material and the centre alone")
        _loaded.append(found or plain_network())
    return _loaded[0]


def plain_network() -> Network:
    """Return the fallback Network without network.bin: material and a small centre bonus."""

    def row(piece: int, square: int) -> bytes:
        kind, file, rank = piece % 6 + 1, square & 7, square >> 3
        centre = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
        # Three units count positive, each in White's view and in Black's.  Seven eighths
        # of the material, since the largest possible sum would not fit into a lane.
        value = (PIECE_VALUES[kind] * 7 // 8 + 3 * centre) * UNIT // 6
        return _row([-value if piece >= 6 else value, 0] * 3)

    rows = [row(piece, square) for piece in range(12) for square in range(64)]
    rows.append(_row([LINEAR_BIAS, 0] * 3))
    return Network(_FEWEST_UNITS, 10, [(0, rows)])


def _row(numbers: list[int]) -> bytes:
    return data.write_numbers(array("h", numbers[:_FEWEST_UNITS]))


def read_network(content: bytes) -> Network:
    """Return the Network of network.bin's bytes.  Raises ValueError if they are malformed.

    The file begins with a line of text that says how it was made.  The next line has the
    number of units, the tempo and for each phase the fewest pieces on the board, falling to
    0.  Then follow, phase by phase, rows of little-endian 16-bit numbers, one for each unit:
    the weights of White's PNBRQK on a1 ... h8, then of Black's, and the biases.  The last
    four bytes are the CRC-32 of all that.
    """
    content, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    if crc32(content) != int.from_bytes(checksum, "little"):
        raise data.DamagedError("its checksum is wrong")
    lines = content.split(b"\n", 2)
    shape = lines[1].split() if len(lines) == 3 else []
    if len(shape) < 3 or not all(word.isdigit() and len(word) < 5 for word in shape):
        raise data.DamagedError("malformed header")
    units, tempo, *fewest = map(int, shape)
    if (
        units < _FEWEST_UNITS
        or units % 2 == 0
        or fewest[-1]
        or (fewest != sorted(set(fewest), reverse=True) or fewest[0] >= MOST_PIECES)
    ):
        raise data.DamagedError("malformed header")
    width = units * LANE // 8
    numbers = memoryview(data.of_size(lines[2], len(fewest) * ROWS * width))
    rows = [numbers[at : at + width] for at in range(0, len(numbers), width)]
    return Network(
        units,
        tempo,
        [(count, rows[phase * ROWS : (phase + 1) * ROWS]) for phase, count in enumerate(fewest)],
    )


def write_network(
    origin: str, tempo: int, phases: Sequence[tuple[int, Sequence[Sequence[int]]]]
) -> None:
    """Write network.bin.

    phases: (fewest pieces, rows of weights), both as in `read_network`, in steps of a lane.
    """
    units = len(phases[0][1][0])
    shape = " ".join(map(str, [units, tempo] + [fewest for fewest, _ in phases]))
    numbers = array("h")
    for _, rows in phases:
        for row in rows:
            numbers.extend(max(-32767, min(32767, number)) for number in row)
    content = f"# {origin}\n{shape}\n".encode() + data.write_numbers(numbers)
    with open(data.path_of(_FILE), "wb") as file:
        file.write(content + crc32(content).to_bytes(_CHECKSUM_BYTES, "little"))


def evaluate(position: ChessPosition) -> int:
    """Return the static evaluation of a position for the side to move, in centipawns."""
    return sum(score for _, score in terms(position))


def terms(position: ChessPosition) -> list[tuple[str, int]]:
    """Return [(name, score)] for the side to move.

    They are material, the network's contribution, the right to move, and known endgames.
    """
    net, side, pieces = network(), position.side, position.pieces
    score = net.score(net.accumulate(position.squares), side)
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
