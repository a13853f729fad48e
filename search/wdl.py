"""What a score means for the result: win, draw and loss in permille."""
from __future__ import annotations

from games.base import MAX_SCORE

# The share of draws between equal sides at a level score.
_DRAWS = 0.4


def wdl(score, win_scale):
    """(win, draw, loss) in permille, together 1000, for the side that has `score`.

    The expected score is the logistic curve that gives 3/4 at win_scale; draws fade as it leaves 1/2.
    """
    if abs(score) > MAX_SCORE:
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    ratio = max(-20.0, min(20.0, score / win_scale))
    expected = 1.0 / (1.0 + 3.0 ** -ratio)
    draw = _DRAWS * 4.0 * expected * (1.0 - expected)
    win = round(1000 * max(0.0, expected - draw / 2))
    loss = round(1000 * max(0.0, 1.0 - expected - draw / 2))
    return win, 1000 - win - loss, loss
