"""JSON lines with comments, variations, marks and evaluations, read and written.

What scripts/tournament wrote of an engine's scores and what scripts/analyse found is
read, too. `line`, where a game has it, holds all: {move, comment, mark, eval,
variations} of each move.
"""
from __future__ import annotations

import json
import re

from games.base import GameError
from protocol.records.lines import MOVE_NUMBER, json_games, read_result, write_json_line
from protocol.records.record import Note, RecordError
from protocol.records.san import read_any_move
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
_TOO_LARGE = 10 ** 9        # for a score or a number of moves


def read_json_steps(text: str) -> list[tuple[GameRecord, Line, str]]:
    """(the record, its line, the comment before it) of each game; RecordError as the record."""
    return [_read(value, number) for number, value in json_games(text)]


def read_game(value: dict[str, Any]) -> tuple[GameRecord, Line]:
    """(the record, its line) of a game as plain data; RecordError."""
    record, line, _ = _read(value, 1)
    return record, line


def _read(value: dict[str, Any], number: int) -> tuple[GameRecord, Line, str]:
    """(the record, its line, the comment before it); RecordError names line `number`."""
    record = read_result(value, number)
    try:
        return record, _all_said(value, record), _text(value, "comment")
    except (GameError, RecordError) as error:
        raise RecordError(f"line {number}: {error}") from None


def _all_said(value: dict[str, Any], record: GameRecord) -> Line:
    """The line of a record, with all that its value says of the moves."""
    line = main_line(record)
    if value.get("line") is not None:
        whole = _line(_list(value, "line"), record.start.position(), Counter(), 0)
        return whole if moves_of(whole) == record.moves else line
    _take_scores(value, record, line)
    _take_analysis(value, record, line)
    return line


def _text(value: dict[str, Any], name: str) -> str:
    """The text of this name, "" where there is none; RecordError where it is something else."""
    found = value.get(name)
    if found is None or isinstance(found, str):
        return found or ""
    raise RecordError(f"{name} is no text")


def _list(value: dict[str, Any], name: str) -> list[Any]:
    """The list of this name, [] where there is none; RecordError where it is something else."""
    found = value.get(name)
    if found is None or isinstance(found, list):
        return found or []
    raise RecordError(f"{name} is no list")


def _mark(value: dict[str, Any]) -> str:
    """One of MARKS, or ""."""
    mark = _text(value, "mark")
    return mark if mark in MARKS else ""


def _line(steps: list[Any], position: Position, counter: Counter, depth: int) -> Line:
    """The line of plain steps from `position` on, which is left as it was."""
    line: Line = []
    for plain in steps:
        if not isinstance(plain, dict):
            raise RecordError("a step of a line is no object")
        counter.add(depth)
        step = Step(position.parse_move(_text(plain, "move")))
        step.comment = _text(plain, "comment")
        step.mark = _mark(plain)
        step.note = read_evaluation(_text(plain, "eval"))
        for other in _list(plain, "variations"):
            if not isinstance(other, list):
                raise RecordError("a variation is no list")
            step.variations.append(_line(other, position, counter, depth + 1))
        line.append(step)
        position.make(step.move)
    undo(position, len(line))
    return line


def _take_scores(value: dict[str, Any], record: GameRecord, line: Line) -> None:
    """What the engines of a tournament said of their own moves: `scores`, after the opening."""
    scores, opening = _list(value, "scores"), _number(value, "opening") or 0
    if not 0 <= opening <= len(line):
        raise RecordError("opening is more moves than there are")
    for (position, _), step, score in zip(record.positions(), line, [None] * opening + scores):
        sign = 1 if position.side == 0 else -1
        mate = _MATE.fullmatch(score) if isinstance(score, str) else None
        if mate:
            step.note = Note(mate=sign * int(mate[2]) * (-1 if mate[1] else 1))
        elif isinstance(score, (int, float)) and abs(score) < _TOO_LARGE:
            step.note = Note(sign * round(score))
        elif score is not None:
            raise RecordError("a score is no number that a score can be, and no mate")


def _take_analysis(value: dict[str, Any], record: GameRecord, line: Line) -> None:
    """What scripts/analyse found: {score or mate, mark, best} of each move, or null."""
    for (position, _), step, note in zip(record.positions(), line, _list(value, "analysis")):
        if note is None:
            continue
        if not isinstance(note, dict):
            raise RecordError("the analysis of a move is no object")
        score, mate = _number(note, "score"), _number(note, "mate")
        if score is not None or mate is not None:
            step.note = Note(score, mate)
        step.mark = _mark(note)
        better = _better(_list(note, "best"), position)
        step.variations += [better] if better else []


def _number(value: dict[str, Any], name: str) -> int | None:
    """The number of this name, None where there is none; RecordError where it is something else."""
    found = value.get(name)
    if found is None or type(found) is int and abs(found) < _TOO_LARGE:
        return found
    raise RecordError(f"{name} is no whole number below {_TOO_LARGE}")


def _better(words: list[Any], position: Position) -> Line:
    """The line of an analysis, in chess in SAN with its numbers; `position` is left as it was."""
    better: Line = []
    for word in words:
        if not isinstance(word, str):
            raise RecordError("a move of best is no text")
        if not MOVE_NUMBER.fullmatch(word):
            better.append(Step(read_any_move(position, word)))
            position.make(better[-1].move)
    undo(position, len(better))
    return better


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
