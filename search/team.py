"""The helpers of a search: processes that search the same position beside it and share its tables (lazy SMP).

Nothing is divided among them.  Each helper searches by itself, a little differently, and what it finds out stands in
the tables that all read; so all get deeper in the same time.  Processes, since threads take turns at one interpreter.

A helper (search/helper.py) reads lines from a pipe and answers on another one, in JSON; when its pipe ends the process
that started it is gone, and it ends at once.  How many nodes it has visited stands in shared memory.  It is told its
job when it is free and there is one, so nobody waits for a helper that is slow, stopped or gone: it costs its share.

What the helpers found is used so: an iteration that a helper finished first is not searched again, its lines are taken
as they are; and what a helper has proven ends the search.
"""
from __future__ import annotations

import json
import subprocess
import sys
import threading
from itertools import count
from time import perf_counter

from games import data, registry
from games.base import Line
from search.context import Context, Stopped
from search.shared import Memory, doors
from search.table import MAKER, SharedWords, Table

_START = ("import json, sys; sys.path[:] = json.loads(sys.argv[1]); lines, tell = sys.stdin.buffer, sys.stdout.buffer;"
          "sys.stdout = sys.stderr; from search.helper import serve; serve(lines, tell, *map(int, sys.argv[2:]))")

# Two words a process: what it is searching and how far, each with the number of the job that it belongs to.
NODES, DEPTH, _WORDS = 0, 1, 2
JOB_SHIFT = 44
_MOST_PROCESSES = 4096
_MOST_JOBS = 1 << 63 - JOB_SHIFT
# A helper is asked for a sign of life so many seconds apart while there are searches, and given up when it owes so many.
_BETWEEN_SIGNS, _MOST_OWED = 1.0, 5
# Windows would open a window for it.
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Counters:
    """What the processes of a team tell of themselves while they search, in shared memory.

    memory: a function from a number of bytes to an mmap.
    """

    def __init__(self, memory):
        self._whole = SharedWords(memory, _MOST_PROCESSES * _WORDS)
        self.words = self._whole.words

    def write(self, number, what, job, value):
        """Of the process `number`: 0 is the search itself, its helpers come after it."""
        self.words[number * _WORDS + what] = job << JOB_SHIFT | value

    def read(self, number, what, job):
        """The same; 0 where it has not begun with this job."""
        word = self.words[number * _WORDS + what]
        return word & (1 << JOB_SHIFT) - 1 if word >> JOB_SHIFT == job else 0

    def release(self):
        """Give the memory back."""
        self._whole.release()


class Pool:
    """The tables of one game's memory, in memory that the helpers have, too: a maker of tables (search/table.py)."""

    _numbers = count(1)

    def __init__(self, team):
        self._team, self.number = team, next(self._numbers)
        self.tables = []            # [(name, megabytes, packed, Memory)]

    def table(self, name, megabytes, packed):
        """A new Table, of which the helpers learn."""
        made = []

        def memory(size):
            made.append(Memory(size))
            return made[0].map()

        table = Table(megabytes, packed, memory)
        self.tables.append((name, megabytes, packed, made[0]))
        self._team.tell_tables(self)
        return table

    def release(self):
        """No helper will be told of them any more."""
        for _, _, _, memory in self.tables:
            memory.close()
        self.tables = []


class Found:
    """What a helper came to.  lines: of one iteration, best first; final: nothing is left to be found out."""

    def __init__(self, lines, depth, final):
        self.lines, self.depth, self.final = lines, depth, final


class Team:
    """The helpers of a session; one that is lost is told of, and not replaced before `resize`."""

    def __init__(self):
        self._lock = threading.RLock()
        self._helpers = {}          # by number, from 1
        self._memory = Memory(_MOST_PROCESSES * _WORDS * 8)
        self._counters = Counters(lambda size: self._memory.map())
        self._number = 0            # of the last job
        self._next_look = 0.0           # when to look for those that do not answer
        self._job = self._pool = None   # the job that is being done
        self.found = None           # the best of what helpers found in it

    # ---- processes --------------------------------------------------------------------------------------

    def resize(self, size):
        """Have so many helpers; what runs goes on with them."""
        with self._lock:
            for number in [number for number in self._helpers if number > size]:
                self._helpers.pop(number).kill()
            for number in range(1, size + 1):
                if number not in self._helpers:
                    try:
                        self._helpers[number] = _Helper(self, number, self._memory)
                    except OSError as error:
                        data.tell(f"Threads: no process could be started ({error.strerror or error}); "
                                  f"searching with {len(self._helpers) + 1}")
                        return

    def close(self):
        """End them all; a search that runs goes on without them."""
        self.resize(0)

    def lose(self, helper):
        """A helper is gone, or does not answer."""
        with self._lock:
            if self._helpers.get(helper.number) is helper:
                del self._helpers[helper.number]
                helper.kill()
                data.tell(f"Threads: helper {helper.number} is lost, searching with {len(self._helpers) + 1}")

    # ---- searches ---------------------------------------------------------------------------------------

    def pool(self):
        """A new Pool, for the memory of a game."""
        return Pool(self)

    def begin(self, job, pool):
        """Have the helpers search, too.  job: what search/helper.py makes a search of."""
        with self._lock:
            self._number = (self._number + 1) % _MOST_JOBS
            self._job = {**job, "job": self._number, "pool": pool.number, "plugins": registry.plugins()}
            self._pool, self.found = pool, None
            self.look_after()
            for helper in list(self._helpers.values()):
                helper.work(self._job, pool)

    def end(self):
        """Have the helpers wait for the next search."""
        with self._lock:
            self._job = self._pool = None
            for helper in list(self._helpers.values()):
                helper.stop()

    def ponderhit(self, seconds_left):
        """The expected move was played: what a search would do in the time that is left now counts."""
        with self._lock:
            if self._job is not None:
                self._job.update(pondering=False, seconds_left=seconds_left)
                for helper in list(self._helpers.values()):
                    helper.send({"ponderhit": seconds_left})

    def look_after(self):
        """To be called now and then: about once a second those are looked for that do not answer, and given up."""
        now = perf_counter()
        if now < self._next_look:
            return
        self._next_look = now + _BETWEEN_SIGNS
        with self._lock:
            for helper in list(self._helpers.values()):
                helper.look_after()

    def nodes(self):
        """How many nodes the helpers have visited in this search."""
        return sum(self._counters.read(number, NODES, self._number) for number in list(self._helpers))

    def at_depth(self, depth):
        """The search itself has begun this iteration."""
        self._counters.write(0, DEPTH, self._number, depth)

    def tell_tables(self, pool):
        """A pool has a new table."""
        with self._lock:
            if pool is self._pool:
                for helper in list(self._helpers.values()):
                    if not helper.free:
                        helper.hand_over(pool)

    def hear(self, helper, message):
        """What a helper said (in a thread of its own)."""
        with self._lock:
            helper.owed = 0
            if "free" in message:
                helper.free = True
                if self._job is not None and self._helpers.get(helper.number) is helper:
                    if message["free"] != self._number:
                        helper.work(self._job, self._pool)
            elif "lines" in message and self._job is not None and message["job"] == self._number:
                self._take(Found([Line(*line) for line in message["lines"]], message["depth"], message["final"]))

    def _take(self, found):
        best = self.found
        if best is None or not best.final and (found.final or found.depth > best.depth):
            self.found = found


