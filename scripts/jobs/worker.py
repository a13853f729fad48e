"""What happens where an executor puts a job: it is done, and what comes of it is plain data.

What travels to the worker is the builtin eval, a text and the job: a scheduler that
unpickles jobs on their way needs no Plyglot for that.
"""

from __future__ import annotations

import functools
import importlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from typing import Any, Callable

Job = dict[str, Any]
Result = dict[str, Any]

_CALL = "__import__('scripts.jobs.worker', None, None, ['perform']).perform(work, job)"
FIRST_WAIT = 0.05  # seconds for which a worker rests that failed twice in a row
LONGEST_WAIT = 30.0


class Closed(Exception):
    """What a job worked with was taken away: the run is being ended."""


class Unfit(Exception):
    """A worker can't do a job, in words: the job is lost, and is no result."""


class _Health:
    """failures: how many jobs in a row have failed in this process."""

    failures = 0


def task(work: str, job: Job) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the callable and its one argument that do a job on a worker.

    work: MODULE:FUNCTION, called with the job.
    """
    return functools.partial(eval, _CALL), {"work": work, "job": job}


def name() -> str:
    """Return the name of this process among the workers."""
    return f"{socket.gethostname()}/{os.getpid()}"


def perform(work: str, job: Job) -> dict[str, Any]:
    """Do a job here.

    Returns {worker, result}, or {worker, lost}: why it can't be done here.  A worker
    that fails again and again rests for a while each time, so that the jobs go to others.
    """
    _leave_interrupts_to_parent()
    module, _, function = work.partition(":")
    try:
        result = getattr(importlib.import_module(module), function)(job)
        _Health.failures = 0
        return {"worker": name(), "result": result}
    except Closed:
        raise
    except Exception as error:  # whatever fails here may do elsewhere
        time.sleep(min(FIRST_WAIT * (2.0**_Health.failures - 1), LONGEST_WAIT))
        _Health.failures = min(_Health.failures + 1, 20)
        kind = "" if isinstance(error, Unfit) else f"{type(error).__name__}: "
        return {"worker": name(), "lost": f"{kind}{error}"}


def _leave_interrupts_to_parent() -> None:
    """A worker process gets the terminal's Ctrl-C as well, but its parent decides when to stop."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if multiprocessing.parent_process() and in_main_thread:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def close() -> int:
    """End what jobs have started here; they raise Closed.  Return how many there were.

    A run calls it on every worker where its executor can (docs/tournaments.md).
    """
    pool: Any = sys.modules.get("scripts.arena.pool")
    return pool.ENGINES.interrupt() if pool else 0
