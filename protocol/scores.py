"""Results, as the protocols tell them."""
from __future__ import annotations


def result_of(outcome):
    """The result as all game records write it: 1 is the player who moves first."""
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
