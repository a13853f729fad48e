"""Jobs of the worker's thread: searches, perft and the benchmark, and how they answer."""

from __future__ import annotations

import threading
from time import perf_counter

from games.solver import Line
from search import interpreter
from search.limits import NEVER, Stopped
from search.worker import ANSWERED, ANSWERING, LAST_WORDS, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.base import Position
    from games.types import Move, Score
    from search.context import Context

    OnReport = Callable[["Report", Position], None]


class Report:
    """A report of a running search.

    line: a Line, None for a report of progress alone.
    seconds: since the start.  seldepth: at least the line's depth.  hashfull: permille.
    current: the root move being searched, as (move, number from 1), or None.
    """

    def __init__(
        self,
        line: Line | None,
        nodes: int,
        seconds: float,
        seldepth: int = 0,
        hashfull: int = 0,
        current: tuple[Move, int] | None = None,
    ) -> None:
        self.line, self.nodes, self.seconds = line, nodes, seconds
        self.seldepth = seldepth if line is None else max(seldepth, line.depth)
        self.hashfull, self.current = hashfull, current

    @property
    def speed(self) -> int:
        """Return the number of nodes per second."""
        return round(self.nodes / max(self.seconds, 0.001))


class Result:
    """The result of a search.

    lines: Lines, best first; empty if the game is over.
    position: the one searched, unchanged; on_done() may rely on it until it changes the
    session.
    nodes: visited in all phases of the search, if its caller counts them.
    """

    def __init__(self, lines: list[Line], position: Position, nodes: int = 0) -> None:
        self.lines, self.position, self.nodes = lines, position, nodes

    @property
    def score(self) -> Score:
        """Return the score of the best line, for the side to move."""
        return self.lines[0].score

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


class Job:
    """A task that ends with an answer.

    context: its budget.  stage: WORKING, ANSWERING or ANSWERED.
    loads: must code be loaded before it can begin?
    answered: when it answered (perf_counter seconds).
    """

    def __init__(self, context: Context, loads: bool = False) -> None:
        self.context, self.loads = context, loads
        self.stage = WORKING
        self._lock = threading.Lock()  # needed to report, or to change from WORKING
        self._made = self.answered = perf_counter()

    @property
    def endless(self) -> bool:
        """Does it run until it is stopped?"""
        return False

    @property
    def latest(self) -> float:
        """Return the latest time to answer (perf_counter seconds), even for a job not begun."""
        return self.context.watch.clock.latest()

    @property
    def timed(self) -> bool:
        """Does the job have a deadline?"""
        return self.latest < NEVER

    def postpone(self, until: float) -> None:
        """Start the job's clock only at `until`, when the job before it answered."""
        self.context.watch.postpone(max(until - self._made, 0.0))

    def work(self) -> None:
        """Find the answer, or notice that it was stopped."""
        raise NotImplementedError

    def answer(self) -> None:
        """Give the answer."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask the job to answer as soon as it can."""
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
        if self.stage != WORKING or not self._lock.acquire(timeout=seconds):
            return False
        try:
            if self.stage != WORKING:
                return False
            self.stage, self.answered = ANSWERING, perf_counter()
            return True
        finally:
            self._lock.release()

    def answer_instead(self) -> bool:
        """Answer for the working thread, with the best result so far; return whether it may."""
        if self.claim(LAST_WORDS):
            try:
                self.answer()
            finally:
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
        interpreter.allow_compiling()
        try:
            self._result = self._work(self.context)
        except Stopped:
            pass
        except Exception:  # a bug: reported, and the session goes on
            interpreter.report_bug()

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
        loads: bool = False,
    ) -> None:
        super().__init__(context, loads)
        self._position, self._shown = position, shown
        self._on_report, self._on_done = on_report, on_done
        self._lines: list[Line] = []
        self._best: Line | None = None  # as last reported
        self._likely: Move | None = None  # the answer if there is no such line
        self._answering_thread: int | None = None  # it calls on_done()
        self._may_answer = threading.Event()  # set once it need not wait for `stop` or `ponderhit`
        self._hurries = False  # does its first line end it?
        limits = context.limits
        self._ends = bool(
            limits.depth
            or limits.nodes
            or limits.mate
            or limits.timed(position.side)
            or position.game.textbook
        )
        if not (limits.infinite or limits.ponder):
            self._may_answer.set()

    def reads(self) -> bool:
        """May the search still read `shown`?  False once on_done() is called."""
        # on_done() itself may change the session: it runs in the answering thread.
        return self.stage != ANSWERED and self._answering_thread != threading.get_ident()

    @property
    def endless(self) -> bool:
        ends = self._ends and self._may_answer.is_set()
        return not ends and self.stage == WORKING and not self.context.watch.stop_requested

    def work(self) -> None:
        if self.context.root_moves:
            if self.loads and self.timed:
                self._choose(self._position)
            try:
                self._lines = self._think()
            except Exception:  # a bug: any legal move is the answer, and the session goes on
                interpreter.report_bug()
                self._lines = [Line(0, [self.context.root_moves[0]], 0)]
        self._may_answer.wait()

    def answer(self) -> None:
        self._answering_thread = threading.get_ident()
        if self._best is None and self._lines:  # front ends expect a score before the move
            seconds = self.context.watch.clock.elapsed()
            self._on_report(Report(self._lines[0], 0, seconds), self._shown)
        self._on_done(Result(self._lines, self._shown))

    def prepare_answer(self) -> None:
        """Choose the move that the game would search first; loading a search takes longer."""
        if self._best is None and self._lock.acquire(timeout=0):  # nobody else reads _shown
            try:
                if self.stage == WORKING:  # else on_done() may change it
                    self._choose(self._shown)
            finally:
                self._lock.release()

    def _choose(self, position: Position) -> None:
        moves = self.context.root_moves
        try:
            ranked = zip(position.order_moves(moves), moves)
            self._likely = max(ranked, key=lambda pair: pair[0], default=(0, None))[1]
        except Exception:  # a bug: any legal move will do
            interpreter.report_bug()

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
        with self._lock:
            if self.stage != WORKING:
                return
            self._on_report(report, self._shown)
        if report.line is not None and report.line.multipv == 1:
            self._best = report.line
            if self._hurries:
                self.stop()

    def stop(self) -> None:
        super().stop()
        self._may_answer.set()

    def stop_soon(self) -> None:
        self._hurries = True
        self._may_answer.set()
        if self._best is not None:
            self.stop()

    def ponderhit(self) -> None:
        if self.context.watch.clock.pondering:
            self.context.watch.ponderhit()
            if not self.context.limits.infinite:
                self._may_answer.set()
