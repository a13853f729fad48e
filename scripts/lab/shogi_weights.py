#!/usr/bin/env python3
"""Convert the weights of games/shogi/evaluation.py for scripts/lab/twin/fit_shogi.cpp.

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
from games.shogi.evaluation import UNITS, ShogiNetwork, inputs_of  # noqa: E402
from scripts.command_line import Parser  # noqa: E402


def by_hand(size: int) -> bytes:
    """Return the numbers of the weights set by hand, in the order of the file."""
    network = ShogiNetwork(size, None)
    numbers = array("h", [0] * (inputs_of(size) + 1) * UNITS)
    for row in range(size):
        for column in range((size + 1) // 2):
            numbers.extend(network.linear(row * size + column))
    return data.write_numbers(numbers)


def main() -> None:
    """Carry out the command line."""
    parser = Parser("scripts/lab/shogi_weights.py", __doc__.splitlines()[0])
    parser.add("COMMAND", "hand: write the weights set by hand; pack: pack fitted weights")
    parser.add("SOURCE", "hand: the size of the board, 9 or 5; pack: the fitted weights")
    parser.add("TARGET", "the file to write")
    arguments = parser.parse_args()
    if arguments.command == "hand":
        packed = by_hand(int(arguments.source))
    elif arguments.command == "pack":
        packed = zlib.compress(pathlib.Path(arguments.source).read_bytes(), 9)
    else:
        parser.error(f"COMMAND must be hand or pack, not {arguments.command}")
    pathlib.Path(arguments.target).write_bytes(packed)


if __name__ == "__main__":
    main()
