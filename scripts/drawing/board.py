"""Boards as SVG: chess pieces, draughtsmen, discs, stones on lines, or letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games import looks
from games.base import Game
from games.types import Cell
from scripts.drawing.svg import circle, element, rect, text, text_of

_GROUNDS = {looks.CLOTH: "#2e7d4f", looks.RACK: "#2d5fa8", looks.WOOD: "#e6c07b"}
Rows = Sequence[Sequence[str]]

_INK = "#111111"
_PRINT = {"text_anchor": "middle", "font_family": "sans-serif", "fill": _INK}
# Pixels around the cells.
_RIM = 0.5
# The geometry of cells of width 1: how far a row is to the right of the row above it, the distance
# between the centres of these rows, and the height of a cell.
_SQUARES, _HEXAGONS = (0.0, 1.0, 1.0), (0.5, 0.866, 1.155)
# The corners of a hexagon of width 1, relative to its centre.
_HEX_CORNERS = (0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289)

# ---- chess pieces: drawings of our own, in chessmen.svg

# The transformation that centres a drawing on a cell of size 100.
PLACE = "scale(2.43) translate(-22.5 -22.3)"

_DRAWING = re.compile(r'<g id="(\w)".*?>(.*?)</g>', re.DOTALL)
_PART = re.compile(r'class="(\w+)" d="([^"]+)"')

# {letter: [(part, path)] in the order of drawing}
CHESSMEN: dict[str, list[tuple[str, str]]] = {
    letter: _PART.findall(drawing) for letter, drawing in _DRAWING.findall(text_of("chessmen.svg"))
}

# The crown of a draughts king, around the centre of a cell of size 100.
CROWN = "M-20 14L-24 -12L-10 0L0 -18L10 0L24 -12L20 14Z"

# A piece of shogi, around the centre of a cell of size 100.
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
        self.looks, self.rank_one_on_top = game.looks, game.looks.rank_one_on_top
        self.discs = looks.disc_colours(game)
        self._known = set(self.looks.all_pieces())
        self._drawings = {
            looks.MEN: self._chessman,
            looks.DISCS: self._stone,
            looks.DRAUGHTSMEN: self._draughtsman,
            looks.WEDGES: self._wedge,
        }
        self._geometry = _HEXAGONS if self.looks.ground == looks.HEXAGONS else _SQUARES
        self.cell = float(cell)
        self._thin = max(self.cell / 40, 0.5)  # width of a line

    def size(self, rows: Rows) -> tuple[float, float]:
        """Return (width, height) of the picture of `rows`, in pixels."""
        width, height = self._extent(rows)
        return width + 2 * _RIM, height + 2 * _RIM

    def _extent(self, rows: Rows) -> tuple[float, float]:
        """Return (width, height) of all cells of `rows` together, in pixels."""
        (slant, step, height), further = self._geometry, len(rows) - 1
        width = len(rows[0]) + further * slant
        return width * self.cell, (further * step + height) * self.cell

    def draw(self, rows: Rows, x: float = 0.0, y: float = 0.0) -> str:
        """Return the picture of `rows` (rank 1 first) with its top left corner at x, y."""
        left, top = x + _RIM, y + _RIM
        parts = [self._ground(rows, left, top)]
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                if cell.strip() == looks.HOLE:
                    continue
                across, down = self._middle(column, row, rows)
                x, y = left + across, top + down
                parts.append(self._cell(column, row, x, y))
                parts.append(self._piece(cell.strip(), x, y))
        return element("g", "".join(parts))

    def _middle(self, column: int, row: int, rows: Rows) -> tuple[float, float]:
        """Return the centre of a cell, in pixels from the top left corner."""
        slant, step, height = self._geometry
        from_top = row if self.rank_one_on_top else len(rows) - 1 - row
        across, down = column + from_top * slant + 0.5, from_top * step + height / 2
        return across * self.cell, down * self.cell

    def _ground(self, rows: Rows, left: float, top: float) -> str:
        """Return the background below the cells."""
        width, height = self._extent(rows)
        ground = rect(left, top, width, height, fill=_GROUNDS.get(self.looks.ground, "#ffffff"))
        if self.looks.ground != looks.WOOD:
            return ground
        path = ""
        for ends in self.looks.lines or full_lines(len(rows[0]), len(rows)):
            for sign, (column, row) in zip("ML", ends):
                across, down = self._middle(column, row, rows)
                path += f"{sign}{left + across:.1f} {top + down:.1f}"
        return ground + element("path", d=path, stroke="#6b4f1d", stroke_width=self._thin)

    def _cell(self, column: int, row: int, x: float, y: float) -> str:
        """Return one cell of the grid, centred on (x, y)."""
        ground = self.looks.ground
        if ground == looks.WOOD:
            return ""
        if ground == looks.RACK:
            return self._disc(x, y, "#ffffff", "#1d4580")
        if ground == looks.HEXAGONS:
            corners = [
                (x + right * self.cell, y + down * self.cell) for right, down in _HEX_CORNERS
            ]
            path = "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in corners) + "Z"
            return element("path", d=path, fill="none", stroke="#444444", stroke_width=self._thin)
        box = x - self.cell / 2, y - self.cell / 2, self.cell, self.cell
        if ground == looks.CHEQUERS:
            return rect(*box, fill="#b58863" if (column + row) % 2 == 0 else "#f0d9b5")
        stroke = "#1f5537" if ground == looks.CLOTH else "#444444"
        return rect(*box, fill="none", stroke=stroke, stroke_width=self._thin)

    def _piece(self, char: str, x: float, y: float) -> str:
        """Return the drawing of a piece, or of a text in a cell, centred on (x, y)."""
        if char in ("", "."):
            return ""
        draw = self._drawings.get(self.looks.pieces)
        owner, symbol = self.looks.owner(char), self.looks.symbol(char)
        if draw is not None and owner is not None and char in self._known:
            return draw(owner, symbol, x, y)
        return self._text(symbol, x, y)

    def _text(self, words: str, x: float, y: float) -> str:
        """Return a text centred on (x, y)."""
        size = 0.7 * self.cell / max(0.7 * len(words), 1.0)
        return text(words, x, y + size * 0.34, font_size=size, **_PRINT)

    def _disc(self, x: float, y: float, fill: str, stroke: str) -> str:
        return circle(x, y, self.cell * 0.4, fill=fill, stroke=stroke, stroke_width=self._thin)

    def _stone(self, owner: int, symbol: str, x: float, y: float) -> str:
        rim = "#1d4580" if self.looks.ground == looks.RACK else "#111111"
        return self._disc(x, y, self.discs[owner], rim)

    def _draughtsman(self, owner: int, symbol: str, x: float, y: float) -> str:
        man = self._disc(x, y, self.discs[owner], "#111111")
        if not symbol:
            return man
        where = self._at(x, y)
        return man + element("path", d=CROWN, fill=self.discs[1 - owner], transform=where)

    def _wedge(self, owner: int, symbol: str, x: float, y: float) -> str:
        """Return a shogi piece: a pentagon pointing at the opponent, labelled with `symbol`."""
        shape = element("path", d=WEDGE, fill="#f3d9a4", stroke="#6b4f1d", stroke_width=3)
        words = text(symbol, 0, 25, font_size=52 if len(symbol) == 1 else 34, **_PRINT)
        turn = " rotate(180)" if owner else ""
        return element("g", shape + words, transform=self._at(x, y) + turn)

    def _at(self, x: float, y: float) -> str:
        """Return the transformation that moves a cell of size 100 to (x, y)."""
        return f"translate({x:.2f} {y:.2f}) scale({self.cell / 100:.3f})"

    def _chessman(self, owner: int, symbol: str, x: float, y: float) -> str:
        parts = []
        for part, path in CHESSMEN[symbol]:
            fill, stroke = _COLOURS[part][owner]
            width = _WIDTHS[part]
            parts.append(element("path", d=path, fill=fill, stroke=stroke, stroke_width=width))
        ends = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        letter = symbol if owner else symbol.upper()
        where = f"{self._at(x, y)} {PLACE}"
        return element("g", "".join(parts), class_=f"chessman {letter}", transform=where, **ends)


def full_lines(columns: int, rows: int) -> list[tuple[Cell, Cell]]:
    """Return the ends of the lines through all columns and all rows of a board."""
    upright = [((column, 0), (column, rows - 1)) for column in range(columns)]
    return upright + [((0, row), (columns - 1, row)) for row in range(rows)]
