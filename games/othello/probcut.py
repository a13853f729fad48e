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
    3: (1, 0.977, -85, (220, 273, 298, 343, 356, 400, 424, 449, 456, 456)),
    4: (2, 0.987, 123, (222, 279, 298, 288, 287, 407, 442, 488, 488, 488)),
    5: (1, 0.991, -80, (222, 312, 377, 432, 437, 506, 541, 594, 578, 578)),
    6: (2, 0.986, 140, (301, 327, 337, 356, 391, 474, 547, 581, 615, 615)),
    7: (3, 1.007, 22, (165, 285, 308, 367, 373, 433, 503, 550, 634, 634)),
    8: (4, 1.008, 33, (167, 243, 284, 335, 354, 404, 479, 521, 609, 609)),
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
