"""Two ways to show a game in the terminal.

Line after line, or drawn in place with pieces, move list and clock.
"""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from games import looks
from games.grid import LETTERS, picture
from protocol.records.san import move_words
from scripts.terminal import board

if TYPE_CHECKING:
    from games.base import Game
    from games.types import Cell
    from scripts.terminal.conversation import Conversation
    from scripts.terminal.match import Match

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_RESET, _BOLD = "\x1b[0m", "\x1b[1m"
_ESCAPES = re.compile("\x1b\\[[0-9;]*m")
_BETWEEN = 4            # columns between the board and what stands beside it
_TARGET = 110           # the ground of cells that `moves` shows
_FEWEST_MOVES = 8       # lines of the move list that are shown where the board is lower

# Every cell has a ground of its own, so that it looks the same on dark and on light
# terminals: colours of xterm's 256.
_CHESSMEN = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟"))
_OUTLINES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))
_DISCS = {"X": "●", "O": "●"}
_DISC_OUTLINES = {"X": "●", "O": "○"}


class Look:
    """How the board of a kind of game is drawn.

    pieces, outlines: {character: sign} with and without colour.  inks: colours of the
    first and the second player's pieces.
    grounds: of dark and of light squares.  marked: of the cells of the last move.
    empty: sign and colour.
    turns: whether the second player sees the board from his side.
    """

    def __init__(self, pieces: dict[str, str], outlines: dict[str, str], inks: tuple[int, int],
                 grounds: tuple[int, int], marked: int, empty: tuple[str, int] = (" ", 0),
                 turns: bool = False) -> None:
        self.pieces, self.outlines, self.inks, self.grounds = pieces, outlines, inks, grounds
        self.marked, self.empty, self.turns = marked, empty, turns


_CHESS = Look(_CHESSMEN, _OUTLINES, (231, 16), (137, 180), 142, turns=True)
_OTHELLO = Look(_DISCS, _DISC_OUTLINES, (16, 231), (28, 28), 64, ("·", 77))
_STONES = Look(_DISCS, _DISC_OUTLINES, (16, 231), (179, 179), 137, ("┼", 94))
_FALLING = Look(_DISCS, _DISC_OUTLINES, (226, 196), (25, 25), 31, ("·", 75))
_OTHER = Look({}, {}, (19, 124), (254, 254), 222, ("·", 245))
_INKS = {"black": 16, "white": 231, "yellow": 226, "red": 196}
_DISC_LOOKS = {looks.WOOD: _STONES, looks.RACK: _FALLING}


def look_of(game: Game) -> Look:
    """The Look of a game's board."""
    if game.looks.pieces == looks.DISCS:
        return _DISC_LOOKS.get(game.looks.ground, _OTHELLO)
    return _CHESS if game.looks.pieces == looks.MEN else _OTHER


def _inks(game: Game) -> tuple[int, int]:
    """The colours of the first and the second player's pieces."""
    first, second = game.looks.colours
    if game.looks.pieces == looks.DISCS:
        return _INKS[first], _INKS[second]
    return look_of(game).inks


