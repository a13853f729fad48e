"""The JSON lines of scripts/tournament, and plain lists of moves."""
from __future__ import annotations

import json
import re

from games import registry
from protocol.moves import canonical, variation
from protocol.records.record import RESULTS, MoveReader, RecordError, Start, read_options
from protocol.records.san import line_text, read_any_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from games.base import Game, Position
    from protocol.records.record import GameRecord, Note

MOVE_NUMBER = re.compile(r"\d+\.+")


def read_json_lines(text: str) -> list[GameRecord]:
    """The GameRecords of a tournament's record; its first line, the terms, is skipped."""
    return [read_result(value, number) for number, value in json_games(text)]


def json_games(text: str) -> list[tuple[int, dict[str, Any]]]:
    """[(number of the line, its value)] of the games in JSON lines, at least one; RecordError."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            value = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):        # the latter where it is nested too deep
            raise RecordError(f"line {number} is no JSON") from None
        if isinstance(value, dict) and "moves" in value and "game" in value:
            found.append((number, value))
    if not found:
        raise RecordError("there is no game in these JSON lines")
    return found


def read_result(value: dict[str, Any], number: int) -> GameRecord:
    """The GameRecord of a line's value; number: of the line, for errors."""
    _check_types(value, number)
    try:
        game = registry.get(value["game"])
        words = [f"{name}={option}" for name, option in (value.get("options") or {}).items()]
        start = Start(game, value.get("start"), read_options(game, words))
        reader = MoveReader(start, lambda position, text: position.parse_move(text))
        for text in value["moves"]:
            reader.play(text)
    except KeyError:
        raise RecordError(f"line {number}: no such game: {value['game']}") from None
    except (RecordError, ValueError) as error:
        raise RecordError(f"line {number}: {error}") from None
    tags = {name: str(value[name]) for name in ("date", "termination", "reason") if value.get(name)}
    return reader.record(tuple(value.get("players") or ("", "")), value.get("result"), tags)


def _check_types(value: dict[str, Any], number: int) -> None:
    """RecordError where a line's value is not of the form of a tournament's game."""
    players, start, options = (value.get(name) for name in ("players", "start", "options"))
    if not (isinstance(value["game"], str) and are_texts(value["moves"])
            and (start is None or isinstance(start, str))
            and (not options or isinstance(options, dict))
            and (not players or are_texts(players) and len(players) == 2)):
        raise RecordError(f"line {number} is no game of a tournament")


def are_texts(value: object) -> bool:
    """Is a value of JSON a list of texts?"""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def write_json_line(record: GameRecord, notes: Sequence[Note | None] | None = None,
                    annotator: str | None = None) -> str:
    """One JSON line in the form of the tournament's records; `analysis` holds the notes."""
    start = record.start
    value: dict[str, Any] = {
        "game": start.game.name, "options": start.options, "start": start.text,
        "players": list(record.players), "result": record.result, **record.tags,
        "moves": variation(start.position(), record.moves, canonical)}
    if notes:
        value["annotator"] = annotator
        value["analysis"] = [_plain(position, note)
                             for (position, _), note in zip(record.positions(), notes)]
    return json.dumps(value) + "\n"


def _plain(position: Position, note: Note | None) -> dict[str, Any] | None:
    """A Note as plain data; None stays None."""
    if note is None:
        return None
    found: dict[str, Any] = {"score": note.score} if note.mate is None else {"mate": note.mate}
    if note.mark:
        found.update(mark=note.mark, best=line_text(position, note.best).split())
    return found


def read_moves(text: str, game_name: str) -> list[GameRecord]:
    """[the GameRecord] of a plain list.

    That is `MOVE ...`, `startpos moves MOVE ...` or `[fen] TEXT moves MOVE ...`.
    Move numbers, results, comments from `#` to the end of the line and UCI's word
    `position` are skipped.
    """
    game = registry.get(game_name)
    words = " ".join(line.split("#", 1)[0] for line in text.splitlines()).split()
    start, result = None, None
    if "moves" in words:
        cut = words.index("moves")
        start, words = _position_text(words[:cut]), words[cut + 1:]
    elif words[:1] == ["position"]:
        del words[0]
    reader = MoveReader(Start(game, start), read_any_move)
    for word in words:
        if word in RESULTS:
            result = word
            continue
        for move in moves_of(game, word):
            reader.play(move)
    if not reader.moves:
        raise RecordError("there is no move in it")
    return [reader.record(result=result)]


def _position_text(words: list[str]) -> str | None:
    """The text of the words before `moves`, None for the start of the game."""
    if words[:1] == ["position"]:
        words = words[1:]
    if words in ([], ["startpos"]):
        return None
    return " ".join(words[1:] if words[0] == "fen" else words)


def moves_of(game: Game, word: str) -> list[str]:
    """The moves that a word of a plain list holds, without a move number; there may be none."""
    unnumbered = MOVE_NUMBER.sub("", word, count=1)
    return game.split_moves(unnumbered) if unnumbered.strip(".") else []
