"""The helpers of a search: processes that search the same position and share its tables (lazy SMP).

The tree is not divided among them.  Each helper searches on its own, a little differently, and
writes its results to the tables that all read, so all search deeper in the same time.  They are
processes because threads take turns at one interpreter.

A helper (helper.py) reads pickled messages from one pipe and writes them to another.  When the
parent process ends, the pipe closes, and the helper ends at once.  A helper stores its node count
in shared memory.  It receives a job when it is free, so nobody waits for a helper that is slow,
stopped or gone: only its share of the work is lost.

The results of helpers are used in two ways: an iteration that a helper finished first is adopted
instead of searched again, and a result that a helper has proven ends the search.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue

from games import notices, registry
from search.context import Helpers
from search.interpreter import start_thread
from search.table import MAKER, Table, release
from search.threads.abdada import Marks
from search.threads.shared import COUNTS, JOB_SHIFT, SharedMemory, messages, rounded
from search.worker import wait_until

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    from games.base import Position
    from search.context import Context, Iteration

    Job = dict[str, Any]

# A helper reads its program from its pipe, for two reasons: helper.py may be inside an archive, and
# a list of processes then shows the helper's name instead of the program's text.  Each helper has a
# process group of its own.  If a helper is stopped (SIGSTOP) when its parent ends, the group is
# orphaned, and POSIX demands that the system then wakes the helper with SIGHUP.
_PROGRAM = "import sys; exec(eval(sys.stdin.buffer.readline()))"
_NAME = "plyglot-helper"
_START = """import os, sys
sys.path[:] = {path}
if hasattr(os, "setpgid"):
    os.setpgid(0, 0)
