"""The static evaluation: a small network whose hidden layer lies side by side in one int.

Each of the 12 kinds of men on each of the 64 squares adds its numbers to `hidden` units, once as White sees
the board and once as Black sees it (upside down, colours exchanged).  Negative units count as zero, and the
score for White is the signed sum of White's units less that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero and so carries plain material and piece-square values.

All units are lanes of LANE bits in one int, the accumulator, with half of a lane's range added so that its top
bit says "not negative".  Lanes that count positive and negative alternate; as 2**LANE is -1 modulo
2**LANE + 1, one remainder gives the whole signed sum.  A move changes the accumulator by adding and
subtracting the ints of its men.  Above the lanes is the material: 4 bits for each of the kinds PNBRQ of
White, then of Black; above that 64 bits for the squares of the white men
and 64 for those of the black ones.
"""
from __future__ import annotations

from array import array
from sys import byteorder

from games import data
from games.chess.endings import MOST_MEN, known_score
from games.chess.tables import BLACK, KING

_FILE = "chess/network.bin"

LANE = 18
UNIT = 8                        # steps of a lane in a centipawn
SIGN = LANE - 1                 # the top bit of a lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4
SIDE_BITS = 5 * MATERIAL_BITS
LINEAR_BIAS = 1 << SIGN - 2     # of the unit that never falls below zero


class Network:
    """The tables of one set of weights.

    table[piece][square]: what a man adds to an accumulator.  base: the accumulator of the empty board.
    signs: the top bit of each lane.  folds: (bits, mask of them) to halve the lanes by.  top, squares: where the
    material and the bits of the squares begin.
    tempo: centipawns for the right to move.
    """

    def __init__(self, signs, biases, weights, tempo):
        """signs, biases: of each unit.  weights(piece, square): its numbers of the units, as White sees it."""
        lanes = 2 * len(signs)
        self.top = lanes * LANE
        self.squares = self.top + 2 * SIDE_BITS
        self.signs = sum(1 << lane * LANE + SIGN for lane in range(lanes))
        self.tempo = tempo
        # 2**(2 * LANE) is 1 modulo MODULUS, so an even number of lanes may be added to the others before the division,
        # which takes the longest: the sum of half the lanes and of a quarter.
        self.folds = [(width, (1 << width) - 1) for width in (len(signs) // 2 * 2 * LANE, len(signs) // 4 * 2 * LANE)]
        self.base = self._pack(signs, biases, biases) + self.signs
        self.table = [None] * 16
        for kind in range(1, KING + 1):
            for colour in (0, BLACK):
                material = 0 if kind == KING else 1 << self.top + MATERIAL_BITS * (kind - 1) \
                    + (SIDE_BITS if colour else 0)
                seen = self.squares + (64 if colour else 0)
                self.table[kind + colour] = [
                    self._pack(signs, weights(kind + colour, square), weights(kind + BLACK - colour, square ^ 56))
                    + material + (1 << seen + square) for square in range(64)]

    @staticmethod
    def _pack(signs, white, black):
        packed = 0
        for unit, sign in enumerate(signs):
            first, second = (white, black) if sign > 0 else (black, white)
            packed += (first[unit] << 2 * unit * LANE) + (second[unit] << (2 * unit + 1) * LANE)
        return packed

    def accumulate(self, board):
        """The accumulator of a board."""
        return self.base + sum(self.table[piece][square] for square, piece in enumerate(board) if piece)

    def score(self, accumulator, side):
        """Centipawns for `side`, who is to move."""
        total = self.sum_up(accumulator)
        return (-total if side else total) // UNIT + self.tempo

    def sum_up(self, accumulator):
        """The score for White, in steps of a lane."""
        alive = accumulator & self.signs
        value = accumulator & alive - (alive >> SIGN)
        for width, mask in self.folds:
            value = (value >> width) + (value & mask)
        value %= MODULUS
        if value > HALF:
            value -= MODULUS
        return value


_FEWEST_UNITS = 4           # of a network: its lanes are added up by halves and quarters
_WORTH = (0, 100, 320, 330, 500, 950, 0)    # centipawns, to show material apart from placement
_loaded = []


def network():
    """The network in use, read when first asked for."""
    if not _loaded:
        found = data.load(_FILE, read_network, "chess is played by material and the middle of the board alone")
        _loaded.append(found or plain_network())
    return _loaded[0]


def plain_network():
    """The Network that does without network.bin: material and, a little, the middle of the board."""
    def weights(piece, square):
        kind, file, rank = piece & 7, square & 7, square >> 3
        near = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
        worth = (_WORTH[kind] + 3 * near) * UNIT // 2       # counted twice: White's view and Black's
        return [0] * (_FEWEST_UNITS - 1) + [-worth if piece & BLACK else worth]

    return Network([1] * _FEWEST_UNITS, [0] * (_FEWEST_UNITS - 1) + [LINEAR_BIAS], weights, 10)


def read_network(content):
    """The Network of network.bin's bytes; ValueError in words where they are none.

    A line of text says how it was made, a line has the number of units and the tempo, then come little-endian 16-bit
    numbers: a sign for each unit, rows of weights (White's PNBRQK on a1 ... h8, Black's), biases.
    """
    lines = content.split(b"\n", 2)
    shape = lines[1].split() if len(lines) == 3 else []
    if len(shape) != 2 or not all(word.isdigit() and len(word) < 5 for word in shape) or int(shape[0]) < _FEWEST_UNITS:
        raise data.DamagedError("its first lines tell no shape")
    units, tempo = map(int, shape)
    numbers = array("h", data.of_size(lines[2], 2 * units * (1 + 12 * 64 + 1)))
    if byteorder == "big":
        numbers.byteswap()
    signs = numbers[:units]

    def weights(piece, square):
        row = ((piece & 7) - 1 + (6 if piece & BLACK else 0)) * 64 + square + 1
        return numbers[row * units:(row + 1) * units]

    biases = numbers[-units:].tolist()
    biases[-1] = LINEAR_BIAS
    return Network(signs, biases, weights, tempo)


def write_network(origin, signs, rows, tempo):
    """Write network.bin; rows: 768 of weights and one of biases, in steps of a lane."""
    numbers = array("h", signs)
    for row in rows:
        numbers.extend(max(-32767, min(32767, number)) for number in row)
    if byteorder == "big":
        numbers.byteswap()
    with open(data.path_of(_FILE), "wb") as file:
        file.write(f"# {origin}\n{len(signs)} {tempo}\n".encode() + numbers.tobytes())


def evaluate(position):
    """The static evaluation of a position for the side to move."""
    return sum(score for _, score in terms(position))


def terms(position):
    """[(name, score)] for the side to move: material, what the network sees beyond it, known endings."""
    net, side = network(), position.side
    whole = net.score(net.accumulate(position.board_squares), side)
    own, foes = (sum(_WORTH[piece & 7] for piece in position.men[colour].values()) for colour in (side, side ^ 1))
    found = [("Material", own - foes), ("Placement", whole - net.tempo - own + foes), ("Right to move", net.tempo)]
    if len(position.men[0]) + len(position.men[1]) <= MOST_MEN:
        found.append(("Known ending", known_score(position.men, position.kings, side, whole) - whole))
    return found
