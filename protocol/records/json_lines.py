"""JSON lines: one object per game and line, in the form of scripts/tournament's records.

`moves` are canonical texts.  `line`, if present, has all annotations: {move, before,
comment, nags, said, implied, variations} for each move; `tags`, `comment` and `said` belong
to the game.  The scores and times of a tournament (`scores`, `depths`, `seconds`, `nodes`, after
the opening) are read into the steps, as is the `analysis` of older versions of
scripts/analyse.
"""

from __future__ import annotations

import json
import re

from games import registry
from protocol.records.builder import Builder, legal
from protocol.records.record import (
    RESULTS,
    Evaluation,
    Record,
    RecordError,
    Start,
    rules_of,
    shown,
)
from protocol.records.san import read_any_move
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from games.base import Position
    from protocol.records.record import Line, Said, Step

    # Adds a front end's data to a plain step: (position before the move, step, number of the
    # turn, plain data of the step).
    Decorate = Callable[[Position, Step, int, dict[str, Any]], None]

_MATE = re.compile(r"(-?)M(\d{1,6})")
_NUMBER = re.compile(r"\d{1,6}\.+")
_TOO_LARGE = 10**9  # for a score or a number of moves
_OWN = frozenset(
    "game options start players result tags comment said moves line "
    "opening scores depths seconds nodes analysis".split()
)


# ---- reading -------------------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each line that may be a game; skip a tournament's settings."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        if line and not line.startswith('{"tournament":'):
            yield at, line
        at = end + 1


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a line; raise RecordError if it can't be read."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # the latter if it is nested too deeply
        raise RecordError("is not JSON") from None
    if not isinstance(value, dict) or "moves" not in value or "game" not in value:
        raise RecordError("is not a game: it needs game and moves")
    return from_plain(value)


def from_plain(value: dict[str, Any]) -> Record:
    """Return the Record of plain data; raise RecordError if it is malformed."""
    record = Record(_start(value))
    players = _list(value, "players") or ["", ""]
    if not are_texts(players) or len(players) != 2:
        raise RecordError("players must be two strings")
    record.players = tuple(map(tidy, players))
    record.tags = _tags(value)
    record.comment, record.said = _text(value, "comment").strip(), _said(value)
    builder = Builder(record, legal)
    fault = None
    try:
        if value.get("line") is None:
            for text in _texts(value, "moves"):
                builder.play(text)
            _take_scores(value, record)
            _take_analysis(value, record)
        else:
            _line(builder, _list(value, "line"))
    except RecordError as error:
        fault = error
    while builder.depth:  # the error was inside variations
        builder.close()
    result = value.get("result")
    return builder.finish(result if result in RESULTS else None, fault)


def _start(value: dict[str, Any]) -> Start:
    name, text, options = value.get("game"), value.get("start"), value.get("options") or {}
    if not isinstance(name, str):
        raise RecordError("game must be a string")
    if text is not None and not isinstance(text, str):
        raise RecordError("start must be a string")
    if not isinstance(options, dict):
        raise RecordError("options must be an object")
    try:
        game = registry.get(name)
        text = None if text is None else " ".join(text.split())
        return Start(game, text, rules_of(game, options))
    except KeyError:
        raise RecordError(f"no such game: {shown(name)}") from None
    except ValueError as error:
        raise RecordError(str(error)) from None


def _tags(value: dict[str, Any]) -> dict[str, str]:
    """Return the headers: strings as they are, other values as JSON."""
    tags = value.get("tags") or {}
    if not isinstance(tags, dict):
        raise RecordError("tags must be an object")
    known = {name: part for name, part in value.items() if name not in _OWN and part is not None}
    return {
        tidy(name): tidy(part if isinstance(part, str) else json.dumps(part))
        for name, part in {**known, **tags}.items()
    }


def _text(value: dict[str, Any], name: str) -> str:
    """Return the string called `name`, "" if missing; raise RecordError if it isn't a string."""
    found = value.get(name)
    if found is None or isinstance(found, str):
        return tidy(found or "")
    raise RecordError(f"{name} must be a string")


def _list(value: dict[str, Any], name: str) -> list[Any]:
    """Return the list called `name`, [] if missing; raise RecordError if it isn't a list."""
    found = value.get(name)
    if found is None or isinstance(found, list):
        return found or []
    raise RecordError(f"{name} must be a list")


def are_texts(value: object) -> bool:
    """Is a JSON value a list of strings?"""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _texts(value: dict[str, Any], name: str) -> list[str]:
    found = _list(value, name)
    if not are_texts(found):
        raise RecordError(f"{name} must be a list of strings")
    return found


def _said(value: dict[str, Any]) -> Said:
    said = value.get("said") or {}
    if not isinstance(said, dict) or not all(are_texts(values) for values in said.values()):
        raise RecordError("said must be an object of lists of strings")
    return {tidy(name): list(map(tidy, values)) for name, values in said.items() if values}


def _line(builder: Builder, steps: list[Any]) -> None:
    """Read plain steps into the builder's line."""
    for plain in steps:
        if not isinstance(plain, dict):
            raise RecordError("a step of a line must be an object")
        builder.remark(_text(plain, "before").strip())
        step = builder.play(_text(plain, "move"))
        step.comment = _text(plain, "comment").strip()
        step.said, step.nags = _said(plain), _nags(plain)
        passing = builder.position.game.pass_move
        step.implied = plain.get("implied") is True and step.move == passing
        if "mark" in plain and _text(plain, "mark") != step.mark:
            step.mark = _text(plain, "mark")
        if _text(plain, "eval"):
            _evaluate(step, _text(plain, "eval"))
        for other in _list(plain, "variations"):
            if not isinstance(other, list):
                raise RecordError("a variation must be a list")
            builder.open()
            _line(builder, other)
            builder.close()


