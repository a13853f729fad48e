"""The thread that does a session's work: searches, perft and the benchmark, one at a time."""

from __future__ import annotations

import sys
import threading
from collections import deque
from time import perf_counter

from games.base import Line
from search import faults, interpreter
from search.context import Context
from search.table import release
from search.watch import Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.base import Position
    from games.types import Move
    from search.root import Report

    OnReport = Callable[[Report, Position], None]

# A thread that waits for the interpreter gets it after this many seconds, so `stop` and
# `isready` are answered at once.
_SWITCH_INTERVAL = 0.0005

# Lateness of a look at the clock, in seconds, that doesn't count as a pause.
_USUAL_GAP = 0.004

# Seconds that the end of the process waits for a line that is being written.
_LAST_WORDS = 0.03

# Seconds of one wait: on Windows Ctrl-C can't interrupt a thread that waits for a lock.
_SLICE = 0.5


def wait_until(
    changed: threading.Condition, ready: Callable[[], object], seconds: float | None = None
) -> bool:
    """Wait, holding `changed`, until ready() is true; return whether it is.

    Ctrl-C interrupts it on every system.  seconds: the limit; None for no limit.
    """
    last = None if seconds is None else perf_counter() + seconds
    while not ready():
        left = _SLICE if last is None else min(last - perf_counter(), _SLICE)
        if left <= 0:
            return False
        changed.wait(left)
    return True


class Result:
    """The result of a search.

    lines: Lines, best first; empty if the game is over.
    position: the one searched, unchanged; on_done() may rely on it until it changes the
    session.
    """

    __slots__ = ("lines", "position")

    def __init__(self, lines: list[Line], position: Position) -> None:
        self.lines, self.position = lines, position

    @property
    def best_move(self) -> Move:
        """Return the best move of a game that is not over."""
        return self.lines[0].moves[0]

    @property
    def move(self) -> Move | None:
        """Return the best move, None if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def ponder(self) -> Move | None:
        """Return the opponent's expected reply.

        None if it is unknown or the same player moves again.
        """
        moves = self.lines[0].moves[:2] if self.lines else []
        if len(moves) < 2:
            return None
        side = self.position.side
        self.position.make(moves[0])
        replies = self.position.side != side
        self.position.undo()
        return moves[1] if replies else None


class Worker:
    """A queue of jobs and the thread that does them in order; callable from any thread."""

    def __init__(self) -> None:
        self._longest_pause = 0.0
        self._jobs: deque[Job] = deque()  # the running job, then the waiting ones
        self._retired: list[dict[str, Any]] = []  # memories of games that are over
        self._changed = threading.Condition()

    def add(self, job: Job) -> bool:
        """Queue a job; refuse it and return False if the running job is endless."""
        if sys.getswitchinterval() > _SWITCH_INTERVAL:
            sys.setswitchinterval(_SWITCH_INTERVAL)
        with self._changed:
            if self._jobs and self._jobs[0].endless:
                return False
            self._jobs.append(job)
            if len(self._jobs) == 1:
                threading.Thread(target=self._work, daemon=True).start()
        return True

    def take_longest_pause(self) -> float:
        """Return the worst lateness in seconds since the last call, and reset it.

        Jobs may be late to look at the clock, because of compilation at run time or of
        other programs on the same processor, or late to answer at the deadline.
        """
        seconds, self._longest_pause = self._longest_pause, 0.0
        return seconds

    def retire(self, memory: dict[str, Any]) -> None:
        """Free the tables of a memory (search/context.py) once no job needs it.

        No later job may use it.
        """
        with self._changed:
            self._retired.append(memory)
        self._give_back()

    @property
    def busy(self) -> bool:
        """Is there a job that is not yet about to answer?"""
        with self._changed:
            return any(job.stage == WORKING for job in self._jobs)

    def stop(self) -> None:
        """Stop the first job that was not stopped yet: each `stop` ends one job."""
        with self._changed:
            for job in self._jobs:
                if job.stage == WORKING and not job.context.watch.stop_requested:
                    job.stop()
                    return

    def stop_endless(self) -> None:
        """Stop the endless job, if there is one.

        Then wait until the running job has answered, if it was stopped.
        """
        with self._changed:
            for job in self._jobs:
                if job.endless:
                    job.stop()
            wait_until(
                self._changed,
                lambda: not (self._jobs and self._jobs[0].context.watch.stop_requested),
            )

    def finish(self, grace: float, guard: float) -> None:
        """Answer every job, since the process ends; no job may be added after this.

        A job is stopped as soon as it has found something, at the latest after `grace`
        seconds.  A job that has not answered `guard` seconds later answers in this thread.
        """
        end = perf_counter() + grace
        with self._changed:
            jobs = list(self._jobs)
            for job in jobs:
                job.stop_soon()
        for job in jobs[:1]:  # the waiting jobs can't be late yet
            job.prepare_answer()
        with self._changed:
            self._changed.wait_for(lambda: not self._jobs, max(end - perf_counter(), 0.0))
            for job in self._jobs:
                job.stop()
            self._changed.wait_for(lambda: not self._jobs, guard)
            late = list(self._jobs)
        for job in late:
            if not (job.answer_instead() or self._has_answered(job)):
                return  # nobody reads the line that its thread is writing, or any later one

    def _has_answered(self, job: Job) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: job.stage == ANSWERED, _LAST_WORDS)

    def ponderhit(self) -> None:
        """Tell the pondering job, if there is one, that the expected move was played."""
        with self._changed:
            for job in self._jobs:
                job.ponderhit()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all jobs have answered; return whether they have."""
        with self._changed:
            return wait_until(self._changed, lambda: not self._jobs, seconds)

    def _work(self) -> None:
        job: Job | None = self._jobs[0]
        while job is not None:
            try:
                self._carry_out(job)
            except Exception:  # a bug in a callback: the next jobs still run
                faults.report()
            with self._changed:
                self._jobs.popleft()
                job = self._jobs[0] if self._jobs else None
                self._changed.notify_all()
            self._give_back()
            interpreter.collect()
            if job is not None:
                job.postpone()

    def _give_back(self) -> None:
        with self._changed:
            needed = {id(job.context.memory) for job in self._jobs}
            over = [memory for memory in self._retired if id(memory) not in needed]
            self._retired = [memory for memory in self._retired if id(memory) in needed]
        for memory in over:
            release(memory)

    def _carry_out(self, job: Job) -> None:
        interpreter.begin()
        try:
            job.work()
            if not job.claim():
                return  # the process ends, and another thread has answered
            job.answer()
            watch = job.context.watch
            late = perf_counter() - watch.clock.hard_deadline
            self._longest_pause = max(self._longest_pause, watch.longest_gap - _USUAL_GAP, late)
        finally:
            job.stage = ANSWERED
            interpreter.allow_pauses()


