"""The solver's scores, and which of its tables they go to.

A score is Pascal Pons': positive if the side to move wins, by the number of stones that the winner has left
when his line is complete, plus one (1: he wins with his last stone, 2: with the one before it); 0 for a draw.
"""
from __future__ import annotations

from games.base import WIN

# Scores that say who wins and not when, for the book alone; they fit into a table's entry as the others do.
WON, LOST = 41, -22

# With so many empty cells or more a position and its mirror image share one entry; later they hardly ever meet.
MIRROR_FROM = 31
# With so many empty cells or more a position goes into the large table.  Later ones, the bulk of all, go into one of
# NEAR_MEGABYTES, which stays in the processor's cache: that makes the search a third faster on PyPy.
FAR_FROM = 11
NEAR_MEGABYTES = 0.5


def plies_to_end(score, left):
    """Plies until a game of this score ends, with `left` empty cells now."""
    if score > 0:
        return 2 * (left + 1 >> 1) + 1 - 2 * score
    if score < 0:
        return 2 * (left >> 1) + 2 + 2 * score
    return left


def least_winning_within(plies, left):
    """The least score of a win that is complete after at most `plies` plies, with `left` empty cells now."""
    return max(1, (left + 1 >> 1) - (plies - 1 >> 1))


def score_bounds(score, left):
    """(least, most) that a score of a position with `left` empty cells stands for, WON and LOST included."""
    if score == WON:
        return 1, left + 1 >> 1
    if score == LOST:
        return -(left >> 1), -1
    return score, score


def to_engine(score, left):
    """The score in the unit of games/base.py."""
    if score == 0:
        return 0
    value = WIN - plies_to_end(score, left)
    return value if score > 0 else -value
