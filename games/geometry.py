"""The geometry of a square board: lookup tables of how pieces step and slide on it.

Squares count row by row from the lower left corner; the number `cells` stands for the square of a
king that is not on the board.  A bitboard has the bit 1 << square set for each of its squares.
Pieces are small ints; the second player's pieces have one more bit set than the first player's.
"""

from __future__ import annotations

from functools import cache, partial

from games.data import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.types import Cell

    Squares = tuple[int, ...]
    Rays = tuple[Squares, ...]
    Leaps = tuple[Squares, ...]
    Steps = tuple[tuple[int, int], ...]
    Flags = tuple[bool, ...]
    # A slider's attacks: (the last square of each ray, the empty squares before the last ones, a
    # bitboard of all these squares).
    Reach = tuple[Squares, Squares, int]
    Slider = tuple[int, Lazy[int, Reach]]
    # By square and direction: the ray from there.
    Compass = list[dict[tuple[int, int], Squares]]
    # A line of attack on a square: (flags of the pieces that attack from the next square, flags of
    # those that attack from farther away, the next square, the squares beyond it).
    Line = tuple[Flags, Flags, int, Squares]

ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_DIRECTIONS = ORTHOGONAL + DIAGONAL
# The length of a row of `through`, greater than any number of squares, since drops start off the
# board.
_STARTS = 128


def bitboard(squares: Iterable[int]) -> int:
    """Return the bitboard of `squares`, which must be distinct."""
    return sum([1 << square for square in squares])


def leaps(size: int, steps: Steps) -> Leaps:
    """Return, by square, the squares that a piece reaches by one of the steps (columns, rows)."""
    reached = []
    for square in range(size * size):
        row, column = divmod(square, size)
        cells = [(row + up, column + across) for across, up in steps]
        on_board = [at for at in cells if 0 <= at[0] < size and 0 <= at[1] < size]
        reached.append(tuple([to_row * size + to_column for to_row, to_column in on_board]))
    return *reached, ()


def _compass(size: int) -> Compass:
    """Return, by square, the rays in each direction, nearest squares first."""
    compass = []
    for square in range(size * size):
        row, column = divmod(square, size)
        room = {-1: (column, row), 0: (size, size), 1: (size - 1 - column, size - 1 - row)}
        ways = {}
        for across, up in _DIRECTIONS:
            count, offset = min(room[across][0], room[up][1]), across + size * up
            ways[across, up] = tuple(range(square + offset, square + offset * (count + 1), offset))
        compass.append(ways)
    return compass


def slider(rays: Rays) -> Slider:
    """Return (mask, attacks) of a slider with these rays: attacks[occupied & mask] is its Reach.

    As with magic bitboards, the mask has the squares on which a piece can block a ray.
    """
    return bitboard([at for ray in rays for at in ray[:-1]]), Lazy(partial(_reach, rays))


def _reach(rays: Rays, occupied: int) -> Reach:
    """Return the Reach of a slider along its rays, given a bitboard of occupied squares."""
    last, empty = [], []
    for ray in rays:
        for square in ray:
            if occupied >> square & 1:
                break
            empty.append(square)
        else:
            empty.pop()
        last.append(square)
    return tuple(last), tuple(empty), bitboard(last + empty)


def _moves(
    compass: Compass, leaps: Leaps, slides: Steps
) -> tuple[list[Rays], list[int], list[Flags]]:
    """Return the tables `rays`, `targets` and `attacks` of a piece with these leaps and slides."""
    rays = [tuple([ways[step] for step in slides if ways[step]]) for ways in compass]
    rays.append(())
    targets: list[int] = []
    attacks: list[Flags] = []
    for near, far in zip(leaps, rays):
        reached = [*near, *[to for ray in far for to in ray]]
        flags = [False] * len(rays)
        for to in reached:
            flags[to] = True
        targets.append(bitboard(reached))
        attacks.append(tuple(flags))
    return rays, targets, attacks


