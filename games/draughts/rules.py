"""How pieces move and capture, on the bits of squares.py.

A move is its first square, its last square << 6, and an index << 12 that tells captures with the
same two squares apart, in ascending order of what they capture.  A Capture is

    (move, captured pieces as bits, does a man become a king?, squares of the way)

Captured pieces leave the board after the whole move; until then they can't be passed again.
"""

from __future__ import annotations

from itertools import takewhile

from games.data import Lazy
from games.draughts.squares import DIAGONALS, ORTHOGONALS, board_of
from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from games.draughts import Draughts
    from games.draughts.squares import Bits
    from games.types import Move, Square

    Way = tuple[Square, ...]
    Capture = tuple[Move, Bits, bool, Way]
    Found = tuple[Bits, bool, Way]  # a Capture without its move
    # captures(men, kings, the other side's men, its kings, does the side move up?)
    Captures = Callable[[Bits, Bits, Bits, Bits, bool], list[Capture]]
    Capturers = Callable[[Bits, Bits, Bits, bool], Bits]
    FindCaptures = Callable[[Bits, Bits, Bits, bool], list[Found]]
    # quiets(men, kings, empty squares, does the side move up?)
    Quiets = Callable[[Bits, Bits, Bits, bool], list[Move]]

# What a player must capture: anything, the most pieces, or the highest value (a king counts one and
# a half men, and a king has to capture if it can capture as much as a man).
ANY, MOST, VALUE = "any", "most", "value"
# A man that reaches its last row within a capture passes over it, or stops there as a king, or goes
# on as a king.
PASSES, STOPS, GOES_ON = "passes", "stops", "goes on"
# What wins: the opponent can't move, oneself can't move, or a king (or the opponent can't move).
BLOCK, LOSE, KING = "block", "lose", "king"

SQUARE, TO, INDEX = 63, 6, 12
_MAX_INDEX = 255
# The values of captured pieces in a game whose law is VALUE: a king counts one and a half men, and
# slightly more, since two kings must be preferred to three men.  Of captures with equal values, one
# by a king must be preferred.
_MAN_VALUE, _KING_VALUE, _BY_KING = 2000, 3002, 1


