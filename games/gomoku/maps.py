"""Threat maps: what a stone on each empty cell would make, for both players, kept along with the moves.

All maps of a board lie side by side in one int, the packed value.  It is the sum over the lines of a value that
depends on the line's code alone, so a move adds one difference for each of the four lines through its cell, and
each difference is looked up by the code.  From the lowest bit, with N cells:

    charm     N lanes of 8 bits     both players' charm (segments.py), summed
    three     N lanes of 4 bits     in how many lines a stone of player 0 makes a three
              N lanes of 4 bits     of player 1
    four      2 x N lanes           likewise, an open four counted twice
    five      2 x N lanes           likewise
    score                           evaluation for player 0, plus BIAS

A lane never overflows: four lines give at most 8 to a lane of 4 bits, 8 x 31 to a lane of 8.
"""
from __future__ import annotations

from games.gomoku import EXACTLY_FIVE
from games.gomoku.lines import lines_of
from games.gomoku.segments import FIVE_SCORE, Segment, segments_of

BIAS = 1 << 32
# A score beyond this comes from a finished five.
WON = FIVE_SCORE >> 1
LANE = 4
LANE_MASK = 15

# Differences kept for one board, about 1 KB each, and shapes kept for all boards; all are dropped at the bound.
_MOST_DIFFERENCES = 1 << 15
_MOST_SHAPES = 1 << 16

_shapes = {}
_maps = {}


class Shapes:
    """What the codes of lines mean under one pair of winning rules, whatever the board.

    A meaning is (score, {(cell of the line, map): value}), the maps numbered as in `Maps`.
    """

    def __init__(self, wins):
        self._exact = [rule == EXACTLY_FIVE for rule in wins]
        self._segments = {}
        self._meanings = {}
        self._changes = {}

    def change(self, length, index, player, code):
        """(score, ((cell, map, value), …)) that a stone on cell `index` of a line with `code` adds to the line."""
        key = (code << 5 | index) << 6 | length << 1 | player
        change = self._changes.get(key)
        if change is None:
            if len(self._changes) >= _MOST_SHAPES:
                self._changes.clear()
            change = self._changes[key] = self._difference(self.meaning(length, code),
                                                           self.meaning(length, code + (1 + player << 2 * index)))
        return change

    @staticmethod
    def _difference(before, after):
        changed = [(cell, number, value - before[1].get((cell, number), 0))
                   for (cell, number), value in after[1].items() if before[1].get((cell, number)) != value]
        changed += [(cell, number, -value) for (cell, number), value in before[1].items()
                    if (cell, number) not in after[1]]
        return after[0] - before[0], tuple(changed)

    def meaning(self, length, code):
        """The meaning of a line of `length` cells."""
        key = code << 5 | length
        meaning = self._meanings.get(key)
        if meaning is None:
            if len(self._meanings) >= _MOST_SHAPES:
                self._meanings.clear()
            meaning = self._meanings[key] = self._read(length, code)
        return meaning

    def _read(self, length, code):
        score, values = 0, {}
        for player in (0, 1):
            for start, size, mask in segments_of(code, length, player):
                segment = self._segment(size, mask, self._exact[player])
                score += -segment.score if player else segment.score
                for cell, charm, five, four, three in segment.cells:
                    cell += start
                    values[cell, 0] = values.get((cell, 0), 0) + charm
                    for number, value in ((1, three), (3, four), (5, five)):
                        if value:
                            values[cell, number + player] = value
        return score, values

    def _segment(self, length, mask, exact):
        key = (mask << 5 | length) << 1 | exact
        segment = self._segments.get(key)
        if segment is None:
            segment = self._segments[key] = Segment(length, mask, exact)
        return segment


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
        self._board, self._shapes = board, _shapes_of(wins)
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
        """The packed value of a board whose lines have `codes`."""
        value = BIAS << self.top
        for line, code in zip(self._board.lines, codes):
            score, lanes = self._shapes.meaning(len(line), code)
            value += score << self.top
            for (index, number), amount in lanes.items():
                value += amount << self._place(line[index], number)
        return value

    def _place(self, cell, number):
        return 8 * cell if number == 0 else self.shifts[number] + LANE * cell

    def difference(self, line, index, player, code):
        """What a stone of `player` on cell `index` of `line`, which has `code`, adds to the packed value."""
        self._count += 1
        if self._count > _MOST_DIFFERENCES:
            self._count = 0
            for known in self._all:
                known.clear()
        cells, shifts = self._board.lines[line], self.shifts
        score, changed = self._shapes.change(len(cells), index, player, code)
        value = score << self.top
        for cell, number, amount in changed:
            value += amount << (shifts[number] + LANE * cells[cell] if number else 8 * cells[cell])
        return value


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


def _shapes_of(wins):
    if wins not in _shapes:
        _shapes[wins] = Shapes(wins)
    return _shapes[wins]


def maps_of(size, wins):
    """The Maps of a board of `size` rows under the winning rules of the two players; made once."""
    key = (size, wins)
    if key not in _maps:
        _maps[key] = Maps(size, wins)
    return _maps[key]
