"""What a score means for the result: win, draw and loss in permille, and how far off a proven win is."""
from __future__ import annotations

from games.base import MAX_SCORE, WIN

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


def held_decided(score, game):
    """Does the search think the game decided, without having proven it?"""
    return game.decided is not None and game.decided <= abs(score) <= MAX_SCORE


def mate_moves(score, position, line=()):
    """In how many of the winner's moves the game is decided, negative for the side that loses; None if it isn't.

    score: for the side to move in `position`.  Where a player may move several times in a row, `line`, played from
    there on, shows whose moves they are; beyond its end the players are taken to move in turn.
    """
    if abs(score) <= MAX_SCORE:
        return None
    plies = WIN - abs(score)
    shown = [] if position.game.alternates else list(line)[:plies]
    count = (plies - len(shown) + 1) // 2
    if shown:
        winner = position.side if score > 0 else 1 - position.side
        count = max(count + _moves_of(winner, position, shown), 1)
    return count if score > 0 else -count


def _moves_of(player, position, line):
    """How many moves of a line are the player's."""
    count = 0
    for move in line:
        count += position.side == player
        position.make(move)
    for _ in line:
        position.undo()
    return count
