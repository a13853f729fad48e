"""The helpers of a search: processes that search the same position and share its tables (lazy SMP).

The tree is not divided among them.  Each helper searches on its own, a little differently, and
writes its results to the tables that all read, so all search deeper in the same time.  They are
processes because threads take turns at one interpreter.

A helper (helper.py) reads pickled messages from a pipe and writes them to another one.  Its pipe
closes when the parent process ends, and then it ends at once.  Its node count is in shared memory.
It receives a job when it is free, so nobody waits for a helper that is slow, stopped or gone: only
its share of the work is lost.

The results of helpers are used in two ways: an iteration that a helper finished first is adopted
instead of searched again, and a result that a helper has proven ends the search.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from itertools import count
from time import perf_counter

from games import data, registry
from games.base import WIN
from games.solver import Line
from search.context import Helpers, Iteration
from search.interpreter import start_thread
from search.limits import FAR
from search.table import MAKER, Table
from search.threads.abdada import Marks
from search.threads.shared import (
    DEPTH,
    FINISHED,
    JOB_SHIFT,
    MOVE_BITS,
    NODES,
    SCORE,
    SIZE,
    Lifeline,
    Progress,
    channel_pair,
    close_handle,
    map_memory,
    messages,
    new_memory,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from mmap import mmap
    from typing import Any

    from search.context import Context
    from search.threads.shared import Handle

    Job = dict[str, Any]

# A helper reads its program from its pipe (the file may be inside an archive), so that a list of
# processes shows its name instead of the source.  It has its own process group: if it is stopped
# when its parent ends, POSIX makes the system wake it with SIGHUP, since its group is then
# orphaned.  Linux does better (Lifeline in shared.py).
_PROGRAM = "import sys; exec(eval(sys.stdin.buffer.readline()))"
_NAME = "plyglot-helper"
_START = """import os, sys
sys.path[:] = {path}
if hasattr(os, "setpgid"):
    os.setpgid(0, 0)
from search.interpreter import claim_stdout
from search.threads.helper import serve
serve(sys.stdin.buffer, claim_stdout(), {number}, {memory!r}, {descriptor})"""

_MOST_JOBS = 1 << 63 - JOB_SHIFT
# During searches a helper is pinged at this interval (seconds), and given up after this many
# unanswered pings.
_PING_INTERVAL, _MOST_UNANSWERED = 1.0, 5
_MARKS_MEGABYTES = 1 / 16
_LIMITS = ("depth", "nodes", "mate", "moves")  # that hold for helpers, too: they end on request
# Otherwise Windows would open a window for it.
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class SharedTables:
    """The maker of the tables of one game's memory, which helpers share (search/table.py)."""

    _numbers = count(1)

    def __init__(self, team: Team) -> None:
        self._team, self.number = team, next(self._numbers)
        self.tables: list[tuple[str, float, bool, Handle]] = []

    def table(self, name: str, megabytes: float, packed: bool) -> Table:
        """Return a new Table, which the helpers share."""
        made: list[Handle] = []

        def memory(size: int) -> mmap:
            made.append(new_memory(size))
            return map_memory(made[0], size)

        try:
            table = Table(megabytes, packed, memory)
        except OSError:
            for unused in made:
                close_handle(unused)
            raise
        self.tables.append((name, megabytes, packed, made[0]))
        self._team.tables_grew(self)
        return table

    def release(self) -> None:
        """Stop sharing the tables."""
        for _, _, _, handle in self.tables:
            close_handle(handle)
        self.tables = []


def new_team() -> Team | None:
    """Return a Team without helpers; report it and return None if no memory can be shared."""
    try:
        return Team()
    except OSError as error:
        reason = error.strerror or error
        data.report(f"Threads: no memory can be shared ({reason}); searching with 1")
        return None


