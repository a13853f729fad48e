"""The pattern evaluation: 50 patterns of up to eight squares, read from the pattern lanes as they lie.

A pattern lane has the discs of one side in its low eight bits.  With those of the other side shifted into the
free bits above them, each lane is a 16-bit index into the table of its class of patterns: the lines of one
kind share a table, and so do the corner blocks.  The evaluation is the sum of the 50 entries and a constant
for the number of empty squares.  The tables change with the stage of the game.

Mobility and parity have no terms of their own.  Which moves a line allows is read off the line, so its table holds
them (the evaluation set by hand counts moves in this way alone); who will move last follows from the number of
empty squares, so the constants hold that.  The blocks of two rows are the edges with the squares beside the corners.

The weights are in weights.bin: a line that says how they were made, then compressed 16-bit numbers in
hundredths of a disc.  scripts/lab/othello_fit.py makes them.
"""
from __future__ import annotations

from array import array
from operator import getitem
from struct import Struct

from games import data
from games.othello.lanes import PATTERN_BASE, PATTERNS, STRIDE, board_lines

# A stage is six discs long; the last one goes on to the full board.
STAGES = 10
STAGE_LENGTH = 6

# Classes of patterns: lines 1 to 4 from the edge, diagonals of 8 to 3 squares, blocks 2x4 and 3x3 at a corner.
CLASS_SIZES = (8, 8, 8, 8, 8, 7, 6, 5, 4, 3, 8, 8)
_DIAGONALS = 4
_BLOCK, _CORNER = 10, 11
_TERMS = {0: "edges", 1: "lines beside the edges", 2: "inner lines", 3: "inner lines",
          4: "diagonals", 5: "diagonals", 6: "diagonals", 7: "diagonals", 8: "diagonals", 9: "diagonals",
          10: "corner blocks", 11: "corner blocks"}
STAGE_WEIGHTS = sum(3 ** size for size in CLASS_SIZES)
# Of the weights set by hand, in hundredths of a disc: a move along a line, a corner, a disc aslant of an empty one.
_MOVE, _CORNER_DISC, _ASLANT = 60, 1200, 600
# After the tables of all stages: a constant for each number of empty squares.
CONSTANTS = 65
FILE_WEIGHTS = STAGES * STAGE_WEIGHTS + CONSTANTS

_BYTES = PATTERNS * STRIDE // 8
_indices = Struct(f"<{PATTERNS}H").unpack


def stage_of(empties):
    """The stage of a position with so many empty squares."""
    return min(max(60 - empties, 0) // STAGE_LENGTH, STAGES - 1)


def lane_classes():
    """The class of each of the 50 forward lanes."""
    classes = []
    for number, line in enumerate(board_lines()):
        if number < 16:
            classes.append(min(number % 8, 7 - number % 8))
        else:
            classes.append(_DIAGONALS + 8 - len(line))
    return classes + [_BLOCK] * 8 + [_CORNER] * 4


def sparse_indices(size):
    """The 16-bit index of each of the 3**size contents of a pattern, first square the lowest digit.

    Digits: 0 empty, 1 own disc, 2 opponent's disc.
    """
    found = [0]
    for square in range(size):
        own, opp = 1 << square, 1 << (square + STRIDE // 2)
        found = found + [index | own for index in found] + [index | opp for index in found]
    return found


def pack_weights(weights, made):
    """The bytes of a weights file.  weights: FILE_WEIGHTS ints below 2**15 in size; made: a line on how."""
    import sys
    import zlib

    numbers = array("h", weights)
    if sys.byteorder == "big":
        numbers.byteswap()
    return made.encode() + b"\n" + zlib.compress(numbers.tobytes(), 9)


def unpack_weights(content):
    """(array of FILE_WEIGHTS ints, line on how they were made) of a weights file; ValueError if it is none."""
    import sys

    made, _, packed = content.partition(b"\n")
    numbers = array("h", data.unpacked(packed, 2 * FILE_WEIGHTS))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers, made.decode()


def plain_weights():
    """Weights set by hand, to do without weights.bin: moves along each line, corners, and the squares aslant of them."""
    from itertools import product
    from re import findall

    def worth(line, own, other):
        moves = len(findall(f"(?=-{other}+{own}|{own}{other}+-)", line))
        if len(line) < 8 or kind != _DIAGONALS:
            return _MOVE * moves
        ends = line[:2], line[:-3:-1]       # each corner with the square aslant of it
        return _MOVE * moves + _CORNER_DISC * sum(end[0] == own for end in ends) - _ASLANT * ends.count("-" + own)

    stage = []
    for kind, size in enumerate(CLASS_SIZES):
        for squares in product("-XO", repeat=size):
            line = "".join(squares[::-1])           # the first square is the lowest digit
            stage.append(worth(line, "X", "O") - worth(line, "O", "X") if kind < _BLOCK else 0)
    return array("h", stage * STAGES + [0] * CONSTANTS)


class Evaluation:
    """Weights ready for use.  evaluate(own, opp, empties): hundredths of a disc for the side with `own`."""

    def __init__(self, weights):
        self._weights = weights
        self._stages = [None] * STAGES
        ready = [None] * CONSTANTS       # (tables, constant) by the number of empty squares
        prepare = self._prepare

        def evaluate(own, opp, empties):
            tables, constant = ready[empties] or prepare(ready, empties)
            lanes = own >> PATTERN_BASE | opp >> PATTERN_BASE << 8
            return sum(map(getitem, tables, _indices(lanes.to_bytes(_BYTES, "little"))), constant)

        self.evaluate = evaluate

    def terms(self, own, opp, empties):
        """[(name, hundredths of a disc)], adding up to evaluate()."""
        stage = self._stage_tables(stage_of(empties))
        lanes = own >> PATTERN_BASE | opp >> PATTERN_BASE << 8
        sums = dict.fromkeys(_TERMS.values(), 0)
        for kind, table, index in zip(lane_classes(), stage, _indices(lanes.to_bytes(_BYTES, "little"))):
            sums[_TERMS[kind]] += table[index]
        return list(sums.items()) + [("constant", self._weights[STAGES * STAGE_WEIGHTS + empties])]

    def _prepare(self, ready, empties):
        stage = stage_of(empties)
        if self._stages[stage] is None:
            self._stages[stage] = self._stage_tables(stage)
        ready[empties] = (self._stages[stage], self._weights[STAGES * STAGE_WEIGHTS + empties])
        return ready[empties]

    def _stage_tables(self, stage):
        """The table of each of the 50 lanes in `stage`; lanes of one class share it."""
        tables, start = [], stage * STAGE_WEIGHTS
        for size in CLASS_SIZES:
            table = array("h", bytes(2 << STRIDE))
            for index, weight in zip(sparse_indices(size), self._weights[start:start + 3 ** size]):
                table[index] = weight
            tables.append(table)
            start += 3 ** size
        return [tables[kind] for kind in lane_classes()]


def load(path=None):
    """The Evaluation of a weights file, by default of the engine's own."""
    if path is None:
        weights = data.load("othello/weights.bin", lambda content: unpack_weights(content)[0],
                            "Othello is judged by moves and corners alone")
        return Evaluation(weights or plain_weights())
    with open(path, "rb") as file:
        return Evaluation(unpack_weights(file.read())[0])


_loaded = []


def evaluation():
    """The engine's own Evaluation, read when it is first asked for."""
    if not _loaded:
        _loaded.append(load())
    return _loaded[0]
