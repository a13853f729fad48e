"""A helper: the counterpart of search/threads/team.py, in a process of its own.

It does one job at a time: it searches a position to increasing depths until it receives
`stop`.  Helpers differ in the order of the root moves and in the iterations that they
begin with.

It reads pickled dicts with these keys:

    job game base played tables ...     search (Team.start)
    tables                              (number of the set of shared tables, Team.places)
    ponderhit                           the expected move was played: seconds left, or None
    stop                                end the job
    iteration                           an Iteration that another process has finished

and writes dicts with these:

    free                                ready: number of the finished job, at first None
    job iteration                       an Iteration that this helper has finished
    lost                                the reason why the helper ends
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from contextlib import suppress
from time import perf_counter

from games import registry
from search import interpreter
from search.context import Context, Helpers, Iteration
from search.game import position_of
from search.limits import FAR, NEVER, Deadlines, Limits, Stopped
from search.table import MAKER, Table, release
from search.think import think
from search.threads.abdada import Marks
from search.threads.shared import Progress, SharedMemory, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from search.threads.shared import Handle
    from search.threads.team import Job

_PR_SET_PDEATHSIG = 1  # option of prctl(2): the signal that the kernel sends when the parent ends
_SWITCH_INTERVAL = 0.0005
# Seconds between checks for a stop while the helper waits for a table that the main search
# has not made yet.
_STOP_CHECK_INTERVAL = 0.1
# The number of plies by which helpers 1, 2, 3 and so on run ahead of the main search.
_LEADS = (0, 0, 1)


def serve(requests: IO[bytes], replies: IO[bytes], number: int, size: int, handle: Handle) -> None:
    """Carry out the messages in `requests`, reply in `replies`; end the process after the last.

    number: the helper's number, from 1.  size, handle: of the SharedMemory of all processes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the parent process
    _end_with_parent()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    helper = _Helper(requests, replies, number, SharedMemory(size, handle))
    threading.Thread(target=helper.listen, daemon=True).start()
    helper.work()


def _end_with_parent() -> None:
    """Let Linux kill this process when its parent ends; a suspended process can't end itself."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # a C library without prctl
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _set_deadline(deadlines: Deadlines, seconds_left: float | None, pondering: bool) -> None:
    """Set the main search's soft deadline.  There is no hard one, since only `stop` ends a job."""
    deadlines.pondering = pondering
    seconds = NEVER if seconds_left is None else seconds_left
    deadlines.soft_deadline = perf_counter() + seconds


class _Helper(Helpers):
    """A helper: its main thread does the jobs, another thread reads the messages.

    This object is also the `Helpers` of the helper's own search.  By its methods, that search sends
    results to the main search, and gets the results of the other processes.
    """

    def __init__(
        self, requests: IO[bytes], replies: IO[bytes], number: int, shared: SharedMemory
    ) -> None:
        self._requests = requests
        self._replies = replies
        self.number = number
        self.lead = _LEADS[(number - 1) % len(_LEADS)]
        self._shared, self._progress = shared, Progress(shared)
        self._changed = threading.Condition()
        self._replying = threading.Lock()
        # _waiting: the next job to do.  _job: the current job, or the previous one.
        # _search: the Context of the current job.
        self._waiting: Job | None = None
        self._search: Context | None = None
        self._job: Job = {}
        # _tables: (number of the current set of tables, Team.places); see Team._tables_id.
        self._tables: tuple[int, dict[str, tuple[int, float, bool]]] = 0, {}
        # The last Iteration of the waiting or current job that another process has finished.
        self._best: Iteration | None = None
        self._memory: dict[str, Any] = {MAKER: self}
        self._memory_of = 0  # the number of the set of tables in `_memory`

    def _reply(self, message: dict[str, Any]) -> None:
        with self._replying:
            try:
                self._replies.write(pickle.dumps(message))
                self._replies.flush()
            except OSError:
                os._exit(0)

    def _give_up(self, why: str) -> None:
        """End the process; the other processes continue without it."""
        self._reply({"lost": why})
        os._exit(1)

    # ---- the reading thread ----------------------------------------------------------

    def listen(self) -> None:
        """Read messages until they end, which means that the parent process has ended."""
        status = 1
        try:
            for message in messages(self._requests):
                self._receive(message)
            status = 0
        except MemoryError:
            self._give_up("out of memory")
        except Exception:
            interpreter.report_bug()
        os._exit(status)

    def _receive(self, message: dict[str, Any]) -> None:
        with self._changed:
            self._tables = message.get("tables", self._tables)
            if "ponderhit" in message and self._waiting is not None:
                self._waiting.update(pondering=False, seconds_left=message["ponderhit"])
            elif "ponderhit" in message and self._search is not None:
                _set_deadline(self._search.watch.deadlines, message["ponderhit"], False)
            elif "stop" in message:
                if self._waiting is not None:  # the job has not begun, so it ends at once
                    self._reply({"free": self._waiting["job"]})
                    self._waiting = None
                elif self._search is not None:
                    self._search.watch.stop_requested = True
            elif "iteration" in message:
                self._best = message["iteration"]
            elif "plugins" in message:
                self._waiting, self._best = message, None
            self._changed.notify_all()

    # ---- the main thread -------------------------------------------------------------

    def work(self) -> None:
        """Do the jobs as they arrive."""
        done: int | None = None
        while True:
            self._reply({"free": done})
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None)
                job, self._waiting = self._waiting, None
                assert job is not None
                done = job["job"]
                # From here on, `stop` ends the search.
                self._search = context = self._context(job)
            try:
                self._do(job, context)
            except Stopped:
                pass
            except (MemoryError, OSError):  # no room for a table
                self._give_up("out of memory")
            except Exception:  # a bug: reported, and the next job may succeed
                interpreter.report_bug()
            with self._changed:
                self._search = None
            del job, context  # so that collect() frees them while they are young
            interpreter.collect()

    def _do(self, job: Job, context: Context) -> None:
        for where in job["plugins"]:
            if where not in registry.plugins():
                registry.load_plugin(where)
        interpreter.begin()
        try:
            think(position_of(job), context, lambda report: None)
        finally:
            interpreter.allow_pauses()

    def _context(self, job: Job) -> Context:
        number, _ = job["tables"]
        if self._memory_of != number:
            release(self._memory)
            self._memory_of, self._memory[MAKER] = number, self
        self._job, deadlines = job, Deadlines(Limits(**job["limits"]), 0)
        _set_deadline(deadlines, job["seconds_left"], job["pondering"])
        options = job["options"]
        moves = job["root_moves"]
        context = Context(deadlines, options, self._memory, job["hash"], moves, self)
        context.watch.node_limit = FAR  # the main search limits all processes' nodes
        return context

    def table(self, name: str, *requested: object) -> Table:
        """Return the table of this name that the main search has made; ignore `requested`.

        Waits until that table is made.  Raises Stopped if the search is stopped first.
        """
        with self._changed:
            while name not in self._tables[1]:
                if self._search is not None and self._search.watch.stop_requested:
                    raise Stopped
                self._changed.wait(_STOP_CHECK_INTERVAL)
            start, megabytes, packed = self._tables[1][name]
        return Table(megabytes, packed, lambda size: self._shared.map(start, size))

    # ---- for the search --------------------------------------------------------------

    def end_search(self, nodes: int) -> bool:
        self._progress.write(self.number, self._job["job"], nodes)
        return False

    def marks(self, context: Context) -> Marks:
        return Marks(context.table("marks"))

    def best(self) -> Iteration | None:
        return self._best

    def finished(self, iteration: Iteration) -> None:
        self._reply({"job": self._job["job"], "iteration": iteration})
