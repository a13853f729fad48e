"""Jobs through an executor, a limited number at a time, each until it has a result.

A job is lost if its future fails or is cancelled, if the worker reports that it can't do it,
if the answer is not a valid result, or if there is none for too long.  It is then repeated
after an increasing delay, on another worker if the executor can choose.  One faulty worker
does not end a run, which gives up only if nothing succeeds anywhere.

Jobs and results are plain data.  A job is a dict with a string `id`; the work is named by a
string, `MODULE:FUNCTION`, which the worker imports.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import heapq
import itertools
import queue
import threading
import time
from collections.abc import Generator, Iterator
from typing import Any, Callable, Optional

from scripts.jobs import worker
from scripts.jobs.executors import MakeExecutor
from scripts.jobs.worker import Job, Result

Jobs = Iterator[Optional[Job]]
Done = list[tuple[Job, Result]]
Future = concurrent.futures.Future[Any]

ATTEMPTS = 5  # at a job before the run gives up, if nothing has succeeded yet
PATIENT_ATTEMPTS = 12  # the same, if something has succeeded
FIRST_WAIT = 0.05  # seconds until a job that was lost once is repeated
LONGEST_WAIT = 30.0
POLL = 0.5  # seconds between looks at the clock
SILENCE = 30.0  # seconds without a result until that is reported
GRACE = 10.0  # seconds for the workers to finish
LEAST_REST = 30.0  # seconds that rest() waits at least for running jobs
MOST_AT_ONCE = 1000  # results that are yielded together


class RunError(Exception):
    """A run that can't continue; the message says why."""


class _Attempt:
    """A job that the executor has.

    submitted: when it got it.  begun: when it probably began to run, None before.
    """

    __slots__ = ("begun", "job", "submitted")

    def __init__(self, job: Job) -> None:
        self.job, self.submitted = job, time.monotonic()
        self.begun: float | None = None


class _Trouble:
    """The losses of one job: their count, the time of the first, and the workers."""

    __slots__ = ("avoid", "count", "since")

    def __init__(self, since: float) -> None:
        self.count, self.since = 0, since
        self.avoid: set[str] = set()


