"""The static evaluation: a small network, its hidden layer kept as lanes of one int.

The inputs are the 12 pieces on the 64 squares, as in an efficiently updatable network
(NNUE).  Each adds its weights to the hidden units, once as White sees the board and
once as Black sees it (upside down, colours exchanged).  Negative units count as zero,
and the score for White is the signed sum of White's units less that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero, so it carries plain material and
piece-square values.

All units are lanes of LANE bits in one int, the accumulator.  Half of a lane's range is
added to each, so that its top bit says "not negative".  Lanes that count positive and
negative alternate: as 2**LANE is -1 modulo 2**LANE + 1, one remainder gives the whole
signed sum.  A move adds and subtracts the ints of its pieces.

Above the lanes lies the material: 4 bits for each of the kinds PNBRQ of White, then of
Black.  Above that are the bitboards of the white and of the black pieces, 64 bits each.
"""
from __future__ import annotations

from array import array

from games import data
from games.chess.endgames import MAX_PIECES, known_score
from games.chess.tables import BLACK, KING, PIECE_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.chess.position import ChessPosition

    Weights = Callable[[int, int], array[int]]

_FILE = "chess/network.bin"

LANE = 16                       # as wide as the numbers of the file, which so fill an int at once
UNIT = 3                        # steps of a lane in a centipawn; the sum has to fit into one lane
SIGN = LANE - 1                 # the top bit of a lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4               # of a kind
SIDE_BITS = 5 * MATERIAL_BITS
LINEAR_BIAS = 1 << SIGN - 1     # of the unit that never falls below zero


