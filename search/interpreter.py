"""What an interpreter should know before it runs a search."""
from __future__ import annotations

import sys

# All of its optimizations but "unroll", which compiles the first round of each loop apart from the others.  Loops
# over the moves of a node are left after a few rounds, and each of their many exits would be compiled twice.
_OPTIMIZATIONS = "intbounds:rewrite:virtualize:string:pure:earlyforce:heap"


def tune():
    """Have PyPy compile as suits searches, from now on; nothing on other interpreters."""
    if sys.implementation.name != "pypy":
        return
    try:
        from pypyjit import set_param

        set_param("enable_opts=" + _OPTIMIZATIONS)
    except (ImportError, ValueError):
        pass        # built without its compiler, or with another one: slower, but as good
