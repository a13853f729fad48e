"""The pool of this process's engines: lent for a game, reused for the next, ended when idle."""

from __future__ import annotations

import atexit
import json
import threading
from typing import Any

from plyglot.errors import EngineError, Refusal
from protocol.records.record import Start
from scripts.arena.client import Client
from scripts.arena.engines import open_engine
from scripts.arena.terms import GameClock, limits
from scripts.jobs.worker import Closed

# An engine as plain data: name, command, protocol, directory, options, first_lines, passing,
# restart, terms (job.py).
Participant = dict[str, Any]
# what distinguishes the processes of engines: the arguments of open_engine()
_WANTED = ("command", "protocol", "directory", "options", "first_lines", "passing")
IDLE = 5.0  # seconds until an engine that nobody borrows is ended


class Pool:
    """Engines by their plain-data description."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[str, Client, threading.Timer]] = []  # by key (_key)
        self._lent: set[Client] = set()
        self.closed = False

    def borrow(self, player: Participant) -> Client:
        """Lend an engine as described.

        Raise EngineError if it can't be started, Closed if the pool is closed.
        """
        key = _key(player)
        with self._lock:
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

    def give_back(self, player: Participant, engine: Client) -> None:
        """Return an engine for the next game, or end it if it can't or must not be reused."""
        if player.get("restart") or not engine.reusable or self.closed:
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

    def try_out(
        self, player: Participant, start: Start, moves: list[int], patience: float
    ) -> Client:
        """Start an engine, check that it can take part, and return it for its first game.

        patience: seconds for immediate answers.
        Raise EngineError if it can't be started or rejects its limits or its game.
        """
        engine = self.borrow(player)
        try:
            engine.check_limits(limits([GameClock(player["terms"])] * 2, 0))
            engine.prepare(start, moves, patience)
        except EngineError as error:
            self.discard(engine)
            if isinstance(error, Refusal):
                raise
        else:  # after any other failure: the games will meet and record it
            self.give_back(player, engine)
        return engine

    def _expire(self, engine: Client) -> None:
        with self._lock:
            entry = next((entry for entry in self._idle if entry[1] is engine), None)
            if entry is None:
                return
            self._idle.remove(entry)
        engine.close()

    def close(self) -> None:
        """End all engines for good; a borrower sees a Crash and then raises Closed."""
        self.closed = True
        with self._lock:
            lent, idle = list(self._lent), self._idle
            self._lent, self._idle = set(), []
        for _, engine, timer in idle:
            timer.cancel()
            engine.close()
        for engine in lent:
            engine.kill()


def open_player(player: Participant) -> Client:
    """Start an engine as described; raise EngineError if that fails."""
    return open_engine(*map(player.get, _WANTED))


def _key(player: Participant) -> str:
    return json.dumps([player.get(name) for name in _WANTED], sort_keys=True)


ENGINES = Pool()
atexit.register(ENGINES.close)
