#!/usr/bin/env python3
"""Convert the weights of games/shogi/weights.py for scripts/lab/twin/fit_shogi.cpp.

scripts/lab/shogi_weights.py hand SIZE OUT     write the weights set by hand; SIZE is 9 or 5
scripts/lab/shogi_weights.py pack IN OUT       pack fitted weights for the game
"""

from __future__ import annotations

import pathlib
import sys
import zlib
from array import array

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data  # noqa: E402
from games.shogi.weights import UNITS, Weights  # noqa: E402


def by_hand(size: int) -> bytes:
    """Return the numbers of the weights set by hand, in the order of the file."""
    weights = Weights(size, None)
    numbers = array("h", [0] * (weights.inputs + 1) * UNITS)
    for row in range(size):
        for column in range((size + 1) // 2):
            numbers.extend(weights.linear(row * size + column))
    return data.write_numbers(numbers)


def main(words: list[str]) -> None:
    """Carry out the command line."""
    if len(words) != 3 or words[0] not in ("hand", "pack"):
        sys.exit(__doc__)
    command, source, target = words
    numbers = by_hand(int(source)) if command == "hand" else pathlib.Path(source).read_bytes()
    packed = numbers if command == "hand" else zlib.compress(numbers, 9)
    pathlib.Path(target).write_bytes(packed)


if __name__ == "__main__":
    main(sys.argv[1:])
