"""What a worker does: it performs a job and returns plain data.

An executor pickles perform() and the function that does the work by the names of their modules, so
the project must be importable wherever a job is unpickled.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import socket
import threading
import time
from contextlib import suppress
from typing import Any, Callable

JobData = dict[str, Any]
ResultData = dict[str, Any]
Work = Callable[[JobData], ResultData]  # a function of a module, so that it can be pickled

FIRST_WAIT = 0.05  # seconds that a worker pauses after two failures in a row
LONGEST_WAIT = 30.0


class Closed(Exception):
    """Raised if a job's engines or processes were closed, because the run is ending."""


class Unfit(Exception):
    """Raised if a worker can't do a job; the message says why.  The job then counts as lost."""


class _Health:
    """The health of this process; failures: number of jobs in a row that have failed."""

    failures = 0


def name() -> str:
    """Return the name of this process among the workers."""
    return f"{socket.gethostname()}/{os.getpid()}"


def perform(work: Work, job: JobData) -> dict[str, Any]:
    """Perform a job in this process.

    Return {worker, result}, or {worker, lost: the reason}.  A worker that fails repeatedly
    pauses each time, so that jobs go to others.
    """
    _prepare(os.getpid())
    try:
        result = work(job)
        _Health.failures = 0
        return {"worker": name(), "result": result}
    except Closed:
        raise
    except Exception as error:  # whatever fails here may succeed elsewhere
        time.sleep(min(FIRST_WAIT * (2.0**_Health.failures - 1), LONGEST_WAIT))
        _Health.failures = min(_Health.failures + 1, 20)
        return {"worker": name(), "lost": described(error)}


def described(error: Exception) -> str:
    """Return why a job was lost: the message of Unfit, or the type and message of another error."""
    return str(error) if isinstance(error, Unfit) else f"{type(error).__name__}: {error}"


@functools.lru_cache(maxsize=1)
def _prepare(pid: int) -> None:
    """Prepare a worker process, once, so that only its parent decides when it ends.

    Ignore Ctrl-C, and end when the parent is killed, since this process would then wait forever.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    with suppress(ValueError):  # under some executors the parent can't be waited for
        parent.join()
        os._exit(1)
