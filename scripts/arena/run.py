"""Jobs through an executor: as many at a time as wanted, each until it has a result, whatever becomes of workers.

Any executor of concurrent.futures will do.  A future that fails, or is cancelled, has lost its worker: its game is
played again, on a new executor where the old one is broken.
"""
from __future__ import annotations

import concurrent.futures
import importlib
import os
import sys
import time

from scripts.arena.job import play
from scripts.arena.pool import Closed

ATTEMPTS = 5            # times that a game is tried before the tournament gives up: the fault is not the worker's then
POLL = 0.5              # seconds between looks at the clock


class RunError(Exception):
    """A tournament that can't go on, in words."""


class Run:
    """Plays jobs.

    make_executor(): a new executor.  concurrency: games at a time.  lost_after: seconds after which a game without
    a result counts as lost, None: never.  note(text) is told what goes wrong.
    """

    def __init__(self, make_executor, concurrency, lost_after=None, note=print):
        self._make, self._concurrency, self._lost_after, self._note = make_executor, concurrency, lost_after, note
        self._executor = None
        self._running = {}      # future -> (job, when it was handed over)
        self._attempts = {}     # game id -> times it was lost

    def results(self, jobs):
        """Yield the result of every job, as they come.  Closing the generator lets no further game begin."""
        waiting, again = iter(jobs), []
        while True:
            self._fill(waiting, again)
            if not self._running:
                return
            done, _ = concurrent.futures.wait(self._running, POLL, concurrent.futures.FIRST_COMPLETED)
            self._give_up_late(again)
            for future in done:
                job, _ = self._running.pop(future)
                result = self._result(future, job, again)
                if result is not None:
                    yield result

    def rest(self):
        """Yield the results of the games that are being played; nothing new begins, and lost ones stay lost."""
        for future in [future for future in self._running if future.cancel()]:
            del self._running[future]
        for future in concurrent.futures.as_completed(list(self._running)):
            job, _ = self._running.pop(future)
            result = self._result(future, job, [])
            if result is not None:
                yield result

    def close(self):
        """End the executor; games that are still being played are left to their fate."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)

    def _fill(self, waiting, again):
        while len(self._running) < self._concurrency:
            job = again.pop(0) if again else next(waiting, None)
            if job is None:
                return
            try:
                if self._executor is None:
                    self._executor = self._make()
                future = self._executor.submit(play, job)
            except (concurrent.futures.BrokenExecutor, RuntimeError) as error:
                self._lost(job, error, again)
                self._renew()
                continue
            self._running[future] = job, time.monotonic()

    def _result(self, future, job, again):
        """The result of a finished future; None where it was lost."""
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            self._lost(job, "cancelled", again)
        except concurrent.futures.BrokenExecutor as error:
            self._lost(job, error, again)
            self._renew()
        except Closed:
            raise
        except Exception as error:      # whatever kind an executor has for a worker that is gone
            self._lost(job, error, again)
        return None

    def _lost(self, job, error, again):
        count = self._attempts[job["id"]] = self._attempts.get(job["id"], 0) + 1
        words = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else error
        if count >= ATTEMPTS:
            raise RunError(f"game {job['id']} was lost {count} times, last by {words}")
        self._note(f"game {job['id']} lost its worker ({words}) and is played again")
        again.append(job)

    def _renew(self):
        """Leave a broken executor; what it still had comes back as lost, too."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None

    def _give_up_late(self, again):
        if self._lost_after is None:
            return
        for future, (job, begun) in list(self._running.items()):
            if time.monotonic() - begun > self._lost_after and not future.done():
                future.cancel()
                del self._running[future]
                self._lost(job, f"no result in {self._lost_after:g} s", again)


def factory(where):
    """The callable named by MODULE:CALLABLE; RunError in words.  The current directory counts as a place of modules."""
    module, colon, attribute = where.partition(":")
    if not (module and colon and attribute):
        raise RunError(f"--executor needs MODULE:CALLABLE, not '{where}'")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except Exception as error:      # whatever a foreign module raises
        raise RunError(f"--executor {where}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise RunError(f"--executor {where}: is not callable")
    return found
