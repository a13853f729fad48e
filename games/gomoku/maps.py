"""Threat maps: the threats that a stone on each empty cell would make, updated by each move.

All maps of a board, for both players, lie side by side in one int, the packed value.
It is a sum over the lines: each line adds a value that depends on the line's code alone.  So a move
changes the sum by four differences, one for each line through its cell.  They are looked up by the
codes.  From the lowest bit, with N cells:

    views     VIEW_BITS each        the evaluation (network.py) with player 0 to move, then with
                                    player 1 to move
    wins      4 bits each           the number of segments with a five of player 0, then of
                                    player 1
    policy    N lanes of 16 bits    the policy (patterns.py) with player 0 to move, and in the
                                    upper byte with player 1 to move
    three     N lanes of 4 bits     the number of lines in which a stone of player 0 makes a three
              N lanes of 4 bits     the same for player 1
    four      2 x N lanes           the same for fours; an open four counts twice
    five      2 x N lanes           the same for fives

The parts that change least often are in the top bits, so most differences are short ints.  A lane
never overflows: four lines add at most 8 to a lane of 4 bits, 8 x 31 to a player's policy.
"""

from __future__ import annotations

from array import array
from functools import lru_cache, partial

from games.data import Lazy
from games.gomoku.network import SIGN_BITS, VIEW_BITS, network
from games.gomoku.patterns import FIVES, FOURS, THREES, Segment, mask_of
from games.gomoku.rules import EXACTLY_FIVE, FIRST, LANE, LINES_OF
from games.options import BOARD_SIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.gomoku.network import GomokuNetwork
    from games.gomoku.rules import Codes
    from games.types import Side, Square

    # {code of a line: change of the packed value when a stone is put on the line}.
    Changes = dict[int, int]
    # Three items for each of four lines: the line, what a stone adds to its code, its Changes.
    Step = tuple[int, int, Changes, int, int, Changes, int, int, Changes, int, int, Changes]
    Packed = int
    Play = Callable[[Side, Square, Packed], Packed]
    TakeBack = Callable[[Side, Square], None]

# Places in the packed value, in bits.  Both players' wins begin at _WINS, with _WINS_BITS for each
# player; WINS_MASK is their mask.  The maps begin at _MAPS.
_WINS_BITS = 4
_WINS = 2 * VIEW_BITS
WINS_MASK = (1 << 2 * _WINS_BITS) - 1 << _WINS
_MAPS = _WINS + 2 * _WINS_BITS
_POLICY = 16
LANE_MASK = 15
# By cell: a mask of the lanes of all cells before it, on the largest board.
_LANES_BELOW = tuple((1 << LANE * cell) - 1 for cell in range(BOARD_SIZE.high**2))

# The numbers of entries at which caches are cleared.  _MAX_DIFFERENCES: a board's differences, of
# about 1 KB each.  _MAX_PATTERNS: the Segments, the gains and the losses.  _MAX_PACKED: a board's
# packed Changes.
_MAX_DIFFERENCES = 1 << 14
_MAX_PATTERNS = 1 << 13
_MAX_PACKED = 1 << 14


class Patterns:
    """The Segments of a player under one rule, and how another stone changes them.

    segments[stones, length]: the Segment of these stones, given as bits 0, 2, 4 ...  It has no
        threats if it is too short for five.
    gains[stones, length, index]: the Change if the player puts a stone on that cell.
    losses[stones, length, index]: the Change if the opponent puts a stone there, which divides the
        segment.
    """

    def __init__(self, exact: bool, network: GomokuNetwork) -> None:
        self._exact, self._network = exact, network
        self.segments = Lazy(self._segment, _MAX_PATTERNS)
        self.gains, self.losses = Lazy(self._gain, _MAX_PATTERNS), Lazy(self._loss, _MAX_PATTERNS)

    def _segment(self, key: tuple[int, int]) -> Segment:
        stones, length = key
        return Segment(length, mask_of(stones, length), self._exact, self._network)

    def _gain(self, key: tuple[int, int, int]) -> Change:
        stones, length, index = key
        after = self.segments[stones | 1 << 2 * index, length]
        return Change([(0, after)], self.segments[stones, length])

    def _loss(self, key: tuple[int, int, int]) -> Change:
        stones, length, index = key
        below = self.segments[stones & (1 << 2 * index) - 1, index]
        above = self.segments[stones >> 2 * index + 2, length - index - 1]
        return Change([(0, below), (index + 1, above)], self.segments[stones, length])


