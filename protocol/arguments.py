"""The command line, and the environment for front ends that can't pass arguments.

Imported only where there is something to read: argparse costs more than the rest of the start.
"""
from __future__ import annotations

import argparse
import os

from games import registry
from protocol.detect import PROTOCOLS

PLUGINS_VARIABLE = "PLYGLOT_PLUGINS"

_EPILOG = f"""Front ends start it without arguments and speak UCI, GTP, Gomocup, CECP or NBoard; the first line tells which.
Words on the command line are one UCI command, run and then left, for example:
  engine.py bench
  engine.py --game othello go depth 6
The environment variable {PLUGINS_VARIABLE} names plugins, separated by '{os.pathsep}'."""


def parse(arguments, version):
    """The namespace of a command line, its plugins loaded; exits with a message where it is wrong."""
    parser = argparse.ArgumentParser(prog="engine.py", description="Plyglot, a board-game engine.", epilog=_EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--game", metavar="NAME", help="the first game (default: chess)")
    parser.add_argument("--protocol", choices=sorted(PROTOCOLS), help="the protocol, whatever the first line says")
    parser.add_argument("--plugin", metavar="FILE-OR-MODULE", action="append", default=[], help="add games from it")
    parser.add_argument("--log", metavar="FILE", help="append a time-stamped transcript of both directions to FILE")
    parser.add_argument("--version", action="version", version=f"Plyglot {version}")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="one UCI command to run")
    found = parser.parse_args(arguments)
    for where in [path for path in os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep) if path] + found.plugin:
        try:
            registry.load_plugin(where)
        except registry.PluginError as error:
            parser.error(str(error))
    if found.game is not None:
        try:
            registry.canonical(found.game)
        except KeyError:
            parser.error(f"no such game: {found.game} (there are: {', '.join(registry.names())})")
    return found