# The stages of a Job.  ANSWERING: about to answer, so the reader of the answer may start
# the next job.  ANSWERED: it uses nothing any more.
WORKING, ANSWERING, ANSWERED = range(3)


class Job:
    """A task that ends with an answer.

    context: its budget.  stage: WORKING, ANSWERING or ANSWERED.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.stage = WORKING
        self._claim = threading.Lock()  # needed to report or answer; the answering thread keeps it
        self._made = perf_counter()

    @property
    def endless(self) -> bool:
        """Does it run until it is stopped?"""
        return False

    def postpone(self) -> None:
        """Start the job's clock only now: it had to wait for other jobs."""
        self.context.watch.postpone(perf_counter() - self._made)

    def work(self) -> None:
        """Find the answer, or notice that it was stopped."""
        raise NotImplementedError

    def answer(self) -> None:
        """Give the answer."""
        raise NotImplementedError

    def stop(self) -> None:
        """Answer soon."""
        self.context.watch.stop_requested = True

    def stop_soon(self) -> None:
        """Stop as soon as there is something to answer."""
        self.stop()

    def prepare_answer(self) -> None:
        """Find an answer for answer_instead() if there is none yet and finding it is quick."""

    def claim(self, seconds: float = -1) -> bool:
        """Claim the right to answer, which only one thread gets; no report follows it.

        seconds: how long to wait for a report that is being written; no limit by default.
        """
        if self.stage == WORKING and self._claim.acquire(timeout=seconds):
            self.stage = ANSWERING
            return True
        return False

    def answer_instead(self) -> bool:
        """Answer with what is known so far, for the working thread; return False if it may not."""
        if self.claim(_LAST_WORDS):
            self.answer()
            self.stage = ANSWERED
        return self.stage == ANSWERED

    def ponderhit(self) -> None:
        """Do nothing: only a search ponders."""


