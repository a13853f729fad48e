"""The games of a tournament in the game's usual format, in a file beside the record.

The record is authoritative.  When a tournament is continued, so is the file: it counts as
ours if its first and its last game equal those of the record byte for byte.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO

from games import registry
from games.base import GameError
from protocol.records.formats import SUFFIXES, write_record
from protocol.records.record import Evaluation, Record, Start
from protocol.records.sgf import has_number as has_sgf
from scripts.arena.referee import read_moves
from scripts.arena.terms import Clock, pgn_time_control, scaled
from scripts.command_line import translated
from scripts.jobs.files import FileError, WriteError, check_place, explained, free_name

if TYPE_CHECKING:
    from games.base import Game
    from scripts.arena.terms import Terms
    from scripts.jobs.files import PathLike
    from scripts.jobs.worker import Result

_TERMINATIONS = {
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
    "refusal": "abandoned",
    "resignation": "normal",
}
# The beginning of each game's first line in our files.
_BEGINS = {"pgn": b'[Event "', "ggf": b"(;", "sgf": b"(;"}


class Export:
    """The file beside the record; nothing is written for games without a usual format.

    results: the games of the record so far.
    terms: {player's name: their terms (terms.py)}, for the time controls and clocks.
    force: replace a file that doesn't hold games of this record.

    path: the file's path, None without a format.
    missing: index of the first result that the file lacks.
    Raise FileError if the file exists and isn't ours.
    """

    def __init__(
        self,
        path: PathLike,
        game: Game,
        results: Sequence[Result] = (),
        terms: Mapping[str, Terms] | None = None,
        force: bool = False,
    ) -> None:
        self._kind, self._terms = format_of(game), terms or {}
        self.path, self.missing = export_path(path, game), 0
        self._size: int | None = None  # to which a torn or foreign file is truncated
        if self.path and self.path.exists():
            check_place(self.path)
            with explained("read", self.path):
                self._find_end(pathlib.Path(path), results, force)

    def _find_end(self, record: pathlib.Path, results: Sequence[Result], force: bool) -> None:
        """Find which games the file holds."""
        assert self.path and self._kind
        starts, last, begins = 0, 0, _BEGINS[self._kind]
        with open(self.path, "rb") as file:
            here = 0
            for line in file:
                if line.startswith(begins):
                    starts, last = starts + 1, here
                here += len(line)
            if not here:
                return
            if self._holds(file, starts, last, results):
                return
        if not force:
            name = free_name(record, self.path.suffix)
            raise FileError(
                f"{self.path} exists and holds games that are not in {record}; "
                f"name another record (--record {name}), or replace the games "
                "with --force"
            )
        self.missing, self._size = 0, 0

    def _holds(self, file: BinaryIO, starts: int, last: int, results: Sequence[Result]) -> bool:
        """Does the file begin and end with games of `results`?  The last one may be incomplete."""
        if not 1 <= starts <= len(results):
            return False
        if starts > 1:
            first = self._text(results[0]).encode("utf-8", "replace")
            file.seek(0)
            if file.read(len(first)) != first:
                return False
        text = self._text(results[starts - 1]).encode("utf-8", "replace")
        file.seek(last)
        tail = file.read(len(text) + 1)
        self.missing = starts
        if tail != text:
            self.missing, self._size = starts - 1, last
        return text.startswith(tail)

    def add(self, *results: Result) -> None:
        """Append games; raise WriteError if that fails."""
        if not self.path:
            return
        data = "".join(map(self._text, results)).encode("utf-8", "replace")
        with explained("write", self.path, WriteError), open(self.path, "ab") as file:
            if self._size is not None:
                file.truncate(self._size)
            self._size = file.seek(0, os.SEEK_END)  # until all of it is written
            file.write(data)
        self._size = None
        self.missing += len(results)

    def _text(self, result: Result) -> str:
        """Return the text of a game, which its worker may have supplied already."""
        text = result.get("export") or text_of(
            result, [self._terms.get(name, {}) for name in result["players"]]
        )
        assert text is not None
        return text


def text_of(result: Result, terms: Sequence[Terms]) -> str | None:
    """Return the text of a game in its usual format; None if it has no such format.

    terms: those of the two players, before scaling.  Raise FileError if a move is illegal.
    """
    kind = format_of(registry.get(result["game"]))
    if kind is None:
        return None
    terms = [scaled(each, result.get("scale") or 1.0) for each in terms]
    failed = f"game {result['id']} can't be replayed: "
    with translated(FileError, GameError, KeyError, before=failed):
        record = record_of(result, kind, terms)
    add_said(record, result, terms)
    text = write_record(record, kind)
    return text + "\n" if kind == "pgn" else text


def export_path(record: PathLike, game: Game) -> pathlib.Path | None:
    """Return the path of the file beside a record, None for games without a usual format."""
    kind = format_of(game)
    return pathlib.Path(record).with_suffix(SUFFIXES[kind]) if kind else None


def format_of(game: Game) -> str | None:
    """Return the usual format of a Game: pgn, ggf, sgf, or None."""
    if game.san:
        return "pgn"
    if game.name == "othello":
        return "ggf"
    return "sgf" if has_sgf(game) else None


def record_of(result: Result, kind: str, terms: Sequence[Terms] = ({}, {})) -> Record:
    """Return the Record of a result (job.py), with the tags of the format.

    terms: those of the two players.
    """
    start = Start(result["game"], result["start"], result["options"])
    number, day = result["id"].partition("/")[0], result["date"][:10]
    termination = _TERMINATIONS.get(result["termination"], result["termination"])
    tags = {
        "pgn": {
            "Event": "Plyglot tournament",
            "Date": day.replace("-", "."),
            "Round": f"{number}.{result['id'].rpartition('/')[2]}",
            "Termination": termination,
            "PlyCount": str(len(result["moves"])),
            **_time_controls(terms),
        },
        "ggf": {"PC": "Plyglot", "DT": result["date"]},
        "sgf": {"EV": "Plyglot tournament", "DT": day, "RO": number},
    }[kind]
    record = Record(
        start, read_moves(start, result["moves"]), result["players"], result["result"], tags
    )
    if kind == "pgn" and result["opening"]:
        tags["Opening"] = _opening(record, result["opening"])
        record.tags.update(tags)
    return record


def _opening(record: Record, plies: int) -> str:
    """Return the opening's moves in numbered SAN, in place of its name, which is unknown."""
    from protocol.records.san import line_words

    return " ".join(line_words(record.start.position(), record.moves[:plies]))


def _time_controls(terms: Sequence[Terms]) -> dict[str, str]:
    """Return the time control tags: one if both players had the same, else one for each."""
    first, second = (pgn_time_control(each) for each in terms)
    if first == second:
        return {"TimeControl": first}
    return {"WhiteTimeControl": first, "BlackTimeControl": second}


def add_said(record: Record, result: Result, terms: Sequence[Terms] = ({}, {})) -> None:
    """Add scores, depths and times of the moves after the opening to the steps of a record.

    terms: those of the two players.
    """
    clocks = [Clock(each) for each in terms]
    for ply, (position, _) in enumerate(record.positions()):
        index, step = ply - result["opening"], record.line[ply]
        if index < 0:
            continue
        evaluation = _evaluation(
            result["scores"][index], result["depths"][index], 1 - 2 * position.side
        )
        if evaluation is not None:
            step.evaluation = evaluation
        seconds, clock = result["seconds"][index], clocks[position.side]
        if seconds is not None and clock.left is not None:
            clock.spend(seconds)
            step.set_seconds("clk", clock.left)
        if seconds is not None:
            step.set_seconds("emt", seconds)


def _evaluation(score: int | str | None, depth: int | None, sign: int) -> Evaluation | None:
    if isinstance(score, str):
        return Evaluation(mate=sign * int(score.replace("M", "")), depth=depth)
    return None if score is None else Evaluation(sign * score, depth=depth)
