"""The rules of moving and capturing, on the bits of squares.py.

A state is what the kernel hands down the tree (games/kernel.py):

    (key, 0, plies since a capture or a man's move, False, colour to move (0 is White), its men,
     its kings, the other side's men, its kings, the lanes of patterns.py)

A move is its first square, its last square << 6, and an index << 12.  The index distinguishes
captures with the same two squares, in ascending order of the captured pieces.  A Step is

    (move, captured pieces as bits, does a man become a king?, squares of a capture's way)

Captured pieces leave the board after the whole move; until then they can't be passed again.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import takewhile

from games.data import Lazy
from games.draughts.patterns import evaluation_of
from games.draughts.squares import DIAGONALS, ORTHOGONALS
from games.grid import count_bits
from games.keys import zobrist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.draughts import Draughts
    from games.draughts.squares import Bits
    from games.types import Key, Move, Score, Side, Square

    State = tuple[Key, Score, int, bool, int, Bits, Bits, Bits, Bits, int]
    Way = tuple[Square, ...]
    Step = tuple[Move, Bits, bool, Way]
    Capture = tuple[Bits, bool, Way]  # (captured pieces, does a man become a king?, squares)

# What a player must capture: the captures of the highest value, which is the sum of (the value of
# each captured piece, what is added for a captured king, what is added for a capture by a king).
# ANY: anything.  MOST: the most pieces.  VALUE: a king counts as one and a half men, and slightly
# more, since two kings must be preferred to three men; of captures with equal values, one by a king
# must be preferred.
ANY = 0, 0, 0
MOST = 1, 0, 0
VALUE = 2000, 1002, 1
# What happens to a man that reaches its last row within a capture.  PASSES: it goes on as a man.
# STOPS: it becomes a king, and the capture ends.  GOES_ON: it becomes a king and goes on capturing.
PASSES = "passes"
STOPS = "stops"
GOES_ON = "goes on"
# How a player wins.  BLOCK: by leaving the opponent without a move.  LOSE: by being without a move.
# KING: by having the first king, or by leaving the opponent without a move.
BLOCK = "block"
LOSE = "lose"
KING = "king"

SQUARE = 63
TO = 6
INDEX = 12
# The index that marks captures that the rules forbid.
_BARRED = 255

# The keys of pieces, KEYS[king][player][square], and the key of the second player's turn.
KEYS = [[zobrist(71 + 2 * king + player, 64) for player in (0, 1)] for king in (0, 1)]
(SIDE_KEY,) = zobrist(75, 1)


class DraughtsRules:
    """The moves of one of the games.

    crown: the last row, by colour.
    quiets(state): the Steps that capture nothing.  after(state, step): the state after a Step.
    capturers[colour](men, others, empty): the men that can capture, and maybe some that can't.
    """

    def __init__(self, game: Draughts) -> None:
        self.game, self.board = game, game.board
        self.judge = evaluation_of(game)
        self.crown = self.board.rows[-1], self.board.rows[0]
        # keys[king][colour][square]: the key of a piece.
        # lanes[king][colour][square]: what the piece adds to the lanes of patterns.py.
        self.keys = [[keys[game.white], keys[1 - game.white]] for keys in KEYS]
        self.lanes = [self.judge.man_lanes, (self.judge.king_lanes, self.judge.king_lanes)]
        self.quiets, self.after = self._build_quiets(), self._build_after()
        self.capturers = self._build_capturers()
        self._find = self._build_find()

    def state(self, pieces: dict[Square, str], side: Side) -> State:
        """Return the state of a board.  pieces: W and B are kings, w and b men."""
        bits = [0, 0, 0, 0]
        key = SIDE_KEY * side
        lanes = 0
        colour = side ^ self.game.white
        for square, piece in pieces.items():
            king, owner = piece.isupper(), "WB".index(piece.upper())
            bits[2 * (owner ^ colour) + king] |= 1 << square
            key ^= self.keys[king][owner][square]
            lanes += self.lanes[king][owner][square]
        return key, 0, 0, False, colour, bits[0], bits[1], bits[2], bits[3], lanes

    def captures(self, state: State) -> list[Step]:
        """Return the legal captures."""
        _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
        others = other_men | other_kings
        empty = self.board.full ^ (men | kings | others)
        starts = self.capturers[colour](men, others, empty)
        if not starts and not kings:
            return []
        captures = self._find(starts, kings, others, empty, colour)
        if len(captures) > 1:
            captures = self._lawful(captures, kings, other_kings)
        return self._numbered(captures, kings)

    def can_capture(self, state: State) -> bool:
        """Could the side that is not to move capture if it were to move?"""
        key, _, clock, _, colour, men, kings, other_men, other_kings, lanes = state
        own = men | kings
        empty = self.board.full ^ (own | other_men | other_kings)
        if self.capturers[colour ^ 1](other_men, own, empty):
            return True
        if not other_kings:
            return False
        passed = key, 0, clock, False, colour ^ 1, other_men, other_kings, men, kings, lanes
        return bool(self.captures(passed))

    def can_move(self, state: State) -> bool:
        """Has the side to move a quiet move?  A side with a king is assumed to have one."""
        _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
        left, right = self.board.left, self.board.right
        empty = self.board.full ^ (men | kings | other_men | other_kings)
        if colour:
            return kings > 0 or men & (empty >> left | empty >> right) > 0
        return kings > 0 or (men >> left | men >> right) & empty > 0

    def barred(self, state: State) -> list[Move]:
        """Return captures that are possible but illegal, since the rules demand others."""
        captures = self.all_captures(state)
        lawful = {way for _, _, way in self._lawful(captures, state[6], state[8])}
        ways = {(way[0], way[-1]) for _, _, way in captures if way not in lawful}
        return [start | to << TO | _BARRED << INDEX for start, to in sorted(ways)]

    def all_captures(self, state: State) -> list[Capture]:
        """Return all captures, by all paths, even if the rules demand others."""
        _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
        others = other_men | other_kings
        return self._find(men, kings, others, self.board.full ^ (men | kings | others), colour)

    def _lawful(self, captures: list[Capture], kings: Bits, other_kings: Bits) -> list[Capture]:
        of_piece, of_king, by_king = self.game.law
        if not of_piece or not captures:
            return captures
        values = [
            of_piece * count_bits(captured)
            + of_king * count_bits(captured & other_kings)
            + by_king * (kings >> way[0] & 1)
            for captured, _, way in captures
        ]
        most = max(values)
        return [capture for capture, value in zip(captures, values) if value == most]

    def _numbered(self, captures: list[Capture], kings: Bits) -> list[Step]:
        """Return the captures as Steps.

        Captures that have the same two squares and take the same pieces become a single Step.  But
        in games with orthogonal captures, two orders of a man's captures are two moves.
        """
        steps = [
            (way[0] | way[-1] << TO, captured, crowned, way) for captured, crowned, way in captures
        ]
        if len({step[0] for step in steps}) == len(steps):  # usually, no captures share both ends
            return steps
        ways: dict[tuple[Move, Bits, bool, Way], Way] = {}
        for move, captured, crowned, way in steps:
            order = way if self.game.orthogonal and not kings >> way[0] & 1 else ()
            ways.setdefault((move, captured, crowned, order), way)
        last: dict[Move, int] = {}
        steps = []
        for (move, captured, crowned, _), way in sorted(ways.items()):
            index = last[move] = last.get(move, -1) + 1
            if index < _BARRED:
                steps.append((move | index << INDEX, captured, crowned, way))
        return steps

    def _build_after(self) -> Callable[[State, Step], State]:
        keys_of, lanes_of = self.keys, self.lanes

        def after(state: State, step: Step) -> State:
            key, _, clock, _, colour, men, kings, other_men, other_kings, lanes = state
            move, captured, crowned, _ = step
            start, to = move & SQUARE, move >> TO & SQUARE
            king = kings >> start & 1
            if king:
                kings ^= 1 << start ^ 1 << to
                clock = 0 if captured else clock + 1
            else:
                men ^= 1 << start
                clock = 0
                if crowned:
                    kings |= 1 << to
                else:
                    men |= 1 << to
            placed = king or crowned
            key ^= SIDE_KEY ^ keys_of[king][colour][start] ^ keys_of[placed][colour][to]
            lanes += lanes_of[placed][colour][to] - lanes_of[king][colour][start]
            other = colour ^ 1
            if captured:
                left = captured
                while left:
                    piece = left & -left
                    left ^= piece
                    square, king = piece.bit_length() - 1, other_kings & piece != 0
                    key ^= keys_of[king][other][square]
                    lanes -= lanes_of[king][other][square]
                other_men &= ~captured
                other_kings &= ~captured
            return key, 0, clock, False, other, other_men, other_kings, men, kings, lanes

        return after

    def _build_quiets(self) -> Callable[[State], list[Step]]:
        board = self.board
        left = board.left
        right = board.right
        full = board.full
        rays = {
            square: [
                [(1 << to, (square | to << TO, 0, False, ())) for to in self._reach(square, step)]
                for step in DIAGONALS
            ]
            for square in board.all
        }

        def steps_of(shift: int, crown: Bits, targets: Bits) -> list[Step]:
            """Return the Steps of men to the `targets`.  shift: a man's square minus its target."""
            return [
                (to + shift | to << TO, 0, crown >> to & 1 == 1, ()) for to in board.of(targets)
            ]

        up_left, up_right, down_left, down_right = (
            Lazy(partial(steps_of, shift, self.crown[shift < 0]), 100_000)
            for shift in (right, left, -left, -right)
        )

        def quiets(state: State) -> list[Step]:
            _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
            empty = full ^ (men | kings | other_men | other_kings)
            if colour:
                steps = down_left[men << left & empty] + down_right[men << right & empty]
            else:
                steps = up_left[men >> right & empty] + up_right[men >> left & empty]
            while kings:
                king = kings & -kings
                kings ^= king
                for ray in rays[king.bit_length() - 1]:
                    for to, step in ray:
                        if not empty & to:
                            break
                        steps.append(step)
            return steps

        return quiets

    def _reach(self, square: Square, step: tuple[int, int]) -> list[Square]:
        """Return the squares that a king reaches in one direction, the nearest first."""
        ray = self.board.ray(square, step)
        return ray if self.game.flying else ray[:1]

    def _build_capturers(self) -> Sequence[Callable[[Bits, Bits, Bits], Bits]]:
        left = self.board.left
        right = self.board.right
        row = self.board.columns + 1
        left2, right2 = 2 * left, 2 * right

        def upwards(men: Bits, others: Bits, empty: Bits) -> Bits:
            able = ((men >> left & others) >> left & empty) << left2
            return able | ((men >> right & others) >> right & empty) << right2

        def downwards(men: Bits, others: Bits, empty: Bits) -> Bits:
            return men & (others >> left & empty >> left2 | others >> right & empty >> right2)

        def both_ways(men: Bits, others: Bits, empty: Bits) -> Bits:
            return (
                men & (others >> left & empty >> left2 | others >> right & empty >> right2)
                | ((men >> left & others) >> left & empty) << left2
                | ((men >> right & others) >> right & empty) << right2
            )

        def all_ways(men: Bits, others: Bits, empty: Bits) -> Bits:
            able = both_ways(men, others, empty)
            for shift in (row, 1):
                able |= men & others >> shift & empty >> 2 * shift
                able |= ((men >> shift & others) >> shift & empty) << 2 * shift
            return able

        if not self.game.backward:
            return upwards, downwards
        return [all_ways if self.game.orthogonal else both_ways] * 2

    def _build_find(self) -> Callable[[Bits, Bits, Bits, Bits, int], list[Capture]]:
        game = self.game
        board = self.board
        crown = self.crown
        directions = DIAGONALS + (ORTHOGONALS if game.orthogonal else ())
        rays = {
            square: [ray for step in directions if len(ray := board.ray(square, step)) > 1]
            for square in board.all
        }
        flights = {square: [(board.bits(ray), ray) for ray in rays[square]] for square in board.all}
        # steps[kind][square]: (bit of a captured piece, square behind it) for each direction.
        # kind: a man's colour, or 2 for a king that doesn't fly.
        steps = [
            {
                square: [
                    (1 << ray[0], ray[1])
                    for ray in rays[square]
                    if kind == 2 or game.backward or (ray[1] > square) == (kind == 1)
                ]
                for square in board.all
            }
            for kind in range(3)
        ]

        def fly(
            way: Way, others: Bits, empty: Bits, captured: Bits, crowned: bool
        ) -> list[Capture]:
            """Return the captures of a flying king that continue `way`, its path so far."""
            captures: list[Capture] = []
            for bits, ray in flights[way[-1]]:
                if not bits & others:
                    continue
                place = 0
                while empty >> ray[place] & 1:
                    place += 1
                over = 1 << ray[place]
                if not over & others:
                    continue
                taken = captured | over
                ways = [
                    (*way, to) for to in takewhile(lambda to: empty >> to & 1, ray[place + 1 :])
                ]
                longer: list[Capture] = []
                for further in ways:
                    longer += fly(further, others ^ over, empty, taken, crowned)
                # If a king can go on capturing, it must land on a square from which it can.
                captures += longer or [(taken, crowned, further) for further in ways]
            return captures

        def jump(way: Way, others: Bits, empty: Bits, captured: Bits, kind: int) -> list[Capture]:
            """Return the captures of a piece of this kind, which doesn't fly."""
            captures: list[Capture] = []
            for over, to in steps[kind][way[-1]]:
                if over & others and empty >> to & 1:
                    further = (*way, to)
                    taken = captured | over
                    crowned = kind < 2 and crown[kind] >> to & 1 == 1
                    longer: list[Capture] = []
                    if not crowned or game.crowning == PASSES:
                        longer = jump(further, others ^ over, empty, taken, kind)
                    elif game.crowning == GOES_ON:
                        longer = fly(further, others ^ over, empty, taken, True)
                    captures += longer or [(taken, crowned, further)]
            return captures

        def find(men: Bits, kings: Bits, others: Bits, empty: Bits, colour: int) -> list[Capture]:
            """Return all captures by these pieces, even if the rules demand others."""
            captures: list[Capture] = []
            while men:
                start = men & -men
                men ^= start
                captures += jump((start.bit_length() - 1,), others, empty | start, 0, colour)
            while kings:
                start = kings & -kings
                kings ^= start
                way = (start.bit_length() - 1,)
                if game.flying:
                    captures += fly(way, others, empty | start, 0, False)
                else:
                    captures += jump(way, others, empty | start, 0, 2)
            return captures

        return find


@cache
def rules_of(game: Draughts) -> DraughtsRules:
    """Return the DraughtsRules of a game, made once."""
    return DraughtsRules(game)
