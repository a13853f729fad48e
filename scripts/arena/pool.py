"""The pool of this process's engines: lent for a game, reused for the next, ended when idle."""

from __future__ import annotations

import atexit
import json
import threading
from typing import Any

from scripts.arena.client import Client
from scripts.arena.engines import open_engine
from scripts.jobs.worker import Closed

Player = dict[str, Any]
# what distinguishes the processes of engines: the arguments of open_engine()
_WANTED = ("command", "protocol", "directory", "options", "first_lines", "passing")
IDLE = 5.0  # seconds until an engine that nobody borrows is ended


class Pool:
    """Engines by their plain-data description (job.py)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[str, Client, threading.Timer]] = []  # by key (_key)
        self._lent: set[Client] = set()
        self.closed = False
        self.generation = 0  # number of interruptions of the games

    def borrow(self, player: Player) -> Client:
        """Lend an engine as described.

        Raise EngineError if it can't be started, Closed if the pool is closed.
        """
        key = _key(player)
        with self._lock:
            if self.closed:
                raise Closed
            for entry in self._idle:
                if entry[0] == key:
                    self._idle.remove(entry)
                    entry[2].cancel()
                    self._lent.add(entry[1])
                    return entry[1]
        engine = open_player(player)
        with self._lock:
            self._lent.add(engine)
        if self.closed:
            self.discard(engine)
            raise Closed
        return engine

    def give_back(self, player: Player, engine: Client) -> None:
        """Return an engine for the next game, or end it if it can't or must not be reused."""
        with self._lock:
            ours = engine in self._lent  # else it was interrupted
        if player.get("restart") or not engine.reusable or self.closed or not ours:
            self.discard(engine)
            return
        timer = threading.Timer(IDLE, self._expire, (engine,))
        timer.daemon = True
        with self._lock:
            self._lent.discard(engine)
            self._idle.append((_key(player), engine, timer))
        timer.start()

    def discard(self, engine: Client) -> None:
        """End an engine that must not be reused."""
        engine.kill()
        with self._lock:
            self._lent.discard(engine)

    def _expire(self, engine: Client) -> None:
        with self._lock:
            entry = next((entry for entry in self._idle if entry[1] is engine), None)
            if entry is None:
                return
            self._idle.remove(entry)
        engine.close()

    def interrupt(self) -> int:
        """End all engines, and so the games in progress; return the number of engines in use.

        A borrower sees a Crash and then raises Closed.
        """
        with self._lock:
            self.generation += 1
            count = len(self._lent)
        self._end_all()
        return count

    def close(self) -> None:
        """End all engines for good; a borrower sees a Crash and then raises Closed."""
        self.closed = True
        self._end_all()

    def _end_all(self) -> None:
        with self._lock:
            lent, idle = list(self._lent), self._idle
            self._lent, self._idle = set(), []
        for _, engine, timer in idle:
            timer.cancel()
            engine.close()
        for engine in lent:
            engine.kill()


def open_player(player: Player) -> Client:
    """Start an engine as described; raise EngineError if that fails."""
    return open_engine(*map(player.get, _WANTED))


def _key(player: Player) -> str:
    return json.dumps([player.get(name) for name in _WANTED], sort_keys=True)


ENGINES = Pool()
atexit.register(ENGINES.close)
