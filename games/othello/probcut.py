"""Multi-ProbCut (Buro 1997): predictions of deep searches by shallow ones.

The deep score is about `slope * shallow score + offset`, with errors of a known spread.
If the prediction lies THRESHOLD spreads beyond a bound, the deep search is skipped.
scripts/lab/othello_probcut.py fits the numbers to searches of the engine.
"""

from __future__ import annotations

from games.othello.patterns import CONSTANTS, STAGES, stage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Fit = tuple[int, float, int, tuple[int, ...]]

THRESHOLD = 1.0

# depth: (depth of the shallow search, slope, offset, spread of the errors by stage),
# in hundredths of a disc.
_FITS: dict[int, Fit] = {
    3: (1, 0.943, -42, (361, 303, 304, 295, 323, 360, 424, 458, 515, 515)),
    4: (2, 0.970, -11, (250, 238, 244, 259, 264, 372, 404, 461, 404, 404)),
    5: (1, 0.942, -33, (454, 391, 392, 394, 415, 447, 508, 549, 620, 620)),
    6: (2, 0.969, -11, (288, 279, 304, 335, 378, 440, 489, 523, 545, 545)),
    7: (3, 0.989, 22, (259, 245, 273, 299, 346, 416, 470, 507, 524, 524)),
    8: (4, 1.002, 28, (209, 213, 245, 265, 310, 386, 446, 485, 496, 496)),
}
# Searches deeper than the fits are predicted by one this much shallower, with the errors
# of the deepest fit.
_STEP = 4


def _fit(depth: int) -> Fit:
    if depth in _FITS:
        return _FITS[depth]
    last = max(known for known in _FITS if known <= depth and (depth - known) % 2 == 0)
    return (depth - _STEP, *_FITS[last][1:])


def _cuts(empties: int) -> dict[int, tuple[int, float, int, float]]:
    """Return {depth: (shallow depth, slope, offset, margin)} for a number of empty squares."""
    found = {}
    for depth in range(min(_FITS), CONSTANTS):
        shallow, slope, offset, spreads = _fit(depth)
        found[depth] = (shallow, slope, offset, THRESHOLD * spreads[stage_of(empties)])
    return found


_of_stage = [
    _cuts(next(e for e in range(CONSTANTS) if stage_of(e) == stage)) for stage in range(STAGES)
]
# CUTS[empties][depth]
CUTS = [_of_stage[stage_of(empties)] for empties in range(CONSTANTS)]
