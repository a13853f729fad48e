"""Boards as SVG: chess pieces, draughtsmen, discs, stones on lines, or letters."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from games import looks
from games.base import Game
from games.types import Cell
from scripts.drawing.svg import element, rect, text, text_of

_GROUNDS = {looks.CLOTH: "#2e7d4f", looks.RACK: "#2d5fa8", looks.WOOD: "#e6c07b"}
_RACK_LINE = "#1d4580"
Rows = Sequence[Sequence[str]]

_INK = "#111111"
# Pixels around the cells.
_RIM = 0.5
# All other lengths are in hundredths of a cell's width.  The geometry of the cells: how far a row
# is to the right of the row above it, the distance between the centres of these rows, and the
# height of a cell.
_SQUARES, _HEXAGONS = (0.0, 100.0, 100.0), (50.0, 86.6, 115.5)
# The outline of a hexagonal cell, around its centre.
_HEXAGON = "M0 -57.7L50 -28.9V28.9L0 57.7L-50 28.9V-28.9Z"

# Functions that draw a square and a circle around the centre of a cell.
_square = functools.partial(rect, -50, -50, 100, 100)
_circle = functools.partial(element, "circle", cx=0, cy=0, r=40)
# {ground: the drawings of a dark and of a light cell, around its centre}
_CELLS = {
    looks.WOOD: ("", ""),
    looks.RACK: (_circle(fill="#ffffff", stroke=_RACK_LINE),) * 2,
    looks.HEXAGONS: (element("path", d=_HEXAGON, fill="none", stroke="#444444"),) * 2,
    looks.CHEQUERS: (_square(fill="#b58863"), _square(fill="#f0d9b5")),
    looks.CLOTH: (_square(fill="none", stroke="#1f5537"),) * 2,
    looks.PAPER: (_square(fill="none", stroke="#444444"),) * 2,
}

# ---- chess pieces: drawings of our own, in chessmen.svg

# The transformation that centres a drawing on a cell.
PLACE = "scale(2.43) translate(-22.5 -22.3)"

_DRAWING = re.compile(r'<g id="(\w)".*?>(.*?)</g>', re.DOTALL)
_PART = re.compile(r'class="(\w+)" d="([^"]+)"')

# {letter: [(part, path)] in the order of drawing}
CHESSMEN: dict[str, list[tuple[str, str]]] = {
    letter: _PART.findall(drawing) for letter, drawing in _DRAWING.findall(text_of("chessmen.svg"))
}

# The crown of a draughts king, around the centre of a cell.
CROWN = "M-20 14L-24 -12L-10 0L0 -18L10 0L24 -12L20 14Z"

# A piece of shogi, around the centre of a cell.
WEDGE = "M0 -45L28 -33L38 43H-38L-28 -33Z"

_OUTLINE_INK = "#1d1b19"
# The parts of a drawing: filled shapes, lines on them, and dots.  The colours of a part are (fill,
# stroke) for White, then for Black.  The widths are those of the strokes.
_COLOURS = {
    "outline": (("#fdfaf3", _OUTLINE_INK), ("#3a3735", _OUTLINE_INK)),
    "detail": (("none", _OUTLINE_INK), ("none", "#d9d3c8")),
    "eye": ((_OUTLINE_INK, None), ("#e6e0d5", None)),
}
_WIDTHS = {"outline": 1.4, "detail": 1.3, "eye": None}


class BoardPicture:
    """The drawing of boards of one game, without coordinates.

    cell: the side of a cell in pixels.
    """

    def __init__(self, game: Game, cell: float = 40.0) -> None:
        self.looks, self.cell = game.looks, cell
        self.discs = looks.disc_colours(game)
        self._drawings = {
            looks.MEN: self._chessman,
            looks.DISCS: self._disc,
            looks.DRAUGHTSMEN: self._disc,
            looks.WEDGES: self._wedge,
        }
        self._geometry = _HEXAGONS if self.looks.ground == looks.HEXAGONS else _SQUARES

    def size(self, rows: Rows) -> tuple[float, float]:
        """Return (width, height) of the picture of `rows`, in pixels."""
        width, height = (side / 100 * self.cell + 2 * _RIM for side in self._extent(rows))
        return width, height

    def _extent(self, rows: Rows) -> tuple[float, float]:
        """Return (width, height) of all cells of `rows` together."""
        (slant, step, height), further = self._geometry, len(rows) - 1
        return len(rows[0]) * 100 + further * slant, further * step + height

    def draw(self, rows: Rows, x: float = 0.0, y: float = 0.0) -> str:
        """Return the picture of `rows` (rank 1 first) with its top left corner at x, y."""
        parts = [self._ground(rows)]
        below = _CELLS.get(self.looks.ground, _CELLS[looks.PAPER])
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                if cell.strip() != looks.HOLE:
                    drawn = below[(column + row) % 2] + self._piece(cell.strip())
                    across, down = self._middle(column, row, rows)
                    parts.append(element("g", drawn, transform=f"translate({across:g} {down:g})"))
        place = f"translate({x + _RIM:.1f} {y + _RIM:.1f}) scale({self.cell / 100:g})"
        font = {"text_anchor": "middle", "font_family": "sans-serif", "fill": _INK}
        line = max(2.5, 50 / max(self.cell, 1.0))
        return element("g", "".join(parts), transform=place, stroke_width=line, **font)

    def _middle(self, column: int, row: int, rows: Rows) -> tuple[float, float]:
        """Return the centre of a cell, from the top left corner of the cells."""
        slant, step, height = self._geometry
        from_top = row if self.looks.rank_one_on_top else len(rows) - 1 - row
        return column * 100 + 50 + from_top * slant, from_top * step + height / 2

    def _ground(self, rows: Rows) -> str:
        """Return the background below the cells."""
        ground = rect(0, 0, *self._extent(rows), fill=_GROUNDS.get(self.looks.ground, "#ffffff"))
        if self.looks.ground != looks.WOOD:
            return ground
        path = ""
        for ends in self.looks.lines or full_lines(len(rows[0]), len(rows)):
            for sign, (column, row) in zip("ML", ends):
                path += "{}{:g} {:g}".format(sign, *self._middle(column, row, rows))
        return ground + element("path", d=path, stroke="#6b4f1d")

    def _piece(self, char: str) -> str:
        """Return the drawing of a piece, or of a text in a cell, around the cell's centre."""
        if char in ("", "."):
            return ""
        draw = self._drawings.get(self.looks.pieces)
        owner, symbol = self.looks.owner(char), self.looks.symbol(char)
        if draw is not None and owner is not None and char in self.looks.all_pieces():
            return draw(owner, symbol)
        size = 70 / max(0.7 * len(symbol), 1.0)
        return text(symbol, 0, size * 0.34, font_size=size)

    def _disc(self, owner: int, symbol: str) -> str:
        rim = _RACK_LINE if self.looks.ground == looks.RACK else _INK
        disc = _circle(fill=self.discs[owner], stroke=rim)
        if symbol and self.looks.pieces == looks.DRAUGHTSMEN:  # a king
            disc += element("path", d=CROWN, fill=self.discs[1 - owner])
        return disc

    def _wedge(self, owner: int, symbol: str) -> str:
        """Return a shogi piece: a pentagon pointing at the opponent, labelled with `symbol`."""
        shape = element("path", d=WEDGE, fill="#f3d9a4", stroke="#6b4f1d", stroke_width=3)
        words = text(symbol, 0, 25, font_size=52 if len(symbol) == 1 else 34)
        return element("g", shape + words, transform="rotate(180)" if owner else None)

    def _chessman(self, owner: int, symbol: str) -> str:
        parts = []
        for part, path in CHESSMEN[symbol]:
            fill, stroke = _COLOURS[part][owner]
            width = _WIDTHS[part]
            parts.append(element("path", d=path, fill=fill, stroke=stroke, stroke_width=width))
        ends = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        letter = symbol if owner else symbol.upper()
        return element("g", "".join(parts), class_=f"chessman {letter}", transform=PLACE, **ends)


def full_lines(columns: int, rows: int) -> list[tuple[Cell, Cell]]:
    """Return the ends of the lines through all columns and all rows of a board."""
    upright = [((column, 0), (column, rows - 1)) for column in range(columns)]
    return upright + [((0, row), (columns - 1, row)) for row in range(rows)]
