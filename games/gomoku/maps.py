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

from functools import lru_cache, partial

from games.data import Lazy
from games.gomoku.network import SIGN_BITS, VIEW_BITS, network
from games.gomoku.patterns import FIVES, FOURS, SEGMENTS, THREES, Segment
from games.gomoku.rules import LANE, LINE_TEXTS, LINES_OF
from games.options import BOARD_SIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.gomoku.rules import Codes
    from games.types import Side, Square

    # {code of a line: change of the packed value when a stone is put on the line}.
    Changes = dict[int, int]
    # Three items for each of four lines: the line, what a stone adds to its code, its Changes.
    Step = tuple[int, int, Changes, int, int, Changes, int, int, Changes, int, int, Changes]
    Packed = int
    Play = Callable[[Side, Square, Packed], Packed]
    TakeBack = Callable[[Side, Square], None]

# Offsets in the packed value, in bits.  Both players' wins begin at _WINS, with _WINS_BITS for each
# player; WINS_MASK is the mask of these wins.  The maps begin at _MAPS.
_WINS_BITS = 4
_WINS = 2 * VIEW_BITS
WINS_MASK = (1 << 2 * _WINS_BITS) - 1 << _WINS
_MAPS = _WINS + 2 * _WINS_BITS
_POLICY = 16
LANE_MASK = 15
# By cell: a mask of the lanes of all cells before it, on the largest board.
_LANES_BELOW = tuple((1 << LANE * cell) - 1 for cell in range(BOARD_SIZE.high**2))

# The number of entries at which a cache of a board is cleared.  _MAX_VALUES: for the values of
# lines, of about 1 KB each; their differences are cleared with them.  _MAX_SEGMENTS: for the
# Segments, and for their lanes.
_MAX_VALUES = 12_000
_MAX_SEGMENTS = 8_000


class Maps:
    """The layout of the packed value for a board size and a pair of rules; how stones change it.

    network: the GomokuNetwork of evaluation and policy.
    threes, fours, fives: the offsets of these maps in bits, by player.
    lanes: a mask of the lanes of one map.
    twice: a mask of those bits of a map's lanes that are set if a lane holds two or more.
    sevens, eights: a map with 7, and one with 8, in each lane.
    steps[player][cell]: a Step; if there are fewer than four lines through the cell, an imaginary
        line that stays empty stands in for each missing line.
    """

    def __init__(self, size: int, exact: tuple[bool, bool]) -> None:
        self._lines, self._exact = LINES_OF[size], exact
        self.network = network(exact)
        # {(text with x for stones, does exactly five win?): the Segment}
        self._segments: Lazy[tuple[str, bool], Segment] = Lazy(
            lambda key: Segment(*key, self.network), _MAX_SEGMENTS
        )
        # {(text, owner, stride): _segment_lanes() of these}
        self._lanes = Lazy(self._segment_lanes, _MAX_SEGMENTS)
        self._values = Lazy(self._value)  # {(line, its code): what it adds to the packed value}
        # For each line through each cell: {code of the line: change by a stone on the cell}.
        self._differences: list[Lazy[int, int]] = []
        self.cells = cells = size * size
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

    def _step(self, player: Side, cell: Square) -> Step:
        step: list[Any] = []
        for line, index, _ in self._lines.through[cell]:
            stone = 1 + player << 2 * index
            difference = Lazy(partial(self._difference, line, stone))
            self._differences.append(difference)
            step += [line, stone, difference]
        step += [len(self._lines.cells), 0, {0: 0}] * (4 - len(step) // 3)
        return tuple(step)

    def policy(self, side: Side, packed: Packed) -> bytes:
        """Return the policy of each cell for `side`, which is to move."""
        return (packed & self._low_mask).to_bytes(self._low_bytes, "little")[
            _MAPS // 8 + side :: _POLICY // 8
        ]

    def packed(self, codes: Codes) -> Packed:
        """Return the packed value of a board.  codes: the codes of its lines."""
        values = [self._values[key] for key in enumerate(codes)]
        return sum(values, SIGN_BITS << VIEW_BITS | SIGN_BITS)

    def _difference(self, line: int, stone: int, code: int) -> int:
        """Return the change in the packed value when `stone` is added to the code of a line."""
        values = self._values
        if len(values) >= _MAX_VALUES:
            values.clear()
            for known in self._differences:
                known.clear()
        return values[line, code + stone] - values[line, code]

    def _value(self, key: tuple[int, int]) -> int:
        """Return what a line adds to the packed value."""
        line, code = key
        cells = self._lines.cells[line]
        stride = cells[1] - cells[0]
        text = LINE_TEXTS[code, len(cells)]
        value = 0
        for player in (0, 1):
            for segment in SEGMENTS[player].finditer(text):
                views, policy, maps = self._lanes[segment[0], player, stride]
                first = cells[segment.start()]
                value += views + (policy << _MAPS + _POLICY * first)
                value += maps << self._shifts[player] + LANE * first
        return value

    def _segment_lanes(self, key: tuple[str, Side, int]) -> tuple[int, int, int]:
        """Return (views and wins, policy, other maps) of a segment that begins at cell 0.

        key: (its text, its owner, distance from a cell of the line to the next one).
        """
        text, player, stride = key
        segment = self._segments[text.replace("o", "x"), self._exact[player]]
        views = segment.mover, segment.other
        packed = views[player] + (views[1 - player] << VIEW_BITS)
        packed += segment.wins << _WINS + _WINS_BITS * player
        table = self.network.policy[player]
        policy = maps = 0
        for cell, place in enumerate(segment.places):
            policy += table[place] << _POLICY * stride * cell
        for (cell, map_index), amount in segment.cells.items():
            maps += amount << LANE * (map_index * self.cells + stride * cell)
        return packed, policy, maps


def cells_of(lanes: int) -> list[Square]:
    """Return the cells whose lane in a map (shifted down and masked) is not 0, in order."""
    cells = []
    # Begin with the last cell, since one operation removes a lane from the top of a long int.
    while lanes:
        cell = (lanes.bit_length() - 1) // LANE
        cells.append(cell)
        lanes &= _LANES_BELOW[cell]
    cells.reverse()
    return cells


def first_cell(lanes: int) -> Square:
    """Return the first cell whose lane in a map is not 0."""
    return ((lanes ^ lanes - 1).bit_length() - 1) // LANE


def build_moves(maps: Maps, codes: Codes) -> tuple[Play, TakeBack]:
    """Return (play, take_back), which work on `codes`.

    codes: one for each line, and one more that stays 0.
    play(side, cell, packed): make a move in `codes`; return the packed value after it.
    take_back(side, cell): undo the move in `codes`.
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

    return play, take_back


@lru_cache(maxsize=1)  # since each Maps takes megabytes
def maps_of(size: int, exact: tuple[bool, bool]) -> Maps:
    """Return the Maps of a board of `size` rows.  exact: see Gomoku."""
    return Maps(size, exact)
