"""The weights of the network that evaluates chess, and their file, network.bin.

The inputs may be king-relative, as in HalfKA: the square of a side's own king selects its view,
which consists of a zone of the board (a king bucket), with weights of its own, and of whether
the board is mirrored horizontally.  Usually it is mirrored if the king stands on files a to d,
so that the weights only have to know kings on files e to h.  The weights also depend on the
phase of the game, that is on the number of pieces left.  The present file has one zone and no
mirrored views: zones were measured, and did not pay (docs/lab/chess.md).
"""

from __future__ import annotations

from io import BytesIO
from zlib import crc32

from games import data
from games.chess.tables import BLACK, KING
from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Numbers = bytes | memoryview
    # Units[piece][square]: what a piece adds to the units of one side; Units[0][0]: the biases.
    Units = list[list[int]]

FILE = "chess/network.bin"
LANE = 16  # the width of the file's numbers, so they form an int at once
SIGN = LANE - 1  # the top bit of a lane
INPUTS = 12 * 64  # of a zone
MOST_PIECES = 32
FEWEST_UNITS = 5  # lanes are folded to halves and quarters
LINEAR_BIAS = 1 << SIGN - 1  # of the unit that never falls below zero
VIEW_LETTERS = "aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpP"  # zones; with a capital letter mirrored
ONE_VIEW = 64 * VIEW_LETTERS[0]
_CHECKSUM_BYTES = 4

# Weights and tables have numbers: the number of pieces and, shifted, those of White's and
# Black's views, from 1 on.
COUNT_MASK = 63
WHITE_SHIFT, BLACK_SHIFT, VIEW_MASK = 6, 12, 63


class Weights:
    """The weights of all phases and views.

    units[count + views[side][king]]: the Units of a side for a board with `count` pieces and
        with its own king on this square.
    views[side][king]: the part of a number that stands for the view.
    fewest[count]: the fewest pieces in the phase of a board with `count` pieces.
    bits: of the units of a side.
    tempo: value of the right to move, in centipawns.
    """

    def __init__(
        self, units: int, tempo: int, views: str, phases: Sequence[tuple[int, Numbers]]
    ) -> None:
        """Prepare the weights; they are read when first needed.

        units: an odd number; they count positive and negative in turn, the first and the last
            positive.
        views: for each square of the own king, as its side sees the board, one of VIEW_LETTERS.
        phases: (fewest pieces of the phase, its rows of numbers), most pieces first.  Rows: see
            `read_weights`.
        """
        self.count, self.bits, self.tempo = units, units * LANE, tempo
        seen = [VIEW_LETTERS.index(view) + 1 for view in views]
        self.views = (
            [view << WHITE_SHIFT for view in seen],
            [seen[square ^ 56] << BLACK_SHIFT for square in range(64)],
        )
        self.fewest = [
            next(fewest for fewest, _ in phases if fewest <= count)
            for count in range(MOST_PIECES + 1)
        ]
        self._phases = dict(phases)
        self._signs = sum(1 << unit * LANE + SIGN for unit in range(units))
        self._zones: Lazy[tuple[int, int], list[int]] = Lazy(self._read_zone)
        self._equals: Lazy[tuple[int, int], int] = Lazy(self._first_equal)
        self.units = Lazy(self._read_units)

    def shared(self, number: int) -> int:
        """Return the one of the numbers with the same weights that stands for all of them.

        Boards of a phase share their weights, and so do zones if they are equal in the phase.
        """
        phase = found = self.fewest[number & COUNT_MASK]
        for shift in (WHITE_SHIFT, BLACK_SHIFT):
            view = number >> shift & VIEW_MASK
            if view:
                zone, mirrored = divmod(view - 1, 2)
                found += 2 * self._equals[phase, zone] + mirrored + 1 << shift
        return found

    def _first_equal(self, place: tuple[int, int]) -> int:
        """Return the first zone whose weights in a phase are those of the zone (phase, zone)."""
        phase, zone = place
        size = INPUTS * self.bits // 8
        zones = [
            bytes(self._phases[phase][at : at + size]) for at in range(0, (zone + 1) * size, size)
        ]
        return zones.index(zones[-1])

    def _read_units(self, number: int) -> Units:
        if number != self.shared(number):
            return self.units[self.shared(number)]
        phase, side = number & COUNT_MASK, 1 if number >> BLACK_SHIFT else 0
        view = (number >> (BLACK_SHIFT if side else WHITE_SHIFT) & VIEW_MASK) - 1
        zone, mirrored = divmod(view, 2)
        rows, turn = self._zones[phase, zone], (7 if mirrored else 0) ^ (56 if side else 0)
        units: Units = [[] for _ in range(KING + BLACK + 1)]
        units[0] = self._zones[phase, -1]
        for kind in range(1, KING + 1):
            for colour in range(2):
                first = 64 * (kind - 1 + 6 * (colour ^ side))
                units[kind + BLACK * colour] = [
                    rows[first + (square ^ turn)] for square in range(64)
                ]
        return units

    def _read_zone(self, place: tuple[int, int]) -> list[int]:
        """Return the rows of (phase, zone); those of zone -1 are the biases."""
        phase, zone = place
        numbers, width, signs = self._phases[phase], self.bits // 8, self._signs
        if zone < 0:
            return [self._number(numbers[-width:]) + signs]
        first = zone * INPUTS * width
        return [
            self._number(numbers[at : at + width])
            for at in range(first, first + INPUTS * width, width)
        ]

    def _number(self, row: Numbers) -> int:
        # A negative number borrows from the lane above; half of the range is added to the
        # biases, which prevents that.
        return (int.from_bytes(row, "little") ^ self._signs) - self._signs


