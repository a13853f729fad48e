"""A game with its variations as the page holds it, to and from the Steps of records.

A line is a list of steps, plain data: {move, words, number, side, comment, mark, note,
variations}, all but the move left out where there is nothing to tell.  variations are lines
that could have been played instead of the move.  note is what an engine said of the
position after it: {eval (as PGN has it), score (in words), share (what the first player may
expect, 0 to 1), depth}.  From the page come only move, comment, mark, {eval} and
variations.
"""
from __future__ import annotations

from typing import Any

from games.base import GameError, Position
from games.looks import players_of
from protocol.records.record import GameRecord, Note, RecordError, Start
from protocol.records.san import move_words
from protocol.records.steps import (
    MARKS,
    Counter,
    Line,
    Step,
    read_evaluation,
    undo,
    write_evaluation,
)
from protocol.scores import note_text, winrate
from scripts.browser import fields
from scripts.browser.fields import Wrong

LONGEST_COMMENT = 10_000


def plain_game(record: GameRecord, line: Line, comment: str = "") -> dict[str, Any]:
    """A game as the page holds it; comment: what stands before its first move."""
    position = record.start.position()
    return {"game": record.start.game.name, "options": record.start.options,
            "start": record.start.text, "comment": comment,
            "line": _plain_line(position, line, 1, 0),
            "players": list(record.players), "result": record.result,
            "tags": {str(name): str(value) for name, value in record.tags.items()}}


def _plain_line(position: Position, line: Line, number: int, side: int) -> list[dict[str, Any]]:
    """A line from `position` on, which is left as it was.

    number: of the turn before, and side: whose it was.
    """
    found = []
    for step in line:
        before = number, side
        number += position.side < side
        side = position.side
        plain: dict[str, Any] = {
            "move": position.move_text(step.move), "words": move_words(position, step.move),
            "number": number, "side": side}
        if step.comment:
            plain["comment"] = step.comment
        if step.mark:
            plain["mark"] = step.mark
        if step.variations:
            plain["variations"] = [_plain_line(position, other, *before)
                                   for other in step.variations]
        found.append(plain)
        position.make(step.move)
        if step.note is not None:
            plain["note"] = plain_note(step.note, position)
    undo(position, len(line))
    return found


def plain_note(note: Note, position: Position) -> dict[str, Any]:
    """A Note as the page holds it; position: after its move."""
    if note.mate is not None:
        share = float(note.mate > 0)
    else:
        share = winrate(note.score or 0, position)
    score = note_text(note, position.game, players_of(position.game))
    return {"eval": write_evaluation(note), "score": score, "share": share, "depth": note.depth}


def read_line(body: dict[str, Any], start: Start) -> Line:
    """The Line of a command's `line`; Wrong where it is none."""
    try:
        return _read_line(body.get("line"), start.position(), Counter(), 0)
    except (GameError, RecordError) as error:
        raise Wrong(str(error)) from None


def _read_line(steps: object, position: Position, counter: Counter, depth: int) -> Line:
    """The line of plain steps from `position` on, which is left as it was."""
    if not isinstance(steps, list):
        raise Wrong("a line must be a list of steps")
    line: Line = []
    for plain in steps:
        counter.add(depth)
        if not isinstance(plain, dict):
            raise Wrong("a step must be an object")
        step = Step(position.parse_move(fields.text(plain, "move", "", 100) or ""))
        step.comment = fields.text(plain, "comment", "", LONGEST_COMMENT) or ""
        mark = fields.text(plain, "mark", "", 10) or ""
        step.mark = mark if mark in MARKS else ""
        step.note = _read_note(plain.get("note"))
        step.variations = [_read_line(other, position, counter, depth + 1)
                           for other in _variations(plain)]
        line.append(step)
        position.make(step.move)
    undo(position, len(line))
    return line


def _variations(plain: dict[str, Any]) -> list[object]:
    found = plain.get("variations") or []
    if not isinstance(found, list):
        raise Wrong("variations must be a list of lines")
    return found


def _read_note(plain: object) -> Note | None:
    """The Note of {eval}; None where there is none."""
    text = fields.text(plain, "eval", "", 30) if isinstance(plain, dict) else ""
    if not text:
        return None
    note = read_evaluation(text)
    if note is None:
        raise Wrong("eval must be a number of pawns, or # and a number of moves")
    return note
