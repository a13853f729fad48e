"""Other weights for the evaluation of chess, to test king zones and mirrored views."""

import random
from contextlib import contextmanager
from functools import lru_cache
from zlib import crc32

from games import data
from games.chess.evaluation import network
from games.chess.weights import FILE, INPUTS, VIEW_LETTERS, read_weights

# Zones of a king on files e to h: castled, on its first rank, on the next two, beyond them.
_RIGHT = ["bbaa", "cccc", "cccc"] + 5 * ["dddd"]
MIRRORED_ZONES = "".join(zones[::-1].upper() + zones for zones in _RIGHT)


def content(views, numbers):
    """Return the bytes of a network.bin.  numbers: the rows of all phases."""
    net = network()
    fewest = sorted(set(net._weights.fewest), reverse=True)
    shape = " ".join(map(str, [net._weights.count, net.tempo, *fewest]))
    head = f"# test\n{shape}\n{views}\n".encode()
    return head + numbers + crc32(head + numbers).to_bytes(4, "little")


@lru_cache(None)
def random_content():
    """Return a file with four mirrored zones whose weights differ in all phases but the second."""
    weights, dice = network()._weights, random.Random("weights")
    small = bytes(16 * [*range(8), *range(248, 256)])  # from -8 to 7
    rows = len(set(weights.fewest)) * (4 * INPUTS + 1)
    low = bytearray(dice.randbytes(rows * weights.count).translate(small))
    zone = INPUTS * weights.count
    second = 4 * zone + weights.count
    low[second : second + 4 * zone] = 4 * low[second : second + zone]
    numbers = bytearray(2 * len(low))
    numbers[::2] = low
    numbers[1::2] = low.translate(bytes(128) + bytes(128 * [255]))
    return content(MIRRORED_ZONES, bytes(numbers))


def split_content():
    """Return network.bin with each zone split in two, by the ranks, with the same weights."""
    with open(data.path_of(FILE), "rb") as file:
        _, _, letters, numbers = file.read()[:-4].split(b"\n", 3)
    views = [VIEW_LETTERS.index(letter) for letter in letters.decode()]
    split = [
        4 * (view // 2) + 2 * (square >> 3 & 1) + view % 2 for square, view in enumerate(views)
    ]
    weights = network()._weights
    phases = len(set(weights.fewest))
    zone, phase = INPUTS * weights.bits // 8, len(numbers) // phases
    rows = []
    for at in range(0, len(numbers), phase):
        starts = range(at, at + phase - weights.bits // 8, zone)
        rows += [2 * numbers[start : start + zone] for start in starts]
        rows.append(numbers[at + phase - weights.bits // 8 : at + phase])
    return content("".join(VIEW_LETTERS[view] for view in split), b"".join(rows))


@contextmanager
def in_use(content):
    """Evaluate with the weights of a file's bytes."""
    net, weights = network(), read_weights(content)
    before, views = net._weights, [own[:] for own in net.views]

    def use(weights, views):
        net._weights = weights
        net.features.clear()
        net._sums.clear()
        for own, new in zip(net.views, views):
            own[:] = new

    use(weights, weights.views)
    try:
        yield net
    finally:
        use(before, views)
