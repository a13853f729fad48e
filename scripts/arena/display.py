"""The output of a tournament: a line per game, or one line that is overwritten in a terminal."""

from __future__ import annotations

import datetime
import shutil
import sys
import time
from collections.abc import Callable

from scripts.arena.standings import Standings, points
from scripts.command_line import clean, tell
from scripts.jobs.worker import ResultData

_BETWEEN = "  |  "  # the game, the score and the time left
_MIN_COLUMNS = 8  # columns for the game: `12/5000 `
_CLEAR = "\r\x1b[K"


class Display:
    """The lines that a tournament shows.

    changes: whether each progress line overwrites the last one; by default in a terminal.
    """

    def __init__(self, write: Callable[[str], None] = tell, changes: bool | None = None) -> None:
        self._write = write
        self._changes = sys.stdout.isatty() if changes is None else changes
        self._open = False
        self.begin(0)

    def begin(self, done: int) -> None:
        """Note that games are played from now on, after this number of finished ones."""
        self._begun, self._before = time.monotonic(), done

    def tell(self, text: str) -> None:
        """Show lines that stay."""
        self.finish()
        self._write(text)

    def progress(self, game: ResultData, standings: Standings, done: int, total: int) -> None:
        """Show the line of a finished game; done, total: number of games."""
        how = game["reason"]
        if game["termination"] != "normal":
            how = f"{game['termination']}: {how}"
        finished = f"{done}/{total}  {' - '.join(game['players'])}  {game['result']}  {how}"
        pace = (time.monotonic() - self._begun) / max(done - self._before, 1)
        left = datetime.timedelta(seconds=round(pace * max(total - done, 0)))
        rest = f"{_BETWEEN}{score(standings)}{_BETWEEN}{left} left"
        if self._changes:
            width = shutil.get_terminal_size().columns - 1
            line = clean(finished)[: max(width - len(rest), _MIN_COLUMNS)] + clean(rest)
            print(_CLEAR + line[:width], end="", flush=True)
            self._open = True
        else:
            self._write(finished + rest)

    def finish(self) -> None:
        """End the progress line, so that it stays on the screen."""
        if self._open:
            self._open = False
            print(flush=True)


def score(standings: Standings) -> str:
    """Return the state of a tournament as a short text."""
    names, test = standings.names, standings.test
    if len(names) > 2:
        return " ".join(f"{name} {points(standings.tally(name)):g}" for name in names)
    wins, draws, losses = standings.tally(names[0])
    text = f"{names[0]} +{wins} ={draws} -{losses}"
    if test:
        text += f", LLR {standings.ratio():.2f} ({test.low:.2f}..{test.high:.2f})"
    return text
