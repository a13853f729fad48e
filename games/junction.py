"""Where the paths through a long loop's body meet again, for PyPy's sake.

PyPy compiles each path through the body of a loop apart, up to where the loop turns.  Behind dozens of branches there
are thousands of paths, most of them too rare ever to be compiled.  Where an inner loop turns they meet: what follows
is compiled once for all of them.  So

    for _ in JUNCTION:
        pass

between the parts of a body that branch much makes PyPy 1.4 times as fast at chess.  Others hardly see it.
"""
from __future__ import annotations

import sys

JUNCTION = (None,) * 8 if sys.implementation.name == "pypy" else ()
