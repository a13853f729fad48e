r"""A searched tree as TikZ, for papers and slides in LaTeX, with the same layout as the SVG.

The text is one tikzpicture that needs only \usepackage{tikz}; a pixel of the SVG is 0.75 pt.
"""

from __future__ import annotations

from scripts.drawing.figure import Item, Snapshot
from scripts.drawing.picture import Picture
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


def tikz(picture: Picture, snapshot: Snapshot) -> str:
    """Return the tikzpicture of a snapshot of a Picture."""
    radius = str(number(0.37 * picture.height_of_node))
    parts = [text_of("tree.tex").replace("RADIUS", radius)]
    line = set(snapshot.line)
    for item in picture.figure.items:
        parts += [_edge(picture, item, child, snapshot, child in line) for child in item.children]
    for item in picture.figure.items:
        parts.append(_node(picture, item, snapshot, item in line))
        parts += map(_text, picture.captions(item, snapshot))
    parts += map(_text, picture.level_names())
    return "".join(parts) + "\\end{tikzpicture}\n"


def _edge(picture: Picture, parent: Item, child: Item, snapshot: Snapshot, on_line: bool) -> str:
    ends = picture.ends(parent, child)
    state = picture.state(child, snapshot, on_line).replace(" current", "")
    style = "edge" + state.replace(" ", ", ")
    drawn = f"\\path[{style}] {_point(*ends[:2])} -- {_point(*ends[2:])};\n"
    for stroke in picture.strikes(*ends) if child in snapshot.cut else ():
        drawn += f"\\path[strike] {_point(*stroke[:2])} -- {_point(*stroke[2:])};\n"
    return drawn


def _node(picture: Picture, item: Item, snapshot: Snapshot, on_line: bool) -> str:
    x, y = picture.place(item)
    kind = ("max" if item.maximises else "min") if item.children else ""
    style = (kind + picture.state(item, snapshot, on_line).replace(" ", ", ")).strip(", ")
    size = "draw=none"
    if kind:
        width, height = 0.75 * picture.width_of_node, 0.75 * picture.height_of_node
        size = f"minimum width={number(width)}pt, minimum height={number(height)}pt"
    words = escape(snapshot.node_words(item))
    styles = f"{style}, {size}" if style else size
    return f"\\node[{styles}] at {_point(x, y)} {{{words}}};\n"


def _text(caption: tuple[str, float, float, str]) -> str:
    words, x, y, _ = caption
    return f"\\node[small, anchor=base west] at {_point(x, y)} {{{escape(words)}}};\n"


def _point(x: float, y: float) -> str:
    return f"({number(float(x))}, {number(float(y))})"
