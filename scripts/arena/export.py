"""The games of a tournament in the game's usual format, in a file beside the record.

The file is written when a run ends: the games that it had, then the new ones.  The record is
authoritative and names the file's size and time, so an edited one is not overwritten.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from games import registry
from games.base import GameError
from protocol.records.formats import SUFFIXES, write_record
from protocol.records.record import Evaluation, Record, Start
from protocol.records.sgf import has_number as has_sgf
from scripts.arena.referee import read_moves
from scripts.arena.terms import GameClock, pgn_time_control
from scripts.command_line import translated
from scripts.jobs.files import FileError, Output

if TYPE_CHECKING:
    from games.base import Game
    from scripts.arena.record import TournamentRecord
    from scripts.arena.terms import Terms
    from scripts.jobs.files import PathLike
    from scripts.jobs.worker import ResultData

_TERMINATIONS = {
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
    "refusal": "abandoned",
    "resignation": "normal",
}


class Export:
    """The file beside the record; nothing is written for games without a usual format.

    record: the record (record.py), which names the file and the number of its games.
    terms: {player's name: their terms (terms.py)}, for the time controls and clocks.
    force: replace an existing file that the record doesn't name.

    Raise FileError if the file exists and isn't ours.
    """

    def __init__(
        self, record: TournamentRecord, game: Game, terms: Mapping[str, Terms], force: bool = False
    ) -> None:
        path = export_path(record.path, game)
        self._record, self._terms = record, terms
        self._texts: dict[str, str] = {}  # id of a game -> its text, made by its worker
        self._file = None
        if path is not None:
            self._file = Output(path, force, record.has_left)
            self._games = record.games_left(path) if path.exists() else 0

    def note(self, result: ResultData) -> None:
        """Remember the text of a new game, which its worker made."""
        if self._file and result.get("export"):
            self._texts[result["id"]] = result["export"]

    def write(self) -> None:
        """Bring the file up to date; raise FileError if that fails."""
        results, file = self._record.results, self._file
        if file is None:
            return
        if not file.path.exists():
            self._games = 0
        if self._games == len(results):
            return
        file.write(self._parts(), self._record.leaving(file.path, len(results)))
        self._games = len(results)

    def _parts(self) -> Iterator[bytes]:
        """Yield the content of the file as it is, then the games that it lacks."""
        if self._games:
            assert self._file
            yield self._file.path.read_bytes()
        for index in range(self._games, len(self._record.results)):
            result = self._record.results[index]
            text = self._texts.pop(result["id"], None) or text_of(
                result, [self._terms.get(name, {}) for name in result["players"]]
            )
            assert text is not None
            yield text.encode("utf-8", "surrogateescape")


def text_of(result: ResultData, terms: Sequence[Terms]) -> str | None:
    """Return the text of a game in its usual format; None if it has no such format.

    terms: those of the two players.  Raise FileError if a move is illegal.
    """
    kind = format_of(registry.get(result["game"]))
    if kind is None:
        return None
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


def record_of(result: ResultData, kind: str, terms: Sequence[Terms] = ({}, {})) -> Record:
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
    moves = read_moves(start, result["moves"])
    return Record(start, moves, result["players"], result["result"], tags)


def _time_controls(terms: Sequence[Terms]) -> dict[str, str]:
    """Return the time control tags: one if both players had the same, else one for each."""
    first, second = (pgn_time_control(each) for each in terms)
    if first == second:
        return {"TimeControl": first}
    return {"WhiteTimeControl": first, "BlackTimeControl": second}


def add_said(record: Record, result: ResultData, terms: Sequence[Terms] = ({}, {})) -> None:
    """Add scores, depths and times of the moves after the opening to the steps of a record.

    terms: those of the two players.
    """
    clocks = [GameClock(each) for each in terms]
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
