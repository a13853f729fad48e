"""A helper: the counterpart of search/threads/team.py, in a process of its own.

It does one job at a time: it searches a position to increasing depths until it receives
`stop`.  Helpers differ in the order of the root moves and in the iterations that they
begin with.

It reads pickled dicts with these keys:

    progress                            a handle (shared.py) of the progress counters
    table tables                        a table of the memory number `tables`: its name,
                                        megabytes, packed, a handle as above
    warm_up options plugins             load the data of this game
    job game base played ...            search (Team.begin)
    ponderhit                           the expected move was played; seconds left, or null
    stop                                end the job
    ping                                answer

and writes dicts with these:

    free                                it waits for a job; the number of the last one, or null
    job found                           an Iteration is finished
    ping                                an answer
    lost                                it ends, and why
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from time import perf_counter

from games import registry
from games.base import WIN
from games.solver import Line
from search import interpreter, warm_up
from search.context import Context, Helpers, Iteration
from search.limits import FAR, Clock, Limits, Stopped
from search.root import think
from search.table import Table, release
from search.threads.abdada import Marks
from search.threads.shared import (
    DEPTH,
    FINISHED,
    MOVE_BITS,
    NODES,
    SCORE,
    Channel,
    Progress,
    close_handle,
    map_memory,
    messages,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

    from games.types import Move
    from search.limits import Watch
    from search.threads.shared import Handle
    from search.threads.team import Job

_SWITCH_INTERVAL = 0.0005
# Seconds between checks for a stop while the helper waits for a table that the main search
# has not made yet.
_PATIENCE = 0.1
# The number of plies by which helpers 1, 2, 3 and so on try to be ahead of the main search.
_AHEAD = (0, 0, 1)


def serve(
    requests: IO[bytes], replies: IO[bytes], number: int, descriptor: int | None = None
) -> None:
    """Carry out the messages in `requests`, reply in `replies`, and end the process afterwards.

    number: of the helper, from 1.  descriptor: of the socket that passes handles.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is meant for the parent process
    sys.setswitchinterval(_SWITCH_INTERVAL)
    helper = _Helper(requests, replies, number, Channel(descriptor))
    threading.Thread(target=helper.listen, daemon=True).start()
    helper.work()


class _Helper:
    """A helper: its main thread does the jobs, another thread reads the messages."""

    def __init__(
        self, requests: IO[bytes], replies: IO[bytes], number: int, channel: Channel
    ) -> None:
        self._requests, self._replies, self._number = requests, replies, number
        self._channel = channel
        self._changed = threading.Condition()
        self._replying = threading.Lock()
        self._waiting: Job | None = None  # the job to do
        self._search: Context | None = None  # of the current job
        # The tables of the last memory named: {name: (megabytes, packed, handle)}.
        self._tables: dict[str, tuple[float, bool, Handle]] = {}
        self._tables_number: int | None = None
        self._progress: Progress | None = None
        self._memory: dict[str, Any] = {}
        self._memory_of: tuple[int, str] | None = None

    def _reply(self, message: dict[str, Any]) -> None:
        with self._replying:
            try:
                self._replies.write(pickle.dumps(message))
                self._replies.flush()
            except OSError:
                os._exit(0)

    def _give_up(self, why: str) -> None:
        """End the process; the others continue without it."""
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
        if "ping" in message:
            self._reply({"ping": True})
        elif "progress" in message:
            handle = self._channel.receive(message["progress"])
            self._progress = Progress(lambda size: map_memory(handle, size))
        elif "table" in message:
            self._add_table(message["tables"], *message["table"])
        elif "ponderhit" in message:
            if self._search is not None and isinstance(self._search.watch.clock, _HelperClock):
                self._search.watch.clock.expected_move_played(message["ponderhit"])
        else:
            with self._changed:
                if "stop" not in message:
                    self._waiting = message
                elif self._waiting is not None:  # not begun yet, so it ends at once
                    self._reply({"free": self._waiting.get("job")})
                    self._waiting = None
                elif self._search is not None:
                    self._search.watch.stop_requested = True
                self._changed.notify_all()

    def _add_table(
        self, number: int, name: str, megabytes: float, packed: bool, handle: str | None
    ) -> None:
        with self._changed:
            if number != self._tables_number:
                self._tables_number = number
                for _, _, earlier in self._tables.values():
                    close_handle(earlier)
                self._tables = {}
            self._tables[name] = megabytes, packed, self._channel.receive(handle)
            self._changed.notify_all()

    # ---- the main thread -------------------------------------------------------------

    def work(self) -> None:
        """Do job after job."""
        done: int | None = None
        while True:
            self._reply({"free": done})
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None)
                job, self._waiting = self._waiting, None
                assert job is not None
                done = job.get("job")
                # From here on, `stop` ends the search.
                self._search = None if done is None else self._context(job)
            try:
                self._do(job, self._search)
            except Stopped:
                pass
            except (MemoryError, OSError):  # no room for a table
                self._give_up("out of memory")
            except Exception:  # a bug: reported, and the next job may succeed
                interpreter.report_bug()
            with self._changed:
                self._search = None
            interpreter.collect()

    def _do(self, job: Job, context: Context | None) -> None:
        for where in job["plugins"]:
            if where not in registry.plugins():
                registry.load_plugin(where)
        if context is None:
            from random import Random

            warm_up(registry.get(job["warm_up"]), job["options"], Random())
            return
        game = registry.get(job["game"])
        position = game.parse(job["base"], job["base_options"])
        for move in job["played"]:
            position.make(move)
        interpreter.begin()
        try:
            think(position, context, lambda report: None)
        finally:
            interpreter.allow_pauses()

    def _context(self, job: Job) -> Context:
        if self._memory_of != (job["tables"], job["game"]):
            release(self._memory)
            self._memory_of = job["tables"], job["game"]
        assert self._progress is not None
        others = _Others(job, self._number, self._progress, self)
        context = Context(
            Limits(**job["limits"]),
            _HelperClock(job),
            job["options"],
            self._memory,
            job["hash"],
            job["root_moves"],
            others,
        )
        others.join(context)
        return context

    def table(self, memory: int, name: str, watch: Watch) -> Table:
        """Return the shared Table of this name as soon as the main search has made it.

        memory: its number.  Raises Stopped if the search ends before.
        """
        with self._changed:
            while self._tables_number != memory or name not in self._tables:
                if watch.stop_requested:
                    raise Stopped
                self._changed.wait(_PATIENCE)
            megabytes, packed, handle = self._tables[name]
            return Table(megabytes, packed, lambda size: map_memory(handle, size))

    def finished(self, job: int, found: Iteration) -> None:
        """Report a finished iteration."""
        self._reply({"job": job, "found": found})


