"""Opening an engine by its command line: finding its protocol and returning a client.

open_engine("stockfish")                            # the protocol is guessed
open_engine("fairymax", protocol="cecp")
open_engine(own_command(), options={"Hash": 16})    # Plyglot itself
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from games import registry
from plyglot.command import own_command
from plyglot.errors import EngineError, Missing, Refusal

if TYPE_CHECKING:
    from plyglot.command import Command
    from scripts.arena.client import Client

# Name -> (module, class), in the order in which they are tried.
CLIENTS = {
    "uci": ("scripts.arena.uci", "UciClient"),
    "gtp": ("scripts.arena.gtp", "GtpClient"),
    "cecp": ("scripts.arena.cecp", "CecpClient"),
    "gomocup": ("scripts.arena.gomocup", "GomocupClient"),
}
ALIASES = {"xboard": "cecp", "winboard": "cecp", "piskvork": "gomocup"}
# seconds for each protocol, more than the slowest known engine needs for its greeting
GUESSING = 8.0
# seconds until the next protocol is tried beside it; by then most engines have answered
ALONE = 1.0


def load_plugins(plugins: Iterable[str]) -> None:
    """Load the plugins that this process has not loaded yet, named as by plugin_path."""
    for where in plugins:
        registry.load_plugin(where)


def protocol_name(text: str) -> str:
    """Return the canonical name of a protocol; raise ValueError if there is none."""
    name = ALIASES.get(text.lower(), text.lower())
    if name not in CLIENTS:
        raise ValueError(f"unknown protocol: {text} (expected one of: {', '.join(CLIENTS)})")
    return name


def open_engine(
    command: Command | None = None,
    protocol: str | None = None,
    directory: str | None = None,
    options: Mapping[str, object] | None = None,
    first_lines: Sequence[str] | None = None,
    passing: str | None = None,
) -> Client:
    """Start the engine `command` (default: Plyglot) and return its Client; raise EngineError.

    protocol: one of CLIENTS; None tries them in turn.
    options: {name: value} to set at once.
    first_lines: sent before anything else.
    passing: the notation of passes, see uci.py.
    """
    command = own_command() if command is None else command
    client = (
        _guess(command, directory, first_lines or ())
        if protocol is None
        else _class(protocol_name(protocol))(command, directory, first_lines or ())
    )
    try:
        if passing is not None:
            client.write_passes(passing)
        for name, value in (options or {}).items():
            client.set_option(name, value)
    except BaseException:
        client.kill()
        raise
    return client


def _guess(command: Command, directory: str | None, first_lines: Sequence[str]) -> Client:
    """Return the client of the first protocol that the engine speaks.

    Each is tried with a new process, since the greeting of another protocol may confuse an
    engine.  If one is silent, the next is tried while the wait goes on; an engine that starts
    slowly and speaks several protocols still gets the first of them.
    """
    attempts: list[_Attempt] = []
    try:
        for name in CLIENTS:
            attempts.append(_Attempt(name, command, directory, first_lines))
            latest = attempts[-1].wait(ALONE)
            if isinstance(latest.error, Missing):
                raise latest.error
            if latest.client is not None:
                break
        client = _first(attempts, ALONE if latest.client is not None else None)
        if client is not None:
            return client
    finally:
        for attempt in attempts:
            attempt.give_up()
    names: dict[str, list[str]] = {}  # what happened -> with which protocols
    for attempt in attempts:
        names.setdefault(str(attempt.error), []).append(attempt.name)
    reasons = (f"{', '.join(found)}: {error}" for error, found in names.items())
    raise Refusal("speaks no known protocol: " + "; ".join(reasons))


def _first(attempts: Sequence[_Attempt], seconds: float | None = None) -> Client | None:
    """Return the first attempt's client that succeeded; wait `seconds` for each, or for its end."""
    for attempt in attempts:
        client = attempt.wait(seconds).take()
        if client is not None:
            return client
    return None


class _Attempt:
    """A greeting in one protocol, in its own thread; client or error holds the result."""

    def __init__(
        self, name: str, command: Command, directory: str | None, first_lines: Sequence[str]
    ) -> None:
        self.name = name
        self.client: Client | None = None
        self.error: EngineError | None = None
        self._lock, self._unwanted = threading.Lock(), False
        self._thread = threading.Thread(
            target=self._greet, args=(command, directory, first_lines), daemon=True
        )
        self._thread.start()

    def _greet(self, command: Command, directory: str | None, first_lines: Sequence[str]) -> None:
        try:
            client = _class(self.name)(command, directory, first_lines, hand_shake=GUESSING)
        except EngineError as error:
            self.error = error
            return
        with self._lock:
            if not self._unwanted:
                self.client = client
                return
        client.kill()

    def wait(self, seconds: float | None = None) -> _Attempt:
        """Wait until it is decided, at most `seconds`."""
        self._thread.join(seconds)
        return self

    def take(self) -> Client | None:
        """Return the client and hand it over to the caller."""
        client, self.client = self.client, None
        return client

    def give_up(self) -> None:
        """End the client, now or as soon as there is one."""
        with self._lock:
            self._unwanted, client = True, self.take()
        if client is not None:
            client.kill()


def _class(name: str) -> type[Client]:
    module, attribute = CLIENTS[name]
    found: type[Client] = getattr(importlib.import_module(module), attribute)
    return found
