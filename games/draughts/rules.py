"""The rules of moving and capturing, on the bits of squares.py.

A state is what the kernel hands down the tree (games/kernel.py):

    (key, 0, plies since a capture or a man's move, False, colour to move (0 is White), its men,
     its kings, the other side's men, its kings, the lanes of patterns.py)

A move is its first square, its last square << 6, and an index << 12.  The index numbers
captures with the same two squares, in ascending order of the captured pieces as bits.  A Step is

    (move, captured pieces as bits, does a man become a king?, squares that a capture visits)

Captured pieces stay on the board until the move ends; they can't be passed again.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial

from games.data import Lazy
from games.draughts.patterns import DraughtsEvaluation
from games.draughts.squares import DIAGONALS, ORTHOGONALS, squares_of
from games.geometry import bitboard
from games.grid import count_bits
from games.keys import zobrist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.draughts import Draughts
    from games.draughts.squares import Bits
    from games.types import Key, Move, Score, Side, Square

    State = tuple[Key, Score, int, bool, int, Bits, Bits, Bits, Bits, int]
    Way = tuple[Square, ...]
    Step = tuple[Move, Bits, bool, Way]
    # A capture of one piece: (the piece, the squares before it that must be empty, the landings).
    # A landing: (a square behind the piece, is the capturer a king there?, its index in `hops`).
    Landing = tuple[Square, bool, int]
    Hop = tuple[Bits, Bits, list[Landing]]

# A law, by which only captures of the highest value are legal: (the value of each captured piece,
# the bonus for each captured king, the bonus for a capture by a king).
# ANY: all captures are legal.  MOST: the most pieces must be captured.  VALUE: a king counts
# slightly more than one and a half men, so two kings are preferred to three men.  Among captures
# of equal value, one by a king is preferred.
ANY = 0, 0, 0
MOST = 1, 0, 0
VALUE = 2000, 1002, 1
# What happens to a man that reaches its last row within a capture.  PASSES: it goes on as a man.
# STOPS: it becomes a king, and the capture ends.  GOES_ON: it becomes a king and goes on capturing.
PASSES, STOPS, GOES_ON = range(3)
# How a player wins.  BLOCK: by leaving the opponent without a move.  LOSE: by being without a move.
# KING: by having the first king, or by leaving the opponent without a move.
BLOCK, LOSE, KING = range(3)

SQUARE = 63
TO = 6
INDEX = 12
ENDS = (1 << INDEX) - 1  # the bits of a move's two squares
# The index that all captures share if the law forbids them.
BARRED = 255

# Kinds of pieces that capture; 0 and 1 are the men of White and of Black.  _CROWNED is a man that
# has become a king within the capture.
_KING, _CROWNED = 2, 3

# The keys of pieces, KEYS[king][player][square], and the key of the second player's turn.
KEYS = [[zobrist(71 + 2 * king + player, 64) for player in (0, 1)] for king in (0, 1)]
(SIDE_KEY,) = zobrist(75, 1)


class DraughtsRules:
    """The moves of one of the games.

    crown[colour]: the last row.  reach: the longest distance that a king moves, in squares.
    marks[king][colour][square]: (the key of a piece, what it adds to the lanes).
    hops[kind << TO | square]: the Hops of a piece.
    after(state, step): the state after a Step.
    quiets(state): the Steps that capture nothing.
    find(state): the captures, a Step without an index for each way to capture.  Captures that the
    game's law forbids, such as those of too few pieces, are included.
    """

    def __init__(self, game: Draughts) -> None:
        board = game.board
        self.game, self.board, self.judge = game, board, DraughtsEvaluation(game)
        width = game.columns // 2
        self.crown = bitboard(board.all[:width]), bitboard(board.all[-width:])
        self.reach = game.columns if game.flying else 1
        self.marks = [
            [list(zip(keys[colour ^ game.white], lanes[colour])) for colour in (0, 1)]
            for keys, lanes in zip(KEYS, self.judge.lanes)
        ]
        self.hops = [
            self._hops_from(kind, square) if square in board.cell else []
            for kind in range(_CROWNED + 1)
            for square in range(SQUARE + 1)
        ]
        self._build()

    def _build(self) -> None:
        """Build the functions on states, which are faster than methods."""
        marks, hops = self.marks, self.hops
        squares = Lazy(squares_of, 100_000)
        left, right, full = self.board.left, self.board.right, self.board.full
        left2, right2 = 2 * left, 2 * right
        backward, row = self.game.backward, self.board.columns + 1
        straight = ((1, 2), (row, 2 * row)) if self.game.orthogonal else ()
        # rays[square]: the squares that a king reaches, in each direction.
        rays = {
            square: [self.board.ray(square, step)[: self.reach] for step in DIAGONALS]
            for square in self.board.all
        }
        # For each direction of men: {target squares as bits: the Steps to these squares}.
        up_left, up_right, down_left, down_right = (
            Lazy(partial(self._steps_to, shift), 100_000) for shift in (right, left, -left, -right)
        )

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
            start_key, start_lanes = marks[king][colour][start]
            to_key, to_lanes = marks[king or crowned][colour][to]
            key ^= SIDE_KEY ^ start_key ^ to_key
            lanes += to_lanes - start_lanes
            other = colour ^ 1
            if captured:
                for square in squares[captured]:
                    piece_key, piece_lanes = marks[other_kings >> square & 1][other][square]
                    key ^= piece_key
                    lanes -= piece_lanes
                other_men &= ~captured
                other_kings &= ~captured
            return key, 0, clock, False, other, other_men, other_kings, men, kings, lanes

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
                square = king.bit_length() - 1
                for ray in rays[square]:
                    for to in ray:
                        if not empty >> to & 1:
                            break
                        steps.append((square | to << TO, 0, False, ()))
            return steps

        def extend(way: Way, others: Bits, empty: Bits, captured: Bits, place: int) -> list[Step]:
            """Return the captures that continue `way`, the path of a piece so far."""
            steps: list[Step] = []
            for over, between, landings in hops[place]:
                if over & others and empty & between == between:
                    taken = captured | over
                    ends: list[Step] = []
                    longer: list[Step] = []
                    for to, crowned, next_place in landings:
                        if not empty >> to & 1:
                            break
                        further = (*way, to)
                        ends.append((way[0] | to << TO, taken, crowned, further))
                        longer += extend(further, others ^ over, empty, taken, next_place)
                    # If the piece can go on capturing, it must land on a square from which it can.
                    steps += longer or ends
            return steps

        def find(state: State) -> list[Step]:
            _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
            others = other_men | other_kings
            empty = full ^ (men | kings | others)
            able = 0  # the men that can capture, and maybe some at the edge that can't
            if backward or colour:
                able = men & (others >> left & empty >> left2 | others >> right & empty >> right2)
            if backward or not colour:
                able |= men & (others << left & empty << left2 | others << right & empty << right2)
            for shift, twice in straight:
                able |= men & (others >> shift & empty >> twice | others << shift & empty << twice)
            steps: list[Step] = []
            for kind, pieces in (colour, able), (_KING, kings):
                for square in squares[pieces]:
                    place = kind << TO | square
                    steps += extend((square,), others, empty | 1 << square, 0, place)
            return steps

        self.after, self.quiets, self.find = after, quiets, find

    def _steps_to(self, shift: int, targets: Bits) -> list[Step]:
        """Return the Steps of men to the `targets`.  shift: a man's square minus its target."""
        crown = self.crown[shift < 0]
        tos = squares_of(targets)
        return [(to + shift | to << TO, 0, crown >> to & 1 == 1, ()) for to in tos]

    def _hops_from(self, kind: int, square: Square) -> list[Hop]:
        """Return the Hops of a piece of this kind from a square."""
        game = self.game
        hops: list[Hop] = []
        if kind == _CROWNED and game.crowning != GOES_ON:
            return hops
        is_man = kind < _KING
        for step in DIAGONALS + (ORTHOGONALS if game.orthogonal else ()):
            ray = self.board.ray(square, step)[: 2 if is_man else self.reach + 1]
            if not is_man or game.backward or (step[1] < 0) == kind:
                for near, over in enumerate(ray[:-1]):
                    landings = [self._landing(kind, to) for to in ray[near + 1 :]]
                    hops.append((1 << over, bitboard(ray[:near]), landings))
        return hops

    def _landing(self, kind: int, to: Square) -> Landing:
        """Return the landing of a piece of this kind on a square."""
        crowned = kind == _CROWNED or kind < _KING and self.crown[kind] >> to & 1 == 1
        goes_on = _CROWNED if crowned and self.game.crowning != PASSES else kind
        return to, crowned, goes_on << TO | to

    def state(self, pieces: dict[Square, str], side: Side) -> State:
        """Return the state of a board.  pieces: W and B are kings, w and b men."""
        bits = [0, 0, 0, 0]
        key = SIDE_KEY * side
        lanes = 0
        colour = side ^ self.game.white
        for square, piece in pieces.items():
            king, owner = piece.isupper(), "WB".index(piece.upper())
            bits[2 * (owner ^ colour) + king] |= 1 << square
            piece_key, piece_lanes = self.marks[king][owner][square]
            key ^= piece_key
            lanes += piece_lanes
        return key, 0, 0, False, colour, bits[0], bits[1], bits[2], bits[3], lanes

    def captures(self, state: State) -> list[Step]:
        """Return the legal captures."""
        steps = self.find(state)
        return self._numbered(self._lawful(steps, state), state) if len(steps) > 1 else steps

    def can_capture(self, state: State) -> bool:
        """Does the side that is not to move threaten to capture?"""
        key, _, clock, _, colour, men, kings, other_men, other_kings, lanes = state
        passed = key, 0, clock, False, colour ^ 1, other_men, other_kings, men, kings, lanes
        return bool(self.find(passed))

    def can_move(self, state: State) -> bool:
        """Does the side to move have a quiet move?  A side with a king is assumed to have one."""
        _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
        left, right = self.board.left, self.board.right
        empty = self.board.full ^ (men | kings | other_men | other_kings)
        before = empty >> left | empty >> right if colour else empty << left | empty << right
        return kings > 0 or men & before > 0

    def _lawful(self, steps: list[Step], state: State) -> list[Step]:
        """Return the captures of the highest value."""
        of_piece, of_king, by_king = self.game.law
        if not of_piece:
            return steps
        kings, other_kings = state[6], state[8]
        values = [
            of_piece * count_bits(captured)
            + of_king * count_bits(captured & other_kings)
            + by_king * (kings >> way[0] & 1)
            for _, captured, _, way in steps
        ]
        most = max(values)
        return [step for step, value in zip(steps, values) if value == most]

    def _numbered(self, steps: list[Step], state: State) -> list[Step]:
        """Return the captures with their indices.

        Captures that have the same two squares and take the same pieces become a single Step.  In
        games with orthogonal captures, a man's captures stay apart if their ways differ.
        """
        if len({step[0] for step in steps}) == len(steps):  # usually, no captures share both ends
            return steps
        ways: dict[tuple[Move, Bits, bool, Way], Way] = {}
        for move, captured, crowned, way in steps:
            order = way if self.game.orthogonal and state[5] >> way[0] & 1 else ()
            ways.setdefault((move, captured, crowned, order), way)
        counts: Counter[Move] = Counter()
        numbered = []
        for (move, captured, crowned, _), way in sorted(ways.items()):
            if counts[move] < BARRED:
                numbered.append((move | counts[move] << INDEX, captured, crowned, way))
            counts[move] += 1
        return numbered


rules_of = cache(DraughtsRules)  # rules_of(game): its DraughtsRules, made once
