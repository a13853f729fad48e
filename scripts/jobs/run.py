"""A run of jobs on an executor: a limited number of jobs at a time, until all have results.

A job is lost if its future fails or is cancelled, if the worker reports that it can't do the job,
if the answer is not a valid result, or if no answer comes in time.  A lost job is repeated after
a pause.  A run gives up only if no job has succeeded for a while, so one faulty worker does not
end it.

Jobs and results are plain data.  A job is a dict with a string `id`.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import math
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED
from dataclasses import dataclass
from typing import Any, Callable, Optional

from scripts.command_line import tell, translated
from scripts.jobs.worker import JobData, ResultData, Unfit, Work, described, perform

Jobs = Iterator[Optional[JobData]]
Future = concurrent.futures.Future[Any]
# An executor has submit(callable, argument), and may have shutdown(wait).
MakeExecutor = Callable[[], concurrent.futures.Executor]

# Minimum seconds without a success before a lost job ends the run.
GIVE_UP = 30.0
# Seconds before lost jobs are submitted again.
PAUSE = 0.5
# Maximum seconds between two checks for jobs that run too long.
POLL = 0.5
# Maximum seconds for an executor to shut down.
GRACE = 10.0


class RunError(Exception):
    """Raised if a run can't continue; the message says why."""


@dataclass
class Run(contextlib.AbstractContextManager["Run"]):
    """A run of jobs.

    work: a function at the top level of a module; it takes a job and returns the job's result.
    make_executor(): returns a new executor.
    concurrency: maximum number of jobs at a time.
    lost_after: seconds from a job's submission until it counts as lost, None for no limit.
    note(text): called with a line for the user if something goes wrong.
    words: noun and participle for messages, such as `game` and `played`.
    check(job, result): raises Unfit if a result must be rejected.
    """

    work: Work
    make_executor: MakeExecutor
    concurrency: int
    lost_after: float | None = None
    note: Callable[[str], None] = tell
    words: tuple[str, str] = ("job", "done")
    check: Callable[[JobData, ResultData], None] = lambda job, result: None

    def __post_init__(self) -> None:
        self._executor: Any = None
        # future -> (job, when it was submitted), in the order of submission
        self._running: dict[Future, tuple[JobData, float]] = {}
        # Jobs to repeat; reasons for losses that were reported, since each is reported only once.
        self._lost: list[JobData] = []
        self._told: set[str] = set()
        self._longest = 0.0  # seconds of the longest job that has succeeded

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- results ---------------------------------------------------------------------

    def results(self, jobs: Jobs) -> Generator[tuple[JobData, ResultData], None, None]:
        """Yield (job, result) of every job, in the order in which they finish.

        jobs: an iterable of jobs; if later jobs depend on results, it yields None while it
        waits for a running job.

        After the generator is closed, no further job starts.
        """
        self._succeeded = time.monotonic()  # the time of the last success
        while True:
            self._fill(jobs)
            if not self._running and not self._lost:
                return
            done, _ = concurrent.futures.wait(self._running, POLL, FIRST_COMPLETED)
            for future in [future for future in self._running if future in done]:
                yield from self._finish(future)
            self._look_at_clock(time.monotonic())

    def _finish(self, future: Future) -> Iterator[tuple[JobData, ResultData]]:
        """Yield (job, result) of a finished future, nothing if the job is lost."""
        job, submitted = self._running.pop(future)
        try:
            result = self._result(job, future.result())
        except Exception as error:  # executors report a lost worker by exceptions of any type
            self._lose(job, described(error))
            if isinstance(error, concurrent.futures.BrokenExecutor):
                self._shut_down(wait=False)
            return
        self._succeeded = time.monotonic()
        self._longest = max(self._longest, self._succeeded - submitted)
        yield job, result

    def _result(self, job: JobData, answer: Any) -> Any:
        """Return the result in a worker's answer; raise an exception if there is no valid one."""
        if not isinstance(answer, dict) or "worker" not in answer:
            raise Unfit("the worker's answer is malformed")
        with translated(Unfit, Unfit, before=f"{answer['worker']}: "):
            if "lost" in answer:
                raise Unfit(answer["lost"])
            result: Any = answer.get("result")
            if not isinstance(result, dict) or result.get("id", job["id"]) != job["id"]:
                raise Unfit("no result of this job")
            self.check(job, result)
        return result

    # ---- jobs ------------------------------------------------------------------------

    def _fill(self, jobs: Jobs) -> None:
        """Submit jobs; if some were lost, pause and submit these first."""
        if self._lost:
            time.sleep(PAUSE)
        while len(self._running) < self.concurrency:
            job = self._lost.pop(0) if self._lost else next(jobs, None)
            if job is None:
                return
            try:
                if self._executor is None:
                    self._executor = self.make_executor()
                future: Future = self._executor.submit(functools.partial(perform, self.work), job)
            except (concurrent.futures.BrokenExecutor, RuntimeError) as error:
                self._lose(job, described(error))
                self._shut_down(wait=False)
                return
            self._running[future] = job, time.monotonic()

    def _lose(self, job: JobData, why: str) -> None:
        """Schedule a lost job again.

        Raise RunError if no job has succeeded for GIVE_UP seconds and for twice the time of the
        longest job.  But don't raise it if one of the running jobs was begun in the first half of
        the time since the last success: this job may still succeed.
        """
        now, noun = time.monotonic(), self.words[0]
        if why not in self._told:
            self._told.add(why)
            self.note(f"{noun} {job['id']} was lost ({why}) and is {self.words[1]} again")
        quiet = now - self._succeeded
        # a job that has run this long may just be slow, and its worker healthy
        busy = any(now - submitted > quiet / 2 for _, submitted in self._running.values())
        if quiet > max(GIVE_UP, 2 * self._longest) and not busy:
            raise RunError(f"no {noun} has succeeded for {quiet:.0f} s; the last was lost: {why}")
        self._lost.append(job)

    def _look_at_clock(self, now: float) -> None:
        """Treat jobs that have run too long as lost."""
        for future, (job, submitted) in list(self._running.items()):
            if now - submitted > (self.lost_after or math.inf) and not future.done():
                future.cancel()
                del self._running[future]
                self._lose(job, f"no result in {self.lost_after:g} s")

    # ---- the end ---------------------------------------------------------------------

    def close(self) -> None:
        """End the executor without waiting for running jobs."""
        busy = [future for future in self._running if not future.cancel() and not future.done()]
        # in a thread, since the shutdown hangs if the connection to the workers is broken
        ending = threading.Thread(target=self._shut_down, args=(not busy,), daemon=True)
        ending.start()
        ending.join(GRACE)

    def _shut_down(self, wait: bool) -> None:
        """End the executor; the next job would get a new one.

        If the executor is broken, its remaining jobs are lost, too.
        """
        executor, self._executor = self._executor, None
        if hasattr(executor, "shutdown"):
            executor.shutdown(wait=wait)
