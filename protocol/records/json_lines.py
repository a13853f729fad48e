"""JSON lines: each line is a game, an object in the form of scripts/tournament's records.

`moves` are canonical texts.  `line`, if present, has all annotations: {move, before,
comment, nags, said, variations} for each move; `tags`, `comment` and `said` belong
to the game.  The lists of a tournament (`scores`, `depths`, `seconds`, `nodes`) are read into the
steps after the opening.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import zip_longest

from games import registry
from games.base import GameError
from protocol.records.builder import Builder, legal
from protocol.records.lists import read_position
from protocol.records.record import (
    RESULTS,
    Evaluation,
    Format,
    Record,
    RecordError,
    Start,
    rules_of,
    shown,
    walk,
)
from protocol.records.text import lines, one_line, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from games.base import Position
    from protocol.records.record import Line, Said, Step

    Kind = TypeVar("Kind", str, list[Any], dict[str, Any])

    # Adds a front end's data to the plain data of a step.  Arguments: position before the move,
    # step, number of the turn, plain data.
    Decorate = Callable[[Position, Step, int, dict[str, Any]], None]

_MATE = re.compile(r"(-?)M(\d{1,6})")
_HEADERS = {"date": "Date", "termination": "Termination"}  # a tournament's field -> the header
_DAY = re.compile(r"\A(\d{4})-(\d\d)-(\d\d)(?:T.*)?\Z")
_TOO_LARGE = 10**9  # All scores and times are below this limit.

# The lists of a tournament's record that have a value for each move after the opening.
_SCORES = ("scores", "depths", "seconds", "nodes")
_OWN = {*_SCORES, *"game options start players result tags comment said moves line opening".split()}
_KINDS = {str: "a string", list: "a list", dict: "an object"}


class JsonLines(Format):
    """JSON lines."""

    name = "json"
    title = "JSON lines"
    games = "all games"
    suffixes = (".jsonl", ".json")
    sign = re.compile(r'(?s)\A\{.{0,18}"')

    def holds(self, start: Start) -> bool:
        return True

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        # skip a tournament's settings
        return (entry for entry in lines(text) if not entry[1].startswith('{"tournament":'))

    def read(self, text: str, game_name: str | None = None) -> Record:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):  # RecursionError: nested too deeply
            raise RecordError(f"not valid JSON: {shown(text)}") from None
        if not isinstance(value, dict) or "moves" not in value or "game" not in value:
            raise RecordError("not a game: game and moves are required")
        return from_plain(value)

    def write(self, record: Record) -> str:
        return json.dumps(to_plain(record)) + "\n"


# ---- reading -------------------------------------------------------------------------


def from_plain(value: dict[str, Any]) -> Record:
    """Return the Record of plain data; raise RecordError if it is malformed."""
    players = [tidy(name) for name in _items(value, "players", str) or ("", "")]
    if len(players) != 2:
        raise RecordError("players must be a list of two strings")
    record = Record(_start(value), (), players, tags=_tags(value))
    record.comment, record.said = tidy(_get(value, "comment", str)).strip(), _said(value)
    builder = Builder(record, legal)
    try:
        moves = [{"move": text} for text in _items(value, "moves", str)]
        _take_line(builder, value if value.get("line") else {"line": moves})
        if value.keys() & set(_SCORES):
            _take_scores(value, record)
    except RecordError as error:
        builder.fail(error)
    result = value.get("result")
    return builder.finish(result if result in RESULTS else None)


def _start(value: dict[str, Any]) -> Start:
    name, options = _get(value, "game", str), _get(value, "options", dict)
    text = one_line(_get(value, "start", str)) or None
    try:
        game = registry.get(name)
        start = Start(game, text, rules_of(game, options))
        with suppress(GameError):
            start.position()
            return start
        return read_position(start, text or "")
    except ValueError as error:  # UnknownGame is a ValueError, too
        raise RecordError(str(error)) from None


def _tags(value: dict[str, Any]) -> dict[str, str]:
    """Return the headers: strings as they are, other values as JSON."""
    known = {
        _HEADERS.get(name, name): part
        for name, part in value.items()
        if name not in _OWN and part is not None
    }
    if value.get("date") is not None:
        known["Date"] = _DAY.sub(r"\1.\2.\3", str(value["date"]))
    return {
        tidy(name): tidy(part if isinstance(part, str) else json.dumps(part))
        for name, part in {**known, **_get(value, "tags", dict)}.items()
    }


def _get(value: dict[str, Any], name: str, kind: type[Kind]) -> Kind:
    """Return a part of plain data, empty if missing; raise RecordError if it isn't a `kind`."""
    part = value.get(name)
    if part is None or kind is dict and not part:  # some programs write {} as []
        return kind()
    if not isinstance(part, kind):
        raise RecordError(f"{name} must be {_KINDS[kind]}")
    return part


