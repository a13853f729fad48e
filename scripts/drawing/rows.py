"""Pictures in rows: boards along lines of play, and the nodes of each depth of a search.

A line of play is a row of boards, each with the move that led to it and a text below; a depth of
iterative deepening is a bar with its nodes and its best move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.base import Position
from plyglot import Engine, Info
from protocol.records.san import move_words, read_any_move
from protocol.scores import points
from scripts.drawing.board import drawer, shown
from scripts.drawing.figure import FigureError
from scripts.drawing.svg import document, element, rect, text, text_of

SHOWS = ("evaluation", "key")
_CELL, _MARGIN, _GAP, _LINE = 18.0, 14.0, 56.0, 20.0
# The sizes of the bars.
_BAR, _LEFT, _LONGEST, _RIGHT = 24.0, 76.0, 420.0, 190.0


def strip(position: Position, lines: Sequence[Sequence[str]], show: str = "evaluation") -> str:
    """Return an SVG of the boards along each of the lines, which begin at `position`.

    lines: moves as people write them.
    show: the text below each board, one of SHOWS: the static evaluation for the first player,
    or the key of the position.
    Raise FigureError if the game has no board, GameError for an illegal move.
    """
    draws = drawer(position, _CELL)
    if draws is None:
        raise FigureError("this game has no boards to show")
    rows = [_row(position, line, show) for line in lines]
    wide, high = draws.size(rows[0][0][0])
    body, y = [], _MARGIN
    for row in rows:
        x = _MARGIN
        for number, (board, move, words) in enumerate(row):
            if number:
                body.append(_arrow(x - _GAP + 6, y + high / 2, x - 6))
                body.append(text(move, x - _GAP / 2, y + high / 2 - 8, class_="move"))
            body.append(draws.draw(board, x, y))
            body.append(text(words, x + wide / 2, y + high + _LINE - 4))
            x += wide + _GAP
        y += high + _LINE + _MARGIN
    longest = max(map(len, rows))
    width = 2 * _MARGIN + longest * wide + (longest - 1) * _GAP
    return document(width, y, "\n".join(body), text_of("rows.css"), "Lines of play", role="img")


def _row(position: Position, line: Sequence[str], show: str) -> list[tuple[Any, str, str]]:
    """Return [(board, move that led to it, text below)] along a line; restore the position."""
    row: list[tuple[Any, str, str]] = [(shown(position), "", _words(position, show))]
    played = 0
    try:
        for word in line:
            move = read_any_move(position, word)
            words = move_words(position, move)
            position.make(move)
            played += 1
            row.append((shown(position), words, _words(position, show)))
    finally:
        for _ in range(played):
            position.undo()
    return row


def _words(position: Position, show: str) -> str:
    if show == "key":
        return f"key {position.key:x}"[:14]
    value = position.evaluate()
    return points(value if position.side == 0 else -value, position.game)


def _arrow(left: float, y: float, right: float) -> str:
    head = f"M{right - 5:.1f} {y - 4:.1f}L{right:.1f} {y:.1f}L{right - 5:.1f} {y + 4:.1f}"
    return element("path", d=f"M{left:.1f} {y:.1f}H{right:.1f}{head}", class_="arrow")


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
        y = _MARGIN + number * _BAR
        wide = max(_LONGEST * nodes / most, 1.0)
        body += [
            text(f"depth {level}", _LEFT - 8, y + 15, class_="depth"),
            rect(_LEFT, y + 3, wide, _BAR - 8, class_="bar"),
            text(f"{nodes:,} nodes, best {move}", _LEFT + wide + 8, y + 15),
        ]
    width, height = _LEFT + _LONGEST + _RIGHT, 2 * _MARGIN + len(rows) * _BAR
    style = text_of("bars.css")
    return document(width, height, "\n".join(body), style, "Nodes of each depth", role="img")
