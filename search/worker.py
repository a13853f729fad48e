"""The thread that does a session's work: searches, perft and the benchmark, one at a time.

If no thread can be started, jobs run in place: in `work`, or in any call that waits for a job.
While a job runs in place, its checks of the clock also carry out the input lines that have arrived
(Watch.look), above the job on the call stack.  A line that must wait for that job raises `MustWait`
and is carried out again after the job.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from time import perf_counter

from games import notices
from search import interpreter
from search.game import SessionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from search.job import Job
    from search.limits import Limits

# A thread that waits for the interpreter gets it after this many seconds, so `stop` and
# `isready` are answered at once.
_SWITCH_INTERVAL = 0.0005

# Maximum gap between two looks at the clock, in seconds, that doesn't count as a pause.
_USUAL_GAP = 0.004

# Wait in slices of this many seconds: on Windows Ctrl-C can't interrupt a thread that waits for a
# lock.
_SLICE = 0.5

_NO_THREADS = "the system allows no more threads: searches end early"

# _MEMORY_OF_PAUSES: decay of the remembered pause per search.  _MIN_PAUSE: least pause to assume,
# since the front end needs this long to read an answer.
_MEMORY_OF_PAUSES, _MIN_PAUSE = 0.9, 0.001
# With a fixed time per move there is no slack.  So the worst pause decays more slowly
# (_MEMORY_OF_THE_WORST), and is multiplied by the safety factor _WORSE.
_MEMORY_OF_THE_WORST, _WORSE = 0.98, 3.0
# The pause assumed at first: the first searches compile, load and fill what later searches reuse.
_FIRST_PAUSE = 0.003


def wait_until(
    changed: threading.Condition, ready: Callable[[], object], seconds: float | None = None
) -> bool:
    """Wait until ready() is true; return whether it is.  The caller holds `changed`.

    Ctrl-C interrupts the wait on every system.  seconds: the limit; None for no limit.
    """
    deadline = None if seconds is None else perf_counter() + seconds
    while not ready():
        seconds_left = _SLICE if deadline is None else min(deadline - perf_counter(), _SLICE)
        if seconds_left <= 0:
            return False
        changed.wait(seconds_left)
    return True


class MustWait(BaseException):
    """Raised if a call would wait for an unfinished job that is below it on the call stack."""


class Pauses:
    """The lateness of jobs, in seconds.

    A job may look at the clock late, because of compilation at run time or of other programs on
    the same processor.  It may also answer late at the deadline.
    usual: lateness to expect in the next search.  worst: lateness that must not lose a game.
    """

    def __init__(self) -> None:
        self.usual, self.worst = _MIN_PAUSE, _FIRST_PAUSE * _WORSE
        self._longest = 0.0  # the greatest lateness since the last update

    def note(self, job: Job) -> None:
        """Note the lateness of a job that has answered."""
        watch = job.context.watch
        lateness = perf_counter() - watch.deadlines.hard_deadline
        self._longest = max(self._longest, watch.longest_gap - _USUAL_GAP, lateness)

    def update(self) -> None:
        """Update `usual` and `worst` from the noted lateness, before each search."""
        seconds, self._longest = self._longest, 0.0
        self.usual = max(seconds, self.usual * _MEMORY_OF_PAUSES, _MIN_PAUSE)
        self.worst = max(seconds * _WORSE, self.worst * _MEMORY_OF_THE_WORST, _MIN_PAUSE * _WORSE)


class Worker:
    """A queue of jobs and the thread that does them in order.  Any thread may call its methods.

    pauses: the Pauses of its jobs.
    look: Watch.look of jobs that are done in place; None if no lines can be read meanwhile.
    in_place: are the jobs done in place, since no thread could be started for them?
    deaf: the reason why no line can arrive during a job in place; empty if lines can arrive.
    """

    def __init__(self) -> None:
        self.pauses = Pauses()
        self.look: Callable[[float | None], None] | None = None
        self.in_place, self.deaf = False, ""
        # _working: is a job in progress below this call on the stack?
        # _leaves_at: the time at which to stop all searches, set by finish().
        # _jobs: the running job, then the waiting ones.
        self._working = False
        self._leaves_at = float("inf")
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()

    def add(self, job: Job) -> None:
        """Queue a job; raise SessionError if the running job is endless."""
        if sys.getswitchinterval() > _SWITCH_INTERVAL:
            sys.setswitchinterval(_SWITCH_INTERVAL)
        with self._changed:
            if self.endless:
                raise SessionError("an infinite search is running; stop it first")
            self._jobs.append(job)
            if self._leaves_at < float("inf"):
                job.stop_soon()
                self._stop_late()
            if len(self._jobs) == 1:
                self.in_place = not interpreter.start_thread(self._work)
            if self.in_place and (self.look is None or self.deaf and job.endless):
                notices.report_once("threads", self.deaf or _NO_THREADS)
                job.stop_soon()

    def work(self) -> None:
        """Do the queued jobs if jobs run in place.  Raises MustWait if called during such a job."""
        if self._working:
            raise MustWait
        if self.in_place and self._jobs:
            self._working = True
            try:
                self._work()
            finally:
                self._working = False

    def _look(self, seconds: float | None) -> None:
        self._stop_late()
        if self.look is not None and self._leaves_at == float("inf"):
            self.look(seconds)

    def _stop_late(self) -> None:
        """Stop the searches if the time that finish() allows is over."""
        if perf_counter() > self._leaves_at:
            for job in self._jobs:
                if not job.is_count:
                    job.stop()

    def _wait(self, ready: Callable[[], object], seconds: float | None = None) -> bool:
        """Wait until ready() is true, at most `seconds`, and return whether it is.

        Jobs that run in place are done first.
        """
        if self.in_place and not ready():
            self.work()
        with self._changed:
            return wait_until(self._changed, ready, seconds)

    def _work(self) -> None:
        """Do the jobs until none is left."""
        job: Job | None = self._jobs[0]
        while job is not None:
            if self.in_place:
                job.context.watch.look = self._look
            try:
                job.carry_out()
                self.pauses.note(job)
            except Exception:  # a bug in a callback: the next jobs still run
                interpreter.report_bug()
            with self._changed:
                answered = self._jobs.popleft().answered
                job = self._jobs[0] if self._jobs else None
                self._changed.notify_all()
            interpreter.collect()
            if job is not None:
                job.postpone(answered)

    def release(self, memory: dict[str, Any]) -> None:
        """Free the tables of a game's memory (Context.memory), which no later job uses.

        If an unfinished job uses the tables, the garbage collector frees them after that job.
        """
        with self._changed:
            if any(job.context.memory is memory for job in self._jobs):
                interpreter.drop()
            elif memory:
                from search.table import release

                release(memory)
                if not self._jobs:
                    interpreter.collect()

    @property
    def endless(self) -> bool:
        """Does the first job that hasn't answered yet go on until it is stopped?"""
        with self._changed:
            running = next((job for job in self._jobs if job.working), None)
            return running is not None and running.endless

    @property
    def searching(self) -> bool:
        """Is a search (or another job) running, waiting, or withholding its answer?"""
        with self._changed:
            return any(job.working for job in self._jobs)

    def stop(self) -> None:
        """End the running job soon; it answers as usual, and the waiting jobs follow.

        If called again before the job answers, end the next job.  Do nothing if no job is left.
        """
        with self._changed:
            for job in self._jobs:
                if job.working and not job.stopped:
                    job.stop()
                    return

    def stop_endless(self) -> None:
        """End the endless job that runs or waits, if there is one.

        Returns when the stopped jobs at the head of the queue have answered.
        """
        with self._changed:
            for job in self._jobs:
                if job.endless:
                    job.stop()
        self._wait(lambda: not (self._jobs and self._jobs[0].stopped))

    def finish(self, grace: float, guard: float) -> None:
        """Make all jobs answer, since the process ends.

        Each search, even one that starts later, is stopped once it has a result, at the latest
        after `grace` seconds.  It then has `guard` more seconds to answer.  Other jobs (perft, the
        benchmark) are finished.  finish() doesn't wait for a job below it on the call stack.
        """
        self._leaves_at = perf_counter() + grace
        with self._changed:
            for job in self._jobs:
                job.stop_soon()
            if self._working:
                return
            if self.in_place:
                self.work()
            wait_until(self._changed, lambda: not self._jobs, grace)
            self._stop_late()
            wait_until(self._changed, lambda: not any(job.is_count for job in self._jobs))
            wait_until(self._changed, lambda: not self._jobs, guard)

    def ponderhit(self, limits: Limits | None = None) -> None:
        """Turn a pondering search into an ordinary one: the expected move was played.

        limits: Limits with the time that is left now; None if the front end doesn't send it.
        """
        with self._changed:
            for job in self._jobs:
                job.ponderhit(limits)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all jobs have answered; return whether they have."""
        return self._wait(lambda: not self._jobs, seconds)