class Team(Helpers):
    """The helpers of a session's searches, one search at a time; its node limit includes theirs.

    The loss of a helper is reported once; it is not replaced until `resize`.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._helpers: dict[int, HelperProcess] = {}  # by number, from 1
        self._memory = new_memory(SIZE)
        self._progress = Progress(lambda size: map_memory(self._memory, size))
        self._number, self._deepest = 0, FAR  # number and last depth of the last job
        self._next_ping = 0.0
        self._dropped_nodes = 0  # by helpers that are gone, in this job
        self._job: Job | None = None  # the current job
        self._tables: SharedTables | None = None
        self._warm_up: Job | None = None  # a helper's task before its first job
        self._best: Iteration | None = None  # the best result of the helpers in this job

    # ---- processes ------------------------------------------------------------------------------

    def resize(self, size: int) -> None:
        """Change the number of helpers to `size`; a running search continues with them."""
        with self._lock:
            for number in [number for number in self._helpers if number > size]:
                self._drop(self._helpers[number])
            for number in range(1, size + 1):
                if number not in self._helpers:
                    try:
                        self._helpers[number] = HelperProcess(self, number, self._memory)
                    except OSError as error:
                        data.report(
                            f"Threads: no process could be started "
                            f"({error.strerror or error}); "
                            f"searching with {len(self._helpers) + 1}"
                        )
                        return

    def close(self) -> None:
        """End all helpers; a running search continues without them."""
        self.resize(0)

    def lose(self, helper: HelperProcess, how: str = "lost") -> None:
        """Drop a helper that is gone or does not answer, and report it."""
        with self._lock:
            if self._helpers.get(helper.number) is helper:
                self._drop(helper)
                data.report(
                    f"Threads: helper {helper.number} is {how}, "
                    f"searching with {len(self._helpers) + 1}"
                )

    def _drop(self, helper: HelperProcess) -> None:
        """End a helper; its nodes still count."""
        helper.kill()
        visited = self._progress.read(helper.number, NODES, self._number)
        self._progress.write(helper.number, NODES, self._number, 0)
        del self._helpers[helper.number]
        self._dropped_nodes += visited

    # ---- searches -------------------------------------------------------------------------------

    def new_memory(self) -> dict[str, Any]:
        """Return the memory of a game (search/context.py), whose tables helpers share."""
        return {MAKER: SharedTables(self)}

    def warm_up(self, game: str, options: Mapping[str, Any]) -> None:
        """Make helpers load what the first search of a game needs, as soon as they are free."""
        with self._lock:
            plugins = registry.plugins()
            self._warm_up = dict(warm_up=game, options=dict(options), plugins=plugins)
            for helper in list(self._helpers.values()):
                helper.warm_up(self._warm_up)

    def start(self, context: Context) -> None:
        limits, clock = context.limits, context.watch.clock
        # Made now, since a helper that doesn't run the solver needs them at once.
        context.search_table(registry.get(context.setup["game"]))
        self.marks(context)
        tables: SharedTables = context.memory[MAKER]
        with self._lock:
            self._number, self._deepest = (self._number + 1) % _MOST_JOBS, FAR
            self._job = dict(
                context.setup,
                job=self._number,
                tables=tables.number,
                plugins=registry.plugins(),
                options={**context.options, "Variety": False},
                root_moves=context.root_moves,
                limits={name: getattr(limits, name) for name in _LIMITS},
                pondering=clock.pondering,
                seconds_left=clock.seconds_left(),
            )
            self._tables, self._dropped_nodes = tables, 0
            self._ping()
            for helper in list(self._helpers.values()):
                helper.work(self._job, tables)

    def stop(self) -> None:
        with self._lock:
            self._job = self._tables = self._best = None
            for helper in list(self._helpers.values()):
                helper.stop()

    def ponderhit(self, seconds_left: float | None) -> None:
        with self._lock:
            if self._job is not None:
                self._job.update(pondering=False, seconds_left=seconds_left)
                for helper in list(self._helpers.values()):
                    helper.send({"ponderhit": seconds_left})

    def _ping(self) -> None:
        """Look for helpers that no longer answer, at most once a second."""
        now = perf_counter()
        if now < self._next_ping:
            return
        self._next_ping = now + _PING_INTERVAL
        with self._lock:
            for helper in list(self._helpers.values()):
                helper.ping()

    def nodes(self) -> int:
        if self._job is None:
            return 0
        return self._dropped_nodes + sum(
            self._progress.read(number, NODES, self._number) for number in list(self._helpers)
        )

    def end_search(self, nodes: int) -> bool:
        self._ping()
        best = self._best
        return best is not None and (best.final or best.depth >= self._deepest)

    def marks(self, context: Context) -> Marks:
        return Marks(context.table("marks", 0.0, packed=True, extra=_MARKS_MEGABYTES))

    def best(self) -> Iteration | None:
        return self._best

    def next_depth(self, depth: int, deepest: int) -> int:
        best, self._deepest = self._best, deepest
        if best is not None:
            depth = min(max(depth, best.depth), deepest)
        self._progress.write(0, DEPTH, self._number, depth)
        return depth

    def finished(self, lines: list[Line], depth: int, final: bool) -> None:
        """Record a finished iteration of any process, from which helpers continue."""
        self._progress.write(0, SCORE, self._number, lines[0].score + WIN)
        self._progress.write(0, FINISHED, self._number, depth << MOVE_BITS | lines[0].moves[0])

    # ---- helpers and their messages -------------------------------------------------------------

    def tables_grew(self, tables: SharedTables) -> None:
        """Share a new table with the helpers."""
        with self._lock:
            if tables is self._tables:
                for helper in list(self._helpers.values()):
                    if not helper.free:
                        helper.share(tables)

    def receive(self, helper: HelperProcess, message: dict[str, Any]) -> None:
        """Handle a helper's message (in a thread of its own)."""
        with self._lock:
            helper.unanswered = 0
            if "free" in message:
                helper.free = True
                if self._helpers.get(helper.number) is helper:
                    self._employ(helper, message["free"])
            elif "lost" in message:
                self.lose(helper, message["lost"])
            elif "found" in message and self._job and message["job"] == self._number:
                best, found = self._best, message["found"]
                if best is None or not best.final and (found.final or found.depth > best.depth):
                    self._best = found
                    self.finished(found.lines, found.depth, found.final)

    def _employ(self, helper: HelperProcess, done: int | None) -> None:
        """Give a free helper a job.  done: the number of the job that it has just ended."""
        if self._warm_up is not None:
            helper.warm_up(self._warm_up)
        if self._job is not None and self._tables is not None and done != self._number:
            helper.work(self._job, self._tables)


