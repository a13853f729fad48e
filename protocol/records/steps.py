"""A game with its variations: lines of steps, each with its comment, mark and evaluation.

A line is a list of Steps.  The readers and writers of the formats (pgn_steps,
sgf_steps, ggf_steps, json_steps) make them from texts and texts from them.
"""
from __future__ import annotations

import re

from games.base import MAX_SCORE
from protocol.records.record import Note, RecordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from protocol.records.record import GameRecord

MARKS = ("!", "?", "!!", "??", "!?", "?!")
MOST_STEPS = 5_000          # of a game, its variations included
DEEPEST = 50                # variations within variations
# No engine counts further than the digits that are read here.
_EVALUATION = re.compile(r"(#?-?\d{1,9}(?:\.\d{0,9})?)(?:,(\d{1,9}))?")


class Step:
    """A move and what is said of it.

    move: an int.  comment: words.  mark: one of MARKS, or "".
    note: what an engine said of the position after it, or None.
    variations: lines that could have been played instead.
    """

    __slots__ = ("comment", "mark", "move", "note", "variations")

    def __init__(self, move: int) -> None:
        self.move = move
        self.comment = self.mark = ""
        self.note: Note | None = None
        self.variations: list[Line] = []

    def remark(self, text: str) -> None:
        """Add to the comment."""
        self.comment = " ".join(filter(None, [self.comment, text.strip()]))


Line = list[Step]


class Counter:
    """Counts the steps of a game that is read; RecordError where there are too many."""

    def __init__(self) -> None:
        self._count = 0

    def add(self, depth: int) -> None:
        """One more step, `depth` variations deep."""
        self._count += 1
        if self._count > MOST_STEPS:
            raise RecordError(f"the game has more than {MOST_STEPS} moves")
        if depth > DEEPEST:
            raise RecordError(f"variations stand in each other more than {DEEPEST} deep")


def main_line(record: GameRecord) -> Line:
    """The moves of a record as a line, nothing said of them."""
    return [Step(move) for move in record.moves]


def moves_of(line: Sequence[Step]) -> list[int]:
    """The moves of a line without its variations."""
    return [step.move for step in line]


def undo(position: Position, count: int) -> None:
    """Take moves back."""
    for _ in range(count):
        position.undo()


def write_evaluation(note: Note) -> str:
    """A note as PGN's [%eval] has it: pawns or points, or #N for a win in N; first player's view.

    The depth follows after a comma where it is known.
    """
    if note.mate is not None:
        return f"#{note.mate}"
    score = max(-MAX_SCORE, min(MAX_SCORE, note.score or 0))
    return f"{score / 100:.2f}" + (f",{note.depth}" if note.depth else "")


def read_evaluation(text: str) -> Note | None:
    """The Note of such a text; None where it is none."""
    found = _EVALUATION.fullmatch(text.strip())
    if found is None:
        return None
    value, depth = found.groups()
    if value[0] == "#":
        return Note(mate=int(float(value[1:])))
    score = max(-MAX_SCORE, min(MAX_SCORE, round(float(value) * 100)))
    return Note(score=score, depth=int(depth) if depth else None)
