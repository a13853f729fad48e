"""The games of a tournament in the format of their own field, beside the record.

The record is what counts.  The file is made again from it when a tournament goes on,
so that it never lacks a game.
"""
from __future__ import annotations

import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from games.base import GameError
from protocol.records.formats import SUFFIXES, write_record
from protocol.records.record import GameRecord, Note, Start
from protocol.records.sgf import has_number as has_sgf
from scripts.arena.job import read_moves
from scripts.arena.terms import Clock, pgn_time_control
from scripts.jobs.files import FileError, WriteError, write_whole

if TYPE_CHECKING:
    from games.base import Game
    from scripts.arena.terms import Terms
    from scripts.jobs.files import PathLike
    from scripts.jobs.run import Result

_TERMINATIONS = {"illegal move": "rules infraction", "crash": "abandoned", "stall": "abandoned",
                 "refusal": "abandoned",
                 "resignation": "normal"}


class Export:
    """The file beside the record at `path`; nothing is written for games without a format of
    their own.

    terms: {name of a player: his terms (terms.py)}, for the time controls and clocks.
    """

    def __init__(self, path: PathLike, game: Game, results: Iterable[Result] = (),
                 terms: Mapping[str, Terms] | None = None) -> None:
        self._kind, self._terms = format_of(game), terms or {}
        self.path = None
        if self._kind:
            self.path = pathlib.Path(path).with_suffix(SUFFIXES[self._kind])
        if self.path and (results or self.path.exists()):
            self._write(results)

    def _write(self, results: Iterable[Result]) -> None:
        """Make the file anew."""
        if self.path:
            write_whole(self.path, map(self._text, results))

    def add(self, result: Result) -> None:
        """Append a game; WriteError where that can't be done."""
        if not self.path:
            return
        try:
            with open(self.path, "a", encoding="utf-8", errors="replace") as file:
                file.write(self._text(result))
        except OSError as error:
            raise WriteError(f"can't write {self.path}: {error.strerror}") from None

    def _text(self, result: Result) -> str:
        assert self._kind
        try:
            terms = [self._terms.get(name, {}) for name in result["players"]]
            record = record_of(result, self._kind, terms)
        except (GameError, KeyError) as error:
            raise FileError(f"game {result['id']} can't be replayed: {error}") from None
        text = write_record(record, self._kind, notes_of(result, record, terms))
        return text + "\n" if self._kind == "pgn" else text


def format_of(game: Game) -> str | None:
    """The format of a Game's own field: pgn, ggf, sgf, or None."""
    if game.san:
        return "pgn"
    if game.name == "othello":
        return "ggf"
    return "sgf" if has_sgf(game) else None


def record_of(result: Result, kind: str, terms: Sequence[Terms] = ({}, {})) -> GameRecord:
    """The GameRecord of a result (job.py), with the tags of the format.

    terms: of the two players.
    """
    start = Start(result["game"], result["start"], result["options"])
    number, day = result["id"].partition("/")[0], result["date"][:10]
    termination = _TERMINATIONS.get(result["termination"], result["termination"])
    tags = {
        "pgn": {"Event": "Plyglot tournament", "Date": day.replace("-", "."),
                "Round": f"{number}.{result['id'].rpartition('/')[2]}", "Termination": termination,
                "PlyCount": str(len(result["moves"])), **_time_controls(terms)},
        "ggf": {"PC": "Plyglot", "DT": result["date"]},
        "sgf": {"EV": "Plyglot tournament", "DT": day, "RO": number}}[kind]
    record = GameRecord(start, read_moves(start, result["moves"]), result["players"],
                        result["result"], tags)
    if kind == "pgn" and result["opening"]:
        tags["Opening"] = _opening(record, result["opening"])
        record.tags.update(tags)
    return record


def _opening(record: GameRecord, plies: int) -> str:
    """The moves that were given, in SAN with their numbers: their name is not known here."""
    from protocol.records.san import line_words

    return " ".join(line_words(record.start.position(), record.moves[:plies]))


def _time_controls(terms: Sequence[Terms]) -> dict[str, str]:
    """The tags that tell how long the players had: one for both where they had the same."""
    first, second = (pgn_time_control(each) for each in terms)
    if first == second:
        return {"TimeControl": first}
    return {"WhiteTimeControl": first, "BlackTimeControl": second}


def notes_of(result: Result, record: GameRecord,
             terms: Sequence[Terms] = ({}, {})) -> list[Note | None]:
    """What is known of each move: a Note, None for the moves of the opening.

    terms: of the two players.
    """
    notes: list[Note | None] = [None] * result["opening"]
    clocks = [Clock(each) for each in terms]
    for ply, (position, _) in enumerate(record.positions()):
        index = ply - result["opening"]
        if index < 0:
            continue
        note = _note(result["scores"][index], result["depths"][index], 1 - 2 * position.side)
        note.seconds = result["seconds"][index]
        clock = clocks[position.side]
        if note.seconds is not None and clock.left is not None:
            clock.spend(note.seconds)
            note.clock = clock.left
        notes.append(note)
    return notes


def _note(score: int | str | None, depth: int | None, sign: int) -> Note:
    if isinstance(score, str):
        return Note(mate=sign * int(score.replace("M", "")), depth=depth)
    return Note(score=None if score is None else sign * score, depth=depth)