class Change:
    """The change when the Segments of `after` replace the Segment `before`.

    after: a list of (first cell, Segment).
    views: the change of the views and the wins in a packed value, as a pair: for a segment of
        player 0, and for one of player 1.
    """

    __slots__ = ("views", "_policy", "_amounts")

    def __init__(self, after: list[tuple[int, Segment]], before: Segment) -> None:
        mover = sum(segment.mover for _, segment in after) - before.mover
        other = sum(segment.other for _, segment in after) - before.other
        wins = sum(segment.wins for _, segment in after) - before.wins
        self.views = (
            mover + (other << VIEW_BITS) + (wins << _WINS),
            other + (mover << VIEW_BITS) + (wins << _WINS + _WINS_BITS),
        )
        self._amounts = {place: -value for place, value in before.cells.items()}
        for start, segment in after:
            for (cell, map_index), value in segment.cells.items():
                place = start + cell, map_index
                self._amounts[place] = self._amounts.get(place, 0) + value
        self._policy = [_change_of_policy(after, before, player) for player in (0, 1)]

    def as_lanes(self, player: Side, stride: int, cells: int) -> tuple[int, int]:
        """Return (changes of the policy, changes of the other maps) as lanes, the first cell first.

        player: the segment's owner.  stride: distance from a cell of the line to the next one.
        cells: number of cells on the board.
        """
        policy = maps = 0
        for index, amount in enumerate(self._policy[player]):
            policy += amount << _POLICY * stride * index
        for (index, map_index), amount in self._amounts.items():
            maps += amount << LANE * (map_index * cells + stride * index)
        return policy, maps


def _change_of_policy(
    after: list[tuple[int, Segment]], before: Segment, player: Side
) -> array[int]:
    """Return the change of each cell's policy, in an array to save memory in the cache."""
    policy = after[0][1].policy[player]
    if len(after) > 1:
        policy = policy + [0] + after[1][1].policy[player]  # 0 for the cell of the new stone
    return array("h", [new - old for new, old in zip(policy, before.policy[player])])


def _segment_around(code: int, length: int, index: int, player: Side) -> tuple[int, int, int]:
    """Return (first cell, length, stones) of the segment of `player` around cell `index`.

    code, length: the code and the length of the line.
    """
    opponent = code >> 1 - player & FIRST
    first = (opponent & (1 << 2 * index) - 1).bit_length() + 1 >> 1
    above = opponent >> 2 * index
    end = index + ((above & -above).bit_length() >> 1) if above else length
    size = end - first
    return first, size, (code >> player & FIRST) >> 2 * first & (1 << 2 * size) - 1


