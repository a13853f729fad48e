"""Jobs of the worker: searches, perft and the benchmark, and how they answer."""

from __future__ import annotations

import threading
from time import perf_counter

from games.solver import Line
from search import interpreter
from search.game import position_of
from search.limits import Stopped
from search.report import Report, Result
from search.think import think

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.base import Position
    from search.context import Context
    from search.limits import Limits
    from search.report import OnDone, OnReport
    from search.think import Search


class Job:
    """A call of work(context), followed by a call of on_done(result).

    The result is None if the work was stopped or failed.
    context: the job's Context.
    is_count: is the answer a count, as of perft and the benchmark?  Such a job has no limits, and
    is finished before the process ends.
    working: False once the job begins to answer, so that the answer's reader can start a new job.
    answered: time at which the job answered (perf_counter seconds).
    """

    def __init__(
        self, context: Context, work: Callable[[Context], Any], on_done: Callable[[Any], None]
    ) -> None:
        self.context, self.working = context, True
        self.is_count = not (context.limits.bounded() or context.limits.infinite)
        self._work = work
        self._on_done = on_done
        self._made = self.answered = perf_counter()

    @property
    def endless(self) -> bool:
        """Does the job run until it is stopped?"""
        return self.context.limits.infinite and self.working and not self.stopped

    @property
    def stopped(self) -> bool:
        """Was the job asked to stop?"""
        return self.context.watch.stop_requested

    def postpone(self, until: float) -> None:
        """Start the clock at `until` (perf_counter seconds), when the previous job answered."""
        self.context.watch.postpone(max(until - self._made, 0.0))

    def carry_out(self) -> None:
        """Do the work and answer."""
        interpreter.begin()
        try:
            result = self._result()
            self.working, self.answered = False, perf_counter()
            self._answer(result)
        finally:
            interpreter.allow_pauses()

    def _result(self) -> Any:
        """Return the result of the work; None if it is stopped or fails."""
        try:
            return self._work(self.context)
        except Stopped:
            pass
        except Exception:  # a bug: report it, and go on with the session
            interpreter.report_bug()
        return None

    def _answer(self, result: Any) -> None:
        self._on_done(result)

    def stop(self) -> None:
        """Ask the job to answer as soon as it can."""
        self.context.watch.stop_requested = True

    def stop_soon(self) -> None:
        """Stop as soon as there is an answer; do nothing if the job is a count."""
        if not self.is_count:
            self.stop()

    def ponderhit(self, limits: Limits | None = None) -> None:
        """Do nothing: only a search ponders."""


class SearchJob(Job):
    """A search of `position`, which it changes, by `search` (think.py).

    on_report(Report, a copy of the position) is called for each report, on_done(Result) at the end.
    """

    def __init__(
        self,
        context: Context,
        position: Position,
        search: Search,
        on_report: OnReport,
        on_done: OnDone,
    ) -> None:
        super().__init__(context, lambda _: think(position, context, self._report, search), on_done)
        self.is_count = False
        self._reported_position = position.copy() or position_of(context.setup)
        self._on_report = on_report
        # _reported: has a line been reported?
        # _hurries: should the search stop as soon as it has reported a line?
        # _may_answer: set if the answer needn't wait for `stop` or `ponderhit`.
        self._reported = False
        self._hurries = False
        self._may_answer = threading.Event()
        if not (context.limits.infinite or context.limits.ponder):
            self._may_answer.set()

    @property
    def endless(self) -> bool:
        ends = self.context.limits.bounded() or self._reported_position.game.textbook
        ends = ends and self._may_answer.is_set()
        return not ends and self.working and not self.stopped

    def _result(self) -> list[Line]:
        legal, look = self.context.root_moves[:1], self.context.watch.look
        # If a bug left no result, the answer is any legal move.
        lines = (super()._result() or [Line(0, legal, 0)]) if legal else []
        while not self._may_answer.is_set():
            if look is None:
                self._may_answer.wait()
            else:
                look(None)
        return lines

    def _report(self, report: Report) -> None:
        self._on_report(report, self._reported_position)
        if report.line is not None:
            self._reported = True
            if self._hurries and report.line.multipv == 1:
                self.stop()

    def _answer(self, lines: list[Line]) -> None:
        if lines and not self._reported:  # front ends expect a score before the move
            self._report(Report(lines[0], 0, self.context.watch.deadlines.elapsed()))
        super()._answer(Result(lines, self._reported_position))

    def stop(self) -> None:
        super().stop()
        self._may_answer.set()

    def stop_soon(self) -> None:
        self._hurries = True
        self._may_answer.set()
        if self._reported:
            self.stop()

    def ponderhit(self, limits: Limits | None = None) -> None:
        if self.context.watch.deadlines.pondering:
            if limits is not None:
                self.context.limits.set_time(limits)
            self.context.watch.ponderhit()
            if not self.context.limits.infinite:
                self._may_answer.set()
