"""Squares, moves, and the board as lanes: all lines of the board side by side in one int.

A square is a number: 8 * row (from the top) + column.  A move is a square or PASS.

A lane holds a row, a column or a diagonal of at least three cells, and an empty guard bit above its
last cell.  Each line has two lanes, one read forwards and one backwards, so that each of the eight
directions is "one bit up" in some lane.  A cell has a bit in each lane through it.  A row with the
discs of one side on b, c and e is, from its lowest bit,

    a b c d e f g h guard             and in its mirror lane    h g f e d c b a guard
    0 1 1 0 1 0 0 0 0                                           0 0 0 1 0 1 1 0 0

One addition then carries through all runs of discs at once.  Let `own` and `opp` be the lanes of
the discs of the two sides:

    moves:  (opp + (own << 1 & opp)) & empty    a run of `opp` with a disc of `own` below it
                                                carries to its end
    flips:  (opp + (opp & STEP[s])) & own       the runs that start beside s and end at a disc of
                                                `own`: zero if the move is not legal, else a key
                                                to FLIPS[s], which names the discs to flip

Above these 76 lanes are 48 more, which only the evaluation reads: see STRIDE.  There a disc is a
power of three and not a bit.  So discs are placed by addition and removed by subtraction; in the
lower 76 lanes these act like | and ^.  CPython takes almost twice as long for an operation on 1340
bits as for one on 64 bits.  So the upper lanes are cut off to find flips, and wherever nothing is
evaluated.  The lower lanes alone, own & MOVING, are called bare; BARE_FLIPS[s] has bare lanes only.
"""

from __future__ import annotations

from itertools import accumulate

from games.data import Lazy
from games.geometry import bitboard
from games.grid import count_bits, lines_along

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import TypeAlias

    from games.types import Key, Move, Square

    Discs: TypeAlias = int  # a set of discs (or cells), as lanes

    # (flipped discs, flipped discs and the new disc, change of the disc difference).
    Flip: TypeAlias = tuple[Discs, Discs, int]


PASS = 64

# The order in which moves are listed: corners first, squares beside empty corners last.
# fmt: off
SQUARE_ORDER = tuple(8 * y + x for y, x in (
    (0, 0), (0, 7), (7, 0), (7, 7), (0, 2), (0, 5), (2, 0), (2, 7), (5, 0), (5, 7), (7, 2), (7, 5),
    (2, 2), (2, 5), (5, 2), (5, 5), (0, 3), (0, 4), (3, 0), (3, 7), (4, 0), (4, 7), (7, 3), (7, 4),
    (2, 3), (2, 4), (3, 2), (3, 5), (4, 2), (4, 5), (5, 3), (5, 4), (3, 3), (3, 4), (4, 3), (4, 4),
    (1, 3), (1, 4), (3, 1), (3, 6), (4, 1), (4, 6), (6, 3), (6, 4), (1, 2), (1, 5), (2, 1), (2, 6),
    (5, 1), (5, 6), (6, 2), (6, 5), (0, 1), (0, 6), (1, 0), (1, 7), (6, 0), (6, 7), (7, 1), (7, 6),
    (1, 1), (1, 6), (6, 1), (6, 6)))
# fmt: on

# The steps (dx, dy) along rows, columns, diagonals and antidiagonals.
_STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))
# The 38 lines of the board.  Shorter diagonals can't hold a run between two discs.
_LINES = [line for step in _STEPS for line in lines_along(8, 8, *step) if len(line) >= 3]

# Bits from one pattern lane to the next.  A lane is a sum of powers of three, the n-th for
# a disc on the n-th square of the pattern.  So own + 2 * opp, read in base three, has a digit for
# each of the pattern's squares (at most ten): 0 for an empty square, 1 for a disc of `own`, 2 for
# one of `opp`.
STRIDE = 16
# The rows come first, nine bits each: these bits identify the position.
ROW = 9
ROWS = (1 << 8 * ROW) - 1


