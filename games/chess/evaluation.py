"""The static evaluation: a small network, its hidden layer packed into one int.

The inputs are the 12 pieces on the 64 squares, as in an efficiently updatable network
(NNUE).  Each adds its weights to the hidden units, once as White sees the board and
once as Black sees it (upside down, colours exchanged).  Negative units count as zero,
and the score for White is the signed sum of White's units minus that of Black's:

    score = sum of sign[u] * (max(white[u], 0) - max(black[u], 0))

One unit with a large bias never falls below zero, so it carries plain material and
piece-square values.  The weights depend on the square of the side's own king (its king
bucket), which selects its view, and on the phase of the game: see games/chess/weights.py.

All units are lanes of LANE bits in one int (SWAR), the accumulator: White's, and above them
Black's.  Half of a lane's range is added to each, so that its top bit means "not
negative".  Lanes that count positive and negative alternate: as 2**LANE is -1 modulo
2**LANE + 1, one remainder gives the whole signed sum.

What a piece adds to both sides' lanes is in a table for each phase and pair of views.  A
search needs few of them, so they are made when first needed.  A move updates the accumulator
incrementally: it adds and subtracts the ints of its pieces.  A refresh, which adds up all
pieces anew, follows a capture that leads into the next phase, where another table applies,
and, for the own side's lanes, a king's step to a square that belongs to another view.

Above the lanes lies the material: 4 bits for each of the kinds PNBRQ of White, then of
Black.  Above that are the bitboards of the white and of the black pieces, 64 bits each.
"""

from __future__ import annotations

from array import array

from games import data
from games.chess.endgames import MAX_PIECES, known_score
from games.chess.tables import BLACK, KING, PIECE_KEYS, PIECE_VALUES
from games.chess.weights import (
    BLACK_SHIFT,
    FEWEST_UNITS,
    FILE,
    LANE,
    LINEAR_BIAS,
    ONE_VIEW,
    SIGN,
    VIEW_MASK,
    WHITE_SHIFT,
    Weights,
    read_weights,
)
from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.chess.movegen import Pieces
    from games.chess.position import ChessPosition

    # Table[piece][square]: what a piece adds to an accumulator; Table[0][0]: the accumulator of
    # an empty board.
    Table = list["list[int] | RareRow"]

UNIT = 3  # steps of a lane in a centipawn; the sum must fit into one lane
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
MATERIAL_BITS = 4  # of a kind
SIDE_BITS = 5 * MATERIAL_BITS
MOST_LISTS = 256  # of numbers, at a time; each has 70 kB
RARE_USES = 32  # until a row is worth a list
MOST_SUMS = 2000  # of half a kilobyte each


class RareRow:
    """A row of a table that makes its numbers one by one, until it has been used often.

    Then a list with all of them takes its place.
    """

    def __init__(self, value: Callable[[int], int], replace: Callable[[list[int]], None]) -> None:
        """value(square): the number there.  replace(list): puts a list in this row's place."""
        self._value, self._replace, self._uses = value, replace, 0

    def __getitem__(self, square: int) -> int:
        self._uses += 1
        if self._uses == RARE_USES:
            self._replace([self._value(other) for other in range(64)])
        return self._value(square)


