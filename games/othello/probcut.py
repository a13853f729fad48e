"""What multi-ProbCut knows about shallow and deep searches."""
from __future__ import annotations

# depth: (depth of the shallow search, slope, offset, margin): the deep score is slope * shallow + offset +- margin.
CUTS = {}