def read_weights(content: bytes) -> Weights:
    """Return the Weights of network.bin's bytes.  Raises ValueError if they are malformed.

    The file begins with a line of text that says how it was made.  The next line has the
    number of units, the tempo and for each phase the fewest pieces on the board, falling to
    0.  The third line has 64 letters, one for each square a1 ... h8 of a side's own king, as
    that side sees the board: the zone, from `a` on, in upper case if the view is mirrored.
    Then follow, phase by phase, rows of little-endian 16-bit numbers, one for each unit: zone
    by zone the weights of the own PNBRQK on a1 ... h8, then of the opponent's, and at last the
    biases of all zones.  The last four bytes are the CRC-32 of all that.
    """
    whole, checksum = memoryview(content)[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    if crc32(whole) != int.from_bytes(checksum, "little"):
        raise data.DamagedError("its checksum is wrong")
    head = BytesIO(content)
    _, shape, views = (head.readline() for _ in range(3))
    units, tempo, fewest = _shape(shape)
    letters = views[:-1].decode("ascii", "replace")
    if len(letters) != 64 or not set(letters) <= set(VIEW_LETTERS):
        raise data.DamagedError("malformed header")
    zones = max(map(VIEW_LETTERS.index, letters)) // 2 + 1
    size = (zones * INPUTS + 1) * units * LANE // 8  # of a phase
    numbers = whole[head.tell() :]
    if len(numbers) != len(fewest) * size:
        raise data.DamagedError(f"{len(numbers)} bytes instead of {len(fewest) * size}")
    phases = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    return Weights(units, tempo, letters, list(zip(fewest, phases)))


def _shape(line: bytes) -> tuple[int, int, list[int]]:
    """Return (units, tempo, fewest pieces of each phase) from the file's second line."""
    shape = line.split()
    if len(shape) < 3 or not all(word.isdigit() and len(word) < 5 for word in shape):
        raise data.DamagedError("malformed header")
    units, tempo, *fewest = map(int, shape)
    if (
        units < FEWEST_UNITS
        or units % 2 == 0
        or fewest[-1]
        or (fewest != sorted(set(fewest), reverse=True) or fewest[0] >= MOST_PIECES)
    ):
        raise data.DamagedError("malformed header")
    return units, tempo, fewest
