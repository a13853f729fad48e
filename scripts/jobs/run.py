"""Jobs through an executor: as many at a time as wanted, each until it has a result.

Any executor of concurrent.futures will do.  A future that fails, or is cancelled, has
lost its worker: its job is done again, on a new executor where the old one is broken.

Jobs and results are plain data.  A job is a dict with a text `id`; what is done with
it is named by a text, `MODULE:FUNCTION`, so that the worker finds it by an import.
"""
from __future__ import annotations

import concurrent.futures
import functools
import importlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator
from typing import Any, Callable, Optional

Job = dict[str, Any]
Result = dict[str, Any]
MakeExecutor = Callable[[], concurrent.futures.Executor]
Jobs = Iterator[Optional[Job]]

ATTEMPTS = 5        # at a job before the run gives up: the fault is not the worker's then
POLL = 0.5          # seconds between looks at the clock


class RunError(Exception):
    """A run that can't go on, in words."""


class ExecutorError(Exception):
    """What was named makes no executor, in words."""


class Closed(Exception):
    """What a job worked with was taken away: the run is being ended."""


class Run:
    """Does jobs.

    work: MODULE:FUNCTION, called with a job, returns its result.
    make_executor(): a new executor.
    concurrency: jobs at a time.
    lost_after: seconds after which a job without a result counts as lost; None: never.
    note(text): called with a line for the user when something goes wrong.
    words: what a job is called, and what is done with it.
    """

    def __init__(self, work: str, make_executor: MakeExecutor, concurrency: int,
                 lost_after: float | None = None, note: Callable[[str], None] = print,
                 words: tuple[str, str] = ("job", "done")) -> None:
        self._work, self._make, self._concurrency = work, make_executor, concurrency
        self._lost_after, self._note, self._words = lost_after, note, words
        self._executor: concurrent.futures.Executor | None = None
        # future -> (job, when it was submitted)
        self._running: dict[concurrent.futures.Future[Result], tuple[Job, float]] = {}
        self._attempts: dict[str, int] = {}     # job id -> times it was lost

    def results(self, jobs: Jobs) -> Generator[tuple[Job, Result], None, None]:
        """Yield (job, result) of every job, in the order in which they finish.

        jobs: where later jobs depend on results, it yields None as long as there is
        nothing to do until a running job has finished.

        Closing the generator starts no further job.
        """
        again: list[Job] = []
        while True:
            self._fill(jobs, again)
            if not self._running:
                return
            done, _ = concurrent.futures.wait(self._running, POLL,
                                              concurrent.futures.FIRST_COMPLETED)
            self._give_up_late(again)
            for future in done:
                if future in self._running:
                    yield from self._finished(future, again)

    def rest(self) -> Iterator[tuple[Job, Result]]:
        """Yield (job, result) of the running jobs; nothing new starts, lost jobs stay lost."""
        for future in [future for future in self._running if future.cancel()]:
            del self._running[future]
        for future in concurrent.futures.as_completed(list(self._running)):
            yield from self._finished(future, [])

    def close(self) -> None:
        """End the executor; jobs that still run are not waited for."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)

    def _fill(self, jobs: Jobs, again: list[Job]) -> None:
        while len(self._running) < self._concurrency:
            job = again.pop(0) if again else next(jobs, None)
            if job is None:
                return
            try:
                if self._executor is None:
                    self._executor = self._make()
                future = self._executor.submit(functools.partial(perform, self._work), job)
            except (concurrent.futures.BrokenExecutor, RuntimeError) as error:
                self._lost(job, error, again)
                self._renew()
                continue
            self._running[future] = job, time.monotonic()

    def _finished(self, future: concurrent.futures.Future[Result],
                  again: list[Job]) -> Iterator[tuple[Job, Result]]:
        """Yield (job, result) of a finished future; nothing where it was lost."""
        job, _ = self._running.pop(future)
        try:
            result = future.result()
        except concurrent.futures.CancelledError:
            self._lost(job, "cancelled", again)
        except concurrent.futures.BrokenExecutor as error:
            self._lost(job, error, again)
            self._renew()
        except Closed:
            raise
        except Exception as error:      # whatever kind an executor has for a lost worker
            self._lost(job, error, again)
        else:
            yield job, result

    def _lost(self, job: Job, error: Exception | str, again: list[Job]) -> None:
        count = self._attempts[job["id"]] = self._attempts.get(job["id"], 0) + 1
        why = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else error
        noun, done = self._words
        if count >= ATTEMPTS:
            raise RunError(f"{noun} {job['id']} was lost {count} times, last by {why}")
        self._note(f"{noun} {job['id']} lost its worker ({why}) and is {done} again")
        again.append(job)

    def _renew(self) -> None:
        """Leave a broken executor; what it still had comes back as lost, too."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None

    def _give_up_late(self, again: list[Job]) -> None:
        if self._lost_after is None:
            return
        for future, (job, begun) in list(self._running.items()):
            if time.monotonic() - begun > self._lost_after and not future.done():
                future.cancel()
                del self._running[future]
                self._lost(job, f"no result in {self._lost_after:g} s", again)


def perform(work: str, job: Job) -> Result:
    """Do a job where the executor put it; work: MODULE:FUNCTION."""
    _leave_interrupts_to_parent()
    module, _, name = work.partition(":")
    result: Result = getattr(importlib.import_module(module), name)(job)
    return result


def _leave_interrupts_to_parent() -> None:
    """A worker process gets the terminal's Ctrl-C as well, but its parent decides when to stop."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if multiprocessing.parent_process() and in_main_thread:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def factory(where: str) -> MakeExecutor:
    """What calls the callable named by MODULE:CALLABLE; both raise ExecutorError in words.

    The current directory counts as a place of modules.
    """
    found = _find(where)

    def make() -> concurrent.futures.Executor:
        try:
            executor: concurrent.futures.Executor = found()
        except (concurrent.futures.BrokenExecutor, RuntimeError, OSError):
            raise       # it is one, and may do better another time
        except Exception as error:      # whatever a foreign callable raises
            raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
        if not hasattr(executor, "submit"):
            raise ExecutorError(f"{where}: makes a {type(executor).__name__}, not an executor")
        return executor

    return make


def _find(where: str) -> Callable[[], Any]:
    module, colon, attribute = where.partition(":")
    if not (module and colon and attribute):
        raise ExecutorError(f"needs MODULE:CALLABLE, not '{where}'")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except Exception as error:      # whatever a foreign module raises
        raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ExecutorError(f"{where}: is not callable")
    make: Callable[[], Any] = found
    return make