def draws_in_place(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Can the terminal move its cursor and show Unicode?  (TERM=dumb says that it can't.)"""
    if not stream.isatty() or environment.get("TERM", "dumb") == "dumb":
        return False
    try:
        "♚●┼▸".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


class Lines:
    """One thing after another, as a dumb terminal and a pipe have it.

    tell(text) shows lines at once.
    """

    in_place = False

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self.tell, self._colour = tell, colour

    def show(self, conversation: Conversation) -> None:
        """Show the board, now."""
        match = conversation.match
        lines = board.draw(match.position, match.marked, self._colour,
                           board.by_columns(match.first()))
        self.tell("\n".join([""] + lines + [""]))

    def asked(self) -> None:
        """A person has answered."""

    def ticking(self, conversation: Conversation) -> contextlib.AbstractContextManager[None]:
        """While a player thinks: nothing moves here."""
        return contextlib.nullcontext()

    def refresh(self, conversation: Conversation) -> None:
        """Before a person is asked, or an engine thinks: all messages are out."""


class Screen:
    """The board drawn in place, the moves and the clock beside it, and below it the messages
    since the last input.
    """

    in_place = True

    def __init__(self, tell: Callable[..., Any], colour: bool = False) -> None:
        self._print, self._colour = tell, colour
        self._messages: list[str] = []
        self._clock_column: int | None = None       # None where the terminal has no room for all

    def tell(self, text: str) -> None:
        """Show lines below the board from the next refresh on."""
        self._messages += str(text).split("\n")

    def show(self, conversation: Conversation) -> None:
        """The board is always shown."""

    def asked(self) -> None:
        """A person has read the messages."""
        self._messages = []

    def refresh(self, conversation: Conversation) -> None:
        """Draw all of it."""
        left, notes = self._board(conversation)
        right = self._beside(conversation, max(len(left) - 3, _FEWEST_MOVES))
        wide = max(map(_width, left), default=0) + _BETWEEN
        rows = []
        for row in range(max(len(left), len(right))):
            line = left[row] if row < len(left) else ""
            beside = right[row] if row < len(right) else ""
            rows.append(line + " " * (wide - _width(line)) + beside if beside else line)
        messages = [line for line in self._messages if line.strip()]
        rows += notes + [""] + messages + ([""] if messages else [])
        self._print(CLEAR + "\n".join(rows))
        size = shutil.get_terminal_size()
        fits = len(rows) < size.lines and max(map(_width, rows)) < size.columns
        self._clock_column = wide + 1 if fits else None

    @contextlib.contextmanager
    def ticking(self, conversation: Conversation) -> Iterator[None]:
        """While a player thinks his clock beside the board goes on, second by second."""
        over, begun = threading.Event(), time.perf_counter()
        side = conversation.match.position.side
        before = conversation.seconds[side]

        def tick() -> None:
            while not over.wait(1.0 - (before + time.perf_counter() - begun) % 1.0):
                self._draw_clock(conversation, side, before + time.perf_counter() - begun)

        thread = threading.Thread(target=tick, daemon=True)
        if self._clock_column is not None:
            thread.start()
        try:
            yield
        finally:
            over.set()
            if thread.is_alive():
                thread.join()

    def _draw_clock(self, conversation: Conversation, side: int, seconds: float) -> None:
        """Write one player's line beside the board anew; the cursor stays where it is."""
        line = self._player(conversation, side, seconds)
        with contextlib.suppress(OSError, ValueError):      # nobody looks any more
            sys.stdout.write(f"\x1b7\x1b[{side + 1};{self._clock_column}H{line}\x1b8")
            sys.stdout.flush()

    def _board(self, conversation: Conversation) -> tuple[list[str], list[str]]:
        """(the lines of the board, seen from the side that the conversation has it seen
        from; the lines below it).
        """
        match, position = conversation.match, conversation.match.position
        rows = position.board()
        if not rows or position.picture() is not None:
            return picture(position), position.notes()
        numbered = board.by_columns(match.first())
        columns = list(range(len(rows[0])))
        ranks = list(range(len(rows)))
        if not position.game.rank_one_on_top:
            ranks.reverse()
        if conversation.flipped:
            columns.reverse()
            ranks.reverse()
        edge, wide = len(str(len(rows))), max(len(cell) for row in rows for cell in row)
        header = " " * (edge + 1) + "".join(
            f" {str(column + 1) if numbered else LETTERS[column]:>{wide}} "
            for column in columns)
        drawn = []
        for rank in ranks:
            cells = "".join(self._cell(rows[rank][column], (column, rank), conversation, wide)
                            for column in columns)
            drawn.append(f"{'' if numbered else rank + 1:>{edge}} {cells}")
        return [header] + drawn if position.game.rank_one_on_top else drawn + [
            header], position.notes()

    def _cell(self, text: str, cell: Cell, conversation: Conversation, wide: int) -> str:
        """One cell, three columns wide."""
        game, piece = conversation.match.start.game, text.strip()
        look, here = look_of(game), cell in conversation.match.marked
        target = cell in conversation.targets
        if not self._colour:
            sign = look.outlines.get(piece, "·" if piece in ("", ".") else piece)
            left, right = "()" if target else "[]" if here else "  "
            return f"{left}{sign:>{wide}}{right}"
        sign, ink = look.empty
        if piece not in ("", "."):
            sign, ink = look.pieces.get(piece, piece), _inks(game)[_second(piece, game)]
        ground = look.marked if here else look.grounds[sum(cell) % 2]
        ground = _TARGET if target else ground
        return f"\x1b[1;38;5;{ink};48;5;{ground}m {sign:>{wide}} {_RESET}"

    def _beside(self, conversation: Conversation, room: int) -> list[str]:
        """Who plays, how long he has thought, and the last moves."""
        lines = [self._player(conversation, side, conversation.seconds[side]) for side in (0, 1)]
        return lines + [""] + _move_list(conversation.match)[-room:]

    def _player(self, conversation: Conversation, side: int, seconds: float) -> str:
        """The line of a player: is it his turn, his sign, his name, his clock."""
        match = conversation.match
        turn = not match.over and match.position.side == side
        sign, name = self._sign(match.start.game, side), match.start.game.colours[side]
        text = f"{'▸' if turn else ' '} {sign}{name}  {_clock(seconds)}"
        return f"{_BOLD}{text}{_RESET}" if turn and self._colour else text

    def _sign(self, game: Game, side: int) -> str:
        """The disc of a player whose pieces are discs; Black and White do not say who has which."""
        look = look_of(game)
        if "X" not in look.pieces:
            return ""
        if not self._colour:
            return look.outlines["XO"[side]] + " "
        return f"\x1b[1;38;5;{_inks(game)[side]};48;5;{look.grounds[0]}m ● {_RESET} "


def _second(piece: str, game: Game) -> int:
    """1 where a piece is the second player's, else 0."""
    return int(piece == "O" or piece.islower() and piece != "x")


def _width(line: str) -> int:
    """The columns that a line takes, its colours taken away."""
    return len(_ESCAPES.sub("", line))


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
