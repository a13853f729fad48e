"""Multi-ProbCut (Buro 1997): what a shallow search predicts of a deep one.

The deep score is about `slope * shallow score + offset`, with errors of a known
spread.  Where the shallow score lies THRESHOLD spreads beyond a bound, the deep
search is left out.  scripts/lab/othello_probcut.py fits the numbers on searches of
our own.
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
    3: (1, 0.965, -46, (222, 248, 263, 311, 346, 407, 458, 502, 548, 548)),
    4: (2, 0.996, 54, (175, 214, 239, 271, 294, 390, 407, 457, 457, 457)),
    5: (1, 0.971, -62, (301, 341, 366, 417, 453, 489, 527, 554, 618, 618)),
    6: (2, 1.008, 83, (236, 284, 322, 363, 411, 452, 476, 488, 491, 491)),
    7: (3, 1.004, -21, (244, 286, 311, 335, 368, 427, 494, 539, 589, 589)),
    8: (4, 1.021, 43, (190, 247, 271, 294, 336, 401, 465, 502, 532, 532)),
}
# Deeper searches than were fitted are predicted by one this much shallower, with the
# errors of the deepest fit.
_STEP = 4
_DEEPEST = 40


def _fit(depth: int) -> Fit:
    if depth in _FITS:
        return _FITS[depth]
    last = max(known for known in _FITS if known <= depth and (depth - known) % 2 == 0)
    return (depth - _STEP, *_FITS[last][1:])


def _cuts(empties: int) -> dict[int, tuple[int, float, int, float]]:
    """{depth: (shallow depth, slope, offset, margin)} for so many empty squares."""
    found = {}
    for depth in range(min(_FITS), _DEEPEST):
        shallow, slope, offset, spreads = _fit(depth)
        found[depth] = (shallow, slope, offset, THRESHOLD * spreads[stage_of(empties)])
    return found


_of_stage = [_cuts(next(e for e in range(CONSTANTS) if stage_of(e) == stage))
             for stage in range(STAGES)]
# CUTS[empties][depth]
CUTS = [_of_stage[stage_of(empties)] for empties in range(CONSTANTS)]
