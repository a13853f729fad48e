"""Engines by command line: which protocol one speaks, and a client for it.

    open_engine("stockfish")                            # the protocol is guessed
    open_engine("fairymax", protocol="cecp")
    open_engine(own_command(), options={"Hash": 16})    # Plyglot itself
"""
from __future__ import annotations

import importlib
import os
import pathlib
import sys

from scripts.arena.process import Crash, EngineError, Refusal

# In the order in which they are tried: name -> module, class
CLIENTS = {
    "uci": ("scripts.arena.uci", "UciClient"),
    "gtp": ("scripts.arena.gtp", "GtpClient"),
    "cecp": ("scripts.arena.cecp", "CecpClient"),
    "gomocup": ("scripts.arena.gomocup", "GomocupClient"),
}
ALIASES = {"xboard": "cecp", "winboard": "cecp", "piskvork": "gomocup"}
GUESSING = 8.0      # seconds for each protocol: longer than any engine at hand takes to greet, and not for ever
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def own_command(plugins=()):
    """The command that starts Plyglot with these plugins (files or modules), by the interpreter that runs us."""
    words = [word for where in plugins for word in ("--plugin", plugin_path(where))]
    return [sys.executable, str(ROOT / "engine.py")] + words


def plugin_path(where):
    """A plugin as a process in another directory finds it."""
    return os.path.abspath(where) if where.endswith(".py") else where


def protocol_name(text):
    """The canonical name of a protocol; ValueError in words."""
    name = ALIASES.get(text.lower(), text.lower())
    if name not in CLIENTS:
        raise ValueError(f"no such protocol: {text} (there are: {', '.join(CLIENTS)})")
    return name


def open_engine(command=None, protocol=None, directory=None, options=None, first_lines=(), passing=None):
    """A running Client of the engine `command` (default: Plyglot); EngineError where there is none.

    protocol: one of CLIENTS; None tries them one by one.  options: {name: value} to set at once.
    first_lines: sent before anything else.  passing: how passes are written, see uci.py.
    """
    command = own_command() if command is None else command
    client = _guess(command, directory, first_lines) if protocol is None else \
        _class(protocol_name(protocol))(command, directory, first_lines)
    try:
        if passing is not None:
            client.write_passes(passing)
        for name, value in (options or {}).items():
            client.set_option(name, value)
    except BaseException:
        client.kill()
        raise
    return client


def _guess(command, directory, first_lines):
    """Each protocol in turn, each with a new process: an engine may be confused by the greeting of another one."""
    refusals = []
    for name in CLIENTS:
        try:
            return _class(name)(command, directory, first_lines, hand_shake=GUESSING)
        except Crash as error:
            if str(error).startswith("can't start"):
                raise
            refusals.append(f"{name}: {error}")
        except EngineError as error:
            refusals.append(f"{name}: {error}")
    raise Refusal("speaks no protocol known here: " + "; ".join(refusals))


def _class(name):
    module, attribute = CLIENTS[name]
    return getattr(importlib.import_module(module), attribute)