class Work(Job):
    """A call of work(context), then of on_done(its result, None if it was stopped)."""

    def __init__(
        self, context: Context, work: Callable[[Context], Any], on_done: Callable[[Any], None]
    ) -> None:
        super().__init__(context)
        self._work, self._on_done, self._result = work, on_done, None

    def work(self) -> None:
        try:
            self._result = self._work(self.context)
        except Stopped:
            pass
        except Exception:  # a bug: reported, and the session goes on
            faults.report()

    def answer(self) -> None:
        self._on_done(self._result)


class SearchJob(Job):
    """A search of `position`, which it changes.

    shown: the same position for reports and the answer.  The search leaves it unchanged, and
        reads it until it has answered.
    on_report(Report, shown) is called for each report, on_done(Result) at the end.
    """

    def __init__(
        self,
        context: Context,
        position: Position,
        shown: Position,
        on_report: OnReport,
        on_done: Callable[[Result], None],
    ) -> None:
        super().__init__(context)
        self._position, self._shown = position, shown
        self._on_report, self._on_done = on_report, on_done
        self._lines: list[Line] = []
        self._best: Line | None = None  # as last reported
        self._likely: Move | None = None  # the answer if there is no such line
        self._stops_soon = False  # as soon as there is a line
        self._thread: int | None = None  # the thread that answers
        self._released = threading.Event()  # may it answer?
        limits = context.limits
        self._ends = bool(
            limits.depth
            or limits.nodes
            or limits.mate
            or limits.timed(position.side)
            or position.game.textbook
        )
        if not (limits.infinite or limits.ponder):
            self._released.set()

    def reads(self) -> bool:
        """May the search still read `shown`?  False once on_done() is called."""
        return self.stage != ANSWERED and self._thread != threading.get_ident()

    @property
    def endless(self) -> bool:
        ends = self._ends and self._released.is_set()
        return not ends and self.stage == WORKING and not self.context.watch.stop_requested

    def work(self) -> None:
        if self.context.root_moves:
            try:
                self._lines = self._think()
            except Exception:  # a bug: any legal move is the answer, and the session goes on
                faults.report()
                self._lines = [Line(0, [self.context.root_moves[0]], 0)]
        self._released.wait()

    def answer(self) -> None:
        self._thread = threading.get_ident()
        self._on_done(Result(self._lines, self._shown))

    def prepare_answer(self) -> None:
        """Choose the move that the game would search first; loading a search takes longer."""
        if self._best is None and self._claim.acquire(timeout=0):  # nobody else reads _shown
            try:
                moves = self.context.root_moves
                ranked = zip(self._shown.order_moves(moves), moves)
                self._likely = max(ranked, key=lambda pair: pair[0], default=(0, None))[1]
            except Exception:  # a bug: any legal move will do
                faults.report()
            finally:
                self._claim.release()

    def answer_instead(self) -> bool:
        moves = self.context.root_moves
        if moves:
            move = moves[0] if self._likely is None else self._likely
            self._lines = [self._best or Line(0, [move], 0)]
        return super().answer_instead()

    def _think(self) -> list[Line]:
        from search.root import think

        try:
            return think(self._position, self.context, self._tell)
        finally:
            self.context.helpers.stop()  # think() started them

    def _tell(self, report: Report) -> None:
        with self._claim:
            self._on_report(report, self._shown)
        if report.line is not None and report.line.multipv == 1:
            self._best = report.line
            if self._stops_soon:
                self.stop()

    def stop(self) -> None:
        super().stop()
        self._released.set()

    def stop_soon(self) -> None:
        self._stops_soon = True
        if self._best is not None:
            self.stop()

    def ponderhit(self) -> None:
        if self.context.watch.clock.pondering:
            self.context.watch.ponderhit()
            if not self.context.limits.infinite:
                self._released.set()
