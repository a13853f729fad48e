"""The process that searches: settings of its interpreter, its stdout, reports of its bugs."""

from __future__ import annotations

import errno
import gc
import os
import sys
import threading

from games import notices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, TypeVar

    Result = TypeVar("Result")

# PyPy compiles each path through the body of a loop separately, together with the functions that
# are called on the path.  A search's loop over the moves of a node branches dozens of times and
# calls the search again, which makes far too many paths.  So recursive calls are not inlined
# ("unroll").  More of the remaining paths are compiled: after 100 uses, not 200 ("eagerness").
# Each of the many small garbage collections lowers the counts of uses, but here by half as much
# as usual ("decay").
_PARAMETERS = (
    "threshold=1039,function_threshold=1619,max_unroll_recursion=0,trace_eagerness=100,decay=20"
)

# PyPy pauses for up to a few hundredths of a second while it compiles a path or collects
# garbage.  Both are suspended in the last _PAUSE seconds of a search, or in the last _PAUSE_SHARE
# of its time if that is less; code already compiled still runs.
_NO_MORE = "threshold=1000000000,function_threshold=1000000000,trace_eagerness=1000000000"
_PAUSE, _PAUSE_SHARE = (0.06, 0.6) if sys.implementation.name == "pypy" else (0.0, 0.0)
# A search shorter than this number of seconds avoids pauses from its start.
_SHORT = 0.005

# CPython frees a search's garbage as it goes; collecting cycles as well costs a tenth of
# the search's time.  Interpreters without reference counts have to collect: otherwise they fill new
# memory all the time, which costs a third of the speed.
_COUNTS_REFERENCES = sys.implementation.name == "cpython"

_dropped = False  # were old objects dropped since the last collect()?

# CPython 3.11 and later allocate the frames of calls in chunks of 16 KB, request the next chunk
# from the system when a call doesn't fit, and return it when the call ends.  A search whose calls
# cross the end of a chunk again and again would lose time each time.  So a search runs above a
# frame of this many slots, for which Python gets a chunk of half a megabyte; half of this chunk is
# left for the search's frames.  (A slot has 8 bytes; untouched slots cost nothing.)
_SLOTS = 33_000


def run(search: Callable[[], Result], seconds: float) -> Result:
    """Run search() in the way that is fastest on this interpreter, and return its result.

    seconds: time until the search's deadline.
    """
    if seconds < _SHORT:
        avoid_pauses()
    else:
        allow_compiling()
    return _with_room(search)


def _with_room(search: Callable[[], Result]) -> Result:
    return search()


if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
    _with_room.__code__ = _with_room.__code__.replace(co_stacksize=_SLOTS)


def is_close(seconds_left: float, seconds_in_all: float) -> bool:
    """Is a search so close to its deadline that the interpreter should avoid pauses?

    seconds_left: time until the deadline.  seconds_in_all: time from the start to the deadline.
    """
    return seconds_left < _PAUSE and seconds_left < seconds_in_all * _PAUSE_SHARE


def begin() -> None:
    """Prepare for a search: resume compilation; suspend the collection of cycles on CPython."""
    allow_compiling()
    if _COUNTS_REFERENCES:
        gc.disable()


def avoid_compiling() -> None:
    """Suspend compilation until a search runs: code that runs once is slower if compiled."""
    _set_parameters(_NO_MORE)


def allow_compiling() -> None:
    """Resume compilation, tuned for searches on PyPy."""
    _set_parameters(_PARAMETERS)


def avoid_pauses() -> None:
    """Suspend compilation and garbage collection until allow_pauses()."""
    avoid_compiling()
    gc.disable()


def allow_pauses() -> None:
    """Resume compilation and garbage collection."""
    allow_compiling()
    gc.enable()


def drop() -> None:
    """Record that old objects with reference cycles, such as solvers, may have been dropped."""
    global _dropped
    _dropped = True


def collect() -> None:
    """Free the garbage of finished searches; scan older objects only after drop().

    A search consists of closures that refer to themselves, so reference counts don't free it.
    Collection was off while the closures were made, so they are in the youngest generation.
    Closures that an earlier collect() found in use are in an older generation.
    """
    global _dropped
    if _COUNTS_REFERENCES:
        everything, _dropped = _dropped, False
        gc.collect(2 if everything else 1)


def _set_parameters(parameters: str) -> None:
    if sys.implementation.name != "pypy":
        return
    try:
        from pypyjit import set_param  # type: ignore[import-not-found]  # only PyPy has it

        set_param(parameters)
    except (ImportError, ValueError):
        pass  # a PyPy without this compiler: slower, but correct


_threads = True  # may threads be started?


def do_without_threads() -> None:
    """Start no threads from here on, as on a system that has none."""
    global _threads
    _threads = False


def start_thread(work: Callable[..., object], *arguments: object) -> bool:
    """Call work(*arguments) in a new thread; return False if the system allows no more threads."""
    if not _threads:
        return False
    try:
        threading.Thread(target=work, args=arguments, daemon=True).start()
    except RuntimeError:
        return False
    return True


def claim_stdout() -> BinaryIO | None:
    """Return a binary stream to stdout that nothing else can write to; None if stdout is closed.

    From here on sys.stdout and descriptor 1 lead to stderr, for plugins, for libraries
    that bypass Python's streams, and for processes that plugins start.
    """
    output = sys.stdout
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    sys.stdout = sys.stderr
    if output is None:
        return None
    try:
        # No child process inherits this copy of stdout, so it is closed when this process ends.
        claimed = open(os.dup(output.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), output.fileno())
    except OSError:  # a stream that isn't a file
        return output.buffer
    return claimed


def report_bug() -> None:
    """Print a short traceback of the current exception, even if resources are exhausted.

    If memory ran out, which is no bug, print one line that says so.
    """
    error = sys.exc_info()[1]
    if isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM:
        notices.report_once("memory", "out of memory: lower the option Hash")
        return
    text = repr(error)
    try:
        import traceback  # imported late, since it costs a sixth of the start-up time

        text = traceback.format_exc(limit=-4).rstrip()
    except (ImportError, OSError):  # no file descriptor is free for reading the source
        pass
    notices.on_stderr(text)
