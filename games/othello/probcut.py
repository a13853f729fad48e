"""Multi-ProbCut (Buro 1997): what a shallow search foretells of a deep one.

The deep score is about `slope * shallow score + offset`, with errors of a known spread.  Where the shallow score
lies THRESHOLD spreads beyond a bound, the deep search is left out.  scripts/othello_probcut.py fits the numbers on
searches of our own.
"""
from __future__ import annotations

from games.othello.patterns import CONSTANTS, STAGES, stage_of

THRESHOLD = 1.3

# depth: (depth of the shallow search, slope, offset, spread of the errors by stage), in hundredths of a disc.
_FITS = {
    3: (1, 1.051, -43, (129, 129, 153, 170, 186, 239, 328, 359, 445, 445)),
    4: (2, 1.071, 59, (93, 93, 110, 145, 174, 251, 276, 294, 302, 302)),
    5: (1, 1.100, -30, (133, 133, 192, 217, 252, 372, 496, 546, 644, 644)),
    6: (2, 1.162, 113, (150, 150, 169, 214, 253, 379, 432, 468, 494, 494)),
}
# Deeper searches than were fitted are foretold by one this much shallower, with the errors of the deepest fit.
_STEP = 4
_DEEPEST = 40


def _fit(depth):
    if depth in _FITS:
        return _FITS[depth]
    last = max(known for known in _FITS if known <= depth and (depth - known) % 2 == 0)
    return (depth - _STEP,) + _FITS[last][1:]


def _cuts(empties):
    """{depth: (shallow depth, slope, offset, margin)} for positions with so many empty squares."""
    found = {}
    for depth in range(min(_FITS), _DEEPEST):
        shallow, slope, offset, spreads = _fit(depth)
        found[depth] = (shallow, slope, offset, THRESHOLD * spreads[stage_of(empties)])
    return found


_of_stage = [_cuts(next(e for e in range(CONSTANTS) if stage_of(e) == stage)) for stage in range(STAGES)]
# CUTS[empties][depth]
CUTS = [_of_stage[stage_of(empties)] for empties in range(CONSTANTS)]
