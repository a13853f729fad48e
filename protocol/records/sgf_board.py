"""The board of an SGF: its size, points, passes and setup stones."""

from __future__ import annotations

import re

from games.base import PASSES, GameError, MoveError
from games.grid import board_of, cell_of, read_square
from games.options import BOARD_SIZE
from games.texts import squares_of
from protocol.moves import placement_on
from protocol.moves import read as read_move
from protocol.records.record import RecordError, Start
from protocol.records.sgf_text import corners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.base import Game, Position
    from games.types import Cell
    from protocol.records.sgf_text import Properties

SETUP = {"AB", "AW", "AE", "PL"}
_STONES = {"AB": "X", "AW": "O", "AE": "."}
_PLAYERS = {"b": 0, "x": 0, "1": 0, "w": 1, "o": 1, "2": 1}
_POINT = re.compile("[a-z]{2}")
# On boards with fewer rows than this, `tt` is not a point but a pass, as in Go.
_NO_POINT = 20


def is_recordable(position: Position) -> bool:
    """Can SGF record this game, that is, are its moves placements on a board?"""
    legal = position.legal_moves()
    return position.board() is not None and bool(legal) and position.placement(legal[0]) is not None


def size_of(root: Properties, game: Game) -> tuple[Start, int]:
    """Return (the game's own Start, number of rows that the record's points refer to)."""
    text = root.get("SZ", [""])[0].strip()
    columns, _, rows = text.partition(":")
    options = {}
    if text and BOARD_SIZE in game.options and rows in ("", columns):
        try:
            options = {BOARD_SIZE.name: BOARD_SIZE.read(columns)}
        except ValueError:
            options = {}  # an invalid size, reported below
    start = Start(game, None, options)
    if not is_recordable(start.position()):
        raise RecordError(f"SGF can't record {game.name}")
    board = board_of(start.position())
    # A record may put a rectangular board at the bottom of a square one.
    largest = max(len(board[0]), len(board))
    sizes = {str(largest): largest, f"{largest}:{largest}": largest, "": len(board)}
    sizes[f"{len(board[0])}:{len(board)}"] = len(board)
    if text not in sizes:
        raise RecordError(f"unsupported board size: SZ[{text}]")
    return start, sizes[text]


class Board:
    """The board of a record: its points and passes.

    start: the game's own.  rows: number of rows that the record's points refer to.
    row_one_on_top: is row 1 at the top of the record's picture?
    """

    def __init__(self, start: Start, rows: int, row_one_on_top: bool) -> None:
        self._start, self._position = start, start.position()
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
        return placement_on(position, self._cell(text), text)

    def _cell(self, text: str) -> Cell:
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

    def named(self, values: Iterable[str]) -> list[str]:
        """Return points `cd` and pairs `cd:ef` as PGN's circles and arrows: Gc4 and Gc4e6.

        Raise MoveError if a point isn't on the board.
        """
        squares = squares_of(self._position)
        found = ([squares.name(self._cell(each)) for each in value.split(":")] for value in values)
        return [",".join("G" + "".join(names) for names in found)]

    def points(self, texts: Iterable[str]) -> list[str]:
        """Return PGN's circles and arrows as points and pairs of points."""
        squares = squares_of(self._position)
        cells = (squares.cells_in(word.strip()[1:]) for word in ",".join(texts).split(","))
        return [":".join(map(self.point, found)) for found in cells if found]

    def _flipped(self, row: int) -> int:
        """Convert a row counted from the top of the picture to one of the board, or back."""
        return row if self._row_one_on_top else self._rows - 1 - row

    def text(self, position: Position, move: int) -> str:
        """Return the point of a move, "" for a pass."""
        passing = move == position.game.pass_move
        return "" if passing else self.point(cell_of(position, move))

    def start(self, header: Properties) -> Start:
        """Return the Start with the stones that a header sets up.

        The side to move is that of PL.  Without PL it is the player who begins the game or, if the
        stones are illegal then, the other player.  Raises RecordError if the stones are illegal.
        """
        if not header.keys() & SETUP:
            return self._start
        board = [list(row) for row in board_of(self._position)]
        for name, mark in _STONES.items():
            for text in header.get(name, []):
                columns, rows = zip(*map(self._cell, corners(text)))
                left, right = min(columns), max(columns) + 1
                for row in range(min(rows), max(rows) + 1):
                    board[row][left:right] = [mark] * (right - left)
        sides = [self._position.side, 1 - self._position.side]
        if "PL" in header:
            colour = header["PL"][-1]
            if colour.strip().lower()[:1] not in _PLAYERS:
                raise RecordError(f"PL[{colour}] must be B or W")
            sides = [_PLAYERS[colour.strip().lower()[:1]]]
        faults = []
        for side in sides:
            try:
                return self._start.arranged(["".join(row) for row in board], side)
            except GameError as error:
                faults.append(f"invalid setup stones: {error.reason}")
        raise RecordError(faults[0])
