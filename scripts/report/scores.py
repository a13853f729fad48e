"""Scores as print has them."""
from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.scores import note_text, points
from scripts.drawing.figure import MINUS

if TYPE_CHECKING:
    from games.base import Game
    from protocol.scores import Judged


def printed_points(score: int, game: Game) -> str:
    """A score in the game's own points: a real minus sign, and no sign at an even score."""
    return points(score, game).replace("-", MINUS) if score else points(0, game)[1:]


def printed_note(note: Judged, game: Game) -> str:
    """The same of what is known of a position, or who wins in how many moves."""
    if note.mate is None and not note.score:
        return printed_points(0, game)
    return note_text(note, game).replace("-", MINUS)
