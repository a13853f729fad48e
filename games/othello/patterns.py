"""The pattern evaluation: 48 patterns of up to ten squares, read from the pattern lanes.

One side's lanes are added to twice the other side's.  Each pattern lane of the sum is an index
into the table of its class of patterns: lines of one kind share a table, and so do the corner
blocks.  The evaluation is the sum of the 48 entries and a constant for the number of empty
squares.  Each stage of the game has tables of its own.

Mobility and parity have no terms of their own.  The moves on a line follow from its discs, so the
line's table includes mobility.  The player with the last move follows from the number of empty
squares, so the constants include parity.

The weights are in weights.bin, in hundredths of a disc; its first line says how they were
made.  scripts/lab/othello_fit.py makes them.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from operator import getitem
from struct import Struct

from games import data
from games.data import Lazy
from games.othello.lanes import PATTERN_BASE, PATTERN_CLASSES, PATTERNS, STRIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.othello.lanes import Discs
    from games.types import Score

    # evaluate(own, opp, empties): hundredths of a disc for the side with `own`.
    Evaluate = Callable[[Discs, Discs, int], Score]
    # (constants, tables_of), in hundredths of a disc.  There is a constant for each number of empty
    # squares.  tables_of(stage) returns STAGE_WEIGHTS numbers: the tables of all classes, in order.
    Weights = tuple[array[int], Callable[[int], array[int]]]
    # The tables of all pattern lanes, and the constant for the number of empty squares.
    Prepared = tuple[list[array[int]], int]

# A stage is six discs long; the last stage continues to the full board.
STAGES = 10
STAGE_LENGTH = 6

# The names of the classes of patterns, as users see them.
_TERMS = ["edges", "lines beside the edges"] + 2 * ["inner lines"] + 4 * ["diagonals"]
_TERMS += 2 * ["corners"] + ["edges"]
CLASS_SIZES = tuple(map(len, PATTERN_CLASSES))
STAGE_WEIGHTS: int = sum(3**size for size in CLASS_SIZES)
CONSTANTS = 65  # a constant for each number of empty squares

# A weights file has a line on how the weights were made, the checksum of the rest, the number of
# bytes of each stage, the constants, and the stages, each compressed.
CHECKSUM, LENGTHS = Struct("<I"), Struct(f"<{STAGES}I")
_HEAD = LENGTHS.size + 2 * CONSTANTS
_BYTES = len(PATTERNS) * STRIDE // 8
_indices = Struct(f"<{len(PATTERNS)}H").unpack


def stage_of(empties: int) -> int:
    """Return the stage of a position with this number of empty squares."""
    return min(max(60 - empties, 0) // STAGE_LENGTH, STAGES - 1)


def indices(own: Discs, opp: Discs) -> tuple[int, ...]:
    """Return each pattern's content, seen by the side with `own`, as an index into its weights."""
    return _indices((own + (opp << 1) >> PATTERN_BASE).to_bytes(_BYTES, "little"))


def unpack_weights(content: bytes) -> Weights:
    """Return the Weights in a file's bytes; each stage is unpacked when needed.

    Raises ValueError if the bytes are malformed.
    """
    import zlib

    _, _, checked = content.partition(b"\n")
    body = checked[CHECKSUM.size :]
    if len(body) < _HEAD or CHECKSUM.unpack_from(checked)[0] != zlib.crc32(body):
        raise data.DamagedError("its checksum is wrong")
    ends = list(accumulate(LENGTHS.unpack_from(body), initial=_HEAD))

    def stage(stage_index: int) -> array[int]:
        packed = body[ends[stage_index] : ends[stage_index + 1]]
        return data.read_numbers("h", data.unpacked(packed, 2 * STAGE_WEIGHTS))

    return data.read_numbers("h", body[LENGTHS.size : _HEAD]), stage


def plain_weights() -> Weights:
    """Return Weights to use if weights.bin can't be read: all are 0."""
    stage = array("h", bytes(2 * STAGE_WEIGHTS))
    return stage[:CONSTANTS], lambda number: stage


class PatternEvaluation:
    """An evaluation by weights, prepared for use.

    evaluate(own, opp, empties): hundredths of a disc for the side with `own`.
    """

    def __init__(self, weights: Weights) -> None:
        self._constants, self._stage = weights
        # {stage: its tables}.
        self._tables: Lazy[int, list[array[int]]] = Lazy(self._tables_of)
        # {number of empty squares: the tables and the constant}.
        self._prepared: Lazy[int, Prepared] = Lazy(
            lambda empties: (self._tables[stage_of(empties)], self._constants[empties])
        )
        prepared = self._prepared

        def evaluate(own: Discs, opp: Discs, empties: int) -> Score:
            tables, constant = prepared[empties]
            lanes = own + (opp << 1) >> PATTERN_BASE
            contents = _indices(lanes.to_bytes(_BYTES, "little"))
            # mypy takes the wrong overload of getitem.
            score: Score = sum(map(getitem, tables, contents), constant)  # type: ignore[arg-type]
            return score

        self.evaluate: Evaluate = evaluate

    def terms(self, own: Discs, opp: Discs, empties: int) -> list[tuple[str, Score]]:
        """Return [(name, hundredths of a disc)]; the values add up to evaluate()."""
        tables, constant = self._prepared[empties]
        sums = dict.fromkeys(_TERMS, 0)
        for (kind, _), table, index in zip(PATTERNS, tables, indices(own, opp)):
            sums[_TERMS[kind]] += table[index]
        return [*sums.items(), ("constant", constant)]

    def _tables_of(self, stage: int) -> list[array[int]]:
        """Return the table of each pattern lane in `stage`; lanes of one class share it."""
        weights = self._stage(stage)
        ends = list(accumulate((3**size for size in CLASS_SIZES), initial=0))
        tables = [weights[start:end] for start, end in zip(ends, ends[1:])]
        return [tables[kind] for kind, _ in PATTERNS]


@cache
def evaluation(path: str = "") -> PatternEvaluation:
    """Return the PatternEvaluation of a weights file (default: the engine's own); cache it."""
    if path:
        with open(path, "rb") as file:
            return PatternEvaluation(unpack_weights(file.read()))
    weights = data.load(
        "othello/weights.bin", unpack_weights, "Othello is evaluated only at its end"
    )
    return PatternEvaluation(weights or plain_weights())