class Rules:
    """The moves of one of the games.

    quiets(men, kings, empty, up): the moves that capture nothing.
    capturers(men, others, empty, up): the men that can capture (with orthogonal captures, some that
    can't, too).
    crown: the last row of the side that moves down, and of the side that moves up.
    """

    def __init__(self, game: Draughts) -> None:
        self._game, self._squares = game, board_of(game.columns)
        self.crown = self._squares.rows[0], self._squares.rows[-1]
        self.capturers = self._build_capturers()
        self.quiets, self._find = self._build_quiets(), self._build_find()

    def captures(
        self, men: Bits, kings: Bits, other_men: Bits, other_kings: Bits, up: bool
    ) -> list[Capture]:
        """Return the legal captures."""
        found = self._find(men, kings, other_men | other_kings, up)
        if len(found) > 1:
            found = self._lawful(found, kings, other_kings)
        return self._numbered(found, kings) if found else []

    def barred(
        self, men: Bits, kings: Bits, other_men: Bits, other_kings: Bits, up: bool
    ) -> list[Capture]:
        """Return the captures that are possible but illegal, since the law demands others."""
        found = self._find(men, kings, other_men | other_kings, up)
        lawful = self._lawful(found, kings, other_kings)
        others = [capture for capture in found if capture not in lawful]
        return self._numbered(lawful, kings, others)[len(self._numbered(lawful, kings)) :]

    def _lawful(self, found: list[Found], kings: Bits, other_kings: Bits) -> list[Found]:
        if self._game.law == ANY or not found:
            return found
        if self._game.law == VALUE:
            values = [
                _MAN_VALUE * count_bits(captured)
                + (_KING_VALUE - _MAN_VALUE) * count_bits(captured & other_kings)
                + _BY_KING * (kings >> way[0] & 1)
                for captured, _, way in found
            ]
        else:
            values = [count_bits(captured) for captured, _, _ in found]
        most = max(values)
        return [capture for capture, value in zip(found, values) if value == most]

    def _numbered(
        self, found: Iterable[Found], kings: Bits, barred: Iterable[Found] = ()
    ) -> list[Capture]:
        """Return the captures with their moves; of those that capture the same, only the first.

        In games with orthogonal captures, a man may capture the same pieces in two orders, which
        count as two moves.  barred: captures that follow; their indices come after the others'.
        """
        captures: list[Capture] = []
        last: dict[tuple[Square, Square], int] = {}
        for some in (found, barred):
            ways: dict[tuple[Square, Square, Bits, bool, Way], Way] = {}
            for captured, crowned, way in some:
                order = () if kings >> way[0] & 1 or not self._game.orthogonal else way
                ways.setdefault((way[0], way[-1], captured, crowned, order), way)
            for (start, to, captured, crowned, _), way in sorted(ways.items()):
                index = last[start, to] = last.get((start, to), -1) + 1
                if index <= _MAX_INDEX:
                    captures.append((start | to << TO | index << INDEX, captured, crowned, way))
        return captures

    def _build_quiets(self) -> Quiets:
        squares, flying = self._squares, self._game.flying
        left, right = squares.left, squares.right
        rays = {square: [squares.ray(square, step) for step in DIAGONALS] for square in squares.all}

        def moves_by(shift: int) -> Lazy[Bits, list[Move]]:
            """Return {squares where men arrive: their moves}; shift: from there to their start."""
            return Lazy(
                lambda targets: [to + shift | to << TO for to in squares.of(targets)], 100_000
            )

        up_left, up_right = moves_by(right), moves_by(left)
        down_left, down_right = moves_by(-left), moves_by(-right)

        def quiets(men: Bits, kings: Bits, empty: Bits, up: bool) -> list[Move]:
            if up:
                moves = up_left[men >> right & empty] + up_right[men >> left & empty]
            else:
                moves = (
                    down_left[(men & empty >> left) << left]
                    + down_right[(men & empty >> right) << right]
                )
            while kings:
                start = (kings & -kings).bit_length() - 1
                kings &= kings - 1
                for ray in rays[start]:
                    for to in ray if flying else ray[:1]:
                        if not empty >> to & 1:
                            break
                        moves.append(start | to << TO)
            return moves

        return quiets

    def _build_capturers(self) -> Capturers:
        game, squares = self._game, self._squares
        left, right, row = squares.left, squares.right, squares.columns + 1
        left2, right2 = 2 * left, 2 * right

        def downwards(men: Bits, others: Bits, empty: Bits) -> Bits:
            return men & (others >> left & empty >> left2 | others >> right & empty >> right2)

        def upwards(men: Bits, others: Bits, empty: Bits) -> Bits:
            return ((men >> left & others) >> left & empty) << left2 | (
                (men >> right & others) >> right & empty
            ) << right2

        def forwards(men: Bits, others: Bits, empty: Bits, up: bool) -> Bits:
            return upwards(men, others, empty) if up else downwards(men, others, empty)

        def both_ways(men: Bits, others: Bits, empty: Bits, up: bool) -> Bits:
            return (
                men & (others >> left & empty >> left2 | others >> right & empty >> right2)
                | ((men >> left & others) >> left & empty) << left2
                | ((men >> right & others) >> right & empty) << right2
            )

        def all_ways(men: Bits, others: Bits, empty: Bits, up: bool) -> Bits:
            found = both_ways(men, others, empty, up)
            for shift in (row, 1):
                found |= men & others >> shift & empty >> 2 * shift
                found |= ((men >> shift & others) >> shift & empty) << 2 * shift
            return found

        return all_ways if game.orthogonal else both_ways if game.backward else forwards

    def _build_find(self) -> FindCaptures:
        game, squares, crown = self._game, self._squares, self.crown
        directions = DIAGONALS + (ORTHOGONALS if game.orthogonal else ())
        rays = {
            square: [ray for step in directions if len(ray := squares.ray(square, step)) > 1]
            for square in squares.all
        }
        flights = {
            square: [(squares.bits(ray), ray) for ray in rays[square]] for square in squares.all
        }
        # The steps of pieces that don't fly: (the captured piece as a bit, the square behind it).
        steps = {square: [(1 << ray[0], ray[1]) for ray in rays[square]] for square in squares.all}
        of_men = [
            {
                square: [step for step in ways if game.backward or (step[1] < square) == up]
                for square, ways in steps.items()
            }
            for up in (False, True)
        ]
        capturers = self.capturers

        def fly(
            found: list[Found], way: Way, others: Bits, empty: Bits, captured: Bits, crowned: bool
        ) -> bool:
            """Add the captures of a flying king that continue `way`; return if there are any."""
            more = False
            for bits, ray in flights[way[-1]]:
                if not bits & others:
                    continue
                place = 0
                while empty >> ray[place] & 1:
                    place += 1
                over, longer = 1 << ray[place], []
                if over & others:
                    longer = [
                        (*way, to) for to in takewhile(lambda to: empty >> to & 1, ray[place + 1 :])
                    ]
                ends = [
                    (captured | over, crowned, further)
                    for further in longer
                    if not fly(found, further, others ^ over, empty, captured | over, crowned)
                ]
                if len(ends) == len(longer):  # otherwise the king must land where it can go on
                    found += ends
                more = more or bool(longer)
            return more

        def jump(
            found: list[Found], way: Way, others: Bits, empty: Bits, captured: Bits, kind: int
        ) -> bool:
            """Add the captures of a piece that doesn't fly; see fly().

            kind: 2 for kings, 1 for men that move up, 0 for men that move down.
            """
            more = False
            for over, to in (steps if kind == 2 else of_men[kind])[way[-1]]:
                if over & others and empty >> to & 1:
                    more, further, taken = True, (*way, to), captured | over
                    crowned = kind < 2 and crown[kind] >> to & 1 == 1
                    if crowned and game.crowning != PASSES:
                        if game.crowning == STOPS or not fly(
                            found, further, others ^ over, empty, taken, True
                        ):
                            found.append((taken, True, further))
                    elif not jump(found, further, others ^ over, empty, taken, kind):
                        found.append((taken, crowned, further))
            return more

        def find(men: Bits, kings: Bits, others: Bits, up: bool) -> list[Found]:
            """Return all captures, whatever the law demands; some capture the same pieces."""
            found: list[Found] = []
            empty = squares.full & ~(men | kings | others)
            starts = capturers(men, others, empty, up)
            while starts:
                start = starts & -starts
                starts ^= start
                jump(found, (start.bit_length() - 1,), others, empty | start, 0, int(up))
            while kings:
                start = kings & -kings
                kings ^= start
                way = (start.bit_length() - 1,)
                if game.flying:
                    fly(found, way, others, empty | start, 0, False)
                else:
                    jump(found, way, others, empty | start, 0, 2)
            return found

        return find
