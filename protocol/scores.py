"""Scores and results, as the protocols tell them."""
from __future__ import annotations

from games.base import MAX_SCORE, WIN


def mate_moves(score):
    """In how many of the winner's moves the game is decided, negative for the side that loses; None if it isn't."""
    if abs(score) <= MAX_SCORE:
        return None
    count = (WIN - abs(score) + 1) // 2
    return count if score > 0 else -count


def result_of(outcome):
    """The result as all game records write it: 1 is the player who moves first."""
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
