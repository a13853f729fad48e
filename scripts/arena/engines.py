"""Opening an engine by its command line: finding its protocol and returning a client.

open_engine("stockfish")                            # the protocol is guessed by its answer
open_engine("fairymax", protocol="cecp")
open_engine(own_command(), options={"Hash": 16})    # Plyglot itself
"""

from __future__ import annotations

import pkgutil
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from games import registry
from plyglot.command import own_command
from plyglot.errors import EngineError, Flood, Missing, Refusal, Stall
from plyglot.process import Process

if TYPE_CHECKING:
    from plyglot.command import Command
    from scripts.arena.client import Client

# Name -> module:class.
CLIENTS = {
    "uci": "scripts.arena.uci:UciClient",
    "gtp": "scripts.arena.gtp:GtpClient",
    "cecp": "scripts.arena.cecp:CecpClient",
    "gomocup": "scripts.arena.gomocup:GomocupClient",
}
ALIASES = {"xboard": "cecp", "winboard": "cecp", "piskvork": "gomocup"}
# The first answers to `uci`, by the protocols of those who give them.
_ANSWERS = {
    "uci": re.compile(r"id (name|author) |option name |uciok"),
    "gtp": re.compile(r"[=?]"),
    "cecp": re.compile(r"Error \("),
    "gomocup": re.compile(r"UNKNOWN|ERROR"),
}
GUESSING = 8.0  # seconds, more than the slowest known engine needs for its greeting


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

    protocol: one of CLIENTS; None guesses it by the engine's first answer.
    options: {name: value} to set at once.
    first_lines: sent before anything else.
    passing: the notation of passes, see uci.py.
    """
    first_lines = first_lines or ()
    if command is None:
        command, protocol = own_command(), protocol or "uci"
    protocol = protocol_name(protocol) if protocol else guess(command, directory, first_lines)
    client = _class(protocol)(command, directory, first_lines)
    try:
        if passing is not None:
            client.write_passes(passing)
        for name, value in (options or {}).items():
            client.set_option(name, value)
    except BaseException:
        client.kill()
        raise
    return client


def guess(command: Command, directory: str | None, first_lines: Sequence[str]) -> str:
    """Return the protocol of an engine by its first answer to `uci`; raise EngineError.

    Each protocol has its own answer to a command that it doesn't know.
    """
    process = Process(command, directory)
    try:
        process.write(*first_lines, "uci")
        until = time.perf_counter() + GUESSING
        while True:
            line = process.read(until)[1].strip()
            for name, pattern in _ANSWERS.items():
                if pattern.match(line):
                    return name
    except Missing:
        raise
    except EngineError as error:
        silent = isinstance(error, Stall) and not isinstance(error, Flood)
        reason = f"no answer to `uci` in {GUESSING:g} s" if silent else str(error)
        names = ", ".join(CLIENTS)
        raise Refusal(f"{reason}; name its protocol: proto= or --protocol ({names})") from None
    finally:
        process.kill()


def _class(name: str) -> type[Client]:
    found: type[Client] = pkgutil.resolve_name(CLIENTS[name])
    return found
