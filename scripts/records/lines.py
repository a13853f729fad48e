"""The JSON lines of scripts/tournament, and plain lists of moves."""
from __future__ import annotations

import json
import re

from games import registry
from games.base import GameError
from protocol.moves import read as read_move
from scripts.arena.start import Start, read_options
from scripts.records.record import RESULTS, MoveReader, RecordError
from scripts.records.san import read_san
from scripts.records.words import line_text

_NUMBER = re.compile(r"\d+\.+")


def read_json_lines(text):
    """The GameRecords of a tournament's record (its first line, the terms of the tournament, is skipped)."""
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            value = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):        # the latter where it is nested too deep
            raise RecordError(f"line {number} is no JSON") from None
        if isinstance(value, dict) and "moves" in value and "game" in value:
            records.append(_from_result(value, number))
    if not records:
        raise RecordError("there is no game in these JSON lines")
    return records


def _from_result(value, number):
    players, start, options = (value.get(name) for name in ("players", "start", "options"))
    players, options = players or ["", ""], options or {}
    if not (isinstance(value["game"], str) and isinstance(options, dict) and (start is None or isinstance(start, str))
            and _are_texts(value["moves"]) and _are_texts(players) and len(players) == 2):
        raise RecordError(f"line {number} is no game of a tournament")
    try:
        game = registry.get(value["game"])
        options = read_options(game, [f"{name}={option}" for name, option in options.items()])
        reader = MoveReader(Start(game, start, options), lambda position, text: position.parse_move(text))
        for text in value["moves"]:
            reader.play(text)
    except KeyError:
        raise RecordError(f"line {number}: no such game: {value['game']}") from None
    except (RecordError, ValueError) as error:
        raise RecordError(f"line {number}: {error}") from None
    tags = {name: str(value[name]) for name in ("date", "termination", "reason") if value.get(name)}
    return reader.record(tuple(players), value.get("result"), tags)


def _are_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def write_json_line(record, notes=None, annotator=None):
    """One JSON line in the form of the tournament's records; `analysis` holds what the notes say."""
    texts = []
    for position, move in record.positions():
        texts.append(position.move_text(move))
    value = {"game": record.start.game.name, "options": record.start.options, "start": record.start.text,
             "players": list(record.players), "result": record.result, **record.tags, "moves": texts}
    if notes:
        value["annotator"] = annotator
        value["analysis"] = [_plain(position, note) for (position, _), note in zip(record.positions(), notes)]
    return json.dumps(value) + "\n"


def _plain(position, note):
    """A Note as plain data; None stays None."""
    if note is None:
        return None
    found = {"score": note.score} if note.mate is None else {"mate": note.mate}
    if note.mark:
        found.update(mark=note.mark, best=line_text(position, note.best).split())
    return found


def read_moves(text, game_name):
    """[the GameRecord] of a plain list: `MOVE ...`, `startpos moves MOVE ...` or `[fen] TEXT moves MOVE ...`.

    Numbers of moves, results, comments from `#` to the end of the line and UCI's word `position` are skipped.
    """
    game = registry.get(game_name)
    words = " ".join(line.split("#", 1)[0] for line in text.splitlines()).split()
    if words[:1] == ["position"]:
        del words[0]
    start, result = None, None
    if "moves" in words:
        cut = words.index("moves")
        head, words = words[:cut], words[cut + 1:]
        start = None if head in ([], ["startpos"]) else " ".join(head[1:] if head[0] == "fen" else head)
    reader = MoveReader(Start(game, start), _read_any)
    for word in words:
        if word in RESULTS:
            result = word
        elif _NUMBER.sub("", word, count=1).strip("."):
            for move in game.split_moves(_NUMBER.sub("", word, count=1)):
                reader.play(move)
    if not reader.moves:
        raise RecordError("there is no move in it")
    return [reader.record(result=result)]


def _read_any(position, text):
    """A move in any protocol's dress, in chess in SAN too."""
    if position.game.name != "chess":
        return read_move(position, text)
    try:
        return read_san(position, text)
    except GameError:
        return read_move(position, text)
