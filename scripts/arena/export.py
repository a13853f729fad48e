"""The games of a tournament in the game's usual format, in a file beside the record.

When a run ends, its new games are added to the file.  The record is authoritative.  It notes the
size and time of the file, so a file that somebody has edited is not overwritten.
"""

from __future__ import annotations

import functools
import itertools
import pathlib
from collections.abc import Iterator, Sequence

from games import registry
from games.base import Game
from protocol.records.formats import usual_format
from protocol.records.json_lines import from_plain
from protocol.records.record import Format, RecordError
from scripts.arena.clock import GameClock, Terms, pgn_time_control
from scripts.arena.record import TournamentRecord
from scripts.command_line import translated
from scripts.jobs.files import FileError, Output, PathLike
from scripts.jobs.worker import ResultData

_TERMINATIONS = {
    "illegal move": "rules infraction",
    "resignation": "normal",
    **dict.fromkeys(("crash", "stall", "refusal"), "abandoned"),
}


class Export:
    """The finished games in the usual format of the game, in a file beside the record.

    Nothing is written if the game has no usual format.

    record: the record (record.py), which notes the file and the number of games in it.  Its terms
    name the game and hold the players' terms (clock.py), from which the games get their time
    controls and clocks.
    force: replace an existing file that the record doesn't name.

    Raise FileError if the file exists and the tournament didn't write it.
    """

    def __init__(self, record: TournamentRecord, force: bool = False) -> None:
        self._record = record
        game = registry.get(record.terms["game"])
        self._terms = {player["name"]: player["terms"] for player in record.terms["players"]}
        self._form = usual_format(game)
        self._texts: dict[str, str] = {}  # id of a new game -> its text
        path = export_path(record.path, game)
        self._file: Output | None = None
        if path is not None:
            self._file = Output(path, force, lambda path: record.games_left(path) is not None)

    def note(self, result: ResultData) -> None:
        """Remember the text of a new game; raise FileError if a move is illegal."""
        if self._form is not None:
            terms = [self._terms.get(name, {}) for name in result["players"]]
            self._texts[result["id"]] = text_of(result, self._form, terms)

    def write(self) -> None:
        """Bring the file up to date; raise FileError if that fails."""
        file, record = self._file, self._record
        if file is None:
            return
        games = (record.games_left(file.path) or 0) if file.path.exists() else 0
        if games != len(record.ids):
            file.write(self._parts(file.path, games), functools.partial(record.leave, file.path))

    def _parts(self, path: pathlib.Path, games: int) -> Iterator[bytes]:
        """Yield the file's content, then the text of each game that isn't in it yet.

        games: number of games in the file.
        """
        if games:
            yield path.read_bytes()
        for result in itertools.islice(self._record.results(), games, None):
            if result["id"] not in self._texts:
                self.note(result)
            yield self._texts.pop(result["id"]).encode("utf-8", "surrogateescape")


def export_path(record: PathLike, game: Game) -> pathlib.Path | None:
    """Return the path of a record's exported games, None if the game has no usual format."""
    form = usual_format(game)
    return pathlib.Path(record).with_suffix(form.suffixes[0]) if form else None


def text_of(result: ResultData, form: Format, terms: Sequence[Terms]) -> str:
    """Return the text of a game in its usual format, with scores, depths, times and clocks.

    terms: the two players' terms (clock.py).  Raise FileError if a move is illegal.
    """
    names = ("game", "options", "start", "players", "result", "moves", "opening")
    game = {name: result[name] for name in (*names, "scores", "depths", "seconds")}
    with translated(FileError, RecordError, before=f"game {result['id']} can't be replayed: "):
        record = from_plain({**game, "tags": _tags(result, form.date, terms)}).complete()
    clocks = [GameClock(each) for each in terms]
    for step, (position, _) in zip(record.line, record.positions()):
        seconds, clock = step.seconds("emt"), clocks[position.side]
        if seconds is not None and clock.seconds is not None:
            clock.charge(seconds)
            step.set_seconds("clk", clock.seconds)
    return form.write(record) + form.separator


def _tags(result: ResultData, sign: str, terms: Sequence[Terms]) -> dict[str, str]:
    """Return the tags for a game of the tournament.  sign: the separator in dates."""
    number, day = result["id"].partition("/")[0], result["date"][:10]
    white, black = map(pgn_time_control, terms)
    controls = {"TimeControl": white}
    if white != black:
        controls = {"WhiteTimeControl": white, "BlackTimeControl": black}
    return {
        "Event": "Plyglot tournament",
        "Date": day.replace("-", sign),
        "Round": f"{number}.{result['id'].rpartition('/')[2]}",
        "Termination": _TERMINATIONS.get(result["termination"], result["termination"]),
        "PlyCount": str(len(result["moves"])),
        **controls,
    }