class Network:
    """The tables, and what they are made of.

    features[count + views[0][white king] + views[1][black king]]: the Table for a board with
        `count` pieces and with the kings on these squares.
    views[side][king]: the part of a table's number that stands for the view of a side.
    sign_bits: the top bit of each lane.
    folds: (bits, mask of them) by which the lanes are halved twice.
    material_shift, occupancy_shift: offsets of the material and of the bitboards.
    tempo: value of the right to move, in centipawns.
    """

    def __init__(self, weights: Weights) -> None:
        self._weights, self.views, self.tempo = weights, weights.views, weights.tempo
        units, lanes = weights.count, 2 * weights.count
        self.material_shift = lanes * LANE
        self.occupancy_shift = self.material_shift + 2 * SIDE_BITS
        self.sign_bits = sum(1 << lane * LANE + SIGN for lane in range(lanes))
        # 2**(2 * LANE) is 1 modulo MODULUS, so an even number of lanes may be folded onto
        # the others before the division, the slowest step.
        self.folds = [
            (width, (1 << width) - 1) for width in (units // 2 * 2 * LANE, units // 4 * 2 * LANE)
        ]
        # (mask of all but a side's lanes, the offset of these lanes), of both sides
        whole, lanes_of_one = (1 << self.occupancy_shift + 128) - 1, (1 << weights.bits) - 1
        self._lanes_of = (
            (whole ^ lanes_of_one, 0),
            (whole ^ lanes_of_one << weights.bits, weights.bits),
        )
        self.features = Lazy(self._new_table)  # {number: Table}, each made when first needed
        self._lists = 0  # in place of rare rows
        # Of one side's units without the kings, by the key of the other pieces and the view.
        self._sums: dict[int, int] = {}

    def _new_table(self, number: int) -> Table:
        if number != self._weights.shared(number):
            return self.features[self._weights.shared(number)]
        white = self._weights.units[number & ~(VIEW_MASK << BLACK_SHIFT)]
        black = self._weights.units[number & ~(VIEW_MASK << WHITE_SHIFT)]
        table: Table = [[white[0][0] + (black[0][0] << self._weights.bits)]]
        table += [self._row(table, piece, white[piece], black[piece]) for piece in range(1, 15)]
        return table

    def _row(self, table: Table, piece: int, white: list[int], black: list[int]) -> RareRow:
        """Return a table's row.  white, black: what the piece adds to the units of each side."""
        bits, kind, colour = self._weights.bits, piece & 7, piece >> 3
        material_at = self.material_shift + MATERIAL_BITS * (kind - 1) + SIDE_BITS * colour
        material = 1 << material_at if 0 < kind < KING else 0
        occupancy_at = self.occupancy_shift + 64 * colour

        def value(square: int) -> int:
            lanes = white[square] + (black[square] << bits)
            return lanes + material + (1 << occupancy_at + square)

        def replace(row: list[int]) -> None:
            self._lists += 1
            if self._lists > MOST_LISTS:
                self.features.clear()  # a node in work still has its own
                self._lists = 1
            table[piece] = row

        return RareRow(value, replace)

    def table(self, pieces: Pieces, kings: Sequence[int]) -> Table:
        """Return the Table that applies to a board."""
        (white, black), (white_views, black_views) = pieces, self.views
        number = len(white) + len(black) + white_views[kings[0]] + black_views[kings[1]]
        return self.features[number]

    def accumulate(self, pieces: Pieces, kings: Sequence[int]) -> int:
        """Return the accumulator of a board."""
        return self.add_up(pieces, self.table(pieces, kings))

    def add_up(self, pieces: Pieces, table: Table) -> int:
        """Return the accumulator of these pieces by a table, which may be that of fewer."""
        return table[0][0] + sum(
            [table[piece][square] for own in pieces for square, piece in own.items()]
        )

    def change_view(
        self, accumulator: int, key: int, pieces: Pieces, kings: Sequence[int], side: int, to: int
    ) -> int:
        """Return an accumulator after a king's step to a square of another view.

        accumulator: after the step, with the lanes of `side` still by the previous view.
        key: of the position after the step.  pieces, kings: before the step.
        """
        own, enemy = pieces[side], pieces[side ^ 1]
        start, enemy_king = kings[side], kings[side ^ 1]
        king, captured = own[start], enemy.get(to, 0)
        count, views = len(own) + len(enemy) - (1 if captured else 0), self.views[side]
        number = count + views[to]
        units = self._weights.units[number]
        if units is self._weights.units[count + views[start]]:
            return accumulator  # the zones have the same weights in this phase
        # What the kings don't change is remembered: they move often when other pieces can't.
        others = key ^ PIECE_KEYS[king][to] ^ PIECE_KEYS[king ^ BLACK][enemy_king] ^ number << 64
        total = self._sums.get(others)
        if total is None:
            if len(self._sums) >= MOST_SUMS:
                self._sums.clear()
            total = sum(
                [units[piece][square] for each in pieces for square, piece in each.items()],
                units[0][0] - units[king][start] - units[king ^ BLACK][enemy_king],
            )
            if captured:
                total -= units[captured][to]
            self._sums[others] = total
        total += units[king][to] + units[king ^ BLACK][enemy_king]
        kept, offset = self._lanes_of[side]
        return (accumulator & kept) + (total << offset)

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


_loaded: list[Network] = []


def network() -> Network:
    """Return the network in use, read on first use."""
    if not _loaded:
        found = data.load(FILE, read_weights, "chess is judged by material and the centre alone")
        _loaded.append(Network(found or plain_weights()))
    return _loaded[0]


def plain_weights() -> Weights:
    """Return the fallback without network.bin: material and a small centre bonus."""

    def row(piece: int, square: int) -> bytes:
        kind, file, rank = piece % 6 + 1, square & 7, square >> 3
        centre = 0 if kind == KING else min(file, 7 - file) + min(rank, 7 - rank)
        # Three units count positive, each in White's view and in Black's.  Seven eighths
        # of the material, since the largest possible sum would not fit into a lane.
        value = (PIECE_VALUES[kind] * 7 // 8 + 3 * centre) * UNIT // 6
        return _packed([-value if piece >= 6 else value, 0] * 3)

    rows = [row(piece, square) for piece in range(12) for square in range(64)]
    rows.append(_packed([LINEAR_BIAS, 0] * 3))
    return Weights(FEWEST_UNITS, 10, ONE_VIEW, [(0, b"".join(rows))])


def _packed(numbers: list[int]) -> bytes:
    return data.write_numbers(array("h", numbers[:FEWEST_UNITS]))


def evaluate(position: ChessPosition) -> int:
    """Return the static evaluation of a position for the side to move, in centipawns."""
    return sum(score for _, score in terms(position))


def terms(position: ChessPosition) -> list[tuple[str, int]]:
    """Return [(name, score)] for the side to move.

    They are material, the network's contribution, the right to move, and known endgames.
    """
    net, side, pieces = network(), position.side, position.pieces
    score = net.score(net.accumulate(pieces, position.kings), side)
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
