"""Threat maps: what a stone on each empty cell would make, for both players, kept along with the moves.

All maps of a board lie side by side in one int, the packed value.  It is the sum over the lines of a value that
depends on the line's code alone, so a move adds one difference for each of the four lines through its cell, and
each difference is looked up by the code.  From the lowest bit, with N cells:

    charm     N lanes of 8 bits     both players' charm (segments.py), summed
    three     N lanes of 4 bits     in how many lines a stone of player 0 makes a three
              N lanes of 4 bits     of player 1
    four      2 x N lanes           likewise, an open four counted twice
    five      2 x N lanes           likewise
    score     32 bits               of player 1 (segments.py), and above it that of player 0

A lane never overflows: four lines give at most 8 to a lane of 4 bits, 8 x 31 to a lane of 8.
"""
from __future__ import annotations

from games.gomoku.facts import EXACTLY_FIVE
from games.gomoku.lines import FIRST, lines_of
from games.gomoku.segments import FIVE_SCORE, Segment, together

# Bits of a player's score.  A score beyond WON comes from a finished five.
SCORE_BITS = 32
SCORE_MASK = (1 << SCORE_BITS) - 1
WON = FIVE_SCORE >> 1
LANE = 4
LANE_MASK = 15

# Differences kept for one board, about 1 KB each, and shapes kept for all boards; all are dropped at the bound.
_MOST_DIFFERENCES = 1 << 15
_MOST_SHAPES = 1 << 16

_shapes = {}
_maps = {}


class Shapes:
    """What stones mean to their player, and what one more changes, under one winning rule, whatever the board.

    Stones are bits 0, 2, 4 … of a stretch of a line that the player may still fill.  A change is
    (score, ((map, cell of the stretch, amount), …)), the maps numbered as for player 0 in segments.py.
    """

    def __init__(self, exact):
        self._exact = exact
        self._segments, self._gains, self._losses = {}, {}, {}

    def segment(self, stones, length):
        """The Segment of a stretch; of one too short for five, an empty one."""
        key = stones << 5 | length
        segment = self._segments.get(key)
        if segment is None:
            segment = _bounded(self._segments)[key] = Segment(length, together(stones, length), self._exact)
        return segment

    def gain(self, stones, length, index):
        """The change when the player puts a stone on the cell `index` of a stretch."""
        key = (stones << 5 | length) << 5 | index
        change = self._gains.get(key)
        if change is None:
            before, after = self.segment(stones, length), self.segment(stones | 1 << 2 * index, length)
            change = _bounded(self._gains)[key] = _change([(0, after)], before)
        return change

    def loss(self, stones, length, index):
        """The change when the other player puts a stone on the cell `index`, which divides the stretch."""
        key = (stones << 5 | length) << 5 | index
        change = self._losses.get(key)
        if change is None:
            left = self.segment(stones & (1 << 2 * index) - 1, index)
            right = self.segment(stones >> 2 * index + 2, length - index - 1)
            change = _change([(0, left), (index + 1, right)], self.segment(stones, length))
            _bounded(self._losses)[key] = change
        return change


def _bounded(known):
    """The dict, emptied when it has grown too large."""
    if len(known) >= _MOST_SHAPES:
        known.clear()
    return known


def _change(after, before):
    """From the Segment `before` to those of `after`, a list of (first cell, Segment)."""
    amounts = {}
    for start, segment in after:
        for (cell, number), value in segment.cells.items():
            amounts[start + cell, number] = value
    for place, value in before.cells.items():
        amounts[place] = amounts.get(place, 0) - value
    score = sum(segment.score for _, segment in after) - before.score
    # The maps in their order: an int grows as late as can be.
    ordered = sorted((number, cell, amount) for (cell, number), amount in amounts.items() if amount)
    return score, tuple(ordered)


def _stretch(code, length, index, player):
    """(first cell, length, stones) of the stretch around the cell `index` where `player` may put stones."""
    other = code >> 1 - player & FIRST
    first = (other & (1 << 2 * index) - 1).bit_length() + 1 >> 1
    above = other >> 2 * index
    size = (index + ((above & -above).bit_length() >> 1) if above else length) - first
    return first, size, (code >> player & FIRST) >> 2 * first & (1 << 2 * size) - 1


class Difference(dict):
    """What a stone of one player on one cell changes through one line: {code of the line: difference}."""

    __slots__ = ("_maps", "_line", "_index", "_player")

    def __init__(self, maps, line, index, player):
        self._maps, self._line, self._index, self._player = maps, line, index, player

    def __missing__(self, code):
        value = self._maps.difference(self._line, self._index, self._player, code)
        self[code] = value
        return value


