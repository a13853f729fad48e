"""What an engine says, as the page holds it: notes on positions, and lines of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.looks import players_of
from protocol.records.san import move_words
from protocol.scores import note_text, winrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from protocol.records.record import Evaluation

# A move that gives away so much of the expected score is an inaccuracy, a mistake, a
# blunder.
MARKS = ((0.25, "??"), (0.15, "?"), (0.1, "?!"))
NAMES = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}


def plain_note(note: Evaluation, position: Position) -> dict[str, Any]:
    """An Evaluation as the page holds it: {eval (as PGN has it), score (in words), share, depth}.

    share: what the first player may expect, 0 to 1.  position: that it is about.
    """
    if note.mate is not None:
        share = float(note.mate > 0 or (note.mate == 0 and position.side == 1))
    else:
        share = winrate(note.score or 0, position)
    score = note_text(note, position.game, players_of(position.game))
    return {"eval": note.text(), "score": score, "share": share, "depth": note.depth}


def plain_line(position: Position, line: Sequence[int]) -> list[dict[str, str]]:
    """[{move, words}] of a line from `position` on, which is left as it was."""
    found = []
    for move in line:
        found.append({"move": position.move_text(move), "words": move_words(position, move)})
        position.make(move)
    for _ in line:
        position.undo()
    return found
