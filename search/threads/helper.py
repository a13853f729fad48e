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
from queue import SimpleQueue
from time import perf_counter

from games import registry
from search import interpreter
from search.context import Context, Helpers, Iteration
from search.game import position_of
from search.limits import FAR, NEVER, Deadlines, Limits, Stopped
from search.table import MAKER, Table, release
from search.think import think
from search.threads.abdada import Marks
from search.threads.shared import COUNTS, JOB_SHIFT, SharedMemory, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from search.threads.shared import Handle
    from search.threads.team import Job

_PR_SET_PDEATHSIG = 1  # option of prctl(2): the signal that the kernel sends when the parent ends
_SWITCH_INTERVAL = 0.0005
# The number of plies by which helpers 1, 2, 3 and so on run ahead of the main search.
_LEADS = (0, 0, 1)


def serve(requests: IO[bytes], replies: IO[bytes], number: int, size: int, handle: Handle) -> None:
    """Carry out the messages in `requests`, reply in `replies`; end the process after the last.

    number: the helper's number, from 1.  size, handle: of the SharedMemory of all processes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the parent process
    _end_with_parent()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    helper = _Helper(replies, number, SharedMemory(size, handle))
    threading.Thread(target=helper.listen, args=[requests], daemon=True).start()
    helper.work()


def _end_with_parent() -> None:
    """Let Linux kill this process when its parent ends; a suspended process can't end itself."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # a C library without prctl
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class _Helper(Helpers):
    """A helper: its main thread does the jobs, another thread reads the messages.

    This object is also the `Helpers` of the helper's own search.  Through its methods, that search
    sends results to the main search, and gets the results of the other processes.
    """

    def __init__(self, replies: IO[bytes], number: int, shared: SharedMemory) -> None:
        self._replies = replies
        self.number = number
        self.lead = _LEADS[(number - 1) % len(_LEADS)]
        self._shared = shared
        self.messages: SimpleQueue[dict[str, Any]] = SimpleQueue()  # those not handled yet

        # The number of the current job or, between jobs, of the previous one; its Deadlines, and
        # whether it was stopped.
        self._job = 0
        self._deadlines = Deadlines(Limits(), 0)
        self._stopped = False
        self._counts: Table  # the helpers' node counts

        # _tables: (number of the current set of tables, Team.places); see Team._tables_id.
        self._tables: tuple[int, dict[str, tuple[int, float, bool]]] = 0, {}
        self._memory: dict[str, Any] = {MAKER: self}
        self._memory_of = 0  # the number of the set of tables in `_memory`

    def _reply(self, message: dict[str, Any]) -> None:
        try:
            self._replies.write(pickle.dumps(message))
            self._replies.flush()
        except OSError:
            os._exit(0)

    # ---- messages --------------------------------------------------------------------

    def listen(self, requests: IO[bytes]) -> None:
        """Queue the messages, in a separate thread, until the parent process ends."""
        try:
            for message in messages(requests):
                self.messages.put(message)
        except Exception:
            interpreter.report_bug()
        os._exit(0)

    def _receive(self, message: dict[str, Any]) -> None:
        self._tables = message.get("tables", self._tables)
        self.best = message.get("iteration", self.best)
        if "ponderhit" in message:
            self._set_deadline(message["ponderhit"], pondering=False)
        if "stop" in message:
            self._stopped = True

    def _set_deadline(self, seconds_left: float | None, pondering: bool) -> None:
        """Set the main search's soft deadline.  There is no hard one: only `stop` ends a job."""
        seconds = NEVER if seconds_left is None else seconds_left
        self._deadlines.pondering = pondering
        self._deadlines.soft_deadline = perf_counter() + seconds

    # ---- jobs ------------------------------------------------------------------------

    def work(self) -> None:
        """Do the jobs as they arrive."""
        done: int | None = None
        while True:
            self._reply({"free": done})
            while "job" not in (message := self.messages.get()):
                self._receive(message)
            done = message["job"]
            self._do(message)
            del message  # so that collect() frees it while it is young
            interpreter.collect()

    def _do(self, job: Job) -> None:
        """Do a job, until it is stopped or fails."""
        try:
            for where in job["plugins"]:
                if where not in registry.plugins():
                    registry.load_plugin(where)
            interpreter.begin()
            try:
                think(position_of(job), self._context(job), lambda report: None)
            finally:
                interpreter.allow_pauses()
        except Stopped:
            pass
        except (MemoryError, OSError):  # no room for a table: the others continue without this one
            self._reply({"lost": "out of memory"})
            os._exit(1)
        except Exception:  # a bug: reported, and the next job may succeed
            interpreter.report_bug()

    def _context(self, job: Job) -> Context:
        self._job, self._stopped, self.best = job["job"], False, None
        self._deadlines = Deadlines(Limits(**job["limits"]), 0)
        self._set_deadline(job["seconds_left"], job["pondering"])
        self._tables = number, _ = job["tables"]
        if self._memory_of != number:
            release(self._memory)
            self._memory_of, self._memory[MAKER] = number, self
        options, moves = job["options"], job["root_moves"]
        context = Context(self._deadlines, options, self._memory, job["hash"], moves, self)
        context.watch.node_limit = FAR  # the main search limits all processes' nodes
        self._counts = context.table(COUNTS)
        return context

    def table(self, name: str, *requested: object) -> Table:
        """Return the table of this name that the main search has made; ignore `requested`.

        Waits until that table is made.  Raises Stopped if the search is stopped first.
        """
        while name not in self._tables[1]:
            self._receive(self.messages.get())
            if self._stopped:
                raise Stopped
        start, megabytes, packed = self._tables[1][name]
        return Table(megabytes, packed, lambda size: self._shared.map(start, size))

    # ---- for the search --------------------------------------------------------------

    def end_search(self, nodes: int) -> bool:
        """Store the node count for the main search, and handle the messages that have arrived."""
        self._counts.data[self.number] = self._job << JOB_SHIFT | nodes
        while not self.messages.empty():
            self._receive(self.messages.get())
        return self._stopped

    def marks(self, context: Context) -> Marks:
        return Marks(context.table("marks"))

    def finished(self, iteration: Iteration) -> None:
        self._reply({"job": self._job, "iteration": iteration})
