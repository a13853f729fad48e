"""The weights of the network that evaluates chess, and their file, network.bin.

The weights depend on the phase of the game, that is, on the number of pieces left.  Unlike
HalfKA's, they don't depend on the kings' squares: that gained no strength (docs/lab/chess.md).
"""

from __future__ import annotations

from copy import copy
from io import BytesIO
from zlib import crc32

from games import data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Numbers = bytes | memoryview

FILE = "chess/network.bin"
LANE = 16  # bits per lane and per number in the file, so a row of numbers is read as one int
SIGN = LANE - 1  # the top bit of a lane
INPUTS = 12 * 64
MAX_PIECES = 64
MIN_UNITS = 5  # since lanes are folded to halves and quarters
LINEAR_BIAS = 1 << SIGN - 1  # bias of the unit that never falls below zero
_CHECKSUM_BYTES = 4


class NetworkWeights:
    """The weights of all phases.

    fewest[count]: minimum piece count of the phase to which a board with `count` pieces belongs.
    count: number of units.  bits: width of all units of a side.
    tempo: value of the right to move, in centipawns.
    """

    def __init__(self, units: int, tempo: int, phases: Sequence[tuple[int, Numbers]]) -> None:
        """Prepare the weights.

        units: the number of units, which is odd.  Positive and negative units alternate; the first
            and the last unit are positive.
        phases: (minimum piece count of the phase, its rows of numbers), in falling order.  Rows:
            see `read_weights`.
        """
        self.count = units
        self.bits = units * LANE
        self.tempo = tempo
        self.fewest = [
            next(fewest for fewest, _ in phases if fewest <= count)
            for count in range(MAX_PIECES + 1)
        ]
        self._phases = dict(phases)
        self._added: Callable[[int, int], float] | None = None
        self._signs = sum(1 << unit * LANE + SIGN for unit in range(units))

    def plus(self, value: Callable[[int, int], float]) -> NetworkWeights:
        """Return these weights with values added to those of the pieces.

        value(kind, square): steps of a lane for a white piece.
        """
        other = copy(self)
        other._added = value
        return other

    def rows(self, fewest: int) -> list[int]:
        """Return an int for each input of a phase: the weights that it adds to the units, packed.

        The last int holds the biases.  fewest: the minimum number of pieces in the phase.
        """
        numbers, width = self._phases[fewest], self.bits // 8
        rows = [
            self._number(numbers[at : at + width]) for at in range(0, (INPUTS + 1) * width, width)
        ]
        rows[-1] += self._signs
        if self._added is not None:
            for row in range(INPUTS):
                enemy, kind = divmod(row >> 6, 6)
                steps = round(self._added(kind + 1, row & 63 ^ 56 * enemy) / 2)
                rows[row] += (-steps if enemy else steps) << self.bits - LANE  # the linear unit
        return rows

    def _number(self, row: Numbers) -> int:
        # A negative number borrows from the lane above.  Adding half of a lane's range to the
        # biases makes all sums positive again.
        return (int.from_bytes(row, "little") ^ self._signs) - self._signs


def read_weights(content: bytes) -> NetworkWeights:
    """Return the NetworkWeights of network.bin's bytes.  Raises ValueError if they are malformed.

    The file begins with a line of text that says how it was made.  The next line has the number of
    units, the tempo and the minimum piece count of each phase, in falling order down to 0.  Then
    come, phase by phase, rows of little-endian 16-bit numbers, one per unit: the weights of the
    player's PNBRQK on a1 ... h8, those of the opponent's, and the biases.  The last four bytes are
    the CRC-32 of everything before them.
    """
    whole, checksum = memoryview(content)[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
    if crc32(whole) != int.from_bytes(checksum, "little"):
        raise data.DamagedError("its checksum is wrong")
    head = BytesIO(content)
    _, shape = head.readline(), head.readline()
    units, tempo, fewest = _shape(shape)
    size = (INPUTS + 1) * units * LANE // 8  # bytes of each phase
    numbers = whole[head.tell() :]
    if len(numbers) != len(fewest) * size:
        raise data.DamagedError(f"{len(numbers)} bytes instead of {len(fewest) * size}")
    phases = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    return NetworkWeights(units, tempo, list(zip(fewest, phases)))


def _shape(line: bytes) -> tuple[int, int, list[int]]:
    """Return (units, tempo, minimum piece count of each phase) from the file's second line."""
    shape = line.split()
    if len(shape) < 3 or not all(word.isdigit() and len(word) < 5 for word in shape):
        raise data.DamagedError("malformed header")
    units, tempo, *fewest = map(int, shape)
    if (
        units < MIN_UNITS
        or units % 2 == 0
        or fewest[-1]
        or (fewest != sorted(set(fewest), reverse=True) or fewest[0] >= MAX_PIECES)
    ):
        raise data.DamagedError("malformed header")
    return units, tempo, fewest
