"""Iterative deepening as bars: the nodes and the best move of each depth of a search."""

from __future__ import annotations

from plyglot import Engine, Info
from scripts.drawing.svg import document, element, text

_STYLE = """
text { font-family: Georgia, 'DejaVu Serif', 'Times New Roman', serif; font-size: 13px; \
fill: #1a1a1a; }
.bar { fill: #7aa5d6; stroke: #1c5d99; }
.depth { text-anchor: end; }
"""
_ROW, _LEFT, _LONGEST, _RIGHT, _MARGIN = 24.0, 76.0, 420.0, 190.0, 14.0


def deepening(game: str, position: str, depth: int) -> str:
    """Return an SVG with a bar for each depth that the engine searched, up to `depth`."""
    found: dict[int, tuple[int, str]] = {}
    heard: list[Info] = []
    with Engine(game=game) as engine:
        engine.position(position)
        engine.go(depth=depth, on_info=heard.append)
        for info in heard:
            if info.depth and info.nodes and info.pv:
                found[info.depth] = info.nodes, info.pv[0]
    rows, before = [], 0
    for level, (nodes, move) in sorted(found.items()):
        rows.append((level, nodes - before, move))
        before = nodes
    most = max(nodes for _, nodes, _ in rows)
    body = []
    for number, (level, nodes, move) in enumerate(rows):
        y = _MARGIN + number * _ROW
        wide = max(_LONGEST * nodes / most, 1.0)
        body += [
            text(f"depth {level}", _LEFT - 8, y + 15, class_="depth"),
            element("rect", x=_LEFT, y=y + 3, width=wide, height=_ROW - 8, class_="bar"),
            text(f"{nodes:,} nodes, best {move}", _LEFT + wide + 8, y + 15),
        ]
    return document(
        _LEFT + _LONGEST + _RIGHT,
        2 * _MARGIN + len(rows) * _ROW,
        "\n".join(body),
        _STYLE,
        "Nodes of each depth",
        role="img",
    )
