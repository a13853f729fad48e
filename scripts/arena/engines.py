"""Opening an engine by its command line: finding its protocol and returning a client.

open_engine("stockfish")                            # the protocol is guessed
open_engine("fairymax", protocol="cecp")
open_engine(own_command(), options={"Hash": 16})    # Plyglot itself
"""

from __future__ import annotations

import pkgutil
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING

from games import registry
from plyglot.command import own_command
from plyglot.errors import EngineError, Missing, Refusal

if TYPE_CHECKING:
    from plyglot.command import Command
    from scripts.arena.client import Client

# Name -> module:class, in the order in which they are tried.
CLIENTS = {
    "uci": "scripts.arena.uci:UciClient",
    "gtp": "scripts.arena.gtp:GtpClient",
    "cecp": "scripts.arena.cecp:CecpClient",
    "gomocup": "scripts.arena.gomocup:GomocupClient",
}
ALIASES = {"xboard": "cecp", "winboard": "cecp", "piskvork": "gomocup"}
# seconds for each protocol, more than the slowest known engine needs for its greeting
GUESSING = 8.0
# seconds until the next protocol is tried alongside it; by then most engines have answered
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
    make: Callable[..., Client] = _guess if protocol is None else _class(protocol_name(protocol))
    client = make(command, directory, first_lines or ())
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
    attempts: dict[str, Future[Client]] = {}
    choice: Future[Client] | None = None
    try:
        for name in CLIENTS:
            attempts[name] = latest = _attempt(name, command, directory, first_lines)
            if wait([latest], ALONE).done:
                error = latest.exception()
                if error is None:
                    break
                if isinstance(error, Missing) or not isinstance(error, EngineError):
                    raise error
        patience = ALONE if latest.done() and latest.exception() is None else None
        for attempt in attempts.values():
            if wait([attempt], patience).done and attempt.exception() is None:
                choice = attempt
                return attempt.result()
    finally:
        for attempt in attempts.values():  # the others end, now or as soon as they have begun
            if attempt is not choice:
                attempt.add_done_callback(_end)
    names: dict[str, list[str]] = {}  # what happened -> with which protocols
    for name, attempt in attempts.items():
        names.setdefault(str(attempt.exception()), []).append(name)
    reasons = (f"{', '.join(found)}: {error}" for error, found in names.items())
    raise Refusal("speaks no known protocol: " + "; ".join(reasons))


def _attempt(
    name: str, command: Command, directory: str | None, first_lines: Sequence[str]
) -> Future[Client]:
    """Start an engine and its greeting in one protocol; return its future client."""
    future: Future[Client] = Future()

    def greet() -> None:
        try:
            client = _class(name)(command, directory, first_lines, hand_shake=GUESSING)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(client)

    threading.Thread(target=greet, daemon=True).start()
    return future


def _end(attempt: Future[Client]) -> None:
    if attempt.exception() is None:
        attempt.result().kill()


def _class(name: str) -> type[Client]:
    found: type[Client] = pkgutil.resolve_name(CLIENTS[name])
    return found