class _Others(Helpers):
    """The main search and the other helpers, as one helper's search sees them.

    The helper ends on request, and reports what it finds.
    """

    def __init__(self, job: Job, number: int, progress: Progress, helper: _Helper) -> None:
        """number: of the helper, from 1."""
        self._job, self._tables_number = job["job"], job["tables"]
        self._one_line = job["options"].get("MultiPV", 1) == 1
        self._progress, self._helper = progress, helper
        self.number = number

    def join(self, context: Context) -> None:
        """Make a search use the tables that the main search has made, whatever their size."""

        def table(name: str, share: float = 1.0, packed: bool = False, extra: float = 0.0) -> Table:
            if name not in context.memory:
                context.memory[name] = self._helper.table(self._tables_number, name, context.watch)
            found: Table = context.memory[name]
            return found

        context.table = table
        context.watch.node_limit = FAR  # the main search counts all nodes

    def end_search(self, nodes: int) -> bool:
        self._progress.write(self.number, NODES, self._job, nodes)
        return False

    def marks(self, context: Context) -> Marks:
        return Marks(context.table("marks"))

    def best(self) -> Iteration | None:
        """Return the last iteration that any process has finished; its line is the first move."""
        word = self._progress.read(0, FINISHED, self._job) if self._one_line else 0
        if not word:
            return None
        depth, move = word >> MOVE_BITS, word & (1 << MOVE_BITS) - 1
        score = self._progress.read(0, SCORE, self._job) - WIN
        return Iteration([Line(score, [move], depth)], depth, False)

    def common_start(self, depth: int, moves: Sequence[Move]) -> Iteration | None:
        """Return the iteration that gives all processes the same window and first move."""
        found = self.ahead(depth - 1, moves)
        return found if found is not None and found.depth == depth - 1 else None

    def next_depth(self, depth: int, deepest: int) -> int:
        reached = self._progress.read(0, DEPTH, self._job)
        ahead = _AHEAD[(self.number - 1) % len(_AHEAD)]
        return min(max(depth, reached + ahead), deepest)

    def finished(self, lines: list[Line], depth: int, final: bool) -> None:
        self._helper.finished(self._job, Iteration(lines, depth, final))


class _HelperClock(Clock):
    """The main search's clock, without deadlines: a helper ends on request."""

    def __init__(self, job: Job) -> None:
        super().__init__(Limits(), 0)
        self.pondering = job["pondering"]
        self._set(job["seconds_left"])

    def _set(self, seconds: float | None) -> None:
        self._end = None if seconds is None else perf_counter() + seconds

    def expected_move_played(self, seconds: float | None) -> None:
        """End pondering.  seconds: the time left, None for no limit."""
        self.pondering = False
        self._set(seconds)

    def seconds_left(self) -> float | None:
        """Return the seconds until the search should answer; None for no limit."""
        return None if self._end is None else self._end - perf_counter()