class Network:
    """The tables of one set of weights.

    features[piece][square]: what a piece adds to an accumulator.
    base: the accumulator of the empty board.
    sign_bits: the top bit of each lane.
    folds: (bits, mask of them) by which the lanes are halved twice.
    material_shift, occupancy_shift: where the material and the bitboards begin.
    tempo: centipawns for the right to move.
    """

    def __init__(self, signs: Sequence[int], biases: array[int], weights: Weights,
                 tempo: int) -> None:
        """signs: of each unit, the positive ones first.  biases: likewise.

        weights(piece, square): those of the units, as White sees it.
        """
        self._positive, lanes = signs.count(1), 2 * len(signs)
        self.material_shift = lanes * LANE
        self.occupancy_shift = self.material_shift + 2 * SIDE_BITS
        self.sign_bits = sum(1 << lane * LANE + SIGN for lane in range(lanes))
        self.tempo = tempo
        # 2**(2 * LANE) is 1 modulo MODULUS, so an even number of lanes may be added to
        # the others before the division, which takes longest.
        self.folds = [(width, (1 << width) - 1) for width in (
            len(signs) // 2 * 2 * LANE, len(signs) // 4 * 2 * LANE)]
        self.base = self._pack(biases, biases) + self.sign_bits
        self.features: list[list[int]] = [[] for _ in range(16)]
        for kind in range(1, KING + 1):
            for colour in (0, BLACK):
                material_at = self.material_shift + MATERIAL_BITS * (kind - 1)
                material = 1 << material_at + (SIDE_BITS if colour else 0)
                occupancy_at = self.occupancy_shift + (64 if colour else 0)
                self.features[kind + colour] = [
                    self._pack(weights(kind + colour, square),
                               weights(kind + BLACK - colour, square ^ 56))
                    + (0 if kind == KING else material) + (1 << occupancy_at + square)
                    for square in range(64)]

    def _pack(self, white: array[int], black: array[int]) -> int:
        """The numbers of both views as lanes: those that count positive in the even ones."""
        middle, lanes = self._positive, white + black
        lanes[0::2] = white[:middle] + black[middle:]
        lanes[1::2] = black[:middle] + white[middle:]
        # Negative numbers borrow from the lane above: with half of its range added none is.
        packed = int.from_bytes(data.write_numbers(lanes), "little")
        return (packed ^ self.sign_bits) - self.sign_bits

    def accumulate(self, board: list[int]) -> int:
        """The accumulator of a board."""
        return self.base + sum(self.features[piece][square]
                               for square, piece in enumerate(board) if piece)

    def score(self, accumulator: int, side: int) -> int:
        """Centipawns for `side`, who is to move."""
        total = self.output(accumulator)
        return (-total if side else total) // UNIT + self.tempo

    def output(self, accumulator: int) -> int:
        """The score for White, in steps of a lane and without the tempo."""
        # A lane's top bit becomes a mask of the bits below it.
        active = accumulator & self.sign_bits
        value = accumulator & active - (active >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        value %= MODULUS
        if value > HALF:
            value -= MODULUS
        return value


_FEWEST_UNITS = 4               # lanes are added up by halves and quarters
_loaded: list[Network] = []


def network() -> Network:
    """The network in use, read when first asked for."""
    if not _loaded:
        found = data.load(_FILE, read_network,
                          "chess is played by material and the middle of the board alone")
        _loaded.append(found or plain_network())
    return _loaded[0]


def plain_network() -> Network:
    """The Network without network.bin: material and, a little, the centre."""
    def weights(piece: int, square: int) -> array[int]:
        kind, file, rank = piece & 7, square & 7, square >> 3
        centre = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
        # Each unit counts twice: in White's view and in Black's.  Seven eighths of the
        # material, or the most there can be would not fit into the sum.
        value = (PIECE_VALUES[kind] * 7 // 8 + 3 * centre) * UNIT // (2 * _FEWEST_UNITS)
        return array("h", [-value if piece & BLACK else value] * _FEWEST_UNITS)

    return Network([1] * _FEWEST_UNITS, array("h", [LINEAR_BIAS] * _FEWEST_UNITS), weights, 10)


def read_network(content: bytes) -> Network:
    """The Network of network.bin's bytes; ValueError where they are none.

    A line of text says how it was made, the next has the number of units and the tempo.
    Then come little-endian 16-bit numbers: a sign for each unit, the positive ones
    first, rows of weights (White's PNBRQK on a1 ... h8, then Black's) and biases.
    """
    lines = content.split(b"\n", 2)
    shape = lines[1].split() if len(lines) == 3 else []
    if len(shape) != 2 or not all(word.isdigit() and len(word) < 5 for word in shape) or (
            int(shape[0]) < _FEWEST_UNITS):
        raise data.DamagedError("its first lines tell no shape")
    units, tempo = map(int, shape)
    numbers = data.read_numbers("h", data.of_size(lines[2], 2 * units * (1 + 12 * 64 + 1)))
    signs = numbers[:units].tolist()
    if sorted(signs, reverse=True) != signs or not set(signs) <= {1, -1}:
        raise data.DamagedError("its signs are none")

    def weights(piece: int, square: int) -> array[int]:
        row = ((piece & 7) - 1 + (6 if piece & BLACK else 0)) * 64 + square + 1
        return numbers[row * units:(row + 1) * units]

    return Network(signs, numbers[-units:], weights, tempo)


def write_network(origin: str, signs: Iterable[int], rows: Iterable[Iterable[int]],
                  tempo: int) -> None:
    """Write network.bin.

    signs: of the units, the positive ones first.
    rows: 768 of weights and one of biases, in steps of a lane.
    """
    numbers = array("h", signs)
    units = len(numbers)
    for row in rows:
        numbers.extend(max(-32767, min(32767, number)) for number in row)
    with open(data.path_of(_FILE), "wb") as file:
        file.write(f"# {origin}\n{units} {tempo}\n".encode() + data.write_numbers(numbers))


def evaluate(position: ChessPosition) -> int:
    """The static evaluation of a position for the side to move, in centipawns."""
    return sum(score for _, score in terms(position))


def terms(position: ChessPosition) -> list[tuple[str, int]]:
    """[(name, score)] for the side to move.

    Material, what the network sees beyond it, the right to move, known endgames.
    """
    net, side, pieces = network(), position.side, position.pieces
    score = net.score(net.accumulate(position.squares), side)
    own, enemy = (sum(PIECE_VALUES[piece & 7] for piece in pieces[colour].values())
                  for colour in (side, side ^ 1))
    out = [("Material", own - enemy),
           ("Placement", score - net.tempo - own + enemy),
           ("Right to move", net.tempo)]
    if len(pieces[0]) + len(pieces[1]) <= MAX_PIECES:
        known = known_score(pieces, position.kings, side, score)
        out.append(("Known ending", known - score))
    return out
