"""A tournament's record, followed as it grows: its standings and games."""

from __future__ import annotations

import collections
import functools
import json
import pathlib
from typing import Any

from games.base import GameError
from protocol.records.json_lines import from_plain
from protocol.records.record import RecordError as GameRecordError
from scripts.arena.live import read_running
from scripts.arena.record import Reading
from scripts.arena.standings import last_lines, rows
from scripts.command_line import clean
from scripts.jobs.files import FileError, stamp_of
from scripts.jobs.worker import ResultData
from scripts.pages.fields import Wrong
from scripts.pages.records import plain_game

MAX_GAMES = 1_000  # maximum number of games that a page lists; the newest are kept


class Follower:
    """A reader of a tournament's running games and of its record, which may not exist yet."""

    def __init__(self, path: str | pathlib.Path) -> None:
        self._path = pathlib.Path(path)
        self._seen: object = "nothing"

    def look(self) -> dict[str, Any] | None:
        """Return an event with the current state, or None if nothing is new."""
        running = read_running(self._path)
        recorded = stamp_of(self._path) if self._path.exists() else None
        stamp = recorded, [(game["id"], len(game["moves"])) for game in running]
        if stamp == self._seen:
            return None
        self._seen = stamp
        news = {"type": "standings", "file": self._path.name}
        try:
            record = Reading(self._path)
            finished = standings(record)
        except FileError as error:
            return {**news, "error": str(error)}
        going_on = [listed(game) for game in running if game["id"] not in record.ids]
        return {**news, "running": going_on, **finished}


def standings(record: Reading) -> dict[str, Any]:
    """Return {rows: the table's rows, lines: text below the table, games: the newest first}."""
    newest = collections.deque(record, MAX_GAMES)
    if not newest:
        return {"rows": [], "lines": [], "games": []}
    return {
        "rows": [[clean(text) for text in row] for row in rows(record.standings)],
        "lines": [clean(line) for line in last_lines(record.standings)],
        "games": [listed(result) for result in reversed(newest)],
    }


def listed(game: ResultData) -> dict[str, Any]:
    """Return the entry of a finished or running game in the list of games."""
    return {
        "id": game["id"],
        "game": game["game"],
        "players": game["players"],
        "result": game.get("result", "*"),
        "reason": game.get("reason", ""),
        "moves": len(game["moves"]),
        "number": last_number(game),
    }


def last_number(game: ResultData) -> int:
    """Return the number of a game's last move, as the list of moves shows it."""
    setup = {name: game.get(name) for name in ("game", "options", "start")}
    try:
        return _last_number(json.dumps(setup), tuple(game["moves"]))
    except (GameError, GameRecordError):  # a game of a plug-in that is not loaded
        return (len(game["moves"]) + 1) // 2


@functools.lru_cache(maxsize=2 * MAX_GAMES)
def _last_number(setup: str, moves: tuple[str, ...]) -> int:
    start = from_plain(json.loads(setup)).start
    if start.game.alternates:  # players take turns, so it is enough to count moves
        position = start.position()
        turns_before = (len(moves) - 1 + position.side) // 2
        return (position.move_number() or 1) + turns_before if moves else 0
    turns = from_plain({**json.loads(setup), "moves": list(moves)}).turns()
    return turns[-1][0] if turns else 0


def replayed(path: str | pathlib.Path, name: str) -> dict[str, Any]:
    """Return the game whose id is `name`, with the engines' scores, as the page holds it.

    Raise Wrong if the record has no such game.
    """
    for result in (*Reading(path), *read_running(path)):
        if result["id"] == name:
            return plain_game(from_plain(result))
    raise Wrong(f'the record has no game "{name}"')