class Maps:
    """The layout of the packed value for a board size and a pair of rules; how stones change it.

    network: the GomokuNetwork of evaluation and policy.
    threes, fours, fives: the offsets of these maps in bits, by player.
    lanes: a mask of the lanes of one map.
    twice: a mask of those bits of a map's lanes that are set if a lane holds two or more.
    sevens, eights: a map with 7, and one with 8, in each lane.
    empty: the packed value of the empty board.
    steps[player][cell]: a Step; if there are fewer than four lines through the cell, an imaginary
        line that stays empty stands in for each missing line.
    """

    def __init__(self, size: int, wins: tuple[str, str]) -> None:
        self._lines = LINES_OF[size]
        self.network = network(wins)
        by_rule = {rule: Patterns(rule == EXACTLY_FIVE, self.network) for rule in wins}
        self._patterns = [by_rule[rule] for rule in wins]
        # For each line through each cell: {code of the line: change by a stone on the cell}.
        self._differences: list[Lazy[int, int]] = []
        self._count = 0
        self.cells = cells = size * size
        # {(a Change, the segment's owner, the line's stride): as_lanes()}
        self._packed: Lazy[tuple[Change, Side, int], tuple[int, int]] = Lazy(
            lambda key: key[0].as_lanes(*key[1:], cells), _MAX_PACKED
        )
        # The offsets of the maps, in the order of patterns.py.
        self._shifts = [_MAPS + (_POLICY + LANE * map_index) * cells for map_index in range(6)]
        self._low_bytes = (_MAPS + _POLICY * cells) // 8
        self._low_mask = (1 << 8 * self._low_bytes) - 1
        self.lanes = (1 << LANE * cells) - 1
        self.twice, self.sevens, self.eights = (self.lanes // LANE_MASK * n for n in (14, 7, 8))
        self.threes, self.fours, self.fives = (
            self._shifts[i : i + 2] for i in (THREES, FOURS, FIVES)
        )
        self.steps = tuple([self._step(player, cell) for cell in range(cells)] for player in (0, 1))
        self.empty = self._empty()

    def _step(self, player: Side, cell: Square) -> Step:
        step: list[Any] = []
        for line, index in self._lines.through[cell]:
            difference = Lazy(partial(self.difference, line, index, player))
            self._differences.append(difference)
            step += [line, 1 + player << 2 * index, difference]
        step += [len(self._lines.cells), 0, {0: 0}] * (4 - len(step) // 3)
        return tuple(step)

    def policy(self, side: Side, packed: Packed) -> bytes:
        """Return the policy of each cell for `side`, which is to move."""
        return (packed & self._low_mask).to_bytes(self._low_bytes, "little")[
            _MAPS // 8 + side :: _POLICY // 8
        ]

    def _empty(self) -> Packed:
        """Return the packed value of the empty board."""
        value = SIGN_BITS << VIEW_BITS | SIGN_BITS
        for player, patterns in enumerate(self._patterns):
            for cells in self._lines.cells:
                for cell, policy in zip(cells, patterns.segments[0, len(cells)].policy[player]):
                    value += policy << _MAPS + _POLICY * cell
        return value

    def difference(self, line: int, index: int, player: Side, code: int) -> int:
        """Return the change in the packed value when `player` takes cell `index` of a line.

        code: the line's code before the stone.
        """
        self._count += 1
        if self._count > _MAX_DIFFERENCES:
            self._count = 0
            for known in self._differences:
                known.clear()
        cells, opponent = self._lines.cells[line], 1 - player
        stride = cells[1] - cells[0]
        first, size, stones = _segment_around(code, len(cells), index, player)
        gain = self._patterns[player].gains[stones, size, index - first]
        value = self._place(gain, player, cells[first], stride)
        first, size, stones = _segment_around(code, len(cells), index, opponent)
        loss = self._patterns[opponent].losses[stones, size, index - first]
        return value + self._place(loss, opponent, cells[first], stride)

    def _place(self, change: Change, player: Side, first: Square, stride: int) -> int:
        """Return the amount by which a segment's Change alters the packed value.

        first: the segment's first cell.  stride: see Change.as_lanes().
        """
        policy, maps = self._packed[change, player, stride]
        return (
            change.views[player]
            + (policy << _MAPS + _POLICY * first)
            + (maps << self._shifts[player] + LANE * first)
        )


def cells_of(lanes: int) -> list[Square]:
    """Return the cells whose lane in a map (shifted down and masked) is not 0, in order."""
    cells = []
    # Begin with the last cell: one operation removes a lane from the top of a long int.
    while lanes:
        cell = (lanes.bit_length() - 1) // LANE
        cells.append(cell)
        lanes &= _LANES_BELOW[cell]
    cells.reverse()
    return cells


def first_cell(lanes: int) -> Square:
    """Return the first cell whose lane in a map is not 0."""
    return ((lanes ^ lanes - 1).bit_length() - 1) // LANE


def build_moves(maps: Maps, codes: Codes) -> tuple[Play, TakeBack, Play]:
    """Return (play, take_back, peek), which work on `codes`.

    codes: one for each line, and one more that stays 0.
    play(side, cell, packed): make a move in `codes`; return the packed value after it.
    take_back(side, cell): undo the move in `codes`.
    peek(side, cell, packed): return the packed value after a move that is not made.
    """
    steps = maps.steps

    # These functions run at every node, so the four lines are written out instead of looped over.
    def play(side: Side, cell: Square, packed: Packed) -> Packed:
        (line_a, stone_a, change_a, line_b, stone_b, change_b,
         line_c, stone_c, change_c, line_d, stone_d, change_d) = steps[side][cell]  # fmt: skip
        code_a, code_b = codes[line_a], codes[line_b]
        code_c, code_d = codes[line_c], codes[line_d]
        codes[line_a] = code_a + stone_a
        codes[line_b] = code_b + stone_b
        codes[line_c] = code_c + stone_c
        codes[line_d] = code_d + stone_d
        # Add the differences first, since they are shorter than the packed value.
        return packed + (change_a[code_a] + change_b[code_b] + change_c[code_c] + change_d[code_d])

    def take_back(side: Side, cell: Square) -> None:
        step = steps[side][cell]
        line_a, stone_a, _, line_b, stone_b, _, line_c, stone_c, _, line_d, stone_d, _ = step
        codes[line_a] -= stone_a
        codes[line_b] -= stone_b
        codes[line_c] -= stone_c
        codes[line_d] -= stone_d

    def peek(side: Side, cell: Square, packed: Packed) -> Packed:
        step = steps[side][cell]
        line_a, _, change_a, line_b, _, change_b, line_c, _, change_c, line_d, _, change_d = step
        code_a, code_b = codes[line_a], codes[line_b]
        code_c, code_d = codes[line_c], codes[line_d]
        return packed + (change_a[code_a] + change_b[code_b] + change_c[code_c] + change_d[code_d])

    return play, take_back, peek


@lru_cache(maxsize=1)  # since each Maps takes megabytes
def maps_of(size: int, wins: tuple[str, str]) -> Maps:
    """Return the Maps of a board of `size` rows under the rules of the two players."""
    return Maps(size, wins)
