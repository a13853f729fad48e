"""The games of a tournament in the format of their own field, beside the record.

The record is what counts.  The file is made again from it when a tournament goes on, so that it never lacks a game.
"""
from __future__ import annotations

import os
import pathlib

from games.base import GameError
from scripts.arena.job import read_moves
from scripts.arena.record import RecordError, WriteError
from scripts.arena.start import Start
from scripts.records.formats import SUFFIXES, write_record
from scripts.records.record import GameRecord, Note
from scripts.records.sgf import plays as has_sgf

_TERMINATIONS = {"illegal move": "rules infraction", "crash": "abandoned", "stall": "abandoned", "refusal": "abandoned",
                 "resignation": "normal"}


class Export:
    """The file beside the record at `path`; nothing is written for games without a format of their own."""

    def __init__(self, path, game, results=()):
        self._kind = format_of(game)
        self.path = self._kind and pathlib.Path(path).with_suffix(SUFFIXES[self._kind])
        if self.path and (results or self.path.exists()):
            self._write(results)

    def _write(self, results):
        """Make the file anew."""
        fresh = self.path.with_name(self.path.name + ".new")
        try:
            with open(fresh, "w", encoding="utf-8", errors="replace") as file:
                file.writelines(map(self._text, results))
            os.replace(fresh, self.path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise WriteError(f"can't write {self.path}: {error.strerror}") from None

    def add(self, result):
        """Append a game; WriteError where that can't be done."""
        if not self.path:
            return
        try:
            with open(self.path, "a", encoding="utf-8", errors="replace") as file:
                file.write(self._text(result))
        except OSError as error:
            raise WriteError(f"can't write {self.path}: {error.strerror}") from None

    def _text(self, result):
        try:
            record = record_of(result, self._kind)
        except (GameError, KeyError) as error:
            raise RecordError(f"game {result['id']} can't be replayed: {error}") from None
        text = write_record(record, self._kind, notes_of(result, record))
        return text + "\n" if self._kind == "pgn" else text


def format_of(game):
    """The format of a Game's own field: pgn, ggf, sgf, or None."""
    if game.name == "chess":
        return "pgn"
    if game.name == "othello":
        return "ggf"
    return "sgf" if has_sgf(game) else None


def record_of(result, kind):
    """The GameRecord of a result (job.py), with tags as the format has them."""
    start = Start(result["game"], result["start"], result["options"])
    number, day = result["id"].partition("/")[0], result["date"][:10]
    termination = _TERMINATIONS.get(result["termination"], result["termination"])
    tags = {
        "pgn": {"Event": "Plyglot tournament", "Date": day.replace("-", "."),
                "Round": f"{number}.{result['id'].rpartition('/')[2]}", "Termination": termination,
                "PlyCount": str(len(result["moves"]))},
        "ggf": {"PC": "Plyglot", "DT": result["date"]},
        "sgf": {"EV": "Plyglot tournament", "DT": day, "RO": number}}[kind]
    return GameRecord(start, read_moves(start, result["moves"]), result["players"], result["result"], tags)


def notes_of(result, record):
    """What the engines told of their moves: a Note for each, None where nothing was told."""
    notes = []
    for ply, (position, _) in enumerate(record.positions()):
        index = ply - result["opening"]
        score = result["scores"][index] if index >= 0 else None
        notes.append(None if score is None else _note(score, result["depths"][index], 1 - 2 * position.side))
    return notes


def _note(score, depth, sign):
    if isinstance(score, str):
        return Note(mate=sign * int(score.replace("M", "")), depth=depth)
    return Note(score=sign * score, depth=depth)