class HelperProcess:
    """A helper's process, as its parent sees it.

    memory: the handle of the progress counters.
    free: does it wait for a job?  unanswered: the number of unanswered pings.
    """

    def __init__(self, team: Team, number: int, memory: Handle) -> None:
        self.number, self.free, self.unanswered = number, False, 0
        self._team, self._stopped = team, True
        self._tables: SharedTables | None = None  # the last ones sent to it ...
        self._shared = 0  # ... and their number
        self._warmed: Job | None = None
        self._channel, theirs = channel_pair()
        descriptors = [] if theirs is None else [theirs.fileno()]
        inherited = [memory] if isinstance(memory, int) else []
        self._lifeline = Lifeline()
        arguments = [sys.executable, "-c", _PROGRAM, _NAME, str(number)]
        try:
            if getattr(sys, "frozen", False):  # e.g. by PyInstaller: it can't run -c
                raise OSError("a program that is frozen into one file can't start helpers")
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=descriptors + inherited + self._lifeline.inherited,
                creationflags=_FLAGS,
            )
            self._lifeline.tie(self._process.pid)
        except OSError:
            self._channel.close()
            self._lifeline.cut()
            raise
        finally:
            self._lifeline.release()
            if theirs is not None:
                theirs.close()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        start = _START.format(
            path=sys.path, number=number, memory=memory, descriptor=(*descriptors, None)[0]
        )
        self._write(ascii(start).encode() + b"\n")
        if not start_thread(self._listen):
            self.kill()
            self._process.wait()
            raise OSError("the system allows no more threads")

    def _listen(self) -> None:
        with self._replies:
            for message in messages(self._replies):
                self._team.receive(self, message)
        self._team.lose(self)
        self._process.wait()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; if nobody reads it, _listen notices."""
        self._write(pickle.dumps(message))

    def _write(self, data: bytes) -> None:
        try:
            self._requests.write(data)
            self._requests.flush()
        except (OSError, ValueError):
            pass

    def work(self, job: Job, tables: SharedTables) -> None:
        """Begin a job, unless the helper is still busy with another one."""
        if self.free:
            self.free = self._stopped = False
            self.share(tables)
            self.send(job)

    def warm_up(self, job: Job) -> None:
        """Load the data of a game once, unless the helper is busy."""
        if self.free and self._warmed is not job:
            self.free, self._warmed = False, job
            self.send(job)

    def stop(self) -> None:
        """End the job."""
        if not self._stopped:
            self._stopped = True
            self.send({"stop": True})

    def share(self, tables: SharedTables) -> None:
        """Send the helper the tables that it does not have yet."""
        if self._tables is not tables:
            self._tables, self._shared = tables, 0
        for name, megabytes, packed, memory in tables.tables[self._shared :]:
            try:
                handle = self._channel.send(memory)
            except OSError:
                return  # it is gone or doesn't read: ping or _listen will notice
            self._shared += 1
            table = name, megabytes, packed, handle
            self.send({"table": table, "tables": tables.number})

    def ping(self) -> None:
        """Send a ping, or give the helper up."""
        self.unanswered += 1
        if self.unanswered > _MOST_UNANSWERED:
            self._team.lose(self)
        elif self.unanswered == 1:
            self.send({"ping": True})

    def kill(self) -> None:
        """Kill the process, whatever its state."""
        self._process.kill()
        self._channel.close()
        self._lifeline.cut()
        try:
            self._requests.close()
        except OSError:
            pass  # unsent lines don't matter any more
