r"""A searched tree as TikZ, for papers and slides in LaTeX, with the same layout as the SVG.

The text is one tikzpicture that needs only \usepackage{tikz}; a pixel of the SVG is 0.75 pt.
"""

from __future__ import annotations

from scripts.drawing.figure import Item
from scripts.drawing.layout import TreeLayout
from scripts.drawing.picture import LookOf
from scripts.drawing.replay import Look
from scripts.drawing.svg import number, text_of

_SPECIAL = {
    **{char: "\\" + char for char in "{}$&#_%"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "\N{MINUS SIGN}": "$-$",
}


def escape(text: str) -> str:
    """Escape a text for LaTeX."""
    return "".join(_SPECIAL.get(char, char) for char in str(text))


def tikz(layout: TreeLayout, look: LookOf) -> str:
    """Return the tikzpicture of a drawing."""
    radius = str(number(0.37 * layout.height_of_node))
    parts = [text_of("tree.tex").replace("RADIUS", radius)]
    for item in layout.figure.items:
        parts += [_edge(layout, item, child, look(child)) for child in item.children]
    for item in layout.figure.items:
        parts.append(_node(layout, item, look(item)))
        side = " west" if item.children else ""
        parts += [_text(*text, side) for text in layout.texts(item, look(item))]
    parts += [_text(*text, " west") for text in layout.level_names()]
    return "".join(parts) + "\\end{tikzpicture}\n"


def _edge(layout: TreeLayout, parent: Item, child: Item, look: Look) -> str:
    way = " -- ".join(_point(x, y) for x, y in layout.ends(parent, child))
    drawn = f"\\path[edge, {look.state}] {way};\n"
    for stroke in layout.strikes(parent, child) if look.cut else ():
        drawn += f"\\path[strike] {_point(*stroke[:2])} -- {_point(*stroke[2:])};\n"
    return drawn


def _node(layout: TreeLayout, item: Item, look: Look) -> str:
    x, y = layout.places[item]
    size = "draw=none"
    if item.children:
        width, height = 0.75 * layout.width_of_node, 0.75 * layout.height_of_node
        size = f"minimum width={number(width)}pt, minimum height={number(height)}pt"
    styles = f"{item.kind}, {look.state}, {size}"
    return f"\\node[{styles}] at {_point(x, y)} {{{escape(look.value)}}};\n"


def _text(words: str, x: float, y: float, _: str, side: str) -> str:
    return f"\\node[small, anchor=base{side}] at {_point(x, y)} {{{escape(words)}}};\n"


def _point(x: float, y: float) -> str:
    return f"({number(float(x))}, {number(float(y))})"
