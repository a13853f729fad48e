"""What an interpreter should know before it runs a search."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Result = TypeVar("Result")

# PyPy compiles each path through the body of a loop apart, calls included, up to where
# the loop turns.  A search's loop over the moves of a node branches dozens of times and
# calls itself: far too many paths.  So calls stay calls here, instead of becoming part
# of a path ("unroll").  Of the fewer paths more are compiled: those taken 100 times
# instead of 200 ("eagerness"), and half as much of that is forgotten at each of the
# many small collections of garbage ("decay").
_PARAMETERS = (
    "threshold=1039,function_threshold=1619,max_unroll_recursion=0,trace_eagerness=100,decay=20"
)

# PyPy stands still while it compiles a path or collects garbage, for up to some
# hundredths of a second.  Near its deadline, so many seconds or such a share of its
# time before, a search begins no more of that; what was compiled until then still runs.
_NO_MORE = "threshold=1000000000,function_threshold=1000000000,trace_eagerness=1000000000"
_PAUSE, _PAUSE_SHARE = (0.06, 0.6) if sys.implementation.name == "pypy" else (0.0, 0.0)

# CPython frees what a search leaves behind as it goes; to look for cycles besides costs
# a tenth of a search's time.  Interpreters without reference counts would fill new
# memory all the time, which costs a third of the speed.
_COUNTS_REFERENCES = sys.implementation.name == "cpython"

# CPython 3.11 and later keep the frames of calls in pieces of 16 KB, ask the operating
# system for the next one when a call finds no room, and give it back on return.  A
# search that goes up and down at such a border does that again and again.  A frame of
# this many slots (8 bytes each; untouched, they cost nothing) makes the piece one of
# half a megabyte, and leaves half of that to the frames above it.
_SLOTS = 33_000


def run(search: Callable[[], Result]) -> Result:
    """search(), as this interpreter runs it fastest."""
    _tune()
    return _with_room(search)


def _with_room(search: Callable[[], Result]) -> Result:
    return search()


if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
    _with_room.__code__ = _with_room.__code__.replace(co_stacksize=_SLOTS)


def is_close(left: float, whole: float) -> bool:
    """Is a search so close to its deadline that the interpreter should avoid pauses?

    left: seconds until then, of `whole`.
    """
    return left < _PAUSE and left < whole * _PAUSE_SHARE


def begin() -> None:
    """Look for no cycles while a search runs, if references are counted."""
    if _COUNTS_REFERENCES:
        gc.disable()


def avoid_pauses() -> None:
    """Have nothing compiled and no garbage collected until allow_pauses()."""
    _set_parameters(_NO_MORE)
    gc.disable()


def allow_pauses() -> None:
    """Have code compiled, as suits searches on PyPy, and garbage collected again."""
    _tune()
    gc.enable()


def collect() -> None:
    """Free what a search that is over has left behind, without a look at what is older.

    A search is functions that hold themselves, which no count of references frees.  They
    were made while nothing was collected, and those that an earlier call found still in
    use are a generation older.
    """
    if _COUNTS_REFERENCES:
        gc.collect(1)


def _tune() -> None:
    _set_parameters(_PARAMETERS)


def _set_parameters(parameters: str) -> None:
    if sys.implementation.name != "pypy":
        return
    try:
        from pypyjit import set_param  # type: ignore[import-not-found]  # PyPy alone has it

        set_param(parameters)
    except (ImportError, ValueError):
        pass  # built without its compiler, or with another one: slower, but as good
