"""Pieces and moves as ints, and the lookup tables of a board's geometry.

Squares count from the lower left corner as the first player (Black) sees the board: 9i is 0, 8i is
1, 9h is 9.  A piece is its kind (1..8), plus 8 if it is promoted, plus 16 for White; 0 is an empty
square.  `piece & 7` is the kind that a captured piece has in hand.  Sides are 0 (Black) and
1 (White).  A bitboard has the bit 1 << square set for each of its squares.  A king that is not on
the board is on the square `cells`.

A move is an int:   bits 0-6   from; DROP + kind if the piece comes from the hand
                    bits 7-13  to
                    bit  14    is the piece promoted?
"""

from __future__ import annotations

from functools import cache, partial

from games.data import Lazy
from games.keys import random_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Squares = tuple[int, ...]
    Rays = tuple[Squares, ...]
    # A slider's attacks: (the last square of each ray, the empty squares before the last ones, a
    # bitboard of all these squares).
    Reach = tuple[Squares, Squares, int]
    Slider = tuple[int, Lazy[int, Reach]]
    Flags = tuple[bool, ...]
    # (does each piece attack from the next square?, from a distance?, the next square, the others).
    Line = tuple[Flags, Flags, int, Squares]
    Steps = tuple[tuple[int, int], ...]

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED, WHITE, PIECES = 8, 16, 32
HORSE, DRAGON = BISHOP + PROMOTED, ROOK + PROMOTED
KINDS = range(PAWN, KING)  # the kinds of pieces that may be in hand
LETTERS = ".PLNSBRGK"
# The value of each piece on the board, in centipawns.  A king is worth more than any exchange wins.
_VALUES = 0, 90, 230, 260, 370, 570, 640, 440, 20000, 420, 430, 440, 450, 830, 950, 0
VALUE = _VALUES * 2
DROP = 112  # a move from here on (in its bits 0-6) drops a piece
PROMOTE = 1 << 14
TO_SHIFT = 7
MOVE_MASK = (1 << 20) - 1  # the bits above may hold an ordering score

# FROM_TO[move & FROM_TO_MASK]: (from, to).
FROM_TO = [(start, to) for to in range(128) for start in range(128)]
FROM_TO_MASK = PROMOTE - 1

_ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_JUMPS = ((-1, 2), (1, 2))
_AS_GOLD = (*_ORTHOGONAL, (-1, 1), (1, 1))
_AS_SILVER = (*_DIAGONAL, (0, 1))
# By kind, for Black: the steps (column, row) that a piece makes once, and those that it repeats.
_STEPS: dict[int, Steps] = {
    PAWN: ((0, 1),),
    KNIGHT: _JUMPS,
    SILVER: _AS_SILVER,
    GOLD: _AS_GOLD,
    KING: _ORTHOGONAL + _DIAGONAL,
    **dict.fromkeys(range(PAWN + PROMOTED, SILVER + PROMOTED + 1), _AS_GOLD),
    HORSE: _ORTHOGONAL,
    DRAGON: _DIAGONAL,
}
_SLIDES: dict[int, Steps] = {
    LANCE: ((0, 1),),
    BISHOP: _DIAGONAL,
    ROOK: _ORTHOGONAL,
    HORSE: _DIAGONAL,
    DRAGON: _ORTHOGONAL,
}


def letters_of(piece: int) -> str:
    """Return the letters of a piece in SFEN: a letter in lower case for White, + if promoted."""
    letter = LETTERS[piece & 7 or piece & 8]
    return "+" * (piece & 15 > KING) + (letter.lower() if piece & WHITE else letter)


def bitboard(squares: Iterable[int]) -> int:
    """Return the bitboard of `squares`, which must be distinct."""
    return sum([1 << square for square in squares])


def _reach(rays: Rays, occupied: int) -> Reach:
    """Return the Reach of a slider along its rays, given a bitboard of occupied squares."""
    last: list[int] = []
    empty: list[int] = []
    for ray in rays:
        for square in ray:
            if occupied >> square & 1:
                break
            empty.append(square)
        else:
            empty.pop()
        last.append(square)
    return tuple(last), tuple(empty), bitboard(last + empty)


