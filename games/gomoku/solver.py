"""The root's solver: a win by continuous fours or threats, proven before the main search begins."""
from __future__ import annotations

from itertools import count

from games.base import WIN, Line
from games.gomoku.fours import Fours
from games.gomoku.pick import Pick
from games.gomoku.threes import Threes

# Fours tried in one attempt after the other, and moves tried in each slice of the search of threats.
_FOURS = (250, 500, 1000, 2000, 4000)
_SLICE = 50
# The share of the planned time or nodes that it may take; with neither, so many slices for each ply asked for.
_SHARE = 0.2
_SLICES_PER_PLY, _MOST_SLICES = 5, 40
_LONGEST = 30


def solve(field, context):
    """Yield the proven win of the side to move, if one is found, as a Line; see search/context.py.

    Nothing is yielded where several moves are asked for, or where the winning move is not to be considered.
    """
    if context.options.get("MultiPV", 1) > 1:
        return
    field.begin(context.check)
    budget, line = context.budget(_SHARE), _fours(field, context.budget(_SHARE / 2))
    if line is None and not field.fives(1 - field.side, field.packed):
        line = _threats(field, context, budget)
    context.nodes = field.count[0]
    if line and line[0] in context.root_moves:
        yield Line(WIN - len(line), line, len(line), exact=True)


def _fours(field, budget):
    """Ever larger attempts until half the share is spent: each takes about as long as all before it."""
    vcf, line = Fours(field), None
    for fours in _FOURS:
        line = vcf.shortest(field.side, field.packed, field.key, fours) or line
        if not vcf.exhausted() or budget.spent(field.count[0]):
            break
    return line


def _threats(field, context, budget):
    """Search slice by slice, while there is time."""
    threes = Threes(field, Fours(field), Pick(field))
    asked_for = min((context.limits.depth or _MOST_SLICES) * _SLICES_PER_PLY, _MOST_SLICES)
    for _ in count() if budget.bounded else range(asked_for + 1):
        before = field.count[0]
        line = threes.win(field.side, field.packed, field.key, _LONGEST, _SLICE)
        # A slice that tried nothing met only what is known to fail: there is no more to find.
        if line or not threes.cut or field.count[0] == before or budget.spent(field.count[0]):
            return line
    return None