class TeamContext(Context):
    """The Context of a search that a team has a part in.  The nodes of all count against the limit."""

    def set_up(self, team, job):
        """team: the Team.  job: the position, as search/helper.py reads it."""
        self._team, self._job = team, job

    def gather(self):
        limits, clock = self.limits, self.clock
        self._team.begin({**self._job, "options": {**self.options, "Variety": False}, "root_moves": self.root_moves,
                          "moves": limits.moves, "depth": limits.depth, "nodes": limits.nodes, "mate": limits.mate,
                          "pondering": clock.pondering, "seconds_left": clock.seconds_left()}, self.memory[MAKER])

    def dismiss(self):
        self._team.end()

    def ponderhit(self):
        super().ponderhit()
        self._team.ponderhit(self.clock.seconds_left())

    def found(self):
        return self._team.found

    def nodes_of_helpers(self):
        return self._team.nodes()

    def next_depth(self, depth, deepest):
        found = self._team.found
        if found is not None:
            depth = min(max(depth, found.depth), deepest)
        self._team.at_depth(depth)
        return depth

    def check(self, nodes):
        team, found = self._team, self._team.found
        if (found is not None and (found.final or found.depth >= self.deepest)
                or nodes + team.nodes() >= self.node_limit):
            self.nodes = max(nodes, self.nodes)
            raise Stopped
        team.look_after()
        return super().check(nodes)


class _Helper:
    """One process.  free: has it nothing to do?  owed: how many signs of life it owes."""

    def __init__(self, team, number, memory):
        self.number, self.free, self.owed = number, False, 0
        self._team, self._pool, self._handed, self._stopped = team, None, 0, True
        self._door, theirs = doors()
        arguments = [sys.executable, "-c", _START, json.dumps(sys.path), str(number)]
        try:
            descriptors = [theirs.fileno()] if theirs else []
            self._process = subprocess.Popen(arguments + [str(descriptor) for descriptor in descriptors],
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=descriptors,
                                             creationflags=_FLAGS)
        except OSError:
            self._door.close()
            raise
        finally:
            if theirs:
                theirs.close()
        self.send({"counters": self._door.send(memory.place)})
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            with self._process.stdout as lines:
                for line in lines:
                    self._team.hear(self, json.loads(line))
        except ValueError:
            pass        # half a line: it ended while it wrote
        self._team.lose(self)
        self._process.wait()

    def send(self, message):
        """Send a line; nobody may be there to read it any more, which _listen learns of."""
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass

    def work(self, job, pool):
        """Do a job, unless it is still busy with another one."""
        if self.free:
            self.free = self._stopped = False
            self.hand_over(pool)
            self.send(job)

    def stop(self):
        """Do no more of the job."""
        if not self._stopped:
            self._stopped = True
            self.send({"stop": True})

    def hand_over(self, pool):
        """Give it the tables that it does not have."""
        if self._pool is not pool:
            self._pool, self._handed = pool, 0
        for name, megabytes, packed, memory in pool.tables[self._handed:]:
            self._handed += 1
            try:
                place = self._door.send(memory.place)
            except OSError:
                return          # it is gone or takes nothing: look_after or _listen will see
            self.send({"table": name, "megabytes": megabytes, "packed": packed, "pool": pool.number, "place": place})

    def look_after(self):
        """Ask for a sign of life, or give up."""
        self.owed += 1
        if self.owed > _MOST_OWED:
            self._team.lose(self)
        elif self.owed == 1:
            self.send({"alive": True})

    def kill(self):
        """End it, however it is."""
        self._process.kill()
        self._door.close()
        try:
            self._process.stdin.close()
        except OSError:
            pass        # what was not sent yet need not be
