"""The chess pieces of all pictures and pages: drawings of our own, as SVG paths."""

from __future__ import annotations

from scripts.drawing.svg import element

# Parts of a drawing: filled shapes, lines on them, and dots.
OUTLINE, DETAIL, EYE = "outline", "detail", "eye"

# The transformation that centres a drawing on a cell of size 100.
PLACE = "scale(2.43) translate(-22.5 -22.3)"

_BASE = "M11.5 39.5h22v-3.2c0-1.6-1.2-2.8-2.8-2.8H14.3c-1.6 0-2.8 1.2-2.8 2.8z"


def _man(outline: str, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the drawing of a piece on its base: [(part, path)] in the order of drawing."""
    return [(OUTLINE, outline), (OUTLINE, _BASE), *more]


# {letter: drawing}
CHESSMEN: dict[str, list[tuple[str, str]]] = {
    "p": _man(
        "M22.5 8.2a5.6 5.6 0 0 1 3.4 10h2.6v2.6h-2.3c.3 5.2 2.2 9 5 12.2H13.8"
        "c2.8-3.2 4.7-7 5-12.2h-2.3v-2.6h2.6a5.6 5.6 0 0 1 3.4-10z",
    ),
    "r": _man(
        "M12.3 8.5h4.9v3.2h3V8.5h4.6v3.2h3V8.5h4.9v8.3l-3.4 3v10.4l2.4 3.3H13.3"
        "l2.4-3.3V19.8l-3.4-3z",
        (DETAIL, "M15.8 20h13.4M15.6 30.3h13.8"),
    ),
    "n": _man(
        "M13.6 33.5c-.4-6.6 3.6-9.1 7.6-12.7-2.7.1-4.4 1.1-6.6 2.4-2 1.2-5.3.5-5.7-2.4"
        "-.3-2 3.6-6.9 5.3-9.7.6-1 .5-2.9.7-5.3l4.1 3c7.4.1 13.1 6.3 13.1 15.3 0 3.6-.5"
        " 6.7-1.2 9.4z",
        (DETAIL, "M19 23.5c3-.6 4.7-2.3 5.6-4.5"),
        (EYE, "M17.6 13.4a1.2 1.2 0 1 1 0 2.4a1.2 1.2 0 1 1 0-2.4z"),
    ),
    "b": _man(
        "M22.5 5.2a2.7 2.7 0 0 1 1.7 4.8c4 3.6 6.7 7.5 6.7 11.5 0 3.2-1.5 5.3-3.8 6.9"
        "l1.5 5.1H16.4l1.5-5.1c-2.3-1.6-3.8-3.7-3.8-6.9 0-4 2.7-7.9 6.7-11.5"
        "a2.7 2.7 0 0 1 1.7-4.8z",
        (DETAIL, "M22.5 15v8M18.7 18.8h7.6M17.9 28.4h9.2"),
    ),
    "q": _man(
        "M8.3 11.3a2.5 2.5 0 1 1 2.9 2.4l4.5 7.3 1.3-11.3a2.5 2.5 0 1 1 2.5-.5l3 10.3"
        " 3-10.3a2.5 2.5 0 1 1 2.5.5l1.3 11.3 4.5-7.3a2.5 2.5 0 1 1 2 .5L32.2 29l1 4.5"
        "H11.8l1-4.5L9.2 13.7a2.5 2.5 0 0 1-.9-2.4z",
        (DETAIL, "M13 29.2c6-1.7 13-1.7 19 0"),
    ),
    "k": _man(
        "M21.2 4h2.6v2.6h2.7v2.6h-2.7v3.2c1.9.5 3 1.9 3 3.6 0 .6-.1 1.1-.3 1.6 4.9-2.5"
        " 10.4-.3 10.9 4.4.4 3.6-1.6 6.9-4.6 9.3v2.2H12.2v-2.2c-3-2.4-5-5.7-4.6-9.3"
        ".5-4.7 6-6.9 10.9-4.4-.2-.5-.3-1-.3-1.6 0-1.7 1.1-3.1 3-3.6V9.2h-2.7V6.6h2.7z",
        (DETAIL, "M12.4 30.4c6-1.8 14.2-1.8 20.2 0M22.5 19.5v7.5"),
    ),
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