def _items(value: dict[str, Any], name: str, kind: type[Kind]) -> list[Kind]:
    """Return a list of items of a kind, [] if missing; raise RecordError for any other value."""
    items = _get(value, name, list)
    if not all(isinstance(item, kind) for item in items):
        raise RecordError(f"each item of {name} must be {_KINDS[kind]}")
    return items


def _said(value: dict[str, Any]) -> Said:
    said = _get(value, "said", dict)
    texts = {tidy(name): list(map(tidy, _items(said, name, str))) for name in said}
    return {name: values for name, values in texts.items() if values}


def _take_line(builder: Builder, value: dict[str, Any]) -> None:
    """Add the steps of the field "line" to the builder's current line."""
    for plain in _items(value, "line", dict):
        builder.remark(tidy(_get(plain, "before", str)))
        step = builder.play(_get(plain, "move", str))
        step.comment = tidy(_get(plain, "comment", str)).strip()
        nags = _get(plain, "nags", list)
        if not all(type(nag) is int and 0 < nag < 1000 for nag in nags):
            raise RecordError("nags must be whole numbers from 1 to 999")
        step.said, step.nags = _said(plain), nags
        mark, evaluation = _get(plain, "mark", str), _get(plain, "eval", str)
        if "mark" in plain and mark != step.mark:
            step.mark = mark
        if evaluation:
            _evaluate(step, evaluation)
        for other in _items(plain, "variations", list):
            builder.open()
            _take_line(builder, {"line": other})
            builder.close()


def _evaluate(step: Step, text: str) -> None:
    """Set the evaluation of a step, unless it already has the same one."""
    known, evaluation = step.evaluation, Evaluation.read(text)
    if evaluation is None:
        raise RecordError('eval must be a number of pawns or points, or "#" and a number of moves')
    if known is None or known.text() != evaluation.text():
        step.evaluation = evaluation


def _take_scores(value: dict[str, Any], record: Record) -> None:
    """Read the engines' own scores and times from a tournament's record, after the opening."""
    opening, last = value.get("opening") or 0, len(record.line)
    if type(opening) is not int or not 0 <= opening <= last:
        raise RecordError(f"opening must be a whole number from 0 to {last}")
    columns = zip_longest(*(_get(value, name, list) for name in _SCORES))
    turns = zip(record.line[opening:], record.turns()[opening:], columns)
    for step, (_, side), (score, depth, seconds, nodes) in turns:
        if score is not None:
            step.evaluation = _evaluation(score, depth, -1 if side else 1)
        if isinstance(seconds, (int, float)) and 0 <= seconds < _TOO_LARGE:
            step.set_seconds("emt", seconds)
        if type(nodes) is int and 0 <= nodes < 10**15:
            step.said["nodes"] = [str(nodes)]


def _evaluation(score: object, depth: object, sign: int) -> Evaluation:
    """Return the Evaluation for the score of a move in a tournament, from the mover's view."""
    plies = depth if type(depth) is int and 0 < depth < 1000 else None
    mate = _MATE.fullmatch(score) if isinstance(score, str) else None
    if mate:
        return Evaluation(None, sign * int(mate[1] + mate[2]), plies)
    if isinstance(score, (int, float)) and abs(score) < _TOO_LARGE:
        return Evaluation(sign * round(score), None, plies)
    raise RecordError("invalid score: expected a number or M<n>")


# ---- writing -------------------------------------------------------------------------


def to_plain(record: Record, decorate: Decorate | None = None) -> dict[str, Any]:
    """Return a record as plain data, which from_plain() reads.

    decorate: called to add data to each step.
    """
    start = record.start
    line = _plain_line(start.position(), record.line, decorate)
    value = {
        "game": start.game.name,
        "options": rules_of(start.game, start.options),
        "start": start.text,
        "players": list(record.players),
        "result": record.result,
        "tags": record.tags,
        **_filled(record, "comment", "said"),
        "moves": [plain["move"] for plain in line],
    }
    return {**value, "line": line} if any(len(plain) > 1 for plain in line) else value


def _plain_line(
    position: Position, line: Line, decorate: Decorate | None = None, first: int | None = None
) -> list[dict[str, Any]]:
    """Return a line from `position`, which stays unchanged, as plain data.

    first: number of its first turn, None if the game starts here.
    """
    plain_steps = []
    for number, step in walk(position, line, first):
        plain: dict[str, Any] = {"move": position.move_text(step.move)}
        plain.update(_filled(step, "before", "comment", "nags", "said"))
        if decorate is not None:
            decorate(position, step, number, plain)
        if step.variations:
            plain["variations"] = [
                _plain_line(position, other, decorate, number) for other in step.variations
            ]
        plain_steps.append(plain)
    return plain_steps


def _filled(holder: Record | Step, *names: str) -> dict[str, Any]:
    """Return those annotations of a game or a step that aren't empty."""
    return {name: getattr(holder, name) for name in names if getattr(holder, name)}


FORMAT = JsonLines()
