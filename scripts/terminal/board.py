"""The board in the terminal: cells, coordinates, and the last move marked.

It is drawn either with the symbols and colours of the game's pieces, or as letters for pipes
and simple terminals.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from games import looks
from games.base import Game, Position
from games.grid import cell_width, edge_labels, picture, shown_cells
from games.texts import squares_of
from games.types import Board, Cell

RESET, BOLD = "\x1b[0m", "\x1b[1m"
_FAINT = "\x1b[2m"
_ESCAPES = re.compile("\x1b\\[[0-9;]*m")
PADDINGS = (2, 1, 0)  # blank columns around a cell's content, the widest first

# {kind of pieces: {result of Looks.symbol(): character on the terminal}}
_SIGNS = {
    looks.MEN: dict(zip("kqrbnp", "♚♛♜♝♞♟")),
    looks.DISCS: {"X": "●", "O": "●"},
    looks.DRAUGHTSMEN: {"": "●", "crown": "◉"},
}


class Palette(NamedTuple):
    """The cells of one kind of board.

    Colours are numbers in xterm's palette of 256.  Every cell sets its own background, so that the
    board looks the same on dark and on light terminals.

    grounds: background colours of dark and of light squares.
    marked: background colour of the last move's cells.
    empty: symbol and colour of an empty cell.
    """

    grounds: tuple[int, int]
    marked: int
    empty: tuple[str, int] = (" ", 0)


_CLOTH = Palette((28, 28), 64, ("·", 77))
_PAPER = Palette((254, 254), 222, ("·", 245))
# {kind of pieces, or kind of ground: its Palette}
_PALETTES = {
    looks.WEDGES: Palette((222, 222), 186, ("·", 137)),
    looks.CHEQUERS: Palette((137, 180), 142),
    looks.WOOD: Palette((179, 179), 137, ("┼", 94)),
    looks.RACK: Palette((25, 25), 31, ("·", 75)),
    looks.CLOTH: _CLOTH,
    looks.HEXAGONS: _CLOTH,
}
# {kind of pieces: colours of the first and the second player's pieces}; discs have their own.
_INKS = {looks.MEN: (231, 16), looks.WEDGES: (16, 88)}
_OTHER_INKS = (19, 124)


def palette_of(game: Game) -> Palette:
    """Return the Palette of a game's board."""
    return _PALETTES.get(game.looks.pieces) or _PALETTES.get(game.looks.ground, _PAPER)


def width(line: str) -> int:
    """Return the number of columns that a line takes, ignoring colour codes."""
    return len(_ESCAPES.sub("", line))


class Drawing(NamedTuple):
    """The way to draw one board.

    colour: draw coloured symbols for pieces, else letters.
    flipped: draw the board from the second player's side.
    marked: the cells of the last move.
    padding: one of PADDINGS.
    """

    colour: bool = False
    flipped: bool = False
    marked: Collection[Cell] = ()
    padding: int = PADDINGS[0]

    def lines(self, position: Position) -> list[str]:
        """Return the lines of the board, or of the game's own picture if it has one."""
        if not position.board() or position.picture() is not None:
            return picture(position)
        board, squares = shown_cells(position), squares_of(position)
        column_labels, row_labels = edge_labels(position)
        on_top = position.game.looks.rank_one_on_top
        columns = range(len(board[0]))[:: -1 if self.flipped else 1]
        ranks = range(len(board))[:: 1 if on_top is not self.flipped else -1]
        if squares.numbered:  # pieces hide the numbers, so label each row with its first one
            rows = ([squares.name((column, rank)) for column in columns] for rank in sorted(ranks))
            row_labels = [next(filter(None, numbers), "") for numbers in rows]
        wide, edge = cell_width(board), max(map(len, row_labels), default=0)
        drawn = []
        for rank in ranks:
            label = f"{row_labels[rank] if row_labels else '':>{edge}} "
            cells = (self._cell(position.game, board, (column, rank), wide) for column in columns)
            drawn.append(self._faint(label) + "".join(cells))
        if column_labels:
            padded = "".join(self._padded(column_labels[column], wide) for column in columns)
            header = self._faint(" " * (edge + 1) + padded)
            drawn.insert(0 if on_top else len(drawn), header)
        return drawn

    def _cell(self, game: Game, board: Board, cell: Cell, wide: int) -> str:
        text, here = board[cell[1]][cell[0]], cell in self.marked
        piece, palette = text.strip(), palette_of(game)
        if piece == looks.HOLE:
            return self._padded("", wide)
        if not self.colour:
            return self._padded(text, wide, "[]" if here else "  ")
        sign, ink = palette.empty
        if piece not in ("", "."):
            signs, owner = _SIGNS.get(game.looks.pieces, {}), game.looks.owner(piece)
            sign = piece if owner is None else signs.get(game.looks.symbol(piece), piece)
            is_number = owner is None and game.looks.pieces != looks.LETTERS
            ink = palette.empty[1] if is_number else inks(game)[owner or 0]
        ground = palette.marked if here else palette.grounds[sum(cell) % 2]
        return f"\x1b[1;38;5;{ink};48;5;{ground}m{self._padded(sign, wide)}{RESET}"

    def _padded(self, text: str, wide: int, marks: str = "  ") -> str:
        """Return `text` with a mark on both sides (padding 2), on its left only (1), or on none."""
        return marks[:1] * (self.padding > 0) + f"{text:>{wide}}" + marks[1:] * (self.padding > 1)

    def _faint(self, text: str) -> str:
        return f"{_FAINT}{text}{RESET}" if self.colour else text


def inks(game: Game) -> tuple[int, int]:
    """Return the colours of the first and the second player's pieces."""
    if game.looks.pieces not in (looks.DISCS, looks.DRAUGHTSMEN):
        return _INKS.get(game.looks.pieces, _OTHER_INKS)
    first, second = map(_ink, looks.disc_colours(game))
    return first, second


def _ink(colour: str) -> int:
    """Return the number of the terminal's colour that is nearest to #rrggbb."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    # Each of red, green and blue has the levels 0, 95, 135, 175, 215, 255 in xterm.
    red, green, blue = (
        0 if part < 48 else 1 if part < 115 else (part - 35) // 40 for part in parts
    )
    return 16 + 36 * red + 6 * green + blue


def disc(game: Game, side: int, colour: bool) -> str:
    """Return a player's disc, as the board shows it, and a space; "" if the game has no discs.

    The colour names alone don't tell which disc on the screen belongs to whom.
    """
    if game.looks.pieces not in (looks.DISCS, looks.DRAUGHTSMEN):
        return ""
    if not colour:
        pieces = (piece for piece in game.looks.all_pieces() if game.looks.owner(piece) == side)
        return f"{next(pieces)} "
    return f"\x1b[1;38;5;{inks(game)[side]};48;5;{palette_of(game).grounds[0]}m ● {RESET} "
