"""The file NAME.weights, which holds what a game has learned.

    first line      "plyglot weights 1", the format and its version
    12 bytes        lengths of header and body, CRC-32 of both (little-endian)
    header          JSON: the game, the Layout (patterns.py), the step
    body            zlib: the weights, phase by phase, as 16-bit numbers of steps

A score is the sum of the weights; a step is their unit, in units of the game's scores.
Features have factors instead (features.py): the header has the scale and the signs of
each phase and side, the body their 32-bit numbers.
"""

from __future__ import annotations

from array import array

from games.data import DamagedError, read_numbers, write_numbers
from games.learned.features import Factors
from games.learned.patterns import FEATURES, Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NAME = b"plyglot weights 1\n"
SUFFIX = ".weights"
# The unit of weights is this part of a score, so that rounding many of them does no harm.
PARTS = 64
_MOST = 32767  # of a 16-bit number


class Weights:
    """The weights of a game.

    game: its name.  layout: the Layout.  phases: the weights of each phase, in 1/PARTS
    of a score; empty with features.  factors: of the features, by phase and side to move;
    of one side if the players can change sides.
    """

    def __init__(
        self,
        game: str,
        layout: Layout,
        phases: list[list[int]],
        factors: Sequence[Sequence[Factors]] = (),
    ) -> None:
        self.game, self.layout, self.phases, self.factors = game, layout, phases, factors


def write(game: str, layout: Layout, phases: list[list[float]]) -> bytes:
    """Return the file's bytes.

    phases: the weights of each phase in units of the game's scores.
    """
    import zlib

    largest = max((abs(weight) for weights in phases for weight in weights), default=0.0)
    step = largest / _MOST or 1.0
    body = b"".join(
        write_numbers(array("h", [round(weight / step) for weight in weights]))
        for weights in phases
    )
    return pack(NAME, {"game": game, "step": step, "layout": layout.data()}, zlib.compress(body, 9))


def write_factors(game: str, layout: Layout, factors: Sequence[Sequence[Factors]]) -> bytes:
    """Return the file's bytes for a game with features.

    factors: by phase and side, as in Weights.
    """
    import zlib

    terms = [[[one.bits, one.signs] for one in phase] for phase in factors]
    body = b"".join(write_numbers(one.numbers) for phase in factors for one in phase)
    return pack(
        NAME, {"game": game, "factors": terms, "layout": layout.data()}, zlib.compress(body, 9)
    )


def read(data: bytes) -> Weights:
    """Return the Weights of a file's bytes.  Raises DamagedError."""
    import zlib

    header, body = unpack(NAME, data)
    try:
        layout, game = Layout(**header["layout"]), str(header["game"])
        if layout.kind == FEATURES:
            factors = _factors(layout, header["factors"], zlib.decompress(body))
            return Weights(game, layout, [], factors)
        step = float(header["step"])
        numbers = read_numbers("h", zlib.decompress(body))
    except (zlib.error, ValueError, TypeError, KeyError) as error:
        raise DamagedError(f"it can't be read: {error}") from None
    if len(numbers) % layout.phases:
        raise DamagedError(f"{len(numbers)} weights for {layout.phases} phases")
    size = len(numbers) // layout.phases
    parts = {number: round(number * step * PARTS) for number in set(numbers)}
    steps = list(map(parts.__getitem__, numbers))
    return Weights(
        game, layout, [steps[first : first + size] for first in range(0, len(steps), size or 1)]
    )


def _factors(
    layout: Layout, terms: list[list[tuple[int, list[int]]]], body: bytes
) -> list[list[Factors]]:
    """Return the Factors of a file's body, by phase and side."""
    numbers, found, first = read_numbers("i", body), [], 0
    for phase in terms:
        sides = []
        for bits, signs in phase:
            last = first + layout.cells * layout.base * (1 + len(signs))
            sides.append(Factors(bits, signs, numbers[first:last]))
            first = last
        found.append(sides)
    if first != len(numbers) or len(found) != layout.phases:
        raise ValueError(f"{len(numbers)} numbers of factors instead of {first}")
    return found


def pack(name: bytes, header: dict[str, Any], body: bytes) -> bytes:
    """Return the bytes of a file: first line, header and body."""
    import json
    import struct
    import zlib

    head = json.dumps(header).encode()
    return name + struct.pack("<III", len(head), len(body), zlib.crc32(head + body)) + head + body


def unpack(name: bytes, data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return (header, body) of what pack() made.  Raises DamagedError for any other bytes."""
    import json
    import struct
    import zlib

    if not data.startswith(name):
        kind, _, version = name.decode().strip().rpartition(" ")
        if data.startswith(kind.encode()):
            raise DamagedError(f"its version is not {version}")
        raise DamagedError(f"its first line is not '{kind} {version}'")
    start = len(name) + 12
    if len(data) < start:
        raise DamagedError(f"it is cut off after {len(data)} bytes")
    head, rest, checksum = struct.unpack("<III", data[len(name) : start])
    if len(data) != start + head + rest:
        raise DamagedError(f"{len(data)} bytes instead of {start + head + rest}")
    if zlib.crc32(data[start:]) != checksum:
        raise DamagedError("its checksum is wrong")
    try:
        return json.loads(data[start : start + head]), data[start + head :]
    except ValueError:
        raise DamagedError("its header can't be read") from None
