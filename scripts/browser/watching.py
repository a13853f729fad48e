"""A tournament's record, followed as it grows: its table, its games, any one of them to replay."""
from __future__ import annotations

import json
import pathlib
import re
import time

from protocol.records.lines import read_json_lines
from protocol.records.record import Note
from protocol.records.record import RecordError as GameRecordError
from scripts.arena.record import read_results
from scripts.arena.standings import Standings, last_lines, rows
from scripts.browser.branches import plain_note
from scripts.browser.fields import Wrong
from scripts.jobs.files import FileError

PACE = 0.5              # seconds between two looks at the file
MOST_GAMES = 1_000      # the newest ones, that a page is offered
_MATE = re.compile(r"(-?)M(\d+)")


class Follower:
    """Looks at the record at `path`, which may not be there yet."""

    def __init__(self, path):
        self._path, self._seen, self._looked = pathlib.Path(path), "nothing", 0.0

    def look(self):
        """The event that tells what there is now; None where nothing is new, or it was looked at just now."""
        now = time.monotonic()
        if now - self._looked < PACE:
            return None
        self._looked = now
        try:
            status = self._path.stat()
            stamp = status.st_mtime_ns, status.st_size
        except OSError:
            stamp = None
        if stamp == self._seen:
            return None
        self._seen = stamp
        try:
            return {"type": "standings", "file": self._path.name, **standings(read_results(self._path))}
        except FileError as error:
            return {"type": "standings", "file": self._path.name, "error": str(error)}


def standings(results):
    """Results (scripts/arena/job.py) as a table of texts, what follows it, and the games, newest first."""
    found = Standings(list(dict.fromkeys(name for result in results for name in result["players"])))
    for result in results:
        found.add(result)
    kept = ("id", "game", "players", "result", "reason")
    games = [{**{name: result[name] for name in kept}, "moves": len(result["moves"])}
             for result in reversed(results[-MOST_GAMES:])]
    if not results:
        return {"rows": [], "lines": [], "games": []}
    return {"rows": rows(found), "lines": last_lines(found), "games": games}


def replayed(path, name):
    """The game of this id as the page holds games, with what the engines said of their moves."""
    try:
        result = next((each for each in read_results(path) if each["id"] == name), None)
        if result is None:
            raise Wrong("there is no such game in the record")
        record = read_json_lines(json.dumps(result))[0]
    except (FileError, GameRecordError) as error:
        raise Wrong(str(error)) from None
    line = []
    for ply, (position, move) in enumerate(record.positions()):
        step = {"move": position.move_text(move)}
        score = result["scores"][ply - result["opening"]] if ply >= result["opening"] else None
        if score is not None:
            step["note"] = plain_note(_note(score, 1 if position.side == 0 else -1), record.start.game)
        line.append(step)
    start = record.start
    return {"game": start.game.name, "options": start.options, "start": start.text, "line": line,
            "players": list(record.players), "result": record.result,
            "tags": {"reason": result["reason"], "termination": result["termination"]}}


def _note(score, sign):
    """What an engine said of its move: hundredths for itself, or M and its moves to a win."""
    if isinstance(score, str):
        minus, number = _MATE.fullmatch(score).groups()
        return Note(mate=sign * int(number) * (-1 if minus else 1))
    return Note(score=sign * score)
