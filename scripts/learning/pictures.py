"""Pictures of a training run: its curve, and the value of a piece on each cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from games.learned.patterns import BOARD, Layout
from scripts.drawing.svg import document, element, line, rect, text
from scripts.learning.learner import Learner

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640.0, 300.0, 54.0, 54.0, 30.0, 42.0
_SCORE, _ERROR = "#1c5d99", "#c0392b"
_STYLE = "text { font-family: sans-serif; font-size: 12px; fill: #333333 }"
_CELL, _GAP, _HEAD = 44.0, 30.0, 46.0
# Maximum number of symbols; more would be unreadable.
_MOST_SYMBOLS = 12


def curve(points: Sequence[tuple[int, float, float]], title: str) -> str:
    """Return the learning curve as SVG: score against no evaluation, and error, over games."""
    first, last = math.log(points[0][0]), math.log(max(points[-1][0], points[0][0] + 1))
    highest = max(max(error for _, error, _ in points), 1e-9)

    def x(games: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (math.log(games) - first) / (last - first)

    def y(share: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    parts = [text(title, _LEFT, 18.0)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        at, right = y(share), _WIDTH - _RIGHT
        score, error = f"{100 * share:.0f} %", f"{highest * share:.2f}"
        parts += [
            line(_LEFT, at, right, at, stroke="#bbbbbb", stroke_width=0.6),
            text(score, _LEFT - 6, at + 4, text_anchor="end", style=f"fill: {_SCORE}"),
            text(error, right + 6, at + 4, style=f"fill: {_ERROR}"),
        ]
    parts += [
        text(games, x(games), _HEIGHT - _BOTTOM + 18, text_anchor="middle")
        for games, _, _ in points[:: max(len(points) // 6, 1)]
    ]
    parts.append(text("games; blue: score against no evaluation, red: error", _LEFT, _HEIGHT - 6))
    scores = [(games, score) for games, _, score in points]
    errors = [(games, error / highest) for games, error, _ in points]
    for colour, heights in ((_SCORE, scores), (_ERROR, errors)):
        path = " ".join(f"{x(games):.1f},{y(height):.1f}" for games, height in heights)
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width=2.0))
    return document(_WIDTH, _HEIGHT, "".join(parts), _STYLE, title)


def weights(learner: Learner, title: str) -> str:
    """Return the value of each symbol on each cell for the first player, as SVG.

    Each phase has a row of boards.

    A cell's number is a sum over patterns, in hundredths: the mean of the weights that show
    the symbol there, weighted by their training, minus the mean over all symbols.  100 more
    turn an expected result of 0 into tanh(1), or a margin of 0 into the usual one.
    """
    layout = learner.network.layout
    symbols = list(range(layout.base))[:_MOST_SYMBOLS]
    worth = [_worth(learner, phase) for phase in range(layout.phases)]
    sizes = [abs(number) for phase in worth for row in phase for number in row]
    highest = max(sizes, default=0.0) or 1.0
    wide, high = layout.columns * _CELL, layout.rows * _CELL
    parts = [text(title, _GAP, 18.0)]
    for phase, table in enumerate(worth):
        for place, symbol in enumerate(symbols):
            left, top = _GAP + place * (wide + _GAP), _HEAD + phase * (high + _GAP)
            parts.append(text(_name(layout, symbol, phase), left, top - 6))
            parts += [
                _cell(layout, cell, table[cell][symbol], highest, left, top)
                for cell in range(layout.cells)
            ]
    width = _GAP + len(symbols) * (wide + _GAP)
    height = _HEAD + layout.phases * (high + _GAP)
    return document(width, height, "".join(parts), _STYLE, title)


def _name(layout: Layout, symbol: int, phase: int) -> str:
    what = "cell" if layout.kind == BOARD else "number"
    name = f"{what} {layout.symbols[symbol]}"
    return f"{name}, phase {phase + 1}" if layout.phases > 1 else name


def _cell(layout: Layout, cell: int, number: float, highest: float, left: float, top: float) -> str:
    row, column = divmod(cell, layout.columns)
    x, y = left + column * _CELL, top + (layout.rows - 1 - row) * _CELL
    colour = _SCORE if number > 0 else _ERROR
    how = {"fill_opacity": f"{min(abs(number) / highest, 1.0):.2f}", "stroke": "#888888"}
    box = rect(x, y, _CELL, _CELL, fill=colour, **how, stroke_width=0.5)
    return box + text(f"{100 * number:.0f}", x + _CELL / 2, y + _CELL / 2 + 4, text_anchor="middle")


def _worth(learner: Learner, phase: int) -> list[list[float]]:
    """Return the value of each code on each cell in a phase, for the first player to move."""
    layout = learner.network.layout
    base, weights, sizes = layout.base, learner.network.phases[phase], learner.sizes[phase]
    worth = [[0.0] * base for _ in range(layout.cells)]
    for pattern, numbers in zip(layout.patterns, learner.network.tables[0]):
        for place, cell in enumerate(reversed(pattern)):
            step = base**place
            sums, counts = [0.0] * base, [0.0] * base
            for content, number in enumerate(numbers):
                code = content // step % base
                sums[code] += weights[number] * sizes[number]
                counts[code] += sizes[number]
            mean = sum(sums) / (sum(counts) or 1.0)
            for code in range(base):
                if counts[code]:
                    worth[cell][code] += sums[code] / counts[code] - mean
    return worth