def _evaluate(step: Step, text: str) -> None:
    """Set the evaluation of a step, unless it already has the same one."""
    known, evaluation = step.evaluation, Evaluation.read(text)
    if evaluation is None:
        raise RecordError("eval must be a number of pawns or points, or # and a number of moves")
    if known is None or known.text() != evaluation.text():
        step.evaluation = evaluation


def _nags(plain: dict[str, Any]) -> list[int]:
    nags = _list(plain, "nags")
    if not all(type(nag) is int and 0 < nag < 1000 for nag in nags):
        raise RecordError("nags must be whole numbers from 1 to 999")
    return list(nags)


def _take_scores(value: dict[str, Any], record: Record) -> None:
    """Read the engines' own scores and times from a tournament's record, after the opening."""
    opening = _number(value, "opening") or 0
    if not 0 <= opening <= len(record.line):
        raise RecordError(f"opening must be 0 to {len(record.line)} moves, not {opening}")
    lists = {name: _list(value, name) for name in ("scores", "depths", "seconds", "nodes")}
    for index, (position, _) in enumerate(record.positions()):
        at = index - opening
        found = {name: values[at] for name, values in lists.items() if 0 <= at < len(values)}
        step = record.line[index]
        depth, seconds, nodes = (found.get(name) for name in ("depths", "seconds", "nodes"))
        evaluation = _score(found.get("scores"), 1 if position.side == 0 else -1)
        if evaluation is not None:
            evaluation.depth = depth if type(depth) is int and 0 < depth < 1000 else None
            step.evaluation = evaluation
        if isinstance(seconds, (int, float)) and 0 <= seconds < _TOO_LARGE:
            step.set_seconds("emt", seconds)
        if type(nodes) is int and 0 <= nodes < 10**15:
            step.said["nodes"] = [str(nodes)]


def _score(score: object, sign: int) -> Evaluation | None:
    """Return the Evaluation of a tournament's score, which is for the player who moved."""
    mate = _MATE.fullmatch(score) if isinstance(score, str) else None
    if mate:
        return Evaluation(mate=sign * int(mate[2]) * (-1 if mate[1] else 1))
    if isinstance(score, (int, float)) and abs(score) < _TOO_LARGE:
        return Evaluation(sign * round(score))
    if score is not None:
        raise RecordError("invalid score: expected a number or M<n>")
    return None


def _take_analysis(value: dict[str, Any], record: Record) -> None:
    """Read the analysis of scripts/analyse: {score or mate, mark, best} of each move, or null."""
    analysis = _list(value, "analysis")
    for step, (position, _), note in zip(record.line, record.positions(), analysis):
        if note is None:
            continue
        if not isinstance(note, dict):
            raise RecordError("the analysis of a move must be an object")
        score, mate = _number(note, "score"), _number(note, "mate")
        if score is not None or mate is not None:
            step.evaluation = Evaluation(score, mate)
        step.mark = _text(note, "mark")
        better = Record(Start(position.game, position.text(), record.start.options))
        builder = Builder(better, read_any_move)
        for word in _texts(note, "best"):
            if not _NUMBER.fullmatch(word):
                builder.play(word)
        step.variations += [better.line] if better.line else []


def _number(value: dict[str, Any], name: str) -> int | None:
    """Return the number called `name`, None if missing; raise RecordError if it isn't a number."""
    found = value.get(name)
    if found is None or type(found) is int and abs(found) < _TOO_LARGE:
        return found
    raise RecordError(f"{name} must be a whole number below {_TOO_LARGE}")


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return the JSON line of a record."""
    return json.dumps(to_plain(record)) + "\n"


def to_plain(record: Record, decorate: Decorate | None = None) -> dict[str, Any]:
    """Return a record as plain data, which from_plain() reads.

    decorate: called to add data to each step.
    """
    start, line = record.start, record.line
    value: dict[str, Any] = {
        "game": start.game.name,
        "options": rules_of(start.game, start.options),
        "start": start.text,
        "players": list(record.players),
        "result": record.result,
        "tags": record.tags,
    }
    if record.comment:
        value["comment"] = record.comment
    if record.said:
        value["said"] = record.said
    position = start.position()
    texts = []
    for step in line:
        texts.append(position.move_text(step.move))
        position.make(step.move)
    value["moves"] = texts
    if decorate or any(map(_says_something, line)):
        value["line"] = plain_line(start.position(), line, decorate)
    return value


def _says_something(step: Step) -> bool:
    return bool(step.before or step.comment or step.nags or step.said or step.variations)


def plain_line(
    position: Position, line: Line, decorate: Decorate | None = None, number: int = 1, side: int = 0
) -> list[dict[str, Any]]:
    """Return a line from `position`, which stays unchanged, as plain data.

    number, side: those of the previous move.
    """
    found = []
    for step in line:
        before = number, side
        number += position.side < side
        side = position.side
        plain: dict[str, Any] = {"move": position.move_text(step.move)}
        for name in ("before", "comment", "nags", "said"):
            if getattr(step, name):
                plain[name] = getattr(step, name)
        if step.is_omitted:
            plain["implied"] = True
        if decorate is not None:
            decorate(position, step, number, plain)
        if step.variations:
            plain["variations"] = [
                plain_line(position, other, decorate, *before) for other in step.variations
            ]
        found.append(plain)
        position.make(step.move)
    for _ in line:
        position.undo()
    return found
