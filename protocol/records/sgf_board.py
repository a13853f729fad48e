"""The board of an SGF: its size, points, passes and setup stones."""

from __future__ import annotations

import contextlib
import re

from games.base import PASSES, GameError, MoveError, PositionError
from games.grid import arrange, board_of, cell_of, read_square
from games.options import BOARD_SIZE
from protocol.moves import placement_on
from protocol.moves import read as read_move
from protocol.records.record import RecordError, Start
from protocol.records.sgf_text import points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from games.types import Cell
    from protocol.records.sgf_text import Properties

COLOURS = ("B", "W")
SETUP = {"AB", "AW", "AE", "PL"}
_STONES = (("AB", "X"), ("AW", "O"), ("AE", "."))

_PLAYERS = {"b": 0, "black": 0, "x": 0, "1": 0, "w": 1, "white": 1, "o": 1, "2": 1}

_POINT = re.compile("[a-z]{2}")
# On smaller boards `tt` is a pass, as in Go.
_NO_POINT = 20


def is_recordable(position: Position) -> bool:
    """Can SGF record this game: are its moves placements on a board?"""
    legal = position.legal_moves()
    return position.board() is not None and bool(legal) and position.placement(legal[0]) is not None


def size_of(root: Properties, game: Game, values: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return (options of the game, number of rows that the record's points refer to)."""
    text = root.get("SZ", [""])[0].strip()
    unsupported = RecordError(f"unsupported board size: SZ[{text}]")
    columns, _, rows = text.partition(":")
    if text and BOARD_SIZE in game.options and rows in ("", columns):
        try:
            values = {**values, BOARD_SIZE.name: BOARD_SIZE.read(columns)}
        except ValueError:
            raise unsupported from None
    defaults = {option.name: option.default for option in game.options}
    options = {name: values[name] for name in defaults if name in values}
    options = {name: value for name, value in options.items() if value != defaults[name]}
    position = Start(game, None, options).position()
    if not is_recordable(position):
        raise RecordError(f"SGF can't record {game.name}")
    board = board_of(position)
    width, height = len(board[0]), len(board)
    if text in ("", f"{width}:{height}"):
        return options, height
    largest = max(width, height)  # a board that isn't square may lie at the bottom of one
    if text in (f"{largest}", f"{largest}:{largest}"):
        return options, largest
    raise unsupported


class Board:
    """The board of a record: its points and passes.

    rows: number of rows that the record's points refer to.
    row_one_on_top: is row 1 at the top of the record's picture?
    """

    def __init__(
        self, game: Game, options: Mapping[str, Any], rows: int, row_one_on_top: bool
    ) -> None:
        self._start = Start(game, None, options)
        self._position = self._start.position()
        self._rows, self._row_one_on_top = rows, row_one_on_top

    def is_pass(self, text: str) -> bool:
        """Does the text of a move mean a pass?"""
        word = text.strip().lower()
        passes = self._start.game.pass_move is not None and word in PASSES
        return passes or not word or word == "tt" and self._rows < _NO_POINT

    def read(self, position: Position, text: str) -> int:
        """Return the legal move of a text; raise MoveError if it isn't one."""
        if self.is_pass(text):
            return read_move(position, "pass")
        return placement_on(position, self.cell(text), text)

    def cell(self, text: str) -> Cell:
        """Return the cell of a point or square; raise MoveError if it isn't on the board."""
        word, board = text.strip().lower(), board_of(self._position)
        if not _POINT.fullmatch(word):
            return read_square(word, len(board[0]), len(board))
        column, row = ord(word[0]) - ord("a"), self._flipped(ord(word[1]) - ord("a"))
        if not (column < len(board[0]) and 0 <= row < len(board)):
            raise MoveError(text, "is not a point of this board")
        return column, row

    def point(self, cell: Cell) -> str:
        """Return the text of a cell."""
        column, row = cell
        return chr(ord("a") + column) + chr(ord("a") + self._flipped(row))

    def _flipped(self, row: int) -> int:
        """Convert a row counted from the top of the picture to one of the board, or back."""
        return row if self._row_one_on_top else self._rows - 1 - row

    def text(self, position: Position, move: int) -> str:
        """Return the point of a move, "" for a pass."""
        passing = move == position.game.pass_move
        return "" if passing else self.point(cell_of(position, move))

    def start(self, nodes: Iterable[Properties]) -> Start:
        """Return the Start with the stones set up before the first move."""
        board = [list(row) for row in board_of(self._position)]
        side, mover, changed = None, None, False
        for node in nodes:
            changed = changed or bool(node.keys() & SETUP)
            for name, mark in _STONES:
                for text in points(node.get(name, [])):
                    column, row = self.cell(text)
                    board[row][column] = mark
            if "PL" in node:
                side = _read_colour(node["PL"][0])
            if node.keys() & set(COLOURS):
                mover = 0 if "B" in node else 1
                break
        if not changed:
            return self._start
        rows = ["".join(row) for row in board]
        if side is None:
            side = self._side(rows) if mover is None else mover
        if rows == list(board_of(self._position)) and side == self._position.side:
            return self._start
        return Start(self._start.game, self._text(rows, side), self._start.options)

    def _side(self, rows: Sequence[str]) -> int:
        """Return the player to move with these stones: the one who begins, if the rules allow."""
        side = self._position.side
        try:
            self._text(rows, side)
        except PositionError:
            with contextlib.suppress(PositionError):
                self._text(rows, 1 - side)
                return 1 - side
        return side

    def _text(self, rows: Sequence[str], side: int) -> str:
        """Return the position text of stones, row 1 first; raise PositionError if it is illegal."""
        game = self._start.game
        text = game.arrange(rows, side) or arrange(rows, side)
        try:
            return game.parse(text, self._start.values()).text()
        except GameError as error:
            raise PositionError("", f"invalid setup stones: {error.reason}") from None


def _read_colour(text: str) -> int:
    """Return the player of a colour's name; raise RecordError if it isn't one."""
    player = _PLAYERS.get(text.strip().lower())
    if player is None:
        raise RecordError(f'PL[{text}] is not a colour: "B" or "W"')
    return player
