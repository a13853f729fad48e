"""The chess pieces of all pictures and pages: drawings of our own, in chessmen.svg."""

from __future__ import annotations

import re

from scripts.drawing.svg import element, text_of

# Parts of a drawing: filled shapes, lines on them, and dots.
OUTLINE, DETAIL, EYE = "outline", "detail", "eye"

# The transformation that centres a drawing on a cell of size 100.
PLACE = "scale(2.43) translate(-22.5 -22.3)"

_PIECE = re.compile(r'<g id="(\w)".*?>(.*?)</g>', re.DOTALL)
_PART = re.compile(r'class="(\w+)" d="([^"]+)"')

# {letter: [(part, path)] in the order of drawing}
CHESSMEN: dict[str, list[tuple[str, str]]] = {
    letter: _PART.findall(drawing) for letter, drawing in _PIECE.findall(text_of("chessmen.svg"))
}

# For each part of White's and of Black's pieces: fill, stroke and stroke width.
_INK = "#1d1b19"
_COLOURS = {
    OUTLINE: (("#fdfaf3", _INK), ("#3a3735", _INK)),
    DETAIL: (("none", _INK), ("none", "#d9d3c8")),
    EYE: ((_INK, None), ("#e6e0d5", None)),
}
_WIDTHS = {OUTLINE: 1.4, DETAIL: 1.3, EYE: None}


def chessman(char: str, x: float, y: float, cell: float) -> str:
    """Return the piece of a FEN letter, centred on (x, y); cell: the side of its cell."""
    parts = []
    for part, path in CHESSMEN[char.lower()]:
        fill, stroke = _COLOURS[part][char.islower()]
        parts.append(element("path", d=path, fill=fill, stroke=stroke, stroke_width=_WIDTHS[part]))
    where = f"translate({x:.2f} {y:.2f}) scale({cell / 100:.3f}) {PLACE}"
    ends = {"stroke_linejoin": "round", "stroke_linecap": "round"}
    return element("g", "".join(parts), class_=f"chessman {char}", transform=where, **ends)