class Run:
    """A run of jobs.

    work: MODULE:FUNCTION, which takes a job and returns its result.
    make_executor(): returns a new executor.
    concurrency: jobs at a time.
    lost_after: seconds that a job may run before it counts as lost, None for no limit.
    note(text): called with a line for the user if something goes wrong.
    words: noun and participle for messages, such as `game` and `played`.
    fits(job, result): returns what is wrong with a result, None if it fits the job.
    remote: whether silence may mean that there is no worker.
    """

    def __init__(
        self,
        work: str,
        make_executor: MakeExecutor,
        concurrency: int,
        lost_after: float | None = None,
        note: Callable[[str], None] = print,
        words: tuple[str, str] = ("job", "done"),
        fits: Callable[[Job, Result], str | None] | None = None,
        remote: bool = False,
    ) -> None:
        self._work, self._make, self._concurrency = work, make_executor, concurrency
        self._lost_after, self._note, self._words = lost_after, note, words
        self._fits, self._remote = fits, remote
        self._executor: Any = None
        self._news: queue.SimpleQueue[tuple[Future | None, Any]] = queue.SimpleQueue()
        self._running: dict[Future, _Attempt] = {}  # in the order of submission
        self._given_up: dict[Future, Job] = {}  # lost, but a result may still come
        # (time of the next attempt, number, lost job)
        self._waiting: list[tuple[float, int, Job]] = []
        self._count = itertools.count()
        self._troubles: dict[str, _Trouble] = {}  # by the id of a job
        self._seen: dict[str, float] = {}  # worker -> when it last answered
        self._told: set[str] = set()
        self._last = self._since = time.monotonic()  # times of the last success and the last answer
        self._succeeded, self._silence = False, SILENCE
        self._longest = 0.0  # seconds from the submission of a job to its result
        self._looked, self._ending = 0.0, False

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- results ---------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the executor now, not with the first job, so that an ExecutorError comes early.

        A failure that may pass is left to the first job, which is then repeated.
        """
        with contextlib.suppress(concurrent.futures.BrokenExecutor, RuntimeError):
            self._executor = self._make()

    def results(self, jobs: Jobs) -> Generator[tuple[Job, Result], None, None]:
        """Yield (job, result) of every job, in the order in which they finish.

        jobs: an iterable of jobs; if later jobs depend on results, it yields None while it
        waits for a running job.

        After the generator is closed no further job starts.
        """
        for batch in self.batches(jobs):
            yield from batch

    def batches(self, jobs: Jobs) -> Generator[Done, None, None]:
        """Yield what results() yields, in lists of everything since the last one."""
        self._since = time.monotonic()
        while True:
            self._fill(jobs)
            if not self._running and not self._waiting:
                return
            found = self._collect()
            if found:
                yield found

    def rest(self) -> Iterator[tuple[Job, Result]]:
        """Yield (job, result) of the running jobs; start none and repeat none.

        Wait at most twice as long as any job has taken, since a worker may never answer.
        """
        self._ending = True
        self._waiting.clear()
        for future in [future for future in self._running if future.cancel()]:
            del self._running[future]
        until = time.monotonic() + max(2 * self._longest, LEAST_REST)
        while self._running and time.monotonic() < until:
            yield from self._collect()
        if self._running:
            self._note(f"{len(self._running)} {self._words[0]}s are abandoned: no worker answers")

    def hand_in(self, job: Job, result: Result) -> None:
        """Accept a part of a job's result before it is complete, from any thread."""
        self._news.put((None, (job, result)))

    def _collect(self) -> Done:
        """Wait for an event and return the results so far."""
        found: Done = []
        for future, part in self._wait():
            if future is None:
                found.append(part)
                self._since = time.monotonic()
            elif future in self._running:
                self._finish(self._running.pop(future), future, found)
            elif future in self._given_up:
                self._finish_late(self._given_up.pop(future), future, found)
        now = time.monotonic()
        if now - self._looked >= POLL or found:
            self._looked = now
            self._look_at_clock(now)
        return found

    def _wait(self) -> Iterator[tuple[Future | None, Any]]:
        until = POLL
        if self._waiting:
            until = min(until, max(self._waiting[0][0] - time.monotonic(), 0.001))
        try:
            yield self._news.get(timeout=until)
            for _ in range(MOST_AT_ONCE):
                yield self._news.get_nowait()
        except queue.Empty:
            return

    def _finish(self, attempt: _Attempt, future: Future, found: Done) -> None:
        """Add (job, result) of a finished future to `found`, unless the job is lost."""
        job = attempt.job
        try:
            answer = future.result()
        except Exception as error:  # executors use any type for a lost worker
            cancelled = isinstance(error, concurrent.futures.CancelledError)
            self._lost(job, "cancelled" if cancelled else error)
            if isinstance(error, concurrent.futures.BrokenExecutor):
                self._renew()
        else:
            if self._take(job, answer, found):
                self._longest = max(self._longest, time.monotonic() - attempt.submitted)

    def _take(self, job: Job, answer: Any, found: Done) -> bool:
        """Add a worker's answer to `found` if it is a valid result; return whether it is."""
        who = answer.get("worker") if isinstance(answer, dict) else None
        if not isinstance(who, str):
            self._lost(job, "the worker's answer is malformed")
            return False
        now = time.monotonic()
        self._seen[who] = now
        self._since, self._silence = now, SILENCE
        wrong = self._wrong(job, answer)
        if wrong is not None:
            self._lost(job, wrong, who)
            return False
        self._succeeded, self._last = True, now
        self._troubles.pop(job["id"], None)
        found.append((job, answer["result"]))
        if self._waiting and len(self._running) < self._concurrency:
            ready, number, again = heapq.heappop(self._waiting)  # a healthy worker is free
            heapq.heappush(self._waiting, (min(ready, now), number, again))
        return True

    def _wrong(self, job: Job, answer: dict[str, Any]) -> str | None:
        """Return why a worker's answer has no valid result, None if it has one."""
        if "lost" in answer:
            return str(answer["lost"])
        result = answer.get("result")
        if not isinstance(result, dict) or result.get("id", job["id"]) != job["id"]:
            return "invalid result: its id"
        return self._fits(job, result) if self._fits else None

    def _finish_late(self, job: Job, future: Future, found: Done) -> None:
        """Accept the late result of a job that counted as lost, unless it is done by now."""
        if self._troubles.get(job["id"]) is None:
            return
        try:
            taken = self._take(job, future.result(), found)
        except Exception:  # the job is being repeated
            return
        if taken:
            self._waiting = [each for each in self._waiting if each[2]["id"] != job["id"]]
            heapq.heapify(self._waiting)
            for other, attempt in list(self._running.items()):
                if attempt.job["id"] == job["id"]:
                    other.cancel()
                    del self._running[other]

    # ---- jobs ------------------------------------------------------------------------

    def _fill(self, jobs: Jobs) -> None:
        while len(self._running) < self._concurrency:
            if self._waiting and self._waiting[0][0] <= time.monotonic():
                job: Job | None = heapq.heappop(self._waiting)[2]
            elif len(self._waiting) < self._concurrency:
                job = next(jobs, None)
            else:
                return
            if job is None:
                return
            attempt = _Attempt(job)
            try:
                future = self._submit(job)
            except (concurrent.futures.BrokenExecutor, RuntimeError) as error:
                self._lost(job, error)
                self._renew()
                continue
            self._running[future] = attempt
            future.add_done_callback(lambda done: self._news.put((done, None)))

    def _submit(self, job: Job) -> Future:
        if self._executor is None:
            self._executor = self._make()
        trouble = self._troubles.get(job["id"])
        call, argument = worker.task(self._work, job)
        future: Future
        if trouble and trouble.avoid and hasattr(self._executor, "submit_elsewhere"):
            future = self._executor.submit_elsewhere(sorted(trouble.avoid), call, argument)
        else:
            future = self._executor.submit(call, argument)
        return future

    def _lost(self, job: Job, error: Exception | str, who: str = "") -> None:
        """Schedule a lost job again; raise RunError if nothing succeeds anywhere."""
        if self._ending:
            return
        now = time.monotonic()
        trouble = self._troubles.setdefault(job["id"], _Trouble(now))
        trouble.count += 1
        if who:
            trouble.avoid.add(who)
        why = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else error
        if who:
            why = f"{who}: {why}"
        if why not in self._told:
            self._told.add(why)
            noun, done = self._words
            self._note(f"{noun} {job['id']} was lost ({why}) and is {done} again")
        if self._is_hopeless(trouble):
            raise RunError(
                f"{self._words[0]} {job['id']} was lost {trouble.count} times, last by {why}"
            )
        wait = min(FIRST_WAIT * 3.0 ** (trouble.count - 1), LONGEST_WAIT)
        heapq.heappush(self._waiting, (now + wait, next(self._count), job))

    def _is_hopeless(self, trouble: _Trouble) -> bool:
        """Has nothing succeeded since the job was first lost, and is nothing running that could?

        A job that a slow worker does meanwhile takes no longer than twice the longest so far.
        """
        if trouble.count < (PATIENT_ATTEMPTS if self._succeeded else ATTEMPTS):
            return False
        quiet = time.monotonic() - max(self._last, trouble.since)
        if self._succeeded and (self._last >= trouble.since or quiet <= 2 * self._longest):
            return False
        return all(attempt.job["id"] in self._troubles for attempt in self._running.values())

    # ---- the clock -------------------------------------------------------------------

    def _look_at_clock(self, now: float) -> None:
        if self._lost_after is not None:
            self._give_up_late(now, self._lost_after)
        if self._remote and self._running and now - self._since > self._silence:
            seen = "none has answered yet"
            if self._seen:
                seen = f"the last was {max(self._seen, key=self._seen.__getitem__)}"
            self._note(
                f"waiting for a worker: no answer for {now - self._since:.0f} s to "
                f"{len(self._running)} {self._words[0]}s ({seen})"
            )
            self._silence *= 2

    def _give_up_late(self, now: float, seconds: float) -> None:
        """Count jobs as lost that have run too long.

        Executors don't report when a job begins.  Jobs begin in order, so the oldest ones are
        running, one per worker.
        """
        for future, attempt in itertools.islice(list(self._running.items()), self._workers(now)):
            if attempt.begun is None:
                attempt.begun = now
            elif now - attempt.begun > seconds and not future.done():
                del self._running[future]
                if not future.cancel():
                    self._given_up[future] = attempt.job
                self._lost(attempt.job, f"no result in {seconds:g} s")

    def _workers(self, now: float) -> int:
        """Return the number of workers, as far as it is known."""
        recent = sum(1 for when in self._seen.values() if now - when <= 2 * (self._lost_after or 0))
        size: Any = getattr(self._executor, "_max_workers", 0)  # as in the standard library's pools
        return max(recent, size if isinstance(size, int) else 0, 1)

    # ---- the end ---------------------------------------------------------------------

    def _renew(self) -> None:
        """Drop a broken executor; its remaining jobs count as lost, too."""
        if self._executor is not None:
            self._shut_down()
            self._executor = None

    def close(self) -> None:
        """End the executor without waiting for running jobs."""
        if self._executor is None:
            return
        busy = [future for future in [*self._running, *self._given_up] if not future.cancel()]
        busy = [future for future in busy if not future.done()]
        # the connection to the workers may be broken itself
        ending = threading.Thread(target=self._end, args=(bool(busy),), daemon=True)
        ending.start()
        ending.join(GRACE)

    def _end(self, busy: bool) -> None:
        if (self._running or self._given_up) and hasattr(self._executor, "everywhere"):
            self._executor.everywhere(worker.close)
        self._shut_down(wait=not busy)

    def _shut_down(self, wait: bool = False) -> None:
        if hasattr(self._executor, "shutdown"):
            self._executor.shutdown(wait=wait)