class Geometry:
    """The tables of a board with `size` rows and columns.

    zone: number of rows in which pieces promote.
    leaps[piece][square]: the squares that a piece attacks in one step.
    sliders[piece][square]: None, or (mask, attacks) of a slider: attacks[occupied & mask] is its
        Reach.  As with magic bitboards, the mask has the squares that can hide others.
    targets[piece][square]: a bitboard of all the squares that it attacks on an empty board.
    attacks[piece][from][to]: is `to` one of them?
    lines[side][square]: the Lines along which pieces of `side` attack the square.
    jumps[side][square]: the squares from which a knight of `side` attacks the square.
    through[a][b]: the ray from a through b to the edge; empty if they share no line.
    pinners[side][a][b]: does each piece of `side` slide along this ray towards a?
    promotions[piece][square]: a bitboard of the squares to which it may go and promote.
    drops[piece]: flags of the squares on which the piece has a move, so that it may be dropped.
    keys[piece][square], hand_keys[piece][count]: Zobrist keys.
    """

    def __init__(self, size: int, zone: int) -> None:
        self.size, self.zone, self.cells = size, zone, size * size
        cells = range(self.cells)
        steps, rays = self._walks(_STEPS, 1), self._walks(_SLIDES, size)
        self.leaps = [
            [tuple(to for walk in walks for to in walk) for walks in row] for row in steps
        ]
        self.sliders = [[_slider(walks) if walks else None for walks in row] for row in rays]
        self.targets = [
            [bitboard(to for walk in one + two for to in walk) for one, two in zip(*rows)]
            for rows in zip(steps, rays)
        ]
        self.attacks = [
            [tuple(bool(bits >> to & 1) for to in range(self.cells + 1)) for bits in row]
            for row in self.targets
        ]
        zones = [bitboard(cells[(size - zone) * size :]), bitboard(cells[: zone * size])]
        self.promotions = [
            [self._promotions(piece, square, zones[piece >> 4]) for square in cells]
            for piece in range(PIECES)
        ]
        nothing: list[Flags] = [()] * self.cells
        self.through: list[list[Squares]] = [[()] * self.cells for _ in range(self.cells + 1)]
        self.pinners = [[nothing[:] for _ in range(self.cells + 1)] for _ in range(2)]
        self.lines = [[self._lines(side, square, rays) for square in cells] for side in range(2)]
        self.lines = [[*row, ()] for row in self.lines]
        self.jumps = [self.leaps[KNIGHT + WHITE], self.leaps[KNIGHT]]
        self.drops = [[bool(bits) for bits in row] for row in self.targets]
        stream = random_numbers(76 + size)
        self.keys = [[next(stream) for _ in cells] for _ in range(PIECES)]
        self.hand_keys = [[0] + [next(stream) for _ in range(18)] for _ in range(PIECES)]
        self.side_key = next(stream)

    def distance(self, one: int, two: int) -> int:
        """Return the number of king's moves between two squares."""
        size = self.size
        return max(abs(one // size - two // size), abs(one % size - two % size))

    def _walks(self, steps: dict[int, Steps], limit: int) -> list[list[Rays]]:
        """Return walks of up to `limit` steps by piece and square, the nearest squares first.

        Nothing is reached from the square `cells`, which is off the board.
        """
        table: list[list[Rays]] = [[()] * (self.cells + 1) for _ in range(PIECES)]
        for kind, forward in steps.items():
            backward = tuple((-across, -up) for across, up in forward)
            for square in range(self.cells):
                for piece, moves in ((kind, forward), (kind + WHITE, backward)):
                    walks = (self._walk(square, step, limit) for step in moves)
                    table[piece][square] = tuple(walk for walk in walks if walk)
        return table

    def _walk(self, square: int, step: tuple[int, int], limit: int) -> Squares:
        row, column = divmod(square, self.size)
        across, up = step
        found: list[int] = []
        while len(found) < limit:
            row, column = row + up, column + across
            if not (0 <= row < self.size and 0 <= column < self.size):
                break
            found.append(row * self.size + column)
        return tuple(found)

    def _promotions(self, piece: int, square: int, zone: int) -> int:
        if piece & 15 >= GOLD or not piece & 15:
            return 0
        return self.targets[piece][square] & (-1 if zone >> square & 1 else zone)

    def _lines(self, side: int, square: int, rays: list[list[Rays]]) -> tuple[Line, ...]:
        """Return the Lines of a square; fill in `through` and `pinners`."""
        found = []
        own = [piece for piece in range(PIECES) if piece >> 4 == side]
        for step in _ORTHOGONAL + _DIAGONAL:
            ray = self._walk(square, step, self.size)
            if not ray:
                continue
            near = {piece for piece in own if self.attacks[piece][ray[0]][square]}
            back = self._walk(ray[-1], (-step[0], -step[1]), self.size)
            far = {piece for piece in own if back in rays[piece][ray[-1]]}
            near_flags, far_flags = (
                tuple(piece in some for piece in range(PIECES)) for some in (near, far)
            )
            for to in ray:
                self.through[square][to], self.pinners[side][square][to] = ray, far_flags
            found.append((near_flags, far_flags, ray[0], ray[1:]))
        return tuple(found)


def _slider(rays: Rays) -> Slider:
    return bitboard(square for ray in rays for square in ray[:-1]), Lazy(partial(_reach, rays))


@cache
def geometry(size: int) -> Geometry:
    """Return the Geometry of the board of shogi (9) or minishogi (5)."""
    return Geometry(size, 3 if size == 9 else 1)
