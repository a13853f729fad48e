"""Choices at random, where the options ask for them."""
from __future__ import annotations


def varied(position, context):
    """One of the equally good opening moves of the position if `Variety` is on; else None."""
    if not context.options.get("Variety") or position.opening_moves is None:
        return None
    good = [move for move in position.opening_moves() if move in context.root_moves]
    return context.random.choice(good) if good else None
