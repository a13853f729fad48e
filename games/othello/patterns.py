"""The pattern evaluation: 50 patterns of up to ten squares, read from the pattern lanes.

With the discs of one side and twice those of the other added up, each pattern lane is
an index into the table of its class of patterns: the lines of one kind share a table,
and so do the corner blocks.  The evaluation is the sum of the 50 entries and a
constant for the number of empty squares.  The tables change with the stage of the
game.

Mobility and parity have no terms of their own.  Which moves a line allows is read off
the line, so its table holds them (the evaluation set by hand counts moves in this way
alone); who will move last follows from the number of empty squares, so the constants
hold that.  The blocks of two rows are the edges with the squares beside the corners.

The weights are in weights.bin: a line that says how they were made, then compressed
16-bit numbers in hundredths of a disc.  scripts/lab/othello_fit.py makes them.
"""
from __future__ import annotations

from array import array
from operator import getitem
from struct import Struct

from games import data
from games.othello.lanes import PATTERN_BASE, PATTERN_CLASSES, PATTERNS, STRIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.othello.lanes import Discs
    from games.types import Score

    # evaluate(own, opp, empties): hundredths of a disc for the side with `own`.
    Evaluate = Callable[[Discs, Discs, int], Score]
    # The table of each pattern lane, and the constant.
    Stage = tuple[list[array[int]], int]

# A stage is six discs long; the last one goes on to the full board.
STAGES = 10
STAGE_LENGTH = 6

# Classes of patterns: lines 1 to 4 from the edge, diagonals of 8 to 3 squares, blocks
# 2x4 and 3x3 at a corner.
CLASS_SIZES = tuple(map(len, PATTERN_CLASSES))
_DIAGONALS = 4
_BLOCK, _CORNER = 10, 11        # of two rows, of three
_TERMS = {0: "edges", 1: "lines beside the edges", 2: "inner lines", 3: "inner lines",
          **dict.fromkeys(range(_DIAGONALS, _BLOCK), "diagonals"),
          _BLOCK: "corner blocks", _CORNER: "corner blocks"}
STAGE_WEIGHTS: int = sum(3 ** size for size in CLASS_SIZES)
# Of the weights set by hand, in hundredths of a disc: a move along a line, a corner,
# a disc on the X square of an empty corner.
_MOVE, _CORNER_DISC, _X_SQUARE = 60, 1200, 600
# After the tables of all stages: a constant for each number of empty squares.
CONSTANTS = 65
FILE_WEIGHTS = STAGES * STAGE_WEIGHTS + CONSTANTS

_BYTES = len(PATTERNS) * STRIDE // 8
_indices = Struct(f"<{len(PATTERNS)}H").unpack


def stage_of(empties: int) -> int:
    """The stage of a position with so many empty squares."""
    return min(max(60 - empties, 0) // STAGE_LENGTH, STAGES - 1)


def indices(own: Discs, opp: Discs) -> tuple[int, ...]:
    """The index of each pattern lane, for the side with `own`."""
    return _indices((own + (opp << 1) >> PATTERN_BASE).to_bytes(_BYTES, "little"))


def pack_weights(weights: Sequence[int], made: str) -> bytes:
    """The bytes of a weights file.

    weights: FILE_WEIGHTS ints below 2**15 in size.  made: a line on how.
    """
    import zlib

    numbers = data.write_numbers(array("h", weights))
    return made.encode() + b"\n" + zlib.compress(numbers, 9)


def unpack_weights(content: bytes) -> tuple[array[int], str]:
    """(FILE_WEIGHTS ints, line on how they were made) of a weights file; else ValueError."""
    made, _, packed = content.partition(b"\n")
    numbers = data.read_numbers("h", data.unpacked(packed, 2 * FILE_WEIGHTS))
    return numbers, made.decode()


def plain_weights() -> array[int]:
    """Weights set by hand, to do without weights.bin: moves on each line, corners, X squares."""
    from itertools import product
    from re import findall

    def worth(line: str, own: str, other: str) -> int:
        moves = len(findall(f"(?=-{other}+{own}|{own}{other}+-)", line))
        if len(line) < 8 or kind != _DIAGONALS:
            return _MOVE * moves
        ends = line[:2], line[:-3:-1]       # each corner with its X square
        return (_MOVE * moves + _CORNER_DISC * sum(end[0] == own for end in ends)
                - _X_SQUARE * ends.count("-" + own))

    stage: list[int] = []
    for kind, size in enumerate(CLASS_SIZES):
        for squares in product("-XO", repeat=size):
            line = "".join(squares[::-1])           # the first square is the lowest digit
            stage.append(worth(line, "X", "O") - worth(line, "O", "X") if kind < _BLOCK else 0)
    return array("h", stage * STAGES + [0] * CONSTANTS)


class Evaluation:
    """Weights ready for use.

    evaluate(own, opp, empties): hundredths of a disc for the side with `own`.
    """

    def __init__(self, weights: array[int]) -> None:
        self._weights = weights
        self._stages: list[list[array[int]] | None] = [None] * STAGES
        ready: list[Stage | None] = [None] * CONSTANTS       # by the number of empty squares
        prepare = self._prepare

        def evaluate(own: Discs, opp: Discs, empties: int) -> Score:
            tables, constant = ready[empties] or prepare(ready, empties)
            lanes = own + (opp << 1) >> PATTERN_BASE
            found = _indices(lanes.to_bytes(_BYTES, "little"))
            # mypy takes another of getitem's overloads than the one for arrays.
            score: Score = sum(map(getitem, tables, found), constant)  # type: ignore[arg-type]
            return score

        self.evaluate: Evaluate = evaluate

    def terms(self, own: Discs, opp: Discs, empties: int) -> list[tuple[str, Score]]:
        """[(name, hundredths of a disc)], adding up to evaluate()."""
        stage = self._stage_tables(stage_of(empties))
        sums = dict.fromkeys(_TERMS.values(), 0)
        for (kind, _), table, index in zip(PATTERNS, stage, indices(own, opp)):
            sums[_TERMS[kind]] += table[index]
        return [*sums.items(), ("constant", self._constant(empties))]

    def _prepare(self, ready: list[Stage | None], empties: int) -> Stage:
        found = ready[empties] = self._stage_tables(stage_of(empties)), self._constant(empties)
        return found

    def _constant(self, empties: int) -> int:
        return self._weights[STAGES * STAGE_WEIGHTS + empties]

    def _stage_tables(self, stage: int) -> list[array[int]]:
        """The table of each of the 50 lanes in `stage`; lanes of one class share it."""
        found = self._stages[stage]
        if found is not None:
            return found
        tables, start = [], stage * STAGE_WEIGHTS
        for size in CLASS_SIZES:
            tables.append(self._weights[start:start + 3 ** size])
            start += 3 ** size
        found = self._stages[stage] = [tables[kind] for kind, _ in PATTERNS]
        return found


def load(path: str | None = None) -> Evaluation:
    """The Evaluation of a weights file, by default of the engine's own."""
    if path is None:
        weights = data.load("othello/weights.bin", lambda content: unpack_weights(content)[0],
                            "Othello is judged by moves and corners alone")
        return Evaluation(weights or plain_weights())
    with open(path, "rb") as file:
        return Evaluation(unpack_weights(file.read())[0])


_loaded: list[Evaluation] = []


def evaluation() -> Evaluation:
    """The engine's own Evaluation, read when it is first asked for."""
    if not _loaded:
        _loaded.append(load())
    return _loaded[0]
