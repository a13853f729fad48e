"""Scores in words, as GTP's front ends show them."""
from __future__ import annotations

from games.base import MAX_SCORE
from search.wdl import held_decided, mate_moves, wdl


def score_text(score, position, line=()):
    """A score as a number in whole units (discs, pawns; leaf values of a tree), or as a win or loss in N moves.

    Where a game is held decided without a proof: `winning` or `losing`.
    score: for the side to move in `position`.  line: the principal variation.
    """
    if abs(score) > MAX_SCORE:
        return f"{'win' if score > 0 else 'loss'} in {abs(mate_moves(score, position, line))}"
    if held_decided(score, position.game):
        return "winning" if score > 0 else "losing"
    return f"{score:+d}" if position.game.textbook else f"{score / 100:+.2f}"


def score_label(score, position, line=()):
    """The same in at most five characters, for a cell of the board."""
    letter = "W" if score > 0 else "L"
    if abs(score) > MAX_SCORE:
        return f"{letter}{abs(mate_moves(score, position, line))}"
    if held_decided(score, position.game):
        return letter
    return f"{score:+d}" if position.game.textbook else f"{score / 100:+.1f}"


def winrate(score, game):
    """The expected result, 0 to 1, a draw being a half."""
    win, draw, _ = wdl(score, game.win_scale)
    return (win + draw / 2) / 1000
