"""The moves of a GGF with their comments, variations, marks and evaluations, read and written."""
from __future__ import annotations

from games.base import GameError
from protocol.moves import read as read_move
from protocol.records.ggf import (
    colour_of,
    read_all,
    read_properties,
    read_record,
    text_of,
    write_head,
    write_move,
    write_property,
)
from protocol.records.record import Note, RecordError, read_numbered
from protocol.records.steps import MARKS, Counter, Step, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.ggf import Properties
    from protocol.records.record import GameRecord
    from protocol.records.steps import Line


def read_ggf_steps(text: str) -> list[tuple[GameRecord, Line, str]]:
    """(the record, its line, the comment before it) of each game; RecordError as read_ggf."""
    return read_numbered(_read_game, read_all(text))


def _read_game(properties: Properties) -> tuple[GameRecord, Line, str]:
    record = read_record(properties)
    try:
        return record, _line(properties, record.start.position(), Counter(), 0), ""
    except GameError as error:
        raise RecordError(str(error)) from None


def _line(properties: Properties, position: Position, counter: Counter, depth: int) -> Line:
    """The line of properties from `position` on, which is left as it was."""
    line: Line = []
    for name, value in properties:
        if name in ("B", "W"):
            word = f"{name}[{value}]"
            if position.side != colour_of(word):        # a pass that the record leaves out
                _play(position, read_move(position, "pass"), line, counter, depth)
            _play(position, read_move(position, text_of(word)), line, counter, depth)
            line[-1].note = _note(value, 1 if name == "B" else -1)
        elif not line:
            continue
        elif name == "C":
            line[-1].remark(value)
        elif name == "MA" and value in MARKS:
            line[-1].mark = value
        elif name == "VA":
            position.undo()
            other = _line(read_properties(value), position, counter, depth + 1)
            line[-1].variations.append(other)
            position.make(line[-1].move)
    undo(position, len(line))
    return line


def _play(position: Position, move: int, line: Line, counter: Counter, depth: int) -> None:
    counter.add(depth)
    position.make(move)
    line.append(Step(move))


def _note(value: str, sign: int) -> Note | None:
    """The evaluation of a move's value, `D6/1.5/2`: discs, for the player who moves."""
    words = value.split("/")
    try:
        score = float(words[1]) * 100
    except (IndexError, ValueError):
        return None
    return Note(sign * round(score)) if abs(score) <= 6400 else None


def write_ggf_steps(record: GameRecord, line: Line, comment: str = "") -> str:
    """The GGF of a record with the moves of a line, and all that is said of them."""
    return write_head(record, comment) + _text(record.start.position(), line) + ";)\n"


def _text(position: Position, line: Line) -> str:
    """The properties of a line from `position` on, which is left as it was."""
    out = ""
    for step in line:
        out += write_move(position, step.move, step.note)
        if step.comment:
            out += write_property("C", step.comment)
        if step.mark:
            out += write_property("MA", step.mark)
        for variation in step.variations:
            out += write_property("VA", _text(position, variation))
        position.make(step.move)
    undo(position, len(line))
    return out
