"""The file NAME.weights, which holds what a game has learned.

    first line      "plyglot weights 1", the format and its version
    12 bytes        lengths of header and body, CRC-32 of both (little-endian)
    header          JSON: the game, the Layout (patterns.py), the step
    body            zlib: the weights, phase by phase, as 16-bit multiples of the step

A score is the sum of the weights.  A weight is its 16-bit number times the step, which is in units
of the game's scores.
"""

from __future__ import annotations

from array import array

from games.data import DamagedError, Fields, read_numbers, write_numbers
from games.learned.patterns import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = b"plyglot weights 1\n"
# Weights in memory are in 1/PARTS of the score's unit, so that rounding many of them does no harm.
PARTS = 64
_MAX_WEIGHT = 32767  # the greatest 16-bit number


class Weights(Fields):
    """The weights of a game.

    game: its name.  layout: the Layout.  phases: the weights of each phase, in 1/PARTS of the
    score's unit.
    """

    game: str
    layout: Layout
    phases: list[list[int]]


def write(game: str, layout: Layout, phases: list[list[float]]) -> bytes:
    """Return the bytes of a weights file.

    game: its name.  phases: the weights of each phase, in units of the game's scores.
    """
    import zlib

    largest = max((abs(weight) for weights in phases for weight in weights), default=0.0)
    step = largest / _MAX_WEIGHT or 1.0
    numbers = (array("h", [round(weight / step) for weight in weights]) for weights in phases)
    body = b"".join(map(write_numbers, numbers))
    return pack(NAME, {"game": game, "step": step, "layout": layout.data()}, zlib.compress(body, 9))


def read(data: bytes) -> Weights:
    """Return the Weights in a file's bytes.  Raises DamagedError if the bytes are malformed."""
    import zlib

    header, body = unpack(NAME, data)
    try:
        layout, game = Layout(**header["layout"]), str(header["game"])
        step = float(header["step"])
        numbers = read_numbers("h", zlib.decompress(body))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedError(f"it can't be read: {error}") from None
    if len(numbers) % layout.phases:
        raise DamagedError(f"{len(numbers)} weights can't be split into {layout.phases} phases")
    size = len(numbers) // layout.phases
    parts = {steps: round(steps * step * PARTS) for steps in set(numbers)}
    steps = list(map(parts.__getitem__, numbers))
    starts = range(0, len(steps), size or 1)
    return Weights(game, layout, [steps[start : start + size] for start in starts])


def pack(name: bytes, header: dict[str, Any], body: bytes) -> bytes:
    """Return the bytes of a file.  name: its first line.  header: JSON data."""
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
        raise DamagedError(f'its first line is not "{kind} {version}"')
    start = len(name) + 12
    if len(data) < start:
        raise DamagedError(f"it is cut off after {len(data)} bytes")
    head_size, body_size, checksum = struct.unpack("<III", data[len(name) : start])
    if len(data) != start + head_size + body_size:
        raise DamagedError(f"{len(data)} bytes instead of {start + head_size + body_size}")
    if zlib.crc32(data[start:]) != checksum:
        raise DamagedError("its checksum is wrong")
    try:
        return json.loads(data[start : start + head_size]), data[start + head_size :]
    except ValueError:
        raise DamagedError("its header can't be read") from None
