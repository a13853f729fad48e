"""Two ways to show a game in the terminal: line after line, or drawn in place.

Drawn in place, the game is shown with piece symbols and the list of moves.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TextIO

from scripts.terminal import board
from scripts.terminal.board import BOLD, PADDINGS, RESET, Drawing, width
from scripts.terminal.match import Match

# Erases the screen but not the scrollback, which has the output from before the game.
CLEAR = "\x1b[H\x1b[J"
# Columns between the board and the list of moves, and columns that this list needs.
_BETWEEN = 3
_MOVES = 26


def draws_in_place(stream: TextIO) -> bool:
    """Can the terminal move its cursor and show Unicode?  (TERM=dumb means that it can't.)"""
    if not stream.isatty() or os.environ.get("TERM", "dumb") == "dumb" and not _enable_windows():
        return False
    try:
        "♚●┼▸".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _enable_windows() -> bool:
    """Make the Windows console obey escape sequences; return False if it can't.

    https://learn.microsoft.com/windows/console/setconsolemode
    """
    if os.name != "nt" or "TERM" in os.environ:
        return False
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]  # exists on Windows alone
    standard_output = -11
    handle, mode = kernel.GetStdHandle(standard_output), ctypes.c_ulong()
    virtual_terminal_processing = 4
    return bool(
        kernel.GetConsoleMode(handle, ctypes.byref(mode))
        and kernel.SetConsoleMode(handle, mode.value | virtual_terminal_processing)
    )


def _wrapped(text: str, columns: int) -> list[str]:
    """Return lines of at most `columns` characters; break only words longer than a line."""
    columns = max(columns, 1)  # a terminal may be one column wide
    lines: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())] + "  "
        lines += textwrap.wrap(
            line, columns, subsequent_indent=indent[: columns // 2], break_on_hyphens=False
        ) or [""]
    return lines


class LineView:
    """The view for simple terminals and pipes: it prints one line after another.

    flipped: is the board seen from the second player's side?
    """

    def __init__(self) -> None:
        self._fits = sys.stdout.isatty()
        self.flipped = False

    def tell(self, text: str) -> None:
        """Show lines; on a terminal, wrap them at its width."""
        if text:
            columns = shutil.get_terminal_size().columns - 1
            print("\n".join(_wrapped(text, columns)) if self._fits else text, flush=True)

    def write(self, text: str) -> None:
        """Show lines that the module `cmd` writes."""
        self.tell(text.strip())

    def show(self, match: Match) -> None:
        """Show the board at once."""
        lines = Drawing(flipped=self.flipped, marked=match.marked).lines(match.position)
        self.tell("\n".join(["", *lines, *match.position.notes(), ""]))

    def refresh(self, match: Match, question: str = "") -> None:
        """Do nothing, since the lines are printed already.  question: used by Screen alone."""


class Screen(LineView):
    """The view that draws the board in place.

    The moves are beside or above the board; the messages since the last input are below it.
    """

    def __init__(self) -> None:
        super().__init__()
        # No colours if NO_COLOR is set (https://no-color.org), or if TERM is not, as in a Windows
        # console.  Pieces are letters there.
        self._colour = not os.environ.get("NO_COLOR") and "TERM" in os.environ
        self._messages: list[str] = []

    def tell(self, text: str) -> None:
        """Show lines below the board from the next refresh on."""
        self._messages += filter(str.strip, text.split("\n"))

    def show(self, match: Match) -> None:
        """Do nothing, since the board is always shown."""

    def refresh(self, match: Match, question: str = "") -> None:
        """Draw the board and the messages.

        question: the prompt that follows, or "".  Before a prompt, the messages are drawn for the
        last time, without the board if the screen has no room for both.
        """
        size = shutil.get_terminal_size()
        rows = self._layout(match, size)
        room = max(size.lines - len(rows) - 1, 1)
        messages = [line for text in self._messages for line in _wrapped(text, size.columns - 1)]
        if len(messages) > room and width("  ".join(messages)) < size.columns:
            messages = ["  ".join(messages)]  # the messages of two moves must fit below any board
        if len(messages) > room and question:
            rows, room = [], size.lines - 1
        print(CLEAR + "\n".join(rows + messages[-room:]), flush=True)
        if question:
            self._messages = []

    def _layout(self, match: Match, size: os.terminal_size) -> list[str]:
        """Return the lines of the players, the board, its notes and the moves.

        Prefer wide cells.  Put the moves beside the board if they fit; if not, put the last moves
        above it.
        """
        room = size.columns - 1
        for padding in PADDINGS:
            drawing = Drawing(self._colour, self.flipped, match.marked, padding)
            drawn = drawing.lines(match.position)
            wide = max(map(width, drawn), default=0)
            if wide <= room:
                break
        moves = _move_list(match)
        beside = wide + _BETWEEN + _MOVES <= room
        if beside:
            for row, words in enumerate(moves[-len(drawn) :]):
                drawn[row] += " " * (wide + _BETWEEN - width(drawn[row])) + words
        rows = [self._players(match), *drawn]
        rows += [line for note in match.position.notes() for line in _wrapped(note, room)]
        # Leave room for two messages and the question.  Insert the line of moves even before the
        # first move, so that this move doesn't shift the board.
        if not beside and len(rows) + 4 <= size.lines:
            last_moves = "  ".join(" ".join(line.split()) for line in moves[-2:])
            rows.insert(1, last_moves[-room:])
        return rows

    def _players(self, match: Match) -> str:
        """Return a line with the players and their discs; the player to move is marked."""
        texts = []
        for side, name in enumerate(match.start.game.colours):
            turn = not match.over and match.position.side == side
            disc = board.disc(match.start.game, side, self._colour)
            text = f"{'▸' if turn else ' '} {disc}{name}"
            texts.append(f"{BOLD}{text}{RESET}" if turn and self._colour else text)
        return "   ".join(texts)


def _move_list(match: Match) -> list[str]:
    """Return the moves, one line per move number."""
    lines: list[str] = []
    for (number, side), (position, move) in zip(match.turns(), match.positions()):
        words = match.words(move, position)
        if side == 0 or not lines:
            lines.append(f"{number:>3}. " + (f"{'…':<8} {words}" if side else words))
        else:
            lines[-1] = f"{lines[-1]:<13} {words}"
    return lines
