"""The static evaluation: a small learned network, whose hidden layer is packed into one int.

An input is a window: five cells in a row with stones of only one player.  Its weights also depend
on the two cells beyond each end, up to the edge or the opponent's first stone, and on whether its
player is to move.  A window adds its weights to the hidden units.  Facts from the threat maps
(OWN_THREES and so on) add weights, too.  Negative units count as zero.  The score is the sum of the
units, of which every second one is subtracted.  The last unit is linear: a bias keeps it from ever
being cut to zero.

The units of a view (the evaluation with one of the players to move) are lanes of one int, as in
games/lanes.py, but wider.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from games import data
from games.data import Lazy
from games.gomoku.rules import FIVE
from games.grid import count_bits
from games.lanes import packed, sign_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# The number of hidden units; the last one is linear.
UNITS = 8
# Bits of a lane.  No board can overflow it: the largest has 1,280 windows, a weight has 16 bits.
LANE = 27
# Steps per unit of the score; a step is the value 1 in a lane.
STEPS = 8
# The top bit of a lane.
SIGN = LANE - 1
MODULUS = (1 << LANE) + 1
HALF = MODULUS >> 1
VIEW_BITS = UNITS * LANE
VIEW_MASK, _VIEWS = (1 << VIEW_BITS) - 1, (1 << 2 * VIEW_BITS) - 1
SIGN_BITS = sign_bits(UNITS, LANE)
# Bias that keeps the linear unit positive, so that it is never cut to zero.
LINEAR_BIAS = 1 << LANE - 2
# The largest evaluation, which is below the score of a decided game.
MAX_STATIC = 4000

# The facts, as bits of an index.  Three bits tell whether one stone of the player to move can make
# two threes, a four and a three, or a four; three bits tell the same about the opponent.  The last
# bit is set if the opponent threatens an open four or two fours at once.
OWN_THREES = 1
OWN_FOUR_THREE = 2
OWN_FOUR = 4
OTHER_THREES = 8
OTHER_FOUR_THREE = 16
OTHER_FOUR = 32
THREAT = 64
FACTS = 7

# The side of a cell or window is a code for its neighbours in one direction: at most four, within
# the segment.  Write a 1 and then one bit per neighbour, read this as a binary number, and subtract
# 1.
_REACH = FIVE - 1
SIDES = (2 << _REACH) - 1
# Of the cells before or after a window, only the two nearest count.  BEYOND: the number of codes of
# up to two cells.  NEAREST[side]: the code of a side without the cells that don't count.
BEYOND = 7
NEAREST = [int(f"{side + 1:b}"[:3], 2) - 1 for side in range(SIDES)]
ROWS = 812  # rows of weights; a context and its mirror image share a row

# The greatest policy that one segment adds to a cell.
MAX_POLICY = 31


def sides(mask: int, length: int) -> tuple[list[int], list[int]]:
    """Return the codes of the sides before and after each cell of a segment: two lists (see SIDES).

    The segment has at least five cells.  mask: its stones, bit i for cell i.
    """
    # In the mirror image, the cells after a cell are the cells before it.
    mirrored = int(f"{mask:0{length}b}"[::-1], 2)
    return _sides_before(mask, length), _sides_before(mirrored, length)[::-1]


def _sides_before(mask: int, length: int) -> list[int]:
    return [(1 << cell | mask & (1 << cell) - 1) - 1 for cell in range(_REACH)] + [
        15 + (mask >> cell & 15) for cell in range(length - _REACH)
    ]


@cache
def _rows() -> list[int]:
    """Return the index of the row of weights for each context; mirror images share a row."""
    mirrored = [int(f"{window:05b}"[::-1], 2) for window in range(1 << FIVE)]
    # {index of a context or of its mirror image, whichever is smaller: index of the row}.
    rows: dict[int, int] = {}
    contexts = product(range(1 << FIVE), range(BEYOND), range(BEYOND))
    images = [
        (mirrored[window] * BEYOND + after) * BEYOND + before for window, before, after in contexts
    ]
    return [rows.setdefault(min(pair), len(rows)) for pair in enumerate(images)]


def context_of(window: int, before: int, after: int) -> int:
    """Return the index of a window's context.

    window: its stones, bit i for cell i.  before, after: the codes of its sides (see SIDES).
    """
    return (window * BEYOND + NEAREST[before]) * BEYOND + NEAREST[after]


def row_of(context: int) -> int:
    """Return the index of the row of weights for a context."""
    return _rows()[context]


class GomokuNetwork:
    """The tables of one set of weights.

    windows[context]: what a window adds to the evaluation when its player is to move, and when the
        opponent is.
    facts[bits]: what a combination of facts adds to a view, plus the biases.
    policy[player][sides]: what a segment of the player adds to a cell's policy.  The low byte is
        for player 0 to move, the next byte for player 1 to move.  sides: the codes of the
        stones beside the cell, SIDES * (code before it) + (code after it).  The last element is 0.
    """

    def __init__(self, numbers: Sequence[int], policy: bytes) -> None:
        """Build the tables.

        numbers: rows of UNITS weights: ROWS rows for windows of the player to move (see row_of),
            ROWS rows for windows of the opponent, a row for each fact, and a row of biases.
        policy: numbers from 0 to MAX_POLICY, one for each value of `sides`, first on segments of
            the player to move, then on the opponent's.
        """
        parts = [numbers[at : at + UNITS] for at in range(0, len(numbers), UNITS)]

        def lanes(row: int) -> int:
            return packed(parts[row], LANE)

        self.windows: Lazy[int, tuple[int, int]] = Lazy(
            lambda context: (lanes(row_of(context)), lanes(ROWS + row_of(context)))
        )
        rows = [lanes(row) for row in range(2 * ROWS, len(parts))]
        biases = rows.pop() + (LINEAR_BIAS << (UNITS - 1) * LANE)
        self.facts = [
            biases + sum(row for bit, row in enumerate(rows) if facts >> bit & 1)
            for facts in range(1 << FACTS)
        ]
        own, other = policy[: SIDES * SIDES], policy[SIDES * SIDES :]
        self.policy = [
            [low | high << 8 for low, high in zip(*pair)] + [0]
            for pair in ((own, other), (other, own))
        ]

    def score(self, views: int, side: int, facts: int) -> int:
        """Return the score for `side`, which is to move.

        views: in the low bits, the view with player 0 to move; in the next bits, the view with
        player 1 to move.  Higher bits are ignored.
        """
        # Mask first, since the higher bits may be a long int.
        view = (views & _VIEWS) >> VIEW_BITS if side else views & VIEW_MASK
        view += self.facts[facts]
        active = view & SIGN_BITS
        # Spread a lane's top bit to a mask of the bits below it.
        value = ((view & active - (active >> SIGN)) + HALF) % MODULUS - HALF
        value = (value + LINEAR_BIAS) // STEPS
        if -MAX_STATIC <= value <= MAX_STATIC:
            return value
        return MAX_STATIC if value > 0 else -MAX_STATIC


@cache
def network(exact: tuple[bool, bool]) -> GomokuNetwork:
    """Return the network of a game, read on first use.  exact: see Gomoku."""
    games = "Gomoku (exactly five) is" if all(exact) else "Gomoku (five or more) and Renju are"
    without = f"{games} played by threats alone"
    return data.load(file_of(exact), read_network, without) or plain_network()


def file_of(exact: tuple[bool, bool]) -> str:
    """Return the file with the network of a game.  exact: see Gomoku.

    One network is for games in which both players need exactly five, the other for all other games.
    """
    return "gomoku/network_exact.bin" if all(exact) else "gomoku/network.bin"


def plain_network() -> GomokuNetwork:
    """Return the network to use if a file can't be read.

    All its weights are 0, and cells near stones have a high policy.
    """
    stones = [count_bits(side + 1) - 1 for side in range(SIDES)]
    policy = bytes(min(MAX_POLICY, 9 * (one + other)) for one, other in product(stones, repeat=2))
    return GomokuNetwork([0] * UNITS * (2 * ROWS + FACTS + 1), policy * 2)


def read_network(content: bytes) -> GomokuNetwork:
    """Return the GomokuNetwork of a file's bytes.  Raises ValueError if they are malformed.

    The file begins with a line of text that says how it was made.  Then come, compressed by zlib,
    the numbers of a GomokuNetwork (16 bits each, little-endian) and its policy.
    """
    _, _, rest = content.partition(b"\n")
    size = 2 * UNITS * (2 * ROWS + FACTS + 1)
    content = data.unpacked(rest, size + 2 * SIDES * SIDES)
    return GomokuNetwork(data.read_numbers("h", content[:size]), content[size:])
