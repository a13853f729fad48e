"""Two ways to show a game in the terminal: line after line, or drawn in place.

The latter has pieces, move list and clock.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from protocol.records.san import move_words
from scripts.terminal import board
from scripts.terminal.board import BOLD, PADDINGS, RESET, Drawing, width

if TYPE_CHECKING:
    from scripts.terminal.conversation import Conversation
    from scripts.terminal.match import Match

# Erases the screen alone: what was printed before the game stays in the scrollback.
CLEAR = "\x1b[H\x1b[J"
_BETWEEN = 3  # columns between the board and the text beside it
_BESIDE = 16  # columns that players and clocks need there
_MOVES = 26  # columns that the move list needs there
_MOST_WAITING = 200  # messages kept until the next question


def draws_in_place(stream: TextIO) -> bool:
    """Can the terminal move its cursor and show Unicode?  (TERM=dumb says no.)"""
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

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]  # Windows alone
    handle, mode = kernel.GetStdHandle(-11), ctypes.c_ulong()  # the standard output
    virtual_terminal_processing = 4
    return bool(
        kernel.GetConsoleMode(handle, ctypes.byref(mode))
        and kernel.SetConsoleMode(handle, mode.value | virtual_terminal_processing)
    )


def _size() -> os.terminal_size:
    return shutil.get_terminal_size()


def _wrapped(text: str, columns: int) -> list[str]:
    """Return lines of at most `columns`; only words longer than a line are broken."""
    lines: list[str] = []
    for line in text.split("\n"):
        if width(line) <= columns:
            lines.append(line)
        else:
            indent = line[: len(line) - len(line.lstrip())] + "  "
            lines += textwrap.wrap(
                line, columns, subsequent_indent=indent[: columns // 2], break_on_hyphens=False
            )
    return lines


class Lines:
    """The view for simple terminals and pipes: it prints one line after another.

    tell(text): shows lines at once.
    """

    in_place = False

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self._print, self._colour = tell, colour
        self._fits = sys.stdout.isatty()

    def tell(self, text: str) -> None:
        """Show lines, wrapped at the width of the terminal, if there is one."""
        self._print("\n".join(_wrapped(text, _size().columns - 1)) if self._fits else text)

    def show(self, conversation: Conversation) -> None:
        """Show the board at once."""
        match = conversation.match
        drawing = Drawing(self._colour, marked=match.marked)
        if self._fits:
            drawing.fit(match.position, _size().columns - 1)
        lines = drawing.lines(match.position, board.by_columns(match.start.position()))
        self.tell("\n".join(["", *lines, *match.position.notes(), ""]))

    def asked(self) -> None:
        """Take note that the person has answered."""

    def ticking(self, conversation: Conversation) -> contextlib.AbstractContextManager[None]:
        """Return a context for a player's thinking time; this view shows no clock."""
        return contextlib.nullcontext()

    def refresh(self, conversation: Conversation, asks: bool = False) -> bool:
        """Return whether there is more to read before the question: never in this view."""
        return False

    def resized(self, conversation: Conversation) -> contextlib.AbstractContextManager[None]:
        """Return a context for the game; printed lines don't follow the terminal's size."""
        return contextlib.nullcontext()


