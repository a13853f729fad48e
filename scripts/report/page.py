"""The report: the page of scripts/board as a file that holds analysed games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.base import Position
from protocol.records.record import Record
from scripts.pages import embed, records
from scripts.pages.notes import NAMES, plain_line, plain_note
from scripts.report.verdicts import Note, Verdict, accuracy


class Analysed(NamedTuple):
    """A game with its analysis: Verdicts of all positions, Notes of all moves."""

    record: Record
    verdicts: Sequence[Verdict]
    notes: Sequence[Note]


def page(games: Sequence[Analysed], engine: str, effort: str) -> str:
    """Return the HTML page of Analysed games, whose records have marks and better lines.

    engine: its name.  effort: its limits as text.
    """
    return embed.page([_plain(game, engine, effort) for game in games])


def _plain(game: Analysed, engine: str, effort: str) -> dict[str, Any]:
    """Return an analysed game as the page holds it."""
    record = game.record
    found = records.plain_game(record)
    said = summary(record, game.verdicts, game.notes)
    position = record.start.position()
    for plain, step, verdict, about in zip(
        found["line"], record.line, game.verdicts[1:], said["moves"]
    ):
        position.make(step.move)
        plain.update(note=verdict_note(position, verdict), lost=about["lost"])
    review = {
        "accuracy": said["accuracy"],
        "counts": said["counts"],
        "engine": engine,
        "effort": effort,
    }
    return {**found, "note": said["start"], "review": review}


def verdict_note(position: Position, verdict: Verdict) -> dict[str, Any]:
    """Return a Verdict as a note of the page."""
    return {
        **plain_note(verdict.evaluation, position),
        "share": verdict.chance,
        "line": plain_line(position, verdict.line),
    }


def summary(record: Record, verdicts: Sequence[Verdict], notes: Sequence[Note]) -> dict[str, Any]:
    """Return the summary of an analysis: moves, start, and each player's accuracy and marks."""
    moves, turns = [], record.turns()
    for (position, _), note, turn in zip(record.positions(), notes, turns):
        moves.append(
            {
                "mark": note.mark,
                "lost": round(100 * note.lost, 1),
                "better": _numbered(position, note.best, turn),
            }
        )
    own = [[note for note, (_, side) in zip(notes, turns) if side == player] for player in (0, 1)]
    return {
        "moves": moves,
        "start": verdict_note(record.start.position(), verdicts[0]),
        "accuracy": [accuracy(each) if each else None for each in own],
        "counts": [
            {name: sum(note.mark == mark for note in each) for mark, name in NAMES.items()}
            for each in own
        ],
    }


def _numbered(
    position: Position, line: Sequence[int], turn: tuple[int, int]
) -> list[dict[str, Any]]:
    """Return the moves of a line with their turns; turn: (number, side) of the first one."""
    found: list[dict[str, Any]] = []
    number, before = turn
    for move, plain in zip(line, plain_line(position, line)):
        number, before = number + (position.side < before), position.side
        found.append({**plain, "number": number, "side": before})
        position.make(move)
    for _ in found:
        position.undo()
    return found
