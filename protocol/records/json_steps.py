"""JSON lines with comments, variations, marks and evaluations, read and written.

What scripts/tournament wrote of an engine's scores and what scripts/analyse found is
read, too. `line`, where a game has it, holds all: {move, comment, mark, eval,
variations} of each move.
"""
from __future__ import annotations

import json
import re

from games.base import GameError
from protocol.moves import read as read_move
from protocol.records.lines import json_games, read_result, write_json_line
from protocol.records.record import Note, RecordError
from protocol.records.steps import (
    MARKS,
    Counter,
    Step,
    main_line,
    moves_of,
    read_evaluation,
    undo,
    write_evaluation,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.base import Position
    from protocol.records.record import GameRecord
    from protocol.records.steps import Line

_MATE = re.compile(r"(-?)M(\d{1,6})")


def read_json_steps(text: str) -> list[tuple[GameRecord, Line, str]]:
    """(the record, its line, the comment before it) of each game; RecordError as the record."""
    found = []
    for number, value in json_games(text):
        record, line = read_game(value, number)
        found.append((record, line, _text(value.get("comment"))))
    return found


def read_game(value: dict[str, Any], number: int = 1) -> tuple[GameRecord, Line]:
    """(the record, its line) of a game as plain data; number: of its line, for errors."""
    record = read_result(value, number)
    line = main_line(record)
    if isinstance(value.get("line"), list):
        try:
            whole = _line(value["line"], record.start.position(), Counter(), 0)
        except GameError as error:
            raise RecordError(f"line {number}: {error}") from None
        return record, (whole if moves_of(whole) == record.moves else line)
    _take_scores(value, record, line)
    _take_analysis(value, record, line)
    return record, line


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: object) -> int | None:
    """A whole number that a score can be."""
    return value if isinstance(value, int) and abs(value) < 1e9 else None


def _line(steps: list[Any], position: Position, counter: Counter, depth: int) -> Line:
    """The line of plain steps from `position` on, which is left as it was."""
    line: Line = []
    for plain in steps:
        if not isinstance(plain, dict):
            raise RecordError("a step of a line is no object")
        counter.add(depth)
        step = Step(position.parse_move(_text(plain.get("move"))))
        step.comment = _text(plain.get("comment"))
        step.mark = plain["mark"] if plain.get("mark") in MARKS else ""
        step.note = read_evaluation(_text(plain.get("eval")))
        for other in _list(plain.get("variations")):
            if isinstance(other, list):
                step.variations.append(_line(other, position, counter, depth + 1))
        line.append(step)
        position.make(step.move)
    undo(position, len(line))
    return line


def _take_scores(value: dict[str, Any], record: GameRecord, line: Line) -> None:
    """What the engines of a tournament said of their own moves: `scores`, after the opening."""
    scores, opening = value.get("scores"), value.get("opening", 0)
    if not isinstance(scores, list) or not isinstance(opening, int) or opening < 0:
        return
    for (position, _), step, score in zip(record.positions(), line, [None] * opening + scores):
        sign = 1 if position.side == 0 else -1
        mate = _MATE.fullmatch(score) if isinstance(score, str) else None
        if mate:
            step.note = Note(mate=sign * int(mate[2]) * (-1 if mate[1] else 1))
        elif isinstance(score, (int, float)) and abs(score) < 1e9:
            step.note = Note(sign * round(score))


def _take_analysis(value: dict[str, Any], record: GameRecord, line: Line) -> None:
    """What scripts/analyse found: {score or mate, mark, best} of each move, or null."""
    found = _list(value.get("analysis"))
    for (position, _), step, note in zip(record.positions(), line, found):
        if not isinstance(note, dict):
            continue
        score, mate = _number(note.get("score")), _number(note.get("mate"))
        mark = note.get("mark")
        if score is not None or mate is not None:
            step.note = Note(score, mate)
        step.mark = mark if mark in MARKS else ""
        better: Line = []
        for text in _list(note.get("best")):
            better.append(Step(read_move(position, str(text))))
            position.make(better[-1].move)
        undo(position, len(better))
        step.variations += [better] if better else []


def write_json_steps(record: GameRecord, line: Line, comment: str = "") -> str:
    """The JSON line of a record with the moves of a line, and all that is said of them."""
    value = json.loads(write_json_line(record))
    value.update(line=_plain(record.start.position(), line), comment=comment)
    return json.dumps(value) + "\n"


def _plain(position: Position, line: Line) -> list[dict[str, Any]]:
    """A line from `position` on, which is left as it was, as plain data."""
    found = []
    for step in line:
        plain: dict[str, Any] = {"move": position.move_text(step.move)}
        if step.comment:
            plain["comment"] = step.comment
        if step.mark:
            plain["mark"] = step.mark
        if step.note is not None:
            plain["eval"] = write_evaluation(step.note)
        if step.variations:
            plain["variations"] = [_plain(position, other) for other in step.variations]
        found.append(plain)
        position.make(step.move)
    undo(position, len(line))
    return found
