"""What an interpreter should know before it runs a search."""
from __future__ import annotations

import sys

# All of its optimizations but "unroll", which compiles the first round of each loop apart from the others.  Loops
# over the moves of a node are left after a few rounds, and each of their many exits would be compiled twice.
_OPTIMIZATIONS = "intbounds:rewrite:virtualize:string:pure:earlyforce:heap"

# CPython 3.11 and later keep the frames of calls in pieces of 16 KB, ask the operating system for the next one when a
# call finds no room, and give it back on return.  A search that goes up and down at such a border does that again and
# again.  A frame of this many slots (8 bytes each; untouched, they cost nothing) makes the piece one of half a megabyte,
# and leaves half of that to the frames above it.
_SLOTS = 33_000


def run(search):
    """search(), as this interpreter runs it fastest."""
    _tune()
    return _with_room(search)


def _with_room(search):
    return search()


if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
    _with_room.__code__ = _with_room.__code__.replace(co_stacksize=_SLOTS)


def _tune():
    """Have PyPy compile as suits searches, from now on."""
    if sys.implementation.name != "pypy":
        return
    try:
        from pypyjit import set_param

        set_param("enable_opts=" + _OPTIMIZATIONS)
    except (ImportError, ValueError):
        pass        # built without its compiler, or with another one: slower, but as good