from search.interpreter import claim_stdout
from search.threads.helper import serve
serve(sys.stdin.buffer, claim_stdout(), {number}, {size}, {handle!r})"""

_MAX_JOBS = (1 << 63 - JOB_SHIFT) - 1
_COUNT = (1 << JOB_SHIFT) - 1  # mask of the node count in a word of the table COUNTS

_SMALL = 1 / 16  # megabytes of the table of marks, and of the table of node counts

# Megabytes beyond the option Hash, for these two tables and for the `extra` of games' tables.
_EXTRA_MEGABYTES = 8
_MEGABYTE = 1 << 20
# Seconds for helpers to end their job before the tables are cleared for another game.
_JOB_END_SECONDS = 1.0
# Helpers have only these limits.  Without them, they search until the main search stops them.
_LIMITS = ("depth", "nodes", "mate", "moves", "infinite")
# Without this flag Windows would open a window for each helper.
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)


def new_team(size: int, megabytes: float) -> Team | None:
    """Return a Team of `size` helpers; if no memory can be shared, report that and return None."""
    try:
        return Team(size, megabytes)
    except OSError as error:
        _report(f"no memory can be shared ({error.strerror or error});", 1)
        return None


def _report(problem: str, threads: int) -> None:
    notices.report(f"Threads: {problem} searching as with Threads={threads}")


class Team(Helpers):
    """The helpers of a session's searches, one search at a time.

    Node limits count the helpers' nodes, too.

    memory: SharedMemory that holds the tables of the current game, which the team creates.
    places: {name: (start in bytes, megabytes, packed)}, by which helpers map these tables.
    A helper that ends is reported once and not replaced.
    """

    def __init__(self, size: int, megabytes: float) -> None:
        """Start `size` helpers.  megabytes: size of all tables together."""
        self.memory = SharedMemory(int((megabytes + _EXTRA_MEGABYTES) * _MEGABYTE))
        self._changed = threading.Condition()
        # _job: the current job.  _number: the number of the last job.
        # _counts: the helpers' node counts in the current job.
        # _used: the Context.memory of the game to which the tables belong.
        # _tables_id: the number of the set of tables; grows when they are cleared for another game.
        # _end: where the last table ends in the memory, in bytes.
        # _helpers: {number from 1: helper}.
        self._number, self._size = 0, size
        self._job: Job | None = None
        self._used: dict[str, Any] | None = None
        self._tables_id = 0
        self.places: dict[str, tuple[int, float, bool]] = {}
        self._end = 0
        self._counts: Table
        self._helpers: dict[int, HelperProcess] = {}
        with self._changed:
            try:
                for number in range(1, size + 1):
                    self._helpers[number] = HelperProcess(self, number)
            except OSError as error:
                reason = error.strerror or error
                _report(f"no process could be started ({reason});", len(self._helpers) + 1)

    # ---- processes ------------------------------------------------------------------------------

    def close(self) -> None:
        """End all helpers; searches that run or wait continue without them."""
        with self._changed:
            for helper in list(self._helpers.values()):
                self._drop(helper)

    def lose(self, helper: HelperProcess, how: str = "lost") -> None:
        """Drop a helper that is gone or does not answer, and report it."""
        with self._changed:
            if self._helpers.get(helper.number) is helper:
                self._drop(helper)
                _report(f"helper {helper.number} is {how},", len(self._helpers) + 1)

    def _drop(self, helper: HelperProcess) -> None:
        """End a helper's process; the nodes that it has visited still count."""
        helper.kill()
        del self._helpers[helper.number]

    # ---- searches -------------------------------------------------------------------------------

    def start(self, position: Position, context: Context) -> None:
        limits, deadlines = context.limits, context.watch.deadlines
        self._use(context.memory)
        # Make the tables now, since a helper that doesn't run the solver needs them at once.
        context.search_table(position)
        self.marks(context)
        self._counts = context.table(COUNTS, 0.0, packed=True, extra=_SMALL)
        with self._changed:
            self._number = self._number % _MAX_JOBS + 1
            self._job = dict(
                context.setup,
                job=self._number,
                plugins=registry.plugins(),
                options={**context.options, "Variety": False},
                root_moves=context.root_moves,
                limits={name: getattr(limits, name) for name in _LIMITS},
                pondering=deadlines.pondering,
                seconds_left=deadlines.seconds_left(),
            )
            for helper in self._helpers.values():
                self._employ(helper)

    def _use(self, memory: dict[str, Any]) -> None:
        """Give the shared tables to a game's memory (Context.memory).

        If they belonged to another game's memory, clear them first.
        """
        if memory is self._used and MAKER in memory:
            return
        with self._changed:
            wait_until(self._changed, lambda: not self._working(), _JOB_END_SECONDS)
            # a helper that is still searching would write to the tables
            for helper in self._working():
                self.lose(helper)
        release(memory)
        self.memory.clear()
        self._tables_id += 1
        self.places, self._end = {}, 0
        self._used, memory[MAKER] = memory, self

    def _working(self) -> list[HelperProcess]:
        return [helper for helper in self._helpers.values() if helper.works]

    def table(self, name: str, megabytes: float, packed: bool) -> Table:
        """Return a new Table, which the helpers share unless there is no more room."""
        start = self._end

        def place(size: int) -> mmap:
            self._end = start + rounded(size)
            return self.memory.map(start, size)

        if start + (megabytes + 1) * _MEGABYTE > self.memory.size:
            return Table(megabytes, packed)
        table = Table(megabytes, packed, place)
        with self._changed:
            self.places[name] = start, megabytes, packed
            for helper in self._working():
                helper.send({"tables": (self._tables_id, self.places)})
        return table

    def stop(self) -> None:
        with self._changed:
            self._job = self.best = None
            for helper in self._working():
                helper.send({"stop": True})

    def ponderhit(self, seconds_left: float | None) -> None:
        with self._changed:
            if self._job is not None:
                self._job.update(pondering=False, seconds_left=seconds_left)
                for helper in self._working():
                    helper.send({"ponderhit": seconds_left})

    def nodes(self) -> int:
        if self._job is None:
            return 0
        words = (self._counts.data[number] for number in range(1, self._size + 1))
        return sum(word & _COUNT for word in words if word >> JOB_SHIFT == self._number)

    def marks(self, context: Context) -> Marks:
        return Marks(context.table("marks", 0.0, packed=True, extra=_SMALL))

    def finished(self, iteration: Iteration) -> None:
        """Send a finished iteration of any process to the helpers, which continue from it."""
        with self._changed:
            for helper in self._helpers.values():
                if helper.works == self._number:
                    helper.send({"iteration": iteration})

    # ---- helpers and their messages -------------------------------------------------------------

    def receive(self, helper: HelperProcess, message: dict[str, Any]) -> None:
        """Handle a helper's message, in the thread that reads from that helper."""
        with self._changed:
            if "free" in message:
                helper.works = 0
                if self._helpers.get(helper.number) is helper and message["free"] != self._number:
                    self._employ(helper)
                self._changed.notify_all()
            elif "lost" in message:
                self.lose(helper, message["lost"])
            elif "iteration" in message and self._job and message["job"] == self._number:
                best, new = self.best, message["iteration"]
                if best is None or (new.final, new.depth) > (best.final, best.depth):
                    self.best = new
                    self.finished(new)

    def _employ(self, helper: HelperProcess) -> None:
        """Give a helper the current job, unless it is still busy with another one."""
        if self._job is not None and helper.works == 0:
            helper.works = self._number
            helper.send({**self._job, "tables": (self._tables_id, self.places)})


class HelperProcess:
    """A helper's process, as its parent sees it.

    works: number of the job that it is doing or finishing; 0 if free, None while it starts.
    """

    def __init__(self, team: Team, number: int) -> None:
        self.number, self._team = number, team
        self.works: int | None = None
        memory = team.memory
        if getattr(sys, "frozen", False):  # a frozen program doesn't have Python's option -c
            raise OSError("a frozen program (PyInstaller, for example) can't start helpers")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, _NAME, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[memory.handle] if isinstance(memory.handle, int) else [],
            creationflags=_FLAGS,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        start = _START.format(path=sys.path, number=number, size=memory.size, handle=memory.handle)
        self._unsent.put(ascii(start).encode() + b"\n")
        if not (start_thread(self._write) and start_thread(self._listen)):
            self._process.kill()
            raise OSError("the system allows no more threads")

    def _listen(self) -> None:
        with self._replies:
            for message in messages(self._replies):
                self._team.receive(self, message)
        self._team.lose(self)
        self._process.wait()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, without waiting for the helper, which may have ended or be stopped."""
        self._unsent.put(pickle.dumps(message))

    def _write(self) -> None:
        """Write the messages, in a separate thread: writing waits while the pipe is full."""
        with suppress(OSError, ValueError), self._requests:  # _listen() notices the helper's end
            for data in iter(self._unsent.get, None):
                self._requests.write(data)
                self._requests.flush()

    def kill(self) -> None:
        """Kill the process, whatever its state."""
        self._process.kill()
        self._unsent.put(None)
