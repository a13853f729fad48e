"""Two ways to show a game in the terminal.

Line after line, or drawn in place with pieces, move list and clock.
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
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from protocol.records.san import move_words
from scripts.terminal import board
from scripts.terminal.board import BOLD, PADDINGS, RESET, Drawing, width

if TYPE_CHECKING:
    from scripts.terminal.conversation import Conversation
    from scripts.terminal.match import Match

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_BETWEEN = 3  # columns between the board and what stands beside it
_BESIDE = 16  # the columns that players and clocks need there
_MOVES = 26  # ... and the list of moves
_MOST_WAITING = 200  # messages that are kept while nobody is asked


def draws_in_place(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Can the terminal move its cursor and show Unicode?  (TERM=dumb says that it can't.)"""
    if not stream.isatty() or environment.get("TERM", "dumb") == "dumb" and not _enable_windows():
        return False
    try:
        "♚●┼▸".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _enable_windows() -> bool:
    """Have Windows' console obey escape sequences; False elsewhere, or if it is too old.

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
    """Lines of at most `columns`; words are kept whole unless one is longer than a line."""
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
    """One thing after another, as a dumb terminal and a pipe have it.

    tell(text) shows lines at once.
    """

    in_place = False

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self._print, self._colour = tell, colour
        self._fits = sys.stdout.isatty()

    def tell(self, text: str) -> None:
        """Show lines, wrapped at the terminal's width if there is a terminal."""
        self._print("\n".join(_wrapped(text, _size().columns - 1)) if self._fits else text)

    def show(self, conversation: Conversation) -> None:
        """Show the board, now."""
        match = conversation.match
        drawing = Drawing(self._colour, marked=match.marked)
        if self._fits:
            drawing.fit(match.position, _size().columns - 1)
        lines = drawing.lines(match.position, board.by_columns(match.first()))
        self.tell("\n".join(["", *lines, *match.position.notes(), ""]))

    def asked(self) -> None:
        """A person has answered."""

    def ticking(self, conversation: Conversation) -> contextlib.AbstractContextManager[None]:
        """While a player thinks: nothing moves here."""
        return contextlib.nullcontext()

    def refresh(self, conversation: Conversation, asks: bool = False) -> bool:
        """Before a person is asked, or an engine thinks: all messages are out.

        True if there is more to read before the question.
        """
        return False

    def resized(self, conversation: Conversation) -> contextlib.AbstractContextManager[None]:
        """While a game goes on: a line that was shown stays as it is."""
        return contextlib.nullcontext()


class Screen:
    """The board drawn in place, the moves and the clock beside or above it, and below it the
    messages since the last input.
    """

    in_place = True

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self._print, self._colour = tell, colour
        self._messages: list[str] = []
        self._clocks: list[tuple[int, int]] = []  # (line, column) of each player's, from 1
        self._drawing = threading.RLock()
        self._busy = self._resized = False  # it is being drawn; its size has changed meanwhile

    def tell(self, text: str) -> None:
        """Show lines below the board from the next refresh on."""
        self._messages += str(text).split("\n")
        del self._messages[:-_MOST_WAITING]

    def show(self, conversation: Conversation) -> None:
        """The board is always shown."""

    def asked(self) -> None:
        """A person has read the messages."""
        self._messages = []

    def refresh(self, conversation: Conversation, asks: bool = False) -> bool:
        """Draw all of it; the board is where it was before.

        asks: a person is asked next, who has to see all messages.  Those that find no room
        below the board are shown in its place, a page at a time: True if there is more.
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
        if not asks or len(messages) <= room:
            self._print(CLEAR + "\n".join(rows + messages[-room:]))
            return False
        page = max(size.lines - 2, 1)
        self._messages, self._clocks = messages[page:], []
        self._print(CLEAR + "\n".join(messages[:page]))
        return True

    def _layout(self, conversation: Conversation, size: os.terminal_size) -> list[str]:
        """The lines of the board with what stands beside it, or above it.

        Wide cells come first, then what stands beside them, as long as there is room below
        for some messages and the question.
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
        """`wide`: the column where the right part begins, from 0; room: the columns of all."""
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
        """The players above the board: in a line if they fit; and the last moves if they do."""
        first, second = self._players(conversation)
        if width(first) + _BETWEEN + width(second) < size.columns:
            self._clocks = [(1, 1), (1, width(first) + _BETWEEN + 1)]
            above = [first + " " * _BETWEEN + second]
        else:
            self._clocks = [(1, 1), (2, 1)]
            above = [first, second]
        rows = above + drawn + self._notes(conversation, size.columns - 1)
        moves = _move_list(conversation.match)[-2:]
        if moves and len(rows) + 4 <= size.lines:  # two messages and the question
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
        return drawing.lines(match.position, board.by_columns(match.first()))

    @contextlib.contextmanager
    def ticking(self, conversation: Conversation) -> Iterator[None]:
        """While a player thinks their clock goes on, second by second."""
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
        """Write one player's line anew; the cursor stays where it is."""
        if not self._clocks:
            return
        (row, column), line = self._clocks[side], self._player(conversation, side, seconds)
        with contextlib.suppress(OSError, ValueError):  # nobody looks any more
            sys.stdout.write(f"\x1b7\x1b[{row};{column}H{line}\x1b8")
            sys.stdout.flush()

    @contextlib.contextmanager
    def resized(self, conversation: Conversation) -> Iterator[None]:
        """While a game goes on: draw it anew whenever the terminal gets another size."""
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
        """The line of a player: is it their turn, their sign, name and clock."""
        match = conversation.match
        turn = not match.over and match.position.side == side
        sign = board.disc(match.start.game, side, self._colour)
        text = f"{'▸' if turn else ' '} {sign}{match.start.game.colours[side]}  {_clock(seconds)}"
        return f"{BOLD}{text}{RESET}" if turn and self._colour else text


def _typed_so_far() -> str:
    """What stands in the line that is being typed."""
    editor = sys.modules.get("readline")
    return editor.get_line_buffer() if editor is not None else ""


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _move_list(match: Match) -> list[str]:
    """The moves so far, a line for each turn of both players."""
    lines: list[str] = []
    position, number = match.first(), 0
    for move in match.moves:
        words = move_words(position, move)
        if position.side == 0 or not lines:
            number += 1
            lines.append(f"{number:>3}. " + (f"{'…':<8} {words}" if position.side else words))
        else:
            lines[-1] = f"{lines[-1]:<13} {words}"
        position.make(move)
    return lines
