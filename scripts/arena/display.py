"""The output of a tournament: a line per game, or one line that is overwritten in a terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from scripts.command_line import clean, tell

BETWEEN = "  |  "  # the game, the score and the time left
LEAST = 8  # columns for the game: `12/5000 `
_CLEAR = "\r\x1b[K"


class Display:
    """The lines that a tournament shows.

    changes: whether each progress line overwrites the last one; by default in a terminal.
    """

    def __init__(self, write: Callable[[str], None] = tell, changes: bool | None = None) -> None:
        self._write = write
        self._changes = sys.stdout.isatty() if changes is None else changes
        self._open = False

    def tell(self, text: str) -> None:
        """Show lines that stay."""
        self.finish()
        self._write(text)

    def progress(self, text: str, passing: bool = False) -> None:
        """Show a progress line; passing: only if it can be overwritten."""
        if self._changes:
            width = shutil.get_terminal_size().columns - 1
            print(_CLEAR + _fitted(clean(text), width), end="", flush=True)
            self._open = True
        elif not passing:
            self._write(text)

    def finish(self) -> None:
        """End the progress line, so that it stays on the screen."""
        if self._open:
            self._open = False
            print(flush=True)


def _fitted(text: str, width: int) -> str:
    """Fit a progress line into `width` columns; the part about the game is cut first."""
    game, *rest = text.split(BETWEEN)
    tail = "".join(BETWEEN + part for part in rest)
    return (game[: max(width - len(tail), LEAST)] + tail)[:width]
