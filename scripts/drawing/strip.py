"""Lines of play as rows of boards, each with the move that led to it and a text below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.base import Position
from protocol.records.san import move_words, read_any_move
from protocol.scores import points
from scripts.drawing.board import drawer, shown
from scripts.drawing.figure import FigureError
from scripts.drawing.svg import document, element, text, text_of

SHOWS = ("evaluation", "key")
_CELL, _MARGIN, _GAP, _LINE = 18.0, 14.0, 56.0, 20.0


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
    return document(width, y, "\n".join(body), text_of("strip.css"), "Lines of play", role="img")


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