class Geometry:
    """The tables of a board with `size` rows and columns, for `pieces` kinds of pieces.

    half: half of `pieces`; a piece of player 1 is player 0's piece plus `half`.
    leaps[piece][square]: the squares that a piece attacks in one step.
    rays[piece][square]: the rays along which it slides, nearest squares first.
    targets[piece][square]: a bitboard of all the squares that it attacks on an empty board.
    attacks[piece][from][to]: is `to` one of these targets?
    through[a][b]: the ray from a through b to the edge; empty if they share no line.
    lines[side][square]: the Lines along which pieces of `side` attack the square.
    jumps[side][square]: the squares from which a piece of `side` may jump to the square.
    jumpers[side][piece]: is it a piece of `side` that jumps, as a knight does?
    """

    rays: Sequence[list[Rays]]
    targets: Sequence[list[int]]
    attacks: Sequence[list[Flags]]

    def __init__(
        self, size: int, pieces: int, leaps: Mapping[int, Leaps], slides: Mapping[int, Steps]
    ) -> None:
        """Build the tables.

        leaps: {piece: what leaps() returns for it}.  slides: {piece: the steps that it repeats}.
        """
        self.size = size
        self.cells = size * size
        self.pieces, self.half = range(pieces), pieces // 2
        width, compass = self.cells + 1, _compass(size)
        nowhere: Leaps = ((),) * width
        self.leaps = [leaps.get(piece, nowhere) for piece in self.pieces]
        moves = cache(partial(_moves, compass))
        self.rays, self.targets, self.attacks = zip(
            *[moves(self.leaps[piece], slides.get(piece, ())) for piece in self.pieces]
        )
        self.through: list[list[Squares]] = [[()] * _STARTS for _ in range(width)]
        for rays_through, ways in zip(self.through, compass):
            for ray in ways.values():
                for to in ray:
                    rays_through[to] = ray
        sides = self.pieces[: self.half], self.pieces[self.half :]
        self.lines = [self._lines(own, compass, slides) for own in sides]
        self.jumpers, self.jumps = zip(*[self._jumps(own, compass) for own in sides])

    def _lines(
        self, own: range, compass: Compass, slides: Mapping[int, Steps]
    ) -> list[tuple[Line, ...]]:
        """Return the Lines of each square.  own: the pieces of the side that attacks."""
        lines: list[list[Line]] = [[] for _ in range(self.cells + 1)]
        none = self.attacks[0]  # an empty square attacks nothing
        attacks = [self.attacks[piece] if piece in own else none for piece in self.pieces]
        for across, up in _DIRECTIONS:
            sliders = [piece for piece in own if (-across, -up) in slides.get(piece, ())]
            far = tuple([piece in sliders for piece in self.pieces])
            for square, ways in enumerate(compass):
                ray = ways[across, up]
                if ray:
                    near = tuple([attacked[ray[0]][square] for attacked in attacks])
                    lines[square].append((near, far, ray[0], ray[1:]))
        return [tuple(lines_of_square) for lines_of_square in lines]

    def _jumps(self, own: range, compass: Compass) -> tuple[Flags, list[Squares]]:
        """Return (by piece: does it jump?, by square: the squares from which a piece jumps to it).

        own: the pieces of the side that jumps.
        """
        jumping: set[int] = set()
        jumps: list[list[int]] = [[] for _ in range(self.cells + 1)]
        near = [{ray[0] for ray in ways.values() if ray} for ways in compass]
        for piece in own:
            for start, tos in enumerate(self.leaps[piece]):
                for to in tos:
                    if to not in near[start]:
                        jumping.add(piece)
                        if start not in jumps[to]:
                            jumps[to].append(start)
        return tuple([piece in jumping for piece in self.pieces]), [tuple(at) for at in jumps]

    def cell(self, square: int) -> Cell:
        """Return (column, row) of a square."""
        row, column = divmod(square, self.size)
        return column, row

    def square(self, cell: Cell) -> int:
        """Return the square of (column, row)."""
        column, row = cell
        return row * self.size + column

    def distance(self, one: int, two: int) -> int:
        """Return the number of king's moves between two squares."""
        size = self.size
        return max(abs(one // size - two // size), abs(one % size - two % size))