_LANES = _LINES + [line[::-1] for line in _LINES]
# The lowest bit of each lane and, last, of the lane that would follow.
_OFFSETS = list(accumulate([len(line) + 1 for line in _LANES], initial=0))
# The lowest bit of the pattern lanes.  The two free bits below it take the carries of the lower
# lanes in own + 2 * opp.
PATTERN_BASE = _OFFSETS[-1] + 2
MOVING = (1 << PATTERN_BASE) - 1

SYMMETRIES = 8

# The greatest number of cached flips of a square.  A flip takes about 650 bytes.
_MAX_FLIPS = 1_500


def transformed(square: Square, symmetry: int) -> Square:
    """Return the square to which one of the board's eight symmetries moves `square`."""
    mirrored = square ^ (0, 7, 56, 63)[symmetry & 3]  # 7 mirrors the columns, 56 the rows
    return (mirrored & 7) << 3 | mirrored >> 3 if symmetry & 4 else mirrored


def images(pattern: Sequence[Square]) -> list[list[Square]]:
    """Return the images of a pattern under the board's symmetries, each set of squares once."""
    by_squares: dict[frozenset[Square], list[Square]] = {}
    for symmetry in range(SYMMETRIES):
        image = [transformed(square, symmetry) for square in pattern]
        by_squares.setdefault(frozenset(image), image)
    return list(by_squares.values())


def squares_of(names: str) -> list[Square]:
    """Return the squares of a text such as `a1 b1`; row 1 is the top one."""
    return [8 * int(name[1]) - 8 + ord(name[0]) - ord("a") for name in names.split()]