class Maps:
    """The layout of the packed value for one size and one pair of winning rules, and its differences.

    shifts: where each map begins: charm, three (two), four (two), five (two).  top: where the score begins.
    threes, fours, fives: the shifts of these maps by player.  lanes: mask of one such map.
    steps: for each player and cell, four times (line, what is added to its code, Difference) in one tuple; an
    imaginary line that stays empty fills up where fewer lines pass.
    """

    def __init__(self, size, wins):
        board = lines_of(size)
        self._board = board
        self._shapes = [_shapes.setdefault(rule, Shapes(rule == EXACTLY_FIVE)) for rule in wins]
        self._count = 0
        cells = size * size
        self.cells = cells
        self.shifts = [0] + [8 * cells + LANE * cells * number for number in range(6)]
        self.top = self.shifts[6] + LANE * cells
        self.charm_mask = (1 << 8 * cells) - 1
        self.lanes = (1 << LANE * cells) - 1
        # The bits of a lane that are set where it holds two or more.
        self.twice = sum(14 << LANE * cell for cell in range(cells))
        # By player: where its maps begin.
        self.threes, self.fours, self.fives = self.shifts[1:3], self.shifts[3:5], self.shifts[5:7]
        self._all = []
        self.steps = tuple([self._step(player, cell) for cell in range(cells)] for player in (0, 1))

    def _step(self, player, cell):
        step = []
        for line, index in self._board.through[cell]:
            difference = Difference(self, line, index, player)
            self._all.append(difference)
            step += [line, 1 + player << 2 * index, difference]
        step += [len(self._board.lines), 0, {0: 0}] * (4 - len(step) // 3)
        return tuple(step)

    def packed(self, codes):
        """The packed value of a board whose lines have `codes`: the sum of what its stones added one by one."""
        value, built = 0, [0] * len(self._board.lines)
        for number, (line, code) in enumerate(zip(self._board.lines, codes)):
            for index in range(len(line)):
                stone = code >> 2 * index & 3
                if stone:
                    value += self.difference(number, index, stone - 1, built[number])
                    built[number] |= stone << 2 * index
        return value

    def difference(self, line, index, player, code):
        """What a stone of `player` on cell `index` of `line`, which has `code`, adds to the packed value."""
        self._count += 1
        if self._count > _MOST_DIFFERENCES:
            self._count = 0
            for known in self._all:
                known.clear()
        cells = self._board.lines[line]
        first, size, stones = _stretch(code, len(cells), index, player)
        value = self._place(self._shapes[player].gain(stones, size, index - first), player, cells, first)
        other = 1 - player
        first, size, stones = _stretch(code, len(cells), index, other)
        return value + self._place(self._shapes[other].loss(stones, size, index - first), other, cells, first)

    def _place(self, change, player, cells, first):
        """A change of a stretch of `player`, which begins at cell `first` of a line, moved to its lanes."""
        score, amounts = change
        shifts, value = self.shifts, 0
        for number, cell, amount in amounts:
            cell = cells[first + cell]
            value += amount << (shifts[number + player] + LANE * cell if number else 8 * cell)
        return value + (score << self.top + (0 if player else SCORE_BITS))


def cells_of(lanes):
    """The cells whose lane in a map (shifted down and masked) is not 0."""
    found, cell = [], 0
    while lanes:
        skip = ((lanes & -lanes).bit_length() - 1) // LANE
        found.append(cell + skip)
        cell += skip + 1
        lanes >>= LANE * (skip + 1)
    return found


def first_cell(lanes):
    """The first cell whose lane in a map is not 0."""
    return ((lanes & -lanes).bit_length() - 1) // LANE


def movers(maps, codes):
    """Three functions that play on `codes` (one more than the board has lines, the last stays 0).

    play(side, cell, packed) returns the packed value after the move; take_back(side, cell) undoes it in `codes`;
    peek(side, cell, packed) returns the packed value after a move that is not made.
    """
    steps = maps.steps

    def play(side, cell, packed):
        line_a, stone_a, change_a, line_b, stone_b, change_b, line_c, stone_c, change_c, line_d, stone_d, change_d \
            = steps[side][cell]
        code_a, code_b, code_c, code_d = codes[line_a], codes[line_b], codes[line_c], codes[line_d]
        codes[line_a] = code_a + stone_a
        codes[line_b] = code_b + stone_b
        codes[line_c] = code_c + stone_c
        codes[line_d] = code_d + stone_d
        return packed + change_a[code_a] + change_b[code_b] + change_c[code_c] + change_d[code_d]

    def take_back(side, cell):
        line_a, stone_a, _, line_b, stone_b, _, line_c, stone_c, _, line_d, stone_d, _ = steps[side][cell]
        codes[line_a] -= stone_a
        codes[line_b] -= stone_b
        codes[line_c] -= stone_c
        codes[line_d] -= stone_d

    def peek(side, cell, packed):
        line_a, _, change_a, line_b, _, change_b, line_c, _, change_c, line_d, _, change_d = steps[side][cell]
        return (packed + change_a[codes[line_a]] + change_b[codes[line_b]] + change_c[codes[line_c]]
                + change_d[codes[line_d]])

    return play, take_back, peek


def maps_of(size, wins):
    """The Maps of a board of `size` rows under the winning rules of the two players; made once."""
    key = (size, wins)
    if key not in _maps:
        _maps[key] = Maps(size, wins)
    return _maps[key]
