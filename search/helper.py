"""A helper: the other side of search/team.py, in a process of its own.

It does one job at a time: the search of a position, as deep as it gets until it is told to stop.  Each helper begins
with another order of the root moves, and with iterations where the others are not.
"""
from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from time import perf_counter

from games import registry
from search import faults
from search.context import Context, Stopped
from search.limits import Limits
from search.root import think
from search.shared import Door, mapped
from search.table import Table, release
from search.team import DEPTH, NODES, Counters

_SWITCH_INTERVAL = 0.0005
# How long to wait for a table that the search itself has not made yet before looking whether to stop (seconds).
_PATIENCE = 0.1
# By how many plies helper 1, 2, 3 and so on are to be ahead of the search itself, as far as they get.
_AHEAD = (1, 0, 2)


def serve(lines, tell, number, channel=None):
    """Do the jobs that `lines` (a binary stream) tell of, and write what is found to `tell`; ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)        # the front end's terminal means the process that started us
    sys.setswitchinterval(_SWITCH_INTERVAL)
    helper = _Helper(lines, tell, number, Door(channel))
    threading.Thread(target=helper.listen, daemon=True).start()
    helper.work()


class _Helper:
    """jobs are done by the main thread, lines are read by another one."""

    def __init__(self, lines, tell, number, door):
        self._lines, self._stream, self._number, self._door = lines, tell, number, door
        self._changed = threading.Condition()
        self._telling = threading.Lock()
        self._waiting = None            # the job to do
        self._search = None             # the _HelperContext of the one that is done
        self._tables = {}               # {name: (megabytes, packed, place)} of the pool that was told of last
        self._pool = None
        self._counters = None
        self._memory, self._memory_of = {}, None

    def _tell(self, message):
        with self._telling:
            try:
                self._stream.write(json.dumps(message).encode() + b"\n")
                self._stream.flush()
            except OSError:
                os._exit(0)

    # ---- what is read ------------------------------------------------------------------------------------

    def listen(self):
        """Read lines until they end; then the process that started us is gone."""
        status = 1
        try:
            for line in self._lines:
                self._hear(json.loads(line))
            status = 0
        except Exception:
            faults.tell()
        os._exit(status)

    def _hear(self, message):
        if "alive" in message:
            self._tell({"alive": True})
        elif "counters" in message:
            place = self._door.receive(message["counters"])
            self._counters = Counters(lambda size: mapped(place, size))
        elif "table" in message:
            self._add_table(message, self._door.receive(message["place"]))
        elif "ponderhit" in message:
            if self._search is not None:
                self._search.clock.ponderhit(message["ponderhit"])
        else:
            with self._changed:
                if "stop" not in message:
                    self._waiting = message
                elif self._waiting is not None:     # not begun: done with at once
                    self._tell({"free": self._waiting["job"]})
                    self._waiting = None
                elif self._search is not None:
                    self._search.stop_requested = True
                self._changed.notify_all()

    def _add_table(self, message, place):
        with self._changed:
            if message["pool"] != self._pool:
                self._pool = message["pool"]
                for _, _, earlier in self._tables.values():
                    _close(earlier)
                self._tables = {}
            self._tables[message["table"]] = message["megabytes"], message["packed"], place
            self._changed.notify_all()

    # ---- what is done ------------------------------------------------------------------------------------

    def work(self):
        """Do job after job."""
        done = None
        while True:
            self._tell({"free": done})
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None)
                job, self._waiting = self._waiting, None
                done = job["job"]
                self._search = self._context(job)
            try:
                self._do(job)
            except Stopped:
                pass
            except Exception:       # an own bug: told on stderr, and the next job may do
                faults.tell()
            with self._changed:
                self._search = None

    def _context(self, job):
        if self._memory_of != (job["pool"], job["game"]):
            release(self._memory)
            self._memory_of = job["pool"], job["game"]
        limits = Limits(depth=job["depth"], nodes=job["nodes"], mate=job["mate"], moves=job["moves"])
        context = _HelperContext(limits, _Clock(job), job["options"], self._memory, job["hash"], job["root_moves"])
        context.set_up(job["job"], self._number, self._counters, self, job["pool"])
        return context

    def _do(self, job):
        for where in job["plugins"]:
            if where not in registry.plugins():
                registry.load_plugin(where)
        game = registry.get(job["game"])
        position = game.parse(job["base"], job["base_options"])
        for move in job["played"]:
            position.make(move)
        gc.disable()
        try:
            think(position, self._search, lambda report: None)
        finally:
            gc.enable()
            gc.collect(0)

    def table(self, pool, name, context):
        """The shared Table of this name, as soon as the search itself has made it; Stopped where it ends before."""
        with self._changed:
            while self._pool != pool or name not in self._tables:
                if context.stop_requested:
                    raise Stopped
                self._changed.wait(_PATIENCE)
            megabytes, packed, place = self._tables[name]
            return Table(megabytes, packed, lambda size: mapped(place, size))

    def tell_found(self, job, lines, depth, final):
        """Tell of an iteration that is finished."""
        self._tell({"job": job, "depth": depth, "final": final, "lines": [
            (line.score, line.moves, line.depth, line.exact, line.multipv, line.bound) for line in lines]})


class _HelperContext(Context):
    """The Context of a helper's search: it ends when it is told to, and tells what it finds."""

    def set_up(self, job, number, counters, helper, pool):
        """What it takes beside what every search has."""
        self._job, self._counters, self._helper, self._pool_number = job, counters, helper, pool
        self.number = number
        self.table = self._table
        self.node_limit = 1 << 60       # nodes are counted together, by the search itself

    def _table(self, name, share=1.0, packed=False, extra=0.0):
        if name not in self.memory:     # how large it is the search itself has decided
            self.memory[name] = self._helper.table(self._pool_number, name, self)
        return self.memory[name]

    def check(self, nodes):
        self._counters.write(self.number, NODES, self._job, self.earlier_nodes + nodes)
        return super().check(nodes)

    def next_depth(self, depth, deepest):
        reached = self._counters.read(0, DEPTH, self._job)
        return min(max(depth, reached + _AHEAD[(self.number - 1) % len(_AHEAD)]), deepest)

    def finished(self, lines, depth, final):
        self._helper.tell_found(self._job, lines, depth, final)


class _Clock:
    """Time as the search itself has it; but a helper is ended by that alone, not by a deadline."""

    hard_deadline = float("inf")

    def __init__(self, job):
        self.started = perf_counter()
        self.pondering = job["pondering"]
        self._set(job["seconds_left"])

    def _set(self, seconds):
        self._deadline = None if seconds is None else perf_counter() + seconds

    def ponderhit(self, seconds):
        """The expected move was played."""
        self.pondering = False
        self._set(seconds)

    def seconds_left(self):
        """Seconds until the search should have its answer; None where there is no such time."""
        return None if self._deadline is None else self._deadline - perf_counter()

    def elapsed(self):
        """Seconds since the job began."""
        return perf_counter() - self.started

    def enough(self, stability=1.0):
        """A helper goes on."""
        return False


def _close(place):
    if not isinstance(place, str):
        os.close(place)
