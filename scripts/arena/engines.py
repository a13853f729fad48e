"""Engines given by their command lines: how to start them and reuse their processes.

open_engine("stockfish")                            # UCI
open_engine("fairymax", protocol="cecp")
open_engine(own_command(), options={"Hash": 16})    # Plyglot itself
"""

from __future__ import annotations

import atexit
import contextlib
import json
import pkgutil
import threading
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from games import registry
from plyglot.command import own_command
from plyglot.errors import Refusal, Stall
from protocol.table import TABLE, find
from scripts.jobs.worker import Closed

if TYPE_CHECKING:
    from plyglot.command import Command
    from scripts.arena.client import Client

# An engine as plain data: name, command, protocol, directory, options, restart, terms
# (game.py).
Participant = dict[str, Any]
# Keys of a Participant that are open_engine()'s arguments.  A process is reused only
# for a Participant with the same values of all these keys.
_WANTED = ("command", "protocol", "directory", "options")
_ROWS = [row for row in TABLE if row.client]  # the protocols whose engines can be run
WITH_CLIENT = [row.name for row in _ROWS]
MAX_IDLE = 16  # with more idle engines than this, the one that has been idle longest is ended


def load_plugins(plugins: Iterable[str]) -> None:
    """Load plugins that this process hasn't loaded yet.  plugins: results of plugin_path()."""
    for where in plugins:
        registry.load_plugin(where)


def protocol_name(text: str) -> str:
    """Return the canonical name of a protocol; raise ValueError if `text` is unknown."""
    return find(text, _ROWS).name


def open_engine(
    command: Command | None = None,
    protocol: str | None = None,
    directory: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Client:
    """Start an engine and return its Client; raise EngineError if that fails.

    command: None for Plyglot itself.  protocol: a name of WITH_CLIENT or an alias, None for UCI.
    options: {name: value} to set at once.
    """
    if command is None:
        command = own_command(registry.plugins())
    try:
        make: type[Client] = pkgutil.resolve_name(find(protocol or "uci", _ROWS).client)
        client = make(command, directory)
    except (Refusal, Stall) as error:
        hint = f"name its protocol: proto= or --protocol ({', '.join(WITH_CLIENT)})"
        raise Refusal(f"{error}; {hint}") from None
    try:
        for name, value in (options or {}).items():
            client.set_option(name, value)
    except BaseException:
        client.kill()
        raise
    return client


class Slot:
    """A place for one running engine, which is started, configured and replaced as needed.

    client: the running engine, or None.
    """

    def __init__(self) -> None:
        self.client: Client | None = None
        self._player: Participant | None = None
        # The options that have been set since the engine started.
        self._set: dict[str, object] = {}

    def ready(
        self, player: Participant, options: Mapping[str, object], optional: Container[str]
    ) -> Client:
        """Return the engine of `player` with these options, started if necessary.

        If an option that was set must return to its default, the engine is restarted, since
        not every protocol reports the defaults.
        options: {name: value, None for the engine's default}.
        optional: the names of options that not every engine has.
        """
        fits = player is self._player and None not in [options.get(name) for name in self._set]
        client = self.client if fits else None
        if client is None:
            self.close(grace=0.3)
            client = self.client = open_engine(*map(player.get, _WANTED))
            self._player, self._set = player, {}
        for name, value in options.items():
            known = client.has_option(name) or name not in optional
            if known and self._set.get(name) != value:
                client.set_option(name, value)
                self._set[name] = value
        return client

    def close(self, grace: float = 1.0) -> None:
        """End the engine, if one runs; kill it after `grace` seconds."""
        client, self.client = self.client, None
        if client is not None:
            client.close(grace)


class Pool:
    """The engines of this process: lent for a game, reused for the next."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # {engine: the key that describes it; None while the engine is lent}
        self._engines: dict[Client, str | None] = {}
        self.closed = False

    @contextlib.contextmanager
    def lent(self, player: Participant) -> Iterator[Client]:
        """Return a context manager that lends an engine.

        An exception that leaves the `with` block kills the engine.
        Raise EngineError if the engine can't be started, Closed if the pool is closed.
        """
        wanted = [player.get(name) for name in _WANTED]
        key = json.dumps(wanted, sort_keys=True)
        engine = self._borrow(key) or open_engine(*wanted)
        with self._lock:
            self._engines[engine] = None
        reused = False
        try:
            if self.closed:
                raise Closed
            yield engine
            reused = engine.reusable and not player.get("restart") and not self.closed
        finally:
            self._give_back(engine, key if reused else None)

    def _borrow(self, key: str) -> Client | None:
        """Return an idle engine with this key, or None; skip those that ended after their game."""
        with self._lock:
            for engine, known in self._engines.items():
                if known == key and not engine.has_ended():
                    self._engines[engine] = None
                    return engine
        return None

    def _give_back(self, engine: Client, key: str | None) -> None:
        """Keep an engine under its key for another game, or end it if the key is None."""
        with self._lock:
            del self._engines[engine]
            ended = [engine]
            if key is not None:
                self._engines[engine] = key  # added last, so the first one has been idle longest
                ended = [each for each, known in self._engines.items() if known][:-MAX_IDLE]
                for each in ended:
                    del self._engines[each]
        for each in ended:
            each.kill()

    def close(self) -> None:
        """Close idle engines, kill lent ones, and lend no more.

        The borrowers of killed engines get a Crash.
        """
        self.closed = True
        with self._lock:
            engines = list(self._engines.items())
        for engine, key in engines:
            end = engine.kill if key is None else engine.close
            end()


ENGINES = Pool()
atexit.register(ENGINES.close)
