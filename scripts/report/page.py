"""Analysed games as plain data, for the report and for the page of scripts/board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.base import Position
from protocol.moves import variation
from protocol.records.record import Record
from scripts.pages import records
from scripts.pages.notes import NAMES, named, plain_note
from scripts.report.verdicts import Note, Verdict, accuracy


class Analysed(NamedTuple):
    """A game with its analysis: Verdicts of all positions, Notes of all moves.

    Both are empty if the engine failed.
    """

    record: Record
    verdicts: Sequence[Verdict]
    notes: Sequence[Note]


def plain_analysis(game: Analysed, engine: str, effort: str) -> dict[str, Any]:
    """Return an analysed game as plain data for the page.

    game: its record must have marks and better lines already.
    engine: the engine's name.  effort: the engine's limits as text.
    """
    record, position = game.record, game.record.start.position()
    data = records.plain_game(record)
    if not game.verdicts:
        return data
    data["note"] = verdict_note(position, game.verdicts[0])
    for plain, move, verdict in zip(data["line"], record.moves, game.verdicts[1:]):
        position.make(move)
        plain["note"] = verdict_note(position, verdict)
    sides = [side for _, side in record.turns()]
    own = [[note for note, side in zip(game.notes, sides) if side == player] for player in (0, 1)]
    data["review"] = {
        "accuracy": [accuracy(each) if each else None for each in own],
        "counts": [
            {name: sum(note.mark == mark for note in each) for mark, name in NAMES.items()}
            for each in own
        ],
        "engine": engine,
        "effort": effort,
    }
    return data


def verdict_note(position: Position, verdict: Verdict) -> dict[str, Any]:
    """Return a Verdict as a note of the page."""
    return {
        **plain_note(verdict.evaluation, position),
        "share": verdict.chance,
        "line": variation(position, verdict.line, named),
    }
