"""What the rules and the search of Gomoku share with the front ends: kinds of wins, and the score of a won game."""
from __future__ import annotations

# How many in a row win, for each player in turn.
EXACTLY_FIVE = "exactly five"
FIVE_OR_MORE = "five or more"


# The score of a game that the search holds decided though it has not seen the end: a hundred points, beyond every
# evaluation.  A decision further down counts a little less for each ply, at most MOST_PLIES of them.
NEARLY_DECIDED = 10_000
MOST_PLIES = 400
