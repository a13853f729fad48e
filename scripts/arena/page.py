"""The table of a tournament as one HTML page that needs nothing else."""
from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.arena import standings as tables
from scripts.command_line import clean
from scripts.drawing.svg import escape

if TYPE_CHECKING:
    from scripts.arena.standings import Standings

_STYLE = """
body { font-family: Georgia, 'DejaVu Serif', serif; color: #1f2328;
       margin: 2em auto; max-width: 70em; padding: 0 1em; }
h1 { font-size: 1.4em; } p, li { color: #59636e; }
table { border-collapse: collapse; } th, td { padding: .25em .7em; text-align: right; }
th:nth-child(2), td:nth-child(2) { text-align: left; } tr + tr td { border-top: 1px solid #d8dee4; }
td.cell { text-align: center; } td.self { background: #d8dee4; }
"""
# The colours of a score against one opponent, from lost to won.
_LOST, _EVEN, _WON = (246, 196, 190), (245, 245, 245), (190, 226, 190)


def page(standings: Standings, title: str) -> str:
    """The HTML text; title: what is played, in words."""
    rows = tables.rows(standings)
    first = len(rows[0]) - len(standings.names)         # of the cells against one opponent each
    body = "".join(
        f"<tr>{''.join(_cell(text, column >= first) for column, text in enumerate(row))}</tr>\n"
        for row in rows[1:])
    head = "".join(f"<th>{escape(text)}</th>" for text in rows[0])
    lines = "".join(f"<li>{escape(clean(line))}</li>\n" for line in tables.last_lines(standings))
    title, count = escape(clean(str(title))), standings.count
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{count} games</p>\n"
        f"<table>\n<tr>{head}</tr>\n{body}</table>\n<ul>\n{lines}</ul>\n</body>\n</html>\n")


def _cell(text: str, against: bool) -> str:
    """A cell; against: it has the points against one opponent, as `1.5/2`, or `x` for the
    player himself.
    """
    text = clean(text)
    if not against or text == ".":
        return f"<td>{escape(text)}</td>"
    if text == "x":
        return '<td class="cell self"></td>'
    points, games = map(float, text.split("/"))
    return f'<td class="cell" style="background: rgb{_shade(points / games)}">{escape(text)}</td>'


def _shade(share: float) -> tuple[int, ...]:
    """The colour of a share of the points, 0 to 1."""
    low, high, part = (_LOST, _EVEN, 2 * share) if share < 0.5 else (_EVEN, _WON, 2 * share - 1)
    return tuple(round(one + (other - one) * part) for one, other in zip(low, high))