# One pattern per class; the class also has that pattern's rotations and reflections.  The first
# eight patterns begin with a whole line.
# fmt: off
PATTERN_CLASSES = tuple(map(squares_of, (
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", "a2 b2 c2 d2 e2 f2 g2 h2 a1 h1",
    "a3 b3 c3 d3 e3 f3 g3 h3 b2 g2", "a4 b4 c4 d4 e4 f4 g4 h4 c3 f3",
    "a1 b2 c3 d4 e5 f6 g7 h8 b1 a2", "b1 c2 d3 e4 f5 g6 h7 a1 h8",
    "c1 d2 e3 f4 g5 h6 b1 h7 b2 g7", "d1 e2 f3 g4 h5 c1 h6 c2 g6",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2")))
# fmt: on

# The class and the squares of each pattern lane.
PATTERNS = [
    (kind, image) for kind, pattern in enumerate(PATTERN_CLASSES) for image in images(pattern)
]


def _ways(square: Square) -> list[tuple[int, list[Square]]]:
    """Return, for each lane through a square, (the square's bit, the squares above it)."""
    return [
        (offset + line.index(square), line[line.index(square) + 1 :])
        for line, offset in zip(_LANES, _OFFSETS)
        if square in line
    ]


_WAYS = list(map(_ways, range(64)))
# CELLS[s]: the bits of square s in the lanes used for moves.  FULL: all of these bits.
CELLS = [bitboard([bit for bit, _ in ways]) for ways in _WAYS]
FULL = sum(CELLS)
# STEP[s]: the bits above those of CELLS[s].
STEP = [cells << 1 for cells in CELLS]


def _disc(square: Square) -> Discs:
    return CELLS[square] + sum(
        int(3 ** pattern.index(square)) << PATTERN_BASE + lane * STRIDE
        for lane, (_, pattern) in enumerate(PATTERNS)
        if square in pattern
    )


DISCS = list(map(_disc, range(64)))  # DISCS[s]: a disc on square s


def flips_of(square: Square, lanes: list[Discs]) -> Lazy[Discs, Flip]:
    """Return {key: (flipped, new own discs, change of the difference)} for moves on a square.

    flipped: the opponent's discs that are flipped.  new own discs: the flipped discs and the
    placed one.  change: growth of the mover's disc difference, one plus twice the flipped discs.

    The key is `(opp + (opp & STEP[square])) & own`: one bit in each lane in which a run
    ends at a disc of the mover.

    lanes: each square as lanes.
    """
    disc = lanes[square]
    directions = [
        (bit + 1, (2 << len(above)) - 1, list(accumulate([lanes[at] for at in above], initial=0)))
        for bit, above in _WAYS[square]
    ]

    def flip(key: Discs) -> Flip:
        flipped = count = 0
        for offset, mask, runs in directions:
            end = key >> offset & mask
            if end:
                length = end.bit_length() - 1
                flipped += runs[length]
                count += length
        return flipped, flipped + disc, 2 * count + 1

    return Lazy(flip, _MAX_FLIPS)


# FLIPS[s]: see flips_of().  BARE_FLIPS[s]: FLIPS[s] without the pattern lanes.
FLIPS = [flips_of(square, DISCS) for square in range(64)]
BARE_FLIPS = [flips_of(square, CELLS) for square in range(64)]


def spread(squares: Iterable[Square]) -> Discs:
    """Return distinct squares as lanes."""
    return sum([DISCS[square] for square in squares])


def moves_of(own: Discs, opp: Discs) -> list[Move]:
    """Return the squares where the side with `own` can flip discs, likely good ones first."""
    legal = (opp + ((own << 1) & opp)) & FULL & ~(own | opp)
    return ordered(legal) if legal else []


def ordered(cells: Discs) -> list[Square]:
    """Return the squares of `cells`, likely good moves first."""
    return [square for square in SQUARE_ORDER if cells & CELLS[square]]


def play(own: Discs, opp: Discs, move: Move) -> tuple[Discs, Discs]:
    """Return (own, opp) for the other side after a legal move, which may be PASS."""
    if move == PASS:
        return opp, own
    flipped, added, _ = FLIPS[move][(opp + (opp & STEP[move])) & own & MOVING]
    return opp - flipped, own + added


def squares_in(discs: Discs) -> list[Square]:
    """Return the squares of `discs` in ascending order."""
    return [square for square, cells in enumerate(CELLS) if discs & cells]


# key_of() multiplies the discs of each side by one of these.
OWN_FACTOR, OPP_FACTOR = 0x1B9096A0E7D80069, 0x1C963CFEAFAE5A3B
# Not a Mersenne prime, since bits 61 apart would count the same modulo 2**61 - 1.
PRIME = (1 << 61) - 31


def key_of(own: Discs, opp: Discs) -> Key:
    """Return the key, below 2**61, of the discs of the side to move (own) and of the other side.

    An unused slot of a table looks like an entry of key 0; positions with that key are too rare to
    need a test.
    """
    return ((own & ROWS) * OWN_FACTOR + (opp & ROWS) * OPP_FACTOR) % PRIME


# ---- stable discs --------------------------------------------------------------------

# Stable discs can't be flipped any more.  A disc is stable if, along each of the four axes, its
# line is full, or ends at the disc, or has a stable disc of the same side next to it.
# stable_count() grows the set from the corners and the full lines; it may miss a few stable discs
# but counts no others.


# By axis: its lines, each as (all cells, cells at the ends).
_AXES = [
    [(spread(line) & ROWS, spread({line[0], line[-1]}) & ROWS) for line in lines_along(8, 8, *step)]
    for step in _STEPS
]


def _cells_anchored(occupied: Discs) -> tuple[Discs, ...]:
    """Return, by axis, the cells that no move flips along it: full lines and all ends of lines."""
    return tuple(
        sum([cells if occupied & cells == cells else ends for cells, ends in lines])
        for lines in _AXES
    )


_anchored = Lazy(_cells_anchored, most=100_000)


def stable_count(own: Discs, opp: Discs) -> int:
    """Return the number of discs of `own` that are certainly stable.  own, opp: as lanes."""
    own &= ROWS
    row, column, falling, rising = _anchored[own | (opp & ROWS)]
    stable = 0
    while True:
        grown = (
            own
            & (row | stable << 1 | stable >> 1)
            & (column | stable << ROW | stable >> ROW)
            & (falling | stable << ROW + 1 | stable >> ROW + 1)
            & (rising | stable << ROW - 1 | stable >> ROW - 1)
        )
        if grown == stable:
            return count_bits(stable)
        stable = grown