class Screen:
    """The view that draws the board in place.

    Moves and clocks are beside or above it, the messages since the last input below it.
    """

    in_place = True

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self._print, self._colour = tell, colour
        self._messages: list[str] = []
        self._clocks: list[tuple[int, int]] = []  # (line, column) of each player's line, from 1
        self._drawing = threading.RLock()
        self._busy = False  # drawing
        self._resized = False  # the terminal's size has changed meanwhile

    def tell(self, text: str) -> None:
        """Show lines below the board from the next refresh on."""
        self._messages += str(text).split("\n")
        del self._messages[:-_MOST_WAITING]

    def show(self, conversation: Conversation) -> None:
        """Do nothing: the board is always shown."""

    def asked(self) -> None:
        """Forget the messages: the person has read them."""
        self._messages = []

    def refresh(self, conversation: Conversation, asks: bool = False) -> bool:
        """Draw everything; return whether there is more to read before the question.

        asks: a question follows, so all messages must be seen.  If they don't fit below the
        board, they take its place, a page at a time.
        """
        with self._drawing:
            self._busy = True
            more = self._draw(conversation, asks)
            while self._resized:
                self._resized = False
                more = self._draw(conversation, asks)
            self._busy = False
            return more

    def _draw(self, conversation: Conversation, asks: bool) -> bool:
        size = _size()
        rows = self._layout(conversation, size)
        room = max(size.lines - len(rows) - 1, 1)
        messages = [
            line
            for text in self._messages
            if text.strip()
            for line in _wrapped(text, size.columns - 1)
        ]
        if len(messages) > room and width("  ".join(messages)) < size.columns:
            messages = ["  ".join(messages)]  # both moves below the largest board
        if not asks or len(messages) <= room:
            self._print(CLEAR + "\n".join(rows + messages[-room:]))
            return False
        page = max(size.lines - 2, 1)
        self._messages, self._clocks = messages[page:], []
        self._print(CLEAR + "\n".join(messages[:page]))
        return True

    def _layout(self, conversation: Conversation, size: os.terminal_size) -> list[str]:
        """Return the lines of the board with players and moves beside it, or above it.

        Prefer wide cells, then text beside the board, as long as there is room below for some
        messages and the question.
        """
        room = size.columns - 1
        for padding, below in zip(PADDINGS, (5, 3, 2)):
            drawn = self._board(conversation, padding)
            wide = max(map(width, drawn), default=0)
            if wide + _BETWEEN + _BESIDE <= room:
                return self._side_by_side(conversation, drawn, wide + _BETWEEN, room)
            if wide <= room and len(drawn) + 1 + below <= size.lines:
                break
        return self._stacked(conversation, drawn, size)

    def _side_by_side(
        self, conversation: Conversation, drawn: list[str], wide: int, room: int
    ) -> list[str]:
        """Return lines of two parts; wide: first column of the right one, room: all columns."""
        self._clocks = [(1, wide + 1), (2, wide + 1)]
        right = self._players(conversation)
        if room - wide >= _MOVES:
            right += ["", *_move_list(conversation.match)[-max(len(drawn) - 3, 1) :]]
        rows = []
        for row in range(max(len(drawn), len(right))):
            line = drawn[row] if row < len(drawn) else ""
            beside = right[row] if row < len(right) else ""
            rows.append(line + " " * (wide - width(line)) + beside if beside else line)
        return rows + self._notes(conversation, room)

    def _stacked(
        self, conversation: Conversation, drawn: list[str], size: os.terminal_size
    ) -> list[str]:
        """Return the players above the board, in one line if they fit, and the last moves."""
        first, second = self._players(conversation)
        if width(first) + _BETWEEN + width(second) < size.columns:
            self._clocks = [(1, 1), (1, width(first) + _BETWEEN + 1)]
            above = [first + " " * _BETWEEN + second]
        else:
            self._clocks = [(1, 1), (2, 1)]
            above = [first, second]
        rows = above + drawn + self._notes(conversation, size.columns - 1)
        moves = _move_list(conversation.match)[-2:]
        # Two messages and the question need room.  The line is there before the first move too,
        # which would shift the board otherwise.
        if len(rows) + 4 <= size.lines:
            last = "  ".join(" ".join(line.split()) for line in moves)
            rows.insert(len(above), last[-(size.columns - 1) :])
        return rows

    def _notes(self, conversation: Conversation, columns: int) -> list[str]:
        notes = conversation.match.position.notes()
        return [line for note in notes for line in _wrapped(note, columns)]

    def _board(self, conversation: Conversation, padding: int) -> list[str]:
        match = conversation.match
        drawing = Drawing(
            self._colour, True, conversation.flipped, match.marked, conversation.targets, padding
        )
        return drawing.lines(match.position, board.by_columns(match.start.position()))

    @contextlib.contextmanager
    def ticking(self, conversation: Conversation) -> Iterator[None]:
        """Return a context in which the clock of the player to move ticks every second."""
        over, begun = threading.Event(), time.perf_counter()
        side = conversation.match.position.side
        before = conversation.seconds[side]

        def tick() -> None:
            while not over.wait(1.0 - (before + time.perf_counter() - begun) % 1.0):
                with self._drawing:
                    self._draw_clock(conversation, side, before + time.perf_counter() - begun)

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _draw_clock(self, conversation: Conversation, side: int, seconds: float) -> None:
        """Redraw one player's line; the cursor stays where it is."""
        if not self._clocks:
            return
        (row, column), line = self._clocks[side], self._player(conversation, side, seconds)
        with contextlib.suppress(OSError, ValueError):  # the terminal is gone
            sys.stdout.write(f"\x1b7\x1b[{row};{column}H{line}\x1b8")
            sys.stdout.flush()

    @contextlib.contextmanager
    def resized(self, conversation: Conversation) -> Iterator[None]:
        """Return a context in which everything is redrawn when the terminal's size changes."""
        if not hasattr(signal, "SIGWINCH"):
            yield
            return

        def redraw(*_: object) -> None:
            if self._busy:  # a write can't be interrupted by another one
                self._resized = True
                return
            self.refresh(conversation)
            sys.stdout.write(conversation.question + _typed_so_far())
            sys.stdout.flush()

        usual = signal.signal(signal.SIGWINCH, redraw)
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, usual)

    def _players(self, conversation: Conversation) -> list[str]:
        return [self._player(conversation, side, conversation.seconds[side]) for side in (0, 1)]

    def _player(self, conversation: Conversation, side: int, seconds: float) -> str:
        """Return a player's line: turn marker, disc, name and clock."""
        match = conversation.match
        turn = not match.over and match.position.side == side
        sign = board.disc(match.start.game, side, self._colour)
        text = f"{'▸' if turn else ' '} {sign}{match.start.game.colours[side]}  {_clock(seconds)}"
        return f"{BOLD}{text}{RESET}" if turn and self._colour else text


def _typed_so_far() -> str:
    """Return the line that is being typed."""
    editor = sys.modules.get("readline")
    return editor.get_line_buffer() if editor is not None else ""


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _move_list(match: Match) -> list[str]:
    """Return the moves, one line per move number."""
    lines: list[str] = []
    position, number = match.start.position(), 0
    for move in match.moves:
        words = move_words(position, move)
        if position.side == 0 or not lines:
            number += 1
            lines.append(f"{number:>3}. " + (f"{'…':<8} {words}" if position.side else words))
        else:
            lines[-1] = f"{lines[-1]:<13} {words}"
        position.make(move)
    return lines
