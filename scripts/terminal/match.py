"""The game in progress: its moves, result, take-backs and files.

The game is saved after each move, so that closing the terminal doesn't lose it.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import time
from collections.abc import Iterable, Sequence

from games.base import GameError, Position
from games.registry import UnknownGame
from games.types import Cell
from protocol.records.formats import (
    SUFFIXES,
    WRITTEN,
    holds,
    named_format,
    open_file,
    usual_format,
    write_record,
)
from protocol.records.record import RESULTS, Record, RecordError, Start, Step
from protocol.scores import result_of
from scripts.command_line import translated
from scripts.jobs.files import FileError, explained, replace, state_folder

PERSON = "Player"  # a person's name in a saved game


class MatchError(Exception):
    """Raised if a request can't be carried out; the message says why."""


class Match(Record):
    """The record of a game in progress.

    position: the current position.  marked: the cells of the last move.
    resigned: the player who resigned, or None.
    style: the name of the notation in which moves are shown; "" for the usual one.
    problem: why the file of the game could not be read to the end, or "".
    """

    def __init__(self, start: Start) -> None:
        super().__init__(start, tags={"Event": "Plyglot game", "Date": time.strftime("%Y.%m.%d")})
        self.problem = self.style = ""
        self.rewind([])

    def rewind(self, line: Iterable[Step]) -> None:
        """Go back to the start and play these steps; cancel a resignation."""
        self.line = []
        self.position = self.start.position()
        self.marked: list[Cell] = []
        self.resigned: int | None = None
        for step in line:
            self.add(step)

    def add(self, step: Step) -> None:
        """Play the move of a step."""
        self.marked = self.position.touched(step.move)
        self.position.make(step.move)
        self.line.append(step)

    def words(self, move: int, position: Position | None = None) -> str:
        """Return a move as players write it in the chosen notation.

        position: the position before the move, by default the current one.
        """
        position = position or self.position
        return position.notations().get(self.style, position.notation)(move)

    def undo(self) -> None:
        """Take back a resignation, else the last move; raise MatchError if there is neither."""
        resigned = self.resigned is not None
        if not (resigned or self.line):
            raise MatchError("there is no move to take back")
        self.rewind(self.line if resigned else self.line[:-1])

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.resigned is not None or self.position.outcome() is not None

    def ending(self) -> tuple[str, str]:
        """Return (result, reason); the result is `1-0`, `0-1`, `1/2-1/2` or `*`."""
        colours = self.start.game.colours
        if self.resigned is not None:
            return RESULTS[1 - self.resigned], f"{colours[self.resigned]} resigned"
        outcome = self.position.outcome()
        if outcome is None:
            return "*", "the game goes on"
        return result_of(outcome.winner), outcome.words(colours)

    def path(self, path: str) -> str:
        """Return the path under which the game is saved; raise MatchError if it can't be saved.

        The suffix of `path` decides the format (.jsonl suits any game).  If `path` has no suffix,
        add the suffix of the game's usual format.
        """
        usual = usual_format(self.start.game)
        if not os.path.basename(path).strip("."):
            raise MatchError(f"{path} names a folder: add the name of the file")
        if not pathlib.Path(path).suffix:
            path += SUFFIXES[usual.name if usual else "json"]
        kinds = [each for each in WRITTEN if holds(each, self.start)]
        if named_format(path) not in kinds:
            good = " or ".join(sorted(SUFFIXES[each] for each in kinds))
            raise MatchError(f"a game of {self.start.game.name} is saved as {good}, not as {path}")
        return path

    def text(self, kind: str | None, names: Sequence[str]) -> str:
        """Return the game as a record in a format of SUFFIXES.  names: the two players."""
        self.players, self.result = tuple(names), self.ending()[0]
        return write_record(self, kind or "json")


def load(path: str, game_name: str | None = None) -> Match:
    """Return the Match of a file's first game; raise MatchError if it can't be read."""
    with translated(MatchError, RecordError, GameError, UnknownGame, path=path):
        games = open_file(path, game_name)
        record = games.first()
    match = Match(record.start)
    match.players, match.tags = record.players, record.tags
    match.comment, match.said = record.comment, record.said
    match.problem = "\n".join(f"{path}: {problem}" for problem in games.problems)
    match.rewind(record.line)
    if not match.over and record.result in RESULTS[:2]:
        match.resigned = 0 if record.result == "0-1" else 1
    return match


def saved_path() -> pathlib.Path:
    """Return the path of the game that --resume continues."""
    return state_folder() / "game.jsonl"


def keep(match: Match, names: Sequence[str]) -> bool:
    """Save a game for --resume, or delete the saved game if nothing is left to resume.

    Return whether the game was saved; raise MatchError if that fails.
    """
    target = saved_path()
    if match.over or not match.line:
        with contextlib.suppress(OSError):  # there is no such file, or it can't be deleted
            target.unlink()
        return False
    with translated(MatchError, FileError), explained("save the game in", target):
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, [match.text("json", names)])
    return True
